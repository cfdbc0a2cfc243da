// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation

extension FormatError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ReplayError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ConfigurationError: LocalizedError {
    public var errorDescription: String? { description }
}

extension PrepareError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ReaderFault: LocalizedError {
    public var errorDescription: String? { description }
}

extension TLVError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .truncatedTag: "The bytes end inside a tag"
        case .longTag: "A tag has more than four bytes"
        case .truncatedLength: "The bytes end before or inside a length"
        case .indefiniteLength: "A length is indefinite"
        case .longLength: "A length has more than four bytes"
        case .truncatedValue: "A value would end after its parent"
        case .tooDeep: "Data objects are nested too deep"
        }
    }
}
