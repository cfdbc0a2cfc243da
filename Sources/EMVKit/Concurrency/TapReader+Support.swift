// SPDX-License-Identifier: Apache-2.0
extension TapReader {
    /// Returns a report of an outcome of this reader's last tap.
    ///
    /// - Parameters:
    ///   - outcome: the outcome of the tap.
    ///   - authorization: the result of its authorisation, if there was one.
    ///   - settled: the result that ``Settlement`` reported later, if any.
    ///   - version: name and version of the app.
    public func supportReport(
        _ outcome: TapOutcome, authorization: AuthorizationResult? = nil, settled: Settled? = nil,
        version: String? = nil
    ) async -> SupportReport {
        SupportReport(
            outcome, authorization: authorization, settled: settled, tap: lastTap, version: version,
            reader: await transport.name, configuration: current.configuration)
    }

    /// Returns a report of the last charge.
    public func supportReport(
        _ result: ChargeResult, settled: Settled? = nil, version: String? = nil
    ) async -> SupportReport {
        SupportReport(
            result, settled: settled, tap: lastTap, version: version, reader: await transport.name,
            configuration: current.configuration)
    }
}
