#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of Kernel 7 (UnionPay QuickPass), a card that signs, and a generator of dialogues.

Written from Book C-7 v2.9.1, Book B v2.10, EMV 4.3 Book 2, EMV 4.4 Book 3 and the project's checklist of Kernel 7, by
someone who had not read the C code. It is slow and plain on purpose. Clauses without a book are those of C-7; "A01" and
the like are rows of Conformance/attacks.md. Where neither book nor checklist decides, unclear() discards the dialogue.

    kernel_7.py SEED COUNT    COUNT dialogues (emv-trace/1, one a line) to standard output
    kernel_7.py --write DIR   writes kernel_7.taps and kernel_7_rules.txt into DIR
    kernel_7.py --check       replays the examples of Tests/Independent, validates every dialogue against the schema,
                              and demands each way of each item of the checklist
    kernel_7.py --coverage    what --check counts, as a table"""

# Readings, where book and clause list leave a choice:
# - the unpredictable number of an activation is the next four bytes of random; random repeats where an activation may
#   or may not have drawn one (Select Next of 4.1.4.1)
# - messages lists identifiers alone: the restart request of 4.5.3.1 and 4.5.8.1 has none, and no 15 takes its place.
#   holdMs and fieldOffMs of message 20 are left out (10 to 15 are right), receipt where it is N/A
# - the last presentment that maxTaps allows is End Application with message 1C (attacks.md, R12); tap is left out
# - what stands beside the template of a covered record is hashed with it (Book 3 10.3)
# - a signature is *wrong* when a certificate, a field or a hash does not hold, 9F69 has another length or version, or
#   9F4A another tag; it is *not possible* when an object, the AIP's bit or the CA key is not there (in guarded a CA
#   key past its last day too)
# - A01, A32 on an ARQC: a wrong signature, or one without 9F69, leads above the limit to online PIN at a reader that
#   has it, else the claim alone is dropped; in strict it declines
# - A06 against A32: a signed CTQ unlike the one in the clear declines at a reader that did not ask for the signature,
#   and decides at one that did
# - strict, above the limit, CTQ not covered: online PIN; without a PIN pad CDCVM becomes Try Another Interface
#   (contact), where there is none Declined, and a signature stays. What the book declines stays declined
# - strict has a floor limit of zero in every dialogue, so that a TC is judged by A10
# - A17 ends with End Application after the last record, before the exception file and fDDA; A19 and a 5F24 that is
#   absent or not covered end Declined
# - Kernel 3's rule for cash back (9C = 00) is not applied: 9C is the transaction's type
#
# Nothing is claimed, and no dialogue drawn, where these meet: a special reader without 9F66 in the PDOL; 5A or 5F24
# in the GPO response; objects of 4.28 in a record that the GPO response did not have; otherInterfaces against TTQ
# 1.5; a broken template 70 in SFI 11 to 30; more records than maxRecords; a record twice in the AFL, a terminal floor
# limit alone, and A10, A17, A19, A32 and the expiry rule two at a time, in guarded; a wrong signature with CTQ 1.5
# alone in guarded; no CTQ in the clear beside a verified signature; a TC with 9F4B without 9F69 in guarded; an
# unasked signature that verifies above the limit, and CID unlike IAD with an AFL, in strict; an entry of the
# exception file with a sequence number for a card without 5F34; a refund that would need a CVM; findings; single
# rules beside the profile.

import hashlib
import json
import pathlib
import re
import sys

from emv import examples, of_other_network, unhex, write

SCHEMA = pathlib.Path(__file__).resolve().parents[3] / "Schemas" / "emv-trace-1.schema.json"
SEED, COUNT = 20261121, 640


# ---------------------------------------------------------------------------------------------------------------
# Bytes, numbers, dates, data objects
# ---------------------------------------------------------------------------------------------------------------

class Chance:
    """Deterministic random numbers, the same with every version of Python."""

    def __init__(self, *seed):
        self.state = hashlib.sha256(repr(seed).encode()).digest()
        self.pool = b""

    def bytes(self, count):
        while len(self.pool) < count:
            self.state = hashlib.sha256(self.state).digest()
            self.pool += hashlib.sha256(b"out" + self.state).digest()
        drawn, self.pool = self.pool[:count], self.pool[count:]
        return drawn

    def below(self, limit):
        return int.from_bytes(self.bytes(8), "big") % limit

    def pick(self, values):
        return values[self.below(len(values))]

    def once_in(self, count):
        return self.below(count) == 0


def digits(text):
    """Digits as compressed numeric, padded with F on the right."""
    return unhex(text + "F" * (len(text) % 2))


def cn(value):
    """The digits of a compressed numeric value as text, without what pads it."""
    return value.hex().upper().rstrip("F")


def bcd(number, size):
    return unhex(str(number).zfill(2 * size))


def is_bcd(value):
    return re.fullmatch("[0-9]+", value.hex()) is not None


def real_date(yymmdd):
    """(year, month, day), or None where the three bytes are no day. Years below 50 are 20xx (Book 4, 6.7.3)."""
    if len(yymmdd) != 3 or not is_bcd(yymmdd):
        return None
    year, month, day = (int(yymmdd.hex()[at:at + 2]) for at in (0, 2, 4))
    year += 2000 if year < 50 else 1900
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= longest[month - 1] else None


def last_month(mmyy):
    """(year, month) of a certificate's expiry, or None."""
    if not is_bcd(mmyy) or not 1 <= int(mmyy.hex()[:2]) <= 12:
        return None
    year = int(mmyy.hex()[2:])
    return (year + (2000 if year < 50 else 1900), int(mmyy.hex()[:2]))


def luhn_digit(text):
    total = 0
    for place, digit in enumerate(reversed(text)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


class Malformed(Exception):
    """A data field that cannot be parsed."""


def size(value):
    length = len(value)
    if length < 128:
        return bytes([length])
    return bytes([0x81, length]) if length < 256 else bytes([0x82, length >> 8, length & 255])


def tlv(tag, value):
    return unhex(tag) + size(value) + value


def join(objects):
    return b"".join(tlv(tag, value) for tag, value in objects)


def read_tag(data, at):
    start = at
    if at >= len(data):
        raise Malformed
    at += 1
    if data[start] & 0x1F == 0x1F:
        while True:
            if at >= len(data) or at - start == 4:
                raise Malformed
            at += 1
            if not data[at - 1] & 0x80:
                break
    return data[start:at].hex().upper(), at


def read_length(data, at):
    if at >= len(data):
        raise Malformed
    first = data[at]
    at += 1
    if first < 0x80:
        return first, at
    count = first & 0x7F
    if count == 0 or count > 4 or at + count > len(data):
        raise Malformed
    return int.from_bytes(data[at:at + count], "big"), at + count


def objects_of(data, filler=b"\0"):
    """The data objects of a data field in order; bytes of filler between them are skipped."""
    at, found = 0, []
    while at < len(data):
        if data[at] in filler:
            at += 1
            continue
        tag, at = read_tag(data, at)
        length, at = read_length(data, at)
        if length > len(data) - at:
            raise Malformed
        found.append((tag, data[at:at + length]))
        at += length
    return found


def the_template(data, tag):
    """The value of the only object of a response. Filler of either kind may stand beside it."""
    found = objects_of(data, b"\0\xFF")
    if [name for name, _ in found] != [tag]:
        raise Malformed
    return found[0][1]


def dol_of(data):
    """Tags and lengths of a data object list (Book 3, 5.4)."""
    at, entries = 0, []
    while at < len(data):
        tag, at = read_tag(data, at)
        length, at = read_length(data, at)
        entries.append((tag, length))
    return entries


NUMERIC = {"9F02", "9F03", "9F1A", "5F2A", "9A", "9C", "9F21", "9F41", "9F35", "9F15"}


def dol_value(value, tag, length):
    """A value as a list asks for it (Book 3, 5.4): numbers keep their right end, everything else its left one."""
    if value is None:
        return bytes(length)
    if tag in NUMERIC:
        return (bytes(length) + value)[-length:] if length else b""
    return (value + bytes(length))[:length]


# ---------------------------------------------------------------------------------------------------------------
# RSA (Book 2, Annex A2.1): keys, signatures, certificates
# ---------------------------------------------------------------------------------------------------------------

SMALL = [n for n in range(3, 2000, 2) if all(n % m for m in range(3, int(n ** 0.5) + 1, 2))]


def probably_prime(number):
    if any(number % prime == 0 for prime in SMALL):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, *SMALL[:15]):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


class Key:
    """An RSA key pair whose modulus has this many bits."""

    def __init__(self, name, bits, exponent):
        chance = Chance("key", name)
        primes = []
        while len(primes) < 2:
            number = int.from_bytes(chance.bytes(bits // 16), "big") | 3 << bits // 2 - 2 | 1
            if number not in primes and number % exponent != 1 and probably_prime(number):
                primes.append(number)
        p, q = primes
        self.n, self.e, self.length = p * q, exponent, bits // 8
        self.d = pow(exponent, -1, (p - 1) * (q - 1))
        self.modulus = self.n.to_bytes(self.length, "big")
        self.exponent = exponent.to_bytes(3 if exponent > 255 else 1, "big")

    def sign(self, recoverable, rest, frame="6ABC"):
        """Signs a message whose first part is recovered from the signature."""
        assert len(recoverable) == self.length - 22
        header, trailer = unhex(frame[:2]), unhex(frame[2:])
        block = header + recoverable + hashlib.sha1(recoverable + rest).digest() + trailer
        return pow(int.from_bytes(block, "big"), self.d, self.n).to_bytes(self.length, "big")


class Chain:
    """A certification authority's key with its index, an issuer's and a card's below it."""

    def __init__(self, index, authority, issuer, card):
        self.index, self.authority, self.issuer, self.card = index, authority, issuer, card

    def issuer_certificate(self, pan, expires="1230", serial="000001", form="02", algorithm="0101", identifier=None):
        room = self.authority.length - 36
        key = self.issuer.modulus
        body = unhex(form) + unhex(identifier or pan[:6] + "FF") + unhex(expires + serial + algorithm)
        body += bytes([len(key), len(self.issuer.exponent)]) + (key + b"\xBB" * room)[:room]
        return self.authority.sign(body, key[room:] + self.issuer.exponent), key[room:]

    def card_certificate(self, pan, static, expires="1230", form="04", algorithm="0101"):
        room = self.issuer.length - 42
        key = self.card.modulus
        body = unhex(form + (pan + 20 * "F")[:20] + expires + "000002" + algorithm)
        body += bytes([len(key), len(self.card.exponent)]) + (key + b"\xBB" * room)[:room]
        return self.issuer.sign(body, key[room:] + self.card.exponent + static), key[room:]

    def dynamic_signature(self, form, number, data, frame="6ABC", more=0):
        """`more`: how much longer than the ICC Dynamic Number the ICC Dynamic Data say that they are."""
        dynamic = bytes([len(number)]) + number
        body = unhex(form) + b"\x01" + bytes([len(dynamic) + more]) + dynamic
        return self.card.sign(body + b"\xBB" * (self.card.length - 22 - len(body)), data, frame)


CHAINS = {}


def chain(name):
    """Keys by name. small: both remainders, e = 3; large: the issuer's alone, 65537; mixed: the card's alone; exact: an
    issuer's key that just fits its certificate; exact card: a card's that does; 17: an exponent that none may have."""
    if not CHAINS:
        small, large = Key("authority small", 1152, 3), Key("authority large", 1408, 65537)
        CHAINS["small"] = Chain("B1", small, Key("issuer small", 896, 3), Key("card small", 768, 3))
        CHAINS["large"] = Chain("B2", large, Key("issuer large", 1152, 65537), Key("card large", 768, 65537))
        CHAINS["mixed"] = Chain("B2", large, Key("issuer mixed", 1024, 3), Key("card mixed", 768, 65537))
        CHAINS["exact"] = Chain("B1", small, Key("issuer exact", 864, 3), Key("card small", 768, 3))
        CHAINS["exact card"] = Chain("B2", large, Key("issuer mixed", 1024, 3), Key("card exact", 688, 3))
        CHAINS["17"] = Chain("B2", large, Key("issuer mixed", 1024, 3), Key("card 17", 768, 17))
        CHAINS["17 issuer"] = Chain("B2", large, Key("issuer 17", 1024, 17), Key("card mixed", 768, 65537))
    return CHAINS[name]


def recovered(signature, modulus, exponent):
    """The block behind a signature, or None where it has not the frame of A2.1. Exponents 3 and 65537 only."""
    number, n = int.from_bytes(signature, "big"), int.from_bytes(modulus, "big")
    if len(signature) != len(modulus) or exponent not in (b"\x03", b"\x01\x00\x01") or number >= n:
        return None
    block = pow(number, int.from_bytes(exponent, "big"), n).to_bytes(len(modulus), "big")
    return block if block[0] == 0x6A and block[-1] == 0xBC else None


def public_key(block, fixed, remainder, exponent, rest):
    """The key in a recovered certificate whose fields before it have this length (Tables 6 and 14), or None."""
    hashed = block[1:-21] + remainder + exponent + rest
    if hashlib.sha1(hashed).digest() != block[-21:-1]:
        return None
    length, leftmost = block[fixed - 2], block[fixed:-21]
    if length <= len(leftmost):
        return leftmost[:length] if not remainder else None
    key = leftmost + remainder
    return key if len(key) == length else None


VERIFIED, WRONG, IMPOSSIBLE = "verified", "wrong", "impossible"


def verify_fdda(data, static, today, authorities, revoked, rid, form, terminal_data, counter):
    """4.3.2.2 to 4.3.2.4 with Book 2, 6.2 to 6.5, over data objects by tag. static is None where a covered record
    cannot be hashed; authorities maps an index to (modulus, exponent). counter: the ATC, where the profile holds cards
    to Table 4-9, by which it is the number of two bytes that is signed; else None."""
    if not data["82"][0] & 0x20:
        return IMPOSSIBLE
    if any(tag not in data for tag in ("9F4B", "9F69", "8F", "90", "9F32", "9F46", "9F47", "5A")):
        return IMPOSSIBLE
    authority = authorities.get(data["8F"])
    if authority is None:
        return IMPOSSIBLE
    if not 8 <= len(data["9F69"]) <= 16 or data["9F69"][0] != 1:
        return WRONG
    if static is None or data.get("9F4A", b"\x82") != b"\x82":
        return WRONG
    pan = cn(data["5A"])
    block = recovered(data["90"], *authority)
    if block is None or block[1] != 2 or block[11:13] != b"\1\1":
        return WRONG
    issuer = public_key(block, 15, data.get("92", b""), data["9F32"], b"")
    identifier = cn(block[2:6])
    if issuer is None or not 3 <= len(identifier) <= 8 or not pan.startswith(identifier):
        return WRONG
    if (last_month(block[6:8]) or (0, 0)) < today[:2]:
        return WRONG
    if (rid, data["8F"], block[8:11]) in revoked:
        return WRONG
    if "9F4A" in data:
        static += data["82"]
    block = recovered(data["9F46"], issuer, data["9F32"])
    if block is None or block[1] != 4 or block[17:19] != b"\1\1" or cn(block[2:12]) != pan:
        return WRONG
    if (last_month(block[12:14]) or (0, 0)) < today[:2]:
        return WRONG
    card = public_key(block, 21, data.get("9F48", b""), data["9F47"], static)
    if card is None:
        return WRONG
    block = recovered(data["9F4B"], card, data["9F47"])
    if block is None or block[1:3] != unhex(form) + b"\1" or block[3] > len(card) - 25:
        return WRONG
    number = block[5:5 + block[4]]
    if counter is not None and len(number) == 2 and number != counter:
        return WRONG
    hashed = block[1:-21] + terminal_data
    return VERIFIED if hashlib.sha1(hashed).digest() == block[-21:-1] else WRONG


# ---------------------------------------------------------------------------------------------------------------
# Coverage: each item of the checklist with its ways
# ---------------------------------------------------------------------------------------------------------------

WAYS = {
    "1.1 FCI and PDOL": "good, FCI broken, no PDOL, PDOL cut, no 9F66",
    "1.1 TTQ byte 3": "unchanged, reset",
    "1.1 TTQ 2.8 of pre-processing": "0, floor limit, terminal floor limit, status check, zero amount",
    "1.1 TTQ 2.7 of pre-processing": "0, 1",
    "1.1 special reader": "no, no but DF61, DF61 absent, DF61 empty, DF61 bit 0, DF61 bit 1",
    "1.1 start": "A, B",
    "B limit": "below, reached",
    "1.2 PDOL length": "short, long form, 252, more",
    "1.2 GPO answer": "9000, 6986, link, other status",
    "1.2 other interface": "contact, magstripe, none",
    "1.2 GPO format": "good, no data, not 77, more than one, broken, filler",
    "1.2 GPO objects": "good, twice, wrong length",
    "1.2 presentments": "one, more, limit",
    "1.3 9F10": "there, absent",
    "1.3 9F27": "there, derived",
    "1.3 type": "AAC, TC, ARQC, 11b, IAD short",
    "1.3 AAC data": "there, missing",
    "1.3 AAC with AFL": "no, yes",
    "1.3 unknown type data": "there, missing",
    "1.3 ARQC": "without AFL, with AFL",
    "1.3 ARQC data": "there, missing",
    "1.3 TC data": "there, missing",
    "1.3 TC 57 in GPO": "yes, no",
    "1.3 AFL": "good, empty, length, SFI 0, SFI 31, first 0, last before first, too many covered",
    "1.4 link fault": "no, first record, middle record, last record",
    "1.4 status": "9000, other",
    "1.4 format": "good, no data, not 70, two templates, broken, filler, no template needed",
    "1.4 repeated tag": "no, in the record, of an earlier record, of GPO",
    "1.4 9F27 beside a derived CID": "no, yes",
    "1.4 length": "good, wrong",
    "1.4 5F24": "valid, absent, no date, wrong length, past TC, past ARQC",
    "1.4 today is the last day": "no, yes",
    "1.4 expired": "decline, CTQ 1.4",
    "1.4 exception file": "absent, PAN in 5A listed, PAN in 57 listed, not listed, prefix, sequence, other sequence",
    "1.4 SFI 11 to 30": "no, covered, covered without 70, not covered without 70",
    "1.4 5F20 and 9F0B": "ordinary, odd",
    "1.4 unknown objects": "no, yes",
    "1.4 DDOL": "no, yes",
    "1.9 empty object": "no, yes",
    "1.9 terminal's tags": "no, yes, twice",
    "1.9 9F69 length": "8 to 16, shorter than 7, 7, 17",
    "1.5 TC": "verified, wrong, impossible",
    "1.5 reader with CA keys": "yes, no",
    "1.5 AIP DDA": "yes, no",
    "1.5 9F69": "version 01, other version, absent",
    "1.5 9F4B": "GPO, record, absent",
    "1.5 9F4A": "82, absent, other",
    "1.5 5A": "there, absent",
    "1.5 CA key": "known, unknown",
    "1.6 fDDA failed": "online, other interface, decline, CTQ 1.6 offline only, CTQ 1.5 no contact, no CTQ",
    "1.7 offline only": "no, yes",
    "1.7 led here by": "ARQC, ARQC with AFL, expired TC, expired ARQC, fDDA failed, online PIN, A10",
    "1.7 data": "there, 57 missing, other missing",
    "1.8": "not asked, absent N/A, absent signature, absent PIN, absent declined, PIN, PIN for a TC, CDCVM 9F69 equal,"
           " CDCVM 9F69 differs, CDCVM 9F69 short, CDCVM ARQC without 9F69, CDCVM TC without 9F69, signature,"
           " nothing declined, nothing N/A",
    "1.8 reader does not have": "PIN, signature",
    "1.8 below the limit": "PIN, CDCVM, signature",
    "3 outcome": "approved, declined, onlineRequest, tryAgain, selectNext, endApplication, tryAnotherInterface",
    "3 balance": "none, approved, declined, onlineRequest, no BCD, zero",
    "3 record": "with 57 and 9F1F, without 57, optional objects",
    "type 20": "AAC, ARQC, TC",
    "A01 unasked signature, ARQC": "book, verified, wrong, impossible",
    "A01 strict": "PIN, other interface, declined, signature",
    "A06 unlike the signed CTQ": "declined, transit",
    "A09 floor limit": "not set guarded, not set book",
    "A10 TC though 2.8": "book, online, declined",
    "A10 CID and IAD": "agree, differ, differ strict",
    "A11": "wrong declined, impossible online",
    "A15 CA key expired": "book, guarded",
    "A15 revoked": "no, yes",
    "A17": "book, guarded",
    "A19": "book, type, other amount",
    "A32 signed CTQ": "same, decides",
    "A39 unproven device": "own account, PIN, other interface, declined",
    "expiry of a TC": "absent book, absent guarded, not covered book, not covered guarded, covered",
}
WAYS = {item: [way.strip() for way in ways.split(", ")] for item, ways in WAYS.items()}


class Coverage:
    def __init__(self):
        self.seen = {}

    def mark(self, item, way):
        assert way in WAYS[item], (item, way)
        self.seen[item, way] = self.seen.get((item, way), 0) + 1

    def add(self, other):
        for key, count in other.seen.items():
            self.seen[key] = self.seen.get(key, 0) + count

    def missing(self):
        return [f"{item}: {way}" for item, ways in WAYS.items() for way in ways if (item, way) not in self.seen]

    def table(self):
        lines = []
        for item, ways in WAYS.items():
            lines.append(item + ": " + ", ".join(f"{way} {self.seen.get((item, way), 0)}" for way in ways))
        return "\n".join(lines)


# ---------------------------------------------------------------------------------------------------------------
# The decisions of the kernel, each alone (kernel_7_rules.txt holds cases of them)
# ---------------------------------------------------------------------------------------------------------------

def bit(value, byte, number):
    """Bit `number` (8 is the highest) of byte `byte` (from 1) of a string of bytes."""
    return value[byte - 1] >> number - 1 & 1


def with_bit(value, byte, number, on):
    mask = 1 << number - 1
    changed = value[byte - 1] | mask if on else value[byte - 1] & ~mask
    return value[:byte - 1] + bytes([changed]) + value[byte:]


def configuration_refused(ttq, oda_for_online):
    """Why a combination's TTQ is refused, or None (3.2.2, 4.4.1, Table 3-1 note 1)."""
    if ttq is None:
        return "missing"
    if ttq[0] & 0x80 or ttq[1] & 0x3F or ttq[3] & 0x7F:
        return "reserved"
    if bit(ttq, 1, 7) or not bit(ttq, 1, 6):
        return "flow"
    if not bit(ttq, 3, 7):
        return "cdcvm"
    if bit(ttq, 1, 1) and not oda_for_online:
        return "odaForOnline"
    return None


def reset_ttq(ttq, special, df61):
    """The kernel's copy of TTQ (3.2.2 items 1 to 3, 4.1.4.2), or None where the other flow would begin."""
    if special:
        if not df61 or not bit(df61, 1, 7):
            return None
        for byte, number, on in ((1, 7, 0), (1, 1, 1), (1, 6, 1), (2, 8, 1)):
            ttq = with_bit(ttq, byte, number, on)
    return ttq[:2] + bytes([ttq[2] & 0x40, ttq[3] | 0x80])


def afl_defect(afl):
    """4.1.4.7 and Book 3, 10.2: what is wrong with an AFL, or None."""
    if not afl:
        return "empty"
    if len(afl) % 4:
        return "length"
    for sfi, first, last, covered in afl_entries(afl):
        if sfi in (0, 31):
            return f"SFI {sfi}"
        if first == 0:
            return "first 0"
        if last < first:
            return "last before first"
        if covered > last - first + 1:
            return "too many covered"
    return None


def afl_entries(afl):
    return [(afl[at] >> 3, *afl[at + 1:at + 4]) for at in range(0, len(afl), 4)]


def afl_records(afl):
    """(SFI, record, covered by the signature) in the order of reading."""
    return [(sfi, record, record - first < covered) for sfi, first, last, covered in afl_entries(afl)
            for record in range(first, last + 1)]


AAC, TC, ARQC, UNKNOWN = "AAC", "TC", "ARQC", "unknown"


def cryptogram_type(cid, iad):
    """(type, CID) of 4.1.4.4. cid is None where the card sent none, iad is there."""
    if cid is None:
        if len(iad) < 5:
            return UNKNOWN, 0
        cid = (iad[4] >> 4 & 3) << 6
    return [AAC, TC, ARQC, UNKNOWN][cid >> 6], cid


MANDATORY_ONLINE = ("82", "9F36", "57", "9F10", "9F26")         # Table 4-3 without what is derived
MANDATORY_TC = ("82", "94", "9F36", "9F26", "9F10")             # Table 4-4 likewise

NO_CVM, SIGNATURE, PIN, CDCVM, DECLINED = "notApplicable", "signature", "onlinePIN", "cdcvm", "declined"


def cvm(ctq, related, arqc, ttq):
    """4.4.2: (CVM, way of the table). PIN makes an approval an online request. related is 9F69 or None."""
    required, signature, pin = bit(ttq, 2, 7), bit(ttq, 1, 2), bit(ttq, 1, 3)
    if ctq is None:
        if not required:
            return NO_CVM, "absent N/A"
        if signature:
            return SIGNATURE, "absent signature"
        return (PIN, "absent PIN") if pin else (DECLINED, "absent declined")
    if bit(ctq, 1, 8) and pin:
        return PIN, "PIN" if arqc else "PIN for a TC"
    if bit(ctq, 2, 8):
        if related is not None:
            if related[5:7] == ctq:
                return CDCVM, "CDCVM 9F69 equal"
            return DECLINED, "CDCVM 9F69 short" if len(related) < 7 else "CDCVM 9F69 differs"
        return (CDCVM, "CDCVM ARQC without 9F69") if arqc else (DECLINED, "CDCVM TC without 9F69")
    if bit(ctq, 1, 7) and signature:
        return SIGNATURE, "signature"
    return (DECLINED, "nothing declined") if required else (NO_CVM, "nothing N/A")


ONLINE, OTHER_INTERFACE, DECLINE = "online", "other interface", "decline"


def fdda_failed(ctq, ttq):
    """4.3.2.5."""
    if ctq is not None and bit(ctq, 1, 6) and not bit(ttq, 1, 4):
        return ONLINE
    if ctq is not None and bit(ctq, 1, 5) and bit(ttq, 1, 5):
        return OTHER_INTERFACE
    return DECLINE


def expired(expiry, today):
    """4.2.4.5: True, False, or None where 5F24 is no date (Book 3, 7.5)."""
    day = real_date(expiry)
    return None if day is None else today > day


def on_exception_file(pan, sequence, entries):
    """4.2.4.7. An entry shorter than the PAN is a range; its sequence number, where it has one, must be the card's."""
    return any(pan.startswith(entry.rstrip("F")) and number in (None, sequence) for entry, number in entries)


def other_interface(status, contact, magstripe):
    """4.1.4.3 for a status that is not 9000: the outcome, and the interface that is preferred."""
    if status == 0x6986:
        return "tryAgain", "none"
    if contact or magstripe:
        return "tryAnotherInterface", "contact" if contact else "magstripe"
    return "endApplication", "none"


# Lengths that are checked, in GPO responses and records. Everything else is taken as it comes.
LENGTHS = {"82": (2, 2), "9F36": (2, 2), "9F26": (8, 8), "9F27": (1, 1), "9F10": (1, 32), "57": (1, 19),
           "9F6C": (2, 2), "5F34": (1, 1), "5A": (1, 10), "5F24": (3, 3)}
GPO_ALONE = {"82", "94", "9F26", "9F27", "9F36", "9F10", "9F6C"}
NOT_THE_CARDS = {"9F02", "9F03", "9F1A", "5F2A", "95", "9A", "9C", "9F37", "9F33", "9F35", "9F66", "8A", "91"}


# ---------------------------------------------------------------------------------------------------------------
# The kernel
# ---------------------------------------------------------------------------------------------------------------

class Unclear(Exception):
    """Neither the book nor the checklist says what happens here."""


class LinkFault(Exception):
    pass


class Ends(Exception):
    """Carries the outcome of a kernel or of Entry Point."""

    def __init__(self, outcome, **parameters):
        self.outcome = outcome
        self.cvm, self.message, self.start, self.interface = "notApplicable", None, "none", "none"
        self.data = self.balance = self.receipt = self.hold = self.field_off = None
        self.tap = None
        for name, value in parameters.items():
            setattr(self, name, value)


class Kernel:
    """One activation. `reader` is the configuration, `row` its combination, `send` exchanges a command."""

    def __init__(self, reader, row, ttq, fci, unpredictable, send, coverage):
        self.reader, self.row, self.ttq, self.fci, self.send = reader, row, ttq, fci, send
        self.unpredictable, self.mark = unpredictable, coverage.mark
        self.profile = reader.profile
        self.guarded, self.strict = self.profile != "book", self.profile == "strict"
        self.options = row.get("kernel7", {})
        self.gpo, self.record, self.seen = {}, {}, set()
        self.covered, self.static = set(), b""
        self.type = self.cid = self.signature = None

    # What the card said ------------------------------------------------------------------------------------

    def get(self, tag):
        value = self.gpo.get(tag)
        return self.record.get(tag) if value is None and tag not in GPO_ALONE else value

    @property
    def ctq(self):
        return self.gpo.get("9F6C")

    def store(self, objects, place, covered=False):
        """Format and repetition of what a response held (4.1.4.3, 4.2.4.3, 4.2.4.4)."""
        own = [(tag, value) for tag, value in objects if tag not in NOT_THE_CARDS]
        dropped = [tag for tag, _ in objects if tag in NOT_THE_CARDS]
        self.mark("1.9 terminal's tags",
                  "no" if not dropped else "yes" if len(set(dropped)) == len(dropped) else "twice")
        repeated, wrong, here = None, False, set()
        for tag, value in own:
            if tag in here:
                repeated = "in the record"
            elif tag in self.seen:
                repeated = "of GPO" if tag in self.gpo_tags else "of an earlier record"
            here.add(tag)
            shortest, longest = LENGTHS.get(tag, (0, 255))
            if place is self.record and tag in GPO_ALONE - self.seen - {"9F27"}:
                raise Unclear("an object of the GPO response in a record, 4.28")
            if value or tag in ("94", "5F24"):
                wrong = wrong or not shortest <= len(value) <= longest
                place[tag] = value
        empty = any(not value and tag not in ("94", "5F24") for tag, value in own)
        self.mark("1.9 empty object", "yes" if empty else "no")
        self.seen |= here
        if covered:
            self.covered |= here
        return repeated, wrong

    def decline(self):
        balance = self.balance()
        if balance is not None:
            self.mark("3 balance", "declined")
        raise Ends("declined", message="07", balance=balance, receipt=False)

    def end(self):
        raise Ends("endApplication")

    def try_again(self):
        raise Ends("tryAgain", message="21", start="B", hold=1300, field_off=1300, receipt=False)

    def balance(self):
        value = self.get("9F5D")
        if value is None:
            self.mark("3 balance", "none")
            return None
        if len(value) != 6 or not is_bcd(value):
            self.mark("3 balance", "no BCD")
            return None
        if not any(value):
            self.mark("3 balance", "zero")
        return int(value.hex())

    # Activation (3.2.1, 3.2.2, 4.1.4.1, 4.1.4.2) -----------------------------------------------------------

    def run(self):
        try:
            self.initiate()
        except LinkFault:
            self.try_again()

    def pdol(self):
        found, way = None, "no PDOL"
        try:
            if self.fci is None:
                raise Malformed
            inner = dict(objects_of(the_template(self.fci, "6F")))
            list_of_objects = dict(objects_of(inner.get("A5", b""))).get("9F38")
        except Malformed:
            way, list_of_objects = "FCI broken", None
        if list_of_objects:
            try:
                found = dol_of(list_of_objects)
                way = "good" if "9F66" in [tag for tag, _ in found] else "no 9F66"
            except Malformed:
                way = "PDOL cut"
        self.mark("1.1 FCI and PDOL", way)
        if way != "good":
            raise Ends("selectNext", start="C")
        return found

    def initiate(self):
        pdol = self.pdol()
        special = self.options.get("odaForOnline", False)
        df61 = find_object(self.fci, "DF61")
        if special:
            way = "DF61 absent" if df61 is None else "DF61 empty" if not df61 else f"DF61 bit {bit(df61, 1, 7)}"
        else:
            way = "no" if df61 is None else "no but DF61"
        self.mark("1.1 special reader", way)
        ttq = reset_ttq(self.ttq, special, df61)
        if ttq is None:
            self.end()
        self.mark("1.1 TTQ byte 3", "unchanged" if ttq[2] == self.ttq[2] else "reset")
        self.ttq = ttq
        terminal = self.reader.terminal_data() | {"9F66": ttq, "95": bytes(5), "9F37": self.unpredictable}
        values = b"".join(dol_value(terminal.get(tag), tag, length) for tag, length in pdol)
        self.mark("1.2 PDOL length", "more" if len(values) > 252 else "252" if len(values) == 252 else
                  "long form" if len(values) > 127 else "short")
        if len(values) > 252:
            self.end()
        self.options_answer(self.command(b"\x80\xA8\0\0", tlv("83", values)))

    def command(self, header, data=b""):
        lc = bytes([len(data)]) if data else b""
        answer = self.send(header + lc + data + b"\0")
        return answer[:-2], int.from_bytes(answer[-2:], "big")

    # GET PROCESSING OPTIONS (4.1.4.3 to 4.1.4.6) -----------------------------------------------------------

    def options_answer(self, answer):
        data, status = answer
        self.mark("1.2 GPO answer", "9000" if status == 0x9000 else "6986" if status == 0x6986 else "other status")
        if status != 0x9000:
            self.other_status(status)
        try:
            objects = objects_of(the_template(data, "77"))
        except Malformed:
            self.mark("1.2 GPO format", format_defect(data, "77"))
            self.end()
        self.mark("1.2 GPO format", "filler" if data[0] != 0x77 or data[-1] in b"\0\xFF" and trailing(data) else "good")
        self.gpo_tags = set()
        repeated, wrong = self.store(objects, self.gpo)
        self.gpo_tags = set(self.seen)
        if "5A" in self.seen or "5F24" in self.seen:
            raise Unclear("5A or 5F24 in the GPO response, 4.8")
        self.mark("1.2 GPO objects", "wrong length" if wrong else "twice" if repeated else "good")
        if repeated or wrong:
            self.end()
        self.mark("1.3 9F10", "there" if "9F10" in self.gpo else "absent")
        if "9F10" not in self.gpo:
            self.end()
        self.mark("1.3 9F27", "there" if "9F27" in self.gpo else "derived")
        self.type, cid = cryptogram_type(self.gpo["9F27"][0] if "9F27" in self.gpo else None, self.gpo["9F10"])
        self.cid = bytes([cid])
        self.mark("1.3 type", {UNKNOWN: "11b" if "9F27" in self.gpo else
                               "11b" if len(self.gpo["9F10"]) >= 5 else "IAD short"}.get(self.type, self.type))
        self.disposition()

    def other_status(self, status):
        contact, magstripe = self.interfaces()
        if status == 0x6986:
            raise Ends("tryAgain", message="20", start="B", receipt=False, hold="10-15", field_off="10-15")
        outcome, interface = other_interface(status, contact, magstripe)
        self.mark("1.2 other interface", interface)
        if outcome == "endApplication":
            self.end()
        raise Ends("tryAnotherInterface", message="18", interface=interface)

    def interfaces(self):
        if "otherInterfaces" in self.options:
            named = self.options["otherInterfaces"]
            if ("contact" in named) != bool(bit(self.ttq, 1, 5)):
                raise Unclear("otherInterfaces against TTQ 1.5")
            return "contact" in named, "magstripe" in named
        return bit(self.ttq, 1, 5), bit(unhex(self.reader.terminal["9F33"]), 1, 7)

    def differs_from_iad(self):
        iad = self.gpo["9F10"]
        return "9F27" in self.gpo and len(iad) >= 5 and self.cid[0] >> 6 != iad[4] >> 4 & 3

    def disposition(self):
        afl = self.gpo.get("94")
        there = {table: all(tag in self.gpo for tag in table) for table in (MANDATORY_ONLINE, MANDATORY_TC)}
        differs = self.differs_from_iad()
        if self.type in (AAC, UNKNOWN):
            item = "1.3 AAC data" if self.type == AAC else "1.3 unknown type data"
            self.mark(item, "there" if there[MANDATORY_ONLINE] else "missing")
            if self.type == AAC:
                self.mark("1.3 AAC with AFL", "no" if afl is None else "yes")
            if not there[MANDATORY_ONLINE]:
                self.end()
            self.refund(AAC)
            self.decline()
        if self.type == ARQC:
            self.mark("1.3 ARQC", "without AFL" if afl is None else "with AFL")
            if afl is None:
                self.mark("1.3 ARQC data", "there" if there[MANDATORY_ONLINE] else "missing")
                if not there[MANDATORY_ONLINE]:
                    self.end()
        else:
            self.mark("1.3 TC data", "there" if there[MANDATORY_TC] else "missing")
            if not there[MANDATORY_TC]:
                self.end()
            self.mark("1.3 TC 57 in GPO", "yes" if "57" in self.gpo else "no")
        if differs and self.strict:
            if afl is not None:
                raise Unclear("A10: CID unlike IAD, strict, with an AFL: before or after the records")
            self.mark("A10 CID and IAD", "differ strict")
            self.decline()
        self.mark("A10 CID and IAD", "differ" if differs else "agree")
        if afl is None:
            self.online("ARQC")
        defect = afl_defect(afl)
        self.mark("1.3 AFL", defect or "good")
        if defect:
            self.end()
        self.read(afl_records(afl))

    def refund(self, way):
        """Refunds: formats.md asks for no CVM, C-7 has no rule. Only what both give is used."""
        if self.reader.type == "20":
            self.mark("type 20", way)
            if way != AAC and (bit(self.ttq, 2, 7) or self.ctq is None or self.ctq[0] & 0xC0 or self.ctq[1] & 0x80):
                raise Unclear("a refund that would need a CVM")

    # READ RECORD (4.2.4) -----------------------------------------------------------------------------------

    def read(self, records):
        if self.guarded and len({record[:2] for record in records}) != len(records):
            raise Unclear("A18: a record twice in the AFL, guarded: before or at the second reading")
        if len(records) > self.reader.max_records:
            raise Unclear("more records than maxRecords: before or after reading them")
        for number, (sfi, record, covered) in enumerate(records):
            place = "first record" if number == 0 else "last record" if number + 1 == len(records) else "middle record"
            try:
                data, status = self.command(bytes([0, 0xB2, record, sfi << 3 | 4]))
            except LinkFault:
                self.mark("1.4 link fault", place)
                raise
            self.mark("1.4 link fault", "no")
            self.mark("1.4 status", "9000" if status == 0x9000 else "other")
            if status != 0x9000:
                self.end()
            objects = self.record_format(data, sfi, covered)
            self.record_objects(objects, covered)
            self.expiry(objects)
        self.mark("1.4 5F24", "valid" if "5F24" in self.record else "absent")
        self.read_all()

    def record_format(self, data, sfi, covered):
        try:
            value = the_template(data, "70")
            objects = objects_of(value)
        except Malformed:
            if sfi > 10 and data:
                try:
                    odd = [tag for tag, _ in objects_of(data, b"\0\xFF")] == ["70"]
                except Malformed:
                    odd = False
                if odd:
                    raise Unclear("a broken template 70 in SFI 11 to 30") from None
                self.mark("1.4 format", "no template needed")
                self.mark("1.4 SFI 11 to 30", ("covered" if covered else "not covered") + " without 70")
                if covered:
                    self.static = None
                return []
            self.mark("1.4 format", format_defect(data, "70"))
            self.end()
        self.mark("1.4 format", "filler" if trailing(data) else "good")
        if sfi > 10:
            self.mark("1.4 SFI 11 to 30", "covered" if covered else "no")
        else:
            self.mark("1.4 SFI 11 to 30", "no")
        if covered and self.static is not None:
            # Book 3, 10.3: tag and length of the template count for SFI 11 to 30 alone
            _, at = read_length(data, 1)
            self.static += data if sfi > 10 else data[at:]
        return objects

    def record_objects(self, objects, covered):
        repeated, wrong = self.store(objects, self.record, covered)
        self.mark("1.4 repeated tag", repeated or "no")
        beside = any(tag == "9F27" for tag, _ in objects) and "9F27" not in self.gpo_tags
        self.mark("1.4 9F27 beside a derived CID", "yes" if beside and not repeated else "no")
        dates = [value for tag, value in objects if tag == "5F24"]
        if dates and len(dates[0]) != 3:
            self.mark("1.4 5F24", "wrong length")
        else:
            self.mark("1.4 length", "wrong" if wrong else "good")
        names = {tag: len(value) for tag, value in objects if tag in ("5F20", "9F0B")}
        self.mark("1.4 5F20 and 9F0B", "ordinary" if len(names) < 2 and 2 <= names.get("5F20", 2) <= 26 and
                  27 <= names.get("9F0B", 27) <= 45 else "odd")
        self.mark("1.4 unknown objects", "yes" if any(tag.startswith("DF") for tag, _ in objects) else "no")
        self.mark("1.4 DDOL", "yes" if any(tag == "9F49" for tag, _ in objects) else "no")
        if repeated or wrong:
            self.end()

    def expiry(self, objects):
        if "5F24" not in [tag for tag, _ in objects]:
            return
        past = expired(self.record["5F24"], self.reader.today)
        if past is None:
            self.mark("1.4 5F24", "no date")
            self.end()
        self.mark("1.4 today is the last day", "yes" if self.reader.today == real_date(self.record["5F24"]) else "no")
        if not past:
            return
        self.mark("1.4 5F24", "past " + self.type)
        if self.guarded and self.pans_differ():
            raise Unclear("A17 at the early stop")
        go_online = self.ctq is not None and bit(self.ctq, 1, 4)
        self.mark("1.4 expired", "CTQ 1.4" if go_online else "decline")
        if not go_online:
            self.decline()
        self.online("expired " + self.type)

    def pans(self):
        track = self.get("57")
        return [cn(self.get("5A")) if self.get("5A") else None, track.hex().upper().split("D")[0] if track else None]

    def pans_differ(self):
        account, track = self.pans()
        return None not in (account, track) and account != track

    def read_all(self):
        account, track = self.pans()
        pan = account or track
        entries = self.reader.exceptions
        listed = pan is not None and on_exception_file(pan, self.get("5F34"), entries)
        if entries and pan is not None:
            self.exception_way(pan, account, listed, entries)
        elif not entries:
            self.mark("1.4 exception file", "absent")
        if self.pans_differ():
            if self.guarded and listed:
                raise Unclear("A17 and the exception file")
            self.mark("A17", "guarded" if self.guarded else "book")
            if self.guarded:
                self.end()
        if listed:
            self.decline()
        if self.type == ARQC:
            self.online("ARQC with AFL")
        self.offline()

    def exception_way(self, pan, account, listed, entries):
        if self.get("5F34") is None and any(number is not None for _, number in entries):
            raise Unclear("an entry with a sequence number, a card without")
        if not listed:
            other = any(pan.startswith(entry.rstrip("F")) for entry, _ in entries)
            self.mark("1.4 exception file", "other sequence" if other else "not listed")
            return
        if any(len(entry.rstrip("F")) < len(pan) for entry, _ in entries):
            self.mark("1.4 exception file", "prefix")
        if any(number is not None for _, number in entries):
            self.mark("1.4 exception file", "sequence")
        self.mark("1.4 exception file", "PAN in 5A listed" if account else "PAN in 57 listed")

    # fDDA (4.3.2, Annex B) ---------------------------------------------------------------------------------

    def verify(self, form):
        data = {tag: self.get(tag) for tag in ("82", "9F4B", "9F69", "8F", "90", "92", "9F32", "9F46", "9F47", "9F48",
                                               "9F4A", "5A") if self.get(tag) is not None}
        if "82" not in data:
            raise Unclear("ARQC without 82: 4.4 ends it before or after")
        terminal = self.unpredictable + self.reader.amount_bytes + self.reader.currency + data.get("9F69", b"")
        authorities, expired_key = self.reader.authorities(self.row["aid"][:10], self.guarded, data.get("8F"))
        if expired_key:
            self.mark("A15 CA key expired", "guarded" if self.guarded else "book")
        result = verify_fdda(data, self.static, self.reader.today, authorities, self.reader.revoked,
                             self.row["aid"][:10], form, terminal, self.get("9F36") if self.guarded else None)
        self.fdda_coverage(data, authorities)
        return result

    def fdda_coverage(self, data, authorities):
        self.mark("1.5 reader with CA keys", "yes" if self.reader.has_keys else "no")
        self.mark("1.5 AIP DDA", "yes" if bit(data["82"], 1, 6) else "no")
        related = data.get("9F69")
        if related is None:
            self.mark("1.5 9F69", "absent")
        else:
            self.mark("1.5 9F69", "version 01" if related[0] == 1 else "other version")
            length = len(related)
            self.mark("1.9 9F69 length", "7" if length == 7 else "shorter than 7" if length < 7 else
                      "8 to 16" if length <= 16 else "17")
        self.mark("1.5 9F4B", "GPO" if "9F4B" in self.gpo else "record" if "9F4B" in self.record else "absent")
        self.mark("1.5 9F4A", {b"\x82": "82", None: "absent"}.get(data.get("9F4A"), "other"))
        self.mark("1.5 5A", "there" if "5A" in data else "absent")
        if self.reader.has_keys and "8F" in data:
            self.mark("1.5 CA key", "known" if data["8F"] in authorities else "unknown")
        self.mark("A15 revoked", "yes" if self.reader.revoked else "no")

    def offline(self):
        """A TC: 4.3.2.4, 4.3.2.5."""
        self.signature = self.verify("05")
        self.mark("1.5 TC", self.signature)
        if self.reader.type == "20":
            self.refund(TC)
        if self.guarded:
            self.offline_guarded()
        if bit(self.ttq, 2, 8):
            self.mark("A10 TC though 2.8", "book")
        if self.signature != VERIFIED:
            self.failed(self.ctq)
        if "5F24" not in self.record:
            self.mark("expiry of a TC", "absent book")
        else:
            self.mark("expiry of a TC", "covered" if "5F24" in self.covered else "not covered book")
        if self.reader.type in ("01", "09", "20") or self.reader.other:
            self.mark("A19", "book")
        self.approve(self.ctq)

    def failed(self, ctq):
        way = fdda_failed(ctq, self.ttq)
        self.mark("1.6 fDDA failed", way)
        if ctq is None:
            self.mark("1.6 fDDA failed", "no CTQ")
        elif bit(ctq, 1, 6) and bit(self.ttq, 1, 4):
            self.mark("1.6 fDDA failed", "CTQ 1.6 offline only")
        elif way == DECLINE and bit(ctq, 1, 5):
            self.mark("1.6 fDDA failed", "CTQ 1.5 no contact")
        if way == ONLINE:
            self.online("fDDA failed")
        if way == OTHER_INTERFACE:
            if "otherInterfaces" in self.options:
                self.interfaces()
            raise Ends("tryAnotherInterface", message="18", interface="contact")
        self.decline()

    def offline_guarded(self):
        """What guarded and strict add to a TC (A09, A10, A11, A19, A32, expiry launder). Returns where the book goes
        on unchanged."""
        if self.signature == WRONG:
            if fdda_failed(self.ctq, self.ttq) == OTHER_INTERFACE:
                raise Unclear("A11: a wrong signature and CTQ 1.5 alone")
            self.mark("A11", "wrong declined")
            self.decline()
        asked_online = bit(self.ttq, 2, 8)
        sale = self.reader.type not in ("01", "09", "20") and not self.reader.other
        dated = "5F24" in self.record and "5F24" in self.covered
        if self.signature == IMPOSSIBLE:
            if "9F4B" in self.seen and "9F69" not in self.seen:
                raise Unclear("A32: 9F4B of a TC without 9F69, failed or impossible")
            if self.ctq is not None and bit(self.ctq, 1, 6):
                if not sale or not dated:
                    raise Unclear("A19 or expiry of a TC that the CTQ sends online")
                self.mark("A11", "impossible online")
            self.failed(self.ctq)
        signed = self.signed_ctq()
        if asked_online:
            self.asked_online(signed, sale and dated)
        if not sale or not dated:
            self.not_approvable(signed, sale)
        if self.strict:
            raise Unclear("strict approves nothing offline: with 2.8 = 0 it is not said how")
        self.mark("A32 signed CTQ", "same" if signed == self.ctq else "decides")
        self.mark("expiry of a TC", "covered")
        self.approve(signed)

    def signed_ctq(self):
        signed = self.get("9F69")[5:7]
        if self.ctq is None:
            if bit(self.ttq, 2, 7):
                raise Unclear("A32: no CTQ in the clear, zeros under the signature, a CVM demanded")
            return None
        if signed != self.ctq and cvm(self.ctq, self.get("9F69"), False, self.ttq)[0] == DECLINED:
            self.mark("1.8", cvm(self.ctq, self.get("9F69"), False, self.ttq)[1])
            self.decline()
        return signed

    def asked_online(self, signed, plain):
        """A10: a TC though an online cryptogram was demanded."""
        pin = cvm(signed, self.get("9F69"), False, self.ttq)[0] == PIN
        way = fdda_failed(signed, self.ttq)
        if not plain or way == OTHER_INTERFACE or (pin and way != ONLINE):
            raise Unclear("A10 together with another rule")
        if signed != self.ctq:
            raise Unclear("A10 and A32")
        self.mark("A10 TC though 2.8", "online" if way == ONLINE else "declined")
        if way == ONLINE:
            self.online("A10")
        self.decline()

    def not_approvable(self, signed, sale):
        if signed is not None and (signed[0] & 0x38 or self.ctq[0] & 0x38 or cvm(
                signed, self.get("9F69"), False, self.ttq)[0] == PIN):
            raise Unclear("A19 or expiry: declined or as 4.3.2.5")
        if not sale:
            self.mark("A19", "type" if self.reader.type != "00" else "other amount")
        else:
            self.mark("expiry of a TC", "absent guarded" if "5F24" not in self.record else "not covered guarded")
        self.decline()

    # CVM and the end (3.2.5.1, 4.4, 4.5) -------------------------------------------------------------------

    def choose_cvm(self, ctq):
        if not self.options.get("cvm", True):
            self.mark("1.8", "not asked")
            return NO_CVM
        method, way = cvm(ctq, self.get("9F69"), self.type == ARQC, self.ttq)
        self.mark("1.8", way)
        if ctq is not None and bit(ctq, 1, 8) and not bit(self.ttq, 1, 3):
            self.mark("1.8 reader does not have", "PIN")
        if ctq is not None and bit(ctq, 1, 7) and not bit(self.ttq, 1, 2):
            self.mark("1.8 reader does not have", "signature")
        if not bit(self.ttq, 2, 7) and method in (PIN, CDCVM, SIGNATURE):
            self.mark("1.8 below the limit", {PIN: "PIN", CDCVM: "CDCVM", SIGNATURE: "signature"}[method])
        return method

    def approve(self, ctq):
        method = self.choose_cvm(ctq)
        if method == DECLINED:
            self.decline()
        if method == PIN:
            self.online("online PIN", PIN)
        balance = self.balance()
        if balance is not None:
            self.mark("3 balance", "approved")
        raise Ends("approved", cvm=method, message="03", data=self.data(False), balance=balance, receipt=True)

    def online(self, reason, method=None):
        """Online Processing (3.2.5.1)."""
        self.mark("1.7 led here by", reason)
        if self.type == ARQC and self.reader.type == "20":
            self.refund(ARQC)
        self.mark("1.7 offline only", "yes" if bit(self.ttq, 1, 4) else "no")
        if bit(self.ttq, 1, 4):
            self.decline()
        if method is None:
            method = self.online_cvm(reason)
        if method == DECLINED:
            self.decline()
        if self.get("57") is None or any(tag not in self.gpo for tag in ("82", "9F36", "9F10", "9F26")):
            self.mark("1.7 data", "57 missing" if self.get("57") is None else "other missing")
            self.end()
        self.mark("1.7 data", "there")
        balance = self.balance()
        if balance is not None:
            self.mark("3 balance", "onlineRequest")
        raise Ends("onlineRequest", cvm=method, message="1B", data=self.data(True), balance=balance)

    def online_cvm(self, reason):
        """The CVM of an online request, with A01, A06 and A32 where the profile has them."""
        ctq, arqc = self.ctq, self.type == ARQC
        asked = bit(self.ttq, 1, 1)
        looked_at = reason == "ARQC with AFL" and "9F4B" in self.seen
        if not looked_at or not self.options.get("cvm", True):
            method = self.strict_cvm(ctq, reason == "A10") if self.strict else self.choose_cvm(ctq)
            return method if reason == "A10" else self.unproven(method)
        if not self.guarded:
            self.mark("A01 unasked signature, ARQC", "book")
            return self.choose_cvm(ctq)
        state = WRONG if self.get("9F69") is None else self.verify("95")
        self.mark("A01 unasked signature, ARQC", state)
        book = cvm(ctq, self.get("9F69"), arqc, self.ttq)[0]
        if state == VERIFIED:
            signed = self.get("9F69")[5:7]
            if ctq is None:
                raise Unclear("A32: no CTQ in the clear and a verified signature")
            if signed != ctq:
                if not asked:
                    self.mark("A06 unlike the signed CTQ", "declined")
                    return DECLINED
                self.mark("A06 unlike the signed CTQ", "transit")
                if book == DECLINED:
                    return DECLINED
                return self.choose_cvm(signed)
            if self.strict and not asked and bit(self.ttq, 2, 7):
                raise Unclear("A06 strict: an unasked signature that verifies, above the limit")
            return self.choose_cvm(ctq)
        if state == WRONG:
            return self.wrong_signature_cvm(ctq, book)
        return self.unproven(self.strict_cvm(ctq, False) if self.strict else self.choose_cvm(ctq))

    def unproven(self, method):
        """A39: above the limit a device that no signature proves is none, for the account of another network."""
        if method != CDCVM or not self.guarded or not bit(self.ttq, 2, 7):
            return method
        account = self.pans()[0] or self.pans()[1]
        if account is None or not of_other_network(self.row["aid"], account):
            self.mark("A39 unproven device", "own account")
            return method
        if bit(self.ttq, 1, 3):
            self.mark("A39 unproven device", "PIN")
            return PIN
        if bit(self.ttq, 1, 5):
            self.mark("A39 unproven device", "other interface")
            raise Ends("tryAnotherInterface", message="18", interface="contact")
        self.mark("A39 unproven device", "declined")
        return DECLINED

    def wrong_signature_cvm(self, ctq, book):
        """A01, A32: beside a failed signature the claim is not made, and nothing replaces the online PIN."""
        if self.strict:
            return DECLINED
        if book == DECLINED:
            self.choose_cvm(ctq)
            return DECLINED
        if bit(self.ttq, 2, 7):
            if bit(self.ttq, 1, 3):
                return PIN
            if ctq is None or not bit(ctq, 2, 8):
                raise Unclear("A32 guarded: a failed signature, no PIN pad, a signature on paper")
        if ctq is None:
            return self.choose_cvm(ctq)
        return self.choose_cvm(with_bit(ctq, 2, 8, 0))

    def strict_cvm(self, ctq, covered):
        """A01, A32 strict: above the limit a CTQ that no verified signature covers lowers nothing."""
        if covered or not self.options.get("cvm", True) or not bit(self.ttq, 2, 7):
            return self.choose_cvm(ctq)
        book = self.choose_cvm(ctq)
        if book in (DECLINED, PIN):
            return book
        if bit(self.ttq, 1, 1):
            raise Unclear("A32 strict: an absent signature, though asked for")
        if bit(self.ttq, 1, 3):
            self.mark("A01 strict", "PIN")
            return PIN
        if book == CDCVM:
            if bit(self.ttq, 1, 5):
                self.mark("A01 strict", "other interface")
                raise Ends("tryAnotherInterface", message="18", interface="contact")
            self.mark("A01 strict", "declined")
            return DECLINED
        self.mark("A01 strict", "signature")
        return book

    def data(self, online):
        """Annex C. None: must not be there. What is left out is not compared."""
        reader = self.reader
        record = {"9F02": reader.amount_bytes, "9F03": bcd(reader.other, 6), "9F33": unhex(reader.terminal["9F33"]),
                  "9F1A": unhex(reader.terminal["9F1A"]), "95": bytes(5), "5F2A": reader.currency, "9A": reader.date,
                  "9C": unhex(reader.type), "9F37": self.unpredictable, "9F27": self.cid, "9F5D": None}
        for tag in ("82", "9F36", "9F10", "9F26"):
            record[tag] = self.gpo[tag]
        if self.get("5A") is not None:
            record["5A"] = self.get("5A")
        for tag in ("5F34", "9F24", "9F63", "9F7C", "9F0A", "9F25", "9F19"):
            record[tag] = self.get(tag)
            if record[tag] is not None and tag != "5F34":
                self.mark("3 record", "optional objects")
        record["57"] = self.get("57") if online else None
        record["9F1F"] = self.get("9F1F") if online else None
        if online and record["9F1F"] is not None:
            self.mark("3 record", "with 57 and 9F1F")
        if not online:
            self.mark("3 record", "without 57")
        return record


def find_object(data, wanted):
    """The first object of this tag at any depth of constructed objects, or None."""
    try:
        for tag, value in objects_of(data, b"\0\xFF"):
            inner = value if tag == wanted else find_object(value, wanted) if unhex(tag)[0] & 0x20 else None
            if inner is not None:
                return inner
    except Malformed:
        pass
    return None


def trailing(data):
    """Whether something stands behind the first object."""
    try:
        _, at = read_tag(data, 0)
        length, at = read_length(data, at)
        return at + length < len(data)
    except Malformed:
        return False


def format_defect(data, tag):
    other = "not " + tag
    if not data:
        return "no data"
    try:
        names = [name for name, _ in objects_of(data, b"\0\xFF")]
    except Malformed:
        return "broken"
    if len(names) > 1:
        return "more than one" if tag == "77" else "two templates"
    return "broken" if names == [tag] else other


# ---------------------------------------------------------------------------------------------------------------
# Entry Point, as far as Kernel 7 needs it (Book B), and the reader's configuration
# ---------------------------------------------------------------------------------------------------------------

class Reader:
    """A configuration and a transaction (formats.md)."""

    def __init__(self, configuration, transaction):
        self.configuration, self.transaction = configuration, transaction
        self.terminal = {tag.upper(): value for tag, value in configuration.get("terminal", {}).items()}
        self.rows = configuration["combinations"]
        self.protection = configuration.get("protection", {})
        if set(self.protection) - {"profile", "maxTaps", "maxRecords"}:
            raise Unclear("single rules beside the profile")
        self.profile = self.protection.get("profile", "guarded")
        self.max_taps = self.protection.get("maxTaps", 3)
        self.max_records = self.protection.get("maxRecords", 64)
        self.autorun = configuration.get("autorun")
        self.type = transaction.get("type", "00")
        self.amount, self.other = transaction["amount"], transaction.get("amountOther", 0)
        self.amount_bytes = bcd(self.amount, 6)
        self.currency = unhex(transaction["currency"])
        self.date = unhex(transaction["date"].replace("-", "")[2:])
        self.today = real_date(self.date)
        self.random = unhex(transaction["random"])
        self.exceptions = [(entry["pan"].upper(), unhex(entry["sequence"]) if "sequence" in entry else None)
                           for entry in configuration.get("exceptions", [])]
        self.revoked = {(entry["rid"], unhex(entry["index"]), unhex(entry["serial"]))
                        for entry in configuration.get("revoked", [])}
        self.has_keys = bool(configuration.get("caKeys"))
        for row in self.rows:
            refused = configuration_refused(unhex(row["ttq"]) if "ttq" in row else None,
                                            row.get("kernel7", {}).get("odaForOnline", False))
            if refused or row["kernel"] != 7:
                raise ValueError(f"configuration refused: {refused}")

    def authorities(self, rid, guarded, index):
        """CA keys by index, without those that a profile takes for absent; and whether `index` names an expired one."""
        keys, old = {}, False
        for key in self.configuration.get("caKeys", []):
            if key["rid"] != rid:
                continue
            expired_key = "expires" in key and key["expires"] < self.transaction["date"]
            old = old or (expired_key and unhex(key["index"]) == index)
            if not (expired_key and guarded):
                keys[unhex(key["index"])] = (unhex(key["modulus"]), unhex(key["exponent"]))
        return keys, old

    def terminal_data(self):
        data = {tag: unhex(value) for tag, value in self.terminal.items()}
        time = self.transaction.get("time", "00:00:00").replace(":", "")
        return data | {"9F02": self.amount_bytes, "9F03": bcd(self.other, 6), "5F2A": self.currency, "9A": self.date,
                       "9C": unhex(self.type), "9F21": unhex(time),
                       "9F41": bcd(self.transaction.get("counter", 0), 4)}

    def draw(self):
        drawn, self.random = self.random[:4], self.random[4:]
        assert len(drawn) == 4
        return drawn

    def preprocess(self, row, coverage):
        """Book B 3.1.1 for one combination: the copy of TTQ, or None where the combination is not allowed."""
        ttq, limits = unhex(row["ttq"]), row.get("limits", {})
        coverage.mark("1.1 start", "B" if self.autorun else "A")
        if self.autorun:
            return ttq
        ttq = with_bit(with_bit(ttq, 2, 8, 0), 2, 7, 0)
        why = []
        if row.get("statusCheck") and self.amount == 10 ** self.transaction.get("exponent", 2):
            why.append("status check")
        if self.amount == 0 and row.get("zeroAmount", "online") != "offlineAllowed":
            if row.get("zeroAmount") == "notAllowed" or bit(ttq, 1, 4):
                return None
            why.append("zero amount")
        reached = self.amount >= limits.get("transaction", 10 ** 12)
        coverage.mark("B limit", "reached" if reached else "below")
        if reached:
            return None
        floor, terminal_floor = limits.get("floor"), limits.get("terminalFloor")
        if floor is None and terminal_floor is None:
            floor = self.floor_unless_set(coverage)
        if floor is None and terminal_floor is not None and self.profile != "book":
            raise Unclear("A09: a terminal floor limit alone")
        if self.profile == "strict" and self.amount and (floor is None or self.amount <= floor):
            raise Unclear("A09 strict: a floor limit that allows offline approval")
        if floor is not None and self.amount > floor:
            why.append("floor limit")
        if floor is None and terminal_floor is not None and self.amount > terminal_floor:
            why.append("terminal floor limit")
        for reason in why or ["0"]:
            coverage.mark("1.1 TTQ 2.8 of pre-processing", reason)
        required = self.amount >= limits.get("cvmRequired", 10 ** 12)
        coverage.mark("1.1 TTQ 2.7 of pre-processing", "1" if required else "0")
        return with_bit(with_bit(ttq, 2, 8, bool(why)), 2, 7, required)

    def floor_unless_set(self, coverage):
        """A09: without a floor limit none is exceeded by the book; guarded and strict take zero."""
        coverage.mark("A09 floor limit", "not set book" if self.profile == "book" else "not set guarded")
        return None if self.profile == "book" else 0


class EntryPoint:
    """Plays a transaction with a card: an object with present() and answer(command)."""

    def __init__(self, reader, card):
        self.reader, self.card, self.coverage = reader, card, Coverage()
        self.commands, self.messages = 0, []

    def send(self, command):
        self.commands += 1
        return self.card.answer(command)

    def run(self):
        """The last outcome."""
        rows = [(row, self.reader.preprocess(row, self.coverage)) for row in self.reader.rows
                if self.reader.type in row.get("transactionTypes", []) or self.reader.autorun]
        if not rows:
            raise Unclear("no combination takes this transaction type")
        if all(ttq is None for _, ttq in rows):
            return self.final(Ends("tryAnotherInterface", message="18", tap="limitExceeded"))
        restart = False
        for number in range(self.reader.max_taps):
            if not restart:
                self.messages.append("15")
            last = number + 1 == self.reader.max_taps
            try:
                self.tap([(row, ttq) for row, ttq in rows if ttq is not None])
            except LinkFault:
                if last or not self.card.present():
                    raise Unclear("how a fault of selection ends at maxTaps") from None
                restart = False
                self.coverage.mark("1.2 presentments", "more")
                continue
            except Ends as ended:
                if ended.outcome != "tryAgain":
                    self.coverage.mark("1.2 presentments", "more" if number else "one")
                    return self.final(ended)
                outcome = ended
            if outcome.message == "21":
                self.coverage.mark("1.2 GPO answer", "link")
            if last:
                # attacks.md, R12: nobody is invited once the limit is reached
                self.coverage.mark("1.2 presentments", "limit")
                if outcome.message:
                    self.messages.append(outcome.message)
                return self.final(Ends("endApplication", message="1C", tap="any"))
            if not self.card.present():
                outcome.tap = "seePhone" if outcome.message == "20" else "presentAgain"
                return self.final(outcome)
            self.messages.append(outcome.message)
            restart = True          # the kernel's request on restart has no message (4.5.3.1, 4.5.8.1)
        raise AssertionError

    def final(self, ended):
        if ended.message:
            self.messages.append(ended.message)
        self.coverage.mark("3 outcome", ended.outcome)
        return ended

    def tap(self, rows):
        answer = self.send(unhex("00A404000E") + b"2PAY.SYS.DDF01" + b"\0")
        candidates = self.candidates(answer, rows)
        if not candidates:
            raise Ends("endApplication", message="1C", tap="unsupportedNetwork")
        while candidates:
            best = min(candidates, key=lambda candidate: (candidate[2] or 16, candidate[3]))
            candidates.remove(best)
            row, ttq = rows[best[4]]
            answer = self.send(unhex("00A40400") + size(best[1]) + best[1] + b"\0")
            if answer[-2:] != b"\x90\0":
                continue
            kernel = Kernel(self.reader, row, ttq, answer[:-2], self.reader.draw(), self.send, self.coverage)
            try:
                kernel.run()
            except Ends as ended:
                if ended.outcome != "selectNext":
                    raise
                self.coverage.mark("3 outcome", "selectNext")
        raise Ends("endApplication", message="1C")

    def candidates(self, answer, rows):
        """Book B 3.3.2.5: (kernel, ADF name, priority, place, row)."""
        if answer[-2:] != b"\x90\0":
            return []
        found, place = [], 0
        try:
            inner = dict(objects_of(the_template(answer[:-2], "6F")))
            directory = dict(objects_of(inner["A5"]))["BF0C"]
            entries = [dict(objects_of(value)) for tag, value in objects_of(directory) if tag == "61"]
        except (Malformed, KeyError):
            return []
        for entry in entries:
            name, kernel = entry.get("4F", b""), entry.get("9F2A", b"") or b"\7"
            for number, (row, _) in enumerate(rows):
                if 5 <= len(name) <= 16 and name.startswith(unhex(row["aid"])) and kernel[0] in (0, 7):
                    found.append((7, name, entry.get("87", b"\0")[0] & 15, place, number))
            place += 1
        return found


def expectation(ended, entry):
    """`expect` of a trace (formats.md) for the last outcome."""
    expect = {"tap": ended.tap, "outcome": ended.outcome, "cvm": ended.cvm}
    if expect["tap"] is None:
        expect["tap"] = {"approved": "success", "declined": "declined", "endApplication": "unreadable",
                         "onlineRequest": "onlinePINRequired" if ended.cvm == PIN else "success",
                         "tryAnotherInterface": "tryAnotherInterface"}[ended.outcome]
    if expect["tap"] == "any":
        del expect["tap"]
    if ended.message:
        expect["message"] = ended.message
    expect["messages"], expect["apdus"] = entry.messages, entry.commands
    if ended.data is None:
        expect["data"] = {"9F02": None, "9F26": None, "95": None}
    else:
        expect["data"] = {tag: None if value is None else value.hex().upper() for tag, value in ended.data.items()}
    expect |= {"discretionary": {"9F5D": None}, "alternateInterface": ended.interface, "start": ended.start,
               "restartMessage": None, "removalTimeout": 0}
    if ended.outcome != "tryAgain":
        expect["fieldOffMs"] = None
    elif ended.message == "21":
        expect |= {"fieldOffMs": 1300, "holdMs": 1300}
    if ended.message:
        expect["valueQualifier"] = "none" if ended.balance is None else "balance"
    if ended.balance is not None:
        expect["value"] = ended.balance
    if ended.receipt is not None:
        expect["receipt"] = ended.receipt
    return expect


# ---------------------------------------------------------------------------------------------------------------
# Traces: replaying one, comparing
# ---------------------------------------------------------------------------------------------------------------

class Replayed:
    """The card of a trace: says what was recorded, and that a command is another."""

    def __init__(self, exchanges):
        self.items, self.differences = list(exchanges), []

    def answer(self, command):
        if not self.items or "c" not in self.items[0]:
            raise Different("a command where the trace has none: " + command.hex().upper())
        item = self.items.pop(0)
        if item["c"].upper() != command.hex().upper():
            raise Different(f"{item['c']} in the trace, {command.hex().upper()} here")
        if "fault" in item:
            raise LinkFault
        return unhex(item["r"])

    def present(self):
        if not self.items:
            return False
        if list(self.items.pop(0)) != ["tap"]:
            raise Different("a presentment where the trace has none")
        return True


class Different(Exception):
    pass


def replay(trace):
    """What differs between a trace and this implementation, as lines."""
    card = Replayed(trace["exchanges"])
    entry = EntryPoint(Reader(trace["configuration"], trace["transaction"]), card)
    try:
        found = expectation(entry.run(), entry)
    except Different as difference:
        return [str(difference)]
    lines = ["commands are left over"] if card.items else []
    for key, value in trace["expect"].items():
        if key in ("data", "discretionary"):
            there = found[key] if found["outcome"] in ("approved", "onlineRequest") or key != "data" else {}
            lines += [f"{key} {tag}: {value[tag]} in the trace, {there.get(tag)} here" for tag in value
                      if value[tag] != there.get(tag)]
        elif found.get(key) != value:
            lines.append(f"{key}: {value} in the trace, {found.get(key)} here")
    return lines


# ---------------------------------------------------------------------------------------------------------------
# The card
# ---------------------------------------------------------------------------------------------------------------

AIDS = ["A000000333010101", "A000000333010102"]
TRANSMISSION, TIMEOUT, PROTOCOL, REMOVED = "transmission", "timeout", "protocol", "removed"


class VirtualCard:
    """Answers as its case says, and keeps what was exchanged as a trace has it. The application cryptogram is a
    stand-in: the book does not say how a card computes it."""

    def __init__(self, case):
        self.case, self.exchanges, self.number = case, [], 0
        self.begin()

    def begin(self):
        self.number += 1
        self.records, self.read, self.application = {}, 0, 0

    def present(self):
        if self.number == self.case.presentments:
            return False
        self.begin()
        self.exchanges.append({"tap": self.number})
        return True

    def answer(self, command):
        name, data = self.respond(command)
        places = [name]
        if "record" in name and name == f"record {len(self.order) - 1}":
            places.append("last")
        for place in places:
            data = self.case.replies.get((self.number, place), data)
        item = {"c": command.hex().upper()}
        self.exchanges.append(item)
        if isinstance(data, str):
            item["fault"] = data
            raise LinkFault
        item["r"] = data.hex().upper()
        return data

    def respond(self, command):
        case, ok = self.case, b"\x90\0"
        if command[1] == 0xA4 and command[5:9] == b"2PAY":
            entries = [tlv("61", join([("4F", unhex(aid)), ("50", b"UNIONPAY"), ("87", bytes([place + 1]))]))
                       for place, aid in enumerate(AIDS[:case.applications])]
            inner = join([("84", b"2PAY.SYS.DDF01"), ("A5", tlv("BF0C", b"".join(entries)))])
            return "ppse", tlv("6F", inner) + ok
        if command[1] == 0xA4:
            name = command[5:5 + command[4]]
            self.application = AIDS.index(name.hex().upper())
            return "select", case.fci(name, self.application == 0) + ok
        if command[1] == 0xA8:
            return "gpo", self.options(command) + unhex(case.gpo_status)
        key = (command[3] >> 3, command[2])
        place = [entry[:2] for entry in self.order].index(key)
        return f"record {place}", self.records[key] + ok

    def options(self, command):
        case = self.case
        field = command[5:5 + command[4]]
        _, at = read_length(field, 1)
        values, told = field[at:], {}
        for tag, length in dol_of(case.pdol):
            told.setdefault((tag, length), values[:length])
            values = values[length:]
        told = {tag: told.get((tag, length), bytes(length)) for tag, length in
                (("9F37", 4), ("9F02", 6), ("5F2A", 2))}
        related = case.related() if case.related_place else None
        signature = b""
        if case.oda and case.signature_place:
            signature = chain(case.chain).dynamic_signature(case.form or {"TC": "05"}.get(case.type, "95"), case.number,
                                                            b"".join(told.values()) + (related or b""),
                                                            case.frame, case.more_dynamic)
            signature = case.break_signature(signature)
        aip = unhex(case.aip)
        self.order = case.order()
        self.build_records(signature, related, aip)
        return case.options(aip, signature, related, self.order)

    def build_records(self, signature, related, aip):
        case, keys = self.case, chain(self.case.chain)
        static = b""
        plain = {}
        for sfi, record, kind, covered in self.order:
            if kind == "card":
                continue
            objects = case.record(kind, signature)
            if kind == "issuer":
                certificate, remainder = keys.issuer_certificate(case.pan, **case.issuer_fields)
                objects = [("8F", unhex(case.index or keys.index)), ("90", certificate), ("9F32", keys.issuer.exponent)]
                objects += [("92", remainder)] if remainder else []
            if kind == self.order[-1][2] and related is not None and case.related_place == "record":
                objects.append(("9F69", related))
            for edit in case.before.get(kind, []):
                objects = edit(objects)
            plain[kind] = objects
            raw = self.raw(kind, objects, case.raw_before)
            self.records[sfi, record] = raw
            if covered:
                static += raw if sfi > 10 else raw[read_length(raw, 1)[1]:] if raw[0] == 0x70 else raw
        if case.oda:
            static += aip if case.tag_list == "82" else b""
            certificate, remainder = keys.card_certificate(case.pan, static, **case.card_fields)
            plain["card"] = [("9F46", certificate), ("9F47", keys.card.exponent)]
            plain["card"] += [("9F48", remainder)] if remainder else []
            plain["card"] += [("9F4A", unhex(case.tag_list))] if case.tag_list else []
            if related is not None and case.related_place == "record" and self.order[-1][2] == "card":
                plain["card"].append(("9F69", related))
        for sfi, record, kind, _ in self.order:
            changed = [edit for edits in (case.before.get(kind, []) if kind == "card" else [], case.after.get(kind, []))
                       for edit in edits]
            objects = plain[kind]
            for edit in changed:
                objects = edit(objects)
            if changed or kind == "card" or case.raw_after.get(kind):
                self.records[sfi, record] = self.raw(kind, objects, case.raw_before, case.raw_after)

    @staticmethod
    def raw(kind, objects, *edits):
        data = tlv("70", join(objects))
        for edit in [edit for table in edits for edit in table.get(kind, [])]:
            data = edit(data)
        assert len(data) <= 256, (kind, len(data))
        return data


LAYOUTS = [
    [(1, 1, ["data"], 1), (2, 1, ["issuer", "card"], 0)],
    [(2, 1, ["data", "issuer", "card"], 1)],
    [(1, 2, ["data", "more"], 2), (3, 1, ["issuer"], 0), (4, 5, ["card"], 0)],
    [(12, 1, ["more"], 1), (1, 1, ["data"], 1), (2, 1, ["issuer", "card"], 0)],
]


class Case:
    """A reader, a transaction and a card, drawn at random; a dialogue changes what it is about."""

    def __init__(self, chance):
        self.chance = chance
        self.draw_reader()
        self.draw_transaction()
        self.draw_card()

    def draw_reader(self):
        chance = self.chance
        self.profile = chance.pick(["book", "book", "book", "book", "guarded", "guarded", "strict"])
        first = 0x20 | chance.pick([0, 0x10]) | chance.pick([0, 4, 4]) | chance.pick([0, 2, 2])
        first |= 8 if chance.once_in(15) else 0
        self.ttq = bytes([first, chance.pick([0, 0, 0x80, 0xC0]), chance.pick([0x40, 0x40, 0xC0, 0x7F, 0xFF]),
                          chance.pick([0, 0, 0x80])])
        self.limits = {"transaction": 50000, "floor": chance.pick([0, 10000, 30000]), "cvmRequired": 20000}
        self.row, self.options_7, self.configuration, self.applications = {}, {}, {}, 1
        self.terminal = {"9F1A": "0156", "9F33": chance.pick(["E0B8C8", "A0B8C8"]), "9F35": "22", "9F40": "6000B0A001"}
        self.keys, self.expires, self.max_taps = None, "2035-12-31", None
        self.max_records = None

    def draw_transaction(self):
        chance = self.chance
        self.sale, self.amount_other, self.currency = "00", 0, chance.pick(["0156", "0978", "0344"])
        self.amount = chance.pick([1, 100, 1250, 9999, 10000, 10001, 19999, 20000, 25000, 49999])
        self.date = chance.pick(["2026-11-21", "2027-02-28", "2028-02-29"])
        self.repeat_random = False

    def draw_card(self):
        chance = self.chance
        self.presentments, self.replies = 1, {}
        self.chain, self.type = chance.pick(["small", "small", "large", "mixed"]), chance.pick(["TC", "ARQC", "AAC"])
        self.afl = self.oda = self.type == "TC"
        digits_left = "".join(str(chance.below(10)) for _ in range(chance.pick([9, 9, 11, 12])))
        self.pan = "62" + str(chance.below(9000) + 1000) + digits_left
        self.pan += luhn_digit(self.pan)
        self.expiry, self.sequence = chance.pick(["301231", "291130"]), chance.pick([None, "01", "01"])
        self.ctq = chance.pick([None, "0000", "0000", "8000", "4000", "0080", "2000", "1000", "3000", "E880", "C000"])
        self.cid, self.iad_type, self.iad = "sent", None, None
        self.aip, self.tag_list = chance.pick(["2000", "7C00", "2080"]), chance.pick(["82", "82", None])
        self.atc = chance.bytes(2)
        self.number = chance.pick([self.atc, chance.bytes(8)])
        self.signature_place = chance.pick(["gpo", "gpo", "record"])
        self.related_place, self.related_version = "record", "01"
        self.related_ctq, self.related_length = None, chance.pick([8, 8, 8, 16, 12])
        self.random_part = chance.bytes(9)
        self.layout = chance.pick(LAYOUTS)
        self.index, self.issuer_fields, self.card_fields, self.form = None, {}, {}, None
        self.break_signature, self.frame, self.more_dynamic = lambda signature: signature, "6ABC", 0
        self.before, self.after, self.raw_before, self.raw_after = {}, {}, {}, {}
        self.gpo_edits, self.gpo_raw, self.afl_override = [], [], None
        self.extra, self.extra_place = {}, {}
        self.draw_optional()
        self.pdol_edits, self.fci_edits, self.fci_more = [], [], b""
        self.pdol = self.draw_pdol()
        self.track_pan, self.gpo_status = None, "9000"

    def draw_optional(self):
        chance = self.chance
        for tag, value in (("9F5D", bcd(chance.below(10 ** 9), 6)), ("9F63", chance.bytes(16)),
                           ("9F24", b"PAR" + b"7" * 26), ("9F25", bcd(chance.below(10 ** 4), 2)),
                           ("9F19", bcd(chance.below(10 ** 11), 6)), ("9F7C", b"\1\x08" + chance.bytes(8)),
                           ("9F0A", unhex("000104F1F2F3F4")), ("9F1F", b"1234567")):
            if chance.once_in(7):
                self.extra[tag] = value
                self.extra_place[tag] = chance.pick(["gpo", "record"])

    def draw_pdol(self):
        chance = self.chance
        wanted = ["9F6604", "9F0206", "9F0306", "9F1A02", "9505", "5F2A02", "9A03", "9C01", "9F3704"]
        if chance.once_in(3):
            wanted = ["9F6604", "9F3704", "5F2A02", "9F0206"]
        for entry in ("9F3501", "9F3303", "9F4005", "9F2103", "9F4104", "DF7F03", "5A0A", "9F0204", "9F0208", "9F3702",
                      "9F1A03", "9F6606"):
            if chance.once_in(12):
                wanted.insert(chance.below(len(wanted) + 1), entry)
        return unhex("".join(wanted))

    # What the card sends -----------------------------------------------------------------------------------

    def related(self):
        ctq = self.related_ctq or self.ctq or "0000"
        value = unhex(self.related_version) + self.random_part[:4] + unhex(ctq) + b"\0" + self.random_part + b"\0" * 8
        return value[:self.related_length]

    def fci(self, name, first):
        pdol = self.pdol
        if first:
            for edit in self.pdol_edits:
                pdol = edit(pdol)
        objects = [("50", b"UNIONPAY")] + ([("9F38", pdol)] if pdol is not None else [])
        if self.fci_more:
            objects.append(("BF0C", self.fci_more))
        value = tlv("6F", join([("84", name), ("A5", join(objects))]))
        for edit in self.fci_edits if first else []:
            value = edit(value)
        return value

    def order(self):
        """(SFI, record, kind, covered) of every record."""
        if not self.afl:
            return []
        kinds = []
        for sfi, first, names, covered in self.layout:
            names = [name for name in names if self.oda or name in ("data", "more")]
            if "card" in names and self.signature_place == "record":
                names = names[:-1] + ["sdad", "card"]
            kinds += [(sfi, first + at, name, at < min(covered, len(names))) for at, name in enumerate(names)]
        return kinds

    def afl_value(self, order):
        if self.afl_override is not None:
            return unhex(self.afl_override)
        value = b""
        for sfi in dict.fromkeys(entry[0] for entry in order):
            records = [entry for entry in order if entry[0] == sfi]
            value += bytes([sfi << 3, records[0][1], records[-1][1], sum(entry[3] for entry in records)])
        return value

    def track(self):
        text = (self.track_pan or self.pan) + "D" + self.expiry[:4] + "2010000012345"
        return digits(text[:37])

    def options(self, aip, signature, related, order):
        kind = {"AAC": 0, "TC": 1, "ARQC": 2, "11": 3}[self.type]
        iad = self.iad
        if iad is None:
            bits = kind if self.iad_type is None else self.iad_type
            iad = unhex("07010103") + bytes([0x80 | bits << 4]) + self.random_part[:3]
        cryptogram = hashlib.sha1(b"stand-in" + self.atc + iad + self.random_part).digest()[:8]
        objects = [("82", aip)]
        if self.afl:
            objects.append(("94", self.afl_value(order)))
        objects += [("9F36", self.atc), ("57", self.track()), ("9F10", iad), ("9F26", cryptogram)]
        if self.cid == "sent":
            objects.append(("9F27", bytes([kind << 6])))
        if self.sequence:
            objects.append(("5F34", unhex(self.sequence)))
        if self.ctq:
            objects.append(("9F6C", unhex(self.ctq)))
        if signature and self.signature_place == "gpo":
            objects.append(("9F4B", signature))
        if related is not None and self.related_place == "gpo":
            objects.append(("9F69", related))
        for tag, value in self.extra.items():
            if not order or self.extra_place[tag] == "gpo":
                if len(join(objects)) + len(value) < 240:
                    objects.append((tag, value))
        for edit in self.gpo_edits:
            objects = edit(objects)
        data = tlv("77", join(objects))
        for edit in self.gpo_raw:
            data = edit(data)
        assert len(data) <= 256
        return data

    def record(self, kind, signature):
        if kind == "data":
            objects = [("5F24", unhex(self.expiry)), ("5A", digits(self.pan)), ("5F28", b"\1\x56")]
            return objects + [(tag, value) for tag, value in self.extra.items() if self.extra_place[tag] == "record"]
        if kind == "more":
            return [("9F07", b"\xFF\0"), ("9F08", b"\0\1")]
        return [("9F4B", signature)]

    # The documents -----------------------------------------------------------------------------------------

    def trace_configuration(self):
        if self.profile == "strict":
            self.limits["floor"] = 0
        rows = []
        for aid in AIDS[:self.applications]:
            row = {"aid": aid, "kernel": 7, "transactionTypes": ["00", "01", "09", "20"], "limits": self.limits,
                   "ttq": self.ttq.hex().upper()} | self.row
            rows.append(row | ({"kernel7": self.options_7} if self.options_7 else {}))
        configuration = {"format": "emv-configuration/1", "terminal": self.terminal, "combinations": rows}
        names = [self.chain] if self.keys is None else self.keys
        keys = []
        for name in names if self.afl else []:
            key = chain(name)
            keys.append({"rid": AIDS[0][:10], "index": key.index, "exponent": key.authority.exponent.hex().upper(),
                         "modulus": key.authority.modulus.hex().upper(), "expires": self.expires,
                         "sha1": hashlib.sha1(unhex(AIDS[0][:10] + key.index) + key.authority.modulus
                                              + key.authority.exponent).hexdigest().upper()})
        if keys:
            configuration["caKeys"] = keys
        configuration |= self.configuration
        configuration["protection"] = {"profile": self.profile}
        for name, value in (("maxTaps", self.max_taps), ("maxRecords", self.max_records)):
            if value:
                configuration["protection"][name] = value
        return configuration

    def trace_transaction(self):
        random = self.chance.bytes(4) * 4 if self.repeat_random else self.chance.bytes(16)
        return {"type": self.sale, "amount": self.amount, "amountOther": self.amount_other, "currency": self.currency,
                "exponent": 2, "date": self.date, "time": "12:34:56", "counter": 1 + self.chance.below(9999),
                "random": random.hex().upper()}


def play(case, name, source):
    """The trace of a case and what it covers."""
    configuration, transaction = case.trace_configuration(), case.trace_transaction()
    card = VirtualCard(case)
    entry = EntryPoint(Reader(configuration, transaction), card)
    ended = entry.run()
    trace = {"format": "emv-trace/1", "name": name, "source": source, "configuration": configuration,
             "transaction": transaction, "match": "exact", "exchanges": card.exchanges,
             "expect": expectation(ended, entry)}
    return trace, entry.coverage


# ---------------------------------------------------------------------------------------------------------------
# Dialogues: each changes what a case is about
# ---------------------------------------------------------------------------------------------------------------

TABLE = []


def dialogue(source, change):
    TABLE.append((source, change))


def change(**attributes):
    """A change that sets attributes of a case."""
    def apply(case):
        for name, value in attributes.items():
            setattr(case, name, value)
    return apply


def both(*changes):
    def apply(case):
        for one in changes:
            one(case)
    return apply


def online_card(case):
    case.type, case.afl, case.oda = "ARQC", False, False
    case.ttq = with_bit(case.ttq, 1, 4, 0)


def declined_card(case):
    case.type, case.afl, case.oda = "AAC", False, False


def offline_card(case):
    case.type, case.afl, case.oda = "TC", True, True


def approved_card(case):
    """An offline card that is approved in book and guarded unless something is changed."""
    offline_card(case)
    case.profile = "book" if case.profile == "strict" else case.profile
    case.limits |= {"floor": 10000}
    case.amount, case.ctq = case.chance.pick([1, 1250, 9999, 10000]), case.chance.pick(["0000", None, "4000"])
    case.ttq = with_bit(case.ttq, 1, 4, 0)


def online_with_records(case):
    online_card(case)
    case.afl, case.oda = True, case.chance.once_in(2)


def any_card_with_records(case):
    case.chance.pick([approved_card, online_with_records])(case)


def book(case):
    case.profile = "book"


def guarded(case):
    case.profile = "guarded"


def strict(case):
    case.profile = "strict"


def lenient(case):
    case.profile = case.chance.pick(["book", "guarded"])


def gpo(edit):
    """A change to the list of data objects in the GPO response."""
    return lambda case: case.gpo_edits.append(edit)


def without(tag):
    return lambda objects: [entry for entry in objects if entry[0] != tag]


def replaced(tag, value):
    def edit(objects):
        assert tag in [name for name, _ in objects]
        return [(name, value if name == tag else old) for name, old in objects]
    return edit


def added(tag, value):
    return lambda objects: objects + [(tag, value)]


def to_record(kind, edit, signed=True):
    """A change to a record: before the issuer signs it, or after."""
    def apply(case):
        (case.before if signed else case.after).setdefault(kind, []).append(edit)
    return apply


def bytes_of(kind, edit, signed=True):
    def apply(case):
        (case.raw_before if signed else case.raw_after).setdefault(kind, []).append(edit)
    return apply


def reply(place, data, tap=1):
    return lambda case: case.replies.__setitem__((tap, place), unhex(data) if re.fullmatch("[0-9A-F]*", data) else data)


def tlv_edit(edit):
    return lambda case: case.gpo_raw.append(edit)


def one_of(*changes):
    return lambda case: case.chance.pick(changes)(case)


def above_limit(case):
    case.amount = case.chance.pick([20000, 20001, 35000])


def below_limit(case):
    case.amount = case.chance.pick([19999, 12000, 700])


def reader(pin=None, signature=None, contact=None, offline_only=None):
    def apply(case):
        for number, on in ((3, pin), (2, signature), (5, contact), (4, offline_only)):
            if on is not None:
                case.ttq = with_bit(case.ttq, 1, number, on)
    return apply


def drop_last_data(case):
    """Records without the account number: it stands in track 2 alone."""
    case.before.setdefault("data", []).append(without("5A"))


def activation():
    second = change(applications=2, repeat_random=True, profile="book")
    for defect in ("cut", "9F66", "none", "FCI"):
        spoil = {"cut": lambda c: c.pdol_edits.append(lambda pdol: pdol + b"\x9F\x37"),
                 "9F66": lambda c: c.pdol_edits.append(lambda pdol: unhex("9F02069F37045F2A02")),
                 "none": lambda c: c.pdol_edits.append(lambda pdol: None),
                 "FCI": lambda c: c.fci_edits.append(lambda fci: fci[:-2])}[defect]
        dialogue(f"4.1.4.1, 4.24; B 3.5.1.4, 3.3.2.7. {defect}: Select Next, no other application",
                 both(online_card, spoil))
        dialogue(f"4.1.4.1; B 3.5.1.4. {defect}: Select Next, then the other application",
                 both(online_card, second, spoil))
    for length, what in ((252, "252"), (253, "more than 252"), (180, "long form")):
        def long_pdol(case, length=length):
            base = "9F66049F02065F2A029F3704"
            room = length - 16
            case.pdol = unhex(base + "DF7F" + f"{room // 2:02X}" + "9F4E" + f"{room - room // 2:02X}")
        dialogue(f"4.1.2; Book 3 5.4. PDOL of {what} bytes", both(lenient, online_card, long_pdol))
    for value in ("3600C000", "36004080", "3600FF00", "2600C080"):
        dialogue("3.2.2 items 2, 3; 4.1.4.2. byte 3 and byte 4 of TTQ",
                 both(online_card, change(ttq=unhex(value))))
    special = both(change(options_7={"odaForOnline": True}), reader(offline_only=0))
    for value in ("40", "C0", "7F00", "4000"):
        dialogue("3.2.2 item 1. special reader, DF61 with bit 7",
                 both(online_with_records, special, change(oda=True, fci_more=tlv("DF61", unhex(value)))))
    for inside, what in ((b"", "absent"), (tlv("DF61", b""), "empty"), (tlv("DF61", b"\xBF"), "bit 7 is 0"),
                         (tlv("DF61", b"\0\x40"), "bit 7 of byte 2")):
        dialogue(f"3.2.2 item 1, 4.27. special reader, DF61 {what}: End Application",
                 both(online_with_records, special, change(fci_more=inside)))
    dialogue("3.2.2 item 1. DF61 is nothing to an ordinary reader",
             both(online_card, change(fci_more=tlv("DF61", b"\x40"))))
    dialogue("3.2.2 item 1. DF61 within another template of BF0C",
             both(online_with_records, special, change(oda=True, fci_more=tlv("73", tlv("DF61", b"\x40")))))

    def autorun(case):
        case.ttq = case.ttq[:1] + unhex(case.chance.pick(["80", "C0", "00", "40"])) + case.ttq[2:]
        case.configuration |= {"autorun": {"type": "00", "amount": case.amount}}
        case.profile = "book"
    dialogue("B 3.2.1.1. Start B: TTQ as configured", both(online_card, autorun))
    dialogue("B 3.2.1.1. Start B: TTQ as configured", both(approved_card, autorun))
    dialogue("B 3.1.1.3, 3.1.1.10",
             both(online_card, change(amount=100, row={"statusCheck": True}, limits={"floor": 500})))
    dialogue("B 3.1.1.4, 3.1.1.11", both(online_card, change(amount=0, row={"zeroAmount": "online"})))
    dialogue("B 3.1.1.4. zero amount not allowed",
             both(online_card, change(amount=0, row={"zeroAmount": "notAllowed"})))
    dialogue("B 3.1.1.4. zero amount allowed offline",
             both(approved_card, change(amount=0, row={"zeroAmount": "offlineAllowed"})))
    dialogue("B 3.1.1.5", both(online_card, change(limits={"transaction": 1250, "floor": 0}, amount=1250)))
    dialogue("B 3.1.1.5", both(online_card, change(limits={"transaction": 1250, "floor": 0}, amount=1249)))
    for amount in (500, 501):
        dialogue("B 3.1.1.7. terminal floor limit",
                 both(online_card, book, change(limits={"terminalFloor": 500, "cvmRequired": 20000}, amount=amount)))
        dialogue("B 3.1.1.6. floor limit",
                 both(approved_card, change(limits={"floor": 500, "cvmRequired": 20000}, amount=amount)))
    dialogue("A09. no floor limit", both(approved_card, book, change(limits={"cvmRequired": 20000})))
    dialogue("A09 guarded. no floor limit is zero", both(online_card, guarded, change(limits={"cvmRequired": 20000})))


def options():
    for fault in (TIMEOUT, TRANSMISSION, PROTOCOL, REMOVED):
        dialogue("4.1.4.3, 4.5.3. link fault at GPO, the card does not come back",
                 both(online_card, reply("gpo", fault)))
    dialogue("4.1.4.3, 4.5.3; A 8.1.1.8. link fault at GPO, then a whole tap",
             both(any_card_with_records, change(presentments=2), reply("gpo", TIMEOUT)))
    dialogue("4.1.4.3, 4.5.8. 6986", both(online_card, reply("gpo", "6986")))
    dialogue("4.1.4.3, 4.5.8. 6986, then a whole tap", both(online_card, change(presentments=2, ctq="0080"),
                                                            reply("gpo", "6986")))
    dialogue("4.1.4.3. a fault, then 6986, then a whole tap",
             both(approved_card, change(presentments=3), reply("gpo", TIMEOUT), reply("gpo", "6986", 2)))
    for kind in ("6986", PROTOCOL):
        dialogue("R12. maxTaps", both(online_card, change(presentments=2, max_taps=2), reply("gpo", kind),
                                      reply("gpo", kind, 2)))
    readers = {"contact": reader(contact=1),
               "mag-stripe": both(reader(contact=0), lambda c: c.terminal.update({"9F33": "E0B8C8"})),
               "none": both(reader(contact=0), lambda c: c.terminal.update({"9F33": "A0B8C8"}))}
    for status in ("6984", "6985", "6A80"):
        for name, setting in readers.items():
            dialogue(f"4.1.4.3, 4.5.5. {status}, other interface: {name}",
                     both(online_card, setting, reply("gpo", status)))
    for status in ("6283", "6100", "6C20", "6F00", "9001"):
        dialogue(f"4.1.4.3. {status}", both(online_card, reply("gpo", status)))
    dialogue("4.1.4.3. 6283 with good data", both(online_card, change(gpo_status="6283")))
    for named in ([], ["contact"], ["magstripe"], ["contact", "magstripe"]):
        dialogue("kernel7.otherInterfaces", both(online_card, reader(contact="contact" in named), reply("gpo", "6A80"),
                                                 change(options_7={"otherInterfaces": named})))
    dialogue("4.1.4.3. 9000 without data", both(online_card, reply("gpo", "9000")))
    dialogue("4.1.4.3. format 1", both(online_card, reply("gpo", "800220009000")))
    dialogue("4.1.4.3. format 1 with an AFL", both(online_card, reply("gpo", "80062000080101009000")))
    for edit, what in ((lambda d: d + tlv("DF01", b"\1"), "an object behind 77"),
                       (lambda d: d + d, "77 twice"), (lambda d: d[:-1], "cut off"),
                       (lambda d: b"\x70" + d[1:], "70 instead of 77"),
                       (lambda d: b"\x77\x80" + d[2 if d[1] < 128 else 3:], "indefinite length"),
                       (lambda d: tlv("77", objects_only(d) + b"\x9F"), "a tag without its length")):
        dialogue(f"4.1.4.3. {what}", both(lenient, online_card, short_answer, tlv_edit(edit)))
    dialogue("1.9. filler behind 77", both(online_card, short_answer, tlv_edit(lambda d: d + b"\0\xFF\xFF")))
    dialogue("1.9; Book 3 Annex B. filler between the objects of 77",
             both(online_card, short_answer, tlv_edit(lambda d: tlv("77", b"\0" + objects_only(d) + b"\0\0"))))
    dialogue("R01. 77 with a longer form of its length",
             both(online_card, short_answer, tlv_edit(lambda d: b"\x77\x82\0" + bytes([len(objects_only(d))])
                                                      + objects_only(d))))
    for tag in ("9F36", "DF10", "9F6C"):
        dialogue(f"4.17; Book 3 10.2. {tag} twice in the GPO response",
                 both(online_card, change(ctq="0000"), gpo(added(tag, b"\0\1")), gpo(added(tag, b"\0\1"))))


def objects_only(data):
    return the_template(data, "77")


def short_answer(case):
    case.extra = {}


def contents():
    wrong = {"82": ["20", "200000"], "9F36": ["01", "000001"], "9F26": ["01020304050607", "010203040506070809"],
             "9F27": ["8000"], "9F10": ["01" * 33], "57": ["62" * 20], "9F6C": ["00", "000000"], "5F34": ["0101"]}
    for tag, values in wrong.items():
        for value in values:
            dialogue(f"1.9, 4.34. {tag} of a wrong length in the GPO response",
                     both(online_card, short_answer, change(ctq="0000", sequence="01"),
                          gpo(replaced(tag, unhex(value)))))
    for tag in MANDATORY_ONLINE:
        dialogue(f"4.1.4.5, Table 4-3. ARQC without {tag}", both(online_card, gpo(without(tag))))
        dialogue(f"4.1.4.5, Table 4-3. AAC without {tag}", both(declined_card, gpo(without(tag))))
    for tag in MANDATORY_TC:
        dialogue(f"4.1.4.6, Table 4-4. TC without {tag}", both(approved_card, gpo(without(tag))))
        dialogue(f"R06. TC with an empty {tag}", both(approved_card, gpo(replaced(tag, b""))))
    for tag in ("57", "9F26", "9F10", "9F6C", "9F27"):
        dialogue(f"R06. ARQC with an empty {tag}", both(online_card, change(ctq="0000"), gpo(replaced(tag, b""))))
    dialogue("4.1.4.6. a TC needs no 57", both(approved_card, gpo(without("57"))))
    dialogue("4.1.4.6. a TC with its 57 in a record",
             both(approved_card, gpo(without("57")), lambda c: to_record("data", added("57", c.track()))(c)))
    dialogue("1.9; Book 3 7.5. terminal's objects are not the card's",
             both(online_card, gpo(added("9F02", bytes(6))), gpo(added("9F37", bytes(4)))))
    dialogue("1.9; Book 3 7.5. terminal's objects, twice",
             both(online_card, short_answer, gpo(added("95", b"\xFF" * 5)), gpo(added("95", b"\xFF" * 5)),
                  gpo(added("9F66", b"\xFF" * 4)), gpo(added("8A", b"00"))))
    dialogue("4.2.4.8. unknown objects", both(online_card, short_answer, gpo(added("DF53", b"\1\2")),
                                              gpo(added("9F5F", b"\1"))))
    for value in ("00", "41" * 29, "41" * 40):
        dialogue("3.1, 1.9. PAR of any length", both(online_card, short_answer, gpo(added("9F24", unhex(value)))))
    for value, what in (("0000001A0000", "no digits"), ("0000012345", "five bytes"), ("000000000000", "zero"),
                        ("000000012345", "a balance"), ("999999999999", "the greatest")):
        for card in (online_card, approved_card, declined_card):
            dialogue(f"4.5.1.1, 4.25. 9F5D: {what}",
                     both(short_answer, card, gpo(without("9F5D")), gpo(added("9F5D", unhex(value)))))


def disposition():
    for kind in ("AAC", "TC", "ARQC"):
        card = {"AAC": declined_card, "TC": approved_card, "ARQC": online_card}[kind]
        dialogue(f"4.1.4.4. {kind} without 9F27: derived", both(card, change(cid="derived")))
        dialogue(f"4.1.4.4. {kind} with low bits in 9F27",
                 both(card, gpo(replaced("9F27", bytes([{"AAC": 0, "TC": 0x40, "ARQC": 0x80}[kind] | 0x2F])))))
    dialogue("4.1.4.4. low bits of 9F27 and IAD byte 5 are nothing but type",
             both(online_card, lenient, below_limit, change(ctq="0000", cid="derived", iad=unhex("07010103EF"))))
    dialogue("A10 strict. CID unlike an IAD of five bytes",
             both(online_card, strict, below_limit, change(ctq="0000", iad=unhex("0701010380"))))
    dialogue("Figure 4-1. no 9F10", both(online_card, gpo(without("9F10"))))
    for cid, iad, what in (("sent", None, "CID 11b"), ("derived", "07010103B0", "IAD bits 11b"),
                           ("derived", "0701", "9F10 too short")):
        for missing in (None, "57"):
            extra = gpo(without(missing)) if missing else change()
            dialogue(f"4.15. {what}" + (", 57 missing" if missing else ""),
                     both(change(type="11" if cid == "sent" else "ARQC", afl=False, oda=False, cid=cid,
                                 iad=unhex(iad) if iad else None), extra))
    dialogue("4.1.4.5. AAC with an AFL, which is not looked at",
             both(change(type="AAC", afl=True, oda=False, afl_override="00000000")))
    dialogue("4.1.4.5. AAC with an AFL", both(change(type="AAC", afl=True, oda=False)))
    for sale in ("20",):
        dialogue("section 7. AAC on a refund", both(declined_card, change(sale=sale)))
        dialogue("section 7. ARQC on a refund", both(online_card, below_limit, change(ctq="0000", sale=sale)))
        dialogue("section 7. TC on a refund", both(approved_card, book, change(ctq="0000", sale=sale)))
    dialogue("A10. CID unlike the IAD", both(online_card, lenient, change(iad_type=1)))
    dialogue("A10. CID unlike the IAD", both(approved_card, change(iad_type=2)))
    dialogue("A10 strict. CID unlike the IAD", both(online_card, strict, change(iad_type=0)))
    afls = {"empty": "", "length": "0801010100", "length 3": "080101", "SFI 0": "00010100", "SFI 31": "F8010100",
            "first 0": "08000100", "last before first": "08020100", "too many covered": "08010203",
            "second entry": "0801010010030200"}
    for what, value in afls.items():
        dialogue(f"4.1.4.7. AFL: {what}", both(approved_card, change(afl_override=value)))
        dialogue(f"4.1.4.7. AFL: {what}", both(online_with_records, change(afl_override=value)))


def record_answers():
    for place in ("record 0", "record 1", "last"):
        for card in (approved_card, online_with_records):
            dialogue(f"4.2.4.1, 4.6. link fault at {place}",
                     both(card, change(layout=LAYOUTS[2], oda=True), reply(place, TIMEOUT)))
        dialogue(f"4.2.4.1. link fault at {place}, then a whole tap; other data, other number",
                 both(approved_card, change(layout=LAYOUTS[2], presentments=2), reply(place, TRANSMISSION)))
    for status, place in (("6A83", "record 0"), ("6986", "last"), ("6985", "record 0"), ("6283", "last")):
        dialogue(f"4.2.4.2. {status} to READ RECORD", both(any_card_with_records, reply(place, status)))
    dialogue("4.2.4.3. 9000 without data", both(any_card_with_records, reply("record 0", "9000")))
    for edit, what in ((lambda d: b"\x77" + d[1:], "77"), (lambda d: b"\xDA" + d[1:], "DA"),
                       (lambda d: d + b"\x70\0", "two templates"), (lambda d: d + b"\x9F\x08\2\0\1", "bytes behind 70"),
                       (lambda d: d[:-1], "cut off"), (lambda d: d[:1] + b"\x80" + d[2:], "indefinite length"),
                       (lambda d: d[2:], "no template")):
        dialogue(f"4.2.4.3, R09. record: {what}",
                 both(any_card_with_records, short_answer, change(layout=LAYOUTS[0]), bytes_of("data", edit, False)))
    for signed in (True, False):
        for layout in (0, 2):
            dialogue("Book 3 10.3. filler behind the template of a covered record" + (" is hashed" if signed else
                                                                                      " that was not hashed"),
                     both(approved_card, change(layout=LAYOUTS[layout]),
                          bytes_of("data", lambda d: d + b"\0\0", signed)))
    dialogue("1.9. filler behind a record that is not covered",
             both(approved_card, change(layout=LAYOUTS[0]), bytes_of("issuer", lambda d: d + b"\0\xFF")))
    dialogue("4.2.4.4. twice in one record",
             both(any_card_with_records, to_record("data", added("9F08", b"\0\1")), change(layout=LAYOUTS[0]),
                  to_record("data", added("9F08", b"\0\1"))))
    dialogue("4.2.4.4. unknown object in two records",
             both(approved_card, change(layout=LAYOUTS[2]), to_record("data", added("DF55", b"\1")),
                  to_record("more", added("DF55", b"\1"))))
    dialogue("4.2.4.4. an empty object counts as an occurrence",
             both(approved_card, change(layout=LAYOUTS[2]), to_record("data", added("DF55", b"")),
                  to_record("more", added("DF55", b"\1"))))
    dialogue("4.2.4.4. an object of the GPO response in a record, equal",
             both(any_card_with_records, lambda c: to_record("data", added("57", c.track()))(c)))
    dialogue("4.2.4.4. an unknown object of the GPO response in a record",
             both(any_card_with_records, short_answer, gpo(added("DF55", b"\1")),
                  to_record("data", added("DF55", b"\2"))))
    dialogue("4.2.4.4. 9F36 in the GPO response and in a record",
             both(any_card_with_records, to_record("data", added("9F36", b"\0\1"))))
    dialogue("1.3. 9F27 in a record beside a derived CID",
             both(any_card_with_records, change(cid="derived"), to_record("data", added("9F27", b"\0"))))
    dialogue("1.3. 9F27 in a record, an empty one in the GPO response",
             both(any_card_with_records, gpo(replaced("9F27", b"")), to_record("data", added("9F27", b"\0"))))
    dialogue("1.9; Book 3 7.5. terminal's objects in a record",
             both(any_card_with_records, to_record("data", added("9F02", bytes(6))),
                  to_record("data", added("9F02", b"\1" * 6))))
    for tag, value in (("5A", "62" * 11), ("57", "62" * 20)):
        edit = replaced(tag, unhex(value)) if tag == "5A" else added(tag, unhex(value))
        dialogue(f"1.9, 4.34. {tag} of a wrong length in a record",
                 both(approved_card, gpo(without("57")), to_record("data", edit)))
    for value in (b"A", b"A" * 30, b""):
        dialogue("4.2.4.9. 5F20 of any length",
                 both(approved_card, short_answer, to_record("data", added("5F20", value))))
    dialogue("4.2.4.9. 5F20 and 9F0B", both(approved_card, short_answer, to_record("data", added("5F20", b"A/B")),
                                            to_record("data", added("9F0B", b"LONG NAME" * 5))))
    dialogue("4.3.2.4. DDOL", both(approved_card, to_record("data", added("9F49", unhex("9F3704")))))
    dialogue("Table A-1. 9F5D in a record", both(approved_card, short_answer,
                                                 to_record("data", added("9F5D", unhex("000000004321")))))
    dialogue("Annex C. token data and 9F1F in a record",
             both(any_card_with_records, short_answer, to_record("data", added("9F19", unhex("012345678901"))),
                  to_record("data", added("9F1F", b"77")), to_record("data", added("9F25", b"\x12\x34"))))


def dates():
    for value in ("301331", "300230", "310A01", "000000", "290229", "991399", "AAAAAA"):
        for card in (approved_card, online_with_records):
            dialogue(f"4.29. 5F24 {value} is no date",
                     both(card, to_record("data", replaced("5F24", unhex(value)))))
    for value in ("", "3012", "30123100"):
        dialogue("4.29. 5F24 of a wrong length", both(any_card_with_records,
                                                      to_record("data", replaced("5F24", unhex(value)))))
    today = {"2026-11-21": ("261120", "261121"), "2027-02-28": ("270227", "270228"), "2028-02-29": ("280228", "280229")}
    for kind, card in (("TC", approved_card), ("ARQC", online_with_records)):
        for ctq in ("0000", "0800", None, "8800", "4880", "1000"):
            def past(case):
                case.layout = case.chance.pick([LAYOUTS[0], LAYOUTS[2]])
                case.expiry = case.chance.pick([today[case.date][0], "991231", "500101"])
            dialogue(f"4.2.4.5, 4.7. {kind}, expired, CTQ {ctq}", both(card, change(ctq=ctq), past))
        dialogue(f"4.2.4.5. {kind}, expires today", both(card, lambda c: setattr(c, "expiry", today[c.date][1])))
    dialogue("Book 3 7.5. year 49 is 2049", both(approved_card, change(expiry="491231")))
    dialogue("3.2.5.1, 4.2.4.5. expired, CTQ 1.4, offline-only reader",
             both(approved_card, change(ctq="0800", expiry="251231"), reader(offline_only=1)))
    dialogue("1.7, 4.26. expired TC, CTQ 1.4, no 57",
             both(approved_card, change(ctq="0800", expiry="251231"), gpo(without("57"))))
    dialogue("4.29. TC without 5F24", both(approved_card, book, to_record("data", without("5F24"))))
    dialogue("4.29 guarded. TC without 5F24 is not approved",
             both(approved_card, guarded, below_cvm, change(ctq="0000"), to_record("data", without("5F24"))))
    for profile in (book, guarded):
        dialogue("section 6. 5F24 in a record that is not covered",
                 both(approved_card, profile, below_cvm, change(ctq="0000", layout=LAYOUTS[0]),
                      to_record("data", without("5F24")), to_record("issuer", added("5F24", unhex("301231")))))


def below_cvm(case):
    case.amount = case.chance.pick([1, 1250, 9999])


def exceptions():
    def entry(make, card=any_card_with_records):
        def apply(case):
            card(case)
            case.sequence = "01"
            case.configuration |= {"exceptions": [{"pan": "6299999999999999"}, make(case.pan)]}
        return apply
    for what, make in (("listed", lambda pan: {"pan": pan}), ("a range", lambda pan: {"pan": pan[:9]}),
                       ("with its sequence number", lambda pan: {"pan": pan, "sequence": "01"}),
                       ("another sequence number", lambda pan: {"pan": pan, "sequence": "02"}),
                       ("another PAN", lambda pan: {"pan": pan[:-1] + str(9 - int(pan[-1]))}),
                       ("a longer number", lambda pan: {"pan": pan + "5" if len(pan) < 19 else "62" * 9 + "6"})):
        dialogue(f"4.2.4.7, 4.21. {what}", entry(make))
        dialogue(f"4.2.4.7, 4.21. {what}, PAN of 57",
                 both(entry(make, online_with_records), drop_last_data, change(oda=False)))
    dialogue("4.22. expired and listed: CTQ 1.4 sends it online",
             both(entry(lambda pan: {"pan": pan}, online_with_records),
                  change(ctq="0800", expiry="251231", layout=LAYOUTS[0])))
    dialogue("4.1.4.5. listed, without an AFL", entry(lambda pan: {"pan": pan}, online_card))


def files():
    card = both(approved_card, change(layout=LAYOUTS[3]))
    dialogue("Book 3 10.3. covered record of SFI 12 in template 70", card)
    for signed in (True, False):
        dialogue("Book 3 10.3. covered record of SFI 12 without template 70",
                 both(card, bytes_of("more", lambda d: b"\xD0" + d[1:], signed)))
    uncovered = both(approved_card, change(layout=[(12, 1, ["more"], 0), *LAYOUTS[0]]))
    dialogue("Book 3 10.3. SFI 12, not covered, no template 70: passed over",
             both(uncovered, bytes_of("more", lambda d: b"\x01\x02\x03\x04\x05")))
    dialogue("Book 3 10.3. SFI 12, not covered", uncovered)
    for sfi in (10, 11, 30):
        for covered in (0, 1):
            here = both(approved_card, change(layout=[(sfi, 7, ["more"], covered), *LAYOUTS[0]]))
            dialogue(f"4.1.4.7; Book 3 10.3. SFI {sfi}", here)
            dialogue(f"4.1.4.7; Book 3 10.3. SFI {sfi} without template 70",
                     both(here, bytes_of("more", lambda d: b"\xD0" + d[1:])))
    dialogue("R08. as many records as maxRecords",
             both(approved_card, change(layout=LAYOUTS[2], signature_place="gpo", max_records=4)))
    dialogue("R01. covered record with a longer form of its length",
             both(approved_card, change(layout=LAYOUTS[0]),
                  bytes_of("data", lambda d: b"\x70\x82\0" + bytes([len(d) - read_length(d, 1)[1]])
                           + d[read_length(d, 1)[1]:])))
    dialogue("R01. covered record of SFI 12 with a longer form of its length",
             both(card, bytes_of("more", lambda d: b"\x70\x81" + d[1:2] + d[2:])))


def fdda():
    flip = change(break_signature=lambda signature: signature[:40] + bytes([signature[40] ^ 1]) + signature[41:])
    defects = {
        "one bit of 9F4B": flip, "format 95 for a TC": change(form="95"),
        "9F69 of 7 bytes": change(related_length=7), "9F69 of 17 bytes": change(related_length=17),
        "9F69 version 00": change(related_version="00"), "9F69 version 02": change(related_version="02"),
        "another tag in 9F4A": to_record("card", replaced_or_added("9F4A", b"\x82\x57"), False),
        "static data changed": to_record("data", replaced("5F28", b"\2\x76"), False),
        "issuer certificate of another format": change(issuer_fields={"form": "04"}),
        "issuer certificate expired": change(issuer_fields={"expires": "1026"}),
        "issuer identifier": change(issuer_fields={"identifier": "621999FF"}),
        "card certificate of another format": change(card_fields={"form": "02"}),
        "card certificate expired": change(card_fields={"expires": "1026"}),
        "issuer identifier of two digits": lambda case: case.issuer_fields.update({"identifier": "62FFFFFF"}),
        "header 6B": change(frame="6BBC"), "trailer CC": change(frame="6ACC"),
        "ICC Dynamic Data longer than the key lets": lambda case: setattr(
            case, "more_dynamic", chain(case.chain).card.length - 24 - 1 - len(case.number)),
        "exponent 17 of the card": change(chain="17"), "exponent 17 of the issuer": change(chain="17 issuer"),
        "9F4B with a byte more before it": change(signature_place="gpo",
                                                  break_signature=lambda signature: b"\0" + signature),
        "9F4B not below the modulus": not_below_modulus,
        "hash algorithm 02": change(issuer_fields={"algorithm": "0201"}),
        "public key algorithm 02": change(card_fields={"algorithm": "0102"}),
        "9F4B one byte short": change(break_signature=lambda signature: signature[:-1]),
        "exponent 2": to_record("issuer", replaced("9F32", b"\2")),
        "5A unlike the certificate": other_account,
        "revoked": lambda case: case.configuration.update({"revoked": [
            {"rid": AIDS[0][:10], "index": chain(case.chain).index, "serial": "000001"}]}),
    }
    absent = {
        "AIP without DDA": change(aip="5C00"), "CA index unknown": change(index="E1"), "no CA keys": change(keys=[]),
        "no 9F4B": both(change(signature_place="gpo"), gpo(without("9F4B"))),
        "no 8F": to_record("issuer", without("8F")), "no 90": to_record("issuer", without("90")),
        "no 9F32": to_record("issuer", without("9F32")), "no 9F46": to_record("card", without("9F46")),
        "no 9F47": to_record("card", without("9F47")), "no 5A": drop_last_data,
    }
    for what, spoil in defects.items():
        dialogue(f"4.3.2.4, 4.3.2.5. {what}", both(approved_card, book, failing_ctq, spoil))
    for what, spoil in absent.items():
        dialogue(f"4.3.2.3, 4.3.2.5. {what}", both(approved_card, book, failing_ctq, spoil))
    dialogue("4.3.2.3. no 9F69", both(approved_card, book, failing_ctq, change(related_place=None)))
    dialogue("4.3.2.4. revoked, another serial number", both(approved_card, lambda case: case.configuration.update(
        {"revoked": [{"rid": AIDS[0][:10], "index": chain(case.chain).index, "serial": "000002"}]})))
    dialogue("Book 2 6.3 step 9. certificates to the end of this month",
             both(approved_card, change(date="2026-11-21", issuer_fields={"expires": "1126"},
                                        card_fields={"expires": "1126"})))
    for name in ("exact", "exact card"):
        dialogue("Book 2 6.3, 6.4. a key that just fits its certificate", both(approved_card, change(chain=name)))
    for count in (3, 8):
        dialogue("Book 2 6.3 step 8. issuer identifier of 3 to 8 digits", both(
            approved_card, lambda case, count=count: case.issuer_fields.update(
                {"identifier": (case.pan[:count] + "FFFFF")[:8]})))
    dialogue("Book 2 6.5.1. ICC Dynamic Data as long as may be", both(approved_card, lambda case: setattr(
        case, "more_dynamic", chain(case.chain).card.length - 25 - 1 - len(case.number))))
    dialogue("A15. CA key on its last day",
             both(approved_card, guarded, lambda case: setattr(case, "expires", case.date)))
    dialogue("4.3.2.4. 9F69 in the GPO response", both(approved_card, short_answer, change(related_place="gpo")))
    for name in ("small", "large", "mixed"):
        for place in ("gpo", "record"):
            dialogue("4.3.2.4; Book 2 6.2 to 6.5. fDDA verifies",
                     both(approved_card, change(chain=name, signature_place=place)))
    for ctq in ("2000", "1000", "0800", "3000", "B800", None):
        for offline_only, contact in ((0, 1), (1, 1), (0, 0), (1, 0)):
            if (offline_only, contact) == (0, 1) or ctq in ("2000", "1000", "3000"):
                dialogue(f"4.3.2.5. fDDA failed, CTQ {ctq}",
                         both(approved_card, book, flip, change(ctq=ctq),
                              reader(offline_only=offline_only, contact=contact)))
    for profile in (book, guarded):
        dialogue("A11, Table 4-9. another ATC than the one that was signed",
                 both(approved_card, profile, change(number=b"\x01\x02", atc=b"\x01\x03", ctq="0000")))
        dialogue("A11, Table 4-9. a signed number that is no ATC",
                 both(approved_card, profile, change(number=b"\x01\x02\x03", atc=b"\x01\x03", ctq="0000")))
    for ctq in ("2000", "0000"):
        dialogue("A11. a wrong signature", both(approved_card, guarded, flip, change(ctq=ctq)))
        for what in ("AIP without DDA", "CA index unknown", "no CA keys"):
            dialogue(f"A11. {what}: as the book", both(approved_card, guarded, absent[what], change(ctq=ctq)))
    for profile in (book, guarded):
        dialogue("A15. CA key past its last day",
                 both(approved_card, profile, change(expires="2025-12-31", ctq="2000")))
    dialogue("Table 4-3, 4.26. fDDA failed, CTQ 1.6, no 57",
             both(approved_card, book, flip, change(ctq="2000"), gpo(without("57"))))


def replaced_or_added(tag, value):
    return lambda objects: without(tag)(objects) + [(tag, value)]


def failing_ctq(case):
    case.ctq = case.chance.pick(["0000", "2000", "2000", None])


def not_below_modulus(case):
    key = chain(case.chain).card

    def add(signature):
        number = int.from_bytes(signature, "big") + key.n
        if number >> 8 * key.length:
            raise Unclear("this signature has no other form of its length")
        return number.to_bytes(key.length, "big")
    case.break_signature = add


def another(pan):
    return pan[:-2] + str(9 - int(pan[-2])) + pan[-1]


def other_account(case):
    to_record("data", replaced("5A", digits(another(case.pan))), False)(case)


def other_track(case):
    case.track_pan = another(case.pan)


def cardholder():
    cards = {"ARQC": online_card, "TC": both(approved_card, change(limits={"floor": 40000, "cvmRequired": 20000}))}
    for kind, card in cards.items():
        for ctq in (None, "0000", "8000", "4000", "0080", "C000", "8080", "4080"):
            for amount in (above_limit, below_limit):
                for pin, signature in ((1, 1), (0, 1), (1, 0), (0, 0)):
                    if ctq in ("4080", "8080", "C000") and (pin, signature) in ((1, 0), (0, 0)):
                        continue
                    if amount is below_limit and (pin, signature) != (len(TABLE) % 2, 1):
                        continue
                    dialogue(f"4.4.2. {kind}, CTQ {ctq}",
                             both(card, lenient, amount, change(ctq=ctq), reader(pin=pin, signature=signature)))
    for related in ("0080", "0000", "8080"):
        dialogue("4.4.2.2. 9F69 against the CTQ, TC", both(cards["TC"], lenient, reader(pin=0), change(
            ctq="0080", related_ctq=related), one_of(above_limit, below_limit)))
        dialogue("4.10. 9F69 in the GPO response of an ARQC", both(online_card, short_answer, change(
            ctq="0080"), gpo(added("9F69", unhex("0101020304" + related + "00"))), one_of(above_limit, below_limit)))
    dialogue("4.32. 9F69 shorter than 7 bytes", both(online_card, short_answer, change(ctq="0080"),
                                                     gpo(added("9F69", unhex("010102030400")))))
    dialogue("4.32. 9F69 of 6 bytes and a TC",
             both(cards["TC"], book, change(ctq="2080", related_length=6), reader(pin=0)))
    dialogue("4.4.2.2. 9F69 empty is absent", both(online_card, change(ctq="0080"), gpo(added("9F69", b""))))
    dialogue("4.4.2.2. TC with CTQ 2.8 whose 9F69 was not read",
             both(approved_card, change(ctq="0880", expiry="251231", layout=LAYOUTS[0]), reader(pin=0)))
    dialogue("4.31. online PIN at an offline-only reader", both(cards["TC"], book, change(ctq="8000"),
                                                               reader(pin=1, offline_only=1)))
    dialogue("3.2.5.1. ARQC at an offline-only reader", both(online_card, reader(offline_only=1)))
    dialogue("3.2.5.1. ARQC with AFL at an offline-only reader", both(online_with_records, reader(offline_only=1)))
    dialogue("Table 4-3. online PIN for a TC without 57", both(cards["TC"], book, change(ctq="8000"), reader(pin=1),
                                                               gpo(without("57"))))
    for ctq in ("8000", "0000", None):
        for card in (online_card, cards["TC"]):
            dialogue("4.4.1. an ATM", both(card, lenient, above_limit, change(ctq=ctq, options_7={"cvm": False})))
    dialogue("4.4. ARQC with AFL: 82, 9F36, 9F26 or 57 missing",
             both(online_with_records, book, one_of(*(gpo(without(tag)) for tag in ("82", "9F36", "9F26")))))
    dialogue("4.4. ARQC with AFL: 57 missing", both(online_with_records, gpo(without("57"))))
    dialogue("4.4. ARQC with AFL: 57 in a record",
             both(online_with_records, gpo(without("57")), lambda c: to_record("data", added("57", c.track()))(c)))
    dialogue("4.5. ARQC with AFL whose signature cannot be verified: Online Request",
             both(online_with_records, book, change(oda=True), one_of(change(form="05"), change(aip="0000"),
                                                                      change(related_place=None))))


def protection():
    signed = both(online_with_records, change(oda=True, presentments=1), short_answer)
    flip = change(break_signature=lambda signature: signature[:9] + bytes([signature[9] ^ 4]) + signature[10:])
    for profile in (guarded, strict):
        for ctq in ("0000", "0080", "4000", "8000"):
            dialogue("A01. unasked signature that verifies", both(signed, profile, change(ctq=ctq)))
            dialogue("A01, A32. unasked signature that fails", both(signed, profile, flip, change(ctq=ctq)))
        dialogue("A01. unasked signature that cannot be verified",
                 both(signed, profile, change(ctq="0080", index="E2"), above_limit))
        dialogue("A06. signed CTQ unlike the one in the clear",
                 both(signed, profile, change(ctq="0000", related_ctq="8000")))
    dialogue("A32. signature of an ARQC without 9F69",
             both(signed, guarded, change(ctq="0080", related_place=None), above_limit, reader(pin=1)))
    dialogue("A01 book. a signature that fails decides nothing", both(signed, book, flip, change(ctq="0080")))
    transit = both(signed, change(options_7={"odaForOnline": True}, fci_more=tlv("DF61", b"\x40")))
    for profile in (book, guarded, strict):
        dialogue("4.27. special reader, signature of an ARQC", both(transit, profile, change(ctq="0080"), above_limit))
        dialogue("A32. special reader, the signed CTQ decides",
                 both(transit, profile, above_limit, reader(pin=1, signature=1),
                      change(ctq="4000", related_ctq="8000")))
        dialogue("4.27. special reader, the signature of an ARQC fails",
                 both(transit, profile, flip, change(ctq="0000")))
    for pin, contact, signature in ((1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 1, 0), (1, 0, 0)):
        for ctq in ("0080", "4000", None):
            dialogue("A01, A32 strict. a CTQ that nothing covers, above the limit",
                     both(online_card, strict, above_limit, change(ctq=ctq), reader(pin=pin, contact=contact,
                                                                                    signature=signature)))
    for account in ("4111111111111111", "5413330089010434", "2221000000000009", "374245001741007", "3528000000000007",
                    "6011000990139424", "2204000000000000"):
        for pin, contact in ((1, 1), (0, 1), (0, 0)):
            for profile in (book, guarded, strict):
                dialogue("A39. a device that nothing proves, an account of another network",
                         both(online_card, profile, change(ctq="0080", pan=account), above_limit,
                              reader(pin=pin, contact=contact)))
        dialogue("A39. below the limit",
                 both(online_card, guarded, change(ctq="0080", pan=account), below_limit, reader(pin=1)))
    for ctq in ("2000", "0000", "2080", "0800"):
        for profile in (book, guarded, strict):
            dialogue("A10, 4.2. TC though an online cryptogram was demanded",
                     both(approved_card, profile, change(ctq=ctq, limits={"floor": 0, "cvmRequired": 20000})))
    for profile in (book, guarded):
        for card in (approved_card, online_with_records):
            dialogue("A17. PAN of 57 unlike 5A", both(card, profile, other_track))
        for sale, other in (("01", 0), ("09", 0), ("09", 500), ("00", 500)):
            dialogue("A19. cash, cash back", both(approved_card, profile, below_cvm, change(ctq="0000", sale=sale,
                                                                                          amount_other=other)))
        dialogue("A32. the signed CTQ of a TC decides",
                 both(approved_card, profile, reader(signature=1),
                      change(ctq="4000", related_ctq="0000", limits={"floor": 30000, "cvmRequired": 20000})))
        dialogue("A32. the signed CTQ of a TC asks for the PIN",
                 both(approved_card, profile, change(ctq="0000", related_ctq="8000"), reader(pin=1)))
    dialogue("section 6. plain approval with everything covered", both(approved_card, guarded))


def plain():
    for _ in range(20):
        dialogue("section 8. a plain tap", lambda case: None)
    for card in (approved_card, online_card, online_with_records):
        for _ in range(4):
            dialogue("section 8. a plain tap", card)


for _group in (activation, options, contents, disposition, record_answers, dates, exceptions, files, fdda, cardholder,
               protection, plain):
    _group()


def generate(seed, count):
    """Yields `count` dialogues with their coverage; one of each row of the table first, in its order."""
    for number in range(count):
        source, change_case = TABLE[number % len(TABLE)]
        for attempt in range(60):
            case = Case(Chance(seed, number, attempt))
            change_case(case)
            try:
                yield play(case, f"k7-random-{seed}-{number}", source)
                break
            except Unclear:
                pass
        else:
            raise SystemExit(f"{source}: nothing but unclear dialogues")


# ---------------------------------------------------------------------------------------------------------------
# Decision tables alone
# ---------------------------------------------------------------------------------------------------------------

RULES_HEAD = """\
# Generated by Tests/Independent/generators/kernel_7.py --write, seed {seed}: function | inputs | outputs. Numbers are
# decimal, bytes hexadecimal behind an "x"; "?" is not compared. 0 and 1 before a value say whether it is there.
# k7_configuration | TTQ, odaForOnline | refused, first reason: 1 missing 2 RFU bits 3 1.7 or 1.6 4 3.7 5 1.1
# k7_ttq | copy of TTQ, special reader, DF61 | goes on, TTQ as sent (otherwise End Application)
# k7_type | 9F27, 9F10 | 0 AAC 1 TC 2 ARQC 3 unknown, CID
# k7_disposition | type, there: 82 94 9F36 57 9F10 9F26 | 0 End Application 1 Declined 2 Online Processing 3 records
# k7_afl | AFL | usable, for each record: SFI, number, covered
# k7_status | SW1 SW2 to GPO, contact, mag-stripe | 0 Try Again 1 contact 2 mag-stripe 3 End Application
# k7_expiry | 5F24, 9A | 0 valid 1 past 2 no date
# k7_exception | PAN, 5F34 or nothing, then each entry: number, sequence number or nothing | listed
# k7_fdda_failed | CTQ, TTQ as sent | 0 Online Processing 1 Try Another Interface 2 Declined
# k7_cvm | CTQ, 9F69, ARQC, TTQ as sent | 0 N/A 1 signature 2 online PIN (Online Processing) 3 CDCVM 4 Declined
"""


def rule(name, inputs, outputs):
    def text(value):
        return "x" + value.hex() if isinstance(value, bytes) else str(int(value)) if value is not None else "?"
    return f"{name} | {' '.join(map(text, inputs))} | {' '.join(map(text, outputs))}"


def there(value):
    return [value is not None, value or b""]


def rules_activation(chance):
    reasons = [None, "missing", "reserved", "flow", "cdcvm", "odaForOnline"]
    cases = [None] + [with_bit(unhex("36004000"), byte, number, on) for byte in (1, 2, 3, 4)
                      for number in range(1, 9) for on in (0, 1)]
    cases += [bytes([chance.pick([0x36, 0x26, 0x3F, 0x37, chance.below(256)]),
                     chance.pick([0, 0xC0, chance.below(256)]), chance.below(256),
                     chance.pick([0, 0x80, chance.below(256)])]) for _ in range(120)]
    for ttq in cases:
        for special in (0, 1):
            refused = configuration_refused(ttq, special)
            yield rule("k7_configuration", there(ttq) + [special], [refused is not None, reasons.index(refused)])
    for _ in range(160):
        ttq = bytes([chance.pick([0x36, 0x20, 0x2E, 0x37]), chance.pick([0, 0x40, 0x80, 0xC0]),
                     chance.below(256) | 0x40, chance.pick([0, 0x80])])
        df61 = chance.pick([None, b"", b"\x40", b"\0", b"\xBF", chance.bytes(1), chance.bytes(3)])
        for special in (0, 1):
            sent = reset_ttq(ttq, special, df61)
            yield rule("k7_ttq", [ttq, special] + there(df61), [sent is not None, sent])


def rules_disposition(chance):
    names = [AAC, TC, ARQC, UNKNOWN]
    iads = [b"\7\1\1\3" + bytes([byte]) + b"\0\0" for byte in (0, 0x0F, 0x10, 0x20, 0x30, 0x40, 0xC0, 0x90, 0xEF, 0xFF)]
    for iad in iads + [b"\7", b"\7\1\1\xFF", b"\7\1\1\3\x90", b"\7" * 32]:
        for cid in (None, 0, 0x40, 0x80, 0xC0, 0x3F, 0x7F, 0x88, 0xFF):
            kind, value = cryptogram_type(cid, iad)
            yield rule("k7_type", [cid is not None, cid or 0, iad], [names.index(kind), value])
    for kind in names:
        for mask in range(64):
            present = {tag: mask >> place & 1 for place, tag in enumerate(("82", "94", "9F36", "57", "9F10", "9F26"))}
            ends, result = False, 1
            if kind == TC:
                ends, result = not all(present[tag] for tag in MANDATORY_TC), 3
            elif kind == ARQC and present["94"] and present["9F10"]:
                result = 3
            else:
                ends, result = not all(present[tag] for tag in MANDATORY_ONLINE), 2 if kind == ARQC else 1
            yield rule("k7_disposition", [names.index(kind)] + list(present.values()), [0 if ends else result])
    afls = [b"", b"\x08", b"\x08\1\1", b"\x08\1\1\0\x10"]
    for _ in range(300):
        afl = b""
        for _ in range(1 + chance.below(3)):
            first = chance.pick([0, 1, 1, 2, 9])
            last = max(0, first + chance.pick([-1, 0, 0, 1, 4]))
            afl += bytes([chance.pick([0, 1, 2, 10, 11, 30, 31, 1, 2, 3]) << 3, first, last,
                          chance.pick([0, 0, 1, max(0, last - first + 1), max(0, last - first + 2)])])
        afls.append(afl)
    for afl in afls:
        good = afl_defect(afl) is None
        yield rule("k7_afl", [afl], [good] + ([b"".join(map(bytes, afl_records(afl)))] if good else [None]))
    for status in (0x6986, 0x6984, 0x6985, 0x6283, 0x6100, 0x6C00, 0x6A80, 0x6F00, 0x9001, 0x6987):
        for contact in (0, 1):
            for magstripe in (0, 1):
                outcome, interface = other_interface(status, contact, magstripe)
                yield rule("k7_status", [status, contact, magstripe],
                           [{"contact": 1, "magstripe": 2}.get(interface, 0 if outcome == "tryAgain" else 3)])


def rules_records(chance):
    odd = ["000000", "301331", "300230", "310431", "280229", "270229", "000229", "A01231", "301A01", "30013A", "991231",
           "500101", "491231", "261120", "261121", "261122", "3012", "30123100", ""]
    for expiry in map(unhex, odd):
        for today in ("261121", "280229", "991231", "491231"):
            past = expired(expiry, real_date(unhex(today)))
            yield rule("k7_expiry", [expiry, unhex(today)], [2 if past is None else past])
    for _ in range(150):
        expiry = bcd(chance.below(100), 1) + bcd(chance.below(14), 1) + bcd(chance.below(33), 1)
        today = bcd(chance.pick([26, 27, 49, 50, 99]), 1) + bcd(1 + chance.below(12), 1) + bcd(1 + chance.below(28), 1)
        past = expired(expiry, real_date(today))
        yield rule("k7_expiry", [expiry, today], [2 if past is None else past])
    for _ in range(150):
        pan = "62" + str(10 ** 10 + chance.below(10 ** 10))[:10] + "0" * chance.below(8)
        sequence, entries = chance.pick([b"\0", b"\1"]), []
        for _ in range(chance.below(4)):
            number = chance.pick([pan, pan[:7 + chance.below(6)], pan[:-1] + "1", pan + "0", "6" + pan[1:8][::-1]])
            entries.append((number[:20], chance.pick([None, None, b"\0", b"\1"])))
        inputs = [digits(pan), sequence]
        for number, its in entries:
            inputs += [digits(number), its or b""]
        yield rule("k7_exception", inputs, [on_exception_file(pan, sequence, entries)])


def rules_verification(chance):
    for _ in range(6):
        for mask in range(16):
            ctq, ttq = chance.bytes(2), bytes([chance.below(256) & 0x27 | 0x20, chance.pick([0, 0xC0]), 0x40, 0x80])
            for number, place in ((6, 0), (5, 1)):
                ctq = with_bit(ctq, 1, number, mask >> place & 1)
            for number, place in ((4, 2), (5, 3)):
                ttq = with_bit(ttq, 1, number, mask >> place & 1)
            yield rule("k7_fdda_failed", there(ctq) + [ttq],
                       [[ONLINE, OTHER_INTERFACE, DECLINE].index(fdda_failed(ctq, ttq))])
            yield rule("k7_fdda_failed", there(None) + [ttq], [2])
    answers = [NO_CVM, SIGNATURE, PIN, CDCVM, DECLINED]
    for mask in range(128):
        ttq = unhex("30804080")
        for (byte, number), place in zip(((1, 3), (1, 2), (2, 7)), range(3)):
            ttq = with_bit(ttq, byte, number, mask >> place & 1)
        arqc = mask >> 3 & 1
        ctq = with_bit(with_bit(with_bit(chance.bytes(2), 1, 8, mask >> 4 & 1), 1, 7, mask >> 5 & 1), 2, 8, mask >> 6)
        other = with_bit(ctq, *chance.pick([(1, 8), (1, 3), (2, 8), (2, 1)]), chance.below(2))
        start = b"\1ABCD"
        for related in (None, start + ctq + b"\0", start + other + bytes(9), start + ctq, start + ctq[:1]):
            for shown in (ctq, None):
                yield rule("k7_cvm", there(shown) + there(related) + [arqc, ttq],
                           [answers.index(cvm(shown, related, arqc, ttq)[0])])


def rules(seed):
    lines = []
    for number, group in enumerate((rules_activation, rules_disposition, rules_records, rules_verification)):
        lines += group(Chance("rules", seed, number))
    return RULES_HEAD.format(seed=seed) + "\n".join(dict.fromkeys(lines)) + "\n"


# ---------------------------------------------------------------------------------------------------------------
# Checks of this file's own work
# ---------------------------------------------------------------------------------------------------------------

def schema_errors(value, schema, root, place="$"):
    """What of the schema a document breaks: as much of JSON Schema as Schemas/ uses."""
    if "$ref" in schema:
        return schema_errors(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, place)
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not schema_errors(value, {"type": schema.get("type")} | one, root)]
        if len(fitting) != 1:
            return [f"{place}: {len(fitting)} of oneOf"]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
             "null": type(None)}
    kind = kinds.get(schema.get("type"))
    if kind and (not isinstance(value, kind) or isinstance(value, bool) != (kind is bool)):
        return [f"{place}: no {schema['type']}"]
    errors = []
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        errors.append(f"{place}: another value")
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        errors.append(f"{place}: another form")
    if isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        errors.append(f"{place}: out of range")
    if isinstance(value, list) and "items" in schema:
        errors += [error for at, item in enumerate(value)
                   for error in schema_errors(item, schema["items"], root, f"{place}[{at}]")]
    if isinstance(value, dict):
        errors += [f"{place}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, item in value.items():
            if "propertyNames" in schema and not re.search(schema["propertyNames"]["pattern"], name):
                errors.append(f"{place}: name {name}")
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", True))
            if inner is False:
                errors.append(f"{place}: {name} is unknown")
            elif inner is not True:
                errors += schema_errors(item, inner, root, f"{place}.{name}")
    return errors


def known_to(schema, trace):
    """The trace without the options of Kernel 7 where the schema does not have them yet."""
    combination = schema["properties"]["configuration"]["properties"]["combinations"]["items"]["properties"]
    if "kernel7" in combination:
        return trace
    configuration = trace["configuration"]
    rows = [{key: value for key, value in row.items() if key != "kernel7"} for row in configuration["combinations"]]
    return trace | {"configuration": configuration | {"combinations": rows}}


def document(trace):
    return json.dumps(trace, separators=(",", ":")) + "\n"


def broken_invariants(trace):
    """What holds whatever the rules above say: read off the commands and the outcome alone."""
    expect, row = trace["expect"], trace["configuration"]["combinations"][0]
    commands = [item["c"] for item in trace["exchanges"] if "c" in item]
    outcome, data, broken = expect["outcome"], expect["data"], []
    record_there = outcome in ("approved", "onlineRequest")
    properties = {
        "a data record where there is none": record_there or not any(data.values()),
        "TVR": not record_there or data["95"] == "0000000000",
        "online without Table 4-3": outcome != "onlineRequest" or None not in map(
            data.get, ("82", "9F36", "9F10", "9F26", "57")),
        "57 beside an approval": outcome != "approved" or data["57"] is None and data["9F1F"] is None,
        "an offline-only reader goes online": outcome != "onlineRequest" or not int(row["ttq"][:2], 16) & 8,
        "a message at End Application": outcome != "endApplication" or expect.get("message", "1C") == "1C",
        "a number of commands": expect["apdus"] == len(commands),
        "another command": all(command[:4] in ("00A4", "80A8", "00B2") for command in commands),
        "an approval by strict": outcome != "approved" or trace["configuration"]["protection"]["profile"] != "strict",
    }
    broken += [name for name, kept in properties.items() if not kept]
    for at, command in enumerate(commands):
        if command[:4] == "80A8":
            fci = next(item["r"] for item in trace["exchanges"] if item.get("c") == commands[at - 1] and "r" in item)
            _, values = read_length(unhex(command[10:]), 1)
            for tag, length in dol_of(find_object(unhex(fci[:-4]), "9F38")):
                ttq = unhex(command[10:])[values:values + length]
                if tag == "9F66" and length == 4 and (ttq[2:] != b"\x40\x80" or ttq[0] & 0xC0 or ttq[1] & 0x3F):
                    broken.append("TTQ on the wire")
                values += length
    return broken


def check():
    """Returns the faults found."""
    faults, coverage = [], Coverage()
    traces = examples(7)
    faults += ["no example traces"] if not traces else []
    faults += [f"{trace['name']}: " + "; ".join(different) for trace in traces if (different := replay(trace))]
    schema = json.loads(SCHEMA.read_text())
    count = 0
    for count, (trace, ways) in enumerate(generate(SEED, COUNT), 1):
        coverage.add(ways)
        faults += [f"{trace['name']}: {error}" for error in schema_errors(known_to(schema, trace), schema, schema)]
        faults += [f"{trace['name']}, replayed: {line}" for line in replay(trace) + broken_invariants(trace)]
    faults += [f"no dialogue has: {item}" for item in coverage.missing()]
    ways = sum(len(names) for names in WAYS.values())
    if not faults:
        print(f"kernel_7.py: {len(traces)} examples agree, {count} dialogues, "
              f"all {ways} ways of {len(WAYS)} items covered")
    return faults


def main(arguments):
    if arguments == ["--check"]:
        faults = check()
        print("\n".join(faults[:50]), end="\n" if faults else "")
        return 1 if faults else 0
    if arguments[:1] == ["--write"]:
        return write(arguments[1:], {
            "kernel_7.taps": lambda: "".join(document(trace) for trace, _ in generate(SEED, COUNT)),
            "kernel_7_rules.txt": lambda: rules(SEED),
        })
    if arguments == ["--coverage"]:
        coverage = Coverage()
        for _, ways in generate(SEED, COUNT):
            coverage.add(ways)
        print(coverage.table())
        return 0
    if len(arguments) == 2 and all(argument.isdigit() for argument in arguments):
        for trace, _ in generate(int(arguments[0]), int(arguments[1])):
            sys.stdout.write(document(trace))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
