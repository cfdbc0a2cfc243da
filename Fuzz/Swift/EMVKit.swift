// SPDX-License-Identifier: Apache-2.0
// The one name of EMVKit that the codec of EMVPN532 needs: so it is fuzzed without the rest of the package.
public typealias Bytes = [UInt8]
