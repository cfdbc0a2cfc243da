// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Kernel9

/// Kernel 9 for EMVKit: its module, and its option as the bytes of `struct kernel_9_options`.
enum Nine {
    static let number: KernelID = 9
    static let aid: Bytes = [0xF0, 0x00, 0x00, 0x00, 0x09]
    static let shop: Tag = 0xDF01

    static var kernel: Kernel {
        withUnsafePointer(to: kernel_9) { Kernel(id: number, module: UnsafeRawPointer($0)) }
    }

    static func options(offlineLimit: UInt32) -> CombinationKernel {
        withUnsafeBytes(of: kernel_9_options(offline_limit: offlineLimit)) { .other(number, options: Array($0)) }
    }

    static func configuration(offlineLimit: UInt32 = 5000) -> Configuration {
        Configuration(
            terminal: [0x9F1A: [0x02, 0x76]],
            combinations: [
                Combination(
                    aid: aid, kernel: options(offlineLimit: offlineLimit), name: "Nine",
                    transactionTypes: [.purchase], data: [shop: [0, 0, 0, 42]])
            ], caKeys: [])
    }

    /// A card with this application that answers each question with `verdict`.
    static func card(verdict: UInt8) -> ScriptedCard {
        let directory = CardReply.response(
            Hex.bytes("6F1E840E325041592E5359532E4444463031A50CBF0C0961074F05F000000009")! + [0x90, 0x00],
            milliseconds: 5)
        let application = CardReply.response(Hex.bytes("6F098405F000000009A500")! + [0x90, 0x00], milliseconds: 5)
        let answer = CardReply.response([0x77, 0x04, 0xDF, 0x02, 0x01, verdict, 0x90, 0x00], milliseconds: 5)
        return ScriptedCard(
            [
                .exchange(command: Hex.bytes("00A404000E325041592E5359532E444446303100")!, reply: directory),
                .exchange(command: Hex.bytes("00A4040005F00000000900")!, reply: application),
                .exchange(command: Hex.bytes("80C000000A00")!, reply: answer),
            ], match: .header)
    }
}
