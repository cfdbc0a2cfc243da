// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The content of a configuration file with all of its errors instead of only the first: for authors of such files, and
/// for a fleet that prefers to accept payments without one bad key rather than not at all.
public struct ConfigurationReading: Sendable {
    /// A CA key that was left out.
    public struct LeftOut: Sendable, Hashable, CustomStringConvertible {
        /// RID and index, `A000000003 92`; the place in the file if these cannot be read.
        public var name: String
        public var error: FormatError

        public var description: String { "\(name): \(error)" }
    }

    /// `nil` if `errors` gives the reason.
    public private(set) var configuration: Configuration?
    /// In the order of the file. Errors that only result from another error are not listed.
    public private(set) var errors: [FormatError] = []
    /// In the order of the file; empty unless bad keys may be left out.
    public private(set) var leftOut: [LeftOut] = []
}

extension Configuration {
    /// Reads a whole file and checks it as ``CheckedConfiguration`` does, continuing after each error.
    ///
    /// - Parameters:
    ///   - file: names the file in errors.
    ///   - leavingOutBadCAKeys: a wrong CA key is left out and listed, instead of rejecting the file. Cards that need
    ///     it are then treated like cards with an unknown key: the kernel sends them online or declines.
    ///   - secrets: for combinations of Kernel 8, as for ``CheckedConfiguration``.
    public static func reading(
        json bytes: Bytes, file: String = "", leavingOutBadCAKeys: Bool = false, secrets: SecretCrypto? = nil
    ) -> ConfigurationReading {
        var document: Document
        do throws(FormatError) {
            document = try Document(bytes, file: file)
        } catch {
            return ConfigurationReading(refused: error)
        }
        return ConfigurationReading(&document, leavingOutBadCAKeys, secrets)
    }
}

extension ConfigurationReading {
    fileprivate init(refused error: FormatError) {
        errors = [error]
    }

    /// Reads the document repeatedly, each time without the errors found before, until none remain.
    fileprivate init(_ document: inout Document, _ mayLeaveOut: Bool, _ secrets: SecretCrypto?) {
        while true {
            let fault: FormatError
            do throws(FormatError) {
                configuration = try Configuration(document.node(), formatRequired: true)
                guard let refused = ConfigurationReading.refusal(configuration, secrets) else { break }
                fault = document.located(refused)
            } catch {
                fault = error
            }
            guard note(fault, &document, mayLeaveOut) else { break }
        }
        errors.sort { ($0.line, $0.column) < ($1.line, $1.column) }
        leftOut.sort { ($0.error.line, $0.error.column) < ($1.error.line, $1.error.column) }
        if !errors.isEmpty { configuration = nil }
    }

    private static func refusal(_ configuration: Configuration?, _ secrets: SecretCrypto?) -> ConfigurationError? {
        guard let configuration else { return nil }
        do throws(ConfigurationError) {
            _ = try CheckedConfiguration(configuration, secrets: secrets)
            return nil
        } catch {
            return error
        }
    }

    /// Records an error and skips its value; returns `false` if nothing can be read without it.
    private mutating func note(_ fault: FormatError, _ document: inout Document, _ mayLeaveOut: Bool) -> Bool {
        let offset = document.offset(fault)
        let within = document.extent(offset)
        // A key that is missing because it was skipped does not count as a second error.
        let follows = document.passedOver.contains { within.contains($0) && $0 != offset }
        let key = mayLeaveOut ? document.row("caKeys", of: offset) : nil
        if let key {
            if !leftOut.contains(where: { document.row("caKeys", of: document.offset($0.error))?.offset == key.offset })
            {
                leftOut.append(LeftOut(name: key.name, error: fault))
            }
            document.passedOver.insert(key.offset)
            return true
        }
        guard !document.passedOver.contains(offset) else { return false }
        if !follows { errors.append(fault) }
        document.passedOver.insert(offset)
        return offset != document.root.offset
    }
}

extension Document {
    /// Byte offset of an error's line and column.
    fileprivate func offset(_ error: FormatError) -> Int {
        var line = 1
        var start = 0
        for (index, byte) in bytes.enumerated() where line < error.line && byte == 0x0A {
            line += 1
            start = index + 1
        }
        return start + error.column - 1
    }

    /// The range from the start of a value to the start of its last part.
    fileprivate func extent(_ offset: Int) -> ClosedRange<Int> {
        func last(_ json: JSON) -> Int {
            switch json.value {
            case .object(let members): members.last.map { max($0.nameOffset, last($0.value)) } ?? json.offset
            case .array(let values): values.last.map(last) ?? json.offset
            default: json.offset
            }
        }
        guard let value = value(at: offset, in: root) else { return offset...offset }
        return offset...last(value)
    }

    private func value(at offset: Int, in json: JSON) -> JSON? {
        guard json.offset != offset else { return json }
        switch json.value {
        case .object(let members): return members.lazy.compactMap { value(at: offset, in: $0.value) }.first
        case .array(let values): return values.lazy.compactMap { value(at: offset, in: $0) }.first
        default: return nil
        }
    }

    /// The row of a list that contains this offset, and the row's name.
    fileprivate func row(_ list: String, of offset: Int) -> (name: String, offset: Int)? {
        guard case .object(let members) = root.value,
            let rows = members.first(where: { $0.name == list })?.value, case .array(let values) = rows.value,
            let index = values.lastIndex(where: { $0.offset <= offset }),
            extent(values[index].offset).contains(offset)
        else { return nil }
        var name = "\(list)[\(index)]"
        if case .object(let key) = values[index].value {
            func hex(_ member: String, _ size: Int) -> String? {
                guard case .string(let text)? = key.first(where: { $0.name == member })?.value.value,
                    let bytes = Hex.bytes(text), bytes.count == size
                else { return nil }
                return Hex.string(bytes)
            }
            if let rid = hex("rid", 5), let number = hex("index", 1) { name = "\(rid) \(number)" }
        }
        return (name, values[index].offset)
    }

    /// Finds the place in the file of an error of the check, which counts rows without the skipped ones.
    fileprivate func located(_ error: ConfigurationError) -> FormatError {
        let list =
            switch error.section {
            case .combination: "combinations"
            case .caKey: "caKeys"
            case .revocation: "revoked"
            case .exception: "exceptions"
            case .terminal: "terminal"
            case .protection: "protection"
            case .kernel, .transaction, .other: ""
            }
        guard case .object(let members) = root.value, let member = members.first(where: { $0.name == list }) else {
            return refused(error, list.isEmpty ? error.place : list, root)
        }
        var (path, json) = (list, member.value)
        if case .array(let values) = json.value {
            let present = values.enumerated().filter { !passedOver.contains($1.offset) }
            guard present.indices.contains(error.row) else { return refused(error, path, json) }
            let (index, row) = present[error.row]
            (path, json) = ("\(list)[\(index)]", row)
        }
        return refused(error, path, json)
    }

    /// Descends from a row to the named member, as far as the file has it and it is not skipped; the path names the
    /// member in any case.
    private func refused(_ error: ConfigurationError, _ path: String, _ row: JSON) -> FormatError {
        var (path, json) = (path, Optional(row))
        var offset = row.offset
        for step in error.member {
            var found: JSON.Member?
            if case .object(let members)? = json?.value {
                found = members.first {
                    let isMeant =
                        $0.name.uppercased() == step.uppercased() || ($0.name == "kernelId" && step == "kernel")
                    return isMeant && !passedOver.contains($0.nameOffset) && !passedOver.contains($0.value.offset)
                }
            }
            json = found?.value
            offset = json?.offset ?? offset
            path += ".\(Shown.step(found?.name ?? step))"
        }
        return self.error(path, offset, expected: error.expected, found: error.found)
    }
}
