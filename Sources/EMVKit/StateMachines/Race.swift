// SPDX-License-Identifier: Apache-2.0
/// What came first.
package enum Race<Value: Sendable>: Sendable {
    case value(Value)
    case deadlinePassed
    /// The task that waits was cancelled.
    case cancelled
}
