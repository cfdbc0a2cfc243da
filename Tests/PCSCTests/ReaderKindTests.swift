// SPDX-License-Identifier: Apache-2.0
import EMVPCSC
import Foundation
import Testing

/// The kind of a reader by its name, checked against names that a person has sorted.
@Suite struct ReaderKindTests {
    /// Tests/Vectors/reader-names.txt: kind and name.
    static let sorted: [(kind: ReaderKind, name: String)] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/reader-names.txt")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            return ReaderKind(rawValue: parts[0]).map { ($0, parts[1]) }
        }
    }()

    @Test func everyNameHasTheKindThatAPersonGaveIt() {
        #expect(ReaderKindTests.sorted.count > 650)
        for (kind, name) in ReaderKindTests.sorted {
            // As in the driver's list, as pcscd lists it, and with the slot name that most readers have.
            for listed in [name, name + " 00 00", name + " [CCID Interface] (0123456789) 00 00"] {
                #expect(ReaderKind(readerName: listed) == kind, "\(listed)")
            }
        }
    }

    /// The drivers' lists on this machine: every name is in the sorted list, or at least no contactless reader is taken
    /// for a contact reader.
    @Test func theDriversOfThisMachineAreCovered() throws {
        var names: Set<String> = []
        for bundle in ["ifd-ccid.bundle", "ifd-acsccid.bundle"] {
            let path = "/usr/lib/pcsc/drivers/\(bundle)/Contents/Info.plist"
            guard let data = FileManager.default.contents(atPath: path) else {
                print("skipped: \(bundle) is not installed")
                continue
            }
            let list = unsafe try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            names.formUnion(
                try #require(list?["ifdFriendlyName"] as? [String]).map {
                    $0.trimmingCharacters(in: .whitespaces)
                })
        }
        let known = Set(ReaderKindTests.sorted.map(\.name))
        let others = names.subtracting(known).sorted()
        print("\(names.count) names of readers, \(others.count) not in Tests/Vectors/reader-names.txt")
        for name in others where name.uppercased().contains("CONTACTLESS") || name.uppercased().contains("PICC") {
            #expect([.contactless, .dual].contains(ReaderKind(readerName: name)), "\(name)")
        }
    }

    /// One product, several slots.
    @Test(
        arguments: [
            ("ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] 00 00", .contactless),
            ("ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 01 00", .sam),
            ("ACS ACR1281 1S Dual Reader ICC 0", .contact), ("ACS ACR1281 1S Dual Reader PICC 0", .contactless),
            ("ACS ACR1281 1S Dual Reader SAM 0", .sam), ("ACS ACR1251 1S CL Reader(2)", .contactless),
            (
                "HID Global OMNIKEY 5422 Smartcard Reader [OMNIKEY 5422CL Smartcard Reader] (KJ00GD) 01 00",
                .contactless
            ),
            ("HID Global OMNIKEY 5422 Smartcard Reader [OMNIKEY 5422 Smartcard Reader] (KJ00GD) 00 00", .dual),
            ("Identiv uTrust 4701 F Dual Interface Reader [uTrust 4701 F Contact Reader] (5369) 00 00", .contact),
            ("Identiv uTrust 4701 F Dual Interface Reader [uTrust 4701 F CL Reader] (5369) 01 00", .contactless),
            ("Identiv uTrust 4710 F Contactless + SAM Reader 00 00", .contactless),
            ("SpringCard CSB6 Ultimate [Contact] (A1) 00 01", .contact),
            ("Yubico YubiKey OTP+FIDO+CCID 00 00", .securityKey),
            ("Kensington VeriMark NFC+ USB-C Security Key 00 00", .securityKey), ("Virtual PCD 00 00", .unknown),
            ("", .unknown),
        ] as [(String, ReaderKind)])
    func theSlotDecidesWhereItIsNamed(name: String, kind: ReaderKind) {
        #expect(ReaderKind(readerName: name) == kind)
    }
}
