// SPDX-License-Identifier: Apache-2.0
/// The name of a text in the catalogue, for example `message.15` or `enrollment.adminRequired`.
public struct TextKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The text of a message of the user interface.
    public static func message(_ message: Message) -> TextKey { TextKey("message.\(message)") }
}

extension TextKey: CustomStringConvertible {
    public var description: String { rawValue }
}

extension TextKey: Codable {}
