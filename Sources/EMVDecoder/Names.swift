// SPDX-License-Identifier: Apache-2.0
internal import CEMV
import EMVKernel

/// The core's names for people; no kernel links them. This is the only file of this target that uses C.
enum Names {
    private static func text(_ name: UnsafePointer<CChar>?) -> String {
        guard let name = unsafe name else { return "" }
        return unsafe String(cString: name)
    }

    /// The tag's name for the kernel of this number.
    static func tag(_ tag: Tag, kernel: UInt8) -> String { unsafe text(cemv_name_of_tag(tag.rawValue, kernel)) }

    /// The tag's meanings for the kernels that know it, each listed once; empty if no kernel does.
    static func tags(_ tag: Tag) -> [String] {
        var names = unsafe [UnsafePointer<CChar>?](repeating: nil, count: 8)
        let count = unsafe cemv_names_of_tag(tag.rawValue, &names, names.count)
        return (0..<count).map { unsafe text(names[$0]) }
    }

    /// The tag's name in the kernel's own list only; `nil`: the list lacks the tag.
    static func ownTag(_ tag: Tag, kernel: UInt8) -> String? {
        guard let names = unsafe cemv_names_of_kernel(kernel) else { return nil }
        for place in 0..<Int(unsafe names.pointee.tag_count) {
            let entry = unsafe names.pointee.tags[place]
            if unsafe entry.tag == tag.rawValue { return unsafe text(entry.text) }
        }
        return nil
    }

    /// The name of a message that a reader shows (Book A, Table 9-5).
    static func message(_ message: UInt8) -> String { unsafe text(cemv_name_of_message(message)) }

    static func format(_ format: IssuerApplicationData.Format) -> String {
        unsafe text(cemv_name_of_iad_format(format.rawValue))
    }
    static func problem(_ problem: IssuerApplicationData.Problem) -> String {
        unsafe text(cemv_name_of_iad_reason(problem.rawValue))
    }
    static func sessionKey(_ key: IssuerApplicationData.SessionKey) -> String {
        unsafe text(cemv_name_of_session_key(key.rawValue))
    }
    static func track(_ problem: TrackProblem) -> String { unsafe text(cemv_name_of_track_error(problem.rawValue)) }
    static func meaning(_ meaning: BitMeaning) -> String { unsafe text(cemv_name_of_meaning(meaning.rawValue)) }

    /// `nil`: no built-in kernel.
    static func kernel(_ kernel: KernelID) -> String? {
        guard let names = unsafe names(of: kernel) else { return nil }
        return unsafe text(names.pointee.kernel)
    }
    static func state(_ state: KernelState) -> String? {
        let number = UInt8(clamping: state.number)
        guard let kernel = state.kernel else { return unsafe text(cemv_name_of_state(nil, number)) }
        guard let names = unsafe names(of: kernel) else { return nil }
        return unsafe text(cemv_name_of_state(names, number))
    }
    private static func names(of kernel: KernelID) -> UnsafePointer<cemv_kernel_names>? {
        guard kernel.size == 1, let number = kernel.bytes.first else { return nil }
        return unsafe cemv_names_of_kernel(number)
    }

    /// The name of a field's code; "" for bits and numbers. JCB codes its form factors differently from Visa.
    static func value(_ field: BitField, isJCB: Bool) -> String {
        let layout = UInt8((isJCB ? CEMV_LAYOUT_DEVICE_JCB : CEMV_LAYOUT_NONE).rawValue)
        return unsafe text(cemv_name_of_value(layout, field.meaning.rawValue, field.value))
    }
}

/// The core's public operations on public data, for the chain of certificates.
enum Core {
    /// RSA; `nil`: the signature is not below the modulus, or the modulus is not a valid key.
    static func recover(_ signature: Bytes, _ modulus: Bytes, _ exponent: UInt32) -> Bytes? {
        guard signature.count == modulus.count, modulus.count <= Int(CEMV_RSA_MAX_SIZE),
            signature.lexicographicallyPrecedes(modulus)
        else { return nil }
        var block = Bytes(repeating: 0, count: modulus.count)
        let isDone = unsafe signature.withUnsafeBufferPointer { input in
            unsafe modulus.withUnsafeBufferPointer { key in
                unsafe cemv_rsa_public(
                    &block, cemv_bytes(data: input.baseAddress, size: input.count),
                    cemv_bytes(data: key.baseAddress, size: key.count), exponent)
            }
        }
        return isDone ? block : nil
    }

    static func sha1(_ bytes: Bytes) -> Bytes {
        var hash = cemv_sha1()
        var digest = Bytes(repeating: 0, count: Int(CEMV_SHA1_SIZE))
        unsafe cemv_sha1_init(&hash)
        unsafe bytes.withUnsafeBufferPointer {
            unsafe cemv_sha1_update(&hash, cemv_bytes(data: $0.baseAddress, size: $0.count))
        }
        unsafe cemv_sha1_final(&hash, &digest)
        return digest
    }
}
