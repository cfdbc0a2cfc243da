#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of cemv_cryptogram.h, and a generator of test lines for it.

Written from the public header, the EMV books and public documents alone, by someone who had not read the C module. It
is slow and plain on purpose. It knows nothing about sessions, kernels or keys.

Sources:
    EMV 4.4 Book 3, C9: common core; Annex A: tracks, formats. Book 4, Annex C: fields of ISO 8583.
    Book B, Tables 3-4 and 3-6: kernels and schemes.
    Book C-3, 5.4.3.1, B.1; C-4, A.4; C-5, A.5, Annex C; C-6, B.10, D.3, D.4; C-7, 4.1.4.4, Annex C; C-8, 5.3.3, A.1.44.
    openemv/emv-utils, emv_fields.h: issuer data of Visa and M/Chip, form factors, application providers.
    binaryfoo/emv-bertlv: discretionary data of the short formats.
    vicente-da-silva/dcemv and PlayLlc/PaymentSystem: data record and third party data of Kernel 2.
    ISO/IEC 7811-6, 7812-1 and 7813, as manuals of card readers describe them.

Usage: cryptogram.py [seed]          to standard output
       cryptogram.py --write DIR     DIR/cryptogram.txt

Each line is "function | inputs | expected outputs". Bytes are hex, "-" is empty. A part of an input is "offset+size",
in bytes, or in nibbles for digits; for this, all inputs of a line are laid one after another. "a~b" in the outputs:
either is right, because the header leaves open which; "?" is not compared.
"""

import contextlib
import random
import sys
from collections import namedtuple

SEED = 20261122

# ---- bytes in place ----

Part = namedtuple("Part", "at data")  # bytes at an offset of the input
EMPTY = Part(0, b"")
Digits = namedtuple("Digits", "at nibbles")  # nibbles at a nibble offset of the input
NO_DIGITS = Digits(0, ())


def cut(part, start, end=None):
    data = part.data[start:end]
    return Part(part.at + start, data) if data else EMPTY


def cut_digits(digits, start, end=None):
    nibbles = digits.nibbles[start:end]
    return Digits(digits.at + start, nibbles) if nibbles else NO_DIGITS


def nibbles_of(part):
    nibbles = []
    for byte in part.data:
        nibbles += [byte >> 4, byte & 15]
    return Digits(part.at * 2, tuple(nibbles))


# ---- schemes ----

UNKNOWN, VISA, MASTERCARD, AMEX, JCB, DISCOVER, UNIONPAY = range(7)

# Registered application provider identifiers.
PROVIDERS = {
    "A000000003": VISA,
    "A000000098": VISA,
    "A000000004": MASTERCARD,
    "A000000005": MASTERCARD,
    "A000000025": AMEX,
    "A000000065": JCB,
    "A000000152": DISCOVER,
    "A000000324": DISCOVER,
    "A000000333": UNIONPAY,
}


def scheme_of_aid(aid):
    return PROVIDERS.get(aid[:5].hex().upper(), UNKNOWN)


def scheme_of_kernel(kernel_id):
    """International kernels have an identifier of one byte (Book B, Tables 3-4 and 3-6)."""
    kernels = {2: MASTERCARD, 3: VISA, 4: AMEX, 5: JCB, 6: DISCOVER, 7: UNIONPAY}
    return kernels.get(kernel_id[0], UNKNOWN) if len(kernel_id) == 1 else UNKNOWN


# ---- fields of bits ----

MEANINGS = """RESERVED LENGTH SECOND_AC FIRST_AC
ISSUER_AUTHENTICATED ISSUER_NOT_AUTHENTICATED ISSUER_FAILED ISSUER_FAILED_BEFORE ISSUER_NOT_AUTHENTICATED_BEFORE
DDA_DONE CDA_DONE SECOND_CDA_DONE SDA_FAILED_BEFORE DDA_FAILED_BEFORE ODA_FAILED_BEFORE CDA_FAILED_BEFORE
OFFLINE_PIN_DONE OFFLINE_PIN_ENCIPHERED OFFLINE_PIN_GOOD OFFLINE_PIN_BAD OFFLINE_PIN_NOT_DONE OFFLINE_PIN_CHANGED
PIN_TRIES_USED_UP PIN_TRY_COUNTER PIN_COMMAND_MISSING PIN_BELIEVED_WRONGLY BLOCKED_BY_PIN_TRIES CDCVM_DONE CVM_ENTITY
CVM_TYPE
ONLINE_PIN_REQUIRED SIGNATURE_REQUIRED CVM_REQUIRED CONFIRMATION_CODE_DONE CONFIRMATION_CODE_BAD
VELOCITY_EXCEEDED LOWER_COUNT_1 UPPER_COUNT_1 LOWER_AMOUNT_1 UPPER_AMOUNT_1 LOWER_COUNT_2 UPPER_COUNT_2 LOWER_AMOUNT_2
UPPER_AMOUNT_2 SINGLE_AMOUNT DAYS_OFFLINE CONTACTLESS_COUNT CONTACTLESS_AMOUNT CONTACTLESS_SINGLE_AMOUNT
CVM_COUNT_1 CVM_COUNT_2 CVM_AMOUNT_1 CVM_AMOUNT_2 CVM_SINGLE_AMOUNT_1 CVM_SINGLE_AMOUNT_2
NEW_CARD LAST_ONLINE_INCOMPLETE LAST_CONTACTLESS_INCOMPLETE GO_ONLINE_WAS_SET UNABLE_TO_GO_ONLINE
SCRIPT_COUNTER SCRIPT_RECEIVED SCRIPT_FAILED DATE_CHECK_FAILED DEFAULT_ACTION_SKIPPED DOMESTIC INTERNATIONAL
CHECK_TABLE_MATCH CHECK_TABLE_NO_MATCH ONLINE_CRYPTOGRAM_REQUIRED TYPE_NEEDS_ONLINE_PIN TYPE_NEEDS_NO_CVM
PDOL_CHECK_INVALID PDOL_FORCED_ONLINE PDOL_FORCED_DECLINE PDOL_CHECK_ID PROFILE_ID ISSUER_BITS
READER_CONTACT_CHIP READER_OFFLINE_ONLY READER_ONLINE_PIN READER_SIGNATURE READER_ISSUER_UPDATE
NOT_IN_DEBUG_MODE NOT_ROOTED NOT_HOOKED INTEGRITY_INTACT HAS_CONNECTIVITY GENUINE_DEVICE SCRIPTS_USE_SESSION_KEYS
INDICATOR_VERSION DEVICE_TYPE PASSCODE_CAPABLE SIGNATURE_PANEL HOLOGRAM CVV2_PRINTED TWO_WAY_MESSAGING CLOUD_CREDENTIALS
BIOMETRIC_CAPABLE TECHNOLOGY SECURE_ELEMENT""".split()
MEANING = {name: number for number, name in enumerate(MEANINGS)}
assert len(MEANINGS) == 101

# Each row is a byte: names from bit 8 down, "name*n" for a group of n bits.
TYPES = "SECOND_AC*2 FIRST_AC*2 "
VISA_BYTE_3 = (
    "LAST_ONLINE_INCOMPLETE PIN_TRIES_USED_UP VELOCITY_EXCEEDED NEW_CARD ISSUER_FAILED_BEFORE "
    "ISSUER_NOT_AUTHENTICATED_BEFORE BLOCKED_BY_PIN_TRIES SDA_FAILED_BEFORE"
)
VISA_BYTE_4 = "SCRIPT_COUNTER*4 SCRIPT_FAILED DDA_FAILED_BEFORE DDA_DONE PIN_COMMAND_MISSING"
LIMITS_1 = "LOWER_COUNT_1 UPPER_COUNT_1 LOWER_AMOUNT_1 UPPER_AMOUNT_1 "
LIMITS_2 = "LOWER_COUNT_2 UPPER_COUNT_2 LOWER_AMOUNT_2 UPPER_AMOUNT_2 "
LAYOUTS = {
    1: [
        "LENGTH*8",
        TYPES + "ISSUER_FAILED OFFLINE_PIN_DONE OFFLINE_PIN_BAD UNABLE_TO_GO_ONLINE",
        VISA_BYTE_3,
        VISA_BYTE_4,
    ],
    2: [
        "CVM_ENTITY*4 CVM_TYPE*4",
        TYPES + "ISSUER_FAILED CDCVM_DONE RESERVED UNABLE_TO_GO_ONLINE",
        VISA_BYTE_3,
        VISA_BYTE_4,
        "NOT_IN_DEBUG_MODE NOT_ROOTED NOT_HOOKED INTEGRITY_INTACT HAS_CONNECTIVITY GENUINE_DEVICE CDCVM_DONE "
        "SCRIPTS_USE_SESSION_KEYS",
    ],
    3: [
        TYPES + "DATE_CHECK_FAILED OFFLINE_PIN_DONE OFFLINE_PIN_ENCIPHERED OFFLINE_PIN_GOOD",
        "DDA_DONE CDA_DONE SECOND_CDA_DONE ISSUER_AUTHENTICATED "
        "DEFAULT_ACTION_SKIPPED OFFLINE_PIN_CHANGED ISSUER_BITS*2",
        "SCRIPT_COUNTER*4 PIN_TRY_COUNTER*4",
        "LAST_ONLINE_INCOMPLETE UNABLE_TO_GO_ONLINE OFFLINE_PIN_NOT_DONE OFFLINE_PIN_BAD PIN_TRIES_USED_UP "
        "INTERNATIONAL DOMESTIC "
        "PIN_BELIEVED_WRONGLY",
        LIMITS_1 + "GO_ONLINE_WAS_SET ISSUER_FAILED SCRIPT_RECEIVED SCRIPT_FAILED",
        LIMITS_2 + "SINGLE_AMOUNT DAYS_OFFLINE CHECK_TABLE_MATCH CHECK_TABLE_NO_MATCH",
    ],
    4: [
        TYPES + "CDA_DONE DDA_DONE ISSUER_NOT_AUTHENTICATED ISSUER_FAILED",
        "PIN_TRY_COUNTER*4 OFFLINE_PIN_DONE OFFLINE_PIN_BAD PIN_TRIES_USED_UP LAST_ONLINE_INCOMPLETE",
        LIMITS_1 + "ISSUER_BITS*4",
        "SCRIPT_COUNTER*4 SCRIPT_FAILED ODA_FAILED_BEFORE GO_ONLINE_WAS_SET UNABLE_TO_GO_ONLINE",
        "RESERVED*8",
    ],
    5: [
        "ONLINE_PIN_REQUIRED SIGNATURE_REQUIRED FIRST_AC*2 RESERVED SCRIPT_COUNTER*3",
        "ONLINE_CRYPTOGRAM_REQUIRED TYPE_NEEDS_ONLINE_PIN TYPE_NEEDS_NO_CVM DOMESTIC INTERNATIONAL PIN_TRIES_USED_UP "
        "CONFIRMATION_CODE_DONE CONFIRMATION_CODE_BAD",
        "CVM_REQUIRED RESERVED CVM_COUNT_1 CVM_COUNT_2 CVM_AMOUNT_1 "
        "CVM_AMOUNT_2 CVM_SINGLE_AMOUNT_1 CVM_SINGLE_AMOUNT_2",
        "CDA_FAILED_BEFORE LAST_CONTACTLESS_INCOMPLETE GO_ONLINE_WAS_SET ISSUER_FAILED_BEFORE "
        "SCRIPT_FAILED PDOL_CHECK_INVALID "
        "PDOL_FORCED_ONLINE PDOL_FORCED_DECLINE",
        "CONTACTLESS_COUNT CONTACTLESS_AMOUNT CONTACTLESS_SINGLE_AMOUNT " + LIMITS_1 + "SINGLE_AMOUNT",
        "PDOL_CHECK_ID*4 PROFILE_ID*4",
        "READER_CONTACT_CHIP READER_OFFLINE_ONLY READER_ONLINE_PIN READER_SIGNATURE READER_ISSUER_UPDATE RESERVED*3",
        "RESERVED*8",
    ],
    6: [TYPES + "RESERVED*4"] + ["RESERVED*8"] * 5,
    7: ["LENGTH*8", TYPES + "RESERVED*4"] + ["RESERVED*8"] * 3,
    8: [
        "INDICATOR_VERSION*3 DEVICE_TYPE*5",
        "PASSCODE_CAPABLE SIGNATURE_PANEL HOLOGRAM CVV2_PRINTED TWO_WAY_MESSAGING "
        "CLOUD_CREDENTIALS BIOMETRIC_CAPABLE RESERVED",
        "RESERVED*8",
        "RESERVED*4 TECHNOLOGY*4",
    ],
    9: ["INDICATOR_VERSION*3 DEVICE_TYPE*5", "RESERVED*3 SECURE_ELEMENT*5", "RESERVED*8", "RESERVED*8"],
}


def layout_fields(layout, data):
    """(byte, mask, meaning, value) of every field within the bytes given, in order."""
    for number, row in enumerate(LAYOUTS.get(layout, []), 1):
        if number > len(data):
            return
        bit = 8
        for word in row.split():
            name, _, width = word.partition("*")
            width = int(width or 1)
            bit -= width
            ones = (1 << width) - 1
            yield number, ones << bit, MEANING[name], data[number - 1] >> bit & ones
        assert bit == 0


def field_find(layout, data, meaning):
    for _, _, found, value in layout_fields(layout, data):
        if found == meaning:
            return value
    return None


# ---- issuer application data ----

(
    IAD_UNKNOWN,
    VISA_0,
    VISA_1,
    VISA_3,
    VISA_2,
    VISA_4,
    MCHIP_4,
    MCHIP_ADVANCE,
    IAD_AMEX,
    IAD_JCB,
    IAD_DISCOVER,
    IAD_UNIONPAY,
    CCD,
) = range(13)
OK, IS_EMPTY, TOO_LONG, TOO_SHORT, BAD_LENGTH_BYTE, UNKNOWN_VERSION, UNKNOWN_SIZE, UNKNOWN_SCHEME, BAD_DISCRETIONARY = (
    range(9)
)
UNPUBLISHED, OWN_KEY, MASTERCARD_KEY, EMV2000, COMMON = range(5)
VISA_KEYS = {0x0A: OWN_KEY, 0x11: OWN_KEY, 0x12: COMMON, 0x22: COMMON}
MCHIP_KEYS = {0x10: MASTERCARD_KEY, 0x11: MASTERCARD_KEY, 0x12: EMV2000, 0x13: EMV2000, 0x14: COMMON, 0x15: COMMON}


class Iad:
    def __init__(self, whole):
        self.format = IAD_UNKNOWN
        self.reason, self.reasons = OK, ()
        self.layout = self.key_index = self.version = self.session_key = self.algorithm = 0
        self.assumed = self.counters_covered = self.aes = False
        self.whole = whole
        self.cvr = self.dynamic_number = self.counters = self.last_online_atc = self.discretionary = self.rest = EMPTY

    def fail(self, *reasons):
        """Any of these reasons. The header does not say which of several faults is reported."""
        self.reason = reasons[0]
        self.reasons = reasons
        return self

    def field(self, meaning):
        return field_find(self.layout, self.cvr.data, meaning)

    def counter(self, index):
        """M/Chip: n 12, a number, FF; None if absent or not plain."""
        if self.format not in (MCHIP_4, MCHIP_ADVANCE) or index > 1:
            return None
        eight = self.counters.data[8 * index : 8 * index + 8]
        if len(eight) < 8 or eight[7] != 0xFF or not eight[:6].hex().isdigit():
            return None
        return int(eight[:6].hex()), eight[6]

    def discretionary_after(self, start):
        """A size and that many bytes, or nothing. Whatever follows is the rest (as in binaryfoo/emv-bertlv)."""
        tail = self.whole.data[start:]
        if not tail:
            return
        end = start + 1 + tail[0]
        if end <= len(self.whole.data):
            self.discretionary, self.rest = cut(self.whole, start + 1, end), cut(self.whole, end)
        else:
            self.reason = BAD_DISCRETIONARY
            self.rest = cut(self.whole, start)


def read_short_form(iad, first, cvr_length, layout, fixed):
    """The formats that begin with their own length: Visa 0, 1, 3, American Express, JCB, UnionPay.

    `fixed` is their least size."""
    data = iad.whole.data
    faults = [TOO_SHORT] if len(data) < fixed else []
    if data[0] != first or data[3:4] not in (b"", bytes([cvr_length])):
        faults.append(BAD_LENGTH_BYTE)
    if faults:
        return faults
    iad.key_index, iad.version, iad.layout = data[1], data[2], layout
    iad.cvr = cut(iad.whole, 3, 4 + cvr_length)
    iad.discretionary_after(fixed)
    return []


def read_visa(iad):
    data = iad.whole.data
    if data[0] == 0x1F:
        return read_visa_long(iad)
    faults = read_short_form(iad, 6, 3, 1, 7)
    if len(data) > 2 and data[0] == 6 and data[2] >> 4 not in (0, 1, 3):
        faults.append(UNKNOWN_VERSION)
    if faults:
        return faults
    iad.format = {0: VISA_0, 1: VISA_1, 3: VISA_3}[iad.version >> 4]
    iad.session_key = VISA_KEYS.get(iad.version, UNPUBLISHED)
    return []


def read_visa_long(iad):
    data = iad.whole.data
    faults = [TOO_SHORT] if len(data) < 7 else []
    if len(data) > 1 and data[1] >> 4 not in (2, 4):
        faults.append(UNKNOWN_VERSION)
    if len(data) != 32:
        faults.append(UNKNOWN_SIZE)
    if faults:
        return faults
    iad.format = VISA_2 if data[1] >> 4 == 2 else VISA_4
    iad.version, iad.key_index, iad.layout = data[1], data[2], 2
    iad.session_key = VISA_KEYS.get(iad.version, UNPUBLISHED)
    iad.cvr, iad.discretionary = cut(iad.whole, 3, 8), cut(iad.whole, 8)
    return []


def read_mchip(iad):
    data = iad.whole.data
    faults = []
    if len(data) < 18:
        faults.append(TOO_SHORT)
    elif len(data) not in (18, 20, 26, 28):
        faults.append(UNKNOWN_SIZE)
    if len(data) > 1 and data[1] not in MCHIP_KEYS:
        faults.append(UNKNOWN_VERSION)
    if faults:
        return faults
    iad.format = MCHIP_4 if len(data) == 18 else MCHIP_ADVANCE
    iad.key_index, iad.version, iad.layout, iad.session_key = data[0], data[1], 3, MCHIP_KEYS[data[1]]
    iad.counters_covered = data[1] & 1 == 1
    iad.cvr, iad.dynamic_number = cut(iad.whole, 2, 8), cut(iad.whole, 8, 10)
    end = 18 if len(data) < 26 else 26
    iad.counters, iad.last_online_atc = cut(iad.whole, 10, end), cut(iad.whole, end)
    return []


def read_discover(iad):
    data = iad.whole.data
    if len(data) < 2:
        return [TOO_SHORT]
    if data[1] not in (0x05, 0x06, 0x15, 0x16):
        return [UNKNOWN_VERSION, TOO_SHORT] if len(data) < 8 else [UNKNOWN_VERSION]
    size = 8 if data[1] >= 0x15 else 6
    if len(data) < 2 + size:
        return [TOO_SHORT]
    iad.format, iad.layout = IAD_DISCOVER, 5 if size == 8 else 6
    iad.key_index, iad.version = data[0], data[1]
    iad.cvr, iad.discretionary = cut(iad.whole, 2, 2 + size), cut(iad.whole, 2 + size)
    return []


def looks_like_ccd(data):
    return len(data) == 32 and data[0] == 0x0F and data[16] == 0x0F and data[1] >> 4 >= 0xA


def read_ccd(iad):
    data = iad.whole.data
    if data[1] not in (0xA5, 0xA6):
        return [UNKNOWN_VERSION]
    iad.format, iad.layout, iad.session_key, iad.aes = CCD, 4, COMMON, data[1] == 0xA6
    iad.version, iad.key_index = data[1], data[2]
    iad.cvr, iad.counters, iad.discretionary = cut(iad.whole, 3, 8), cut(iad.whole, 8, 16), cut(iad.whole, 17)
    return []


def read_by_shape(iad):
    """Without a scheme: the shapes of M/Chip and Visa, in this order."""
    for reader in (read_mchip, read_visa):
        if not reader(iad):
            iad.assumed = True
            return []
    return [UNKNOWN_SCHEME]


def iad_read(whole, scheme):
    iad = Iad(whole)
    data = whole.data
    if not data:
        return iad.fail(IS_EMPTY)
    if len(data) > 32:
        return iad.fail(TOO_LONG)
    if looks_like_ccd(data):
        faults = read_ccd(iad)
    elif scheme == VISA:
        faults = read_visa(iad)
    elif scheme == MASTERCARD:
        faults = read_mchip(iad)
    elif scheme == AMEX:
        faults = read_short_form(iad, 6, 3, 1, 7)
        iad.format = IAD_AMEX
    elif scheme == JCB:
        faults = read_short_form(iad, 7, 4, 7, 8)
        iad.format = IAD_JCB
    elif scheme == UNIONPAY:
        faults = read_short_form(iad, 7, 3, 1, 8)
        iad.format = IAD_UNIONPAY
        iad.algorithm = 0 if faults else data[7]
    elif scheme == DISCOVER:
        faults = read_discover(iad)
    else:
        faults = read_by_shape(iad)
    return Iad(whole).fail(*faults) if faults else iad


# ---- digits and tracks ----


def digits_of_cn(part):
    digits = nibbles_of(part)
    count = len(digits.nibbles)
    while count and digits.nibbles[count - 1] == 15:
        count -= 1
    nibbles = digits.nibbles[:count]
    if any(nibble > 9 for nibble in nibbles) or len(part.data) > 127:
        return NO_DIGITS
    return cut_digits(digits, 0, count)


def luhn(nibbles):
    if not nibbles or any(nibble > 9 for nibble in nibbles):
        return False
    total = 0
    for place, digit in enumerate(reversed(nibbles)):
        total += sum(divmod(2 * digit, 10)) if place % 2 else digit
    return total % 10 == 0


def digits_text(nibbles, separator):
    return "".join(str(nibble) if nibble < 10 else separator if nibble == 13 else "?" for nibble in nibbles)


(
    TRACK_OK,
    TRACK_EMPTY,
    TRACK_TOO_LONG,
    BAD_START,
    BAD_PAN,
    NO_SEPARATOR,
    BAD_NAME,
    BAD_EXPIRY,
    BAD_SERVICE_CODE,
    TRACK_BAD_DISCRETIONARY,
) = range(10)


class Track2:
    def __init__(self):
        self.error = TRACK_OK
        self.all = self.pan = self.expiry = self.service_code = self.discretionary = NO_DIGITS


def all_digits(nibbles):
    return all(nibble <= 9 for nibble in nibbles)


def track2_read(part):
    track = Track2()
    track.error = track2_parts(part, track)
    return track


def track2_parts(part, track):
    if not part.data:
        return TRACK_EMPTY
    if len(part.data) > 19:
        return TRACK_TOO_LONG
    everything = nibbles_of(part)
    count = len(everything.nibbles)
    while count and everything.nibbles[count - 1] == 15:
        count -= 1
    everything = track.all = cut_digits(everything, 0, count)
    nibbles = everything.nibbles
    end = nibbles.index(13) if 13 in nibbles else len(nibbles)
    if end == 0 or end > 19 or not all_digits(nibbles[:end]):
        return BAD_PAN
    track.pan = cut_digits(everything, 0, end)
    if end == len(nibbles):
        return NO_SEPARATOR
    at = end + 1
    for size, name, error in ((4, "expiry", BAD_EXPIRY), (3, "service_code", BAD_SERVICE_CODE)):
        if nibbles[at : at + 1] == (13,):
            at += 1
            continue
        if len(nibbles) < at + size or not all_digits(nibbles[at : at + size]):
            return error
        setattr(track, name, cut_digits(everything, at, at + size))
        at += size
    if not all_digits(nibbles[at:]):
        return TRACK_BAD_DISCRETIONARY
    track.discretionary = cut_digits(everything, at)
    return TRACK_OK


class Track1:
    def __init__(self):
        self.error = TRACK_OK
        self.other_error = None
        self.all = self.pan = self.name = self.expiry = self.service_code = self.discretionary = EMPTY


def track1_read(part):
    track = Track1()
    track.error = track1_parts(part, track)
    return track


def is_ascii_digits(data):
    return all(0x30 <= byte <= 0x39 for byte in data)


def prints(data):
    """Track 1 has 64 characters and no lower case (ISO/IEC 7811-6)."""
    return all(0x20 <= byte <= 0x5F for byte in data)


def track1_parts(part, track):
    data = part.data
    if not data:
        return TRACK_EMPTY
    if len(data) > 76:
        return TRACK_TOO_LONG
    track.all = part
    if data[:1] != b"B":
        return BAD_START
    end = data.find(b"^")
    pan = data[1:end] if end >= 0 else data[1:]
    if not 1 <= len(pan) <= 19 or not is_ascii_digits(pan):
        return BAD_PAN
    track.pan = cut(part, 1, 1 + len(pan))
    if end < 0:
        return NO_SEPARATOR
    start, end = end + 1, data.find(b"^", end + 1)
    if end < 0:
        track.other_error = BAD_NAME
        return NO_SEPARATOR
    if not 2 <= end - start <= 26:
        return BAD_NAME
    if not prints(data[start:end]):
        return BAD_NAME
    track.name = cut(part, start, end)
    at = end + 1
    for size, name, error in ((4, "expiry", BAD_EXPIRY), (3, "service_code", BAD_SERVICE_CODE)):
        if data[at : at + 1] == b"^":
            at += 1
            continue
        if len(data) < at + size or not is_ascii_digits(data[at : at + size]):
            return error
        setattr(track, name, cut(part, at, at + size))
        at += size
    if not prints(data[at:]):
        return TRACK_BAD_DISCRETIONARY
    track.discretionary = cut(part, at)
    return TRACK_OK


# ---- form factor ----


class FormFactor:
    def __init__(self, whole):
        self.known = self.device_present = False
        self.layout = self.country = self.identifier = 0
        self.device = b"\0\0"
        self.proprietary = EMPTY
        self.whole = whole


def form_factor_read(part, scheme):
    form, data = FormFactor(part), part.data
    if scheme in (VISA, JCB) and len(data) == 4:
        form.known = form.device_present = True
        form.layout = 8 if scheme == VISA else 9
        form.device = bytes([data[0] & 0x1F, 0])
    elif scheme == AMEX and len(data) == 3:
        form.known = True  # C-4 gives its format, n 6, but no code of a device
    elif scheme == MASTERCARD:
        third_party_data(form, part)
    return form


def third_party_data(form, part):
    """Country n 3, unique identifier, device type unless the identifier's first bit is set, at least one byte more."""
    data = part.data
    if not 5 <= len(data) <= 32 or (not data[2] & 0x80 and len(data) < 7):
        return
    form.known = True
    form.country = int.from_bytes(data[:2], "big")
    form.identifier = int.from_bytes(data[2:4], "big")
    at = 4
    if not data[2] & 0x80:
        form.device_present, form.device, at = True, data[4:6], 6
    form.proprietary = cut(part, at)


# ---- the data of one read ----

WIRE_OK, TRUNCATED_TAG, LONG_TAG, TRUNCATED_LENGTH, INDEFINITE_LENGTH, LONG_LENGTH, TRUNCATED_VALUE = range(7)
Object = namedtuple("Object", "tag list head value padded")
MAX_OBJECTS = 96


def read_tag(data, at):
    """(error, size)"""
    size = 1
    if data[at] & 0x1F == 0x1F:
        while True:
            if at + size >= len(data):
                return TRUNCATED_TAG, 0
            size += 1
            if not data[at + size - 1] & 0x80:
                break
            if size == 4:
                return LONG_TAG, 0
    return WIRE_OK, size


def read_length(data, at):
    """(error, size, length)"""
    if at >= len(data):
        return TRUNCATED_LENGTH, 0, 0
    first = data[at]
    if first < 0x80:
        return WIRE_OK, 1, first
    if first == 0x80:
        return INDEFINITE_LENGTH, 0, 0
    if first > 0x84:
        return LONG_LENGTH, 0, 0
    count = first & 0x7F
    if at + 1 + count > len(data):
        return TRUNCATED_LENGTH, 0, 0
    return WIRE_OK, 1 + count, int.from_bytes(data[at + 1 : at + 1 + count], "big")


def head_size(tag_size, length_size, length):
    shortest = 1 if length < 0x80 else 2 if length < 0x100 else 3
    head = tag_size + length_size
    return head if length_size == shortest and head <= 3 else 0


class Chip:
    def __init__(self):
        self.error = WIRE_OK
        self.lists = 0
        self.overflowed = False
        self.objects = {}

    def put(self, tag, number, head, value, padded=False):
        if not value.data or tag in self.objects:
            return
        if len(self.objects) == MAX_OBJECTS:
            self.overflowed = True
            return
        self.objects[tag] = Object(tag, number, head, value, padded)

    def add(self, part):
        data, at, error = part.data, 0, WIRE_OK
        while True:
            before = at
            while at < len(data) and data[at] in (0x00, 0xFF):
                at += 1
            if at == len(data):
                break
            error, tag_size = read_tag(data, at)
            if error:
                break
            tag = int.from_bytes(data[at : at + tag_size], "big")
            error, length_size, length = read_length(data, at + tag_size)
            if error:
                break
            start = at + tag_size + length_size
            if start + length > len(data):
                error = TRUNCATED_VALUE
                break
            padded = at > before
            self.put(
                tag, self.lists, head_size(tag_size, length_size, length), cut(part, start, start + length), padded
            )
            at = start + length
        self.lists += 1
        self.error = self.error or error
        return error == WIRE_OK

    def add_value(self, tag, part):
        self.put(tag, self.lists, 0, part)
        self.lists += 1

    def value(self, tag, size=None):
        """The value; empty if it is absent or does not have the required size."""
        found = self.objects.get(tag)
        value = found.value if found else EMPTY
        return value if size is None or len(value.data) == size else EMPTY


def is_bcd(data):
    return data.hex().isdigit()


class Extract:
    pass


def chip_scheme(chip, scheme):
    if scheme != UNKNOWN:
        return scheme
    for tag in (0x84, 0x4F, 0x9F06):
        found = scheme_of_aid(chip.value(tag).data)
        if found != UNKNOWN:
            return found
    return UNKNOWN


def chip_extract(chip, scheme):
    x = Extract()
    x.scheme = chip_scheme(chip, scheme)
    x.cryptogram = chip.value(0x9F26, 8)
    tracks = [chip.value(tag).data for tag in (0x56, 0x57, 0x9F6B)]
    x.mode = 1 if x.cryptogram.data or is_emv_record(chip) else 2 if any(tracks) else 0
    x.iad = iad_read(chip.value(0x9F10), x.scheme)
    extract_numbers(chip, x)
    extract_type(chip, x)
    x.unpredictable_number = chip.value(0x9F37, 4)
    x.tvr = chip.value(0x95, 5)
    x.par = chip.value(0x9F24, 29)
    extract_account(chip, x)
    x.form_factor = form_factor_read(chip.value(0x9F67 if x.scheme == AMEX else 0x9F6E), x.scheme)
    return x


def is_emv_record(chip):
    """A tap of EMV mode may end without a cryptogram (C-6, F3-15 after a failed CDA: 9F26 would have come out of the
    signature; C-5, 3.5: Declined without GENERATE AC). What its record has is then 82 (C-6 Table 4-8, C-5 Table C-1)
    and 95, of which no record of mag-stripe mode has either (C-2 mag-stripe data record; C-4 Table 14-7; C-6 Table 4-8,
    MS Mode); 56 and 9F6B are in those alone."""
    of_emv = chip.value(0x82, 2).data and chip.value(0x95, 5).data
    return bool(of_emv) and not chip.value(0x56).data and not chip.value(0x9F6B).data


def extract_numbers(chip, x):
    atc, sequence, cvm = chip.value(0x9F36, 2).data, chip.value(0x5F34, 1).data, chip.value(0x9F34, 3).data
    x.atc_present, x.atc = bool(atc), int.from_bytes(atc, "big")
    x.sequence_present = bool(sequence) and is_bcd(sequence)
    x.sequence = int(sequence.hex()) if x.sequence_present else 0
    x.cvm_present, x.cvm = bool(cvm), cvm or b"\0\0\0"


def extract_type(chip, x):
    """Bits 8-7 of the CID; without it, bits 6-5 of byte 5 of the IAD (C-3, 5.4.3.1; C-7, 4.1.4.4)."""
    cid, iad = chip.value(0x9F27, 1).data, chip.value(0x9F10).data
    x.cid_present, x.type_known = bool(cid), bool(cid)
    x.cid = cid[0] if cid else 0
    x.type = x.cid >> 6
    if not cid and x.scheme in (VISA, UNIONPAY) and len(iad) >= 5:
        x.type_known, x.type = True, iad[4] >> 4 & 3
        x.cid = x.type << 6


def extract_account(chip, x):
    """PAN and expiry come from track 2 (C-3, B.1.2.2), or else from 5A and 5F24."""
    x.track2 = track2_read(chip.value(0x57) if chip.value(0x57).data else chip.value(0x9F6B))
    x.track1 = track1_read(chip.value(0x56))
    pan = digits_of_cn(chip.value(0x5A))
    month = cut_digits(nibbles_of(chip.value(0x5F24, 3)), 0, 4)
    month = month if all_digits(month.nibbles) else NO_DIGITS
    x.pan = x.track2.pan if x.track2.pan.nibbles else pan
    x.expiry = x.track2.expiry if x.track2.expiry.nibbles else month
    x.service_code = x.track2.service_code
    x.pan_mismatch = differ(pan, x.track2.pan)
    x.expiry_mismatch = differ(month, x.track2.expiry)


def differ(a, b):
    return bool(a.nibbles and b.nibbles and a.nibbles != b.nibbles)


# ---- the issuer data set ----

# Data records of the kernels' EMV mode as their books list them; "*" follows a tag that the book calls mandatory. Left
# out are data that have a field of their own (Book 4, Annex C: 57, 5A, 5F24; 5F20 and 9F1F in track 1) and data for a
# receipt (50, 9F11, 9F12). C-2 and C-8 name no presence: mandatory is what the answer to GENERATE AC must hold (C-8,
# Table 5.8) and what every terminal has.
DATA_SETS = {
    2: "9F02* 9F03 9F26* 82* 5F34 9F36* 9F07 9F09 9F27* 9F34 84 9F1E 9F10 9F24 9F33 "
    "9F1A* 9F35 95* 9F53 5F2A* 9A* 9C* 9F37*",
    3: "9F02* 9F03 9F26* 82* 9F36* 5F34 9F7C 9F6E 9F10* 9F1A* 95* 5F2A* 9A* 9C* 9F37* 9F24",
    4: "9F02* 9F03* 9F26* 82* 5F34* 9F36* 9F27* 9F10* 9F1A* 95* 5F2A* 9A* 9C* 9F37*",
    5: "9F02* 9F03* 9F26* 82* 5F34 9F36* 9F08 9F34* 84* 9F27* 9F6E 9F10* 9F7C 9F24 "
    "9F1A* 95* 9F19 5F2A* 9A* 9F21* 9C* 9F37*",
    6: "9F02* 9F03 9F26* 9F06 82* 5F34 9F36* 9F07 9F27 84 9F10* 9F09 9F33* 9F1A* 9F35* 95* 9A* 9C* 9F37*",
    7: "9F02* 9F03* 9F26* 82* 5F34 9F36* 9F27* 9F10* 9F33* 9F1A* 95* 5F2A* 9A* 9C* 9F37* 9F24 9F63",
    8: "9F02* 9F03 9F26* 82* 5F34 9F36* 9F07 9F09 9F8106 9F810D 9F27* 9F34 84 9F1E 9F10* 9F8109 "
    "9F24 9F33 9F1A* 9F35 95* 5F2A* 9A* 9C* "
    "9F37*",
}
MAX_ENTRIES = 64
SET_OK, MISSING, SET_TOO_LONG, NO_SPACE, BAD_ENTRY = range(5)
DataSet = namedtuple("DataSet", "entries limit leave_out")  # entries: (tag, required)


def data_set_of_kernel(kernel):
    words = DATA_SETS.get(kernel, "").split()
    return DataSet([(int(word.rstrip("*"), 16), word.endswith("*")) for word in words], 0, False)


def tag_is_valid(tag):
    """Encodes as one BER tag of 1 to 4 bytes."""
    if tag == 0:
        return False
    data = tag.to_bytes((tag.bit_length() + 7) // 8, "big")
    return data[0] not in (0x00, 0xFF) and read_tag(data, 0) == (WIRE_OK, len(data))


def data_set_check(data_set):
    if len(data_set.entries) > MAX_ENTRIES:
        return BAD_ENTRY, 0
    seen = set()
    for tag, _ in data_set.entries:
        if not tag_is_valid(tag) or tag in seen:
            return BAD_ENTRY, tag
        seen.add(tag)
    return SET_OK, 0


def encode(tag, value):
    head = tag.to_bytes((tag.bit_length() + 7) // 8, "big")
    size = len(value)
    if size < 0x80:
        length = bytes([size])
    elif size < 0x100:
        length = bytes([0x81, size])
    else:
        length = bytes([0x82]) + size.to_bytes(2, "big")
    return head + length + value


def data_set_write(chip, data_set, capacity):
    """(error, tag, size, left out, written)"""
    there = []
    for tag, required in data_set.entries:
        value = chip.value(tag).data
        if value:
            there.append((required, encode(tag, value)))
        elif required:
            return MISSING, tag, 0, 0, b""
    left_out = 0
    size = sum(len(item) for _, item in there)
    limit = data_set.limit or capacity
    while size > limit and data_set.leave_out:
        optional = [place for place, (required, _) in enumerate(there) if not required]
        if not optional:
            break
        size -= len(there.pop(optional[-1])[1])
        left_out += 1
    if data_set.limit and size > data_set.limit:
        return SET_TOO_LONG, 0, size, left_out, b""
    if size > capacity:
        return NO_SPACE, 0, size, left_out, b""
    return SET_OK, 0, size, left_out, b"".join(item for _, item in there)


# ---- other fields of ISO 8583 ----


def iso_fields(x, pin, separator):
    """pan, expiry, entry mode, sequence, track 2, track 1"""
    pan = digits_text(x.pan.nibbles, separator) if len(x.pan.nibbles) <= 19 else ""
    mode = {0: "", 1: "07%d" % pin, 2: "91%d" % pin}[x.mode]
    sequence = "%03d" % x.sequence if x.sequence_present else ""
    track2 = x.track2.all.nibbles if x.track2.error == TRACK_OK else ()
    track2 = digits_text(track2, separator) if len(track2) <= 37 else ""
    track1 = x.track1.all.data if x.track1.error == TRACK_OK else b""
    return [text.encode() for text in (pan, digits_text(x.expiry.nibbles, separator), mode, sequence, track2)] + [
        track1
    ]


# ---- lines ----


def hexed(data):
    return data.hex().upper() or "-"


def place(part):
    return "%d+%d" % (part.at, len(part.data)) if part.data else "-"


def digit_place(digits):
    return "%d+%d" % (digits.at, len(digits.nibbles)) if digits.nibbles else "-"


def show_fields(layout, data):
    """Fields with a meaning, then the reserved bits of each byte. How these are grouped is not part of the contract."""
    words, reserved = [], {}
    for byte, mask, meaning, value in layout_fields(layout, data):
        if meaning == 0:
            reserved[byte] = reserved.get(byte, 0) | mask
        else:
            words.append("%d:%02X:%d:%d" % (byte, mask, meaning, value))
    words += ["R%d:%02X" % item for item in sorted(reserved.items())]
    return " ".join(words) or "-"


def show_iad(iad):
    tail = [
        iad.layout,
        iad.key_index,
        iad.version,
        iad.session_key,
        int(iad.assumed),
        int(iad.counters_covered),
        int(iad.aes),
        iad.algorithm,
    ]
    heads = [".".join(str(number) for number in [iad.format, reason] + tail) for reason in iad.reasons or [iad.reason]]
    parts = [iad.whole, iad.cvr, iad.dynamic_number, iad.counters, iad.last_online_atc, iad.discretionary, iad.rest]
    return " ".join(["~".join(heads)] + [place(part) for part in parts])


def show_iad_fields(iad):
    text = "".join(
        "%02X%02X" % (meaning, iad.field(meaning)) for meaning in range(1, 101) if iad.field(meaning) is not None
    )
    return text or "-"


def show_counter(counter):
    return "%d/%d" % counter if counter else "-"


def show_track2(track):
    return " ".join(
        [str(track.error)]
        + [digit_place(part) for part in (track.all, track.pan, track.expiry, track.service_code, track.discretionary)]
    )


def show_track1(track):
    error = str(track.error) if track.other_error is None else "%d~%d" % (track.error, track.other_error)
    return " ".join(
        [error]
        + [
            place(part)
            for part in (track.all, track.pan, track.name, track.expiry, track.service_code, track.discretionary)
        ]
    )


def show_form(form):
    return "%d %d %d %s %04X %04X %s %s" % (
        form.known,
        form.layout,
        form.device_present,
        hexed(form.device),
        form.country,
        form.identifier,
        place(form.proprietary),
        place(form.whole),
    )


def show_extract(x):
    head = "%d %d cid=%d.%02X type=%d.%d atc=%d.%04X psn=%d.%d cvm=%d.%s diff=%d%d" % (
        x.scheme,
        x.mode,
        x.cid_present,
        x.cid,
        x.type_known,
        x.type,
        x.atc_present,
        x.atc,
        x.sequence_present,
        x.sequence,
        x.cvm_present,
        hexed(x.cvm),
        x.pan_mismatch,
        x.expiry_mismatch,
    )
    parts = " ".join(place(part) for part in (x.cryptogram, x.unpredictable_number, x.tvr, x.par))
    digits = " ".join(digit_place(part) for part in (x.pan, x.expiry, x.service_code))
    return " ".join(
        [
            head,
            parts,
            "iad",
            show_iad(x.iad),
            "t2",
            show_track2(x.track2),
            "t1",
            show_track1(x.track1),
            "acc",
            digits,
            "ff",
            show_form(x.form_factor),
        ]
    )


class Lines:
    """The test lines. Each method takes the inputs of one function and computes its answer."""

    def __init__(self, out):
        self.out = out
        self.seen = set()

    def put(self, function, inputs, outputs):
        line = "%s | %s | %s" % (function, inputs, outputs)
        if line not in self.seen:
            self.seen.add(line)
            self.out.append(line)

    def aid(self, data):
        self.put("aid", hexed(data), scheme_of_aid(data))

    def kernel(self, data):
        self.put("kernel", hexed(data), scheme_of_kernel(data))

    def layout(self, layout):
        self.put("layout", layout, len(LAYOUTS.get(layout, [])))

    def fields(self, layout, data):
        self.put("fields", "%d %s" % (layout, hexed(data)), show_fields(layout, data))

    def find(self, layout, data, meaning):
        value = field_find(layout, data, meaning)
        self.put("find", "%d %s %d" % (layout, hexed(data), meaning), "-" if value is None else value)

    def iad(self, data, scheme):
        iad = iad_read(Part(0, data), scheme)
        counters = " ".join(show_counter(iad.counter(index)) for index in range(3))
        known = int(iad.format != IAD_UNKNOWN)
        self.put(
            "iad",
            "%d %s" % (scheme, hexed(data)),
            "%d %s %s %s" % (known, show_iad(iad), counters, show_iad_fields(iad)),
        )

    def digits(self, data, first, count, separator, capacity):
        nibbles = nibbles_of(Part(0, data)).nibbles[first : first + count]
        text = digits_text(nibbles, separator)
        if len(text) + 1 > capacity:
            text = ""
        self.put(
            "digits",
            "%s %d %d %02X %d" % (hexed(data), first, count, ord(separator), capacity),
            "%s %d %d %s"
            % ("".join("%X" % nibble for nibble in nibbles) or "-", luhn(nibbles), len(text), hexed(text.encode())),
        )

    def cn(self, data):
        digits = digits_of_cn(Part(0, data))
        self.put("cn", hexed(data), digit_place(digits))

    def equal(self, a, a_first, a_count, b, b_first, b_count):
        left = nibbles_of(Part(0, a)).nibbles[a_first : a_first + a_count]
        right = nibbles_of(Part(0, b)).nibbles[b_first : b_first + b_count]
        self.put(
            "equal", "%s %d %d %s %d %d" % (hexed(a), a_first, a_count, hexed(b), b_first, b_count), int(left == right)
        )

    def track2(self, data):
        track = track2_read(Part(0, data))
        self.put("track2", hexed(data), show_track2(track))

    def track1(self, data):
        track = track1_read(Part(0, data))
        self.put("track1", hexed(data), show_track1(track))

    def form(self, data, scheme):
        self.put("form", "%d %s" % (scheme, hexed(data)), show_form(form_factor_read(Part(0, data), scheme)))

    def chip(self, steps):
        chip, answers = load(steps)
        objects = [
            "~".join("%X:%d:%d:%s" % (item.tag, item.list, head, place(item.value)) for head in heads_of(item))
            for item in sorted(chip.objects.values(), key=lambda item: item.tag)
        ]
        self.put(
            "chip",
            show_steps(steps),
            " ".join([answers, "%d.%d.%d.%d" % (chip.error, chip.lists, len(chip.objects), chip.overflowed)] + objects),
        )

    def extract(self, steps, scheme):
        x = chip_extract(load(steps)[0], scheme)
        self.put("extract", "%d %s" % (scheme, show_steps(steps)), show_extract(x))

    def iso(self, steps, scheme, pin, separator):
        x = chip_extract(load(steps)[0], scheme)
        fields = iso_fields(x, pin, separator)
        self.put(
            "iso",
            "%d %s %d %02X" % (scheme, show_steps(steps), pin, ord(separator)),
            " ".join(hexed(field) for field in fields),
        )

    def klimit(self, kernel, steps):
        """A kernel's own set with its own limit: no error, not over the limit, and nothing that is required left out.

        The header does not say which limit that is; all required objects together stay below any that is in use."""
        self.put("klimit", "%d %s" % (kernel, show_steps(steps)), "0 1 1 1")

    def set(self, kernel):
        """The required tags, and tags that must be among the optional ones, both in ascending order."""
        entries = data_set_of_kernel(kernel).entries
        optional = sorted(tag for tag, required in entries if not required)
        required = sorted(tag for tag, required in entries if required)
        self.put(
            "set",
            "%d %s" % (kernel, show_entries([(tag, False) for tag in optional])),
            "%s %s" % (",".join("%X" % tag for tag in required) or "-", len(optional)),
        )

    def check(self, entries):
        error, tag = data_set_check(DataSet(entries, 0, False))
        self.put("check", show_entries(entries), "%d %X" % (error, tag))

    def write(self, data_set, capacity, steps):
        error, tag, size, left_out, data = data_set_write(load(steps)[0], data_set, capacity)
        left_out = "%d~0" % left_out if error and left_out else left_out  # the header leaves it open on an error
        self.put(
            "write",
            "%s %d %d %d %s"
            % (show_entries(data_set.entries), data_set.limit, data_set.leave_out, capacity, show_steps(steps)),
            "%d %X %d %s %s" % (error, tag, size, left_out, hexed(data)),
        )

    def kwrite(self, kernel, capacity, steps):
        """A kernel's own set without a limit. The written objects are compared in ascending order of their tags."""
        chip = load(steps)[0]
        error, tag, size, _, _ = data_set_write(chip, data_set_of_kernel(kernel), capacity)
        written = "".join(
            encode(tag, chip.value(tag).data).hex()
            for tag, _ in sorted(data_set_of_kernel(kernel).entries)
            if chip.value(tag).data
        )
        self.put(
            "kwrite",
            "%d %d %s" % (kernel, capacity, show_steps(steps)),
            "%d %X %d %s" % (error, tag, size, "-" if error else written.upper() or "-"),
        )


def heads_of(item):
    """After padding and before values of 128 to 255 bytes, a head of 0 is accepted too. The field is the same."""
    return [item.head, 0] if item.head and (item.padded or len(item.value.data) > 127) else [item.head]


def show_entries(entries):
    return ",".join("%X%s" % (tag, "*" if required else "") for tag, required in entries) or "-"


def show_steps(steps):
    return (
        ",".join(
            ("L" + data.hex().upper()) if tag is None else "V%X=%s" % (tag, data.hex().upper()) for tag, data in steps
        )
        or "-"
    )


def load(steps):
    """Steps are (None, a list of data objects) or (tag, a value)."""
    chip, at, answers = Chip(), 0, []
    for tag, data in steps:
        part = Part(at, data) if data else EMPTY
        if tag is None:
            answers.append(str(int(chip.add(part))))
        else:
            chip.add_value(tag, part)
            answers.append("v")
        at += len(data)
    return chip, "".join(answers) or "-"


# ---- the generator ----

SCHEMES = range(7)


class Generator:
    """Random and edge inputs from one seed."""

    def __init__(self, seed, lines):
        self.random = random.Random(seed)
        self.lines = lines

    # pieces

    def bytes(self, size):
        return bytes(self.random.randrange(256) for _ in range(size))

    def byte_of(self, *choices):
        return bytes([self.random.choice(choices)])

    def digits(self, count):
        return "".join(self.random.choice("0123456789") for _ in range(count))

    def luhn_pan(self, count):
        body = self.digits(count - 1)
        return next(body + last for last in "0123456789" if luhn([int(digit) for digit in body + last]))

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # schemes, fields

    def schemes(self):
        providers = list(PROVIDERS) + [
            "A000000004",
            "A000000042",
            "A000000658",
            "A000000732",
            "A000000371",
            "D276000025",
            "0000000000",
            "B000000003",
            "A000000006",
            "A000000324",
            "A0000003",
        ]
        for provider in providers:
            rid = bytes.fromhex(provider)
            for tail in (b"", b"\x10\x10", self.bytes(11)):
                self.lines.aid(rid + tail)
            for size in range(5):
                self.lines.aid(rid[:size])
            damaged = bytearray(rid + b"\x10\x10")
            damaged[self.random.randrange(len(rid))] ^= 1 << self.random.randrange(8)
            self.lines.aid(bytes(damaged))
        for byte in range(256):
            self.lines.kernel(bytes([byte]))
        for data in ("", "830001", "820000", "C30001", "000000"):  # domestic kernels have three bytes
            self.lines.kernel(bytes.fromhex(data))

    def fields(self):
        for layout in list(range(12)) + [64, 128, 254, 255]:
            self.lines.layout(layout)
            size = len(LAYOUTS.get(layout, []))
            for bit in range(8 * size):
                self.lines.fields(layout, (1 << bit).to_bytes(size, "big"))
            for _ in range(6):
                self.lines.fields(layout, self.bytes(size))
            for length in list(range(size)) + [size + 1, size + 5]:
                self.lines.fields(layout, self.bytes(length))
            named = {meaning for _, _, meaning, _ in layout_fields(layout, bytes(size))} - {0}
            others = self.random.sample([number for number in range(1, 101) if number not in named], 4)
            for meaning in sorted(named) + others + [101, 200, 255]:
                self.lines.find(layout, self.bytes(size), meaning)
                self.lines.find(layout, self.bytes(self.random.randrange(size + 1)), meaning)
                if meaning in named:
                    self.lines.find(layout, b"\xff" * size, meaning)

    # issuer application data

    def tail(self):
        """Discretionary data with a correct or wrong size, or nothing."""
        kind = self.random.randrange(8)
        data = self.bytes(self.random.randrange(16))
        if kind == 0:
            return b""
        if kind == 1:
            return bytes([len(data) + self.random.randrange(1, 20)]) + data
        if kind == 2:
            return bytes([max(len(data) - 1, 0)]) + data
        if kind == 3:
            return b"\x00"
        return bytes([len(data)]) + data

    def visa_iad(self):
        version = self.random.choice([0x0A, 0x11, 0x12, 0x01, 0x0F, 0x10, 0x1F, 0x30, 0x33, 0x3F])
        return (
            bytes([6, self.random.randrange(256), version, 3, self.random.randrange(256)]) + self.bytes(2) + self.tail()
        )

    def visa_long_iad(self):
        version = self.random.choice([0x20, 0x22, 0x2F, 0x40, 0x43, 0x4F])
        return (
            bytes([0x1F, version, self.random.randrange(256)])
            + self.bytes(5)
            + self.byte_of(0, 1, 5, 15)
            + self.bytes(23)
        )

    def plain_counter(self):
        return bytes.fromhex(self.digits(12)) + self.bytes(1) + b"\xff"

    def mchip_iad(self):
        size = self.random.choice([18, 18, 20, 26, 28])
        counters = b"".join(
            self.random.choice(
                [
                    self.plain_counter(),
                    self.plain_counter(),
                    self.bytes(8),
                    self.plain_counter()[:7] + b"\xfe",
                    b"\xff" * 8,
                    b"\x00\x00\x00\x00\x00\x0a\x00\xff",
                ]
            )
            for _ in range(2)
        )
        head = bytes([self.random.randrange(256), self.random.randrange(0x10, 0x16)]) + self.bytes(8)
        return (head + counters)[: 18 if size < 26 else 26] + self.bytes(2 if size in (20, 28) else 0)

    def short_iad(self, scheme):
        head = bytes(
            [
                7 if scheme != AMEX else 6,
                self.random.randrange(256),
                self.random.choice([1, 2, 3, self.random.randrange(256)]),
            ]
        )
        if scheme == JCB:
            return head + b"\x04" + self.bytes(4) + self.tail()
        if scheme == UNIONPAY:
            return head + b"\x03" + self.bytes(3) + self.byte_of(1, 4, 2, 0) + self.tail()
        return head + b"\x03" + self.bytes(3) + self.tail()

    def discover_iad(self):
        version = self.random.choice([0x05, 0x06, 0x15, 0x16])
        return bytes([self.random.randrange(256), version]) + self.bytes(
            (8 if version > 0x10 else 6) + self.random.randrange(15)
        )

    def ccd_iad(self):
        return bytes([0x0F, self.random.choice([0xA5, 0xA6])]) + self.bytes(14) + b"\x0f" + self.bytes(15)

    def good_iad(self, scheme):
        return {
            VISA: self.random.choice([self.visa_iad, self.visa_iad, self.visa_long_iad]),
            MASTERCARD: self.mchip_iad,
            AMEX: lambda: self.short_iad(AMEX),
            JCB: lambda: self.short_iad(JCB),
            UNIONPAY: lambda: self.short_iad(UNIONPAY),
            DISCOVER: self.discover_iad,
            UNKNOWN: self.random.choice([self.ccd_iad, self.visa_iad, self.mchip_iad]),
        }[scheme]()

    def iads(self):
        for scheme in SCHEMES:
            self.lines.iad(b"", scheme)
            self.lines.iad(self.bytes(33), scheme)
            self.lines.iad(self.bytes(255), scheme)
            self.lines.iad(self.ccd_iad(), scheme)
            for _ in range(70):
                self.lines.iad(self.good_iad(scheme), scheme)
            for _ in range(12):
                self.lines.iad(self.good_iad(scheme), self.random.choice(SCHEMES))
            self.damaged_iads(scheme)
        self.iad_versions()
        self.iad_sizes()

    def damaged_iads(self, scheme):
        for place in range(9):
            for _ in range(3):
                data = bytearray(self.good_iad(scheme))
                if place < len(data):
                    data[place] = self.random.choice([0, 3, 4, 6, 7, 15, 31, 0xFF, self.random.randrange(256)])
                    self.lines.iad(bytes(data), scheme)

    def iad_versions(self):
        for version in range(256):
            self.lines.iad(bytes([6, 1, version, 3]) + self.bytes(3), VISA)
            self.lines.iad(bytes([1, version]) + self.bytes(16), MASTERCARD)
            self.lines.iad(bytes([1, version]) + self.bytes(8), DISCOVER)
            if version % 3 == 0 or version >> 4 in (2, 4):
                self.lines.iad(bytes([0x1F, version]) + self.bytes(30), VISA)
            if version >= 0xA0:
                self.lines.iad(bytes([0x0F, version]) + self.bytes(14) + b"\x0f" + self.bytes(15), UNKNOWN)

    def iad_sizes(self):
        """Each format, truncated or extended to every size."""
        heads = (
            (VISA, b"\x06\x01\x0a\x03"),
            (VISA, b"\x1f\x22"),
            (MASTERCARD, b"\x01\x10"),
            (AMEX, b"\x06\x01\x01\x03"),
            (JCB, b"\x07\x01\x01\x04"),
            (UNIONPAY, b"\x07\x01\x01\x03"),
            (DISCOVER, b"\x01\x05"),
            (DISCOVER, b"\x01\x15"),
            (UNKNOWN, b"\x06\x01\x0a\x03"),
            (UNKNOWN, b"\x1f\x22"),
            (UNKNOWN, b"\x01\x10"),
            (UNKNOWN, b"\x0f\xa5"),
        )
        for scheme, head in heads:
            for size in range(1, 34):
                self.lines.iad((head + self.bytes(33))[:size], scheme)
        for first in (0x06, 0x0F, 0x1F, 0x07, 0x00):
            for size in (7, 8, 18, 20, 32):
                self.lines.iad(bytes([first]) + self.bytes(size - 1), UNKNOWN)
                self.lines.iad(bytes([first, 0x10, 0x12, 3]) + self.bytes(size - 4), UNKNOWN)

    # digits and tracks

    def digit_functions(self):
        for _ in range(120):
            data = self.random.choice(
                [self.bytes(self.random.randrange(1, 20)), bytes.fromhex(self.digits(2 * self.random.randrange(1, 20)))]
            )
            first = self.random.randrange(4)
            count = self.random.randrange(max(2 * len(data) - first, 0) + 1)
            self.lines.digits(
                data,
                first,
                count,
                self.random.choice("=D"),
                self.random.choice([count, count + 1, count + 2, 0, 1, 300]),
            )
        for count in list(range(2, 20)) + [30]:
            for damage in (0, 0, 1, 5, 9):
                pan = self.luhn_pan(count)
                pan = pan[:-1] + str((int(pan[-1]) + damage) % 10)
                self.lines.digits(bytes.fromhex(pan + "F" * (count % 2)), 0, count, "=", 40)
                self.lines.digits(bytes.fromhex("C" + pan + "F" * (1 - count % 2)), 1, count, "=", 40)
        for nibble in range(16):
            self.lines.digits(bytes([0x30 | nibble, nibble << 4]), 0, 4, "D", 8)
        self.cn_values()
        for _ in range(60):
            a = bytes.fromhex(self.digits(12))
            first, count = self.random.randrange(3), self.random.randrange(9)
            run = nibbles_of(Part(0, a)).nibbles[first : first + count]
            shift = self.random.randrange(3)
            text = "5" * shift + "".join(str(nibble) for nibble in run)
            text += "7" * (len(text) % 2) + "11"
            b = bytearray(bytes.fromhex(text))
            if self.chance(40):
                b[self.random.randrange(len(b))] ^= 1 << self.random.randrange(8)
            self.lines.equal(a, first, count, bytes(b), shift, max(count + self.random.choice([0, 0, 0, -1]), 0))
        self.lines.equal(b"", 0, 0, b"", 0, 0)

    def cn_values(self):
        for _ in range(60):
            text = self.digits(self.random.randrange(21))
            text += "F" * self.random.choice([0, 0, 1, 2, 5])
            text += "F" * (len(text) % 2)
            data = bytearray.fromhex(text)
            if data and self.chance(30):
                data[self.random.randrange(len(data))] = self.random.randrange(256)
            self.lines.cn(bytes(data))
        for text in ("", "FF", "FFFF", "F1", "1F", "12FF", "1F2F", "D1", "1D", "0F", "00"):
            self.lines.cn(bytes.fromhex(text))
        for size in (126, 127):
            self.lines.cn(bytes.fromhex(self.digits(2 * size)))
        for digits, size in (
            (255, 128),
            (254, 128),
            (1, 128),
            (0, 200),
            (20, 255),
            (0, 255),
            (20, 256),
            (300, 256),
            (512, 256),
        ):
            self.lines.cn(bytes.fromhex(self.digits(digits) + "F" * (2 * size - digits)))
        self.lines.cn(bytes.fromhex(self.digits(256)))
        self.lines.cn(bytes.fromhex(self.digits(400)))
        self.lines.cn(bytes.fromhex(self.digits(510)))

    def track2_text(self, pan=None):
        pan = pan or self.digits(self.random.choice([16, 16, 16, 19, 12, 15, 1, 13]))
        expiry = self.random.choice([self.digits(4)] * 5 + ["D"])
        service = self.random.choice([self.digits(3)] * 5 + ["D"])
        room = 37 - len(pan) - 1 - len(expiry) - len(service)
        return pan + "D" + expiry + service + self.digits(self.random.randrange(room + 1))

    @staticmethod
    def packed(text):
        return bytes.fromhex(text + "F" * (len(text) % 2))

    def track2s(self):
        for _ in range(90):
            self.lines.track2(self.packed(self.track2_text()))
        for _ in range(200):
            text = self.track2_text()
            place = self.random.randrange(len(text))
            nibble = self.random.choice("0123456789ABCDEF")
            self.lines.track2(
                self.packed(
                    self.random.choice(
                        [
                            text[:place] + nibble + text[place + 1 :],
                            text[:place] + text[place + 1 :],
                            text[:place],
                            text[:place] + nibble + text[place:],
                        ]
                    )
                )
            )
        for count in range(23):
            pan = self.digits(count)
            self.lines.track2(self.packed(pan + "D2512201" + "1"))
            self.lines.track2(self.packed(pan + "D2512201"))
            self.lines.track2(self.packed(pan))
            self.lines.track2(self.packed(pan + "D"))
        for text in (
            "",
            "FF",
            "FFFF",
            "D",
            "DD",
            "DDD",
            "1D",
            "1DD",
            "1DDD",
            "1DDD5",
            "12DD201",
            "12D2512D",
            "12D2512D9",
            "12D2512",
            "12D251",
            "12D25122",
            "12D2512201A",
            "12D2512201D",
            "12D2512201FF",
            "12D2512201FFFF",
            "1AD2512201",
            "A",
            "F1D2512201",
            "12D25A2201",
            "12D25122B1",
            "1F2D2512201",
            "12E2512201",
            "12DFFFF201",
            "12D2512FFF",
        ):
            self.lines.track2(self.packed(text))
        for size in (18, 19, 20, 21, 40, 255):
            self.lines.track2(self.packed((self.digits(16) + "D2512201" + self.digits(500))[: 2 * size]))
            self.lines.track2(self.packed((self.digits(16) + "D2512201" + self.digits(5) + "F" * 500)[: 2 * size]))

    def name(self, size=None):
        size = size or self.random.choice([2, 3, 12, 25, 26])
        return "".join(self.random.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ/ .") for _ in range(size))

    def track1_text(self, pan=None):
        pan = pan or self.digits(self.random.choice([16, 16, 19, 13, 1]))
        text = "B%s^%s^%s%s" % (
            pan,
            self.name(),
            self.random.choice([self.digits(4)] * 4 + ["^"]),
            self.random.choice([self.digits(3)] * 4 + ["^"]),
        )
        return text + "".join(
            self.random.choice("0123456789 ABC") for _ in range(self.random.randrange(77 - len(text)))
        )

    def track1s(self):
        for _ in range(70):
            self.lines.track1(self.track1_text().encode())
        for _ in range(150):
            data = bytearray(self.track1_text().encode())
            place = self.random.randrange(len(data))
            byte = self.random.choice(b"^B09A=?% \x00\x1f\x20\x5f\x60\x7e\x7f\x80\xff")
            kind = self.random.randrange(4)
            if kind == 0:
                data[place] = byte
            elif kind == 1:
                del data[place]
            elif kind == 2:
                del data[place:]
            else:
                data.insert(place, byte)
            self.lines.track1(bytes(data))
        for text in (
            "",
            "A",
            "B",
            "B^",
            "B^^",
            "B1^",
            "B1^^",
            "B1^A^",
            "B1^AB^",
            "B1^AB^^",
            "B1^AB^^^",
            "B1^AB^^^X",
            "B1^AB^2512^",
            "B1^AB^2512",
            "B1^AB^25122",
            "B1^AB^2512201",
            "B1^AB^251",
            "B1^AB^25A2201",
            "B1^AB^25122A1",
            "B1",
            "B12345678901234567890^AB^2512201",
            "B12A4^AB^2512201",
            "B 12^AB^2512201",
            "B1^AB",
            "%B1^AB^2512201?",
            "B1^AB^2512201?",
            "B1^AB^2512201^",
            "b1^AB^2512201",
            "B1^ABCDEFGHIJKLMNOPQRSTUVWXYZ^2512201",
            "B1^ABCDEFGHIJKLMNOPQRSTUVWXYZA^2512201",
            "C1^AB^2512201",
        ):
            self.lines.track1(text.encode())
        for size in (75, 76, 77, 100, 255):
            self.lines.track1(
                ("B" + self.digits(16) + "^" + self.name(20) + "^2512201" + self.digits(300))[:size].encode()
            )

    # form factors

    def third_party(self):
        identifier = self.random.choice([b"\x00\x00", b"\x80\x00", b"\x00\x03", b"\x80\x03", self.bytes(2)])
        device = b"" if identifier[0] & 0x80 else self.random.choice([b"00", b"01", b"36", self.bytes(2)])
        rest = b"\x00" if identifier == b"\x00\x00" else self.bytes(self.random.randrange(1, 29 - len(device)))
        return bytes.fromhex("0" + self.digits(3)) + identifier + device + rest

    def forms(self):
        for scheme in list(SCHEMES):
            for size in list(range(10)) + [31, 32, 33, 64]:
                self.lines.form(self.bytes(size), scheme)
            for first in range(0, 256, 17 if scheme in (VISA, JCB, AMEX) else 85):
                self.lines.form(bytes([first]) + self.bytes(3), scheme)
                self.lines.form(bytes([first]) + self.bytes(2), scheme)
        for _ in range(60):
            data = self.third_party()
            self.lines.form(data, MASTERCARD)
            self.lines.form(data[: self.random.randrange(len(data) + 1)], MASTERCARD)
        for size in range(4, 36):
            self.lines.form((b"\x08\x40\x00\x01" + self.bytes(40))[:size], MASTERCARD)
            self.lines.form((b"\x08\x40\x80\x01" + self.bytes(40))[:size], MASTERCARD)

    # the data of one read

    def card(self, scheme, track=True):
        """Data objects of one transaction by tag."""
        pan = self.luhn_pan(self.random.choice([16, 16, 19, 15]))
        month = "%02d%02d" % (self.random.randrange(100), self.random.randrange(1, 13))
        rid = next(bytes.fromhex(rid) for rid, owner in PROVIDERS.items() if owner == (scheme or VISA))
        objects = {
            0x84: rid + b"\x10\x10",
            0x82: self.bytes(2),
            0x50: b"CREDIT",
            0x5A: self.packed(pan),
            0x5F24: bytes.fromhex(month + "31"),
            0x5F34: bytes.fromhex(self.digits(2)),
            0x9F26: self.bytes(8),
            0x9F27: self.byte_of(0, 0x40, 0x80, 0xC0, 0x85),
            0x9F36: self.bytes(2),
            0x9F10: self.good_iad(scheme),
            0x9F37: self.bytes(4),
            0x95: self.bytes(5),
            0x9F34: self.bytes(3),
            0x9F02: bytes.fromhex(self.digits(12)),
            0x9F03: bytes(6),
            0x5F2A: b"\x09\x78",
            0x9F1A: b"\x02\x80",
            0x9A: bytes.fromhex("261122"),
            0x9C: self.byte_of(0, 1, 0x20),
            0x9F33: self.bytes(3),
            0x9F35: b"\x22",
            0x9F21: bytes.fromhex("141500"),
            0x9F09: self.bytes(2),
        }
        if track:
            objects[0x57] = self.packed(pan + "D" + month + "201" + self.digits(5))
        extras = {
            0x56: self.track1_text(pan).encode(),
            0x9F6B: self.packed(self.track2_text()),
            0x9F6E: self.third_party() if scheme == MASTERCARD else self.bytes(4),
            0x9F67: self.bytes(3),
            0x9F24: self.name(29).encode(),
            0x4F: rid + b"\x20",
            0x9F06: rid + b"\x30\x10",
            0x5F30: b"\x02\x01",
            0x9F12: b"PREFERRED",
            0x9F7C: self.bytes(20),
            0x9F07: self.bytes(2),
            0x5F20: self.name(20).encode(),
            0x9F1F: self.digits(20).encode(),
            0x9F1E: b"12345678",
            0x9F53: b"R",
            0x9F19: bytes(6),
            0x9F63: self.bytes(16),
            0x9F8106: self.bytes(self.random.choice([1, 20, 128])),
            0x9F810D: self.bytes(2),
            0x9F8109: self.bytes(8),
            0x9F11: b"\x01",
            0x9F08: self.bytes(2),
            0x9F4B: self.bytes(self.random.choice([16, 20, 24, 144])),
            0xBF0C: encode(0x9F5A, b"1"),
            0x9F02F0: b"",
        }
        for tag, value in extras.items():
            if value and self.chance(30):
                objects[tag] = value
        return objects

    def damage(self, objects):
        """Removes, truncates, extends or changes some of the objects."""
        for tag in self.random.sample(sorted(objects), self.random.randrange(5)):
            kind = self.random.randrange(5)
            value = objects[tag]
            if kind == 0:
                del objects[tag]
            elif kind == 1:
                objects[tag] = value[: self.random.randrange(len(value) + 1)]
            elif kind == 2:
                objects[tag] = value + self.bytes(1)
            elif kind == 3:
                objects[tag] = self.bytes(len(value))
            else:
                objects[tag] = b""
        return objects

    def steps(self, objects, damaged=False):
        """The objects in up to three lists and single values, with padding and repetitions here and there."""
        tags = list(objects)
        self.random.shuffle(tags)
        lists = [b""] * self.random.choice([1, 1, 2, 3])
        values = []
        for tag in tags:
            if self.chance(5):
                values.append((tag, objects[tag]))
                continue
            number = self.random.randrange(len(lists))
            padding = self.random.choice([b""] * 20 + [b"\x00", b"\xff", b"\x00\x00"])
            lists[number] += padding + encode(tag, objects[tag])
        if self.chance(20):
            tag = self.random.choice(tags)
            lists[-1] += encode(tag, self.bytes(len(objects[tag])))
        if damaged:
            number = self.random.randrange(len(lists))
            lists[number] = lists[number][: self.random.randrange(len(lists[number]) + 1)] + self.random.choice(
                [
                    b"",
                    b"\x9f",
                    b"\x9f\x81\x82\x83\x01",
                    b"\x82",
                    b"\x82\x80",
                    b"\x82\x85",
                    b"\x82\x82\x01",
                    b"\x82\x7f\x01",
                ]
            )
        steps = [(None, data) for data in lists] + values
        if self.chance(20):
            self.random.shuffle(steps)
        return steps

    def chips(self):
        self.lines.chip([])
        for _ in range(45):
            self.lines.chip(self.steps(self.damage(self.card(self.random.choice(SCHEMES)))))
        for _ in range(45):
            self.lines.chip(self.steps(self.damage(self.card(self.random.choice(SCHEMES))), True))
        for data in (
            "",
            "00",
            "FF",
            "0000FF",
            "8200",
            "820000",
            "9F",
            "9F81",
            "9F8182",
            "9F818283",
            "9F81828301",
            "9F8182030100",
            "1F0101AA",
            "5F810101AA",
            "82",
            "8280",
            "8281",
            "828100",
            "82810101",
            "82820001AA",
            "8283000001AA",
            "828400000001AA",
            "8285000000000100",
            "82FF",
            "82840FFFFFFF",
            "828201",
            "8202AA",
            "8202AABB82020102",
            "820095020102820101",
            "7004820101",
            "700382020A0A",
            "9F02810101",
            "9F020101",
            "9F810101AA",
            "9F81068101AA",
            "E00182",
            "BF0C035A0112",
        ):
            self.lines.chip([(None, bytes.fromhex(data))])
            self.lines.chip([(None, bytes.fromhex(data)), (None, bytes.fromhex("8202ABCD9501EE"))])
            self.lines.chip([(0x82, b"\x01\x02"), (None, bytes.fromhex(data)), (0x95, b"12345")])
        self.lines.chip([(0x84, b""), (0x84, b"A"), (0x84, b"B"), (None, bytes.fromhex("840143"))])
        for size in (0x7F, 0x80, 0xFF, 0x100, 0x101, 1000):
            for tag in (0x82, 0x9F02, 0x9F8106):
                self.lines.chip([(None, encode(tag, bytes(size)))])
        for count in (95, 96, 97, 120, 127):
            many = [encode(0x9F00 | number, bytes([number])) for number in range(count)]
            self.lines.chip([(None, b"".join(many))])
            self.lines.chip([(None, b"".join(many[:90])), (None, b"".join(many[80:])), (0x84, b"1")])
            self.lines.chip([(None, b"".join(many) + encode(0x9F05, b"again"))])

    def extracts(self):
        self.lines.extract([], UNKNOWN)
        self.single_rules()
        for scheme in SCHEMES:
            for _ in range(30):
                card = self.card(scheme, self.chance(85))
                if self.chance(70):
                    self.damage(card)
                self.lines.extract(self.steps(card, self.chance(5)), self.random.choice([UNKNOWN, scheme, scheme]))
        for _ in range(60):
            self.extract_focus()

    def single_rules(self):
        pan, other = self.packed(self.luhn_pan(16)), self.packed(self.luhn_pan(16))
        for own in (b"", pan, other, pan + b"\xff", b"\xff", pan[:-1] + b"\x1f", pan[:-1] + b"\xa1"):
            for track in (
                b"",
                pan + b"\xd2\x51\x22\x01",
                pan + b"\xd2\x51\x2d\x01",
                pan + b"\xdd\x20\x1f",
                pan,
                b"\xd0\x10",
            ):
                for tag in (0x57, 0x9F6B):
                    self.lines.extract([(0x5A, own), (tag, track), (0x5F24, b"\x25\x12\x31")], VISA)
        for date in (
            b"\x25\x12\x31",
            b"\x25\x11\x30",
            b"\x25\x12",
            b"",
            b"\x25\x12\x31\x00",
            b"\x99\x99\x99",
            b"\x25\x1a\x01",
        ):
            for track in (b"", pan + b"\xd2\x51\x22\x01", pan + b"\xdd\x20\x1f"):
                self.lines.extract([(0x57, track), (0x5F24, date)], UNKNOWN)
                self.lines.iso([(0x57, track), (0x5F24, date)], UNKNOWN, 0, "=")
        track1 = ("B%s^AB^2612201" % self.digits(16)).encode()
        self.lines.extract([(0x56, track1), (0x5A, pan), (0x5F24, b"\x25\x12\x31")], MASTERCARD)
        self.lines.extract([(0x57, pan), (0x9F6B, other + b"\xd2\x51\x22\x01")], MASTERCARD)
        for scheme in SCHEMES:
            for size in (0, 3, 4, 5, 6, 7):
                self.lines.extract([(0x9F10, b"\x06\x01\x0a\x03\xa0\x00\x00"[:size])], scheme)
                self.lines.extract([(0x9F10, b"\xff" * size), (0x9F26, bytes(8))], scheme)
        for names in ((0x84, 0x4F), (0x4F, 0x9F06), (0x84, 0x9F06), (0x9F06,), (0x4F,), (0x84,)):
            rids = ["A000000003", "A000000004", "D276000025"]
            for _ in range(4):
                self.lines.extract([(tag, bytes.fromhex(self.random.choice(rids) + "1010")) for tag in names], UNKNOWN)

    def extract_focus(self):
        """Few objects, to test rules one by one."""
        scheme = self.random.choice(SCHEMES)
        full = self.card(scheme)
        full[0x56], full[0x9F6B] = self.track1_text().encode(), self.packed(self.track2_text())
        full[0x9F06], full[0x4F] = bytes.fromhex("A0000000041010"), bytes.fromhex("A0000000651010")
        tags = self.random.sample(sorted(full), self.random.randrange(1, 6))
        objects = {tag: full[tag] for tag in tags}
        self.lines.extract(self.steps(objects), self.random.choice([UNKNOWN, scheme]))
        for cid in (b"\x00", b"\x40", b"\x80", b"\xc0", b"\x8f", b"", b"\x80\x00"):
            self.lines.extract([(0x9F27, cid), (0x9F26, bytes(8)), (0x9F10, self.good_iad(scheme))], scheme)
        for sequence in (b"\x00", b"\x09", b"\x99", b"\x0a", b"\xa0", b"\xff", b"\x01\x01"):
            self.lines.extract([(0x5F34, sequence)], scheme)

    # field 55 and the other fields

    def required_card(self, kernel):
        """Every object of a kernel's set."""
        objects = {tag: self.bytes(self.random.randrange(1, 9)) for tag, _ in data_set_of_kernel(kernel).entries}
        if self.chance(10) and objects:
            objects[self.random.choice(sorted(objects))] = self.bytes(
                self.random.choice([127, 128, 130, 255, 256, 300])
            )
        return objects

    def kernel_sets(self):
        for kernel in list(range(12)) + [16, 255]:
            self.lines.set(kernel)
        for kernel in range(2, 9):
            entries = data_set_of_kernel(kernel).entries
            for _ in range(10):
                objects = self.required_card(kernel)
                for tag, required in entries:
                    if not required and self.chance(40):
                        del objects[tag]
                size = sum(len(encode(tag, value)) for tag, value in objects.items())
                steps = self.steps(objects)
                required_size = data_set_write(
                    load(steps)[0], DataSet([entry for entry in entries if entry[1]], 0, False), 4000
                )[2]
                self.lines.kwrite(kernel, self.random.choice([3000, 3000, size + 400]), steps)
                self.lines.kwrite(
                    kernel, self.random.randrange(required_size), self.steps_of_required(objects, entries)
                )
            for _ in range(5):
                objects = self.required_card(kernel)
                for tag, required in entries:
                    size = 2 if required else self.random.choice([1, 20, 60, 127, 130])
                    objects[tag] = self.bytes(size)
                self.lines.klimit(kernel, self.steps(objects))
            for tag, required in entries:
                if required:
                    objects = self.required_card(kernel)
                    del objects[tag]
                    self.lines.kwrite(kernel, 3000, self.steps(objects))
        self.lines.kwrite(9, 10, [(0x82, b"1")])

    def steps_of_required(self, objects, entries):
        return self.steps({tag: objects[tag] for tag, required in entries if required})

    def write_around(self, base, steps):
        """The same set with limits and buffers around the size that is needed."""
        error, _, size, _, _ = data_set_write(load(steps)[0], base, 4000)
        if error != SET_OK:
            self.lines.write(base, 4000, steps)
            return
        limit = self.random.choice(
            [0, 0, 255, 999, size, size - 1, size // 2, max(size - self.random.randrange(60), 1), 1]
        )
        leave_out = self.chance(60)
        capacity = self.random.choice([4000, 4000, size, size - 1, limit, 0, size // 2])
        self.lines.write(DataSet(base.entries, max(limit, 0), leave_out), max(capacity, 0), steps)

    def own_sets(self):
        pool = [
            0x82,
            0x84,
            0x95,
            0x9A,
            0x9C,
            0x57,
            0x5A,
            0x5F2A,
            0x9F02,
            0x9F10,
            0x9F26,
            0x9F6E,
            0x9F8106,
            0xDF8129,
            0xBF0C,
        ]
        for _ in range(150):
            tags = self.random.sample(pool, self.random.randrange(1, 12))
            objects = {
                tag: self.bytes(self.random.choice([1, 2, 4, 8, 20, 127, 128])) for tag in tags if self.chance(85)
            }
            entries = [(tag, self.chance(35) and (tag in objects or self.chance(10))) for tag in tags]
            self.write_around(DataSet(entries, 0, False), self.steps(objects) if objects else [])
        for size in (127, 128, 255, 256):
            for tag in (0x9A, 0x9F10, 0x9F8106):
                objects = {tag: self.bytes(size)}
                for capacity in (4000, size + 4, size + 3):
                    self.lines.write(DataSet([(tag, True)], 0, False), capacity, self.steps(objects))
                    self.lines.write(DataSet([(tag, False)], size + 4, True), capacity, [(tag, objects[tag])])
        many = [0x9F00 | number for number in range(1, 71)]
        for count in (63, 64):
            entries = [(tag, tag % 3 == 0) for tag in many[:count]]
            steps = [(None, b"".join(encode(tag, self.bytes(1 + tag % 5)) for tag in many))]
            for limit in (0, 200, 255, 150, 999):
                for leave_out in (False, True):
                    self.lines.write(DataSet(entries, limit, leave_out), 4000, steps)
        self.lines.write(DataSet([], 0, False), 0, [])
        self.lines.write(DataSet([], 1, True), 10, [(0x82, b"1")])

    def checks(self):
        good = [(0x9F00 | number, False) for number in range(1, 100)]
        for count in (0, 1, 2, 63, 64, 65, 99):
            self.lines.check(good[:count])
        self.lines.check(good[:64] + good[:1])
        for _ in range(60):
            entries = self.random.sample(good, self.random.randrange(1, 20))
            if self.chance(60):
                entries.insert(self.random.randrange(len(entries) + 1), self.random.choice(entries))
            if self.chance(40):
                entries.insert(
                    self.random.randrange(len(entries) + 1),
                    (
                        self.random.choice(
                            [0, 0x1F, 0x9F, 0x9F81, 0x8201, 0x9F0201, 0xDF8180, 0xDF818203, 0x5F2A00, 0x9F818283]
                        ),
                        False,
                    ),
                )
            self.lines.check(entries)

    def isos(self):
        for _ in range(120):
            scheme = self.random.choice(SCHEMES)
            card = self.card(scheme, self.chance(80))
            if self.chance(50):
                card[0x56] = self.track1_text().encode()
            if self.chance(40):
                card.pop(0x9F26)
            if self.chance(40):
                self.damage(card)
            self.lines.iso(self.steps(card), scheme, self.random.randrange(3), self.random.choice("=D"))
        for count in (1, 12, 16, 19, 20, 21, 30):
            self.lines.iso([(0x5A, self.packed(self.digits(count)))], UNKNOWN, 0, "=")
        for text in (
            self.digits(16) + "D2512201" + self.digits(13),
            self.digits(16) + "D2512201" + self.digits(14),
            self.digits(16) + "DDD",
            "1D2512201",
        ):
            self.lines.iso([(0x57, self.packed(text))], UNKNOWN, 1, "D")
        for pin in range(10):  # above 9 is no digit; the header does not say what then
            self.lines.iso([(0x9F26, bytes(8))], VISA, pin, "=")
        self.lines.iso([], UNKNOWN, 0, "=")

    def everything(self):
        self.schemes()
        self.fields()
        self.iads()
        self.digit_functions()
        self.track2s()
        self.track1s()
        self.forms()
        self.chips()
        self.extracts()
        self.kernel_sets()
        self.own_sets()
        self.checks()
        self.isos()


def generate(seed):
    out = []
    lines = Lines(out)
    Generator(seed, lines).everything()
    print("# Tests/Independent/generators/cryptogram.py, seed %d" % seed)
    print("# function | inputs | expected outputs")
    print("\n".join(out))


def main():
    if sys.argv[1:2] == ["--write"]:
        with open(sys.argv[2] + "/cryptogram.txt", "w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
            generate(SEED)
    else:
        generate(int(sys.argv[1]) if len(sys.argv) > 1 else SEED)


if __name__ == "__main__":
    main()
