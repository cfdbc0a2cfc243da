// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation

extension FormatError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ReplayError: LocalizedError {
    public var errorDescription: String? { description }
}

// EMVKit has the texts, without Foundation. The disfavoured member satisfies the requirement: an app that writes
// `error.recoverySuggestion` still gets the non-optional text.

extension BillError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension ConfigurationError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension EnrollmentError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension IssuerDataSetError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension UndecidedAnswer: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension JournalError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension LinkFault: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension PrepareError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension Problem: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension ReaderFault: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension SealingError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension PromptText.Flaw: LocalizedError {
    public var errorDescription: String? { "The text \(description)" }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

extension TLVError: LocalizedError {
    public var errorDescription: String? { description }
    @_disfavoredOverload public var recoverySuggestion: String? { suggestion(of: self) }
}

private func suggestion(of error: some ExplainedError) -> String { error.recoverySuggestion }
