#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of the decision rules of Entry Point, Kernel 2 and Kernel 3, and a generator of
random cases for them.

It was written from the specifications and from the contracts in the headers, by someone who had not read the C code.
It is slow and plain on purpose. Clauses are cited beside each rule: "B" is Book B v2.10, "C-3" is Book C-3 v2.10,
"Book 3" and "Book 4" are EMV 4.4; labels such as S456.18, CVM.17, TAA.6 or GAC.7 are steps of Kernel 2.

Usage: rules.py [SEED]          to standard output
       rules.py --write DIR     DIR/rules.txt

Each line is: function | inputs | expected outputs. Numbers are decimal; bytes are hexadecimal behind an "x". An output
"?" is not compared, because no specification says what it is. The expected values come from this file alone."""

import contextlib
import sys

DEFAULT_SEED = 20260722


# ---------------------------------------------------------------------------------------------------------------
# Numbers and dates
# ---------------------------------------------------------------------------------------------------------------

def nibbles(data):
    """The half bytes of a byte string, high half first."""
    result = []
    for byte in data:
        result.append(byte >> 4)
        result.append(byte & 15)
    return result


def pack(half_bytes):
    """The reverse of nibbles(); an even number of them."""
    assert len(half_bytes) % 2 == 0
    return bytes(half_bytes[i] << 4 | half_bytes[i + 1] for i in range(0, len(half_bytes), 2))


def bcd_number(data):
    """The number that binary coded decimal bytes stand for, or None if a half byte is no digit."""
    number = 0
    for digit in nibbles(data):
        if digit > 9:
            return None
        number = number * 10 + digit
    return number


def cn_digits(data):
    """The digits of a compressed numeric value (digits, then only F), or None."""
    halves = nibbles(data)
    while halves and halves[-1] == 15:
        halves.pop()
    for digit in halves:
        if digit > 9:
            return None
    return halves


LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def in_format(value, form):
    """Book 3, 4.3 and Book 4, Annex B: the characters of a format."""
    if form == N:
        return all(digit <= 9 for digit in nibbles(value))
    if form == CN:
        return cn_digits(value) is not None
    if form == A:
        return all(byte in LETTERS for byte in value)
    if form == AN:
        return all(byte in LETTERS or byte in b"0123456789" for byte in value)
    if form == ANS:
        return all(0x20 <= byte <= 0x7E for byte in value)
    return True


def days_in_month(year, month):
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


def date_days(yymmdd):
    """Days from 1950-01-01 to this day, or None if it is no day. Book 4: years 50 to 99 are 19xx."""
    if len(yymmdd) != 3:
        return None
    parts = [bcd_number(bytes([byte])) for byte in yymmdd]
    if None in parts:
        return None
    year, month, day = parts
    year += 1900 if year >= 50 else 2000
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        return None
    days = 0
    for earlier in range(1950, year):
        days += sum(days_in_month(earlier, m) for m in range(1, 13))
    for earlier in range(1, month):
        days += days_in_month(year, earlier)
    return days + day - 1


def time_seconds(hhmmss):
    """Seconds since midnight, or None if it is no time of day."""
    if len(hhmmss) != 3:
        return None
    parts = [bcd_number(bytes([byte])) for byte in hhmmss]
    if None in parts or parts[0] > 23 or parts[1] > 59 or parts[2] > 59:
        return None
    return (parts[0] * 60 + parts[1]) * 60 + parts[2]


def luhn_ok(pan):
    """The check digit of an account number: every second digit from the right is doubled, crosswise sums add to 0."""
    digits = cn_digits(pan)
    if not digits:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        if place % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10 == 0


# ---------------------------------------------------------------------------------------------------------------
# Lists: data objects, data object lists, file locators
# ---------------------------------------------------------------------------------------------------------------

B, N, CN, AN, ANS, A, VAR = range(7)

# Formats of Book 3, Annex A, for the data objects that the cases below hold.
FORMATS = {0x9F02: N, 0x9A: N, 0x5F2A: N, 0x9C: N, 0x9F37: B, 0x9F1A: N, 0x9F4E: ANS, 0x9F1E: AN, 0x9F15: N,
           0x9F35: N, 0x95: B, 0x5A: CN, 0x9F36: B, 0x5F24: N, 0x5F20: ANS}


def build_dol(dol, objects, capacity):
    """Book 3, 5.4, from a dictionary of what may be told. None if the list is malformed or asks for too much."""
    try:
        entries = dol_entries(dol)
    except Malformed:
        return None
    built = b"".join(dol_fit(length, objects.get(tag, b""), FORMATS.get(tag, B)) for tag, length in entries)
    return built if len(built) <= capacity else None


class Malformed(Exception):
    """Carries the number of the codec's error (wire errors of the header)."""


TRUNCATED_TAG, LONG_TAG, TRUNCATED_LENGTH = 1, 2, 3

OPEN = object()     # an output that no specification says: it is not compared


def read_tag(data, at):
    """One tag of up to four bytes. Returns it and the place behind it."""
    if at >= len(data):
        raise Malformed(TRUNCATED_TAG)
    tag = data[at]
    at += 1
    if tag & 0x1F != 0x1F:
        return tag, at
    size = 1
    while True:
        if size == 4:
            raise Malformed(LONG_TAG)
        if at >= len(data):
            raise Malformed(TRUNCATED_TAG)
        byte = data[at]
        at += 1
        size += 1
        tag = tag << 8 | byte
        if byte & 0x80 == 0:
            return tag, at


def dol_entries(dol):
    """Book 3, 5.4: tag and length pairs."""
    entries = []
    at = 0
    while at < len(dol):
        tag, at = read_tag(dol, at)
        if at >= len(dol):
            raise Malformed(TRUNCATED_LENGTH)
        entries.append((tag, dol[at]))
        at += 1
    return entries


def dol_fit(length, value, form):
    """Book 3, 5.4: how a value is fitted to the length that a list asks for. Without a value there are zeros."""
    if not value:
        return bytes(length)
    if len(value) > length:
        return value[len(value) - length:] if form == N else value[:length]
    missing = length - len(value)
    if form == N:
        return bytes(missing) + value
    return value + (b"\xFF" if form == CN else b"\x00") * missing


def afl_records(afl, limit):
    """Book 3, 10.2 and 7.5: the records in reading order, or None if the locator is not valid."""
    if len(afl) == 0 or len(afl) % 4 != 0:
        return None
    records = []
    for at in range(0, len(afl), 4):
        sfi, first, last, signed = afl[at] >> 3, afl[at + 1], afl[at + 2], afl[at + 3]
        if sfi == 0 or sfi == 31 or first == 0 or last < first or signed > last - first + 1:
            return None
        for number in range(first, last + 1):
            records.append((sfi, number, number - first < signed))
    return records if len(records) <= limit else None


def repeats(records):
    places = [(sfi, number) for sfi, number, _ in records]
    return len(set(places)) != len(places)


def object_value(record, tag):
    """The value of the first object with this tag in a list of data objects, or None."""
    at = 0
    while at < len(record):
        try:
            found, at = read_tag(record, at)
        except Malformed:
            return None
        if at >= len(record):
            return None
        length = record[at]
        at += 1
        if length > 0x7F:
            count = length & 0x7F
            if count == 0 or count > 4 or at + count > len(record):
                return None
            length = int.from_bytes(record[at:at + count], "big")
            at += count
        if at + length > len(record):
            return None
        if found == tag:
            return record[at:at + length]
        at += length
    return None


def id_length_values(data):
    """B A.1 and 3.3.1.2: two bytes of identifier, one of length, a value. Returns the items and whether a length is
    wrong."""
    items = []
    at = 0
    while at < len(data):
        if at + 3 > len(data) or at + 3 + data[at + 2] > len(data):
            return items, True
        items.append((data[at] << 8 | data[at + 1], data[at + 3:at + 3 + data[at + 2]]))
        at += 3 + data[at + 2]
    return items, False


# ---------------------------------------------------------------------------------------------------------------
# Account numbers
# ---------------------------------------------------------------------------------------------------------------

def track_2_pan(track):
    """The one to nineteen digits before the separator D; None if it is otherwise."""
    digits = []
    for half in nibbles(track):
        if half == 0xD:
            return digits if 1 <= len(digits) <= 19 else None
        if half > 9:
            return None
        digits.append(half)
    return None


def pan_agrees_with_track_2(pan, track):
    """C-3, A.2: the account number of 5A is the one in 57, where both are there."""
    if not pan or not track:
        return True
    return cn_digits(pan) == track_2_pan(track)


def track_2_expiry(track):
    """The four digits behind the separator, or None; open where they are no digits."""
    pan = track_2_pan(track)
    if pan is None:
        return None
    date = nibbles(track)[len(pan) + 1:len(pan) + 5]
    if len(date) < 4 or date[0] == 13:
        return None
    return pack(date) if all(half <= 9 for half in date) else OPEN


def pan_of(pan, equivalent, track_2):
    """5A, else the account number of 57, else of 9F6B. The digits, or none."""
    if pan:
        return cn_digits(pan) or []
    for track in (equivalent, track_2):
        digits = track_2_pan(track) if track else None
        if digits:
            return digits
    return []


def on_exception_list(pan, sequence, exceptions):
    """C-3 5.5.1.2: account number and sequence number. `sequence` is None where the card has none; open against an
    exception for sequence number 00."""
    for listed, number, any_sequence in exceptions:
        if cn_digits(listed) != cn_digits(pan):
            continue
        if any_sequence or number == sequence:
            return True
        if sequence is None and number == 0:
            return OPEN
    return False


# The pairs of an application identifier and leading digits that cannot be (a negative table).
VISA_AIDS = (bytes.fromhex("A0000000031010"), bytes.fromhex("A0000000032010"), bytes.fromhex("A0000000032020"))
MASTERCARD_CREDIT = bytes.fromhex("A0000000041010")
AMEX_RID = bytes.fromhex("A000000025")


def brand_mismatch(aid, pan):
    digits = "".join(str(digit) for digit in cn_digits(pan) or [])
    if aid in VISA_AIDS:
        return not digits.startswith("4")
    if aid == MASTERCARD_CREDIT:
        return digits.startswith(("4", "34", "37"))
    if aid[:5] == AMEX_RID:
        return not digits.startswith(("34", "37"))
    return False


# ---------------------------------------------------------------------------------------------------------------
# Entry Point
# ---------------------------------------------------------------------------------------------------------------

TRANSACTION, FLOOR, TERMINAL_FLOOR, CVM_REQUIRED, CDCVM_TRANSACTION = range(5)
ZERO_ONLINE, ZERO_NOT_ALLOWED, ZERO_OFFLINE = range(3)
BLOCKED_BY_ZERO, BLOCKED_BY_NOTHING = 0xFE, 0xFF
PROFILE_GUARDED, PROFILE_BOOK, PROFILE_STRICT = range(3)
TRUST_PROFILE, TRUST_BOOK, TRUST_IF_PRESENT, TRUST_AUTHENTICATED = range(4)


class Indicators:
    def __init__(self):
        self.status_check = self.not_allowed = self.zero = self.cvm = self.floor = False
        self.ttq = None
        self.blocked_by = BLOCKED_BY_NOTHING

    def block(self, cause):
        if not self.not_allowed:
            self.blocked_by = cause
        self.not_allowed = True

    def fields(self):
        ttq = self.ttq if self.ttq is not None else bytes(4)
        return [self.status_check, self.not_allowed, self.zero, self.cvm, self.floor, self.ttq is not None, ttq,
                self.blocked_by]


def preprocess(amount, exponent, status_check, zero, limits, ttq):
    """B 3.1.1.1 to 3.1.1.12. `limits` holds None for a limit that is absent."""
    out = Indicators()
    if ttq is not None:                                              # 3.1.1.2
        out.ttq = bytes([ttq[0], ttq[1] & 0x3F, ttq[2], ttq[3]])
    if status_check and amount == 10 ** exponent:                    # 3.1.1.3
        out.status_check = True
    if amount == 0:                                                  # 3.1.1.4
        if zero == ZERO_NOT_ALLOWED:
            out.block(BLOCKED_BY_ZERO)
        elif zero == ZERO_ONLINE:
            out.zero = True
    if limits[TRANSACTION] is not None and amount >= limits[TRANSACTION]:    # 3.1.1.5
        out.block(TRANSACTION)
    if limits[FLOOR] is not None:                                    # 3.1.1.6, 3.1.1.7
        out.floor = amount > limits[FLOOR]
    elif limits[TERMINAL_FLOOR] is not None:
        out.floor = amount > limits[TERMINAL_FLOOR]
    if limits[CVM_REQUIRED] is not None and amount >= limits[CVM_REQUIRED]:  # 3.1.1.8
        out.cvm = True
    if out.ttq is not None:
        first, second = out.ttq[0], out.ttq[1]
        if out.floor or out.status_check:                            # 3.1.1.9, 3.1.1.10
            second |= 0x80
        if out.zero:                                                 # 3.1.1.11
            if first & 0x08:
                out.block(BLOCKED_BY_ZERO)
            else:
                second |= 0x80
        if out.cvm:                                                  # 3.1.1.12
            second |= 0x40
        out.ttq = bytes([first, second, out.ttq[2], out.ttq[3]])
    return out


def resolved_trust(profile, trust):
    if trust != TRUST_PROFILE:
        return trust
    return {PROFILE_GUARDED: TRUST_IF_PRESENT, PROFILE_BOOK: TRUST_BOOK, PROFILE_STRICT: TRUST_AUTHENTICATED}[profile]


def entry_indicators(amount, exponent, start_b, status_check, zero, limits, ttq, trust):
    """Pre-processing with the higher limit for verified devices, which counts only where such a claim must be
    authenticated. Started at Start B the indicators are zero and the TTQ is as configured (B 3.2.1.1)."""
    if start_b:
        out = Indicators()
        out.ttq = ttq
        return out
    limits = list(limits)
    higher = limits[CDCVM_TRANSACTION]
    if trust == TRUST_AUTHENTICATED and higher is not None and limits[TRANSACTION] is not None:
        limits[TRANSACTION] = max(limits[TRANSACTION], higher)
    return preprocess(amount, exponent, status_check, zero, limits, ttq)


def takes(types, kind):
    return kind == 0 if not types else kind in types


DEFAULT_KERNELS = {"A000000025": 4, "A000000152": 6, "A000000065": 5, "A000000004": 2, "A000000333": 7,
                   "A000000003": 3}


def kernel_requested(aid, kernel_id, present, identifier):
    """B 3.3.2.5 C and D with Table 3-6."""
    default = bytes([DEFAULT_KERNELS.get(aid[:5].hex().upper(), 0)])
    if not present or len(identifier) == 0 or identifier == b"\x00":
        requested = default
    elif identifier[0] < 0x80:
        requested = identifier[:1]
    elif len(identifier) < 3 or identifier[0] & 0x3F == 0:
        return False
    else:
        requested = identifier[:3]
    return requested == b"\x00" or requested == kernel_id


def directory_entries(directory):
    """The objects 61 of a directory, each as a dictionary of the objects in it. Lengths are of one byte here."""
    entries = []
    at = 0
    while at < len(directory):
        tag, at = read_tag(directory, at)
        value = directory[at + 1:at + 1 + directory[at]]
        at += 1 + len(value)
        if tag == 0x61:
            names = (0x4F, 0x87, 0x9F29, 0x9F2A)
            entries.append({name: object_value(value, name) for name in names})
    return entries


def candidate_list(rows, allowed, directory):
    """B 3.3.2.5. Rows are tuples of identifier, Kernel ID and extended selection. A candidate is row, place of the
    directory entry, priority (none is lowest), and the name to select."""
    candidates = []
    for row, (aid, kernel_id, extended) in enumerate(rows):
        if not allowed >> row & 1:
            continue
        for position, entry in enumerate(directory_entries(directory)):
            name = entry[0x4F]
            if name is None or not 5 <= len(name) <= 16 or not name.startswith(aid):
                continue
            identifier = entry[0x9F2A]
            if not kernel_requested(aid, kernel_id, identifier is not None, identifier or b""):
                continue
            priority = entry[0x87][0] & 15 if entry[0x87] else 0
            if extended and entry[0x9F29] is not None:
                name = name + entry[0x9F29]
            candidates.append((row, position, priority or 15, name))
    return candidates


def fallbacks(rows, candidates):
    """attacks.md, A38: for each candidate whether it is of an older kernel, and a combination of Kernel 8 that the
    directory offered matches its name too."""
    offered = [rows[row][0] for row, _, _, _ in candidates if rows[row][1] == b"\x08"]
    return [rows[row][1] < b"\x08" and any(name.startswith(aid) for aid in offered) for row, _, _, name in candidates]


def best_candidate(candidates):
    """B 3.3.3.2: preference, priority, place in the directory, place in the configuration. Candidates are tuples of
    row, position, priority, preference."""
    if not candidates:
        return 0xFF
    order = [(preference, priority, position, row) for row, position, priority, preference in candidates]
    return order.index(min(order))


def drawn_numbers(pool, count):
    """Unpredictable numbers are four bytes each, in order, until the pool is dry. Each is compared with the last eight.
    Returns the numbers and for each whether it came before."""
    numbers, again = [], []
    for at in range(0, 4 * count, 4):
        if at + 4 > len(pool):
            break
        number = pool[at:at + 4]
        again.append(number in numbers[-8:])
        numbers.append(number)
    return numbers, again


# ---------------------------------------------------------------------------------------------------------------
# Kernel 3
# ---------------------------------------------------------------------------------------------------------------

AAC, TC, ARQC, UNIDENTIFIED = range(4)
ONLINE, DECLINE, OTHER_INTERFACE, CONTACT_CHIP, PROTECTION = 1, 2, 4, 8, 16
OPEN_PROTECTION = 32    # the book declines as well: whether the rule "changed the result" is not said
CVM_NONE, CVM_SIGNATURE, CVM_PIN, CVM_CDCVM = 0x00, 0x10, 0x20, 0x30
ODA_NOT_DONE, ODA_GOOD, ODA_IMPOSSIBLE, ODA_WRONG = range(4)


def k3_type(cid, iad):
    """C-3 5.4.3.1. `cid` is None where 9F27 was not returned."""
    if cid is not None:
        return cid >> 6
    if len(iad) < 5:
        return UNIDENTIFIED
    return iad[4] >> 4 & 3


def k3_contradicts(cid, iad):
    return cid is not None and len(iad) >= 5 and cid >> 6 != iad[4] >> 4 & 3


def k3_disposition(cryptogram, online_required, refund):
    """C-3 5.4.3.2; 3.4.1.3: an AAC is no decline of a refund, so the host decides."""
    marks = 0
    if cryptogram == AAC:
        marks |= ONLINE if refund else DECLINE
    if cryptogram == ARQC or online_required:
        marks |= ONLINE
    if cryptogram == UNIDENTIFIED:
        marks |= DECLINE
    return marks


def k3_restrictions(cryptogram, usage, expired, exception, known, domestic, auc, ctq):
    """C-3 5.5.1.1 to 5.5.1.4. `usage`: 1 cash, 2 cashback. `auc` and `ctq` are None where not returned."""
    qualifiers = ctq if ctq is not None else bytes(2)
    marks = 0
    if cryptogram == TC and expired:                                 # 5.5.1.1
        marks |= ONLINE if qualifiers[0] & 0x08 else DECLINE
    if cryptogram == TC and exception:                               # 5.5.1.2
        marks |= DECLINE
    if usage in (1, 2):                                              # 5.5.1.3, 5.5.1.4
        bit = 0x80 if domestic else 0x40
        valid = known and auc is not None and auc[usage - 1] & bit != 0
        switch = qualifiers[0] & (0x04 if usage == 1 else 0x02)
        if not valid:
            marks |= OTHER_INTERFACE if switch else DECLINE
    return marks


def k3_signature_wanted(cryptogram, marks, sdad, related, oda_for_online, verify_if_present):
    """C-3 5.6.1 and 5.6.2.1; the protection also verifies a signature nobody asked for if 9F69 came with it."""
    if marks & DECLINE:
        return 0
    if not marks & ONLINE:
        return 0x05
    if cryptogram == ARQC and sdad and (oda_for_online or verify_if_present and related):
        return 0x95
    return 0


def k3_after_oda(oda, online_reader, contact_reader, decline_wrong, ctq):
    """C-3 5.6.1.2: what was wanted and not done is as what fails. The protection declines what verifies wrong."""
    if oda == ODA_GOOD:
        return 0
    qualifiers = ctq if ctq is not None else bytes(2)
    if qualifiers[0] & 0x20 and online_reader:
        marks = ONLINE
    elif qualifiers[0] & 0x10 and contact_reader:
        marks = CONTACT_CHIP
    else:
        marks = DECLINE
    if oda == ODA_WRONG and decline_wrong:
        return DECLINE | (OPEN_PROTECTION if marks == DECLINE else PROTECTION)
    return marks


def k3_cvm(cryptogram, oda, trust, required, pin, signature, contact, related, matches, ctq):
    """C-3 5.7.1.1 to 5.7.1.3. Returns method, marks, and whether a claim of the device is believed unproven."""
    if ctq is None:                                                  # 5.7.1.1
        if not required:
            return CVM_NONE, 0, False
        if signature:
            return CVM_SIGNATURE, 0, False
        if pin:
            return CVM_PIN, ONLINE, False
        return CVM_NONE, DECLINE, False

    if ctq[0] & 0x80 and pin:                                        # 5.7.1.2
        return CVM_PIN, ONLINE, False
    marks = 0
    if ctq[1] & 0x80:
        if related and not matches or not related and cryptogram != ARQC:
            return CVM_NONE, DECLINE, False
        proven = oda == ODA_GOOD and related          # a signature proves what it covers
        disbelieved = trust != TRUST_BOOK and oda == ODA_WRONG
        if trust == TRUST_AUTHENTICATED and required and not proven:
            disbelieved = True
        if not disbelieved:
            return CVM_CDCVM, 0, not proven
        if required:                                                 # the protection's own ladder
            if pin:
                return CVM_PIN, ONLINE | PROTECTION, False
            return CVM_NONE, (CONTACT_CHIP if contact else DECLINE) | PROTECTION, False
        marks = PROTECTION
    if ctq[0] & 0x40 and signature:
        return CVM_SIGNATURE, marks, False
    if required:                                                     # 5.7.1.3
        marks |= DECLINE
    return CVM_NONE, marks, False


def k3_decide(marks, online_reader, offline_allowed):
    """C-3 5.8.1.1, 5.9.1.1, 5.9.1.2; without leave to approve offline the host is asked, if there is one."""
    if marks & DECLINE:
        return 2
    if not marks & ONLINE and offline_allowed:
        return 1
    return 3 if online_reader else 2


# ---------------------------------------------------------------------------------------------------------------
# Kernel 2
# ---------------------------------------------------------------------------------------------------------------

K2_AAC, K2_TC, K2_ARQC = 0x00, 0x40, 0x80


def tvr(byte, bit):
    """Bit 8 to 1 of a byte of the Terminal Verification Results as a number of five bytes."""
    return 1 << (8 * (5 - byte) + bit - 1)


def k2_allowed(requested, cid):
    """S9.23: the card may only go down."""
    asked, given = requested & 0xC0, cid & 0xC0
    if given == K2_AAC:
        return True
    if given == K2_TC:
        return asked == K2_TC
    if given == K2_ARQC:
        return asked in (K2_TC, K2_ARQC)
    return False


def k2_restrictions(versions_differ, early, expired, usage, atm, has_country, domestic, kind, cashback):
    """PRE.1 to PRE.29. `usage` is None where 9F07 is absent."""
    result = 0
    if versions_differ:
        result |= tvr(2, 8)
    if early:
        result |= tvr(2, 6)
    if expired:
        result |= tvr(2, 7)
    if usage is None:
        return result
    if not usage[0] & (0x02 if atm else 0x01):
        return result | tvr(2, 5)
    if not has_country:
        return result
    if kind in (0x01, 0x17) and not usage[0] & (0x80 if domestic else 0x40):
        result |= tvr(2, 5)
    if kind in (0x00, 0x09) and not usage[0] & (0x20 | 0x08 if domestic else 0x10 | 0x04):
        result |= tvr(2, 5)
    if cashback and not usage[1] & (0x80 if domestic else 0x40):
        result |= tvr(2, 5)
    return result


def k2_cvm(on_device, card_verifies, above, rules, capability, kind, terminal, amount, same, known):
    """CVM.1 to CVM.25 with Book 3 10.5 and Book 4 6.3.4. Returns method, paper, CVM Results, TVR bits. Fail CVM always
    counts as supported (Book 4, 6.3.4), which matters for condition 03."""
    if on_device:
        return (CVM_CDCVM, False, b"\x01\x00\x02", 0) if above else (CVM_NONE, False, b"\x3F\x00\x02", 0)
    if not card_verifies:
        return CVM_NONE, False, b"\x3F\x00\x00", 0
    if len(rules) <= 8:
        return CVM_NONE, False, b"\x3F\x00\x00", tvr(1, 6)
    x, y = int.from_bytes(rules[0:4], "big"), int.from_bytes(rules[4:8], "big")
    supported_by = {0x02: 0x40, 0x1E: 0x20, 0x1F: 0x08}   # offline PIN is never performed without contacts
    unattended = terminal & 0x0F in (4, 5, 6)
    unattended_cash = unattended and kind == 0x01
    manual_cash = not unattended and kind in (0x01, 0x17)
    cashback = kind == 0x09
    result = 0
    for at in range(8, len(rules), 2):
        code, condition = rules[at] & 0x3F, rules[at + 1]
        supported = code == 0x00 or capability & supported_by.get(code, 0) != 0
        in_currency = known and same
        holds = {0: True, 1: unattended_cash, 2: not (unattended_cash or manual_cash or cashback), 3: supported,
                 4: manual_cash, 5: cashback, 6: in_currency and amount < x, 7: in_currency and amount > x,
                 8: in_currency and amount < y, 9: in_currency and amount > y}
        if not holds.get(condition, False):
            continue
        if code == 0x00:                                  # Fail CVM ends it, whatever bit 7 says
            return CVM_NONE, False, bytes([rules[at], condition, 0x01]), result | tvr(3, 8)
        if code not in (0x01, 0x02, 0x03, 0x04, 0x05, 0x1E, 0x1F):
            result |= tvr(3, 7)
        elif supported:
            if code == 0x02:
                return CVM_PIN, False, bytes([rules[at], condition, 0x00]), result | tvr(3, 3)
            if code == 0x1E:
                return CVM_SIGNATURE, True, bytes([rules[at], condition, 0x00]), result
            return CVM_NONE, False, bytes([rules[at], condition, 0x02]), result
        if not rules[at] & 0x40:
            break
    return CVM_NONE, False, b"\x3F\x00\x01", result | tvr(3, 8)


def k2_action(results, terminal_codes, issuer_codes, terminal):
    """TAA.1 to TAA.18, Book 3 10.7. The codes are default, denial, online; an issuer's is None where absent: then its
    denial is all zeros, its online and default are all ones."""
    default, denial, online = terminal_codes
    issuer_default, issuer_denial, issuer_online = issuer_codes
    if (denial | (issuer_denial or 0)) & results:
        return K2_AAC
    if terminal in (0x11, 0x21, 0x14, 0x24, 0x34):
        return K2_ARQC
    offline_only = terminal in (0x13, 0x16, 0x23, 0x26, 0x36)
    ours, theirs = (default, issuer_default) if offline_only else (online, issuer_online)
    mask = (1 << 40) - 1 if theirs is None else ours | theirs
    if not mask & results:
        return K2_TC
    return K2_AAC if offline_only else K2_ARQC


def k2_ac(ids, cda, failed, on_device, asked, answered, kind, storage, usable, over_aac):
    """GAC.1 to GAC.48. Returns what is prepared, the type and the reference control parameter."""
    plain, write, data_error, no_match = range(4)
    if ids and not failed:
        if not asked:                                     # GAC.27
            return plain, kind, kind | 0x10
        if not answered:                                  # GAC.6
            return data_error, None, None
        stored = storage & 0xC0
        if stored == K2_AAC or stored == kind or stored == K2_ARQC and kind == K2_TC:
            return write, stored, stored | 0x10
        if kind == K2_AAC and usable & 0x20 or kind == K2_ARQC and usable & 0x40:
            return write, kind, kind | 0x10
        if usable & 0x04:
            return no_match, None, None
        return plain, kind, kind | 0x10
    if failed and (ids or cda):                           # GAC.22
        if on_device:
            kind = K2_AAC
        return plain, kind, kind
    if cda and (kind != K2_AAC or over_aac):
        return plain, kind, kind | 0x10
    return plain, kind, kind


def k2_relay(elapsed, retries, card_min, card_max, card_time, min_grace, max_grace, command, response, accuracy,
             mismatch):
    """SR1.18 to SR1.32. Times are units of 100 microseconds, `elapsed` microseconds. The accuracy threshold counts even
    where a transmission time is zero."""
    passed, too_fast, again = range(3)
    measured = min(0xFFFF, max(0, elapsed // 100 - command - min(card_time, response)))
    if measured < max(0, card_min - min_grace):
        return too_fast, measured, None
    late = measured > card_max + max_grace
    if late and retries < 2:
        return again, measured, None
    result = 0x02
    if late:
        result |= tvr(5, 3)
    unlike = False
    if card_time and response:
        unlike = card_time * 100 // response < mismatch or response * 100 // card_time < mismatch
    if unlike or max(0, measured - card_min) > accuracy:
        result |= tvr(5, 4)
    return passed, measured, result


def k2_end(cryptogram, kind, signature, device):
    """S910.74 and S910.75. Returns status, message, and whether the message is held."""
    if cryptogram == K2_TC:
        return 0x10, 0x1A if signature else 0x03, True
    if cryptogram == K2_ARQC:
        return 0x30, 0x1B, False
    if kind in (0x00, 0x01, 0x09, 0x17):
        return (0x20, 0x07, True) if device else (0x60, 0x1D, True)
    return 0x40, 0x1E, False


def k2_is_device(third_party):
    """9F6E: bit 8 of byte 3 is clear where bytes 5 and 6 hold a device type; 3030 is a card."""
    return len(third_party) >= 6 and third_party[2] & 0x80 == 0 and third_party[4:6] != b"00"


def k2_second_tap(interaction):
    """DF4B and the mask 00030F."""
    return len(interaction) == 3 and (interaction[1] & 0x03 or interaction[2] & 0x0F) != 0


K2_PHONE_TABLE = bytes.fromhex("0000010000012000" "0008000008002000" "0004000004002000" "0001000001002000"
                               "0002000002002000" "0000000000000700")


def k2_phone_message(table, interaction):
    said = interaction if len(interaction) == 3 else bytes(3)
    for at in range(0, len(table), 8):
        mask, value = table[at:at + 3], table[at + 3:at + 6]
        if at + 8 == len(table) or bytes(a & b for a, b in zip(said, mask)) == value:
            return table[at + 6], table[at + 7]
    raise AssertionError("a table has a last row")


def k2_phone_table_ok(table):
    return len(table) > 0 and len(table) % 8 == 0 and table[-8:-2] == bytes(6)


def k2_magstripe_record(locator):
    """S3.30: the mag-stripe record is file 1, record 1, not signed."""
    return locator[:4] == bytes.fromhex("08010100")


def k2_asks_for_number(dol):
    """4.6.2: CDOL1 must contain 9F37."""
    try:
        return any(tag == 0x9F37 for tag, _ in dol_entries(dol))
    except Malformed:
        return OPEN


def k2_relay_track(track, ca_index, retries, entropy, measured):
    """S910.39: the relay data in the discretionary data of track 2. None if the track has no account number, date and
    service code."""
    halves = nibbles(track)
    pan = track_2_pan(track)
    if pan is None:
        return None
    fixed = halves[:len(pan) + 1 + 7]
    if len(fixed) < len(pan) + 8 or any(half > 9 for half in fixed[len(pan) + 1:]):
        return None
    text = str(ca_index if ca_index < 10 else 0) + str(retries) + "%05d" % (entropy[2] << 8 | entropy[3])
    if len(pan) <= 16:
        text += "%03d" % entropy[1]
    text += "%03d" % min(999, measured // 10)
    halves = fixed + [int(digit) for digit in text]
    if len(halves) % 2:
        halves.append(0xF)
    return pack(halves)


def k2_storage_id(pan, sequence):
    """S456.18 to S456.20: account number and sequence number, whole bytes, at least eight."""
    digits = cn_digits(pan) + nibbles(bytes([sequence]))
    if len(digits) % 2:
        digits = [0] + digits
    while len(digits) < 16:
        digits = [0] + digits
    return pack(digits)


def ones(positions):
    """The positions that a bitmap names, lowest first; position 1 is the least significant bit."""
    number = int.from_bytes(positions, "big")
    return [bit + 1 for bit in range(8 * len(positions)) if number >> bit & 1]


def k2_track_2_discretionary(track):
    """4.11.2: PAN, D, date (4 digits, or a separator where it is absent), service code (3, likewise), discretionary
    data, F where the number is odd. Returns first half byte and count, or None; open where the account number has more
    than nineteen digits, or what follows has other half bytes than digits."""
    halves = nibbles(track)
    if halves and halves[-1] == 0xF:
        halves.pop()
    pan = track_2_pan(track)
    if pan is None:
        return OPEN if 0xD in halves[20:] and max(halves[:20]) < 10 else None
    at = len(pan) + 1
    for width in (4, 3):
        if at < len(halves) and halves[at] == 0xD:
            at += 1
            continue
        if at + width > len(halves):
            return None
        if any(half > 9 for half in halves[at:at + width]):
            return OPEN
        at += width
    if any(half > 9 for half in halves[at:]):
        return OPEN
    return at, len(halves) - at


def k2_track_1_discretionary(track):
    """The same for track 1: B, PAN, ^, name, ^, date or ^, service code or ^, discretionary data."""
    text = track.decode("latin-1")
    if not text.startswith("B"):
        return None
    parts = text[1:].split("^", 2)
    if len(parts) < 3:
        return None
    pan = parts[0]
    if not 1 <= len(pan) <= 19 or not all("0" <= c <= "9" for c in pan):
        return OPEN
    at = 1 + len(pan) + 1 + len(parts[1]) + 1
    for width in (4, 3):
        if at < len(text) and text[at] == "^":
            at += 1
            continue
        part = text[at:at + width]
        if len(part) < width:
            return None
        if not all("0" <= c <= "9" for c in part):
            return OPEN
        at += width
    return at, len(text) - at


def k2_positions_within(positions, digits):
    return sum(place <= digits for place in ones(positions))


def k2_filled(field, cvc3_positions, number_positions, counter_digits, cvc3, counter, number, number_digits, shown):
    """4.11.3 on a list of digits; the last one is position 1. A digit whose position lies beyond the field is lost: no
    step compares the two (S7.22)."""
    field = list(field)

    def write(places, value):
        for place in places:
            if place <= len(field):
                field[len(field) - place] = value % 10
            value //= 10

    write(ones(cvc3_positions), cvc3)
    places = ones(number_positions)
    write(places[:number_digits], number)
    if counter_digits:
        write(places[len(places) - counter_digits:], counter)
    field[-1] = shown
    return field


def k2_numeric(random, digits):
    """A number below 10^digits by rejection, or None: draw again."""
    value = int.from_bytes(random, "big")
    limit = 10 ** digits
    if value >= 2 ** 32 // limit * limit:
        return None
    return value % limit


def k2_back_off(failures):
    """4.12: the counter goes up to 5."""
    return 300 * 2 ** min(failures, 5)


def k2_torn_age(record, date, time):
    """Seconds from the record's 9A and 9F21 to now; the highest number where that cannot be said."""
    then_date, then_time = object_value(record, 0x9A), object_value(record, 0x9F21)
    if then_date is None or then_time is None:
        return 0xFFFFFFFF
    parts = [date_days(then_date), time_seconds(then_time), date_days(date), time_seconds(time)]
    if None in parts:
        return 0xFFFFFFFF
    age = (parts[2] - parts[0]) * 86400 + parts[3] - parts[1]
    return age if 0 <= age else 0xFFFFFFFF


def k2_torn_lookup(records, pan, sequence):
    """4.8.2: the newest record of the account. Sequence numbers are equal, or absent on both sides."""
    for index in range(len(records) - 1, -1, -1):
        theirs, number = object_value(records[index], 0x5A), object_value(records[index], 0x5F34)
        if theirs and cn_digits(theirs) == cn_digits(pan) and (number or b"") == sequence:
            return index
    return len(records)


# ---------------------------------------------------------------------------------------------------------------
# The generator
# ---------------------------------------------------------------------------------------------------------------

class Chance:
    """SplitMix64: the same cases from the same seed on every machine."""

    def __init__(self, seed):
        self.state = seed & (1 << 64) - 1

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (1 << 64) - 1
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        return mixed ^ mixed >> 31

    def below(self, limit):
        return (self.next() >> 16) % limit

    def flag(self):
        return self.below(2) == 1

    def once_in(self, times):
        return self.below(times) == 0

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def byte(self):
        """Mostly one bit, sometimes none, all, or anything."""
        return [1 << self.below(8), 1 << self.below(8), 0, 255, self.below(256)][self.below(5)]

    def bytes(self, size):
        return bytes(self.byte() for _ in range(size))

    def digits(self, count):
        return [self.below(10) for _ in range(count)]

    def near(self, value):
        """A number at or beside a border."""
        return max(0, value + self.pick([-1, 0, 0, 1]))


def text_of(value):
    if value is OPEN:
        return "?"
    if isinstance(value, (bytes, bytearray)):
        return "x" + value.hex()
    return str(int(value))


class Writer:
    def __init__(self):
        self.seen = set()

    def case(self, name, inputs, outputs):
        line = "%s | %s | %s" % (name, " ".join(map(text_of, inputs)), " ".join(map(text_of, outputs)))
        if line not in self.seen:
            self.seen.add(line)
            print(line)


def pair_inputs(pair):
    """Two bytes that may be absent; what stands there then must not matter."""
    return [1, pair] if pair is not None else [0, b"\xFF\xFF"]


def draw_pair(chance):
    return None if chance.once_in(5) else chance.bytes(2)


def cn_bytes(digits, pad_to=0):
    halves = list(digits)
    if len(halves) % 2:
        halves.append(15)
    while len(halves) < 2 * pad_to:
        halves += [15, 15]
    return pack(halves)


def damaged(chance, data):
    """The same bytes with one half byte changed, or cut."""
    halves = nibbles(data)
    if not halves:
        return data
    if chance.flag():
        halves[chance.below(len(halves))] = chance.pick([10, 13, 14, 15, chance.below(16)])
        return pack(halves)
    return data[:chance.below(len(data))]


def draw_pan(chance, digits=None):
    count = digits if digits is not None else chance.pick([1, 8, 12, 13, 15, 16, 16, 16, 17, 18, 19])
    lead = chance.pick([[], [4], [5, 1], [3, 4], [3, 7], [2, 2, 2, 1], [6, 2]])
    return (lead + chance.digits(count))[:count]


def draw_track_2(chance, pan=None):
    """A track 2, most of them well formed."""
    halves = list(pan if pan is not None else draw_pan(chance)) + [13]
    if chance.once_in(12):
        halves += [13]
    else:
        halves += chance.digits(4)
    if chance.once_in(12):
        halves += [13]
    else:
        halves += chance.digits(3)
    room = 38 - len(halves)
    halves += chance.digits(min(room, chance.pick([0, 1, 5, 8, 10, 13, chance.below(14)])))
    if len(halves) % 2:
        halves.append(15)
    track = pack(halves[:38])
    return damaged(chance, track) if chance.once_in(5) else track


def draw_track_1(chance):
    text = "B" + "".join(map(str, draw_pan(chance))) + "^"
    text += "".join(chance.pick("ABC XYZ/.") for _ in range(chance.pick([2, 2, 8, 20, 26]))) + "^"
    text += "^" if chance.once_in(12) else "".join(map(str, chance.digits(4)))
    text += "^" if chance.once_in(12) else "".join(map(str, chance.digits(3)))
    room = 76 - len(text)
    text += "".join(map(str, chance.digits(max(0, min(room, chance.pick([0, 1, 7, 13, 24, chance.below(36)]))))))
    text = text[:76]
    if chance.once_in(5):
        at = chance.below(len(text))
        text = chance.pick([text[:at], text[:at] + chance.pick("^B0 A;") + text[at + 1:]])
    return text.encode()


def draw_date(chance):
    if chance.once_in(6):
        return chance.bytes(3)
    year = chance.pick([0, 1, 4, 23, 24, 25, 26, 49, 50, 51, 52, 96, 99, chance.below(100)])
    month = chance.pick([0, 1, 2, 2, 2, 3, 4, 11, 12, 13])
    day = chance.pick([0, 1, 27, 28, 29, 30, 31, 32])
    return bytes(n // 10 << 4 | n % 10 for n in (year, month, day))


def shared_numbers(chance, out):
    for _ in range(250):
        data = chance.pick([lambda: draw_date(chance), lambda: chance.bytes(chance.below(5))])()
        days = date_days(data)
        out.case("cemv_date_read", [data], [days is not None, days if days is not None else OPEN])
    for _ in range(300):
        pan = cn_bytes(draw_pan(chance, chance.below(20)), chance.pick([0, 0, 8, 10]))
        if chance.once_in(4):
            pan = damaged(chance, pan)
        digits = cn_digits(pan)
        out.case("cemv_cn_digits", [pan], [digits is None, len(digits) if digits is not None else OPEN])
        if digits:
            body = digits[:-1]
            right = [d for d in range(10) if luhn_ok(cn_bytes(body + [d]))]
            for check in (right[0], chance.below(10)):
                checked = cn_bytes(body + [check], chance.pick([0, 10]))
                out.case("cemv_luhn_ok", [checked], [luhn_ok(checked)])
            other = chance.pick([cn_bytes(digits, 10), cn_bytes(digits + [0]), cn_bytes(digits[:-1]),
                                 cn_bytes([0] + digits)])
            out.case("cemv_cn_equal", [pan, other], [digits == cn_digits(other)])
        out.case("cemv_luhn_ok", [pan], [luhn_ok(pan)])
    for _ in range(200):
        data = pack(chance.digits(2 * chance.below(10))) if chance.flag() else chance.bytes(chance.below(9))
        number = bcd_number(data)
        if data:
            out.case("cemv_bcd_read", [data], [number is not None, number if number is not None else OPEN])
        size, value = chance.below(8), chance.pick([0, 9, 10, 99, 100, 10 ** 12 - 1, 10 ** 12, chance.below(10 ** 14)])
        fits = value < 100 ** size
        written = pack([int(c) for c in str(value).rjust(2 * size, "0")]) if fits and size else b""
        out.case("cemv_bcd_write", [size, value], [fits, written])


def formats_and_randomness(chance, out):
    for _ in range(400):
        form = chance.below(7)
        good = [b"az", b"AZ09", b"A z~", b"09", b"\x12\x99", b"\x12\x3F\xFF", b"\x00", b"", b"@[`{", b"/:"]
        value = bytearray(chance.pick(good) + chance.pick(good))
        if value and chance.once_in(3):
            value[chance.below(len(value))] = chance.pick([0x1F, 0x20, 0x7E, 0x2F, 0x3A, 0x9A, 0xA9, 0xF1, 0xFF])
        if form != ANS or not any(byte == 0x7F or byte > 0x9F for byte in value):
            out.case("cemv_format_check", [bytes(value), form], [in_format(bytes(value), form)])
    for _ in range(80):
        some = [chance.bytes(4) for _ in range(3)] + [bytes([chance.below(256) for _ in range(4)]) for _ in range(6)]
        pool = b"".join(chance.pick(some) for _ in range(chance.below(9)))[:32]
        pool = pool[:len(pool) - (chance.below(4) if pool else 0)]
        numbers, again = drawn_numbers(pool, 9)
        out.case("cemv_random_draw", [pool], [len(numbers), b"".join(numbers), bytes(again)])
    for _ in range(80):
        numbers = [bytes([0, 0, chance.below(2), chance.below(6)]) for _ in range(chance.below(13))]
        out.case("cemv_random_seen", [b"".join(numbers)], [bytes(drawn_numbers(b"".join(numbers), len(numbers))[1])])


def shared_lists(chance, out):
    for _ in range(400):
        length = chance.pick([0, 1, 2, 3, 6, 8, 19, 255, chance.below(32)])
        value = chance.bytes(chance.pick([0, 1, 2, 3, 6, 8, 20, chance.below(32)]))
        form = chance.below(7)
        out.case("cemv_dol_fit", [length, value, form], [dol_fit(length, value, form)])
    tags = ["9F02", "9A", "5F2A", "95", "9F37", "DF8104", "DF818104", "9F8182", "1F8182838405", "61", "FF8101", "9F",
            "1F"]
    for _ in range(300):
        dol = b"".join(bytes.fromhex(chance.pick(tags if chance.once_in(6) else tags[:6])) +
                       bytes([chance.pick([0, 1, 4, 6, 255, chance.below(256)])]) for _ in range(chance.below(6)))
        if chance.once_in(4):
            dol = dol[:-1]
        try:
            out.case("cemv_dol_value_size", [dol], [0, sum(length for _, length in dol_entries(dol))])
        except Malformed as error:
            out.case("cemv_dol_value_size", [dol], [error.args[0], OPEN])
    for _ in range(500):
        entries = []
        for _ in range(chance.pick([1, 1, 2, 3, 4])):
            sfi = chance.pick([1, 2, 3, 10, 11, 30, chance.below(32)])
            first = chance.pick([1, 1, 2, 3, chance.below(256)])
            last = chance.pick([first, min(255, first + chance.below(6)), chance.below(256)])
            signed = chance.pick([0, 1, chance.below(7), max(0, min(255, last - first + chance.below(3)))])
            entries.append(bytes([sfi << 3 | (chance.below(8) if chance.once_in(8) else 0), first, last, signed]))
        afl = b"".join(entries)
        if chance.once_in(10):
            afl = afl[:-chance.pick([1, 2, 3, len(afl)])]
        limit = chance.pick([64, 64, 64, 1, 5, 10])
        records = afl_records(afl, limit)
        if records is None:
            out.case("afl", [afl, limit], [0, OPEN, OPEN])
        else:
            out.case("afl", [afl, limit], [1, repeats(records), b"".join(bytes(record) for record in records)])
    for _ in range(240):
        dol_case(chance, out)
    for _ in range(150):
        data = b"".join(chance.bytes(2) + bytes([size]) + chance.bytes(size)
                        for size in (chance.pick([0, 1, 2, 5]) for _ in range(chance.below(5))))
        if chance.once_in(3):
            data = data[:chance.below(len(data) + 1)]
        items, bad = id_length_values(data)
        flat = b"".join(bytes([number >> 8, number & 255, len(value)]) + value for number, value in items)
        out.case("cemv_idlv_next", [data], [bad, flat])


TERMINAL_OBJECTS = (0x9F02, 0x9A, 0x5F2A, 0x9C, 0x9F37, 0x9F1A, 0x9F4E, 0x9F1E, 0x9F15, 0x9F35, 0x95)
CARD_OBJECTS = (0x5A, 0x9F36, 0x5F24, 0x5F20)
SIZES = {0x9F02: 6, 0x9A: 3, 0x5F2A: 2, 0x9C: 1, 0x9F37: 4, 0x9F1A: 2, 0x9F4E: 12, 0x9F1E: 8, 0x9F15: 2, 0x9F35: 1,
         0x95: 5, 0x5A: 8, 0x9F36: 2, 0x5F24: 3, 0x5F20: 11}


def tag_bytes(tag):
    return tag.to_bytes(3 if tag > 0xFFFF else 2 if tag > 0xFF else 1, "big")


def dol_case(chance, out):
    """A list over terminal data, card data (told only where the caller says so), unknown and constructed tags. What
    only configures a kernel (DF8120) is never told."""
    terminal = {tag: chance.bytes(SIZES[tag]) for tag in TERMINAL_OBJECTS if not chance.once_in(4)}
    card = {tag: chance.bytes(SIZES[tag]) for tag in CARD_OBJECTS if not chance.once_in(4)}
    hidden = {0xDF8120: chance.bytes(5)}
    card_too = chance.once_in(3)
    wanted = list(TERMINAL_OBJECTS + CARD_OBJECTS) + [0x70, 0xDF8120, 0x9F8155, 0x9F7B]
    dol = b""
    for _ in range(chance.below(8)):
        tag = chance.pick(wanted)
        right = SIZES.get(tag, 4)
        dol += tag_bytes(tag) + bytes([chance.pick([right, right, 0, 1, 2, 5, 14, chance.below(30)])])
    if chance.once_in(10):
        dol = dol[:-1]
    told = dict(terminal)
    if card_too:
        told.update(card)
    capacity = chance.pick([252, 252, 252, chance.below(40)])
    made = build_dol(dol, told, capacity)
    inputs = [dol, card_too, capacity]
    for source in (terminal, hidden, card):
        inputs.append(b"".join(tag_bytes(tag) + bytes([len(value)]) + value for tag, value in source.items()))
    out.case("cemv_store_build_dol", inputs, [made is not None, made if made is not None else b""])


def candidates_case(chance, out):
    """A directory and a reader's combinations; the list, combination by combination, the best of it, and which of it
    are fallbacks from Kernel 8."""
    rids = ["A000000003", "A000000004", "A000000025", "A000000333", "A000000042"]
    rows = []
    for _ in range(1 + chance.below(3)):
        rid = chance.pick(rids[:chance.pick([1, 2, 5])])
        aid = bytes.fromhex(rid) + chance.pick([b"", b"\x10\x10", b"\x10"])
        rows.append((aid, bytes([chance.pick([DEFAULT_KERNELS.get(rid, 3), 2, 3])]), chance.flag()))
    beside_8 = chance.once_in(3)
    if beside_8:
        aid = bytes.fromhex("A0000000041010")
        rows = [(aid[:chance.pick([5, 7, 7])], bytes([kernel]), chance.once_in(4)) for kernel in (8, 2)] + rows[:1]
    directory = b""
    for _ in range(chance.below(5) + beside_8):
        body = b""
        if beside_8 and not chance.once_in(4):
            body += data_object("4F", rows[0][0] + chance.pick([b"", b"", b"\x01"]))
        elif not chance.once_in(8):
            name = chance.pick([chance.pick(rows)[0] + chance.pick([b"", b"\x01", b"\x10\x10"]),
                                bytes.fromhex(chance.pick(rids)) + b"\x10\x10", bytes(4),
                                bytes.fromhex("A000000003") + bytes(12)])
            body += data_object("4F", name)
        if chance.flag():
            body += data_object("50", b"LABEL")
        if not chance.once_in(3):
            body += data_object("87", bytes([chance.pick([0, 1, 2, 15, 0x10, 0xF1, chance.below(256)])]))
        if beside_8 or chance.once_in(4):
            body += data_object("9F2A", bytes([chance.pick([2, 8] if beside_8 else [0, 2, 3, 0x83])]))
        if chance.once_in(3):
            body += data_object("9F29", b"\xEE")
        directory += data_object("61", body)
        if chance.once_in(5):
            directory += data_object("9F4D", b"\x0B\x0A")
    allowed = chance.pick([7, 7, chance.below(8)]) & (1 << len(rows)) - 1
    candidates = candidate_list(rows, allowed, directory)
    if any(len(name) > 16 for _, _, _, name in candidates) or len(candidates) > 16:
        return
    wanted = [chance.pick([bytes.fromhex(chance.pick(rids)), chance.pick(rows)[0] + chance.pick([b"", b"\x10"])])
              for _ in range(chance.pick([0, 0, 1, 2]))]
    ranked = []
    for candidate in candidates:
        ranks = [rank for rank, name in enumerate(wanted) if candidate[3].startswith(name)]
        ranked.append(candidate[:3] + (min(ranks + [99]),))
    best = best_candidate(ranked)
    shown = [bytes([row, priority, len(name)]) + name for row, _, priority, name in candidates]
    inputs = [directory, allowed, b"".join(bytes([len(name)]) + name for name in wanted)]
    for row in rows:
        inputs += list(row)
    out.case("cemv_candidates_build", inputs, [b"".join(shown), b"" if best == 0xFF else shown[best],
                                                bytes(fallbacks(rows, candidates))])


def shared_accounts(chance, out):
    for _ in range(400):
        digits = draw_pan(chance)
        pan = chance.pick([b"", cn_bytes(digits), cn_bytes(digits, 10), cn_bytes(digits)])
        unlike = [digits[:-1] + [(digits[-1] + 1) % 10], digits + [0], digits[:-1]]
        other = digits if chance.below(3) else chance.pick(unlike)
        track = chance.pick([b"", draw_track_2(chance, other[:19]), draw_track_2(chance, other[:19])])
        out.case("cemv_account_agrees", [pan, track],
                 [pan_agrees_with_track_2(pan, track) if not track or track_2_pan(track) else OPEN])
        if track:
            date = track_2_expiry(track)
            if date is not OPEN:
                out.case("cemv_track2_expiry", [track], [date is not None, date if date is not None else b""])
        second = chance.pick([b"", draw_track_2(chance)])
        if pan and cn_digits(pan) is None:
            continue
        out.case("cemv_account_pan", [pan, track, second], [cn_bytes(pan_of(pan, track, second))])
    for _ in range(200):
        pans = [draw_pan(chance) for _ in range(2)]
        listed = [(cn_bytes(chance.pick(pans), chance.pick([0, 10])), chance.below(3), chance.once_in(3))
                  for _ in range(chance.below(4))]
        sequence = chance.pick([None, 0, 1, 2])
        pan = cn_bytes(chance.pick(pans))
        inputs = [pan, sequence is not None, sequence or 0] + [field for row in listed for field in row]
        out.case("cemv_on_exception_list", inputs, [on_exception_list(pan, sequence, listed)])
    aids = ["A0000000031010", "A0000000032010", "A0000000032020", "A0000000041010", "A000000025010402", "A00000002501",
            "A0000003330101", "A0000000421010", "A0000000043060"]
    for aid in aids:
        for lead in ("4", "34", "37", "35", "51", "6011", "2221", "3", "62", "36", "40"):
            digits = [int(c) for c in lead] + chance.digits(16 - len(lead))
            out.case("cemv_brand_mismatch", [bytes.fromhex(aid), cn_bytes(digits)],
                     [brand_mismatch(bytes.fromhex(aid), cn_bytes(digits))])
    for profile in range(3):
        for rule in range(4):
            for guarded in (1, 2, 3):
                for strict in (1, 2, 3):
                    by_profile = {PROFILE_BOOK: 2, PROFILE_GUARDED: guarded, PROFILE_STRICT: strict}
                    out.case("cemv_rule_of", [profile, rule, guarded, strict], [rule or by_profile[profile]])


def draw_limits(chance, amount):
    limits = []
    for _ in range(5):
        limits.append(None if chance.once_in(3) else
                      chance.pick([chance.near(amount), chance.near(amount), 0, 1, 10 ** 12 - 1,
                                   chance.below(10 ** 6)]))
    return limits


def limit_inputs(limits):
    present = sum(1 << i for i, limit in enumerate(limits) if limit is not None)
    return [present] + [limit if limit is not None else 0 for limit in limits]


def draw_ttq(chance):
    if chance.once_in(6):
        return None
    first = chance.pick([0x36, 0x3E, 0x26, 0x2E, 0x27, 0xB6, chance.byte()])
    second = chance.pick([0, 0x80, 0x40, 0xC0, 0xFF, chance.byte()])
    return bytes([first, second, chance.byte(), chance.byte()])


def draw_amount(chance, exponent):
    unit = 10 ** exponent
    return chance.pick([0, 0, unit, unit, chance.near(unit), 100, 1, 10 ** 12 - 1, chance.below(100000)])


def entry_point(chance, out):
    # Every combination of the limits' presence, the zero amount setting, status check and the two bits that matter.
    for present in range(16):
        for zero in range(3):
            for reader in (0x36, 0x3E):
                amount = chance.pick([0, 100, 500])
                limits = [chance.near(amount) if present >> i & 1 else None for i in range(4)] + [None]
                ttq = bytes([reader, chance.pick([0, 0xC0]), 0x40, 0])
                indicator_case(out, amount, 2, chance.flag(), zero, limits, ttq)
    for _ in range(900):
        exponent = chance.pick([0, 1, 2, 2, 2, 3, 4])
        amount = draw_amount(chance, exponent)
        limits = draw_limits(chance, amount)[:4] + [None]
        indicator_case(out, amount, exponent, chance.flag(), chance.below(3), limits, draw_ttq(chance))
    for _ in range(500):
        exponent = 2
        amount = draw_amount(chance, exponent)
        limits, ttq, status, zero = draw_limits(chance, amount), draw_ttq(chance), chance.flag(), chance.below(3)
        start_b, own = chance.once_in(6), chance.flag()
        if limits[CDCVM_TRANSACTION] is not None:       # what a lower one, or one alone, means is not said
            if limits[TRANSACTION] is None or limits[CDCVM_TRANSACTION] < limits[TRANSACTION]:
                limits[CDCVM_TRANSACTION] = None
        settings = [(chance.below(3), chance.below(4)) for _ in range(2)]
        made = entry_indicators(amount, exponent, start_b, status, zero, limits, ttq, resolved_trust(*settings[own]))
        out.case("cemv_entry_indicators", [amount, exponent, start_b, status, zero] + limit_inputs(limits) +
                 [ttq or b"", own, settings[0][0], settings[0][1], settings[1][0], settings[1][1]], made.fields())
    for _ in range(300):
        amount, kind = draw_amount(chance, 2), chance.pick([0, 0, 1, 9, 0x17, 0x20])
        inputs, allowed, any_takes = [kind, amount, 2], 0, False
        rows = chance.pick([1, 2, 3, 5])
        inputs.append(rows)
        for row in range(rows):
            types = chance.pick([b"", b"\x00", b"\x01\x20", b"\x00\x09", bytes([kind]), b"\x17"])
            limits = draw_limits(chance, amount)[:4] + [None]
            ttq, status, zero = draw_ttq(chance), chance.flag(), chance.below(3)
            inputs += [types, status, zero] + limit_inputs(limits) + [ttq or b""]
            if takes(types, kind):
                any_takes = True
                if not preprocess(amount, 2, status, zero, limits, ttq).not_allowed:
                    allowed |= 1 << row
        out.case("cemv_entry_preprocess", inputs, [any_takes, allowed])
    for _ in range(60):
        types, kind = chance.pick([b"", b"\x00", b"\x01\x20", b"\x00\x09\x20"]), chance.pick([0, 1, 9, 0x17, 0x20])
        out.case("cemv_combination_takes", [types, kind], [takes(types, kind)])
    for _ in range(500):
        rid = chance.pick(list(DEFAULT_KERNELS) + ["A000000042", "A000000658"])
        aid = bytes.fromhex(rid) + chance.bytes(chance.pick([0, 2, 5]))
        kernel_id = chance.pick([bytes([n]) for n in (2, 3, 4, 5, 6, 7, 8, 0x43)] +
                                [b"\x81\x01\x02", b"\xC3\x12\x34", b"\x81\x00\x00"])
        if chance.flag():
            kernel_id = bytes([DEFAULT_KERNELS.get(rid, 3)])
        present = not chance.once_in(6)
        identifier = b""
        if present and not chance.once_in(8):
            first = chance.pick([0, 2, 3, kernel_id[0], kernel_id[0], 0x43, 0x80, 0xC0, 0x81, 0xC3, chance.below(256)])
            more = kernel_id[1:3] if chance.flag() else chance.bytes(chance.pick([0, 1, 2, 3, 7]))
            identifier = bytes([first]) + more
        out.case("cemv_kernel_requested", [aid, kernel_id, present, identifier],
                 [kernel_requested(aid, kernel_id, present, identifier)])
    for _ in range(450):
        candidates_case(chance, out)
    for _ in range(200):
        candidates = []
        for position in range(chance.below(7)):
            priority = chance.pick([1, 2, 15, 1 + chance.below(15)])
            candidates.append((chance.below(4), chance.below(4), priority, chance.below(3)))
        unique = {(c[0], c[1]) for c in candidates}
        if len(unique) == len(candidates):
            candidates.sort()       # as B 3.3.2.5 lists them: by combination, then by directory entry
            flat = b"".join(bytes(candidate) for candidate in candidates)
            out.case("cemv_candidates_best", [flat], [best_candidate(candidates)])


def indicator_case(out, amount, exponent, status, zero, limits, ttq):
    made = preprocess(amount, exponent, status, zero, limits, ttq)
    out.case("cemv_preprocess", [amount, exponent, status, zero] + limit_inputs(limits) + [ttq or b""], made.fields())


def kernel_3(chance, out):
    for _ in range(500):
        has, cid, iad = chance.flag(), chance.byte(), chance.bytes(chance.pick([0, 4, 5, 6, 7, 7, 32]))
        value = cid if has else None
        out.case("k3_cryptogram_type", [has, cid, iad], [k3_type(value, iad)])
        out.case("k3_cryptogram_contradicts", [has, cid, iad], [k3_contradicts(value, iad)])
    for kind in range(4):
        for online in range(2):
            for refund in range(2):
                out.case("k3_disposition", [kind, online, refund], [k3_disposition(kind, online, refund)])
    for _ in range(1200):
        kind, usage = chance.pick([TC, TC, AAC, ARQC, UNIDENTIFIED]), chance.below(3)
        expired, exception, known = chance.flag(), chance.once_in(4), chance.below(4) != 0
        domestic = known and chance.flag()
        auc, ctq = draw_pair(chance), draw_pair(chance)
        plain = [kind, usage, expired, exception, known, domestic]
        out.case("k3_restrictions", plain + pair_inputs(auc) + pair_inputs(ctq), [k3_restrictions(*plain, auc, ctq)])
    for kind in range(4):
        for more in (0, ONLINE, DECLINE, ONLINE | DECLINE, PROTECTION, PROTECTION | ONLINE, PROTECTION | DECLINE):
            for flags in range(32):
                bits = [flags >> i & 1 for i in range(5)]
                marks = more | k3_disposition(kind, False, bits[4])
                out.case("k3_signature_wanted", [kind, marks] + bits[:4], [k3_signature_wanted(kind, marks, *bits[:4])])
    for oda in range(4):
        for flags in range(8):
            for ctq in (None, b"\x00\x00", b"\x20\x00", b"\x10\x00", b"\x30\x00", b"\xCF\xFF", b"\xFF\xFF",
                        chance.bytes(2)):
                bits = [flags >> i & 1 for i in range(3)]
                marks = k3_after_oda(oda, *bits, ctq)
                protected = OPEN if marks & OPEN_PROTECTION else marks & PROTECTION != 0
                out.case("k3_after_oda", [oda] + bits + pair_inputs(ctq), [marks & 15, protected])
    for _ in range(2600):
        kind, oda, trust = chance.below(4), chance.below(4), 1 + chance.below(3)
        required, pin, signature, contact, related = (chance.flag() for _ in range(5))
        ctq = None
        if not chance.once_in(6):
            ctq = bytes([chance.pick([0, 0x80, 0x40, 0xC0, chance.byte()]),
                         chance.pick([0, 0x80, 0x80, chance.byte()])])
        matches = related and ctq is not None and chance.flag()
        if not related and not chance.once_in(4):
            oda = chance.pick([ODA_NOT_DONE, ODA_IMPOSSIBLE])
        plain = [kind, oda, trust, required, pin, signature, contact, related, matches]
        out.case("k3_cvm", plain + pair_inputs(ctq), k3_cvm(*plain, ctq))
    for marks in (0, 1, 2, 3, 16, 17, 18, 19):
        for online in range(2):
            for offline in range(2):
                out.case("k3_decide", [marks, online, offline], [k3_decide(marks, online, offline)])


def draw_kind(chance):
    return chance.pick([0, 1, 9, 0x17, 0x20, 0x30, chance.byte()])


def draw_terminal(chance):
    return 0x10 * (1 + chance.below(3)) + 1 + chance.below(6)


def kernel_2_rules(chance, out):
    for asked in range(0, 256, 16):
        for cid in (0, 0x40, 0x80, 0xC0, 0x08, 0x4F, 0xBF, 0xFF):
            if asked & 0xC0 != 0xC0:
                out.case("k2_cryptogram_allowed", [asked & 0xD0, cid], [k2_allowed(asked & 0xD0, cid)])
    for _ in range(1200):
        usage = draw_pair(chance)
        bits = [chance.flag() for _ in range(3)]
        atm, country = chance.flag(), chance.below(4) != 0
        domestic, kind, cashback = country and chance.flag(), draw_kind(chance), chance.flag()
        if usage is not None and chance.flag():
            usage = bytes([usage[0] | (2 if atm else 1), usage[1]])
        out.case("k2_restrictions", bits + pair_inputs(usage) + [atm, country, domestic, kind, cashback],
                 [k2_restrictions(*bits, usage, atm, country, domestic, kind, cashback)])
    for _ in range(2500):
        cvm_case(chance, out)
    for _ in range(1500):
        results = sum({1 << chance.below(40) for _ in range(chance.below(4))})
        codes = [sum({1 << chance.below(40) for _ in range(chance.below(4))} |
                     ({results & -results} if results and chance.once_in(5) else set())) for _ in range(6)]
        has = [chance.flag() for _ in range(3)]
        terminal = draw_terminal(chance) if not chance.once_in(8) else chance.byte()
        issuer = [code if there else None for code, there in zip(codes[3:], has)]
        shown = [code if there or chance.flag() else 0 for code, there in zip(codes[3:], has)]
        out.case("k2_action", [results] + codes[:3] + shown + has + [terminal],
                 [k2_action(results, codes[:3], issuer, terminal)])
    for _ in range(1300):
        bits = [chance.flag() for _ in range(6)]
        kind, storage = chance.pick([0, 0x40, 0x80]), chance.pick([0, 0, 0x40, 0x40, 0x80, 0x80, 0xC0, chance.byte()])
        usable = chance.byte()
        over = chance.flag()
        made = k2_ac(*bits, kind, storage, usable, over)
        out.case("k2_ac", bits + [kind, storage, usable, over], [OPEN if value is None else value for value in made])
    for _ in range(1500):
        relay_case(chance, out)
    for kind in (0, 0x40, 0x80):
        for type_of in (0, 1, 9, 0x17, 0x20, 0x30, 0x18, 0xFF):
            for signature in range(2):
                for device in range(2):
                    out.case("k2_end", [kind, type_of, signature, device], k2_end(kind, type_of, signature, device))


def cvm_case(chance, out):
    amount = chance.pick([0, 1, 99, 100, 101, 500, 10 ** 12 - 1, 0xFFFFFFFF, 0x100000000])
    x, y = (chance.pick([0, 0, 100, 500, 0xFFFFFFFF, chance.near(min(amount, 0xFFFFFFFE))]) for _ in range(2))
    rules = x.to_bytes(4, "big") + y.to_bytes(4, "big")
    codes = [0, 0, 1, 2, 2, 3, 4, 5, 0x1E, 0x1E, 0x1F, 0x1F, 0x06, 0x0F, 0x10, 0x1D, 0x20, 0x2F, 0x30, 0x3E, 0x3F]
    for _ in range(chance.pick([0, 1, 1, 2, 3, 4, 8])):
        code = chance.pick(codes) | (0x40 if chance.flag() else 0) | (0x80 if chance.once_in(10) else 0)
        rules += bytes([code, chance.pick([0, 0, 3, 3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 0x7F, 0x80, 0xFF])])
    if chance.once_in(20):
        rules = rules[:chance.pick([0, 0, 2, 4, 6])]
    capability = chance.pick([0x60, 0x68, 0x08, 0x40, 0x20, 0x28, 0x48, 0, 0xF8, chance.byte()])
    on_device, verifies, above = chance.once_in(8), not chance.once_in(8), chance.flag()
    kind, terminal, known = draw_kind(chance), draw_terminal(chance), chance.below(4) != 0
    same = known and chance.below(4) != 0
    made = k2_cvm(on_device, verifies, above, rules, capability, kind, terminal, amount, same, known)
    out.case("k2_cvm", [on_device, verifies, above, rules, capability, kind, terminal, amount, same, known], made)


def relay_case(chance, out):
    card_min, card_max, card_time = (chance.pick([0, 1, 20, 40, 100, 0xFFFF, chance.below(200)]) for _ in range(3))
    min_grace, max_grace = (chance.pick([0, 20, 50, 0xFFFF, chance.below(100)]) for _ in range(2))
    command, response = (chance.pick([0, 18, 24, 0xFFFF, chance.below(100)]) for _ in range(2))
    accuracy = chance.pick([0, 300, 0xFFFF, chance.below(400)])
    mismatch = chance.pick([0, 49, 50, 51, 100, chance.below(101)])
    if chance.once_in(3):
        response = chance.pick([card_time, 2 * card_time, card_time // 2, 2 * card_time + 1]) & 0xFFFF
    retries = chance.below(3)
    fixed = command + min(card_time, response)
    border = chance.pick([max(0, card_min - min_grace), card_max + max_grace, card_min + accuracy, 0xFFFF])
    elapsed = chance.near(border + fixed) * 100 + chance.pick([0, 0, 99, 50])
    if chance.once_in(4):
        elapsed = chance.pick([1, 99, 100, 8000, 30000, 0xFFFFFFFF, chance.below(10 ** 7)])
    elapsed = max(1, elapsed)
    verdict, measured, result = k2_relay(elapsed, retries, card_min, card_max, card_time, min_grace, max_grace, command,
                                         response, accuracy, mismatch)
    out.case("k2_relay", [elapsed, retries, card_min, card_max, card_time, min_grace, max_grace, command, response,
                          accuracy, mismatch], [verdict, measured, OPEN if result is None else result])


def kernel_2_messages(chance, out):
    for _ in range(200):
        size = chance.pick([0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 9, 32])
        data = bytearray(chance.bytes(size))
        if size > 2:
            data[2] &= 0x7F if chance.flag() else 0xFF
        if size > 5:
            data[4:6] = chance.pick([b"00", b"01", b"10", b"12", bytes(data[4:6])])
        out.case("k2_is_device", [bytes(data)], [k2_is_device(bytes(data))])
    for _ in range(150):
        said = chance.bytes(chance.pick([0, 1, 2, 3, 3, 3, 3, 4]))
        out.case("k2_second_tap", [said], [k2_second_tap(said)])
        out.case("k2_phone_message", [K2_PHONE_TABLE, said], k2_phone_message(K2_PHONE_TABLE, said))
    out.case("k2_phone_table", [], [K2_PHONE_TABLE])
    for _ in range(60):
        locator = chance.pick([b"\x08\x01\x01\x00", b"\x08\x01\x01\x01", b"\x08\x01\x02\x00", b"\x10\x01\x01\x00"])
        locator += chance.pick([b"", b"\x08\x01\x01\x00", b"\x18\x01\x02\x01"])
        locator = locator[:chance.pick([0, 4, 8, 8])]
        out.case("k2_begins_with_magstripe_record", [locator], [k2_magstripe_record(locator)])
        dol = b"".join(chance.pick([b"\x9F\x37\x04", b"\x9F\x02\x06", b"\x9A\x03", b"\x9C\x9F", b"\x95\x37"])
                       for _ in range(chance.below(5)))
        out.case("k2_asks_for_number", [dol], [k2_asks_for_number(dol)])
    for _ in range(300):
        rows = []
        for _ in range(chance.below(6)):
            mask = chance.bytes(3)
            rows.append(mask + bytes(chance.pick([0, byte, byte, chance.byte()]) for byte in mask) + chance.bytes(2))
        if chance.below(4):
            rows.append(bytes(6) + chance.bytes(2))
        table = b"".join(rows)
        if chance.once_in(6):
            table = table[:chance.below(len(table) + 1)]
        fine = k2_phone_table_ok(table)
        out.case("k2_phone_table_ok", [table], [fine])
        if fine:
            said = chance.bytes(3)
            out.case("k2_phone_message", [table, said], k2_phone_message(table, said))
    for failures in list(range(8)) + [31, 32, 64, 255]:
        out.case("k2_back_off_ms", [failures], [k2_back_off(failures)])


def place_case(out, name, track, place):
    if place is not OPEN:
        out.case(name, [track], [place is not None] + (list(place) if place else [OPEN, OPEN]))


def kernel_2_tracks(chance, out):
    for _ in range(700):
        track = draw_track_2(chance)
        if 0 < len(track) <= 19:
            place = k2_track_2_discretionary(track)
            place_case(out, "k2_track_2_discretionary", track, place)
        entropy = chance.bytes(4)
        measured = chance.pick([0, 9, 10, 168, 9989, 9990, 9999, 10000, 0xFFFF, chance.below(65536)])
        index, retries = chance.pick([0, 5, 9, 10, 0xFA, 255]), chance.below(3)
        made = k2_relay_track(track, index, retries, entropy, measured)
        out.case("k2_relay_track", [track, index, retries, entropy, measured],
                 [made is not None, made if made else b""])
    for _ in range(500):
        track = draw_track_1(chance)
        if track:
            place = k2_track_1_discretionary(track)
            place_case(out, "k2_track_1_discretionary", track, place)
    for _ in range(300):
        pan, sequence = cn_bytes(draw_pan(chance)), chance.pick([0, 1, 0x12, 0x99])
        out.case("k2_storage_id", [pan, sequence], [k2_storage_id(pan, sequence)])
    for _ in range(300):
        positions, counter_digits = chance.bytes(chance.pick([2, 6])), chance.pick([0, 1, 3, 8, chance.below(50)])
        left = len(ones(positions)) - counter_digits
        out.case("k2_number_digits", [positions, counter_digits], [left < 0, left if left >= 0 else OPEN])
        highest = max([0] + ones(positions))
        digits = max(0, chance.pick([0, 1, 8, 13, chance.below(50), highest, highest - 1]))
        out.case("k2_positions_within", [positions, digits], [k2_positions_within(positions, digits)])
    for _ in range(700):
        fill_case(chance, out)
    for _ in range(300):
        digits = chance.below(9)
        limit = 2 ** 32 // 10 ** digits * 10 ** digits
        value = chance.pick([0, 1, 2 ** 32 - 1, min(2 ** 32 - 1, chance.near(limit)), chance.near(10 ** digits),
                             chance.below(2 ** 32)])
        random = value.to_bytes(4, "big")
        number = k2_numeric(random, digits)
        out.case("k2_numeric", [random, digits], [number is not None, number if number is not None else OPEN])


def draw_bitmap(chance, size, highest):
    count = chance.below(highest + 1)
    if chance.flag():
        count = min(count, 6)
    places = {1 + chance.below(highest) for _ in range(count)}
    return sum(1 << place - 1 for place in places).to_bytes(size, "big")


def fill_case(chance, out):
    first_track = chance.flag()
    if first_track:
        head = "B" + "".join(map(str, draw_pan(chance))) + "^NAME/N^" + "".join(map(str, chance.digits(7)))
        count = 1 + chance.below(min(48, 76 - len(head)))
    else:
        pan = draw_pan(chance)
        head = pan + [13] + chance.digits(7)
        count = 1 + chance.below(min(16, 37 - len(head)))
    field = chance.digits(count)
    size = 6 if first_track else 2
    highest = 8 * size if chance.once_in(4) else min(8 * size, count)
    cvc3_positions, number_positions = draw_bitmap(chance, size, highest), draw_bitmap(chance, size, highest)
    named = len(ones(number_positions))
    counter_digits = chance.pick([0, min(named, 1), named, max(0, named - 8), chance.below(named + 1)])
    number_digits = named - counter_digits
    if number_digits > 8:
        return
    cvc3, counter = (chance.pick([0, 7, 99, 501, 0xFFFF, chance.below(65536)]) for _ in range(2))
    number = chance.pick([0, 10 ** number_digits - 1, chance.below(10 ** number_digits)])
    shown = chance.pick([number_digits, (number_digits + 5) % 10])
    values = [cvc3_positions, number_positions, counter_digits, cvc3, counter, number, number_digits, shown]
    made = k2_filled(field, *values)
    if first_track:
        before = (head + "".join(map(str, field))).encode()
        after = (head + "".join(map(str, made))).encode()
        out.case("k2_fill_track_1", [before, len(head), count] + values, [after])
    else:
        tail = [15] if (len(head) + count) % 2 else []
        out.case("k2_fill_track_2", [pack(head + field + tail), len(head), count] + values, [pack(head + made + tail)])


def data_object(tag, value):
    size = bytes([len(value)]) if len(value) < 128 else bytes([0x81, len(value)])
    return bytes.fromhex(tag) + size + value


def draw_record(chance, pans):
    record = b""
    if chance.below(8):
        record += data_object("9F02", bytes(6))
    if chance.below(8):
        record += data_object("5A", chance.pick(pans))
    if chance.below(4):
        record += data_object("5F34", bytes([chance.below(2)]))
    if chance.below(8):
        record += data_object("DF8107", chance.bytes(chance.pick([1, 5, 5, 130] if chance.once_in(4) else [1, 5])))
    if chance.below(10):
        record += data_object("9A", chance.pick([draw_date(chance), b"\x26\x11\x22", b"\x26\x11\x21", b"\x26\x12\x31",
                                                 b"\x24\x02\x28"]))
    if chance.below(10):
        record += data_object("9F21", chance.pick([bytes(3), b"\x23\x59\x59", b"\x12\x30\x15", b"\x12\x3A\x15"]))
    return record


def kernel_2_torn(chance, out):
    pans = [bytes.fromhex(text) for text in ("4111111111111111", "5555555555554444", "378282246310005F")]
    tags = [0x5A, 0x5F34, 0x9A, 0x9F21, 0x9F02, 0xDF8107, 0x9F03]
    for _ in range(300):
        record = draw_record(chance, pans)
        date = chance.pick([b"\x26\x11\x22", b"\x26\x11\x21", b"\x27\x01\x01", b"\x24\x03\x01", b"\x24\x02\x29",
                            draw_date(chance)])
        time = chance.pick([bytes(3), b"\x12\x30\x15", b"\x12\x30\x14", b"\x23\x59\x59", b"\x1A\x00\x00"])
        out.case("k2_torn_age", [record, date, time], [k2_torn_age(record, date, time)])
        tag = chance.pick(tags)
        value = object_value(record, tag)
        out.case("k2_torn_find", [record, tag], [value is not None, value if value is not None else b""])
    for _ in range(200):
        records = [draw_record(chance, pans) for _ in range(chance.below(5))]
        pan, sequence = chance.pick(pans), chance.pick([b"", b"\x00", b"\x01"])
        out.case("k2_torn_lookup", [pan, sequence] + records, [k2_torn_lookup(records, pan, sequence)])
        if records:
            index = chance.below(len(records))
            left = records[:index] + records[index + 1:]
            out.case("k2_torn_remove", [index] + records, [len(left), 0] + left)
    for configured in (0, 1, 2, 3, 4, 5, 255):
        for there in (0, 1):
            out.case("k2_torn_capacity", [there, configured], [min(configured, 4) if there else 0])


def generate(seed):
    print("# Generated by Tests/Independent/generators/rules.py, seed %d" % seed)
    out = Writer()
    groups = [shared_numbers, formats_and_randomness, shared_lists, shared_accounts, entry_point, kernel_3,
              kernel_2_rules, kernel_2_messages, kernel_2_tracks, kernel_2_torn]
    for number, group in enumerate(groups):
        group(Chance(seed + number), out)


def main():
    if sys.argv[1:2] == ["--write"]:
        with open(sys.argv[2] + "/rules.txt", "w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
            generate(DEFAULT_SEED)
    else:
        generate(int(sys.argv[1], 0) if len(sys.argv) > 1 else DEFAULT_SEED)


if __name__ == "__main__":
    main()
