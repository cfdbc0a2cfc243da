// SPDX-License-Identifier: Apache-2.0
/// A tutorial for merchants: which cards and devices can pay, and how to accept each of them. The texts come from the
/// catalogue, so an app can show, translate or replace every step.
///
/// ```swift
/// for topic in MerchantEducation.topics(antenna: .display) {
///     print(texts.text(topic.title)!)
///     for step in topic.steps { print("-", texts.text(step.text)!, step.place.flatMap { texts.text($0) } ?? "") }
/// }
/// ```
public enum MerchantEducation {
    /// The position of a reader's antenna.
    public enum Antenna: String, Sendable, Hashable, Codable, CaseIterable {
        /// Under the contactless symbol: the safe choice if the position is not known.
        case symbol
        case display, top, surface
        /// On the upper side, away from the card slot of a combined reader.
        case slot

        public var textKey: TextKey { TextKey("antenna.\(rawValue)") }
    }

    public struct Topic: Sendable, Hashable, Codable, Identifiable {
        public enum Identifier: String, Sendable, Hashable, Codable, CaseIterable {
            case start, card, device, pin, accessibility, result
            case trial = "try"
        }

        public let id: Identifier
        public let title: TextKey
        public let steps: [Step]
    }

    public struct Step: Sendable, Hashable, Codable {
        public let text: TextKey
        /// The position that the text describes, on this model of reader.
        public let place: TextKey?
    }

    /// The topics in the order of a tutorial.
    ///
    /// - Parameters:
    ///   - antenna: the position of the antenna in the reader that is used.
    ///   - hasPINPad: adds PIN entry as a topic.
    ///   - supportsAccessibility: adds PIN entry for people who do not see the keys.
    public static func topics(
        antenna: Antenna = .symbol, hasPINPad: Bool = true, supportsAccessibility: Bool = true
    ) -> [Topic] {
        Topic.Identifier.allCases.compactMap { identifier in
            switch identifier {
            case .pin where !hasPINPad: nil
            case .accessibility where !hasPINPad || !supportsAccessibility: nil
            case .card: topic(identifier, steps: 3, antenna: antenna, placedStep: 1)
            case .device: topic(identifier, steps: 3, antenna: antenna, placedStep: 2)
            case .trial: topic(identifier, steps: 2, antenna: antenna)
            case .start, .pin, .accessibility, .result: topic(identifier, steps: 3, antenna: antenna)
            }
        }
    }

    private static func topic(
        _ identifier: Topic.Identifier, steps: Int, antenna: Antenna, placedStep: Int? = nil
    ) -> Topic {
        let name = "education.\(identifier.rawValue)"
        return Topic(
            id: identifier, title: TextKey("\(name).title"),
            steps: (1...steps).map {
                Step(text: TextKey("\(name).\($0)"), place: $0 == placedStep ? antenna.textKey : nil)
            })
    }
}
