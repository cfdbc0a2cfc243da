// SPDX-License-Identifier: Apache-2.0
/// An error with a description and a suggestion that a person can follow; every public error of the package conforms to
/// it.
public protocol ExplainedError: Error, CustomStringConvertible {
    /// The next step: in English, an imperative of at most 128 characters without final punctuation. If a `Problem`
    /// represents the error, the text of the problem is used, which the catalogue has in every language.
    var recoverySuggestion: String { get }
}
