// SPDX-License-Identifier: Apache-2.0
import EMVKit

#if !FUZZING
@testable import EMVLoyalty
#endif

func hex(_ text: String) -> Bytes { Hex.bytes(text.filter { !$0.isWhitespace })! }

/// Published demonstration values of Apple's VAS: RfidResearchGroup/proxmark3 (`client/resources/vas.passkit.der`,
/// `cmdhfvas.c`), kormax/apple-vas. Both cryptograms open with the key.
enum VASVectors {
    static let privateKey = hex("3d1547f23cd78ad052a58860f1219e8fb791ec4dfe33769f5b9bfa627a656ca1")
    static let passType = "pass.com.passkit.pksamples.nfcdemo"
    static let passTypeHash = hex("03b57cdb3eca0984ba9abdc2fb45d86626d87b39d33c5c6dbbc313a6347a3146")
    static let keyIdentifier = hex("c0b77375")
    static let selected = hex("6f1d50084170706c655061799f210201009f2404e9caede39f23040000003e 9000")
    static let cryptogram = hex(
        """
        c0b77375d3f37956d84a538f28ac2a04b38ddc1a67d3647a4dd30abd736ea1cea8038388
        692e89db99e4746d872de782395640c536e79a75c47a9343da0af3937f06eeca7a865c4ad05a2c543ad2
        """)
    /// The cryptogram with its key identifier blanked.
    static let blanked = hex(
        """
        beef7375 094afa4824addb8abf0a59f4c5b88f7b33cd803666cdf358dc8aa2ecea863673 \
        b7e92b8f39bc744233dda87e53f2ae346eb43415e7b20a50aa41e02de9f3d533f506e29b4ed31eaa9cfa
        """)
    static let secret = hex("63813b5efcc1d744b0888ca05d52dad97b73731f4c3b3283655b6a3219263911")
    static let key = hex("c5a7023fe339ea5a39f0b3fba2defdacd37b639e96028daf6dbd362c32b291bf")
    static let message = "6d1UlFpnOc50iVKRaboDOK"
    /// 2a5b196e since 2001: 2023-07-09 16:35:58 UTC.
    static let made: Int64 = 0x2A5B_196E + 978_307_200
    static let blankedMade: Int64 = 0x2A4E_D852 + 978_307_200

    static func answer(_ cryptogram: Bytes) -> Bytes {
        let data = hex("9f2a00") + VASCommand.object([0x9F, 0x27], cryptogram)
        return VASCommand.object([0x70], data) + [0x90, 0x00]
    }
}

/// Values of Smart Tap with the sample collector and its key (google-pay/smart-tap-sample-app); nonces and the keys of
/// the tap are made up.
enum SmartTapVectors {
    static let collector: UInt32 = 20_180_608
    static let longTermKey = hex("826d17e50767b165b0e4d9e332f8d1d1e20224284fb4daf1e50a03246e70797d")
    static let terminalKey = hex("4e686af7bdcc5ae005a247624fd8c7283257c2514f6b3ad2ff5d4cb6d95196e6")
    static let terminalPublicKey = hex("03a1df5b260b8fdab015c095c5fff5faf088a3fdfc3fdd31a298631318cf470659")
    static let devicePublicKey = hex("02354b6bc8e320aa07dd044f760239f65f7fb55d17ba84e6a9bce283a6ca3bf3c3")
    static let nonce = Bytes(0x00...0x1F)
    static let deviceNonce = Bytes(0x80...0x9F)
    static let signature = hex(
        """
        30460221009be95adc4605e96d5f72029439c71054b92e0180aefe16fc83910bacb4de7411022100a3e205e3b003a5a5700d80fe4f85d0
        1019dcbb1f766fef1d27f07d260d50b77c
        """)
    static let secret = hex("3cae4eab4a40f718774eadf81985f959c9139e9eb12af8d97607e98e4dfa08b9")
    static let keys = hex(
        """
        26947c6653cb0d24a1103c364ba15314
        c378b4b9f3bc2ddcee43fb8a649acd9d4fef3d68822aa81e0716bf088d7d9eb2
        """)
    static let bundle = hex(
        """
        404142434445464748494a4b 5f51215d316b1272a851f9e0f627770b256efceae1822a253f92e7d7
        f36c3928c2487ede9a8fe3351f109d9802e5bf63cb80fe9d5768c1472f904806
        """)
    static let plain = hex("d40316617376 d402116c79 d9010b01546e 00") + Bytes("1234567890".utf8)

    static let terminal = SmartTapTerminal(session: Bytes(1...8), nonce: nonce, key: terminalPublicKey)

    /// With directory entry, both nonces and capabilities, as phones send it; the nonce differs from the second
    /// SELECT's.
    static let selected = hex(
        """
        6f8184500a416e64726f6964506179c0020001c108cc00000000008080c22056d2ec8f857f0049aa54f1ca1de2791b5693a7014e6e
        4565d5644b1c2a305136c32103dfee38dbdb68a607383ad622640b180cc7e27d796b4e788c40e5d994291c71fca523bf0c20611e4f
        09a000000476d0000111870101730edf6d020000df4d020001df620103 9000
        """)
    static let selectedAgain =
        hex("00000001")
        + NDEFRecord.message([
            NDEFRecord(
                format: NDEFRecord.external, type: Bytes("mdn".utf8), identifier: Bytes("mdn".utf8),
                payload: [0x04] + deviceNonce)
        ]) + [0x90, 0x00]

    static func session(_ sequence: UInt8, status: UInt8 = 1) -> NDEFRecord {
        NDEFRecord("ses", terminal.session + [sequence, status])
    }

    static func negotiated(_ sequence: UInt8 = 2, status: Bytes = [0x90, 0x00]) -> Bytes {
        NDEFRecord.message([
            NDEFRecord("nrs", [session(sequence), NDEFRecord("dpk", devicePublicKey)])
        ]) + status
    }

    static func data(_ bundle: Bytes = [0x01] + SmartTapVectors.bundle, sequence: UInt8 = 4) -> Bytes {
        NDEFRecord.message([NDEFRecord("srs", [session(sequence), NDEFRecord("reb", bundle)])])
    }
}
