// SPDX-License-Identifier: Apache-2.0
// Reading from files rather than from memory: together with LocalizedErrors.swift the only part of the formats that
// needs Foundation.
import EMVKernel
import Foundation

extension Configuration {
    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
    }
}

extension Transaction {
    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
    }
}

extension Trace {
    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
    }
}

/// The bytes of a file, or an error that names it.
package func readFile(_ path: String) throws(FormatError) -> Bytes {
    do {
        return Bytes(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
        throw FormatError(file: path, expected: "a readable file", found: "none")
    }
}
