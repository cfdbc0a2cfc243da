// SPDX-License-Identifier: Apache-2.0
import EMVKit

extension MerchantEducation.Antenna {
    /// Where a reader of this name is to be touched; the contactless symbol where its model is not known.
    public init(readerName: String) {
        let name = readerName.uppercased()
        // Combined readers, with a slot for the chip at one end.
        if ["ACR1281", "OMNIKEY 5422", "OMNIKEY 5427"].contains(where: name.contains) {
            self = .slot
        } else if ReaderModel(readerName: readerName) != nil {
            self = .surface
        } else {
            self = .symbol
        }
    }
}
