// SPDX-License-Identifier: Apache-2.0
/// A value and what differs, as one expression.
public func with<Value>(_ value: Value, _ change: (inout Value) throws -> Void) rethrows -> Value {
    var value = value
    try change(&value)
    return value
}
