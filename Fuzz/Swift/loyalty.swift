// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the answers of wallets: `passes`, the decoders, and with DIALOGUES `wallet`, whole dialogues.
// Their properties are in Tests/LoyaltyTests/WalletProperties.swift. Compiled with CANARY it must crash on a pass that
// came in parts, which needs five right answers in a row; coverage finds them one after another, chance does not.
import EMVKit

@_cdecl("LLVMFuzzerTestOneInput") public func test(_ start: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let input = Bytes(UnsafeBufferPointer(start: start, count: size))
    #if CANARY
    let (_, findings, commands) = WalletProperties.play(input)
    let isBundle = findings.contains { if case .bundle = $0 { true } else { false } }
    if isBundle, commands >= 5 { fatalError("the canary") }
    #elseif DIALOGUES
    if let violated = WalletProperties.violated(byDialogue: input) { fatalError("violated property: \(violated)") }
    #else
    if let violated = WalletProperties.violated(byAnswer: input) { fatalError("violated property: \(violated)") }
    #endif
    return 0
}
