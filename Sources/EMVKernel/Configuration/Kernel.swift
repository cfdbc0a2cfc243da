// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// A kernel that a program supplies. List kernels where a configuration is checked:
///
///     TapReader(transport, configuration: configuration, kernels: [.visa, .mastercard])
///
/// A firmware in C links only the kernels that it lists. Swift's linker on Linux also keeps the built-in kernels that a
/// program does not list; they are never called.
@safe
public struct Kernel: Sendable {
    public let id: KernelID
    nonisolated(unsafe) let module: cemv_kernel_module

    init(id: KernelID, module: cemv_kernel_module) {
        self.id = id
        unsafe self.module = module
    }

    /// A third-party kernel: `module` points to its `struct cemv_kernel_module` (`cemv_kernel.h`), which is copied.
    /// Everything it points to (functions, tags, edges) must live as long as the program does.
    @unsafe
    public init(id: KernelID, module: UnsafeRawPointer) {
        unsafe self.init(id: id, module: module.load(as: cemv_kernel_module.self))
    }

    /// Kernel 2.
    public static var mastercard: Kernel { unsafe Kernel(id: 2, module: cemv_kernel_2) }
    /// Kernel 3.
    public static var visa: Kernel { unsafe Kernel(id: 3, module: cemv_kernel_3) }
    /// Kernel 4.
    public static var americanExpress: Kernel { unsafe Kernel(id: 4, module: cemv_kernel_4) }
    /// Kernel 5.
    public static var jcb: Kernel { unsafe Kernel(id: 5, module: cemv_kernel_5) }
    /// Kernel 6.
    public static var discover: Kernel { unsafe Kernel(id: 6, module: cemv_kernel_6) }
    /// Kernel 7.
    public static var unionPay: Kernel { unsafe Kernel(id: 7, module: cemv_kernel_7) }
    /// Kernel 8, for cards of every scheme. It needs a ``SecretCrypto``, and its session needs 10,240 bytes instead of
    /// 8,192.
    public static var kernel8: Kernel { unsafe Kernel(id: 8, module: cemv_kernel_8) }
}

extension [Kernel] {
    /// Every built-in kernel for a single scheme: all except Kernel 8.
    public static var all: [Kernel] { [.mastercard, .visa, .americanExpress, .jcb, .discover, .unionPay] }

    /// Every built-in kernel; Kernel 8 only if a combination names it.
    package static func all(for configuration: Configuration) -> [Kernel] {
        configuration.combinations.contains { $0.kernel.id == 8 } ? all + [.kernel8] : all
    }
}

extension Kernel {
    var memorySize: Int { unsafe Int(module.memory_size) }
    var tagCount: Int { unsafe Int(module.tags.count) }
}
