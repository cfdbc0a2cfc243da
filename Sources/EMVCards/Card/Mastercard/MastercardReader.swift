// SPDX-License-Identifier: Apache-2.0
// Configuration of a simulated reader for Mastercard and Maestro cards.
import EMVKernel

extension MastercardBehaviour {
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        var reader = Configuration.mastercardReader
        // `strict` requires that a failed CDA denies.
        if terminal.protection.profile == .strict { reader[0xDF8121] = [0x04, 0x00, 0x00, 0x00, 0x0C] }
        for element in (terminal.data[2] ?? [:]).elements { reader[element.tag] = element.value }
        var maestro = reader
        // Online PIN is Maestro's only verification, and it has no mag-stripe mode.
        maestro[0xDF8118] = [0x40]
        maestro[0xDF811B] = reader[0xDF811B].map { [$0[0] | 0x80] }
        return [
            Combination(
                aid: [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], kernel: 2, name: "Mastercard",
                transactionTypes: terminal.transactionTypes, limits: terminal.limits, data: reader),
            Combination(
                aid: [0xA0, 0, 0, 0, 0x04, 0x30, 0x60], kernel: 2, name: "Maestro",
                transactionTypes: terminal.transactionTypes, limits: terminal.limits, data: maestro),
        ]
    }
}

extension Configuration {
    /// Returns the simulator's configuration with other data objects for Kernel 2.
    ///
    /// - Parameter mastercard: data objects that replace those of ``mastercardReader`` or are added to them.
    public static func simulator(
        limits: Limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000),
        ttq: Bytes = [0x36, 0x00, 0x40, 0x00],
        mastercard: DataObjects,
        protection: Protection = Protection()
    ) -> Configuration {
        simulator(limits: limits, ttq: ttq, data: [2: mastercard], protection: protection)
    }

    /// The simulated POS's data objects for Kernel 2: both modes, relay resistance, on-device CVM, CDA, two torn
    /// transactions, data storage. The action codes deny a card that answered too late and send online what could not
    /// be authenticated, including cards of an authority whose key the reader does not have. A wrong signature ends the
    /// tap regardless of the action codes.
    public static var mastercardReader: DataObjects {
        [
            0xDF8117: [0x60], 0xDF8118: [0x60], 0xDF8119: [0x08], 0xDF811B: [0x30], 0xDF811F: [0x08],
            0xDF811E: [0x20], 0xDF812C: [0x00], 0xDF811D: [0x02], 0xDF810D: [0x02],
            0xDF8120: [0xF4, 0x50, 0x84, 0x80, 0x0C], 0xDF8121: [0x00, 0x00, 0x00, 0x00, 0x0C],
            0xDF8122: [0xF4, 0x50, 0x84, 0x80, 0x0C],
        ]
    }
}
