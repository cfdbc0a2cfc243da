// SPDX-License-Identifier: Apache-2.0
// The engine's only export from the module: one function, called by the runtime in C (Web/Runtime/exports.c).
// Scripts/web compiles it with the engine, as one module of Swift.

/// Answers a request.
///
/// - Parameters:
///   - request: the bytes of the request.
///   - answer: is set to the answer, which the caller owns.
/// - Returns: the size of the answer in bytes.
@_cdecl("emv_page_answer")
public func answer(
    _ request: UnsafePointer<UInt8>, _ size: Int, _ answer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
) -> Int {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: request, count: size))
    let text = Array(PageEngine.answer(bytes).utf8)
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, text.count))
    unsafe buffer.initialize(from: text, count: text.count)
    unsafe answer.pointee = buffer
    return text.count
}
