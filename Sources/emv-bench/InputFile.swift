// SPDX-License-Identifier: Apache-2.0
#if Tools
import Foundation

/// A file that a command reads.
enum InputFile {
    /// Returns the content; the error gives the system's reason, such as a missing file.
    static func bytes(_ path: String) throws -> [UInt8] {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw BenchFailure("\(path): expected a file, found a folder")
        }
        let descriptor = unsafe Foundation.open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw BenchFailure("\(path): \(unsafe String(cString: strerror(errno)).lowercased())")
        }
        defer { close(descriptor) }
        do {
            return Array(try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data())
        } catch {
            throw BenchFailure("\(path): could not be read")
        }
    }

    /// Returns what else the content is, with the command for it; `nil` if it may be what is expected.
    ///
    /// - Parameter expected: a format, for example `emv-trace/1`.
    static func other(than expected: String, _ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix(200), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("<") {
            let begin = text.prefix { $0 != ">" && !$0.isNewline }.prefix(40)
            return "no \(expected) (it begins \"\(begin)\"); a report or a page opens in a browser"
        }
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        guard let format = object?["format"] as? String, format != expected else { return nil }
        switch format {
        case "emv-trace/1":
            return "an \(format), not an \(expected): use replay, or examine the value of its \"configuration\""
        case "emv-configuration/1": return "an \(format), not an \(expected): use configuration check"
        case "emv-loyalty/1": return "an \(format), not an \(expected): use tap --loyalty"
        case "emv-bench/1": return "an \(format), the JSON of a run, not an \(expected): use run --compare"
        default: return nil
        }
    }
}
#endif
