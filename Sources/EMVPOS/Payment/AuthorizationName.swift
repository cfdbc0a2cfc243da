// SPDX-License-Identifier: Apache-2.0
/// The word for an authorisation in events and logs.
public enum AuthorizationName: String, Sendable, Hashable, CaseIterable, Codable {
    case approved, declined, accepted, pinRequested, failed, reversed, unknown
}
