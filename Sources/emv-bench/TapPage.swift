// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation

/// The page of Web/ with a tap inside, which opens on it: what one sends to a colleague.
struct TapPage {
    /// Where Scripts/web leaves the page.
    static let usualPath = "Web/emv.html"
    /// Where the page takes its tap from; empty as it is built.
    private static let (opening, closing) = (#"<script type="application/json" id="tap">"#, "</script>")

    private let parts: [String]

    /// Reads the page, before there is a tap.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw BenchFailure(
                "\(path): no page there; Scripts/web builds Web/emv.html, --page names one that lies elsewhere"
            )
        }
        parts = String(decoding: data, as: UTF8.self).components(separatedBy: Self.opening + Self.closing)
        guard parts.count == 2 else {
            throw BenchFailure("\(path): expected the page that Scripts/web builds, without a tap in it")
        }
    }

    /// - Parameter trace: as it is; whoever writes it has masked it.
    func text(_ trace: Trace) -> String {
        // In JSON only a string can hold this character, so no text of a trace closes the element.
        let json = trace.json.replacingOccurrences(of: "<", with: #"\u003c"#)
        return parts[0] + Self.opening + json + Self.closing + parts[1]
    }
}
