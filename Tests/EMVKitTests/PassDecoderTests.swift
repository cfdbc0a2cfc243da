// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVKit
import Testing

@Suite struct PassDecoderTests {
    private func lines(_ hex: String, showsPass: Bool = false) -> [String] {
        DataObjectDecoder(showsPAN: showsPass).decode(Hex.bytes(hex)!).lines
    }

    /// The published response of a phone, and the published command.
    @Test func namesWhatAVASWalletAndItsReaderSay() {
        #expect(
            lines("6F1D50084170706C655061799F210201009F2404E9CAEDE39F23040000003E9000") == [
                "6F File Control Information (FCI) Template [29]",
                "  50 Application Label [8]: 4170706C65506179 \"ApplePay\"",
                "  9F21 VAS Protocol Version of the Wallet [2]: 0100", "  9F24 Mobile Nonce [4]: E9CAEDE3",
                "  9F23 Mobile Capabilities [4]: 0000003E", "      encrypted VAS data", "      VAS may be skipped",
                "      VAS may be performed", "      payment may be skipped", "      payment may be performed",
                "status word 9000",
            ])
        let command = lines(
            "80CA01014B9F220201009F252003B57CDB3ECA0984BA9ABDC2FB45D86626D87B39D33C5C6DBBC313A6347A31469F26040080000"
                + "29F2B0501000000009F291168747470733A2F2F6170706C652E636F6D00")
        #expect(command.contains("9F26 Terminal Capabilities [4]: 00800002"))
        #expect(command.contains("    pass alone"))
        #expect(command.last == "9F29 Sign-up URL [17]: 68747470733A2F2F6170706C652E636F6D \"https://apple.com\"")
    }

    @Test func paymentCardKeepsItsNames() {
        let text = lines("770E9F2701809F360200019F2403414141").joined(separator: "\n")
        #expect(text.contains("Cryptogram Information Data") && !text.contains("VAS") && !text.contains("Mobile"))
    }

    @Test func masksWhatAPassSaysAndShowsItWhenAsked() {
        let bundle = "D40316617376D402116C79D9010B01546E0031323334353637383930"
        #expect(
            lines(bundle) == [
                "asv Service [22]", "  ly Loyalty Pass [17]", "    n Number [11]: (masked)",
            ])
        #expect(lines(bundle, showsPass: true).last == "    n Number [11]: 0031323334353637383930")
    }

    /// A plaintext bundle and a phone's token are masked. Encrypted data stay.
    @Test func masksABundleInTheClearAndTheToken() {
        func answer(_ flags: String) -> String {
            "D4031C737273" + "94030A736573" + "01020304050607080101" + "540306726562" + flags + "3132333435"
        }
        #expect(lines(answer("00")).suffix(2) == ["  reb Record Bundle [6]: (masked)", "      in the clear"])
        #expect(lines(answer("02"))[4] == "  reb Record Bundle [6]: (masked)")
        #expect(lines(answer("01"))[4] == "  reb Record Bundle [6]: 013132333435")
        #expect(lines(answer("00"), showsPass: true)[4] == "  reb Record Bundle [6]: 003132333435")
        let token = "70" + "0D" + "9F270401020304" + "9F2A03C7C8C9"
        #expect(lines(token).last == "  9F2A Mobile Token [3]: (masked)")
        #expect(lines(token, showsPass: true).last == "  9F2A Mobile Token [3]: C7C8C9")
    }

    @Test func readsRecordsInCommandsAnswersAndBehindVersions() {
        let session = "D4030A73657301020304050607080101"
        let answer = "D40310737273" + session
        let expected = [
            "srs Service Response [16]", "  ses Session [10]: 01020304050607080101",
            "      session 0102030405060708", "      sequence 1, status OK",
        ]
        #expect(lines(answer) == expected && lines(answer + "9000") == expected)
        let request = "D403126E67720001" + session
        #expect(lines("9053000018" + request + "00").first == "ngr Negotiate Request [18]: 0001")
        #expect(
            lines("00000001DC0321036D646E6D646E04" + String(repeating: "5A", count: 32) + "9000").first?
                .hasPrefix("mdn Device Nonce [33]") == true)
    }

    @Test func everyTruncationIsNoMessageOrAShorterOne() {
        let bundle = Hex.bytes("D40316617376D402116C79D9010B01546E0031323334353637383930")!
        for count in bundle.indices {
            let decoded = DataObjectDecoder().decode(Bytes(bundle.prefix(count)))
            #expect(decoded.records.isEmpty, "\(count) bytes")
        }
    }
}
