// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Names for people of what a session waits for.
public enum EngineNames {
    /// `Kernel 3`, `Entry Point` (`nil`); of a third-party kernel its identifier.
    public static func kernel(_ kernel: KernelID?) -> String {
        guard let kernel else { return "Entry Point" }
        return Names.kernel(kernel) ?? "kernel \(kernel)"
    }

    /// Whether names of objects and states of this kernel are known.
    package static func isBuiltIn(_ kernel: KernelID) -> Bool { Names.kernel(kernel) != nil }

    /// What the state awaits: `GET PROCESSING OPTIONS`; of a third-party kernel its number.
    public static func state(_ state: KernelState) -> String {
        Names.state(state) ?? "state \(state.number)"
    }
}
