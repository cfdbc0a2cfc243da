#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of Kernel 5 (JCB J/Speedy): reader, virtual cards that sign, random dialogues.

It was written from Book C-5 v2.10, Books A and B v2.10, EMV 4.3 Book 2, EMV 4.4 Book 3 and the project's checklist by
clause with its settled readings, before the kernel existed, by someone who has not read the project's C kernels. It is
slow and plain on purpose. Clauses without a book are those of C-5; "A" and "B" are Books A and B, "Bk2" and "Bk3" are
EMV's; "reading 4.x" is a settled reading of the checklist; "guarded" and "strict" mark what those profiles add. Where
clauses and readings leave a result open, Open is raised and the dialogue is dropped: nothing is claimed that no clause
says.

    kernel_5.py [SEED [COUNT]]   the named dialogues (emv-trace/1) and COUNT random ones, one a line, on standard output
    kernel_5.py --rules [SEED]   decision tables alone: function | inputs | outputs, as rules.py writes them
    kernel_5.py --write DIR      both files of Scripts/independent
    kernel_5.py --coverage       how often each question of the checklist was answered No and Yes
    kernel_5.py --check          replays the examples of Tests/Independent and the dialogues"""

# Readings, where book and clause list leave a choice:
# - an activation draws four bytes of random, whatever comes of it; the random selection (3.5.4) draws four more
# - after End Application with Start B the request on restart (21) stands in messages where the card came back. A
#   trace that ends before has no messages, nor has one with Start D: B 3.2.1.2 sends the retained request at Start B
#   alone, so whether 16 is shown is not claimed
# - tap is left out for End Application after an update, and where every application refused its SELECT
# - data has no 9F26 where a 9F4B was refused or not looked into, and no cryptogram at all where the second answer is
#   refused by 3.10.3.8 and .9; no 95 where a 72 was lost
# - what the card sent twice, too long, or as no date stands in the record that is read last: whether the others are
#   still read is not said
# - guarded: the unsigned claim of a signature or a device above the CVM limit becomes online PIN, and the transaction
#   limit counts beside the On-Device one for it; a TC whose lists lack 9F37 (4) or 9F02 (6), or whose 8C or 5F24 no
#   signature covers, is declined after message 17; a status check of one unit asks an ARQC as a zero amount does; an
#   EMV card in Legacy Mode above the CVM limit gets the reader's online PIN or is declined, and what the CVM List
#   declines stays declined
# - strict: online PIN goes before signature in Legacy Mode where the list has both; offline is set to dynamicOda
# - legacyMode off refuses a PDOL without 9F52 (Select Next), whatever combination option 1.1 says; in profile book it
#   is not drawn
# - { "sale" } is followed by the commands of its first presentment, without { "tap" }
#
# Nothing is claimed, and no dialogue drawn, where these meet: a TC with online PIN in book; a key's remainder that is
# not needed; what follows a template in the same answer; 84 of other than 5 to 16 bytes; 50 twice; a PDOL that
# breaks, in a recovery; objects of the card in a list, but for 82 57 5A 5F24 5F25 5F28 5F34 9F07 9F08 5F20 9F36; an
# entry of the exception file with a sequence number for a card without 5F34; cash back by amount without type 09, or
# the other way round, where the bit is missing; a record twice in the AFL, accounts that differ, no floor limit under
# a TC, a context of another application, an online cryptogram that A30 asks at an offline-only reader, an ARQC of
# Legacy Mode there, 9F50 = 30 or an unsigned claim together with a limit or a transit reader, an ATC that changes
# while the card is held, in guarded; an ODA that is known to fail and not denied, an unsigned answer above the CVM
# limit, a torn tap without CDA, a list without online PIN at a reader that has it, in strict; the end of the context
# by another kernel's activation or by its age; a cancellation within a presentment; findings; refunds beyond profile
# book.

import hashlib
import json
import sys

from emv import (
    ANSWERS,
    Fault,
    Open,
    ask,
    bcd,
    bit,
    check_kernel,
    command,
    hexed,
    luhn_digit,
    probably_prime,
    resized,
    sha1,
    unhex,
    with_bit,
)
DEFAULT_SEED = 20261123
DEFAULT_COUNT = 40
TAPS, RULES = "kernel_5.taps", "kernel_5_rules.txt"

AAC, TC, ARQC, RFU = range(4)
BOOK, GUARDED, STRICT = range(3)
PROFILES = ["book", "guarded", "strict"]
JCB = bytes.fromhex("A0000000651010")
PPSE = b"2PAY.SYS.DDF01"
TAC_DEFAULTS = {"tacDenial": "0410000000", "tacOnline": "9060009000", "tacDefault": "9040008000"}  # Annex D


# ---------------------------------------------------------------------------------------------------------------
# Random choices, hex, numbers, dates
# ---------------------------------------------------------------------------------------------------------------


class Chance:
    """A counter under SHA-256: the same cases from the same seed on every machine."""

    def __init__(self, *seed):
        self.seed, self.state, self.pool = repr(seed).encode(), 0, b""

    def bytes(self, size):
        while len(self.pool) < size:
            self.state += 1
            self.pool += hashlib.sha256(self.seed + self.state.to_bytes(8, "big")).digest()
        taken, self.pool = self.pool[:size], self.pool[size:]
        return taken

    def below(self, limit):
        return int.from_bytes(self.bytes(6), "big") % limit

    def once_in(self, times):
        return self.below(times) == 0

    def pick(self, choices):
        return choices[self.below(len(choices))]


def nibbles(data):
    return [half for byte in data for half in (byte >> 4, byte & 15)]


def pack(halves):
    halves = list(halves) + [15] * (len(halves) % 2)
    return bytes(halves[at] << 4 | halves[at + 1] for at in range(0, len(halves), 2))


def number_of(data):
    """The number that binary coded decimal bytes stand for, or None if a half byte is no digit."""
    text = data.hex()
    return int(text) if text.isdigit() else None


def month_of(yymm):
    """(year, month) of two binary coded decimal bytes, or None if it is no month. 50 to 99 is 19YY."""
    year, month = number_of(yymm[:1]), number_of(yymm[1:])
    if len(yymm) != 2 or year is None or month is None or not 1 <= month <= 12:
        return None
    return year + (1900 if year >= 50 else 2000), month


def day_of(yymmdd):
    """(year, month, day) of three binary coded decimal bytes, or None if it is no day."""
    month, day = month_of(yymmdd[:2]), number_of(yymmdd[2:])
    if len(yymmdd) != 3 or month is None or day is None:
        return None
    leap = month[0] % 4 == 0 and (month[0] % 100 != 0 or month[0] % 400 == 0)
    days = 30 if month[1] in (4, 6, 9, 11) else 31 if month[1] != 2 else 29 if leap else 28
    return month + (day,) if 1 <= day <= days else None


# ---------------------------------------------------------------------------------------------------------------
# Data objects
# ---------------------------------------------------------------------------------------------------------------


def obj(tag, value, long=False):
    """One data object; `tag` in hex. `long`: the length as 81 xx although one byte would do."""
    size = len(value)
    if size < 128 and not long:
        head = bytes([size])
    else:
        head = bytes([0x81, size]) if size < 256 else bytes([0x82]) + size.to_bytes(2, "big")
    return unhex(tag) + head + value


def tag_at(data, at):
    """(tag, position behind it), or None at the end of the data."""
    start = at
    if at >= len(data):
        return None
    at += 1
    if data[start] & 31 == 31:
        while True:
            if at >= len(data):
                return None
            at += 1
            if not data[at - 1] & 0x80:
                break
    return hexed(data[start:at]), at


def parse(data):
    """The objects of a field as (tag, value, bytes), or None if it does not parse (Bk3, annex B)."""
    found, at = [], 0
    while at < len(data):
        if data[at] == 0:  # filler between objects
            at += 1
            continue
        start, head = at, tag_at(data, at)
        if head is None or head[1] >= len(data):
            return None
        tag, at = head
        size = data[at]
        at += 1
        if size == 0x80 or size > 0x84:
            return None
        if size > 0x80:
            count = size - 0x80
            if at + count > len(data):
                return None
            size, at = int.from_bytes(data[at : at + count], "big"), at + count
        if size > len(data) - at:
            return None
        found.append((tag, data[at : at + size], data[start : at + size]))
        at += size
    return found


def parse_dol(dol):
    """Entries (tag, length) of a list, or None where an entry is cut. DF83 10 and DF84 32: reading 4.13."""
    entries, at = [], 0
    while at < len(dol):
        if dol[at : at + 3] in (b"\xdf\x83\x10", b"\xdf\x84\x32"):
            entries.append((hexed(dol[at : at + 2]), dol[at + 2]))
            at += 3
            continue
        head = tag_at(dol, at)
        if head is None or head[1] >= len(dol):
            return None
        entries.append((head[0], dol[head[1]]))
        at = head[1] + 1
    return entries


# Section 2 of the checklist: numeric objects are filled and cut on the left, compressed ones filled with F.
NUMERIC = set(
    "9F01 9F02 9F03 9F15 9F1A 9F35 5F2A 5F36 9A 9F21 9C 5F24 5F25 5F28 5F34 9F42 9F11 42 9F0C 9F5F 9F19 9F25".split()
)
FROM_READER = set(
    "9F01 9F02 9F03 8A 91 9F15 9F4E 9F1A 9F52 9F53 9F35 95 5F2A 5F36 9A 9F21 9C 9F37 9F34 DF83 DF84".split()
)
# Objects of Annex B from the card that a list may ask for; for others of the card nothing is claimed.
FROM_CARD_IN_LISTS = set("82 57 5A 5F24 5F25 5F28 5F34 9F07 9F08 5F20 9F36".split())
OTHERS_OF_THE_CARD = set(
    "9F26 9F42 4F 94 50 9F12 87 9F0A 8C 8D 8E 9F50 8F 9F27 84 9F6E 42 9F0C 9F46 9F47 9F48 9F0D 9F0E 9F0F 9F10 9F11 90 "
    "9F32 92 5F2D 9F25 9F5F 9F60 9F7C 9F24 9F38 9F4B 9F4A 9F19 9F1F".split()
)


def fitted(tag, value, size):
    """Bk3 5.4: an object cut or filled to the length that a list asks for."""
    if value is None:
        return bytes(size)
    if tag in NUMERIC:
        return value[len(value) - size :] if size <= len(value) else bytes(size - len(value)) + value
    fill = b"\xff" if tag == "5A" else b"\0"
    return value[:size] if size <= len(value) else value + fill * (size - len(value))


def list_values(entries, values):
    """3.3.1.2, 3.8.1.2: the values of a list, objects that Annex B does not have as zeros."""
    made = b""
    for tag, size in entries:
        known = tag in FROM_READER or tag in FROM_CARD_IN_LISTS
        if tag in OTHERS_OF_THE_CARD:
            raise Open("a list asks for an object of the card that no honest card asks for")
        value = values.get(tag) if known else None
        if not ask("3.3.1.2 an entry of a list is unknown or has no value", value is None):
            ask("Bk3 5.4 an entry is longer than its object", size > len(value))
            ask("Bk3 5.4 an entry is shorter than its object", size < len(value))
        made += fitted(tag, value, size)
    return made


# Objects of the terminal or the issuer: never taken from the card (Bk3 7.5, A22).
NOT_FROM_CARD = FROM_READER | set("9F33 9F40 9F1E 9F06 9F66 9F09 9F41 9B 71 72 86 9F39".split())
# Reading 4.43: objects that a record does not give.
NOT_FROM_RECORD = set("82 94 84 50 9F38 4F 87 9F27 9F36 9F26 9F10 9F4B 9F50 9F5F 9F60".split())
FROM_RECORD = set(
    "57 5A 5F24 5F25 5F28 5F34 5F20 9F1F 9F07 9F08 8C 8D 8E 8F 90 92 9F32 9F46 9F47 9F48 9F4A 9F0D 9F0E 9F0F 9F6E 9F7C "
    "9F24 9F19 9F42 42 9F0C 9F25".split()
)
IN_ANSWER = set("9F27 9F36 9F26 9F10 9F4B 9F50 9F5F 9F60".split())
CARD_OPTIONAL = "9F08 5F20 9F6E 9F7C 9F24 9F19 9F1F".split()  # Table C-1 "if provided", beside 5F34


# ---------------------------------------------------------------------------------------------------------------
# RSA: keys from a fixed seed, signatures and certificates of Book 2
# ---------------------------------------------------------------------------------------------------------------

SMALL_PRIMES = [p for p in range(3, 2000, 2) if all(p % q for q in range(3, int(p**0.5) + 1, 2))]


class Key:
    def __init__(self, name, bits, exponent):
        chance = Chance("key of Kernel 5", name)

        def prime(size):
            while True:
                n = int.from_bytes(chance.bytes(size // 8), "big") | 3 << size - 2 | 1
                if n % exponent != 1 and probably_prime(n):
                    return n

        p, q = prime(bits // 2), prime(bits // 2)
        self.n, self.size = p * q, bits // 8
        self.d = pow(exponent, -1, (p - 1) * (q - 1))
        self.modulus = self.n.to_bytes(self.size, "big")
        self.exponent = exponent.to_bytes((exponent.bit_length() + 7) // 8, "big")

    def sign(self, block):
        return pow(int.from_bytes(block, "big"), self.d, self.n).to_bytes(self.size, "big")


def recover(signature, modulus, exponent):
    n, s, e = (int.from_bytes(x, "big") for x in (modulus, signature, exponent))
    if e not in (3, 65537) or s >= n or n % 2 == 0:
        return None
    return pow(s, e, n).to_bytes(len(modulus), "big")


def certificate(signer, kind, name, expiry, serial, key, static=b"", damage=None):
    """Bk2 tables 13 and 14: (certificate, remainder). `damage` names what is wrong with it."""
    room = signer.size - (36 if kind == 2 else 42)
    algorithm = 2 if damage == "algorithm" else 1
    head = bytes([kind + (damage == "format")]) + name + expiry + serial
    head += bytes([2 if damage == "hash algorithm" else 1, algorithm, key.size, len(key.exponent)])
    inside, remainder = key.modulus[:room].ljust(room, b"\xbb"), key.modulus[room:]
    digest = sha1(head, inside, remainder, key.exponent, static)
    if damage == "hash":
        digest = bytes([digest[0] ^ 1]) + digest[1:]
    trailer = b"\xbd" if damage == "trailer" else b"\xbc"
    lead = b"\x6b" if damage == "header" else b"\x6a"
    return resized(signer.sign(lead + head + inside + digest + trailer), damage), remainder


KEYS = {}
# Chain "r" has remainders at both levels; in chain "f" both keys exactly fill their certificates.
SIZES = {
    "r-ca": (1152, 3),
    "r-issuer": (896, 3),
    "r-card": (704, 3),
    "f-ca": (1152, 65537),
    "f-issuer": (864, 65537),
    "f-card": (528, 3),
}
CA_INDEX = {"r": "E1", "f": "E2"}


def keys(name):
    if name not in KEYS:
        KEYS[name] = Key(name, *SIZES[name])
    return KEYS[name]


def ca_entry(chain, expires="2035-12-31", rid="A000000065"):
    """A row of `caKeys`. The check value is that of Bk2, annex B: SHA-1 over RID, index, modulus, exponent."""
    key, index = keys(chain + "-ca"), CA_INDEX[chain]
    return {
        "rid": rid,
        "index": index,
        "exponent": hexed(key.exponent),
        "modulus": hexed(key.modulus),
        "sha1": hexed(sha1(unhex(rid), unhex(index), key.modulus, key.exponent)),
        "expires": expires,
    }


# ---------------------------------------------------------------------------------------------------------------
# Outcomes (3.12)
# ---------------------------------------------------------------------------------------------------------------


class Outcome(Exception):
    """The kernel's or Entry Point's last word. Raised, since every step may end the transaction."""

    def __init__(self, outcome, message=None, **more):
        super().__init__(outcome)
        self.outcome, self.message = outcome, message
        self.cvm, self.start, self.restart = "notApplicable", "none", None
        self.alternate, self.receipt, self.balance, self.removal = "none", False, None, 0
        self.hold, self.field_off = 0 if message else None, None
        self.data, self.unclaimed = None, set()  # tags and parameters that no clause fixes here
        self.by_limit = self.no_network = self.cancelled = self.update = False
        for name, value in more.items():
            setattr(self, name, value)


def select_next(by_limit=False):
    return Outcome("selectNext", start="C", by_limit=by_limit)  # 3.12.10


def end_application():
    return Outcome("endApplication")  # 3.12.7: no message at all


def present_again():
    return Outcome("endApplication", "21", start="B", restart="21", hold=1300)  # 3.12.8


def see_phone():
    return Outcome("endApplication", "20", start="B", restart="21", hold=1300, field_off=1300)  # 3.12.9


CVM_RESULTS = {
    "none": "1F0002",
    "signature": "1E0000",
    "onlinePIN": "020000",
    "cdcvm": "010002",
    "notApplicable": "3F0000",
}


# ---------------------------------------------------------------------------------------------------------------
# Decisions alone
# ---------------------------------------------------------------------------------------------------------------


class FCI:
    """Answer to SELECT by Bk1 Table 45. `whole` is false where it does not parse; `pdol` is None where absent."""

    def __init__(self, data):
        self.whole, self.name, self.label, self.pdol = False, None, None, None
        top = parse(data or b"")
        if ask("3.2.1.4 no 6F, or it is cut", top is None or not top or top[0][0] != "6F"):
            return
        if len(top) > 1:
            raise Open("something stands behind the 6F")
        fields = parse(top[0][1])
        if ask("3.2.1.4 what is in 6F does not parse", fields is None):
            return
        names = [value for tag, value, _ in fields if tag == "84"]
        insides = [value for tag, value, _ in fields if tag == "A5"]
        if ask("3.2.1.4 84 is missing, empty or twice", len(names) != 1 or not names[0]):
            return
        if not 5 <= len(names[0]) <= 16:
            raise Open("84 of another length")
        if ask("3.2.1.4 A5 is missing or twice", len(insides) != 1):
            return
        inner = parse(insides[0])
        if ask("3.2.1.4 A5 does not parse", inner is None):
            return
        lists = [value for tag, value, _ in inner if tag == "9F38"]
        labels = [value for tag, value, _ in inner if tag == "50"]
        if len(labels) > 1:
            raise Open("50 twice")
        if ask("3.2.1.4 9F38 twice", len(lists) > 1):
            return
        self.whole, self.name = True, names[0]
        if ask("1.1 50 is missing", not labels):
            self.label = None
        elif not ask("1.1 50 is malformed", not 1 <= len(labels[0]) <= 16):
            self.label = labels[0]
        self.pdol = lists[0] if lists else None


def afl_records(afl):
    """(SFI, record, signed) in order, or None where the AFL is malformed (Bk3 7.5; 3.3.1.6)."""
    if ask("3.3.1.5 94 is absent or empty", not afl):
        return None
    if ask("Bk3 7.5 94 is no multiple of 4", len(afl) % 4 != 0):
        return None
    wanted = []
    for at in range(0, len(afl), 4):
        sfi, first, last, signed = afl[at] >> 3, afl[at + 1], afl[at + 2], afl[at + 3]
        for why, wrong in (
            ("SFI 0 or 31", sfi in (0, 31)),
            ("first record 0", first == 0),
            ("last below first", last < first),
            ("byte 4 too large", signed > last - first + 1),
        ):
            if ask("Bk3 7.5 AFL: " + why, wrong):
                return None
        ask("1.2 RFU bits of an AFL entry are set", afl[at] & 7)
        wanted += [(sfi, record, record - first < signed) for record in range(first, last + 1)]
    return wanted


def processing_options(data):
    """3.3.1, 4.4, readings 4.20, 4.22: (82, 94), or None where the answer leads to Select Next."""
    top = parse(data)
    if ask("1.2 GPO answer does not parse", top is None or not top):
        return None
    if len(top) > 1:
        raise Open("something stands behind the template")
    tag, value, _ = top[0]
    if ask("1.2 GPO format 1", tag == "80"):
        if ask("1.2 format 1 shorter than an AIP", len(value) < 2):
            return None
        return value[:2], value[2:]
    if ask("1.2 GPO answer is neither 80 nor 77", tag != "77"):
        return None
    objects = parse(value)
    if ask("1.2 what is in 77 does not parse", objects is None):
        return None
    found = {"82": [], "94": []}
    for tag, value, _ in objects:
        if not ask("4.4 an object of format 2 is ignored", tag not in found):
            found[tag].append(value)
    if ask("1.2 82 or 94 twice", len(found["82"]) > 1 or len(found["94"]) > 1):
        return None
    if ask("3.3.1.3 82 is absent or not of 2 bytes", len((found["82"] or [b""])[0]) != 2):
        return None
    return found["82"][0], (found["94"] or [b""])[0]


def drawn_number(value):
    """4 bytes of the stream to a number of 1 to 99, or None where they are drawn again (checklist, section 2)."""
    return None if value >= 4294967295 - 4294967295 % 99 else value % 99 + 1


def selected_at_random(number, amount, threshold, floor, target, maximum):
    """3.5.4.1, Bk3 10.6.2 with its note, without a division."""
    if ask("Bk3 10.6.2 amount below the threshold", amount < threshold):
        return number <= target
    return (number - target) * (floor - threshold) <= (maximum - target) * (amount - threshold)


def floor_exceeded(legacy, terminal_type, options, amount, exponent, floor):
    """3.5.3: TVR 4.8."""
    exceeded = ask("3.5.3.1 Legacy Mode", legacy)
    exceeded |= ask("3.5.3.1 online-only reader", terminal_type & 15 in (1, 4))
    exceeded |= ask("3.5.3.1 status check", bit(options, 1, 7) and amount == 10**exponent)
    if not legacy and floor is not None:
        exceeded |= ask("3.5.3.2 amount reaches the floor limit", amount >= floor)
    return exceeded


def usage_allowed(auc, country, terminal_country, kind, other, terminal_type, capabilities):
    """3.6.1.1, Bk3 10.4.2 and Table 36."""
    atm = terminal_type in (0x14, 0x15, 0x16) and bit(capabilities, 1, 8)
    allowed = bit(auc, 1, 2) if ask("Bk3 10.4.2 at an ATM", atm) else bit(auc, 1, 1)
    if ask("Bk3 10.4.2 no 5F28", country is None):
        return allowed
    domestic = ask("Table 36 domestic", country == terminal_country)
    if kind == 0x01:
        allowed &= ask("Table 36 cash is allowed", bit(auc, 1, 8 if domestic else 7))
    if kind in (0x00, 0x09):
        goods = bit(auc, 1, 6 if domestic else 5) or bit(auc, 1, 4 if domestic else 3)
        allowed &= ask("Table 36 goods or services are allowed", goods)
    cashback = bit(auc, 2, 8 if domestic else 7)
    if (kind == 0x09) != (other > 0) and allowed and not cashback:
        raise Open("cash back by type or by amount")
    if kind == 0x09:
        allowed &= ask("Table 36 cash back is allowed", cashback)
    return allowed


def action(kind, legacy, transit, options, tvr, tac, iac, terminal_type, single_or_zero, profile, bare=False):
    """3.7: "declined", TC or ARQC. `tac` and `iac` are (denial, online, default), absent ones None."""
    if ask("3.7.1.1 refund", kind == 0x20):
        return "declined"
    if ask("3.7.1.2 Legacy Mode at a transit reader", legacy and transit):
        return "declined"
    if ask("3.7.1.3 exception file at a transit reader", transit and bit(options, 1, 5) and bit(tvr, 1, 5)):
        return "declined"
    defaults = (bytes(5), b"\xff" * 5, b"\xff" * 5)
    if ask("3.7.1.4 IACs of the card count", not legacy):
        iac = tuple(default if code is None else code for code, default in zip(iac, defaults))
    else:
        iac = defaults
    denial, online, default = (any(bits & (a | b) for bits, a, b in zip(tvr, ours, its)) for ours, its in zip(tac, iac))
    if ask("3.7.1.6 TVR and Denial", denial):
        return "declined"
    reach = terminal_type & 15
    if ask("3.7.1.6 offline-only reader", reach in (3, 6)):
        if ask("3.7.1.6 TVR and Default", default):
            return "declined"
        result = TC
    else:
        result = ARQC if reach in (1, 4) or ask("3.7.1.6 TVR and Online", online) else TC
    if ask("3.9.1.3 Legacy Mode asks an ARQC", legacy):
        result = ARQC
    if profile == STRICT and bit(tvr, 1, 3):
        raise Open("strict A04: an ODA known to fail declines, before or after GENERATE AC")
    if profile >= GUARDED and ask("guarded A30: zero amount or status check", single_or_zero) and result == TC:
        if reach in (3, 6):
            raise Open("guarded A30: an ARQC at an offline-only reader")
        result = ARQC
    if bare and profile >= GUARDED and ask("guarded A35: the signature would cover too little", result == TC):
        return "declined" if reach in (3, 6) else ARQC
    return result


def limit_exceeded(on_device, amount, transaction_limit, device_limit):
    """3.8.3.5, .6, reading 4.8. A limit of None is not configured."""
    if ask("3.8.3.5 CVM on the device", on_device):
        return ask("3.8.3.5 amount reaches the On-Device limit", device_limit is not None and amount >= device_limit)
    if ask("3.8.3.6 Contactless Transaction Limit is configured", transaction_limit is not None):
        return ask("3.8.3.6 amount reaches the transaction limit", amount >= transaction_limit)
    return ask("3.8.3.6 the On-Device limit takes its place", device_limit is not None and amount >= device_limit)


def verification(status, tip, cryptogram, signed, amount, transaction_limit, device_limit, profile):
    """3.8.3: ("declined" | "limit" | "go", method). `signed`: a verified 9F4B covers 9F50."""
    method = {0x00: "none", 0x10: "signature", 0x20: "onlinePIN"}.get(status, "cdcvm" if status >> 4 == 3 else None)
    transit, required = bit(tip, 1, 3), bit(tip, 1, 8)
    if ask("3.8.3.2 9F50 names no CVM", method is None):
        return "declined", None
    if ask("3.8.3.3 No CVM although one is required", method == "none" and required and not transit):
        return "declined", None
    supported = {"signature": 7, "onlinePIN": 6, "cdcvm": 5}
    if method != "none" and not transit:
        if ask("3.8.3.4 the reader does not support %s" % method, not bit(tip, 1, supported[method])):
            return "declined", None
    too_much = limit_exceeded(method == "cdcvm", amount, transaction_limit, device_limit)
    if cryptogram == TC and method == "onlinePIN" and not transit:
        if profile == BOOK and not too_much:
            raise Open("reading 4.15: a TC with online PIN")
        if profile >= GUARDED and too_much:
            raise Open("guarded 4.15 and the limit at once")
        if profile >= GUARDED and ask("guarded 4.15: a TC with online PIN", True):
            return "declined", None
    if profile >= GUARDED and status == 0x30:
        if too_much or transit:
            raise Open("guarded 4.14 and the limit at once")
        if ask("guarded 4.14: 30 counts as 00", required):
            return "declined", None
        too_much, method = limit_exceeded(False, amount, transaction_limit, device_limit), "none"
    elif profile >= GUARDED and not signed and method in ("signature", "cdcvm"):
        return plain_verification(method, tip, amount, too_much, transaction_limit, profile)
    elif profile == STRICT and not signed and required and not too_much and not transit:
        raise Open("strict A04: an ODA not performed declines above the limit, or it does not")
    if too_much:
        return "limit", None
    return "go", "none" if ask("3.8.4.5 transit reader", transit) else method


def plain_verification(method, tip, amount, too_much, transaction_limit, profile):
    """Guarded A04, A08: signature or CVM on the device that no signature covers."""
    over = too_much or transaction_limit is not None and amount >= transaction_limit
    if bit(tip, 1, 3):
        raise Open("guarded A08 at a transit reader")
    if not ask("guarded A08: above the CVM limit", bit(tip, 1, 8)):
        return ("limit", None) if over else ("go", method)
    if profile == STRICT and not too_much:
        raise Open("strict A04: an ODA not performed declines above the limit, or it does not")
    if ask("guarded A08: online PIN instead", bit(tip, 1, 6)):
        return ("limit", None) if over else ("go", "onlinePIN")
    if over:
        raise Open("guarded A08 and the limit at once")
    return "declined", None


def legacy_verification(cvm_list, static_tip, required, suspicious, profile):
    """3.9.2: method, or "declined"."""
    if not ask("3.9.2.1 a CVM is required", required):
        return "none"
    if ask("3.9.2.2 8E absent, of 8 bytes or less, or odd", not cvm_list or len(cvm_list) <= 8 or len(cvm_list) % 2):
        return "declined"
    usable = []
    for at in range(8, len(cvm_list), 2):
        code = cvm_list[at] & 0x3F
        if ask("3.9.2.3 online PIN fits", code == 0x02 and bit(static_tip, 1, 6)):
            usable.append("onlinePIN")
        elif ask("3.9.2.3 signature fits", code == 0x1E and bit(static_tip, 1, 7)):
            usable.append("signature")
    if ask("3.9.2.4 nothing fits", not usable):
        return "declined"
    if profile >= GUARDED and ask("guarded A27: an EMV card in Legacy Mode above the CVM limit", suspicious):
        return "onlinePIN" if bit(static_tip, 1, 6) else "declined"
    if profile == STRICT and usable[0] == "signature" and bit(static_tip, 1, 6):
        if "onlinePIN" not in usable:
            raise Open("strict A05: the reader has online PIN, the list has not")
        if ask("strict A05: online PIN before signature", True):
            return "onlinePIN"
    return usable[0]


SIZES_IN_ANSWER = {"9F27": [1], "9F36": [2], "9F26": [8], "9F50": [1], "9F60": [1], "9F5F": [6], "9F10": range(33)}


def answer_objects(data):
    """3.8.1.8, 4.2, readings 4.21, 4.22: an answer in EMV Mode as ({tag: value}, bytes without 9F4B), or None."""
    top = parse(data)
    if ask("3.8.1.8 the answer does not parse", top is None or not top):
        return None
    if len(top) > 1:
        raise Open("something stands behind the template")
    if ask("3.8.1.8 the answer is no 77", top[0][0] != "77"):
        return None
    objects = parse(top[0][1])
    if ask("3.8.1.8 what is in the 77 does not parse", objects is None):
        return None
    found, hashed, seen = {}, b"", set()
    for tag, value, whole in objects:
        ask("reading 4.47: 00 between the objects", len(top[0][1]) > sum(len(one[2]) for one in objects))
        if tag != "9F4B":
            hashed += whole
        if ask("A22 a terminal's object in the answer", tag in NOT_FROM_CARD):
            continue
        if tag in seen and tag not in IN_ANSWER:
            raise Open("an object that is not of this answer stands in it twice")
        if ask("3.8.1.8 an object twice", tag in seen):
            return None
        seen.add(tag)
        if tag not in IN_ANSWER and tag not in CARD_OPTIONAL:
            ask("reading 4.43: an object that belongs elsewhere", True)
            continue
        ask("reading 4.43: an object that belongs elsewhere", False)
        if ask("annex B: an empty object is absent", not value):
            continue
        if tag in SIZES_IN_ANSWER and ask(
            "3.8.1.8 %s has another length" % tag, len(value) not in SIZES_IN_ANSWER[tag]
        ):
            return None
        if tag == "9F5F" and ask("3.8.1.8 9F5F is not decimal", number_of(value) is None):
            return None
        found[tag] = value
    return found, hashed


def first_answer(data, cda_asked):
    """3.8.1.8, Tables 4-4 to 4-6: what answer_objects gives, or None where the answer is Declined as it stands; and
    what a record of that decline holds of it (reading 4.44)."""
    read = answer_objects(data)
    missing = None if read is None else missing_object(read[0], cda_asked)
    if read is not None and missing is None:
        return read, read[0]
    alone = missing == "9F4B" and missing_object(dict(read[0], **{"9F4B": b"\0"}), cda_asked) is None
    if ask("reading 4.44: 9F4B alone is missing", alone):
        return None, {tag: value for tag, value in read[0].items() if tag != "9F5F"}
    return None, {}


def missing_object(found, cda_asked):
    """Tables 4-4 to 4-6: the first object that is missing, or None."""
    if ask("3.8.1.8 9F27 or 9F36 is missing", "9F27" not in found or "9F36" not in found):
        return "9F27"
    cryptogram = found["9F27"][0] >> 6
    if ask("reading 4.19: the CID names no type", cryptogram == RFU):
        return "9F27"
    if cryptogram == AAC:
        needed = ["9F26"]
    elif cryptogram == TC or cda_asked or ask("reading 4.18: an unasked 9F4B", "9F4B" in found):
        needed = ["9F4B", "9F50", "9F10"] + ["9F26"] * (cryptogram == ARQC and not cda_asked)
    else:
        needed = ["9F26", "9F50", "9F10"]
    for tag in needed:
        if ask("3.8.1.8 %s of the table is missing" % tag, tag not in found):
            return tag
    return None


def card_read_ok(found, updates):
    """3.8.1.13: message 17. `updates`: TIP 2.8."""
    if not ask("3.8.1.13 9F4B in the answer", "9F4B" in found):
        return False
    wish = found["9F60"][0] & 3 if "9F60" in found else 0
    return ask("3.8.1.13 the card may go", wish in (0, 2) or not updates)


def legacy_answer(data):
    """3.9.1.6, Table 4-3: CID, ATC, AC, IAD, or None."""
    top = parse(data)
    if ask(
        "3.9.1.6 the answer is no 80 of 19 bytes",
        top is None or len(top) != 1 or top[0][0] != "80" or len(top[0][1]) != 19,
    ):
        return None
    value = top[0][1]
    return {"9F27": value[:1], "9F36": value[1:3], "9F26": value[3:11], "9F10": value[11:]}


def script_commands(template):
    """Bk3 10.10, reading 4.32: the commands of one 71 or 72, or None where it does not parse."""
    objects = parse(template)
    if ask("3.10.2.1 a template does not parse", objects is None):
        return None
    commands = [value for tag, value, _ in objects if tag == "86"]
    if any(tag not in ("86", "9F18") for tag, _, _ in objects):
        raise Open("something else in a script")
    if ask("3.10.2.1 a command shorter than 4 bytes", any(len(command) < 4 for command in commands)):
        return None
    return commands


def second_type(arc):
    """3.10.3.4: the cryptogram that the second GENERATE AC asks for."""
    return TC if ask("3.10.3.4 the issuer approves", arc in (b"00", b"10", b"11", b"01", b"02")) else AAC


def second_answer(data):
    """3.10.3.7 and the second Table 4-3: the objects, or None."""
    read = answer_objects(data)
    if read is None:
        return None
    if ask("3.10.3.7 9F27, 9F36 or 9F26 is missing", any(tag not in read[0] for tag in ("9F27", "9F36", "9F26"))):
        return None
    return read[0]


# ---------------------------------------------------------------------------------------------------------------
# Book 2: certificates and the signature of CDA
# ---------------------------------------------------------------------------------------------------------------


def certificate_expired(mmyy, today):
    month = month_of(mmyy[1:] + mmyy[:1])
    return month is None or today[:2] > month


def issuer_key(card, modulus, exponent, today, pan, revoked):
    """Bk2 6.3: (modulus, exponent) of the issuer, or None."""
    size = len(modulus)
    if ask("6.3.1 issuer certificate has another length", len(card["90"]) != size):
        return None
    plain = recover(card["90"], modulus, exponent)
    if ask(
        "6.3.2-4 frame of the issuer certificate",
        plain is None or plain[0] != 0x6A or plain[1] != 2 or plain[-1] != 0xBC,
    ):
        return None
    length, room = plain[13], size - 36
    if "92" in card and length <= room:
        raise Open("a remainder that is there and not needed: hashed or not (Bk2 6.3, step 5)")
    remainder = card.get("92", b"")
    if ask("6.3.5 length of the issuer key's remainder", length > room and len(remainder) != length - room):
        return None
    if ask("6.3.6 hash algorithm of the issuer certificate", plain[11] != 1):
        return None
    if ask(
        "6.3.7 issuer certificate's hash", sha1(plain[1 : 15 + room], remainder, card["9F32"]) != plain[15 + room : -1]
    ):
        return None
    prefix = [half for half in nibbles(plain[2:6]) if half <= 9]
    if ask("6.3.8 issuer identifier differs", pan[: len(prefix)] != prefix):
        return None
    if ask("6.3.9 issuer certificate expired", certificate_expired(plain[6:8], today)):
        return None
    if ask("6.3.10 issuer certificate revoked", revoked(hexed(card["8F"]), hexed(plain[8:11]))):
        return None
    if ask("6.3.11 issuer key's algorithm", plain[12] != 1):
        return None
    return (plain[15 : 15 + room] + remainder)[:length], card["9F32"]


def card_key(card, modulus, exponent, today, pan, static, aip):
    """Bk2 6.4: (modulus, exponent) of the card, or None."""
    size = len(modulus)
    if ask("6.4.1 card certificate has another length", len(card["9F46"]) != size):
        return None
    plain = recover(card["9F46"], modulus, exponent)
    if ask(
        "6.4.2-4 frame of the card certificate", plain is None or plain[0] != 0x6A or plain[1] != 4 or plain[-1] != 0xBC
    ):
        return None
    length, room = plain[19], size - 42
    if "9F48" in card and length <= room:
        raise Open("a remainder that is there and not needed: hashed or not (Bk2 6.4, step 5)")
    remainder = card.get("9F48", b"")
    if ask("6.4.5 9F48 is needed and is not there with its length", length > room and len(remainder) != length - room):
        return None
    if ask("6.4.5 9F4A is there", "9F4A" in card):
        if ask("6.4.5 9F4A is not 82 alone", card["9F4A"] != b"\x82"):
            return None
        static = static + aip
    if ask("6.4.6 hash algorithm of the card certificate", plain[17] != 1):
        return None
    body = plain[1 : 21 + room]
    if ask("6.4.7 card certificate's hash", sha1(body, remainder, card["9F47"], static) != plain[21 + room : -1]):
        return None
    certified = [half for half in nibbles(plain[2:12]) if half <= 9]
    if ask("6.4.8 account of the card certificate differs", certified != pan):
        return None
    if ask("6.4.9 card certificate expired", certificate_expired(plain[12:14], today)):
        return None
    if ask("6.4.10 card key's algorithm", plain[18] != 1):
        return None
    return (plain[21 : 21 + room] + remainder)[:length], card["9F47"]


def signed_cryptogram(signed, cid, modulus, exponent, number, transaction_data):
    """Bk2 6.6.2: the recovered cryptogram, or None."""
    size = len(modulus)
    if ask("6.6.2.1 9F4B has another length than the key", len(signed) != size):
        return None
    plain = recover(signed, modulus, exponent)
    if ask("6.6.2.2-3 frame of 9F4B", plain is None or plain[0] != 0x6A or plain[-1] != 0xBC):
        return None
    if ask("6.6.2.4 Signed Data Format is not 05", plain[1] != 5):
        return None
    if ask("6.6.2 hash algorithm of 9F4B", plain[2] != 1):
        return None
    dynamic = plain[4 : 4 + plain[3]]
    digits = dynamic[0] if dynamic else 0
    if ask(
        "6.6.2.5 ICC Dynamic Data malformed", plain[3] > size - 25 or not 2 <= digits <= 8 or len(dynamic) < 30 + digits
    ):
        return None
    if ask("6.6.2.6 CID inside differs from 9F27", dynamic[1 + digits] != cid):
        return None
    if ask("6.6.2.9 hash of 9F4B", sha1(plain[1:-21], number) != plain[-21:-1]):
        return None
    if ask("6.6.2.12 Transaction Data Hash Code", sha1(transaction_data) != dynamic[10 + digits : 30 + digits]):
        return None
    return dynamic[2 + digits : 10 + digits]


# ---------------------------------------------------------------------------------------------------------------
# The kernel
# ---------------------------------------------------------------------------------------------------------------


class Torn:
    """The Recovery Context of 3.11.2.1, with what readings 4.1 to 4.4 keep beside it."""

    def __init__(self, kernel, asked, cda):
        self.track_2, self.asked, self.cda = kernel.card["57"], asked, cda
        self.buffer = kernel.pdol_values + kernel.cdol1_values if cda else b""
        self.number, self.tvr, self.tip = kernel.number, kernel.tvr, kernel.tip
        self.application = (kernel.fci.name, id(kernel.combination))


class Kernel:
    """One activation. `link` sends a command and returns the answer, or raises Fault."""

    def __init__(self, reader, combination, fci, link):
        self.reader, self.combination, self.link, self.answer = reader, combination, link, fci
        options = combination.get("kernel5", {})
        self.options = unhex(options.get("combinationOptions", "2200"))
        self.static_tip = unhex(options.get("terminalInterchangeProfile", "000000"))
        self.removal = options.get("removalTimeout", 0)
        self.random = options.get("randomSelection")
        self.tac = tuple(unhex(options.get(name, TAC_DEFAULTS[name])) for name in TAC_DEFAULTS)
        self.limits, self.profile = combination.get("limits", {}), reader.profile
        self.terminal, self.deal = reader.objects(combination), reader.transaction
        self.protection = dict(reader.protection, **combination.get("protection", {}))
        self.amount, self.kind = self.deal["amount"], int(self.deal.get("type", "00"), 16)
        self.exponent = self.deal.get("exponent", 2)
        self.card, self.signed, self.static, self.static_broken = {}, set(), b"", False
        self.legacy = self.torn = None
        self.cdol1_values, self.verified = b"", False

    # 3.2
    def run(self):
        self.number = self.reader.draw(4)  # A 8.1.1.8: at every activation
        if ask("3.2.1.1 a Recovery Context", self.reader.torn is not None):
            self.recover_torn()
        else:
            self.fci = FCI(self.answer)
            if ask("3.2.1.4 FCI malformed, PDOL absent or empty", not self.fci.whole or not self.fci.pdol):
                raise select_next()
        self.transaction()

    def transaction(self):
        """From 3.2.1.5 to the outcome."""
        self.initialise()
        try:
            self.initiate(b"\x90\x00")
            self.read_records()
        except Fault:
            raise present_again()  # 3.11.2.5
        self.manage_risk()
        self.analyse()

    def initialise(self):
        """3.2.1.5 to .8."""
        self.tvr, self.tip = bytes(5), with_bit(self.static_tip, 1, 8, False)

    def send(self, command):
        """An answer as (data, SW)."""
        answer = self.link(command)
        return answer[:-2], answer[-2:]

    def values(self):
        """What lists are answered from, now."""
        found = {tag: value for tag, value in self.card.items() if tag in FROM_CARD_IN_LISTS}
        found.update({tag: value for tag, value in self.terminal.items() if tag in FROM_READER})
        found.update({"95": self.tvr, "9F52": b"\x02", "9F53": self.tip, "9F37": self.number})
        return found

    # 3.3
    def initiate(self, good):
        entries = parse_dol(self.fci.pdol)
        if ask("reading 4.45: the PDOL breaks", entries is None):
            if self.reader.torn is not None:
                raise Open("a PDOL that breaks in a recovery: before or after ECHO")
            raise select_next()
        asks = ask("3.2.1.9 the PDOL asks 9F52", any(tag == "9F52" for tag, _ in entries))
        if not asks and ask("3.2.1.10 no Legacy Mode", not self.legacy_allowed()):
            raise select_next()
        if ask("reading 4.45: PDOL values above 252 bytes", sum(size for _, size in entries) > 252):
            raise select_next()
        self.pdol, self.pdol_values = entries, list_values(entries, self.values())
        data = obj("83", self.pdol_values)
        data, status = self.send(b"\x80\xa8\x00\x00" + bytes([len(data)]) + data + b"\x00")
        if ask("3.11.1.1 SW of the GPO is not the good one", status != good):
            raise select_next()
        found = processing_options(data)
        if found is None:
            raise select_next()
        self.aip, self.legacy = found[0], not asks
        if asks and ask("3.3.1.4 AIP 2.8 is 0", not bit(self.aip, 2, 8)):
            raise select_next()
        self.wanted = afl_records(found[1])
        if self.wanted is None:
            raise select_next()
        self.card["82"] = self.aip
        self.oda = bit(self.options, 1, 6)
        self.cda = not self.legacy and self.oda and bit(self.aip, 1, 1)
        if ask("3.3.1.7 no CDA", not self.cda):
            self.tvr = with_bit(self.tvr, 1, 8)

    def legacy_allowed(self):
        off = self.profile != BOOK and self.protection.get("legacyMode") == "off"
        return bit(self.options, 1, 1) and not ask("guarded A27: legacyMode off", off)

    # 3.4
    def read_records(self):
        if len(self.wanted) > 64:
            raise Open("more records than a reader takes")
        places = [(sfi, record) for sfi, record, _ in self.wanted]
        if self.profile >= GUARDED and len(set(places)) != len(places):
            raise Open("guarded A18: a record listed twice")
        for place, (sfi, record, signed) in enumerate(self.wanted):
            data, status = self.send(bytes([0x00, 0xB2, record, sfi << 3 | 4, 0x00]))
            if ask("3.11.1.1 SW of READ RECORD is not 9000", status != b"\x90\x00"):
                raise select_next()
            self.store(data, sfi, signed, place + 1 == len(self.wanted))
        self.check_card_data()

    def wrong_record(self, last):
        """Formats end the tap; where records are still to be read, no clause says whether they are."""
        if not last:
            raise Open("a format error in a record that is not the last")
        raise select_next()

    def store(self, data, sfi, signed, last):
        template = parse(data)
        good = template is not None and len(template) == 1 and template[0][0] == "70"
        if ask("3.4 SFI 1 to 10", sfi <= 10):
            if ask("3.4 SFI 1 to 10 without 70", not good):
                raise select_next()
        elif ask("Bk3 10.3 SFI 11 to 30 without 70", not good):
            if data[:1] == b"\x70":
                raise Open("SFI 11 to 30 with a broken 70")
            self.static_broken |= ask("Bk3 10.3 it counts as signed", signed)
            return
        if signed:
            self.static += data if sfi > 10 else template[0][1]
        objects = parse(template[0][1])
        if ask("3.4 a record does not parse", objects is None):
            raise select_next()
        for tag, value, _ in objects:
            if ask("A22 a terminal's object in a record", tag in NOT_FROM_CARD):
                continue
            if ask("reading 4.43: an object that no record gives", tag in NOT_FROM_RECORD):
                continue
            if tag not in FROM_RECORD:
                continue
            if ask("annex B: an empty object is absent", not value):
                continue
            if ask("Bk3 7.5 an object twice in the records", tag in self.card):
                self.wrong_record(last)
            if self.malformed(tag, value):
                self.wrong_record(last)
            self.card[tag] = value
            if signed:
                self.signed.add(tag)

    @staticmethod
    def malformed(tag, value):
        """1.3 of the checklist, but for the lists."""
        sizes = {"9F0D": 5, "9F0E": 5, "9F0F": 5, "9F07": 2, "5F28": 2, "8F": 1, "5F34": 1}
        if tag in ("5F24", "5F25"):
            return ask("Bk3 7.5 %s is no date" % tag, day_of(value) is None)
        if tag in sizes:
            return ask("1.3 %s has another length" % tag, len(value) != sizes[tag])
        if tag in ("5A", "57"):
            return ask("1.3 %s is too long" % tag, len(value) > (10 if tag == "5A" else 19))
        return False

    def check_card_data(self):
        """3.4.1.2 to .4, and CDOL1 as a list (reading 4.45)."""
        card = self.card
        for tag in ("8C", "57", "5F24"):
            if ask("3.4.1.2 %s is missing" % tag, tag not in card):
                raise select_next()
        if self.profile >= GUARDED and ask("guarded 4.23: 5A is missing", "5A" not in card):
            raise select_next()
        self.cdol1 = parse_dol(card["8C"])
        if ask("reading 4.45: CDOL1 breaks", self.cdol1 is None):
            raise select_next()
        if ask("reading 4.45: CDOL1 asks more than 255 bytes", sum(size for _, size in self.cdol1) > 255):
            raise select_next()
        if not self.cdol1 or sum(size for _, size in self.cdol1) == 0:
            raise Open("a GENERATE AC without data")
        accounts = [self.digits(tag) for tag in ("57", "5A") if tag in card]
        if self.profile >= GUARDED and accounts[0] != accounts[-1]:
            raise Open("guarded A17: accounts that differ; the checklist does not say where the tap ends")
        if self.legacy or not self.oda:
            return
        if self.cda:
            missing = [
                tag
                for tag in ("8F", "90", "9F32", "9F46", "9F47")
                if ask("3.4.1.3 %s is missing" % tag, tag not in card)
            ]
            if "90" in card and "9F46" in card and "92" not in card:
                if ask("3.4.1.3 92 is needed and missing", len(card["9F46"]) > len(card["90"]) - 36):
                    missing.append("92")
            if missing:
                self.tvr = with_bit(with_bit(self.tvr, 1, 6), 1, 3)
        if "8F" in card and ask("3.4.1.4 no CA key for 8F", self.ca_key() is None):
            self.tvr = with_bit(self.tvr, 1, 3)

    def ca_key(self):
        return self.reader.ca_key(self.combination["aid"][:10], hexed(self.card["8F"]), self.profile)

    def digits(self, tag):
        halves = nibbles(self.card.get(tag, b""))
        return halves[: [at for at, half in enumerate(halves + [15]) if half > 9][0]]

    # 3.5, 3.6
    def manage_risk(self):
        limits, card = self.limits, self.card
        if self.legacy:
            limit = limits.get("transaction")
            if ask("3.5.1.1 Legacy Mode: amount reaches the limit", limit is not None and self.amount >= limit):
                raise select_next(by_limit=True)
        required = limits.get("cvmRequired")
        payment = ask("3.5.2.1 type 00, 01 or 09", self.kind in (0x00, 0x01, 0x09))
        if payment and ask("3.5.2.1 amount reaches the CVM limit", required is not None and self.amount >= required):
            self.tip = with_bit(self.tip, 1, 8)
        terminal_type = self.terminal["9F35"][0]
        if floor_exceeded(self.legacy, terminal_type, self.options, self.amount, self.exponent, limits.get("floor")):
            self.tvr = with_bit(self.tvr, 4, 8)
        elif ask("3.5.4.1 random selection is supported", bit(self.options, 1, 4)):
            number = None
            while number is None:
                number = drawn_number(int.from_bytes(self.reader.draw(4), "big"))
                ask("random selection: a number is drawn again", number is None)
            rule = self.random
            chosen = selected_at_random(
                number, self.amount, rule["threshold"], limits["floor"], rule["target"], rule["maximumTarget"]
            )
            if ask("3.5.4.2 selected", chosen):
                self.tvr = with_bit(self.tvr, 4, 5)
        if not self.legacy and ask("3.5.5.1 exception file", bit(self.options, 1, 5)):
            listed = self.reader.is_listed(self.digits("5A" if "5A" in card else "57"), card.get("5F34"))
            if ask("3.5.5.2 the card is listed", listed):
                self.tvr = with_bit(self.tvr, 1, 5)
        if not self.legacy and ask("3.6.1.1 9F07 is there", "9F07" in card):
            allowed = usage_allowed(
                card["9F07"],
                card.get("5F28"),
                self.terminal["9F1A"],
                self.kind,
                self.deal.get("amountOther", 0),
                terminal_type,
                self.terminal.get("9F40", bytes(5)),
            )
            if not ask("3.6.1.2 the service is allowed", allowed):
                self.tvr = with_bit(self.tvr, 2, 5)
        today = self.reader.today
        if ask("3.6.2 expired", today > day_of(card["5F24"])):
            self.tvr = with_bit(self.tvr, 2, 7)
        if ask("3.6.3.1 5F25 is there", "5F25" in card):
            if ask("3.6.3 not yet effective", today < day_of(card["5F25"])):
                self.tvr = with_bit(self.tvr, 2, 6)

    # 3.7
    def analyse(self):
        single = bit(self.options, 1, 7) and self.amount == 10**self.exponent
        if self.amount == 0 and self.combination.get("zeroAmount") == "offlineAllowed" and self.profile >= GUARDED:
            raise Open("guarded A30: a zero amount that is allowed offline")
        decided = action(
            self.kind,
            self.legacy,
            bit(self.tip, 1, 3),
            self.options,
            self.tvr,
            self.tac,
            tuple(self.card.get(tag) for tag in ("9F0E", "9F0F", "9F0D")),
            self.terminal["9F35"][0],
            self.amount == 0 or single,
            self.profile,
            self.signs_too_little(),
        )
        if decided == "declined":
            self.decline({})
        self.cdol1_values = list_values(self.cdol1, self.values())
        if self.legacy:
            self.complete_legacy()
        self.complete(decided)

    def generate(self, p1, data):
        return self.send(bytes([0x80, 0xAE, p1, 0x00, len(data)]) + data + b"\x00")

    # 3.8
    def complete(self, asked):
        p1 = (0x40 if asked == TC else 0x80) | (0x10 if ask("3.8.1.4 CDA is asked", self.cda) else 0)
        try:
            data, status = self.generate(p1, self.cdol1_values)
        except Fault:
            ask("3.11.2.1 torn", True)
            if not ask("torn is off", self.protection.get("torn") == "off"):
                self.reader.torn = Torn(self, asked, self.cda)
            raise present_again()
        ask("3.11.2.1 torn", False)
        if ask("3.8.1.5 6986", status == b"\x69\x86"):
            raise see_phone()
        if ask("3.8.1.6 6984", status == b"\x69\x84"):
            raise Outcome("tryAnotherInterface", "1D", alternate="contact")
        if ask("3.8.1.7 SW of GENERATE AC is not 9000", status != b"\x90\x00"):
            raise select_next()
        self.finish(data, asked, self.cda, self.pdol_values + self.cdol1_values)

    def finish(self, data, asked, cda_asked, hashed):
        """3.8.1.8 to 3.8.4.8; `data` answers GENERATE AC or ECHO."""
        read, recorded = first_answer(data, cda_asked)
        if ask("3.8.1.8 the answer is not good", read is None):
            self.decline(recorded)
        found, rest = read
        cryptogram = found["9F27"][0] >> 6
        if ask("3.8.1.9 AAC", cryptogram == AAC):
            self.decline(found)
        if ask("3.8.1.11 a TC where an ARQC was asked", asked == ARQC and cryptogram == TC):
            self.decline(found)
        if ask("3.8.1.12 CDA and no 9F4B", (self.cda or cda_asked) and "9F4B" not in found):
            self.decline(found)
        updates = bit(self.tip, 2, 8)
        if card_read_ok(found, updates):
            self.reader.messages.append("17")
        signed = "9F4B" in found
        if signed:
            found = dict(found, **{"9F26": self.verify(found, hashed + rest)})
            if ask("3.8.2.1 CDA fails", found["9F26"] is None):
                self.decline(found)
            self.verified = True
        if self.profile >= GUARDED and cryptogram == TC:
            self.guard_approval(found)
        limits = self.limits
        verdict, method = verification(
            found["9F50"][0],
            self.tip,
            cryptogram,
            signed,
            self.amount,
            limits.get("transaction"),
            limits.get("cdcvmTransaction"),
            self.profile,
        )
        if verdict == "declined":
            self.decline(found)
        if verdict == "limit":
            raise select_next(by_limit=True)
        self.decide(found, cryptogram, method, updates)

    def signs_too_little(self):
        """Section 6 of the checklist: no signature covers the lists or the last day."""
        if self.profile < GUARDED:
            return False
        asked = self.pdol + self.cdol1
        fresh = any(tag == "9F37" and size == 4 for tag, size in asked)
        amount = any(tag == "9F02" and size == 6 for tag, size in asked)
        bare = ask("guarded CDOL1: no number or amount in the lists", not fresh or not amount)
        bare |= ask("guarded CDOL1: 8C is not signed", "8C" not in self.signed)
        return bare or ask("guarded A18: 5F24 is not signed", "5F24" not in self.signed)

    def guard_approval(self, found):
        """A TC that was asked for in another presentment, or that the card gave unasked, is Declined."""
        if "floor" not in self.limits:
            raise Open("guarded: whether an absent floor limit counts as zero")
        bare = self.signs_too_little()
        if bare and self.torn is not None:
            raise Open("guarded CDOL1 in a recovery")
        if bare:
            self.decline(found)

    def verify(self, found, transaction_data):
        """3.8.2.1: the recovered cryptogram, or None."""
        card = self.card
        for tag in ("8F", "90", "9F32", "9F46", "9F47"):
            if tag not in card:
                return None
        key = self.ca_key()
        if key is None or ask("Bk3 10.3 a covered record is no 70", self.static_broken):
            return None
        if ask("reading 4.23: 5A is missing in CDA", "5A" not in card):
            return None
        reader, pan = self.reader, self.digits("5A")
        issuer = issuer_key(card, *key, reader.today, pan, reader.is_revoked)
        if issuer is None:
            return None
        icc = card_key(card, *issuer, reader.today, pan, self.static, self.aip)
        if icc is None:
            return None
        number = self.torn.number if self.torn else self.number
        return signed_cryptogram(found["9F4B"], found["9F27"][0], *icc, number, transaction_data)

    def decide(self, found, cryptogram, method, updates):
        """3.8.4."""
        balance = number_of(found["9F5F"]) if "9F5F" in found else None
        if ask("3.8.4.1 TC", cryptogram == TC):
            message = "1A" if method == "signature" else "03"
            raise Outcome(
                "approved", message, cvm=method, receipt=True, balance=balance, data=self.record(found, method)
            )
        reach = self.terminal["9F35"][0] & 15
        if self.profile >= GUARDED and ask("guarded 4.35: an ARQC at an offline-only reader", reach in (3, 6)):
            self.decline(found)
        outcome = Outcome("onlineRequest", "09" if method == "onlinePIN" else "1B", cvm=method, balance=balance)
        outcome.data = self.record(found, method)
        wish = found["9F60"][0] & 3 if "9F60" in found else 0
        if ask("3.8.4.3 present and hold", updates and wish == 1):
            outcome.start, outcome.restart, outcome.removal = "D", "16", self.removal
        elif ask("3.8.4.4 two presentments", updates and wish == 2):
            outcome.start, outcome.restart = "B", "21"
        else:
            ask("reading 4.16: 9F60 = 03", updates and wish == 3)
        if outcome.start != "none":
            self.card.update({tag: found[tag] for tag in IN_ANSWER if tag in found})
            self.reader.kept = Kept(self, outcome)
        raise outcome

    # 3.9
    def complete_legacy(self):
        try:
            data, status = self.generate(0x80, self.cdol1_values)
        except Fault:
            raise present_again()  # 3.11.2.5: no recovery
        if ask("3.9.1.5 SW of GENERATE AC is not 9000", status != b"\x90\x00"):
            raise select_next()
        found = legacy_answer(data)
        if found is None:
            self.decline({})
        if ask("3.9.1.7 no ARQC", found["9F27"][0] >> 6 != ARQC):
            self.decline(found)  # reading 4.44
        suspicious = bit(self.aip, 2, 8) or "9F46" in self.card or "8F" in self.card
        method = legacy_verification(
            self.card.get("8E"), self.static_tip, bit(self.tip, 1, 8), suspicious, self.profile
        )
        if method == "declined":
            self.decline(found)
        reach = self.terminal["9F35"][0] & 15
        if self.profile >= GUARDED and reach in (3, 6):
            raise Open("guarded 4.35 in Legacy Mode")
        message = "09" if method == "onlinePIN" else "1B"
        raise Outcome("onlineRequest", message, cvm=method, data=self.record(found, method))

    # Outcomes with a record
    def record(self, found, method):
        """Table C-1. `found`: the objects of the answer. None: left out."""
        made = {tag: self.card.get(tag) for tag in ["82", "5F24", "5A", "57", "5F34"] + CARD_OPTIONAL}
        for tag in CARD_OPTIONAL:
            made[tag] = made[tag] if made[tag] is not None else found.get(tag)
        for tag in ("9F26", "9F36", "9F27", "9F10"):
            made[tag] = found.get(tag)
        for tag in ("9F02", "9F03", "9F1A", "5F2A", "9A", "9F21", "9C"):
            made[tag] = self.terminal[tag]
        made.update({"50": self.fci.label, "84": self.fci.name, "9F34": unhex(CVM_RESULTS[method])})
        made.update({"95": self.tvr, "9F37": self.torn.number if self.torn else self.number})
        return made

    def declined(self, found):
        balance = number_of(found["9F5F"]) if "9F5F" in found else None
        outcome = Outcome("declined", "07", balance=balance, data=self.record(found, "notApplicable"))
        if "9F4B" in found and not self.verified:
            outcome.unclaimed.add("9F26")  # of a signature that failed, or was not looked into
        return outcome

    def decline(self, found):
        raise self.declined(found)

    # 3.13
    def recover_torn(self):
        """Returns where ECHO is refused: the tap is an ordinary one from 3.2.1.5 on."""
        reader, torn = self.reader, self.reader.torn
        self.fci = FCI(self.answer)
        if self.profile >= GUARDED and torn.application != (self.fci.name, id(self.combination)):
            raise Open("guarded A20: a context of another application")
        if self.profile == STRICT and not torn.cda:
            raise Open("strict A20: a torn tap without CDA")
        entries = parse_dol(self.fci.pdol or b"")
        if self.fci.whole and self.fci.pdol and entries is None:
            raise Open("a PDOL that breaks in a recovery: before or after ECHO")
        legacy = not self.fci.whole or not any(tag == "9F52" for tag, _ in entries)
        if ask("3.13.1 FCI malformed, or a legacy card", legacy):
            reader.torn = None
            raise end_application()
        try:
            data, status = self.send(b"\x80\xdf\x00\x00\x00")
        except Fault:
            ask("3.13.2.3 ECHO lost", True)
            reader.torn = None
            raise present_again()
        ask("3.13.2.3 ECHO lost", False)
        if ask("3.13.2.2 ECHO refused", status != b"\x90\x00"):
            reader.torn = None
            return
        self.initialise()
        try:
            self.initiate(b"\x62\x00")
            self.read_records()
        except Fault:
            ask("3.13.4.2, 3.13.5.2 lost in a recovery", True)
            reader.torn = None
            raise present_again()
        except Outcome as outcome:
            assert outcome.outcome == "selectNext"
            ask("3.13.4.3, 3.13.5.3 Select Next in a recovery", True)
            reader.torn = None
            raise end_application()
        ask("3.13.4.2, 3.13.5.2 lost in a recovery", False)
        ask("3.13.4.3, 3.13.5.3 Select Next in a recovery", False)
        reader.torn = None  # reading 4.46
        if ask("3.13.5.4 another track 2", self.card["57"] != torn.track_2):
            raise end_application()
        self.torn, self.tvr, self.tip = torn, torn.tvr, torn.tip  # readings 4.2, 4.4
        ask("reading 4.3: today's AIP differs from the torn CDA", self.cda != torn.cda)
        self.finish(data, torn.asked, torn.cda, torn.buffer)


class Kept:
    """The Online Transaction Context of 3.8.4.7, with what 3.10 needs beside it."""

    def __init__(self, kernel, outcome):
        self.kernel, self.record, self.cvm = kernel, dict(outcome.data), outcome.cvm
        self.cdol2 = kernel.card.get("8D")
        self.hold = outcome.start == "D"


class Update:
    """3.10: an activation with the issuer's answer. `fci` is None where the card was held."""

    def __init__(self, reader, kept, fci, answer, link):
        self.reader, self.kept, self.fci, self.answer, self.link = reader, kept, fci, answer, link
        self.profile = kept.kernel.profile
        self.record = dict(kept.record)

    def given(self, tag):
        return [value for name, value in self.answer if name == tag]

    def run(self):
        self.reader.draw(4)
        arc = self.given("8A")
        if ask("reading 4.40: no 8A", not arc):
            raise self.end(end_application())
        if len(arc[0]) != 2:
            raise Open("8A of another length")
        if ask("3.2.1.3 none of 91, 71, 72", not any(self.given(tag) for tag in ("91", "71", "72"))):
            raise self.end(end_application())
        if self.fci is not None:
            fci = FCI(self.fci)
            if ask("3.10.1.2 FCI malformed", not fci.whole):
                raise self.end(end_application())
            other = fci.name != self.record["84"]
            if self.profile >= GUARDED and ask("guarded A29: another application", other):
                raise self.end(end_application())
        try:
            self.scripts("71", 6)
        except Fault:
            ask("3.11.2.3 lost in a 71", True)
            raise self.end(end_application())
        ask("3.11.2.3 lost in a 71", False)
        if ask("3.10.2.2 neither 91 nor 72", not self.given("91") and not self.given("72")):
            raise self.end(end_application())
        prepared = self.second_cryptogram(arc[0])
        try:
            self.scripts("72", 5)
        except Fault:
            ask("3.11.2.4 lost in a 72", True)
            prepared.unclaimed.add("95")
        else:
            ask("3.11.2.4 lost in a 72", False)
        prepared.data["95"] = self.record["95"]
        raise self.end(prepared)

    def end(self, outcome):
        outcome.update = True
        return outcome

    def scripts(self, tag, place):
        """3.10.2.1, 3.10.5.1."""
        for template in self.given(tag):
            commands = script_commands(template)
            failed = commands is None
            for command in commands or []:
                status = self.link(command)[-2:]
                if ask("%s SW1 is an error" % tag, status[0] not in (0x90, 0x62, 0x63)):
                    failed = True
                    break
            if ask("%s fails" % tag, failed):
                self.record["95"] = with_bit(self.record["95"], 5, place)

    def values(self, arc):
        """Reading 4.29: everything is that of the first activation but 8A, 91 and 95."""
        kernel = self.kept.kernel
        found = kernel.values()
        found.update({tag: self.record[tag] for tag in ("9F34", "9F36", "82", "9F37", "95") if self.record.get(tag)})
        found["8A"] = arc
        if self.given("91"):
            found["91"] = self.given("91")[0]
        return found

    def second_cryptogram(self, arc):
        """3.10.3, 3.10.4: the prepared outcome."""
        dol = self.kept.cdol2
        if ask("3.10.3.1 no 8D", dol is None):
            raise self.end(end_application())
        entries = parse_dol(dol)
        if ask("reading 4.45: CDOL2 breaks", entries is None or sum(size for _, size in entries) > 255):
            raise self.end(end_application())
        asked, data = second_type(arc), list_values(entries, self.values(arc))
        if not data:
            raise Open("a GENERATE AC without data")
        try:
            answer = self.link(bytes([0x80, 0xAE, 0x40 if asked == TC else 0, 0, len(data)]) + data + b"\x00")
        except Fault:
            ask("3.11.2.3 the second GENERATE AC is lost", True)
            raise self.end(end_application())
        ask("3.11.2.3 the second GENERATE AC is lost", False)
        if ask("3.10.3.6 SW is not 9000", answer[-2:] != b"\x90\x00"):
            raise self.end(end_application())
        found = second_answer(answer[:-2])
        if found is None:
            raise self.end(end_application())
        if self.profile >= GUARDED and found["9F36"] != self.record["9F36"]:
            if self.kept.hold:
                raise Open("guarded A29: another ATC of a card that was held")
            if ask("guarded A29: another ATC", True):
                raise self.end(end_application())
        if self.profile >= GUARDED:
            ask("guarded A29: another ATC", False)
        cryptogram = found["9F27"][0] >> 6
        for tag in ("9F27", "9F36", "9F26", "9F10"):
            self.record[tag] = found.get(tag, self.record.get(tag))  # reading 4.38
        balance = number_of(found["9F5F"]) if "9F5F" in found else None
        refused = Outcome("declined", "07", balance=balance)
        refused.data = dict(self.record, **{"9F34": unhex(CVM_RESULTS["notApplicable"])})
        wrong = ask("3.10.3.8 neither AAC nor TC", cryptogram not in (AAC, TC))
        wrong = wrong or ask("3.10.3.9 a TC where an AAC was asked", asked == AAC and cryptogram == TC)
        if wrong:
            refused.unclaimed |= {"9F27", "9F36", "9F26", "9F10"}
            raise self.end(refused)
        if ask("3.10.4.1 AAC", cryptogram == AAC):
            return refused
        pin = ask("3.10.4.3 the CVM was online PIN", self.kept.cvm == "onlinePIN")
        method = "notApplicable" if pin else self.kept.cvm
        message = "1A" if method == "signature" else "03"
        return Outcome("approved", message, cvm=method, receipt=True, balance=balance, data=dict(self.record))


# ---------------------------------------------------------------------------------------------------------------
# The reader: Entry Point, as far as this kernel needs it (Book B)
# ---------------------------------------------------------------------------------------------------------------


class Reader:
    """A reader, its memory, a transaction, and the cards that are held to it one after the other."""

    def __init__(self, configuration, transaction):
        self.configuration = configuration
        self.protection = configuration.get("protection", {})
        self.profile = PROFILES.index(self.protection.get("profile", "guarded"))
        self.exchanges = []
        self.begin(transaction)

    def begin(self, transaction):
        """A transaction; the Recovery Context of another one is gone (reading 4.6)."""
        self.transaction, self.torn, self.kept = transaction, None, None
        self.today = day_of(unhex(transaction["date"].replace("-", "")[2:]))
        self.random = unhex(transaction["random"])
        self.messages, self.apdus, self.messages_known = [], 0, True

    def objects(self, combination):
        deal = self.transaction
        found = {
            tag: unhex(value)
            for source in (self.configuration["terminal"], combination.get("data", {}), deal.get("data", {}))
            for tag, value in source.items()
        }
        found.update(
            {
                "9F02": bcd(deal["amount"], 6),
                "9F03": bcd(deal.get("amountOther", 0), 6),
                "5F2A": unhex(deal["currency"]),
                "5F36": bcd(deal.get("exponent", 2), 1),
                "9C": unhex(deal.get("type", "00")),
                "9A": unhex(deal["date"].replace("-", "")[2:]),
                "9F21": unhex(deal["time"].replace(":", "")),
            }
        )
        return found

    def draw(self, size):
        assert len(self.random) >= size
        taken, self.random = self.random[:size], self.random[size:]
        return taken

    def ca_key(self, rid, index, profile):
        for key in self.configuration.get("caKeys", []):
            if key["rid"] == rid and key["index"] == index:
                expired = self.today > day_of(unhex(key["expires"].replace("-", "")[2:]))
                if profile >= GUARDED and ask("guarded A15: CA key expired", expired):
                    return None
                return unhex(key["modulus"]), unhex(key["exponent"])
        return None

    def is_revoked(self, index, serial):
        return any(row["index"] == index and row["serial"] == serial for row in self.configuration.get("revoked", []))

    def is_listed(self, pan, sequence):
        account = "".join(map(str, pan))
        for row in self.configuration.get("exceptions", []):
            if row["pan"] == account:
                if "sequence" in row and sequence is None:
                    raise Open("an entry with a sequence number, a card without one")
                if "sequence" not in row or row["sequence"] == hexed(sequence):
                    return True
        return False

    def combinations(self):
        """B 3.1.1: those that the transaction may use. Kernel 5 keeps its limits to itself."""
        kind = self.transaction.get("type", "00")
        rows = [row for row in self.configuration["combinations"] if kind in row.get("transactionTypes", ["00"])]
        zero = self.transaction["amount"] == 0
        return [
            row
            for row in rows
            if not ask("B 3.1.1.4 zero amount not allowed", zero and row.get("zeroAmount") == "notAllowed")
        ]

    def linked(self, card):
        def send(command):
            self.apdus += 1
            answer = card(command)
            if isinstance(answer, str):
                self.exchanges.append({"c": hexed(command), "fault": answer})
                raise Fault()
            self.exchanges.append({"c": hexed(command), "r": hexed(answer)})
            return answer

        return send

    def run(self, steps):
        """Plays cards, the issuer's answers and the terminal's requests in order; returns the last final outcome."""
        outcome, taps, link, rows = None, 0, None, self.combinations()
        answer, invitation = None, "15"
        if not rows:  # B 3.1.1.13
            self.messages.append("18")
            return Outcome("tryAnotherInterface", "18", by_limit=True)
        for step in steps:
            if callable(step):
                if outcome is not None and outcome.start != "B":  # B 3.5.1.5: no card is asked for
                    raise Open("a card is presented after the end")
                taps += 1
                if taps > 1:
                    self.exchanges.append({"tap": taps})
                self.messages.append(invitation)
                link = self.linked(step.present() if hasattr(step, "present") else step)
                found = self.present(rows, link, answer)
                if found is None:  # Start B again, with the request that was retained (B 3.3.3.7)
                    outcome = outcome or Outcome("endApplication", start="B", unclaimed={"everything"})
                    self.messages_known &= answer is None
                    continue
                outcome = found
                invitation = outcome.restart or invitation
            elif step == "stop":
                self.exchanges.append({"stop": True})
                self.torn = self.kept = None
                outcome, self.messages_known = end_application(), False
                outcome.cancelled = True
            elif step == "deadline":
                self.exchanges.append({"deadline": True})
                self.messages_known = False
            elif "sale" in step:
                self.exchanges.append({"sale": step["sale"]})
                self.begin(dict(self.transaction, **step["sale"]))
                taps, outcome, answer, invitation, rows = 0, None, None, "15", self.combinations()
                continue
            else:
                self.exchanges.append({"online": step["online"]})
                assert self.kept is not None
                answer = self.issuer_answer(step["online"])
                if outcome.start == "B":
                    given = any(tag in ("91", "71", "72") for tag, _ in answer)
                    if not ask("A 8.1.1.22 91, 71 or 72 in the answer", given):
                        return outcome
                    continue
                self.messages_known = False  # Start D: whether 16 is sent is not said (B 3.2.1.2 is Start B's)
                outcome = self.outcome_of(lambda: Update(self, self.kept, None, answer, link).run())
            if outcome.message:
                self.messages.append(outcome.message)
        return outcome

    @staticmethod
    def issuer_answer(online):
        if online is None:
            return [("8A", b"Z3")]  # Bk4 A6, reading 4.40
        return [
            (tag, unhex(one))
            for tag, value in online.items()
            for one in (value if isinstance(value, list) else [value])
        ]

    @staticmethod
    def outcome_of(activation):
        try:
            activation()
        except Outcome as outcome:
            return outcome
        raise AssertionError("an activation without an outcome")

    def present(self, rows, link, answer):
        """Selection and kernels of one presentment; None where Entry Point lost the card."""
        try:
            return self.select_and_run(rows, link, answer)
        except Fault:
            ask("B 3.3.3.7 lost in Entry Point with a context", self.torn is not None)
            return None

    def select_and_run(self, rows, link, answer):
        if answer is not None:  # B 3.3.2.1: no PPSE
            fci = self.select(link, self.chosen[1])
            if ask("B 3.3.3.5 SELECT refused at the second presentment", fci is None):
                return Outcome("endApplication", "1C", update=True)
            return self.outcome_of(lambda: Update(self, self.kept, fci, answer, link).run())
        candidates = self.candidates(rows, self.select(link, PPSE))
        first, limited, rejected = not candidates, False, False
        while candidates:
            best = max(candidates, key=lambda one: (16 - one[2] if one[2] else 0, -one[3]))
            candidates.remove(best)
            combination, name = best[:2]
            fci = self.select(link, name)
            if ask("B 3.3.3.5 SELECT refused", fci is None):
                ask("reading 4.6: SELECT refused with a context", self.torn is not None)
                limited = False
                continue
            self.chosen = (combination, name)
            outcome = self.outcome_of(lambda: Kernel(self, combination, fci, link).run())
            if not ask("B 3.5.1.4 Select Next", outcome.outcome == "selectNext"):
                return outcome
            ask("a candidate is left after Select Next", bool(candidates))
            limited, rejected = outcome.by_limit, True
        ended = Outcome("endApplication", "1C", no_network=first, by_limit=limited)  # B 3.3.2.7
        if not first and not rejected:
            ended.unclaimed.add("tap")  # formats.md has no word for applications that are refused one and all
        return ended

    @staticmethod
    def select(link, name):
        answer = link(b"\x00\xa4\x04\x00" + bytes([len(name)]) + name + b"\x00")
        return answer[:-2] if answer[-2:] == b"\x90\x00" else None

    @staticmethod
    def candidates(rows, directory):
        """B 3.3.2.4, .5: (combination, ADF name, priority, position)."""
        data = directory or b""
        for wanted in ("6F", "A5", "BF0C"):
            data = next((value for tag, value, _ in parse(data) or [] if tag == wanted), b"")
        entries = [parse(value) or [] for tag, value, _ in parse(data) or [] if tag == "61"]
        found = []
        for row in rows:
            for position, entry in enumerate(entries):
                objects = {tag: value for tag, value, _ in entry}
                name = objects.get("4F", b"")
                if 5 <= len(name) <= 16 and name.startswith(unhex(row["aid"])):
                    found.append((row, name, objects.get("87", b"\0")[0] & 15, position))
        return found


# ---------------------------------------------------------------------------------------------------------------
# What a trace expects
# ---------------------------------------------------------------------------------------------------------------


def tap_word(outcome):
    if outcome.cancelled:
        return "cancelled"
    if outcome.by_limit:
        return "limitExceeded"
    if outcome.no_network:
        return "unsupportedNetwork"
    if outcome.outcome == "onlineRequest":
        return "onlinePINRequired" if outcome.cvm == "onlinePIN" else "success"
    if outcome.outcome == "endApplication" and outcome.start == "B":
        return "seePhone" if outcome.message == "20" else "presentAgain"
    return {
        "approved": "success",
        "declined": "declined",
        "endApplication": "unreadable",
        "tryAnotherInterface": "tryAnotherInterface",
    }[outcome.outcome]


def expectation(reader, outcome):
    """Everything that an outcome fixes, by the names of emv-trace/1. `data` holds absent objects as None."""
    said = {"outcome": outcome.outcome, "cvm": outcome.cvm, "apdus": reader.apdus, "start": outcome.start}
    if not (outcome.update and outcome.outcome == "endApplication") and "tap" not in outcome.unclaimed:
        said["tap"] = tap_word(outcome)
    if outcome.message:
        said["message"], said["holdMs"] = outcome.message, outcome.hold
    if reader.messages_known and outcome.start != "B":
        said["messages"] = list(reader.messages)
    said["restartMessage"], said["fieldOffMs"] = outcome.restart, outcome.field_off
    said["removalTimeout"], said["alternateInterface"] = outcome.removal, outcome.alternate
    said["valueQualifier"] = "none" if outcome.balance is None else "balance"
    if outcome.balance is not None:
        said["value"] = outcome.balance
    said["receipt"] = outcome.receipt
    if outcome.data is None:
        said["data"] = {"57": None, "9F02": None, "9F26": None}
    else:
        claimed = {tag: value for tag, value in outcome.data.items() if tag not in outcome.unclaimed}
        said["data"] = {tag: None if value is None else hexed(value) for tag, value in sorted(claimed.items())}
    return said


def play(name, source, configuration, transaction, steps):
    """A trace document, or Open raised."""
    configuration = dict({"format": "emv-configuration/1"}, **configuration)
    reader = Reader(configuration, transaction)
    outcome = reader.run(steps)
    if "everything" in outcome.unclaimed:
        raise Open("a trace that ends in Entry Point")
    return {
        "format": "emv-trace/1",
        "name": name,
        "source": source,
        "configuration": configuration,
        "transaction": transaction,
        "match": "exact",
        "exchanges": reader.exchanges,
        "expect": expectation(reader, outcome),
    }


def replay(trace):
    """Differences between a trace and this implementation."""
    items, wrong, at = list(trace["exchanges"]), [], [0]

    def card(command):
        while at[0] < len(items) and "c" not in items[at[0]]:
            at[0] += 1
        if at[0] >= len(items):
            wrong.append("command %s where the trace has none" % hexed(command))
            return "timeout"
        item = items[at[0]]
        at[0] += 1
        if item["c"].upper() != hexed(command):
            wrong.append("command %s, not %s" % (hexed(command), item["c"]))
        return item["fault"] if "fault" in item else unhex(item["r"])

    steps = [card]
    for item in items:
        if "tap" in item:
            steps.append(lambda command: card(command))
        elif "online" in item:
            steps.append({"online": item["online"]})
        elif "sale" in item:
            steps += [{"sale": item["sale"]}, lambda command: card(command)]
        elif "stop" in item or "deadline" in item:
            steps.append(next(iter(item)))
    reader = Reader(trace["configuration"], trace["transaction"])
    try:
        said = expectation(reader, reader.run(steps))
    except Open as open_end:
        return ["open: %s" % open_end]
    if any("c" in item for item in items[at[0] :]):
        wrong.append("commands of the trace were not sent")
    for key, value in trace["expect"].items():
        if key == "data":
            for tag, wanted in value.items():
                found = said["data"].get(tag)
                if (wanted or "").upper() != (found or ""):
                    wrong.append("data %s: %s, not %s" % (tag, found, wanted))
        elif key != "findings" and said.get(key) != value:
            wrong.append("%s: %s, not %s" % (key, said.get(key), value))
    return wrong


# ---------------------------------------------------------------------------------------------------------------
# Virtual cards
# ---------------------------------------------------------------------------------------------------------------

PDOL = "9F52019F53039F02065F2A02"
LEGACY_PDOL = "9F1A029F35019F4E08"
CDOL1 = "9F02069F03069F1A0295055F2A029A039C019F37049F35019F52019F5303"
LEGACY_CDOL1 = "9F02069F03069F1A0295055F2A029A039C019F3704"
CDOL2 = "8A02910A9F02069F03069F1A0295055F2A029A039C01"
FILE_TAGS = "57 5A 5F24 5F25 5F28 5F34 8C 8D 9F07 9F08 9F0D 9F0E 9F0F".split()
CHAIN_TAGS = "8F 90 9F32 92 9F46 9F47 9F48 9F4A".split()
# "last": the data stand in the record that is read last, so that a tap ended by them has nothing left to read.
LAYOUTS = {
    "last": ([(2, 1, "8F 90 9F32 92"), (2, 2, "9F46 9F47 9F48 9F4A"), (1, 1, None)], "10010200", "08010101"),
    "first": ([(1, 1, None), (2, 1, "8F 90 9F32 92"), (2, 2, "9F46 9F47 9F48 9F4A")], "08010101", "10010200"),
}


def fci_bytes(card):
    """The answer to SELECT. `inside`, `outside` add bytes, `drop` leaves objects out, `fci` is the whole."""
    if "fci" in card:
        return unhex(card["fci"])
    drop, inside = card.get("drop", "").split(), b""
    pdol = card.get("pdol", LEGACY_PDOL if card.get("legacy") else PDOL)
    for tag, value in (("50", card.get("label", b"JCB CREDIT")), ("87", b"\x01"), ("9F38", unhex(pdol))):
        if tag not in drop:
            inside += obj(tag, value)
    inside += unhex(card.get("inside", ""))
    outer = b"" if "84" in drop else obj("84", card.get("name", card["aid"]))
    outer += unhex(card.get("outside", ""))
    return obj("6F", outer + (b"" if "A5" in drop else obj("A5", inside)))


class VirtualCard:
    """A card that decides as `cid` says ("asked": as P1 says), and really signs. Every option has an honest default.

    The cryptogram is a stand-in (SHA-1 over a secret of the card and what it was told): no reader can tell."""

    def __init__(self, chance, **card):
        self.card, self.active = card, self
        card.setdefault("aid", JCB)
        account = [3, 5, 6, 9] + [chance.below(10) for _ in range(card.get("digits", 16) - 5)]
        account.append(luhn_digit(account))
        account = card.setdefault("account", account)
        expiry = card.get("expiry", "301231")
        self.values = {
            "57": pack(account + [13] + nibbles(unhex(expiry[:4])) + [2, 0, 1] + [chance.below(10) for _ in range(8)]),
            "5A": pack(account),
            "5F24": unhex(expiry),
            "5F25": unhex("200101"),
            "5F28": unhex("0276"),
            "5F34": bytes([chance.below(3)]),
            "8C": unhex(LEGACY_CDOL1 if card.get("legacy") else CDOL1),
            "8D": unhex(CDOL2),
            "9F07": unhex("FF00"),
            "9F08": unhex("0001"),
            "9F0D": unhex("0590400080"),
            "9F0E": unhex("0500100000"),
            "9F0F": unhex("0590600090"),
            "5F20": b"CARDHOLDER/TEST",
            "9F1F": b"0123456789",
            "9F6E": unhex("30310000"),
            "9F7C": b"PARTNER",
            "9F24": b"V0010013019300012345678901234"[:29],
            "9F19": unhex("012345678901"),
        }
        for tag, value in card.get("set", {}).items():  # replaced before anything is signed
            self.values[tag] = None if value is None else unhex(value)
        self.salt, self.counter = chance.bytes(8), 1 + chance.below(60000)
        self.tap, self.sent, self.echo, self.scripts = 0, {}, None, 0
        self.recovering = self.opened = False
        if "primed" in card:  # a card that has an answer to ECHO from somewhere
            self.echo = unhex(card["echoes"])
        self.issue()

    def issue(self):
        """Records, and where the card signs, certificates."""
        card, legacy = self.card, self.card.get("legacy")
        chained = card.get("chain", not legacy)
        tags = card.get("fileTags", [tag for tag in FILE_TAGS if not legacy or tag not in ("8D",)])
        tags = tags + card.get("more", "").split()
        layout = (
            LAYOUTS[card.get("layout", "last")]
            if chained
            else ([(1, 1, None)], "08010101" if not legacy else "08010100")
        )
        self.files, self.afl = layout[0], unhex(card.get("afl", "".join(layout[1:])))
        self.records = {}
        for sfi, number, chain_tags in self.files:
            if chain_tags is None:
                body = b"".join(obj(tag, self.values[tag]) for tag in tags if self.values[tag] is not None)
                self.records[sfi, number] = obj("70", body + unhex(card.get("inRecord", "")))
        for place, raw in card.get("extra", {}).items():  # further records, before anything is signed
            self.records[place] = unhex(raw)
        if chained:
            self.certify()
        for place, raw in card.get("raw", {}).items():
            self.records[place] = unhex(raw)

    def certify(self):
        card, chain = self.card, self.card.get("keys", "r")
        ca, issuer, icc = keys(chain + "-ca"), keys(chain + "-issuer"), keys(chain + "-card")
        account = card["account"]
        objects = {"8F": unhex(card.get("caIndex", CA_INDEX[chain])), "9F32": issuer.exponent, "9F47": icc.exponent}
        objects["90"], objects["92"] = certificate(
            ca,
            2,
            unhex(card.get("prefix", "".join(map(str, account[:6])) + "FF")),
            unhex(card.get("issuerExpiry", "1235")),
            unhex("000042"),
            issuer,
            damage=card.get("issuerDamage"),
        )
        objects["9F46"], objects["9F48"] = certificate(
            issuer,
            4,
            pack(card.get("certified", account)).ljust(10, b"\xff"),
            unhex(card.get("cardExpiry", "1231")),
            unhex("000007"),
            icc,
            self.static_data(),
            damage=card.get("cardDamage"),
        )
        objects["9F4A"] = unhex(card.get("tagList", "82"))
        for tag, value in card.get("chainSet", {}).items():
            objects[tag] = unhex(value)
        drop = card.get("chainDrop", "").split()
        for sfi, number, tags in self.files:
            if tags is not None:
                named = [tag for tag in tags.split() if objects.get(tag) and tag not in drop]
                self.records[sfi, number] = obj("70", b"".join(obj(tag, objects[tag]) for tag in named))

    def aip(self):
        legacy = "1800" if self.card.get("legacy") else "1980" if self.card.get("chain", True) else "1880"
        return unhex(self.card.get("aip", legacy))

    def static_data(self):
        """Bk3 10.3, from the card's own AFL; certificates are never covered by themselves."""
        made = b""
        for at in range(0, len(self.afl) - 3, 4):
            sfi, first, _, signed = self.afl[at] >> 3, self.afl[at + 1], self.afl[at + 2], self.afl[at + 3]
            for number in range(first, first + min(signed, 8)):
                record = self.records.get((sfi, number), b"")
                whole = parse(record)
                made += record if sfi > 10 or not whole else whole[0][1]
        return made + (self.aip() if self.card.get("tagList", "82")[:2] == "82" else b"")

    def present(self):
        """The card enters the field again."""
        self.tap, self.sent, self.recovering = self.tap + 1, {}, False
        for other in self.card.get("others", []):
            other.present()
        return self

    def __call__(self, command):
        name = "%02X" % command[1]
        if name == "A4":
            self.active = next((one for one in self.card.get("others", []) if one.card["aid"] == command[5:-1]), self)
        self.sent[name] = self.sent.get(name, 0) + 1
        kind = self.card.get("faults", {}).get((self.tap, name, self.sent[name]))
        if kind and not kind.endswith("+"):
            return kind
        answer = self.active.answer(name, command)
        return kind[:-1] if kind else answer  # "+": the card has done it, the answer is lost

    def answer(self, name, command):
        card = self.card
        status = card.get("status", {}).get((self.tap, name), card.get("status", {}).get(name))
        if status:
            return unhex(status)
        if name == "A4":
            refused = card.get("fails", {}).get((self.tap, command[5:-1]))
            if refused:
                return unhex(refused)
            if command[5:-1] == PPSE:
                return self.directory() + b"\x90\x00"
            return fci_bytes(dict(card, **card.get("later", {})) if self.tap > 1 else card) + b"\x90\x00"
        if name == "DF":
            stored, self.echo, self.recovering = self.echo, None, self.echo is not None
            if stored is None:
                return b"\x69\x85"
            return (unhex(card["echoes"]) if "echoes" in card else stored) + b"\x90\x00"
        if name == "A8":
            return self.options(command)
        if name == "B2":
            record = self.records.get((command[3] >> 3, command[2]))
            return b"\x6a\x83" if record is None else record + b"\x90\x00"
        if name == "AE":
            return self.generate(command) if self.opened else self.second(command)
        status = card.get("scripts", [])[self.scripts : self.scripts + 1]
        self.scripts += 1
        return unhex(status[0]) if status else b"\x90\x00"

    def directory(self):
        entries = b"".join(
            obj("61", obj("4F", one.card["aid"]) + obj("50", b"JCB") + obj("87", bytes([rank + 1])))
            for rank, one in enumerate([self] + self.card.get("others", []))
        )
        return obj("6F", obj("84", PPSE) + obj("A5", obj("BF0C", entries)))

    def options(self, command):
        """GET PROCESSING OPTIONS."""
        card = self.card
        at = 5 + (2 if command[6] < 0x80 else 3)
        self.pdol_values, self.opened = command[at:-1], not self.recovering
        good = unhex(card.get("recoveryStatus", "6200")) if self.recovering else b"\x90\x00"
        aip = unhex(card["aipLater"]) if self.tap > 1 and "aipLater" in card else self.aip()
        if "gpo" in card and (self.tap > 1 or "gpoLater" not in card):
            return unhex(card["gpo"]) + good
        if card.get("format", 1 if card.get("legacy") else 2) == 1:
            return obj("80", aip + self.afl) + good
        body = unhex(card.get("gpoMore", "")) + obj("82", aip) + obj("94", self.afl)
        return obj("77", body) + good

    def generate(self, command):
        """The first GENERATE AC."""
        card = self.card
        p1, data = command[2], command[5:-1]
        if "sees" in card:  # what a relay changes on the way to the card
            place, mask = card["sees"]
            data = data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]
        self.opened = False
        cid = card.get("cid", "asked")
        cid = p1 >> 6 if cid == "asked" else cid
        self.counter += 1
        if card.get("legacy"):
            values = (
                bytes([cid << 6])
                + bcd(self.counter, 3)[1:]
                + sha1(b"AC", self.salt, data)[:8]
                + unhex("07010103A0000000")
            )
            return unhex(card["gac"]) + b"\x90\x00" if "gac" in card else obj("80", values) + b"\x90\x00"
        answer = self.first_response(p1, data, cid)
        if "gac" in card:
            answer = unhex(card["gac"])
        self.echo = answer
        return answer + b"\x90\x00"

    def verification_status(self, data):
        wish = self.card.get("cvm", "auto")
        if wish != "auto":
            return unhex(wish)
        entries, at = parse_dol(self.values["8C"]), 0
        for tag, size in entries:
            if tag == "9F53":
                tip = data[at : at + size]
                order = [(5, "31"), (6, "20"), (7, "10")]
                return unhex(
                    next((code for place, code in order if bit(tip, 1, place)), "00") if bit(tip, 1, 8) else "00"
                )
            at += size
        return b"\x00"

    def first_response(self, p1, data, cid):
        card = self.card
        sign = card.get("sign", bool(p1 & 0x10) and cid != AAC)
        atc = self.counter.to_bytes(2, "big")
        values = {
            "9F27": bytes([cid << 6 | card.get("cidLow", 0)]),
            "9F36": atc,
            "9F50": self.verification_status(data),
            "9F10": unhex("0A0102%s10000000" % {TC: "A4", ARQC: "A8"}.get(cid, "A0")),
            "9F26": sha1(b"AC", self.salt, self.pdol_values, data)[:8],
        }
        values.update({tag: unhex(value) for tag, value in card.get("answer", {}).items() if value is not None})
        tags = ["9F27", "9F36"] + ([] if sign and "plain" not in card else ["9F26"])
        tags += ["9F50", "9F10"] if cid != AAC else ["9F10"]
        tags += [tag for tag in card.get("answer", {}) if tag not in tags]
        left_out = [tag for tag, value in card.get("answer", {}).items() if value is None]
        objects = [obj(tag, values[tag], tag in card.get("long", "")) for tag in tags if tag not in left_out]
        objects += [unhex(raw) for raw in card.get("again", [])]
        if sign and "9F4B" not in left_out:
            said = b"".join(one for one in objects if one.strip(b"\0"))
            signature = self.signature(self.pdol_values + data, said, values, data)
            objects.insert(min(card.get("signatureAt", 2), len(objects)), obj("9F4B", signature))
        body = b"".join(objects) + unhex(card.get("cut", ""))
        if "edit" in card:  # what a relay changes after the card has signed
            body = body.replace(*map(unhex, card["edit"]))
        return obj(card.get("template", "77"), body)

    def signature(self, told, said, values, data):
        """Bk2 tables 18 and 19."""
        card, key, damage = self.card, keys(self.card.get("keys", "r") + "-card"), self.card.get("sdad")
        number = sha1(b"number", self.salt)[: card.get("numberSize", 4)]
        code = sha1(told, said)
        if damage == "transaction hash":
            code = code[:-1] + bytes([code[-1] ^ 1])
        if damage == "with 77":
            code = sha1(told, obj("77", said))
        if damage == "without lists":
            code = sha1(said)
        cid = bytes([values["9F27"][0] ^ 0xC0]) if damage == "cid" else values["9F27"]
        dynamic = bytes([1 if damage == "number" else len(number)]) + number + cid + values["9F26"] + code
        if damage == "dynamic short":
            dynamic = dynamic[:-1]
        head = bytes([0x95 if damage == "format" else 5, 2 if damage == "hash algorithm" else 1, len(dynamic)])
        block = head + dynamic.ljust(key.size - 25, b"\xbb")
        unpredictable, at = bytes(4), 0
        for tag, size in parse_dol(self.values["8C"]) or []:
            if tag == "9F37" and size == 4 and damage != "number sent":
                unpredictable = data[at : at + size]
            at += size
        unpredictable = card.get("number", unpredictable)
        digest = sha1(block, unpredictable)
        if damage == "hash":
            digest = bytes([digest[0] ^ 0x80]) + digest[1:]
        lead, trailer = b"\x6b" if damage == "header" else b"\x6a", b"\xcc" if damage == "trailer" else b"\xbc"
        return resized(key.sign(lead + block + digest + trailer), damage)

    def second(self, command):
        """The second GENERATE AC."""
        card, data = self.card, command[5:-1]
        cid = card.get("secondCid", command[2] >> 6)
        values = {
            "9F27": bytes([cid << 6]),
            "9F36": self.counter.to_bytes(2, "big"),
            "9F26": sha1(b"second", self.salt, data)[:8],
            "9F10": unhex("0A0102B0C0D0E0F0"),
        }
        values.update({tag: unhex(value) for tag, value in card.get("second", {}).items() if value is not None})
        left_out = [tag for tag, value in card.get("second", {}).items() if value is None]
        body = b"".join(obj(tag, value) for tag, value in values.items() if tag not in left_out)
        body += unhex(card.get("secondMore", ""))
        return (
            unhex(card["secondRaw"])
            if "secondRaw" in card
            else obj(card.get("secondTemplate", "77"), body) + b"\x90\x00"
        )


# ---------------------------------------------------------------------------------------------------------------
# Scenes: a reader, a transaction, cards
# ---------------------------------------------------------------------------------------------------------------

TERMINAL = {"9F01": "000000123456", "9F15": "5999", "9F1A": "0276", "9F35": "22", "9F4E": hexed(b"ORANGE SHOP")}
LIMITS = {"floor": 10000, "transaction": 30000, "cvmRequired": 5000, "cdcvmTransaction": 50000}
CVMS = "720000"  # signature, online PIN, on device, contact chip
UPDATES = "728000"


def configuration_of(scene, profile):
    options = {"terminalInterchangeProfile": scene.get("tip", CVMS)}
    if "options" in scene:
        options["combinationOptions"] = scene["options"]
    options.update(scene.get("kernel5", {}))
    row = {
        "aid": hexed(scene.get("aid", JCB)),
        "kernel": 5,
        "transactionTypes": ["00", "01", "09", "20"],
        "limits": {name: value for name, value in dict(LIMITS, **scene.get("limits", {})).items() if value is not None},
        "kernel5": options,
    }
    if "data" in scene:
        row["data"] = scene["data"]
    row.update(scene.get("row", {}))
    terminal = {tag: value for tag, value in dict(TERMINAL, **scene.get("terminal", {})).items() if value is not None}
    protection = dict({"profile": PROFILES[profile]}, **scene.get("protection", {}))
    if profile == STRICT:
        protection["offline"] = "dynamicOda"
    made = {"terminal": terminal, "combinations": [row], "protection": protection}
    chains = scene.get("keys", "r")
    if chains:
        made["caKeys"] = [ca_entry(chain, scene.get("caExpires", "2035-12-31")) for chain in chains]
    for key in ("exceptions", "revoked"):
        if key in scene:
            made[key] = scene[key]
    return made


def steps_of(chance, scene):
    """Cards, issuer's answers and the terminal's requests of a scene, and the account of the first card."""
    steps, card, account = [], None, None
    for one in scene["cards"]:
        if one == "same":
            steps.append(card)
        elif isinstance(one, str) or "online" in one:
            steps.append(one)
        elif "sale" in one:
            sale = {"date": "2026-11-21", "time": "12:10:00", "counter": 2, "random": hexed(chance.bytes(16))}
            steps.append({"sale": dict(sale, **one["sale"])})
        else:
            options = dict(one)
            if account and options.pop("sameAccount", True):
                options.setdefault("account", account)
            options["others"] = [VirtualCard(chance, **dict(other)) for other in one.get("others", [])]
            card = VirtualCard(chance, **options)
            account = account or card.card["account"]
            steps.append(card)
    return steps, account


def shoot(seed, name, scene, profile):
    """One dialogue of a scene, or None where its end is open."""
    chance = Chance(seed, name, profile)
    for once in range(4):
        try:
            transaction = {
                "type": scene.get("type", "00"),
                "amount": scene.get("amount", 1250),
                "amountOther": scene.get("other", 0),
                "currency": "0978",
                "exponent": scene.get("exponent", 2),
                "date": scene.get("date", "2026-11-21"),
                "time": "12:00:00",
                "counter": 1,
                "random": scene.get("random") or hexed(chance.bytes(32)),
            }
            steps, account = steps_of(chance, scene)
            made = dict(scene)
            if "listed" in scene:
                made["exceptions"] = [dict(entry, pan="".join(map(str, account))) for entry in scene["listed"]]
            return play(name, scene["source"], configuration_of(made, profile), transaction, steps)
        except Open:
            continue
    return None


SCENES = []


def scene(name, source, *cards, **more):
    """Registers a scene: played by the book, some again in another profile; `profiles` names those in any case."""
    SCENES.append((name, dict(more, source="C-5 " + source, cards=cards)))


def fci_scenes():
    for label, card in (
        ("fine-no-50", {"drop": "50"}),
        ("fine-50-long", {"label": b"JCB CREDIT LONG XX"}),
        ("fine-50-empty", {"label": b""}),
        ("fine-filler", {"inside": "0000", "outside": "00"}),
        ("fine-language", {"inside": "5F2D03656E64"}),
        ("no-84", {"drop": "84"}),
        ("84-empty", {"name": b""}),
        ("84-twice", {"outside": "8407A0000000651010"}),
        ("no-a5", {"drop": "A5"}),
        ("a5-twice", {"outside": "A5035001AA"}),
        ("a5-cut", {"inside": "5F2D0865"}),
        ("6f-cut", {"fci": "6F1C8407A0000000651010A5115008"}),
        ("6f-inside-cut", {"fci": "6F0A8407A0000000651010A5"}),
        ("not-6f", {"fci": "6E098407A0000000651010"}),
        ("empty", {"fci": ""}),
        ("pdol-absent", {"drop": "9F38"}),
        ("pdol-empty", {"pdol": ""}),
        ("pdol-twice", {"inside": "9F38039F5201"}),
        ("pdol-cut", {"pdol": PDOL + "9F4E"}),
        ("pdol-253", {"pdol": PDOL + "9F4EF2"}),
    ):
        fine = label.startswith("fine")
        scene("fci-" + label, "3.2.1.4, reading 4.45", dict(card, chain=False, cid=ARQC) if fine else card, keys="")
    scene("pdol-252", "reading 4.45: 252 bytes fit", {"pdol": PDOL + "9F4EF0", "cvm": "00"})
    scene(
        "pdol-many",
        "3.3.1.2, Bk3 5.4, annex B; readings 4.11, 4.12",
        {
            "pdol": PDOL + "9503"
            "9F3501"
            "9F3502"
            "9F1503"
            "9F1501"
            "9F4E14"
            "9F4E03"
            "9F3308"
            "9F4005"
            "9F6604"
            "9F0607"
            "9F0108"
            "5F3602"
            "9A02"
            "9C02"
            "9F2104"
            "9F1A03"
            "9F3402"
            "9F3706"
            "9F3702"
            "8A02"
            "9108"
            "5A08"
            "5710"
            "9F5203"
            "9F5302"
            "9F5304"
            "9F1E08"
            "DF0104"
            "7004"
        },
        terminal={"9F33": "E0B8C8", "9F40": "6000B0A001"},
    )
    scene(
        "pdol-transit-objects",
        "reading 4.13",
        {"pdol": PDOL + "DF8310" "DF8432"},
        data={"DF83": "00112233445566778899AABBCCDDEEFF", "DF84": "5A" * 50},
    )
    scene("pdol-transit-absent", "reading 4.13", {"pdol": PDOL + "DF8432DF8310"})
    scene(
        "pdol-df83-ber",
        "reading 4.13: DF8311 is a tag of three bytes",
        {"pdol": PDOL + "DF831104DF843304"},
        data={"DF83": "00112233445566778899AABBCCDDEEFF"},
    )
    legacy = {"legacy": True, "chain": False}
    scene("legacy-not-supported", "3.2.1.10", legacy, keys="")
    scene("legacy-next", "3.2.1.10, B 3.5.1.4", dict(legacy, others=[{"aid": JCB + b"\1", "chain": False}]), keys="")
    scene("select-refused", "B 3.3.3.5", {"fails": {(1, JCB): "6A82"}}, keys="")
    scene(
        "select-refused-first",
        "B 3.3.3.5",
        {"fails": {(1, JCB): "6283"}, "others": [{"aid": JCB + b"\1", "chain": False}]},
        keys="",
    )
    scene("select-refused-ppse", "B 3.3.2.3", {"fails": {(1, PPSE): "6A82"}}, keys="")
    scene(
        "select-refused-next",
        "B 3.3.3.5",
        {"status": {"A8": "6985"}, "others": [{"aid": JCB + b"\1", "chain": False}]},
        keys="",
    )
    scene("ppse-lost", "B 3.3.3.7", {"faults": {(1, "A4", 1): "timeout"}, "chain": False}, "same", keys="")
    scene("select-lost", "B 3.3.3.7", {"faults": {(1, "A4", 2): "transmission"}, "chain": False}, "same", keys="")
    scene("zero-not-allowed", "B 3.1.1.4; reading 4.27", {}, amount=0, row={"zeroAmount": "notAllowed"})
    scene("zero-allowed", "reading 4.27; guarded A30", {}, amount=0, profiles=[BOOK, GUARDED, STRICT])
    scene("zero-offline-allowed", "reading 4.27", {}, amount=0, row={"zeroAmount": "offlineAllowed"})


def options_scenes():
    for status in ("6984", "6985", "6986", "6200"):
        scene("gpo-sw-" + status.lower(), "3.11.1.1", {"status": {"A8": status}}, keys="")
    for label, gpo in (
        ("empty", ""),
        ("cut", "770A82021980940810"),
        ("other", "7E0E8202198094081001020008010101"),
        ("77-inside-cut", "7705820219" "8094"),
        ("no-82", "770A94081001020008010101"),
        ("82-empty", "770C820094081001020008010101"),
        ("82-one-byte", "770D8201199408" + "1001020008010101"),
        ("82-three-bytes", "770F82031980009408" + "1001020008010101"),
        ("82-twice", "77128202198094081001020008010101" "82021980"),
        ("no-94", "770482021980"),
        ("94-empty", "7706820219809400"),
        ("94-twice", "7718820219809408" + "1001020008010101" + "9408" + "1001020008010101"),
        ("94-five", "770B820219809405" + "1001020008"),
        ("sfi-0", "770A820219809404" + "00010100"),
        ("sfi-31", "770A820219809404" + "F8010100"),
        ("record-0", "770A820219809404" + "08000100"),
        ("backwards", "770A820219809404" + "08020100"),
        ("too-many-signed", "770A820219809404" + "08010102"),
        ("not-emv", "770E82021900" + "9408" + "1001020008010101"),
        ("format-1-empty", "8000"),
        ("format-1-one", "800119"),
        ("format-1-no-afl", "80021980"),
        ("format-1-five", "80071980" + "1001020008"),
    ):
        scene("gpo-" + label, "3.3.1.3 to .6, 4.4", {"gpo": gpo}, keys="")
    scene("gpo-format-1", "reading 4.20", {"format": 1})
    scene(
        "gpo-more",
        "4.4: all else is ignored",
        {"gpoMore": "57028370" "9F3602FFFF" "9F3602FFFE" "9F2701" "C0" "9500" "D600"},
    )
    scene("gpo-rfu-afl", "1.2: RFU bits of an entry", {"afl": "170102000D010101"})
    scene("gpo-lost", "3.11.2.5", {"faults": {(1, "A8", 1): "protocol"}}, "same")
    scene("record-lost", "3.11.2.5", {"faults": {(1, "B2", 2): "transmission"}}, "same")
    scene("record-lost-stays", "3.12.8", {"faults": {(1, "B2", 1): "timeout"}})


def record_scenes():
    scene("record-sw", "3.11.1.1", {"status": {"B2": "6A83"}}, keys="")
    for label, raw in (("77", "7703570100"), ("cut", "7010570A"), ("inside-cut", "70055710112233"), ("empty", "")):
        scene("record-" + label, "3.4, Bk3 10.2", {"raw": {(1, 1): raw}}, keys="")
    for tag, values in (
        ("5F24", ("301331", "301200", "300230", "3012", "30123100", "AA1231")),
        ("5F25", ("210229", "200001", "200132", "2001", "20010100")),
        ("9F0D", ("00000000", "000000000000")),
        ("9F0E", ("00000000",)),
        ("9F0F", ("00000000",)),
        ("9F07", ("FF", "FF0000")),
        ("5F28", ("02", "000276")),
        ("5F34", ("0101",)),
        ("5A", ("3569990012290937123412",)),
        ("57", ("3569990012290937D30122010000000012345678",)),
    ):
        for number, value in enumerate(values):
            scene(
                "?" * (number > 0) + "record-%s-%d" % (tag.lower(), number),
                "Bk3 7.5, 3.11.1.2",
                {"set": {tag: value}, "chain": False},
                keys="",
            )
    scene("record-8f-2", "3.11.1.2", {"chain": False, "inRecord": "8F02C1C1"}, keys="")
    for tag, value in (("5F20", "00FF"), ("9F1F", "FF"), ("42", "AAAAAA"), ("9F0C", "AB")):
        more = (
            {"set": {tag: value}, "more": tag}
            if tag in ("5F20", "9F1F")
            else {"inRecord": tag + "%02X" % (len(value) // 2) + value}
        )
        scene("record-fine-" + tag.lower(), "Bk3 7.5: formats that are no error", dict(more, chain=False), keys="")
    scene("record-5a-twice", "Bk3 7.5, 10.2", {"chain": False, "inRecord": "5A083569990012290937"}, keys="")
    scene("record-57-twice", "Bk3 7.5, 10.2", {"chain": False, "inRecord": "57083569990012290937"}, keys="")
    scene(
        "record-terminal-objects",
        "A22",
        {"inRecord": "9F02060000000000019F370400000000950500000000009F53039200009F3403000000" "9F3501259F660436000000"},
    )
    scene(
        "record-elsewhere",
        "reading 4.43",
        {
            "inRecord": "8202FFFF9404080101008407A00000000310108702"
            "0102"
            "9F2701009F3602FFFF9F5001109F6001019F5F06999999999999"
        },
    )
    for tag in ("8C", "57", "5F24"):
        scene("record-no-" + tag.lower(), "3.4.1.2", {"set": {tag: None}, "chain": False}, keys="")
        scene("record-empty-" + tag.lower(), "3.4.1.2, annex B", {"set": {tag: ""}, "chain": False}, keys="")
    for tag in ("5F34", "8D", "9F07", "9F08", "5F25", "5F28", "9F0D", "9F0E", "9F0F"):
        scene("record-without-" + tag.lower(), "3.4, table C-1", {"set": {tag: None}})
    scene("record-empty-objects", "annex B", {"set": {"5F34": "", "9F08": "", "9F07": ""}})
    scene("record-more", "table C-1", {"more": "5F20 9F1F 9F6E 9F7C 9F24 9F19"})
    scene("record-no-5a-offline", "reading 4.23", {"set": {"5A": None}}, profiles=[BOOK, GUARDED])
    scene("record-no-5a", "reading 4.23", {"set": {"5A": None}, "chain": False}, profiles=[BOOK, GUARDED, STRICT])
    for label, dol in (("cut", CDOL1 + "9F4E"), ("cut-tag", CDOL1 + "9F"), ("256", "9F3704" + "9F4EFC")):
        scene("cdol1-" + label, "reading 4.45", {"set": {"8C": dol}, "chain": False}, keys="")
    scene("cdol1-255", "reading 4.45: 255 bytes fit", {"set": {"8C": "9F37049F02069F4EF5"}})
    scene(
        "cdol1-many",
        "3.8.1.2, Bk3 5.4; readings 4.12, 4.39",
        {
            "set": {
                "8C": CDOL1 + "82025A0A5A045714"
                "570A5F2404"
                "5F24025F25025F2803"
                "5F2801"
                "5F34029F07039F0803"
                "9F36029F3403"
                "9F3303"
                "9F2102"
                "5F3601"
                "9F4E0A"
                "9F1504"
                "9F1501"
                "9F0103"
                "9F0107"
                "8A02"
                "910A"
                "DF8310"
                "DF830401"
                "9F3701"
            }
        },
        data={"DF83": "F0" * 16},
        terminal={"9F33": "E0B8C8"},
    )
    scene("cdol1-from-pdol", "reading 4.11", {"set": {"8C": "9F53039F3704950595039F5302"}}, amount=6000)
    for tag in CHAIN_TAGS[:7]:
        if tag != "9F48":
            scene("chain-no-" + tag.lower(), "3.4.1.3", {"chainDrop": tag})
        zero = {"tacDenial": "0000000000"}
        scene(
            "?chain-no-%s-asked" % tag.lower(),
            "3.8.1.4, 3.8.2.1; reading 4.10",
            {"chainDrop": tag, "set": {"9F0E": "0000000000"}},
            kernel5=zero,
        )
    scene("chain-f-no-92", "3.4.1.3: 92 is not needed", {"keys": "f"}, keys="f")
    scene("chain-8f-unknown", "3.4.1.4", {"caIndex": "77"})
    scene("chain-8f-unknown-no-cda", "3.4.1.4 asks no AIP 1.1", {"caIndex": "77", "aip": "1880"})
    scene(
        "chain-8f-unknown-asked",
        "reading 4.10",
        {"caIndex": "77", "set": {"9F0E": "0000000000"}},
        kernel5={"tacDenial": "0000000000"},
    )
    scene("chain-8f-unknown-oda-off", "3.4.1.4 asks CO 1.6", {"caIndex": "77", "cid": ARQC}, options="0200")
    scene("chain-ca-expired", "A15", {}, caExpires="2026-11-20", profiles=[BOOK, GUARDED, STRICT])
    scene("chain-ca-last-day", "A15", {}, caExpires="2026-11-21", profiles=[BOOK, GUARDED])
    signed_extra = {"afl": "1001020058010101" "08010101", "raw": {}}
    scene("sfi-11-signed", "Bk3 10.3", dict(signed_extra, extra={(11, 1): "70045F340109"}, set={"5F34": None}))
    scene(
        "sfi-11-long-length",
        "Bk3 10.3: tag and length as received",
        dict(signed_extra, extra={(11, 1): "7081045F340109"}, set={"5F34": None}),
    )
    scene("sfi-11-not-70", "Bk3 10.3: counted as signed, CDA fails", dict(signed_extra, extra={(11, 1): "DF010155"}))
    scene("sfi-30-not-70-unsigned", "Bk3 10.3", {"afl": "10010200F001010008010101", "extra": {(30, 1): "0102"}})
    ten = {"afl": "1001020050010101" "08010101", "set": {"5F34": None}}
    scene("sfi-10-signed", "Bk3 10.3: tag and length are left out", dict(ten, extra={(10, 1): "70045F340109"}))
    scene("sfi-10-not-70", "3.4, Bk3 10.2", dict(ten, afl="100102000801010150010101", extra={(10, 1): "DF010155"}))
    scene("layout-first", "3.4", {"layout": "first"})
    scene("data-unsigned", "guarded A18, CDOL1", {"afl": "1001020008010100"}, profiles=[BOOK, GUARDED])
    scene(
        "data-dates-unsigned",
        "guarded A18",
        {"afl": "1001020008010101" "18010100", "set": {"5F24": None}, "extra": {(3, 1): "70065F2403301231"}},
        profiles=[BOOK, GUARDED],
    )
    scene(
        "data-unsigned-online",
        "guarded A18: a TC alone",
        {"afl": "1001020008010100"},
        amount=12500,
        profiles=[BOOK, GUARDED, STRICT],
    )


def risk_scenes():
    for amount in (9999, 10000, 10001):
        scene("floor-%d" % amount, "3.5.3.2", {"cvm": "auto"}, amount=amount)
    for amount in (4999, 5000):
        scene("cvm-limit-%d" % amount, "3.5.2.1", {"cvm": "auto"}, amount=amount)
    scene("cvm-limit-cash", "3.5.2.1", {"cvm": "auto"}, amount=5000, type="01")
    scene("cvm-limit-cashback", "3.5.2.1", {"cvm": "auto", "set": {"9F07": "FFC0"}}, amount=5000, type="09", other=500)
    for place in ("21", "24", "23", "26", "25", "14", "36"):
        scene("type-" + place, "3.5.3.1, 3.7.1.6", {"set": {"9F07": "FFC0"}}, terminal={"9F35": place})
    scene("status-check", "3.5.3.1", {}, amount=100, options="6200", profiles=[BOOK, GUARDED])
    scene("status-check-other", "3.5.3.1", {}, amount=101, options="6200")
    scene("status-check-yen", "3.5.3.1", {}, amount=1, exponent=0, options="6200")
    scene(
        "status-check-tac",
        "guarded A30",
        {"set": {"9F0F": "0000000000"}},
        amount=100,
        options="6200",
        kernel5={"tacOnline": "0000000000"},
        profiles=[BOOK, GUARDED, STRICT],
    )
    rule = {"randomSelection": {"threshold": 5000, "target": 20, "maximumTarget": 60}}
    quiet = {"cvmRequired": None}
    for number, (amount, value) in enumerate(
        [
            (4999, 19),
            (4999, 20),
            (5000, 19),
            (5000, 20),
            (5125, 20),
            (7500, 39),
            (7500, 40),
            (9999, 58),
            (9999, 59),
            (9999, 98),
        ]
    ):
        scene(
            "?selection-%d" % number,
            "3.5.4.1, Bk3 10.6.2",
            {},
            amount=amount,
            options="2A00",
            kernel5=rule,
            limits=quiet,
            random="11223344%08X" % (value + 99 * (number + 1)) + "55667788",
        )
    scene(
        "selection-again",
        "random stream: drawn again",
        {},
        amount=4999,
        options="2A00",
        kernel5=rule,
        limits=quiet,
        random="11223344FFFFFFFF" + "%08X" % (4294967295 - 4294967295 % 99) + "00000005" + "99999999",
    )
    scene("selection-not-above-floor", "3.5.4.1", {}, amount=10000, options="2A00", kernel5=rule, limits=quiet)
    for label, listed, options in (
        ("listed", [{}], "3200"),
        ("listed-off", [{}], "2200"),
        ("listed-other-sequence", [{"sequence": "77"}], "3200"),
        ("listed-none", [{"sequence": "78"}, {"sequence": "01"}], "3200"),
    ):
        scene("exception-" + label, "3.5.5.1", {"set": {"5F34": "01"}}, listed=listed, options=options)
    card = {"set": {"5A": None, "5F34": "01"}, "chain": False}
    scene(
        "exception-track-2", "reading 4.23: the PAN of 57", card, listed=[{}], options="3200", keys="", profiles=[BOOK]
    )
    for label, auc, more in (
        ("domestic-goods", "2100", {}),
        ("domestic-services", "0900", {}),
        ("no-domestic", "D7C0", {}),
        ("not-other-than-atm", "FEC0", {}),
        ("international", "1100", {"country": "0392"}),
        ("international-services", "0500", {"country": "0392"}),
        ("no-international", "EBC0", {"country": "0392"}),
        ("cash", "8100", {"type": "01"}),
        ("no-cash", "7FC0", {"type": "01"}),
        ("cash-abroad", "4100", {"type": "01", "country": "0392"}),
        ("no-cash-abroad", "BFC0", {"type": "01", "country": "0392"}),
        ("cashback", "2180", {"type": "09", "other": 300}),
        ("no-cashback", "FF40", {"type": "09", "other": 300}),
        ("cashback-abroad", "1140", {"type": "09", "other": 300, "country": "0392"}),
        ("no-cashback-abroad", "FF80", {"type": "09", "other": 300, "country": "0392"}),
        ("no-country", "0100", {"country": None}),
        ("no-country-no", "FEC0", {"country": None}),
    ):
        values = {"9F07": auc}
        if "country" in more:
            values["5F28"] = more["country"]
        scene(
            "?usage-" + label,
            "3.6.1.1, Bk3 10.4.2",
            {"set": values, "chain": False, "cid": ARQC},
            keys="",
            **{key: value for key, value in more.items() if key != "country"}
        )
    for label, place, extra, auc in (
        ("atm", "14", "8000000000", "8200"),
        ("no-atm", "15", "8000000000", "FDC0"),
        ("atm-without-cash", "16", "6000B0A001", "8100"),
        ("no-capabilities", "16", None, "8200"),
    ):
        scene(
            "usage-" + label,
            "Bk3 10.4.2, Bk4 A1",
            {"set": {"9F07": auc}, "chain": False, "cid": ARQC},
            keys="",
            type="01",
            terminal=dict({"9F35": place}, **({"9F40": extra} if extra else {})),
        )
    for expiry in ("261121", "261120", "261231", "991231", "251231"):
        scene("expires-" + expiry, "3.6.2", {"expiry": expiry, "chain": False}, keys="", profiles=[BOOK])
    for first in ("261121", "261122", "500101", "491231", "240229", "000229"):
        scene("effective-" + first, "3.6.3", {"set": {"5F25": first}, "chain": False}, keys="")
    scene("usage-any-declined", "3.6.1.2: TVR 2.5 under TAC-Denial", {"set": {"9F07": "0000"}})


def action_scenes():
    for label, more in (("offline", {}), ("online", {"amount": 12500})):
        scene("refund-" + label, "3.7.1.1", {"chain": False}, type="20", profiles=[BOOK], keys="", **more)
    scene("refund-legacy", "3.7.1.1", {"legacy": True}, type="20", options="2300", keys="", profiles=[BOOK])
    scene(
        "refund-legacy-limit",
        "3.5.1.1 before 3.7.1.1",
        {"legacy": True},
        type="20",
        options="2300",
        keys="",
        amount=30000,
        profiles=[BOOK],
    )
    scene("transit-legacy", "3.7.1.2", {"legacy": True}, options="2300", tip="760000", keys="")
    scene(
        "transit-listed",
        "3.7.1.3",
        {"set": {"5F34": "01", "9F0E": "0000000000"}},
        listed=[{}],
        options="3200",
        tip="760000",
        kernel5={"tacDenial": "0000000000"},
    )
    scene("transit-not-listed", "3.7.1.3", {}, listed=[{"sequence": "77"}], options="3200", tip="760000", amount=6000)
    for label, card, more in (
        ("iac-denial", {"9F0E": "0000008000"}, {"amount": 12500}),
        ("iac-online", {"9F0F": "0000000000"}, {"amount": 12500, "kernel5": {"tacOnline": "0000000000"}}),
        ("iac-online-absent", {"9F0F": None}, {"amount": 1250, "options": "0200"}),
        ("iac-denial-absent", {"9F0E": None}, {"amount": 1250, "kernel5": {"tacDenial": "0000000000"}}),
        (
            "iac-default",
            {"9F0D": "0000000000"},
            {"terminal": {"9F35": "23"}, "kernel5": {"tacDefault": "0000000000"}, "amount": 12500},
        ),
        ("iac-default-absent", {"9F0D": None}, {"terminal": {"9F35": "23"}, "amount": 12500}),
        ("tac-denial", {}, {"amount": 12500, "kernel5": {"tacDenial": "0000008000"}}),
        ("tac-default", {"9F0D": "0000000000"}, {"terminal": {"9F35": "26"}, "amount": 12500}),
        ("tac-online", {"9F0F": "0000000000"}, {"amount": 12500}),
        ("nothing-set", {}, {"terminal": {"9F35": "23"}}),
    ):
        scene(
            "action-" + label,
            "3.7.1.4 to .6",
            {"set": card},
            profiles=[BOOK, GUARDED] if label == "nothing-set" else [BOOK],
            **more
        )
    scene(
        "action-online-only",
        "Bk3 10.7: always ARQC",
        {"set": {"9F0F": "0000000000"}},
        terminal={"9F35": "21"},
        kernel5={"tacOnline": "0000000000"},
    )
    scene("offline-only-arqc", "reading 4.35", {"cid": ARQC}, terminal={"9F35": "23"}, profiles=[BOOK, GUARDED, STRICT])


def answer_scenes():
    for status in ("6985", "6283"):
        scene("gac-sw-" + status, "3.8.1.7", {"status": {"AE": status}, "chain": False}, keys="")
    scene("gac-6984", "3.8.1.6", {"status": {"AE": "6984"}, "chain": False}, keys="")
    scene("gac-6986-stays", "3.8.1.5", {"status": {"AE": "6986"}, "chain": False}, keys="")
    scene("gac-6986-phone", "3.8.1.5, 3.12.9", {"status": {(1, "AE"): "6986"}, "cvm": "31"}, "same", amount=6000)
    scene(
        "gac-6986-again",
        "3.12.9",
        {"status": {(1, "AE"): "6986", (2, "AE"): "6986"}, "cvm": "31", "chain": False},
        "same",
        "same",
        amount=6000,
        keys="",
    )
    scene(
        "gac-sw-next",
        "3.8.1.7, B 3.5.1.4",
        {"status": {"AE": "6985"}, "chain": False, "others": [{"aid": JCB + b"\2", "chain": False}]},
        keys="",
    )
    for cid in (AAC, TC, ARQC, RFU):
        scene("?cid-%d" % cid, "3.8.1.8 to .11", {"cid": cid})
        scene("cid-%d-online" % cid, "3.8.1.8 to .11", {"cid": cid}, amount=12500)
        scene("?cid-%d-no-cda" % cid, "3.8.1.8 to .12", {"cid": cid, "chain": False}, keys="")
    scene("cid-aac-update", "reading 4.33", {"cid": AAC, "answer": {"9F60": "01", "9F5F": "000000001234"}}, tip=UPDATES)
    scene("cid-aac-signed", "reading 4.33", {"cid": AAC, "sign": True, "plain": True}, tip=UPDATES)
    scene("cid-low-bits", "reading 4.19", {"cid": ARQC, "cidLow": 0x15, "chain": False}, keys="")
    online = {"cid": ARQC, "chain": False}
    for label, card in (
        ("empty", dict(online, gac="")),
        ("cut", dict(online, gac="77109F270180")),
        ("80", dict(online, template="80")),
        ("70", dict(online, template="70")),
        ("inside-cut", dict(online, cut="9F5F06")),
        ("50-twice", dict(online, again=["9F500100"])),
        ("36-twice", dict(online, again=["9F36020000"])),
    ):
        scene("answer-" + label, "3.8.1.8; readings 4.21, 4.22", card, keys="")
    for tag in ("9F27", "9F36", "9F26", "9F50", "9F10"):
        for label, value in (("no", None), ("empty", "")):
            scene(
                "?" * (label == "empty") + "answer-%s-%s" % (label, tag.lower()),
                "3.8.1.8, table 4-5",
                dict(online, answer={tag: value}),
                keys="",
            )
    for tag, values in (
        ("9F27", ("8000",)),
        ("9F36", ("01", "000102")),
        ("9F26", ("00112233445566", "001122334455667788")),
        ("9F50", ("0000",)),
        ("9F10", ("00" * 33,)),
        ("9F60", ("0000",)),
        ("9F5F", ("00000000123A", "0000001234", "00000000001234")),
    ):
        for number, value in enumerate(values):
            scene(
                "?" * (number > 1) + "answer-length-%s-%d" % (tag.lower(), number),
                "3.8.1.8",
                dict(online, answer={tag: value}),
                keys="",
            )
    scene("answer-iad-32", "4.2", dict(online, answer={"9F10": "0A0102A810000000" + "00" * 24}), keys="")
    scene("answer-iad-1", "4.2", dict(online, answer={"9F10": "0A"}), keys="")
    scene("answer-empty-optional", "annex B", dict(online, answer={"9F60": "", "9F5F": ""}), keys="", tip=UPDATES)
    for label, value in (("no", None), ("empty", "")):
        scene("answer-%s-9f4b" % label, "3.8.1.8, .10, .12", {"cid": ARQC, "answer": {"9F4B": value}, "sign": False})
        scene("answer-%s-9f4b-tc" % label, "3.8.1.10", {"cid": TC, "answer": {"9F4B": value}, "sign": False})
    for tag in ("9F50", "9F10"):
        scene("answer-cda-no-" + tag.lower(), "table 4-4", {"answer": {tag: None}})
    scene("answer-balance", "9F5F", {"answer": {"9F5F": "000000004321"}})
    scene("answer-balance-zero", "9F5F", dict(online, answer={"9F5F": "000000000000"}), keys="")
    scene("answer-balance-declined", "9F5F on a decline", {"cid": AAC, "answer": {"9F5F": "000000004321"}})
    scene(
        "answer-balance-malformed",
        "9F5F never from an answer that failed",
        {"cid": AAC, "answer": {"9F5F": "000000004321", "9F26": None}},
    )
    scene(
        "answer-terminal-objects",
        "A22",
        {"answer": {"9F37": "00000000", "9F53": "FFFFFF", "95": "0000000000", "9F34": "020000"}},
    )
    scene("answer-elsewhere", "reading 4.43", {"answer": {"5A": "3569", "5F24": "491231", "8F": "00"}})
    scene(
        "answer-more",
        "reading 4.43, table C-1",
        {"answer": {"9F6E": "30310000", "9F7C": "41", "9F08": "0009"}},
    )
    scene("answer-plain-ac", "A12: the recovered cryptogram counts", {"plain": True})
    scene("answer-filler", "reading 4.47", {"again": ["00"], "answer": {"9F5F": "000000004321"}})
    scene(
        "answer-long-lengths",
        "Bk2 6.6.2.10: lengths as received",
        {"long": "9F10 9F36 9F5F", "answer": {"9F5F": "000000004321"}},
    )
    scene("answer-unasked-9f4b", "reading 4.18", {"cid": ARQC, "sign": True, "plain": True}, options="0200")
    scene("answer-unasked-9f4b-no-ac", "reading 4.18: 9F26 is mandatory", {"cid": ARQC, "sign": True}, options="0200")
    scene(
        "answer-unasked-9f4b-no-keys",
        "reading 4.18",
        {"cid": ARQC, "sign": True, "plain": True},
        options="0200",
        keys="",
    )
    scene(
        "answer-unasked-9f4b-tc",
        "3.8.1.10",
        {"cid": TC, "sign": True},
        options="0200",
        keys="r",
        kernel5={"tacOnline": "0000000000"},
    )


def signature_scenes():
    for damage in (
        "short",
        "long",
        "header",
        "trailer",
        "format",
        "hash algorithm",
        "number",
        "dynamic short",
        "cid",
        "hash",
        "number sent",
        "transaction hash",
        "with 77",
        "without lists",
    ):
        scene("cda-" + damage.replace(" ", "-"), "3.8.2.1, Bk2 6.6.2", {"sdad": damage})
    for size in (2, 8):
        scene("cda-number-%d" % size, "Bk2 table 18", {"numberSize": size})
    for damage in ("short", "long", "header", "trailer", "format", "hash algorithm", "algorithm", "hash"):
        scene("issuer-certificate-" + damage.replace(" ", "-"), "Bk2 6.3", {"issuerDamage": damage})
        scene("card-certificate-" + damage.replace(" ", "-"), "Bk2 6.4", {"cardDamage": damage})
    for label, card in (
        ("issuer-expired", {"issuerExpiry": "1026"}),
        ("issuer-last-month", {"issuerExpiry": "1126"}),
        ("issuer-month-13", {"issuerExpiry": "1330"}),
        ("card-expired", {"cardExpiry": "1026"}),
        ("card-last-month", {"cardExpiry": "1126"}),
        ("prefix-3", {"prefix": "356FFFFF"}),
        ("prefix-other", {"prefix": "410000FF"}),
        ("certified-other", {"certified": [3, 5, 6, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}),
        ("tag-list-more", {"tagList": "8284"}),
        ("tag-list-other", {"tagList": "84"}),
        (
            "no-tag-list",
            {
                "tagList": "",
            },
        ),
        ("exponent-other", {"chainSet": {"9F47": "02"}}),
        ("issuer-exponent-other", {"chainSet": {"9F32": "010001"}}),
        ("remainder-long", {"chainSet": {"9F48": "00" * 20}}),
        ("remainder-short", {"chainSet": {"92": "00"}}),
        ("19-digits", {"digits": 19}),
        ("14-digits", {"digits": 14}),
    ):
        scene("chain-" + label, "Bk2 6.3, 6.4", card)
    scene("chain-f", "Bk2 6.3, 6.4: keys that fill their certificates", {"keys": "f"}, keys="f")
    scene(
        "chain-aip-edited",
        "A04: the AIP is covered by 9F4A",
        {"aipLater": "1980", "aip": "1980", "gpo": "770E82025980" "9408" "1001020008010101"},
    )
    scene("chain-revoked", "Bk2 6.3.10", {}, revoked=[{"rid": "A000000065", "index": "E1", "serial": "000042"}])
    scene("chain-not-revoked", "Bk2 6.3.10", {}, revoked=[{"rid": "A000000065", "index": "E1", "serial": "000043"}])
    scene("cda-amount-edited", "A19", {"sees": (3, 0x10)})
    scene(
        "cda-update-edited",
        "Bk2 6.6.2",
        {"cid": ARQC, "answer": {"9F60": "02"}, "edit": ("9F600102", "9F600100")},
        tip=UPDATES,
    )
    scene("cda-status-edited", "A08", {"cvm": "20", "edit": ("9F500120", "9F500131")}, amount=6000)
    scene("cda-signature-first", "Bk2 6.6.2.10", {"signatureAt": 0})
    scene("cda-signature-last", "Bk2 6.6.2.10", {"signatureAt": 99})
    fixed = {"random": "5A5A5A5A0102030405060708090A0B0C", "profiles": [BOOK, GUARDED]}
    lax = {"number": b"\x5a" * 4}
    scene("cdol1-lax-number", "guarded CDOL1", dict(lax, set={"8C": "9F02069F350495059F5303"}), **fixed)
    scene(
        "cdol1-lax-amount", "guarded CDOL1", dict(lax, pdol="9F52019F5303", set={"8C": "9F3704950595059F5303"}), **fixed
    )
    scene(
        "cdol1-short-amount",
        "guarded CDOL1",
        dict(lax, pdol="9F52019F5303", set={"8C": "9F370495059F02059F5303"}),
        **fixed
    )
    scene(
        "cdol1-from-pdol-amount",
        "guarded CDOL1: the PDOL has it",
        dict(lax, set={"8C": "9F3704950595059F5303"}),
        **fixed
    )
    scene(
        "cdol1-from-pdol-number",
        "guarded CDOL1: the PDOL has it",
        dict(lax, pdol=PDOL + "9F3704", set={"8C": "9F0206950595059F5303"}),
        **fixed
    )
    scene(
        "cdol1-lax-online",
        "guarded CDOL1: a finding alone",
        dict(lax, cid=ARQC, set={"8C": "9F0206950595059F5303"}),
        **fixed
    )


def verification_scenes():
    for status in ("00", "10", "20", "30", "31", "3F", "11", "21", "40", "80", "90", "01"):
        for amount, label in ((1250, "below"), (6000, "above")):
            scene(
                "?cvm-%s-%s-signed" % (status, label),
                "3.8.3",
                {"cvm": status, "cid": ARQC},
                amount=amount,
                profiles=[BOOK, GUARDED] if status in ("30", "31") else [BOOK],
            )
            scene(
                "cvm-%s-%s" % (status, label),
                "3.8.3; guarded A04, A08",
                {"cvm": status, "chain": False},
                amount=amount,
                keys="",
                profiles=[BOOK, GUARDED] if status in ("30", "31", "10") else [BOOK],
            )
    for status, tip in (("10", "320000"), ("20", "520000"), ("31", "620000"), ("30", "620000")):
        for amount in (1250, 6000):
            scene(
                "?" * (amount < 5000) + "cvm-%s-unsupported-%d" % (status, amount),
                "3.8.3.4",
                {"cvm": status, "chain": False},
                tip=tip,
                amount=amount,
                keys="",
                profiles=[BOOK],
            )
    for status in ("00", "10", "20", "31", "40"):
        scene(
            "?cvm-transit-" + status,
            "3.8.3.2 to .4, 3.8.4.5",
            {"cvm": status, "chain": False},
            tip="040000",
            amount=6000,
            keys="",
            profiles=[BOOK],
        )
    scene("cvm-transit-tc-pin", "3.8.4.5", {"cvm": "20"}, tip="740000", profiles=[BOOK])
    for status in ("00", "10", "31", "30"):
        scene(
            "cvm-tc-" + status,
            "3.8.4.1, .6",
            {"cvm": status},
            amount=4000 if status in ("00", "30") else 6000,
            profiles=[BOOK, GUARDED],
        )
    scene("cvm-tc-20", "guarded 4.15", {"cvm": "20"}, amount=6000, profiles=[GUARDED])
    quiet = dict(tip="720000", profiles=[BOOK, GUARDED])
    for label, status, amount, limits in (
        ("device-below", "31", 49999, {}),
        ("device-equal", "31", 50000, {}),
        ("device-none", "31", 999999, {"cdcvmTransaction": None}),
        ("below", "20", 29999, {}),
        ("equal", "20", 30000, {}),
        ("above-device-too", "20", 60000, {}),
        ("lower-device", "20", 25000, {"cdcvmTransaction": 20000}),
        ("no-limit-device", "20", 50000, {"transaction": None}),
        ("no-limit-device-below", "20", 49999, {"transaction": None}),
        ("no-limits", "20", 999999, {"transaction": None, "cdcvmTransaction": None}),
    ):
        scene(
            "?limit-%s-signed" % label,
            "3.8.3.5, .6; reading 4.8",
            {"cvm": status, "cid": ARQC},
            amount=amount,
            limits=limits,
            **quiet
        )
        scene(
            "limit-" + label,
            "3.8.3.5, .6; guarded A08",
            {"cvm": status, "chain": False},
            keys="",
            amount=amount,
            limits=limits,
            tip="720000",
            profiles=[BOOK],
        )
    scene(
        "limit-plain-device-low",
        "guarded A08",
        {"cvm": "31", "cid": ARQC, "chain": False},
        keys="",
        amount=35000,
        limits={"cvmRequired": None},
        profiles=[BOOK, GUARDED],
    )
    scene(
        "limit-next",
        "3.8.3.6, B 3.5.1.4",
        {"cvm": "20", "cid": ARQC, "others": [{"aid": JCB + b"\2", "cvm": "31", "cid": ARQC, "chain": False}]},
        amount=30000,
        profiles=[BOOK],
    )
    scene(
        "limit-next-unreadable",
        "formats: the last candidate's reason",
        {"cvm": "20", "cid": ARQC, "others": [{"aid": JCB + b"\2", "status": {"A8": "6985"}}]},
        amount=30000,
        profiles=[BOOK],
    )
    scene(
        "limit-last",
        "formats: the last candidate's reason",
        {"status": {"A8": "6985"}, "others": [{"aid": JCB + b"\2", "cvm": "20", "cid": ARQC, "chain": False}]},
        amount=30000,
        profiles=[BOOK],
    )
    scene(
        "plain-signature-pin",
        "guarded A08",
        {"cvm": "10", "cid": ARQC, "chain": False},
        amount=6000,
        keys="",
        profiles=[GUARDED],
    )
    scene(
        "plain-signature-no-pin",
        "guarded A08",
        {"cvm": "10", "cid": ARQC, "chain": False},
        tip="520000",
        amount=6000,
        keys="",
        profiles=[GUARDED],
    )
    scene("plain-aip-edited", "A04", {"cvm": "31", "aip": "1880"}, amount=6000, profiles=[BOOK, GUARDED])


def legacy_scenes():
    base = {"legacy": True}
    common = {"options": "2300", "keys": ""}
    scene("legacy", "3.9", base, profiles=[BOOK, GUARDED, STRICT], **common)
    scene("legacy-format-2", "reading 4.20", dict(base, format=2), **common)
    scene("legacy-knob-off", "guarded A27", base, protection={"legacyMode": "off"}, profiles=[GUARDED], **common)
    scene(
        "legacy-knob-configured",
        "guarded A27",
        base,
        protection={"legacyMode": "configured"},
        profiles=[GUARDED],
        **common
    )
    for amount in (29999, 30000):
        scene(
            "legacy-limit-%d" % amount,
            "3.5.1.1",
            dict(base, more="8E", set={"8E": "00000000000000000203"}),
            amount=amount,
            **common
        )
    scene("legacy-iac-ignored", "3.7.1.4", dict(base, set={"9F0E": "FFFFFFFFFF"}), **common)
    scene("legacy-auc-ignored", "3.6.1.1: EMV Mode alone", dict(base, set={"9F07": "0000"}), **common)
    scene("legacy-expired", "3.6.2: both modes", dict(base, expiry="251231"), **common)
    scene("legacy-future", "3.6.3: both modes", dict(base, set={"5F25": "270101"}), **common)
    scene("legacy-offline-only", "3.7.1.6: default TAC declines", base, terminal={"9F35": "23"}, **common)
    scene(
        "legacy-offline-only-tac",
        "3.9.1.3",
        base,
        terminal={"9F35": "23"},
        options="2300",
        keys="",
        kernel5={"tacDefault": "0000000000"},
        profiles=[BOOK],
    )
    scene("legacy-denied", "3.7.1.6", base, options="2300", keys="", kernel5={"tacDenial": "8000000000"})
    scene("legacy-listed", "3.5.5.1: EMV Mode alone", base, options="3300", keys="", listed=[{}])
    scene(
        "legacy-chain",
        "3.4.1.4: EMV Mode alone; A27",
        dict(base, inRecord="8F0177"),
        profiles=[BOOK, GUARDED],
        **common
    )
    scene("legacy-cda-aip", "3.3.1.7: never CDA", dict(base, aip="1900"), **common)
    scene("legacy-lost", "3.11.2.5: no recovery", dict(base, faults={(1, "AE", 1): "timeout+"}), "same", **common)
    for status in ("6984", "6986", "6985"):
        scene("legacy-gac-" + status, "3.9.1.5", dict(base, status={"AE": status}), **common)
    for label, gac in (
        ("18", "8012800041F8AB07AD0E9A8165070101 03A00000"),
        ("20", "8014800041F8AB07AD0E9A816507010103A000000000"),
        ("77", "77039F270180"),
        ("empty", ""),
        ("tc", "8013400041F8AB07AD0E9A816507010103A0000000"),
        ("aac", "8013000041F8AB07AD0E9A816507010103A0000000"),
        ("rfu", "8013C00041F8AB07AD0E9A816507010103A0000000"),
        ("cut", "8013800041"),
        ("low-bits", "80139F0041F8AB07AD0E9A816507010103A0000000"),
    ):
        scene("legacy-answer-" + label, "3.9.1.6, .7", dict(base, gac=gac.replace(" ", "")), **common)
    amounts = "0000000000000000"
    for label, rules, tip in (
        ("pin", "0203", CVMS),
        ("signature", "1E03", CVMS),
        ("signature-pin", "1E030203", CVMS),
        ("pin-signature", "02031E03", CVMS),
        ("pin-unsupported", "02031E03", "520000"),
        ("signature-unsupported", "1E030203", "320000"),
        ("none-fits", "02031E03", "120000"),
        ("no-cvm", "1F03", CVMS),
        ("condition-ignored", "4209", CVMS),
        ("next-bit", "5E00", CVMS),
        ("offline-pin", "010304030503", CVMS),
        ("on-device", "0103", CVMS),
        ("rfu-bit", "8203", CVMS),
        ("no-cvm-first", "1F030203", CVMS),
    ):
        scene(
            "?legacy-list-" + label,
            "3.9.2",
            dict(base, more="8E", set={"8E": amounts + rules}),
            amount=6000,
            tip=tip,
            profiles=[BOOK, STRICT] if "signature" in label else [BOOK],
            **common
        )
    signature = dict(base, more="8E", set={"8E": amounts + "1E030203"})
    scene(
        "legacy-list-signature-first",
        "guarded A27: not downgraded",
        signature,
        amount=6000,
        profiles=[BOOK, GUARDED],
        **common
    )
    signature = dict(signature, inRecord="9F460411223344")
    scene("legacy-downgrade-first", "guarded A27", signature, amount=6000, profiles=[BOOK, GUARDED], **common)
    scene(
        "legacy-list-amounts",
        "3.9.2: X and Y are not read",
        dict(base, more="8E", set={"8E": "FFFFFFFFFFFFFFFF0206"}),
        amount=6000,
        **common
    )
    scene("legacy-list-absent", "3.9.2.2", base, amount=6000, **common)
    for label, value in (("short", amounts), ("odd", amounts + "0203" + "1E"), ("empty", ""), ("four", "00000000")):
        scene(
            "legacy-list-" + label,
            "3.9.2; reading 4.41",
            dict(base, more="8E", set={"8E": value}),
            amount=6000,
            **common
        )
    scene("legacy-list-not-needed", "3.9.2.1", dict(base, more="8E", set={"8E": amounts}), amount=4999, **common)
    for label, card in (
        ("aip", {"aip": "1880"}),
        ("8f", {"inRecord": "8F01E1"}),
        ("9f46", {"inRecord": "9F460411223344"}),
    ):
        for tip in (CVMS, "520000"):
            scene(
                "?" * (label != "aip") + "legacy-downgrade-%s-%s" % (label, tip),
                "guarded A27",
                dict(base, more="8E", set={"8E": amounts + "1E030203"}, **card),
                amount=6000,
                tip=tip,
                profiles=[BOOK, GUARDED],
                **common
            )
        scene(
            "?legacy-downgrade-%s-below" % label, "guarded A27", dict(base, **card), profiles=[BOOK, GUARDED], **common
        )


def torn_scenes():
    tear = {"faults": {(1, "AE", 1): "timeout+"}}
    online = dict(tear, cid=ARQC)
    plain = dict(tear, chain=False)
    bare = {"keys": ""}
    for kind in ("timeout", "transmission", "protocol", "removed"):
        scene(
            "torn-" + kind,
            "3.11.2.1, 3.13",
            dict(tear, faults={(1, "AE", 1): kind + "+"}),
            "same",
            profiles=[BOOK, GUARDED],
        )
    scene("torn-stays", "3.12.8", plain, **bare)
    scene(
        "torn-before",
        "3.13.2.2: nothing to repeat",
        {"faults": {(1, "AE", 1): "timeout"}, "chain": False},
        "same",
        **bare
    )
    scene("torn-online", "3.13.6", online, "same", amount=12500)
    scene("torn-online-cvm", "reading 4.4: the torn TIP", dict(online, cvm="auto"), "same", amount=6000)
    scene("torn-cvm-none", "reading 4.4: the torn TIP", dict(online, cvm="00"), "same", amount=6000)
    scene("torn-aac", "3.13.6.1, 3.8.1.9", dict(tear, cid=AAC), "same")
    scene("torn-no-cda", "reading 4.3", dict(online, chain=False), "same", keys="", profiles=[BOOK, GUARDED])
    scene(
        "torn-no-cda-9f4b",
        "1.9: the buffer is empty",
        dict(online, chain=True, aip="1880", sign=True, plain=True),
        "same",
        profiles=[BOOK],
    )
    scene(
        "torn-cda-aip-now",
        "3.8.1.12 asks today's AIP",
        dict(online, aip="1880", aipLater="1980"),
        "same",
        profiles=[BOOK],
    )
    scene("torn-cda-aip-then", "reading 4.3", dict(online, aipLater="1880", tagList=""), "same", profiles=[BOOK])
    scene("torn-arqc-tc", "3.8.1.11 with the torn P1", dict(tear, cid=TC), "same", amount=12500)
    scene("torn-off", "torn: off", tear, "same", protection={"torn": "off"}, profiles=[BOOK, GUARDED])
    for status in ("6985", "6984", "6986", "6D00", "6200"):
        scene("?torn-echo-" + status, "3.13.2.2", dict(plain, status={"DF": status}), "same", **bare)
    scene(
        "torn-echo-lost",
        "3.13.2.3",
        dict(plain, faults={(1, "AE", 1): "timeout+", (2, "DF", 1): "timeout+"}),
        "same",
        "same",
        **bare
    )
    scene(
        "torn-gpo-lost",
        "3.13.4.2",
        dict(plain, faults={(1, "AE", 1): "timeout+", (2, "A8", 1): "timeout"}),
        "same",
        "same",
        **bare
    )
    scene(
        "torn-record-lost",
        "3.13.5.2",
        dict(plain, faults={(1, "AE", 1): "timeout+", (2, "B2", 1): "protocol"}),
        "same",
        "same",
        **bare
    )
    scene(
        "torn-twice",
        "3.13: a further tear",
        dict(plain, faults={(1, "AE", 1): "timeout", (2, "AE", 1): "timeout+"}),
        "same",
        "same",
        **bare
    )
    scene(
        "torn-ppse-lost",
        "reading 4.6: the context stays",
        dict(plain, faults={(1, "AE", 1): "timeout+", (2, "A4", 1): "timeout"}),
        "same",
        "same",
        **bare
    )
    scene(
        "torn-select-lost",
        "reading 4.6: the context stays",
        dict(plain, faults={(1, "AE", 1): "timeout+", (2, "A4", 2): "timeout"}),
        "same",
        "same",
        **bare
    )
    scene("torn-gpo-9000", "reading 4.5", dict(plain, recoveryStatus="9000"), "same", **bare)
    for status in ("6985", "6283"):
        scene("torn-gpo-" + status, "3.13.4.3", dict(plain, recoveryStatus=status), "same", **bare)
    scene("torn-gpo-not-emv", "3.13.4.3", dict(plain, aipLater="1900"), "same", **bare)
    scene("torn-gpo-malformed", "3.13.4.3", dict(plain, gpo="77048202" "1980", gpoLater=True), "same", **bare)
    scene("torn-record-sw", "3.13.5.3", dict(plain, status={(2, "B2"): "6A83"}), "same", **bare)
    for label, later in (
        ("no-84", {"drop": "84"}),
        ("no-pdol", {"drop": "9F38"}),
        ("pdol-empty", {"pdol": ""}),
        ("legacy", {"pdol": LEGACY_PDOL}),
        ("empty", {"fci": ""}),
    ):
        scene("torn-fci-" + label, "3.13.1", dict(plain, later=later), "same", profiles=[BOOK], **bare)
    scene("torn-fci-pdol-other", "3.13.6.1: the torn buffer", dict(tear, later={"pdol": PDOL + "9F3501"}), "same")
    scene("torn-other-card", "3.13.2.2", plain, {"sameAccount": False, "chain": False}, **bare)
    scene(
        "torn-other-card-echo",
        "3.13.5.4",
        plain,
        {"sameAccount": False, "echoes": "77039F270140", "primed": True, "chain": False},
        **bare
    )
    refused = {"aid": JCB + b"\2", "chain": False}
    scene("torn-select-refused", "reading 4.6", dict(plain, fails={(2, JCB): "6A82"}), "same", profiles=[BOOK], **bare)
    scene(
        "torn-select-refused-next",
        "reading 4.6: the context stays",
        dict(plain, fails={(2, JCB): "6A82"}, others=[refused]),
        "same",
        profiles=[BOOK],
        **bare
    )
    for label, echoes in (("empty", ""), ("cut", "77109F2701"), ("no-9f50", None), ("80", "80039F2701")):
        card = dict(plain, echoes=echoes) if echoes is not None else dict(plain, answer={"9F50": None})
        scene("torn-echo-" + label, "1.9: noticed after 57", card, "same", **bare)
    scene("torn-cda-wrong", "3.13.6.1", dict(tear, sdad="transaction hash"), "same")
    scene("torn-cda-without-lists", "3.13.6.1: the torn buffer", dict(tear, sdad="without lists"), "same")
    scene(
        "torn-limit-next",
        "reading 4.46",
        dict(online, cvm="20", others=[{"aid": JCB + b"\2", "cvm": "31", "cid": ARQC, "chain": False}]),
        "same",
        amount=30000,
        profiles=[BOOK],
    )
    scene("torn-stop", "3.11.3.2", plain, "stop", **bare)
    scene("torn-stop-sale", "3.11.3.2: the next sale sends no ECHO", plain, "stop", {"sale": {}}, "same", **bare)
    scene(
        "torn-stop-sale-amount",
        "3.11.3.2; A20",
        tear,
        "stop",
        {"sale": {"amount": 12500}},
        "same",
        profiles=[BOOK, GUARDED],
    )
    scene(
        "torn-phone",
        "3.13.2.2, 3.8.1.5",
        dict(plain, faults={(1, "AE", 1): "timeout"}, status={(2, "AE"): "6986"}, cvm="31"),
        "same",
        "same",
        amount=6000,
        **bare
    )
    scene(
        "torn-update",
        "3.13.6.1, 3.8.4.4",
        dict(online, answer={"9F60": "02"}),
        "same",
        {"online": {"8A": "3030", "91": "11223344556677883030"}},
        "same",
        tip=UPDATES,
        profiles=[BOOK],
    )


def update_scenes():
    answer = {"8A": "3030", "91": "11223344556677883030"}
    two, hold = ({"chain": False, "answer": {"9F60": "0%d" % wish}} for wish in (2, 1))
    common = {"tip": UPDATES, "profiles": [BOOK], "keys": ""}
    for wish in ("00", "01", "02", "03", "04", "05", "06", "FF"):
        scene(
            "?" * (wish > "03") + "update-wish-" + wish,
            "3.8.1.13, 3.8.4.2 to .4; reading 4.16",
            {"cid": ARQC, "answer": {"9F60": wish}},
            tip=UPDATES,
            profiles=[BOOK],
        )
    for wish in ("01", "02", "03"):
        scene("update-off-" + wish, "TIP 2.8 = 0", {"chain": False, "answer": {"9F60": wish}}, keys="", profiles=[BOOK])
        scene("update-tc-" + wish, "reading 4.17", {"answer": {"9F60": wish}}, tip=UPDATES, profiles=[BOOK])
    scene("update-hold-timeout", "3.12.4", hold, kernel5={"removalTimeout": 150}, **common)
    for wish in ("01", "02"):
        scene(
            "update-signed-" + wish,
            "3.10",
            {"cid": ARQC, "answer": {"9F60": wish}},
            {"online": answer},
            *["same"] * (wish == "02"),
            tip=UPDATES,
            profiles=[BOOK, GUARDED, STRICT]
        )
    for label, cards in (("two", (two, {"online": answer}, "same")), ("hold", (hold, {"online": answer}))):
        card, rest = cards[0], cards[1:]
        scene("update-" + label, "3.10", card, *rest, **common)
        scene(
            "update-%s-declined" % label,
            "3.10.3.4",
            card,
            {"online": dict(answer, **{"8A": "3035"})},
            *rest[1:],
            **common
        )
        scene("update-%s-no-data" % label, "A 8.1.1.22, 3.2.1.3", card, {"online": {"8A": "3030"}}, *rest[1:], **common)
        scene("update-%s-unreached" % label, "A 8.1.1.22, 3.2.1.3", card, {"online": None}, *rest[1:], **common)
        scene(
            "update-%s-no-8a" % label, "reading 4.40", card, {"online": {"91": "1122334455667788"}}, *rest[1:], **common
        )
        scene("update-%s-aac" % label, "3.10.4.1", dict(card, secondCid=AAC), *rest, **common)
        for name, more in (
            ("72", {"72": ["86050084000001", "9F1804000000018605008400000286050084000003"]}),
            ("71", {"71": "86050084000001"}),
        ):
            scene(
                "update-%s-%s" % (label, name),
                "3.10.2, 3.10.5",
                card,
                {"online": dict({"8A": "3030"}, **more)},
                *rest[1:],
                **common
            )
    scene(
        "update-atc",
        "guarded A29",
        dict(two, second={"9F36": "FFFF"}),
        {"online": answer},
        "same",
        tip=UPDATES,
        keys="",
        profiles=[BOOK, GUARDED],
    )
    scene(
        "update-other-name",
        "guarded A29",
        dict(two, later={"name": JCB + b"\7"}),
        {"online": answer},
        "same",
        tip=UPDATES,
        keys="",
        profiles=[BOOK, GUARDED],
    )
    for arc in ("3031", "3032", "3130", "3131", "3132", "5A31", "3030"):
        scene("?update-arc-" + arc, "3.10.3.4", two, {"online": dict(answer, **{"8A": arc})}, "same", **common)
    for status, amount in (("10", 6000), ("20", 6000), ("31", 6000), ("00", 1250)):
        scene(
            "update-cvm-" + status,
            "3.10.4.3, .4; reading 4.30",
            dict(two, cvm=status),
            {"online": answer},
            "same",
            amount=amount,
            **common
        )
        scene(
            "?update-cvm-%s-aac" % status,
            "reading 4.31",
            dict(two, cvm=status, secondCid=AAC),
            {"online": answer},
            "same",
            amount=amount,
            **common
        )
    once = "no-8d 8d-cut 8d-many fci-no-84 sw select-refused lost twice rfu no-26 no-10 balance balance-first".split()
    for label, more in (
        ("no-8d", {"set": {"8D": None}}),
        ("8d-empty", {"set": {"8D": ""}}),
        ("8d-cut", {"set": {"8D": "8A029F"}}),
        ("8d-256", {"set": {"8D": "8A029F4EFE"}}),
        (
            "8d-many",
            {
                "set": {
                    "8D": "8A02"
                    "8A04"
                    "9108"
                    "9110"
                    "9F37049505"
                    "82029F36029F3403"
                    "9F5303"
                    "9F5201"
                    "5A0A"
                    "5F3401"
                    "9F2103"
                    "9F3303"
                }
            },
        ),
        ("fci-no-84", {"later": {"drop": "84"}}),
        ("fci-no-pdol", {"later": {"drop": "9F38"}}),
        ("fci-empty", {"later": {"fci": ""}}),
        ("sw", {"status": {(2, "AE"): "6985"}}),
        ("select-refused", {"fails": {(2, JCB): "6A82"}}),
        ("lost", {"faults": {(2, "AE", 1): "timeout"}}),
        ("80", {"secondTemplate": "80"}),
        ("empty", {"secondRaw": "9000"}),
        ("cut", {"secondRaw": "77109F27019000"}),
        ("twice", {"secondMore": "9F360200FF"}),
        ("rfu", {"secondCid": RFU}),
        ("arqc", {"secondCid": ARQC}),
        ("no-27", {"second": {"9F27": None}}),
        ("no-36", {"second": {"9F36": None}}),
        ("no-26", {"second": {"9F26": None}}),
        ("empty-26", {"second": {"9F26": ""}}),
        ("no-10", {"second": {"9F10": None}}),
        ("10-33", {"second": {"9F10": "00" * 33}}),
        ("26-7", {"second": {"9F26": "00112233445566"}}),
        ("balance", {"second": {"9F5F": "000000000777"}}),
        ("balance-bad", {"second": {"9F5F": "0000000007AA"}}),
        ("balance-first", {"answer": {"9F60": "02", "9F5F": "000000000888"}}),
        ("terminal-objects", {"second": {"95": "0000000000"}}),
    ):
        scene(
            "?" * (label not in once) + "update-second-" + label,
            "3.10.1.2, 3.10.3; readings 4.29, 4.38, 4.39",
            dict(two, **more),
            {"online": answer},
            "same",
            **common
        )
    scene(
        "update-second-tc-for-aac",
        "3.10.3.9",
        dict(two, secondCid=TC),
        {"online": dict(answer, **{"8A": "3035", "72": "86050084000001"})},
        "same",
        **common
    )
    scene(
        "update-second-aac-72",
        "3.10.4.1, 3.10.5",
        dict(two, secondCid=AAC),
        {"online": dict(answer, **{"72": "86050084000001"})},
        "same",
        **common
    )
    scene(
        "update-select-lost",
        "reading 4.42",
        dict(two, faults={(2, "A4", 1): "timeout"}),
        {"online": answer},
        "same",
        "same",
        **common
    )
    scene("update-held-gone", "3.11.2.3", dict(hold, faults={(1, "AE", 2): "removed"}), {"online": answer}, **common)
    scene(
        "update-deadline",
        "3.12.4, A 8.1.1.21",
        dict(hold, faults={(1, "AE", 2): "removed"}),
        "deadline",
        {"online": answer},
        kernel5={"removalTimeout": 10},
        **common
    )
    script = ["86050084000001", "9F1804000000018605008400000286050084000003"]
    for label, scripts in (
        ("ok", ["9000"]),
        ("warning", ["6283", "63C2", "6200"]),
        ("first-fails", ["6985"]),
        ("last-fails", ["9000", "9000", "6A80"]),
        ("other-sw1", ["9000", "6F00"]),
        ("61", ["6100"]),
    ):
        for tag in ("71", "72"):
            scene(
                "?" * (tag == "72") + "update-%s-%s" % (tag, label),
                "3.10.2.1, 3.10.5.1",
                dict(two, scripts=scripts),
                {"online": dict(answer, **{tag: script})},
                "same",
                **common
            )
    for label, template in (
        ("cut", "860500840000"),
        ("short-command", "8603008400"),
        ("short-second", "860500840000018603008400"),
    ):
        for tag in ("71", "72"):
            scene(
                "?" * (tag == "72") + "update-%s-%s" % (tag, label),
                "reading 4.32",
                two,
                {"online": dict(answer, **{tag: [template, "86050084000009"]})},
                "same",
                **common
            )
    for tag in ("71", "72"):
        scene(
            "update-%s-lost" % tag,
            "3.11.2.3, .4",
            dict(two, faults={(2, "84", 2): "timeout"}),
            {"online": dict(answer, **{tag: script})},
            "same",
            **common
        )
    scene(
        "update-all",
        "3.10",
        dict(two, scripts=["9000", "6985", "9000", "6985"]),
        {"online": {"91": "0102030405060708", "71": script, "8A": "3030", "72": script}},
        "same",
        **common
    )
    scene(
        "update-71-alone-held",
        "3.10.2.2",
        dict(hold, scripts=["6985"]),
        {"online": {"8A": "3030", "71": script}},
        **common
    )
    scene(
        "update-72-alone-long",
        "3.10.5: longer than 128 bytes",
        two,
        {"online": {"8A": "3030", "72": "86818500DA9F5880" + "55" * 128}},
        "same",
        **common
    )


def random_scene(chance):
    """Anything together: what a named scene does not combine."""
    chained = not chance.once_in(4)
    card = {
        "cid": chance.pick(["asked", "asked", "asked", ARQC, TC, AAC]),
        "cvm": chance.pick(["auto", "auto", "00", "10", "20", "31", "30", "40"]),
        "set": {},
    }
    card["chain"], card["answer"] = chained, {}
    if chance.once_in(3):
        card["expiry"] = chance.pick(["261121", "261120", "261231", "270228"])
    if chance.once_in(4):
        card["set"]["9F07"] = hexed(bytes([chance.below(256), 0xC0]))
    if chance.once_in(5):
        card["set"]["5F28"] = "0392"
    if chance.once_in(4):
        card["set"]["5F25"] = chance.pick(["261121", "261122", "500101"])
    for tag in ("9F0D", "9F0E", "9F0F"):
        if chance.once_in(3):
            card["set"][tag] = chance.pick(
                [None, hexed(bytes(chance.pick([0, 0, 0, 0x10, 0x80, 0xFF]) for _ in range(5)))]
            )
    if chance.once_in(3):
        card["answer"]["9F60"] = chance.pick(["00", "01", "02", "03"])
    if chance.once_in(4):
        card["answer"]["9F5F"] = "%012d" % chance.below(10**6)
    if chained and chance.once_in(6):
        card["sdad"] = chance.pick(["cid", "hash", "transaction hash", "trailer", "number sent"])
    if chained and chance.once_in(10):
        card["caIndex"] = "77"
    options = (
        0x22 & ~(0x20 * chance.once_in(5))
        | 0x40 * chance.once_in(4)
        | 0x10 * chance.once_in(4)
        | 0x08 * chance.once_in(4)
        | 0x01 * chance.once_in(3)
    )
    tip = hexed(bytes([chance.below(8) << 4 | 0x02 | 0x04 * chance.once_in(5), 0x80 * chance.once_in(2), 0]))
    made = {
        "source": "C-5: random",
        "options": "%02X00" % options,
        "tip": chance.pick([tip, tip, CVMS, UPDATES]),
        "amount": chance.pick([100, 1250, 4999, 5000, 6000, 9999, 10000, 12500, 29999, 30000, 49999, 50000]),
        "type": chance.pick(["00", "00", "00", "01", "09"]),
        "terminal": {"9F35": chance.pick(["22", "22", "22", "21", "25", "23", "26"])},
        "keys": "r" if chained else "",
        "cards": [card],
    }
    if made["type"] == "09":
        made["other"] = 300
    if options & 8:
        made["kernel5"] = {
            "randomSelection": {"threshold": 2000, "target": chance.below(50), "maximumTarget": 50 + chance.below(50)}
        }
    if options & 0x10 and chance.once_in(2):
        made["listed"] = [{}]
    made["limits"] = chance.pick([{}, {"transaction": None}, {"cdcvmTransaction": None}, {"cdcvmTransaction": 8000}])
    if chance.once_in(6):
        card["faults"] = {(1, chance.pick(["AE", "AE", "AE", "A8", "B2"]), 1): chance.pick(["timeout+", "timeout"])}
        made["cards"] = [card, "same"]
    elif chance.once_in(6) and options & 1:
        made["cards"] = [
            {
                "legacy": True,
                "more": "8E",
                "set": {"8E": "00" * 8 + chance.pick(["0203", "1E03", "1E030203", "1F03", "02031E03"])},
            }
        ]
        made["keys"] = ""
    elif "9F60" in card["answer"] and tip[2] == "8":
        made["cards"] = [card]
    return made


def scenes():
    if not SCENES:
        for family in (
            fci_scenes,
            options_scenes,
            record_scenes,
            risk_scenes,
            action_scenes,
            answer_scenes,
            signature_scenes,
            verification_scenes,
            legacy_scenes,
            torn_scenes,
            update_scenes,
        ):
            family()
    return SCENES


def dialogues(seed, count):
    """Every named scene by the book, some again in another profile, then `count` random ones."""
    made = []
    for name, one in scenes():
        chance = Chance(seed, "chosen", name)  # a scene more or less leaves the others as they are
        some = name.startswith("?")
        if some and not chance.once_in(3):
            continue
        name = "k5-" + name.lstrip("?")
        always = one.get("profiles", [BOOK])
        more = [profile for profile in (GUARDED, STRICT) if profile not in always and "profiles" not in one]
        chosen = [chance.pick(always)] if some else always + [profile for profile in more if chance.once_in(40)]
        for profile in chosen:
            trace = shoot(seed, name if profile == BOOK else "%s-%s" % (name, PROFILES[profile]), one, profile)
            if trace:
                made.append(trace)
            elif not some and profile == BOOK and always[0] == BOOK:
                UNPLAYED.append(name)
    for trace in made:  # what the card did not send is said where records are the subject
        data = trace["expect"]["data"]
        if "record" not in trace["name"]:
            trace["expect"]["data"] = {tag: value for tag, value in data.items() if value or tag not in CARD_OPTIONAL}
    number, tried = 0, 0
    while number < count:
        tried += 1
        chance = Chance(seed, "random", tried)
        one, profile = random_scene(chance), chance.pick([BOOK, BOOK, GUARDED, STRICT])
        trace = shoot(seed + tried, "k5-random-%d" % (number + 1), one, profile)
        if trace:
            number += 1
            made.append(trace)
    return made


UNPLAYED = []  # named scenes whose end is open in profile book


# ---------------------------------------------------------------------------------------------------------------
# Decision tables alone, as lines "function | inputs | outputs" (form of rules.py)
# ---------------------------------------------------------------------------------------------------------------

METHODS = {"none": 0, "signature": 1, "onlinePIN": 2, "cdcvm": 3}


class Lines:
    """Lines without repetitions. x: bytes in hex, ?: absent."""

    def __init__(self):
        self.lines, self.seen = [], set()

    def case(self, name, inputs, outputs):
        line = "%s | %s | %s" % (name, " ".join(map(self.text, inputs)), " ".join(map(self.text, outputs)))
        if line not in self.seen:
            self.seen.add(line)
            self.lines.append(line)

    @staticmethod
    def text(value):
        if value is None:
            return "?"
        return "x" + value.hex() if isinstance(value, (bytes, bytearray)) else str(int(value))


def random_cases(chance, out):
    """k5_draw | 4 bytes | number, ? where they are drawn again
    k5_random | number amount threshold floor target maximum | selected"""
    for value in (0, 1, 98, 99, 100, 4294967195, 4294967196, 4294967292, 4294967293, 4294967294, 4294967295):
        out.case("k5_draw", [value.to_bytes(4, "big")], [drawn_number(value)])
    for _ in range(100):
        value = chance.below(1 << 32)
        out.case("k5_draw", [value.to_bytes(4, "big")], [drawn_number(value)])
    for _ in range(1200):
        threshold = chance.pick([0, 1, 500, chance.below(10000)])
        floor = threshold + 1 + chance.pick([0, 1, chance.below(20000)])
        if chance.once_in(12):
            floor = 999999999999
        target = chance.pick([0, 99, chance.below(100)])
        maximum = chance.pick([99, target, target + chance.below(100 - target)])
        amount = chance.pick(
            [
                threshold,
                max(0, threshold - 1),
                floor - 1,
                chance.below(floor),
                threshold + chance.below(floor - threshold),
            ]
        )
        exact = target + (maximum - target) * max(0, amount - threshold) // (floor - threshold)
        number = min(99, max(1, chance.pick([exact, exact + 1, exact - 1, 1 + chance.below(99)])))
        chosen = selected_at_random(number, amount, threshold, floor, target, maximum)
        out.case("k5_random", [number, amount, threshold, floor, target, maximum], [chosen])


def risk_cases(chance, out):
    """k5_floor | legacy terminal-type options amount exponent floor | TVR 4.8
    k5_usage | 9F07 5F28 9F1A 9C amount-other 9F35 9F40 | allowed"""
    for _ in range(700):
        exponent = chance.below(4)
        amount = chance.pick([10**exponent, 10**exponent + 1, chance.below(20000)])
        floor = chance.pick([None, amount, amount + 1, max(0, amount - 1), chance.below(20000)])
        place, options = chance.pick([0x11, 0x14, 0x16, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x34, 0x35]), bytes(
            [chance.pick([0x22, 0x62, 0x23]), 0]
        )
        legacy = chance.once_in(4)
        out.case(
            "k5_floor",
            [legacy, bytes([place]), options, amount, exponent, floor],
            [floor_exceeded(legacy, place, options, amount, exponent, floor)],
        )
    for _ in range(1500):
        auc = bytes([chance.below(256), chance.below(4) << 6])
        country, kind = chance.pick([unhex("0276"), unhex("0276"), unhex("0392"), None]), chance.pick([0, 0, 1, 9])
        other, place = 500 * (kind == 9), chance.pick([0x22, 0x22, 0x14, 0x15, 0x16, 0x26])
        capabilities = chance.pick([unhex("6000B0A001"), unhex("8000000000"), unhex("E000B0A001")])
        inputs = [auc, country, unhex("0276"), bytes([kind]), other, bytes([place]), capabilities]
        out.case("k5_usage", inputs, [usage_allowed(auc, country, unhex("0276"), kind, other, place, capabilities)])


def action_cases(chance, out):
    """k5_action | 9C legacy transit options 95 TACs 9F0E 9F0F 9F0D 9F35 single-or-zero profile | result

    TACs: Denial, Online, Default; profile: 0 book, 1 guarded, 2 strict; result: 0 declined, 1 TC, 2 ARQC."""

    def mask():
        return bytes(chance.pick([0, 0, 0, 0x80, 0x10, 0x60, 0x04, chance.below(256)]) for _ in range(5))

    for _ in range(2600):
        kind, legacy, transit = chance.pick([0, 0, 0, 0, 1, 9, 0x20]), chance.once_in(4), chance.once_in(6)
        options, tvr = bytes([chance.pick([0x22, 0x32, 0x72]), 0]), mask()
        tac = tuple(chance.pick([unhex(value), mask(), bytes(5)]) for value in TAC_DEFAULTS.values())
        iac = tuple(chance.pick([None, mask(), bytes(5)]) for _ in range(3))
        place, single, profile = (
            chance.pick([0x22, 0x22, 0x21, 0x23, 0x24, 0x25, 0x26, 0x34]),
            chance.once_in(6),
            chance.below(3),
        )
        try:
            decided = action(kind, legacy, transit, options, tvr, tac, iac, place, single, profile)
        except Open:
            continue
        inputs = (
            [bytes([kind]), legacy, transit, options, tvr] + list(tac) + list(iac) + [bytes([place]), single, profile]
        )
        out.case("k5_action", inputs, [0 if decided == "declined" else 1 if decided == TC else 2])


def verification_cases(chance, out):
    """k5_cvm | 9F50 TIP cryptogram signed amount transaction-limit device-limit profile | end method
    k5_cvm_list | 8E static-TIP required downgraded profile | end method

    cryptogram: 1 TC, 2 ARQC; end: 0 goes on, 1 Declined, 2 Select Next; method: 0 none, 1 signature, 2 online PIN,
    3 on device.
    """
    ends = {"go": 0, "declined": 1, "limit": 2}
    for _ in range(3600):
        status = chance.pick([0, 0x10, 0x20, 0x30, 0x31, 0x31, 0x3F, chance.below(256)])
        tip = bytes([chance.below(256) & ~(4 * (not chance.once_in(6))) & 0xF7, chance.below(2) << 7, 0])
        cryptogram, amount = chance.pick([TC, ARQC, ARQC]), chance.below(4) * 100
        signed = cryptogram == TC or not chance.once_in(3)
        limits = [chance.pick([None, 100, 200, 300]) for _ in range(2)]
        profile = chance.below(3)
        try:
            end, method = verification(status, tip, cryptogram, signed, amount, limits[0], limits[1], profile)
        except Open:
            continue
        out.case(
            "k5_cvm",
            [bytes([status]), tip, cryptogram, signed, amount] + limits + [profile],
            [ends[end], METHODS[method] if method else None],
        )
    for _ in range(1500):
        rules = b"".join(
            bytes([chance.pick([0x02, 0x42, 0x1E, 0x5E, 0x1F, 0x01, 0x05, 0x82, 0x3F]), chance.below(10)])
            for _ in range(chance.below(5))
        )
        cvm_list = chance.pick(
            [
                None,
                bytes(chance.below(9)),
                chance.bytes(8) + rules,
                chance.bytes(8) + rules,
                bytes(8) + rules,
                bytes(8) + rules + b"\x02",
            ]
        )
        tip, required, downgraded, profile = (
            bytes([chance.below(16) << 4 & 0x70 | 2, 0, 0]),
            not chance.once_in(6),
            chance.once_in(4),
            chance.below(3),
        )
        try:
            method = legacy_verification(cvm_list, tip, required, downgraded, profile)
        except Open:
            continue
        declined = method == "declined"
        out.case(
            "k5_cvm_list",
            [cvm_list, tip, required, downgraded, profile],
            [declined, None if declined else METHODS[method]],
        )


ANSWER_SIZES = {"9F27": 1, "9F36": 2, "9F26": 8, "9F50": 1, "9F10": 8, "9F4B": 96, "9F5F": 6, "9F60": 1}


def random_answer(chance, asked):
    """An answer to GENERATE AC, mostly good."""
    objects = []
    for tag, size in ANSWER_SIZES.items():
        rarely = tag in ("9F5F", "9F60") or tag == "9F26" and asked or tag == "9F4B" and not asked
        if chance.once_in(2 if rarely else 12) != rarely:
            continue
        value = bytes(size)
        if tag == "9F27":
            value = bytes([chance.pick([0x80, 0x80, 0x40, 0x40, 0x00, 0xC0, 0x95])])
        elif tag == "9F60":
            value = bytes([chance.below(5)])
        elif tag == "9F5F":
            value = bcd(chance.below(10**6), 6)
        if chance.once_in(40):
            value = chance.pick([b"", value[:-1], value + b"\0"])
        objects.append(obj(tag, value))
        if chance.once_in(60):
            objects.append(chance.pick([objects[-1], b"\0", obj("9F37", bytes(4)), obj("DF01", b"\1")]))
    data = obj("80" if chance.once_in(50) else "77", b"".join(objects))
    return data[: chance.below(len(data))] if chance.once_in(40) else data


def answer_cases(chance, out):
    """k5_first_answer | data CDA-asked TIP-2.8 | good message-17 cryptogram recorded
    k5_second_answer | data | good
    k5_legacy_answer | data | good"""
    for _ in range(1500):
        asked, updates = chance.below(2), chance.below(2)
        data = random_answer(chance, asked)
        try:
            (read, recorded), second = first_answer(data, asked), second_answer(data)
        except Open:
            continue
        found = [False, None, None, "9F27" in recorded]
        if read is not None:
            found[:3] = [True, card_read_ok(read[0], updates), read[0]["9F27"][0] >> 6]
        out.case("k5_first_answer", [data, asked, updates], found)
        out.case("k5_second_answer", [data], [second is not None])
    for _ in range(60):
        data = obj(chance.pick(["80", "80", "80", "77"]), chance.bytes(chance.pick([19, 19, 18, 20, 0, 11, 51])))
        data = data[: chance.below(len(data))] if chance.once_in(8) else data
        out.case("k5_legacy_answer", [data], [legacy_answer(data) is not None])


def options_cases(chance, out):
    """k5_gpo | data | 82 94, ? where the tap ends"""
    for _ in range(700):
        afl = b""
        for _ in range(chance.below(4)):
            place = chance.pick([0x08, 0x10, 0x58, 0xF0, 0x00, 0xF8, 0x0F]) if chance.once_in(4) else 0x10
            afl += bytes([place, chance.pick([1, 1, 1, 0, 2]), chance.pick([1, 2, 2, 3]), chance.below(3)])
        aip = b"\x19\x80"
        if chance.once_in(5):
            aip = chance.pick([b"\x19\x80", b"\x18\x00", b"\x19", b"\x19\x80\x00", b""])
        objects = [obj("82", aip), obj("94", afl)]
        if chance.once_in(8):
            more = [obj("82", aip), obj("94", afl), obj("57", b"\1"), obj("9F36", b"\1"), b"\0"]
            objects.insert(chance.below(3), chance.pick(more))
        if chance.once_in(10):
            objects.pop(chance.below(len(objects)))
        data = obj("80", aip + afl) if chance.once_in(4) else obj("77", b"".join(objects))
        data = data[: chance.below(len(data))] if chance.once_in(20) else data
        found = processing_options(data)
        good = found is not None and afl_records(found[1]) is not None
        out.case("k5_gpo", [data], found if good else [None, None])


def list_cases(chance, out):
    """k5_dol | list 95 9F53 9F37 5A 57 | values, ? where the list breaks"""
    values = {
        "95": unhex("8000008000"),
        "9F53": unhex("F28000"),
        "9F37": unhex("A1B2C3D4"),
        "5A": unhex("3569990012290937"),
        "57": unhex("3569990012290937D301220100000000"),
        "9F52": b"\x02",
    }
    tags = "95 9F53 9F37 5A 57 9F52 9F33 DF01 9F66 DF8310 DF8432 70 9F1E DF8301 DF818101".split()
    for _ in range(900):
        dol = b""
        for _ in range(1 + chance.below(6)):
            tag = chance.pick(tags)
            short = tag in ("DF8310", "DF8432") and not chance.once_in(4)
            dol += unhex(tag) + (b"" if short else bytes([chance.below(12)]))
        if chance.once_in(8):
            dol = dol[: chance.below(len(dol))]
        read = parse_dol(dol)
        try:
            made = None if read is None else list_values(read, values)
        except Open:
            continue
        out.case("k5_dol", [dol] + [values[tag] for tag in ("95", "9F53", "9F37", "5A", "57")], [made])


def template_cases(chance, out):
    """k5_script | value of 71 | commands, ? where nothing is sent
    k5_fci | answer to SELECT | whole 84 50 9F38"""
    for _ in range(300):
        objects = []
        for _ in range(chance.below(5)):
            command = chance.bytes(4) + chance.pick([b"", b"\0", b"\2\1\2", b"\1\1\0"])
            objects.append(obj("86", command[: chance.below(4)] if chance.once_in(12) else command))
        if chance.once_in(3):
            objects.insert(0, obj("9F18", chance.bytes(chance.pick([4, 4, 3]))))
        template = b"".join(objects)
        if chance.once_in(8):
            template = template[: chance.below(len(template) + 1)]
        commands = script_commands(template)
        out.case("k5_script", [template], [None] if commands is None else commands)
    for _ in range(700):
        card = {"aid": JCB, "drop": chance.pick(["", "", "", "84", "A5", "50", "9F38"])}
        card["label"] = chance.pick([b"JCB", b"JCB", b"", b"J" * 16, b"J" * 17])
        card["pdol"] = chance.pick([PDOL, PDOL, "", "9F", LEGACY_PDOL])
        card["inside"] = chance.pick(["", "", "", "00", "9F3800", "5F2D0865", "BF0C00"])
        card["outside"] = chance.pick(["", "", "", "00", "8407A0000000651010", "A500", "870101"])
        data = fci_bytes(card)
        if chance.once_in(8):
            data = data[: chance.below(len(data))]
        fci = FCI(data)
        found = [True, fci.name, fci.label, fci.pdol] if fci.whole else [False, None, None, None]
        out.case("k5_fci", [data], found)


GROUPS = [
    random_cases,
    risk_cases,
    action_cases,
    verification_cases,
    answer_cases,
    options_cases,
    list_cases,
    template_cases,
]


def rules(seed):
    out = Lines()
    for number, group in enumerate(GROUPS):
        group(Chance(seed, "rules", number), out)
    return out.lines


# ---------------------------------------------------------------------------------------------------------------
# The files, and the checks of this program
# ---------------------------------------------------------------------------------------------------------------

# Asked only where the profile changes something, or of an event: there is no No.
ONE_SIDED = {"guarded 4.15: a TC with online PIN", "strict A05: online PIN before signature"}


def taps_text(seed, count):
    return "".join(json.dumps(trace, separators=(",", ":")) + "\n" for trace in dialogues(seed, count))


def rules_text(seed):
    head = "# Generated by Tests/Independent/generators/kernel_5.py --rules, seed %d\n" % seed
    for group in GROUPS:
        head += "".join("# %s\n" % line.strip() for line in group.__doc__.splitlines() if line.strip())
    return head + "".join(line + "\n" for line in rules(seed))


def not_monotone(count):
    """Random scenes in which a profile goes on where a more permissive one refuses (SECURITY.md, Profiles)."""
    found = []
    for number in range(count):
        one, ends = random_scene(Chance("monotone", number)), []
        for profile in (BOOK, GUARDED, STRICT):
            trace = shoot(number, "monotone", one, profile)
            if trace:
                ends.append(trace["expect"]["outcome"] in ("approved", "onlineRequest"))
        if ends != sorted(ends, reverse=True):
            found.append("random scene %d: a stricter profile goes on where another refuses" % number)
    return found


def check():
    return check_kernel(sys.modules[__name__], 5, 200, UNPLAYED)


if __name__ == "__main__":
    sys.exit(command(sys.modules[__name__]))
