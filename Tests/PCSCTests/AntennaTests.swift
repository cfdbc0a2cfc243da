// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import Testing

/// Row A10.
@Suite struct AntennaTests {
    @Test(arguments: [
        ("ACS ACR122U PICC Interface 00 00", MerchantEducation.Antenna.surface),
        ("ACS ACR1252 Dual Reader [PICC] 00 00", .surface),
        ("ACS ACR1281 1S Dual Reader PICC 00 00", .slot),
        ("HID Global OMNIKEY 5422CL Smartcard Reader [OMNIKEY 5422CL] 00 00", .slot),
        ("Virtual PCD 00 00", .symbol), ("", .symbol),
    ])
    func aTutorialKnowsWhereTheReaderIsToBeTouched(_ name: String, _ antenna: MerchantEducation.Antenna) {
        #expect(MerchantEducation.Antenna(readerName: name) == antenna)
        #expect(TextCatalogue().text(antenna.textKey) != nil)
    }
}
