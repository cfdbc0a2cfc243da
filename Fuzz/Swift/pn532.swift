// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for the codec of EMVPN532; its properties are in Tests/PN532Tests/CodecProperties.swift. Compiled
// with CANARY it must crash on two frames in a row, which coverage finds and chance does not.
import EMVKit

@_cdecl("LLVMFuzzerTestOneInput") public func test(_ start: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let input = Bytes(UnsafeBufferPointer(start: start, count: size))
    #if CANARY
    var parser = PN532FrameParser()
    parser.append(input)
    var last = PN532Frame.damaged
    while let frame = parser.next() {
        if last == .nack, frame == .ack { fatalError("the canary") }
        last = frame
    }
    #else
    if let violated = CodecProperties.violated(by: input) { fatalError("violated property: \(violated)") }
    #endif
    return 0
}
