// SPDX-License-Identifier: Apache-2.0
/// An error that says what it is and what a person can do about it; every public error of the package is one.
public protocol ExplainedError: Error, CustomStringConvertible {
    /// In English, a noun phrase of at most 128 characters without final punctuation. Where a `Problem` stands for
    /// the error, its text is used, which the catalogue has in every language.
    var recoverySuggestion: String { get }
}
