// SPDX-License-Identifier: Apache-2.0
import EMVPage

/// The values that `--json` prints.
typealias JSON = OutputJSON

extension OutputJSON {
    static func number(_ value: Double) -> OutputJSON { value.isFinite ? .raw("\(value)") : .null }

    /// A number with the given number of digits behind the decimal point.
    static func rounded(_ value: Double, digits: Int) -> OutputJSON {
        let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
        return .number((value * scale).rounded() / scale)
    }
}
