// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation

#if Tools
import ArgumentParser
#endif

/// The page of Web/ with a tap inside, which it shows when opened: a file to send to a colleague.
struct TapPage {
    /// The path at which Scripts/web writes the page.
    static let usualPath = "Web/emv.html"
    /// The element that holds the page's tap; it is empty in the built page.
    private static let (opening, closing) = (#"<script type="application/json" id="tap">"#, "</script>")

    private let parts: [String]

    /// Reads the page before the tap begins.
    init(path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw BenchFailure(
                "\(path): no page there; Scripts/web builds Web/emv.html, --page names one that lies elsewhere"
            )
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw BenchFailure("\(path): the page cannot be read")
        }
        parts = String(decoding: data, as: UTF8.self).components(separatedBy: Self.opening + Self.closing)
        guard parts.count == 2 else {
            throw BenchFailure("\(path): expected the page that Scripts/web builds, without a tap in it")
        }
    }

    /// - Parameter trace: written unchanged; the caller has masked it.
    func text(_ trace: Trace) -> String {
        parts[0] + Self.opening + HTMLText.escaped(json: trace.json) + Self.closing + parts[1]
    }
}

#if Tools
extension TapPage {
    /// Checks the options of a command line: a page is written to the path of `--html`, which must not be a file that
    /// is read.
    ///
    /// - Parameter others: other files that are read or written, by option name.
    static func check(html: String?, page: String?, others: KeyValuePairs<String, String?>) throws {
        guard let html else {
            guard page == nil else { throw ValidationError("--page: expected --html with it") }
            return
        }
        let files: [(name: String, path: String?)] = [("--page", page ?? usualPath)] + others.map { ($0.key, $0.value) }
        for (name, path) in files {
            guard let path, isSame(html, path) else { continue }
            throw ValidationError("--html: expected another file than that of \(name)")
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        let files = [one, other].map { path in
            (
                attributes: try? FileManager.default.attributesOfItem(
                    atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
                path: URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
            )
        }
        if files[0].path == files[1].path { return true }
        guard let number = files[0].attributes?[.systemFileNumber] as? NSNumber else { return false }
        return number == files[1].attributes?[.systemFileNumber] as? NSNumber
            && files[0].attributes?[.systemNumber] as? NSNumber == files[1].attributes?[.systemNumber] as? NSNumber
    }
}
#endif
