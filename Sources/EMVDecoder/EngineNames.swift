// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Names of a session's states, for people.
public enum EngineNames {
    /// `Kernel 3`, `Entry Point` (`nil`), or the identifier of a third-party kernel.
    public static func kernel(_ kernel: KernelID?) -> String {
        guard let kernel else { return "Entry Point" }
        return Names.kernel(kernel) ?? "kernel \(kernel)"
    }

    /// Returns true if the names of this kernel's objects and states are known.
    package static func isBuiltIn(_ kernel: KernelID) -> Bool { Names.kernel(kernel) != nil }

    /// The response that the state waits for: `GET PROCESSING OPTIONS`; for a third-party kernel the state's number.
    public static func state(_ state: KernelState) -> String {
        Names.state(state) ?? "state \(state.number)"
    }
}
