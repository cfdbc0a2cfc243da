// SPDX-License-Identifier: Apache-2.0
/// Data objects that a card sets or leaves out, by the place where it returns them. They are applied before
/// certificates and signatures are made, so that a changed object in a signed record is still authentic. To change
/// an answer afterwards, use a `CardEdit`.
public struct CardObjects: Sendable, Hashable {
    /// In the application's entry of the directory (61).
    public var directory: [Change] = []
    /// In the answer to SELECT: 84 in the outer template; 50, 87, 5F2D, 9F11, 9F12 and BF0C in A5; all others in BF0C.
    public var fci: [Change] = []
    /// In the answer to GET PROCESSING OPTIONS. An answer of format 1 has only the interchange profile (82).
    public var options: [Change] = []
    /// In records. A record that the card does not return is not created.
    public var records: [Record: [Change]] = [:]

    public init() {}

    public struct Change: Sendable, Hashable {
        public var tag: UInt32
        /// The value of every object with this tag in its place, or of a new object at the end; nil leaves them out.
        public var value: [UInt8]?

        public init(_ tag: UInt32, _ value: [UInt8]?) {
            self.tag = tag
            self.value = value
        }
    }

    /// The number of a record.
    public struct Record: Sendable, Hashable {
        /// Short File Identifier, 1 to 30.
        public var file: UInt8
        /// From 1.
        public var record: UInt8

        public init(file: UInt8, record: UInt8) {
            self.file = file
            self.record = record
        }
    }
}

extension CardObjects.Change {
    /// The templates of the answer to SELECT (EMV Book 1, Table 45).
    enum Place { case outer, proprietary, issuer }

    var place: Place {
        switch tag {
        case 0x84, 0xA5: .outer
        case 0x50, 0x87, 0x5F2D, 0x9F11, 0x9F12, 0x9F38, 0xBF0C: .proprietary
        default: .issuer
        }
    }
}

extension [DataObject] {
    func changed(_ changes: [CardObjects.Change]) -> [DataObject] {
        var objects = self
        for change in changes {
            guard let value = change.value else {
                objects.removeAll { $0.tag == change.tag }
                continue
            }
            let places = objects.indices.filter { objects[$0].tag == change.tag }
            for place in places { objects[place].value = value }
            if places.isEmpty { objects.append(DataObject(change.tag, value)) }
        }
        return objects
    }
}
