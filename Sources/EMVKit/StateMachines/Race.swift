// SPDX-License-Identifier: Apache-2.0
/// The first of several events.
package enum Race<Value: Sendable>: Sendable {
    case value(Value)
    case deadlinePassed
    /// The waiting task was cancelled.
    case cancelled
}
