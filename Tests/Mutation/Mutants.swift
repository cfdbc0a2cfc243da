// SPDX-License-Identifier: Apache-2.0
// Stands in the mutated copy of EMVKit alone (Scripts/mutate-swift): what swift_mutants.py writes around an expression.
// Each function gives the value as it is, unless its mutant is the one that is on.
internal import MutantSwitch

@inline(never)
public func _mutant(_ number: Int) -> Bool { mutant_is_on(Int64(number)) }

public func _mutantNot(_ number: Int, _ value: Bool) -> Bool { _mutant(number) ? !value : value }
public func _mutantTrue(_ number: Int, _ value: Bool) -> Bool { _mutant(number) || value }
public func _mutantNil<Value>(_ number: Int, _ value: Value?) -> Value? { _mutant(number) ? nil : value }
public func _mutantEmpty<Values: RangeReplaceableCollection>(_ number: Int, _ values: Values) -> Values {
    _mutant(number) ? Values() : values
}

public func _mutantInt(_ number: Int, _ value: Int) -> Int { _mutant(number) ? value &+ 1 : value }
public func _mutantInt32(_ number: Int, _ value: Int32) -> Int32 { _mutant(number) ? value &+ 1 : value }
public func _mutantInt64(_ number: Int, _ value: Int64) -> Int64 { _mutant(number) ? value &+ 1 : value }
public func _mutantUInt(_ number: Int, _ value: UInt) -> UInt { _mutant(number) ? value &+ 1 : value }
public func _mutantUInt8(_ number: Int, _ value: UInt8) -> UInt8 { _mutant(number) ? value &+ 1 : value }
public func _mutantUInt16(_ number: Int, _ value: UInt16) -> UInt16 { _mutant(number) ? value &+ 1 : value }
public func _mutantUInt32(_ number: Int, _ value: UInt32) -> UInt32 { _mutant(number) ? value &+ 1 : value }
public func _mutantUInt64(_ number: Int, _ value: UInt64) -> UInt64 { _mutant(number) ? value &+ 1 : value }
public func _mutantDouble(_ number: Int, _ value: Double) -> Double { _mutant(number) ? value + 1 : value }

public func _mutant_less<Value: Comparable>(_ number: Int, _ a: Value, _ b: Value) -> Bool {
    _mutant(number) ? a <= b : a < b
}
public func _mutant_lessOrEqual<Value: Comparable>(_ number: Int, _ a: Value, _ b: Value) -> Bool {
    _mutant(number) ? a < b : a <= b
}
public func _mutant_more<Value: Comparable>(_ number: Int, _ a: Value, _ b: Value) -> Bool {
    _mutant(number) ? a >= b : a > b
}
public func _mutant_moreOrEqual<Value: Comparable>(_ number: Int, _ a: Value, _ b: Value) -> Bool {
    _mutant(number) ? a > b : a >= b
}

public func _mutant_and(
    _ left: Int, _ right: Int, _ a: @autoclosure () -> Bool, _ b: @autoclosure () -> Bool
) -> Bool {
    if _mutant(left) { return b() }
    if _mutant(right) { return a() }
    return a() ? b() : false
}
public func _mutant_or(
    _ left: Int, _ right: Int, _ a: @autoclosure () -> Bool, _ b: @autoclosure () -> Bool
) -> Bool {
    if _mutant(left) { return b() }
    if _mutant(right) { return a() }
    return a() ? true : b()
}

// As the two of the standard library: where both sides are optional the second has fewer conversions.
public func _mutant_orElse<Value>(_ number: Int, _ a: Value?, _ b: @autoclosure () -> Value) -> Value {
    _mutant(number) ? b() : a ?? b()
}
public func _mutant_orElse<Value>(_ number: Int, _ a: Value?, _ b: @autoclosure () -> Value?) -> Value? {
    _mutant(number) ? b() : a ?? b()
}

public func _mutant_plus<Value: FixedWidthInteger>(_ number: Int, _ a: Value, _ b: Value) -> Value {
    _mutant(number) ? a &- b : a + b
}
public func _mutant_plus<Values: RangeReplaceableCollection>(_ number: Int, _ a: Values, _ b: Values) -> Values {
    _mutant(number) ? a : a + b
}
public func _mutant_minus<Value: FixedWidthInteger>(_ number: Int, _ a: Value, _ b: Value) -> Value {
    _mutant(number) ? a &+ b : a - b
}
public func _mutant_times<Value: FixedWidthInteger>(_ number: Int, _ a: Value, _ b: Value) -> Value {
    _mutant(number) ? a &+ b : a * b
}
public func _mutant_divided<Value: FixedWidthInteger>(_ number: Int, _ a: Value, _ b: Value) -> Value {
    _mutant(number) ? a &* b : a / b
}
public func _mutant_remainder<Value: FixedWidthInteger>(_ number: Int, _ a: Value, _ b: Value) -> Value {
    _mutant(number) ? a / b : a % b
}

/// Nothing calls it: a test run in which its mutant is on must pass.
public func _mutantDead() -> Int { _mutant(65_002) ? 1 : 0 }
