// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation

#if Tools
import ArgumentParser
#endif

/// The page of Web/ with a tap inside, which opens on it: what one sends to a colleague.
struct TapPage {
    /// Where Scripts/web leaves the page.
    static let usualPath = "Web/emv.html"
    /// Where the page takes its tap from; empty as it is built.
    private static let (opening, closing) = (#"<script type="application/json" id="tap">"#, "</script>")

    private let parts: [String]

    /// Reads the page, before there is a tap.
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

    /// - Parameter trace: as it is; whoever writes it has masked it.
    func text(_ trace: Trace) -> String {
        parts[0] + Self.opening + HTMLText.escaped(json: trace.json) + Self.closing + parts[1]
    }
}

#if Tools
extension TapPage {
    /// What a command line asks for: a page is written where `--html` says, over no file that is read.
    ///
    /// - Parameter others: files that are read or written beside it, by what they are called.
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
