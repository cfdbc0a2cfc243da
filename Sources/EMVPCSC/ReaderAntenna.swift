// SPDX-License-Identifier: Apache-2.0
import EMVKit

extension MerchantEducation.Antenna {
    /// Where to hold a card on the reader with this name; the contactless symbol if the model is unknown.
    public init(readerName: String) {
        let name = readerName.uppercased()
        // These are combined readers, with a slot for the chip at one end.
        if ["ACR1281", "OMNIKEY 5422", "OMNIKEY 5427"].contains(where: name.contains) {
            self = .slot
        } else if ReaderModel(readerName: readerName) != nil {
            self = .surface
        } else {
            self = .symbol
        }
    }
}
