// SPDX-License-Identifier: Apache-2.0

/// Meanings of status words, for people (ISO 7816-4, 5.6; Book 1, 11; Book 3, 6.3.5).
package enum StatusWords {
    package static func meaning(_ word: UInt16) -> String {
        switch word {
        case 0x9000: "success"
        case 0x6200: "a warning without more information"
        case 0x6283: "the selected file is invalidated, the application is blocked"
        case 0x6300: "authentication failed"
        case 0x6400, 0x6500: "execution error without more information"
        case 0x6581: "memory failure"
        case 0x6700: "wrong length of the command"
        case 0x6882: "secure messaging is not supported"
        case 0x6982: "security status not satisfied"
        case 0x6983: "authentication method blocked"
        case 0x6984: "referenced data invalidated, the card cannot be used contactless, try another interface"
        case 0x6985: "conditions of use not satisfied"
        case 0x6986: "command not allowed, the cardholder has to act on the phone first"
        case 0x6988: "secure messaging objects are incorrect"
        case 0x6A80: "incorrect data in the command"
        case 0x6A81: "function not supported, the card or the application is blocked"
        case 0x6A82: "file or application not found"
        case 0x6A83: "record not found"
        case 0x6A86: "incorrect P1 or P2"
        case 0x6A88: "referenced data not found"
        case 0x6B00: "wrong P1 or P2"
        case 0x6D00: "instruction not supported"
        case 0x6E00: "class not supported"
        case 0x6F00: "no precise diagnosis"
        default:
            switch word >> 8 {
            case 0x61: "more data is available, GET RESPONSE is expected"
            case 0x6C: "wrong Le, \(word & 0xFF) bytes are available"
            case 0x63 where word & 0xF0 == 0xC0: word & 0x0F == 1 ? "1 try left" : "\(word & 0x0F) tries left"
            case 0x62, 0x63: "a warning"
            case 0x64, 0x65, 0x66: "an execution error"
            case 0x67...0x6F: "a checking error"
            default: "no meaning in ISO 7816-4"
            }
        }
    }
}
