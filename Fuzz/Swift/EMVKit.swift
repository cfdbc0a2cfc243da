// SPDX-License-Identifier: Apache-2.0
// With the files of its Wire/ that Scripts/fuzz adds, all of EMVKit that the codecs of EMVPN532 and EMVLoyalty need: so
// they are fuzzed without the rest of the package.
public enum LinkFault: String, Error, Sendable, Hashable, CaseIterable {
    case timeout, transmission, `protocol`, removed
}
