#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of Kernel 8: reader, virtual cards that hold the other end of the channel, dialogues.

It was written from Book C-8 v1.0, Books A and B v2.10, EMV 4.3 Book 2, EMV 4.4 Book 3 and the project's checklist by
clause with its settled readings, before the kernel existed, by someone who has not read the project's C kernels. It is
slow and plain on purpose. Clauses are cited beside each rule: "20.18" is a symbol of C-8's state diagrams, "C.25" one
of chapter 7, "4.2 h" a reading of the checklist, "A" and "B" are Books A and B, "guarded" marks what that profile adds.
Where clauses and readings leave a result open, the kernel raises Open, and the generator draws again.

Process C may be heard before the next command goes out ("early") or after it and before its answer is looked at
("literal", checklist 4.1). Each dialogue is played both ways: where they differ, "early" alone is written, the order
that this project chose, with a name that ends in -early.

    kernel_8.py [SEED [COUNT]]   COUNT dialogues (emv-trace/1), one a line, on standard output
    kernel_8.py --rules [SEED]   decision tables alone: function | inputs | outputs
    kernel_8.py --write DIR      both files of Scripts/independent
    kernel_8.py --coverage       how often each question of the checklist was answered No and Yes
    kernel_8.py --check          replays the examples of Tests/Independent and the dialogues"""

# Readings, where book and clause list leave a choice:
# - in the key of a card (5A ‖ 5F34 behind zeros) the F that fills a PAN of 19 digits stays in 5A (from the known
#   answers)
# - the excess of a relay time is counted from the measured time after that has been stopped at FFFF
# - a wait of the kernel that no det follows ends with the deadline; the trace has no item for it
# - where the card may come back (Start B), what Entry Point shows in between is its own: messages is left out, and
#   after the last Select Next holdMs, fieldOffMs, errorIndication and discretionary
# - 9F8103 stays readable: data claims nothing about it, nor about 9F40
# - guarded: objects of the configuration (9F82xx) in a DOL (4.2 dd, A23); a record twice (A18); more than 30 ms
#   claimed by a card (A25); relay resistance without local authentication that held (A25); 9F8107 or a mandatory
#   object of GENERATE AC from elsewhere; a refund or an amount of zero that the card approves; a TC whose 5A or 5F24
#   is not covered; accounts, expiry dates or a check digit that do not agree (A17); a weak TAC Denial or TVR mask. In
#   all of these nothing is claimed; in strict besides where a relay bit is set
#
# Nothing is claimed, and no dialogue drawn, in any profile where these meet: 9F810A that names an object of the
# GENERATE AC answer (RPC.17 before GENERATE AC hashes it as absent, 2627.8 as it came: by the figures such a card
# fails local authentication); a third RESTART; a MAC of WRITE DATA that is not eight bytes; an empty 5A or 9F20 in a
# DOL; more than 64 records; counters at their limits; findings; single rules beside the profile.

import hashlib
import json
import sys

import kernel_8_channel as channel
from emv import (
    ANSWERS,
    Open,
    ask,
    bcd,
    command,
    examples,
    month_days,
    of_other_network,
    report,
    with_bit,
)
from kernel_8_channel import P256, hexed, unhex

DEFAULT_SEED = 20261122
DEFAULT_COUNT = 900
TAPS, RULES = "kernel_8.taps", "kernel_8_rules.txt"

AAC, TC, ARQC, RFU = range(4)  # bits 8 and 7 of 9F27; the first three are Kernel Decision's too
DECLINE, ACCEPT, ONLINE = AAC, TC, ARQC
BOOK, GUARDED, STRICT = range(3)
PROFILES = ["book", "guarded", "strict"]
AID = unhex("F0000008080101")
VISA, UNIONPAY = unhex("A0000000031010"), unhex("A000000333")
PPSE = b"2PAY.SYS.DDF01"
L2 = {"missing": 0x01, "status": 0x03, "parsing": 0x04, "card": 0x06, "terminal": 0x0F, "decryption": 0x10}
L2["eda"] = 0x13


class Fault(Exception):
    """The link failed: the card gave no answer."""

    def __init__(self, kind):
        super().__init__(kind)
        self.level = {"timeout": 1, "removed": 1, "transmission": 2, "protocol": 3}[kind]


class CardError(Exception):
    """What a card sent is refused, with the name of L2."""

    def __init__(self, name, status=b"\0\0"):
        super().__init__(name)
        self.name, self.status = name, status


# ---------------------------------------------------------------------------------------------------------------
# Random choices, numbers, bits
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

    def bytes(self, size):
        return bytes(self.below(256) for _ in range(size))

    def scalar(self):
        return 1 + int.from_bytes(self.bytes(32), "big") % (P256.n - 1)


def number_of(data):
    return int(hexed(data) or "0")


def unsigned(data):
    return int.from_bytes(data, "big")


def bit(data, byte, place):
    """Bit `place` (8 down to 1) of byte `byte` (from 1), as the books count."""
    return data[byte - 1] >> place - 1 & 1 == 1


def both(left, right):
    return bytes(a & b for a, b in zip(left, right))


# ---------------------------------------------------------------------------------------------------------------
# Data objects
# ---------------------------------------------------------------------------------------------------------------


def obj(tag, value, long_length=False):
    """One data object; `tag` in hex. `long_length`: one more byte of length than is needed."""
    size = len(value)
    plain = bytes([size]) if size < 128 else bytes([0x81, size]) if size < 256 else b"\x82" + size.to_bytes(2, "big")
    return unhex(tag) + (bytes([0x81, size]) if long_length and size < 128 else plain) + value


def objects(pairs):
    return b"".join(obj(tag, value) for tag, value in pairs)


def tag_at(data, at):
    """The place behind the tag that begins at `at`, or None where it is cut."""
    at += 1
    if data[at - 1] & 31 == 31:
        while True:
            if at >= len(data):
                return None
            at += 1
            if not data[at - 1] & 0x80:
                break
    return at


def series(data):
    """The objects of a field as (tag bytes, value, all bytes), or None if it does not parse (4.1.3, 4.2 rr)."""
    found, at = [], 0
    while at < len(data):
        if data[at] == 0:
            at += 1
            continue
        start, at = at, tag_at(data, at)
        if at is None or at >= len(data):
            return None
        tag, size = data[start:at], data[at]
        at += 1
        if size == 0x80 or size > 0x84:
            return None
        if size > 0x80:
            count = size - 0x80
            if at + count > len(data):
                return None
            size, at = unsigned(data[at : at + count]), at + count
        if at + size > len(data):
            return None
        found.append((tag, data[at : at + size], data[start : at + size]))
        at += size
    return found


def primitives(data):
    """All primitive objects, whatever template they stand in, as (tag, value); None where anything does not parse."""
    found = []
    parts = series(data)
    if parts is None:
        return None
    for tag, value, _ in parts:
        if tag[0] & 0x20:
            inner = primitives(value)
            if inner is None:
                return None
            found += [(tag, None)] + inner
        else:
            found.append((tag, value))
    return found


def tags(data):
    """The entries of a list of tags, or None where one is cut or has four bytes (4.2 ee, hh)."""
    found, at = [], 0
    while at < len(data):
        start, at = at, tag_at(data, at)
        if at is None or at - start > 3:
            return None
        found.append(hexed(data[start:at]))
    return found


def dol_entries(dol):
    """(tag, length) of each entry, or None where one is cut or a tag has four bytes (4.2 dd)."""
    found, at = [], 0
    while at < len(dol):
        start, at = at, tag_at(dol, at)
        if at is None or at - start > 3 or at >= len(dol):
            return None
        found.append((hexed(dol[start:at]), dol[at]))
        at += 1
    return found


ENVELOPES = {"9F81%02X" % number for number in range(0x11, 0x1B)}


def dictionary():
    """2.2, 2.3: the tags of Table A.37, with their update rights and (least, most, multiple) of their length."""
    card = (
        "42 3 50 0-16 57 0-19 5A 0-10 5F24 3 5F2D 2-8 5F30 2 5F34 1 82 2 84 5-16 87 1 8C 0-250 8F 1 90 0-248 92 0-255"
        " 9F07 2 9F0A 0-255 9F0C 3-4 9F10 0-32 9F11 1 9F12 0-16 9F1F 0-54 9F20 0-16 9F24 29 9F26 8 9F27 1 9F2C 7 9F36 2"
        " 9F38 0-240 9F42 2 9F44 1 9F46 0-248 9F48 0-255 9F4D 2 9F8102 1 9F8103 0-132 9F8104 5 9F8105 8 9F8106 0-128"
        " 9F8107 1 9F8108 2-5 9F810A 0-255 9F810B 0-66 9F810D 2"
    ).split()
    known = {}
    for tag, size in zip(card[::2], card[1::2]):
        least, _, most = size.partition("-")
        known[tag] = ({"RA"}, range(int(least), int(most or least) + 1))
    known["94"] = ({"RA"}, range(4, 249, 4))
    known["9F32"] = known["9F47"] = ({"RA"}, (1, 3))
    for tag in ENVELOPES:
        known[tag] = ({"RA"}, range(244))
    for tag in "5F57 9F02 9F03 9A 9F21 9F8202 9F8203 BF8104".split():
        known[tag] = ({"ACT", "DET"}, ())
    for tag in "5F2A 5F36 9C".split():
        known[tag] = ({"ACT"}, ())
    for tag in (
        "95 9E 9F01 9F06 9F09 9F15 9F16 9F1A 9F1C 9F1D 9F1E 9F2B 9F33 9F34 9F35 9F37 9F40 9F4E 9F8109 9F810C 9F8201"
        " BF8101 BF8102 BF8103"
    ).split() + ["9F82%02X" % number for number in range(0x04, 0x22) if number not in (0x02, 0x03)]:
        known[tag] = (set(), ())
    return known


KNOWN = dictionary()
NUMERIC = set(
    "9F02 9F03 9F42 9F44 5F24 5F34 9F11 42 9F0C 9F15 9F1A 9F35 5F2A 5F36 9A 9F21 9C 5F30 5F57 9F01 9F8211 9F820D"
    " 9F820E".split()
)
COMPRESSED = {"5A", "9F20"}
DEFAULTS = dict(
    pair.split("=")
    for pair in (
        "9F40=0000000000 9F09=0002 9F8206=00 9F8207=00 9F8208=00 9F821E=00 9F821F=9F8204 9F8212=0D 9F8209=0000"
        " 9F821A=84000080CF 9F1D=0000000000000000 9F35=00 9F1A=0000 9F8211=000013 9F821D=211820 9F8213=0014 9F8214=0032"
        " 9F820D=000000000000 9F820E=000000000000 9F8217=012C 9F8218=32 9F820A=00 9F8221= 9F820B=8400000040"
        " 9F820C=840084804C 9F8215=0012 9F8216=0018 9F820F=01F4 9C=00"
    ).split()
)
DATA_RECORD = (
    "9F02 9F03 9F26 5F24 82 50 5A 5F34 9F12 9F36 9F07 9F09 9F8106 9F810D 9F27 9F34 84 9F1E 9F10 9F8109 9F11 9F24 9F33"
    " 9F1A 9F35 95 57 5F2A 9A 9C 9F37"
).split()
ONLINE_ONLY = {"11", "14", "21", "24", "34"}
OFFLINE_ONLY = {"13", "16", "23", "26", "36"}


def fitted(tag, value, size):
    """Book 3, 5.4: an object cut or padded to the length that a list asks for."""
    if value is None:
        return bytes(size)
    if tag in NUMERIC:
        return value[len(value) - size :] if size <= len(value) else bytes(size - len(value)) + value
    if size <= len(value):
        return value[:size]
    return value + (b"\xff" if tag in COMPRESSED else b"\0") * (size - len(value))


# ---------------------------------------------------------------------------------------------------------------
# Decisions that stand alone
# ---------------------------------------------------------------------------------------------------------------


def action_analysis(tvr, denial, online, terminal_type, offline_card):
    """6.4.2."""
    if ask("TAA.1 denied", any(both(tvr, denial))):
        return DECLINE
    if ask("TAA.2 online-only terminal", terminal_type in ONLINE_ONLY):
        return ONLINE
    if ask("TAA.3 offline-only terminal", terminal_type in OFFLINE_ONLY):
        return ACCEPT if ask("TAA.5 offline-capable card", offline_card) else DECLINE
    if ask("TAA.4 online-only card", not offline_card):
        return ONLINE
    return ONLINE if ask("TAA.6 online asked for", any(both(tvr, online))) else ACCEPT


def cid_valid(cid, asked):
    """29.20: a card may only go down. `asked` is the decision of the first analysis."""
    kind = cid >> 6
    return kind == TC and asked == TC or kind == ARQC and asked in (TC, ARQC) or kind == AAC


def verification(decision, trmd):
    """29.25 to 29.42: (CVM, CVM Results, bit of TVR byte 3 or None)."""
    if decision == 0xFF:
        return "notApplicable", "3F0001", 8
    offered = {0x00: (4, "none", "1F0002"), 0x01: (6, "signature", "1E0000"), 0x02: (7, "onlinePIN", "020000")}
    offered[0x03] = (3, "cdcvm", "010002")
    if decision in offered and bit(trmd, 1, offered[decision][0]):
        return offered[decision][1], offered[decision][2], 3 if decision == 2 else None
    if decision == 0x0F:
        return "notApplicable", "3F0000", None
    return "notApplicable", "3F0001", 8


def masked_tvr(tvr, card_tvr, mask):
    """29.23."""
    return bytes(a & m | c & ~m & 0xFF for a, c, m in zip(tvr, card_tvr, mask))


class RelayTimes:
    """21.17 to 21.24, in units of 100 µs; `micros` is the measured time, `latency` the known part of it."""

    def __init__(self, micros, latency, answer, expected_command, expected_answer, grace):
        self.least, self.most, estimate = (unsigned(answer[at : at + 2]) for at in (4, 6, 8))
        taken = max(0, micros - latency) // 100
        measured = max(0, taken - expected_command - min(estimate, expected_answer))
        self.stops = measured > 0xFFFF
        self.measured = min(measured, 0xFFFF)
        self.excess = max(0, self.measured - self.most)
        self.too_fast = self.measured < max(0, self.least - grace[0])
        self.too_slow = self.measured > self.most + grace[1]
        self.estimate, self.expected = estimate, expected_answer

    def inaccurate(self, mismatch, accuracy):
        if self.estimate == 0 or self.expected == 0:
            return False
        return (
            self.estimate * 100 // self.expected < mismatch
            or self.expected * 100 // self.estimate < mismatch
            or max(0, self.measured - self.least) > accuracy
        )


def active_entries(afl):
    """20.23, 4.2 h: [(SFI, first, last, signed)], or None where an entry is wrong in itself."""
    found = []
    for at in range(0, len(afl), 4):
        sfi, first, last, signed = afl[at] >> 3, afl[at + 1], afl[at + 2], afl[at + 3]
        if sfi in (0, 31) or first == 0 or last < first or signed > last - first + 1:
            return None
        if not ask("20.23 SFI above 10", sfi > 10):
            found.append((sfi, first, last, signed))
    return found


def records_of(entries):
    """(SFI, record, signed?) in the order of the AFL."""
    return [
        (
            sfi, record, record - first < signed,
        ) for sfi, first, last, signed in entries for record in range(first, last + 1)
    ]


def offset_valid(offset, size):
    """28.4: counted wider than a byte."""
    return offset + 8 <= size


# ---------------------------------------------------------------------------------------------------------------
# Outcomes
# ---------------------------------------------------------------------------------------------------------------


class Outcome(Exception):
    def __init__(self, status, start="none", message=None, hold=None, restart=None):
        super().__init__(status)
        self.status, self.start, self.message, self.hold, self.restart = status, start, message, hold, restart
        self.cvm, self.receipt, self.alternate, self.field_off = "notApplicable", False, "none", None
        self.error, self.discretionary, self.data = None, {}, None
        self.no_network = self.by_limit = False
        self.silent = set()


# ---------------------------------------------------------------------------------------------------------------
# The kernel
# ---------------------------------------------------------------------------------------------------------------


class Kernel:
    """One activation. `reader` gives configuration, transaction, time and random bytes; `link` sends a command."""

    def __init__(self, reader, combination, fci, link, early):
        self.reader, self.combination, self.fci, self.link, self.early = reader, combination, fci, link, early
        self.profile = reader.profile
        self.exchange_option = combination.get("kernel8", {}).get("dataExchange", True)
        self.error = [0, 0, 0, b"\0\0", 0x1C]
        self.cvm, self.receipt, self.alternate, self.field_off = "notApplicable", False, "none", None
        self.decision, self.asked = ACCEPT, None
        self.pending, self.records_out, self.reads_out = [], 0, 0
        self.needed, self.to_send, self.to_read, self.to_validate, self.to_write = [], [], [], [], []
        self.certificates = None
        self.from_cryptogram, self.signed_tags = set(), set()
        self.start_database()

    # Database
    def start_database(self):
        """KS.1."""
        self.data = {tag: unhex(value) for tag, value in DEFAULTS.items()}
        self.data["9F06"] = unhex(self.combination["aid"])
        self.proprietary = {}
        limits = self.combination.get("limits", {})
        for name, tag in (("floor", "9F820D"), ("cvmRequired", "9F820E")):
            if name in limits:
                self.data[tag] = bcd(limits[name], 6)
        for tag, value in self.reader.configuration.get("terminal", {}).items():
            if tag in KNOWN:
                self.data[tag] = unhex(value)
        for tag, value in self.combination.get("data", {}).items():
            self.data[tag] = unhex(value)
            if not ask("KS.1 an object that C-8 lists", tag in KNOWN):
                self.proprietary[tag] = unhex(value)

    def filled(self, tag):
        """IsNotEmpty."""
        return bool(self.data.get(tag))

    def empty(self, tag):
        return tag in self.data and not self.data[tag]

    def store_card(self, string, single=True):
        """ParseAndStoreCardResponse (4.1.3, 2.4)."""
        top = series(string)
        walked = primitives(string)
        if ask("4.1.3 encoding error", top is None or walked is None) or ask("4.1.3 not one object", len(top) != 1):
            raise CardError("parsing")
        if ask("4.7.1 tag of four bytes", any(len(tag) > 3 for tag, _ in walked)):
            raise CardError("card")
        for tag, value in walked:
            if value is not None:
                self.store(hexed(tag), value)

    def store(self, tag, value):
        if ask("4.1.3 known tag", tag in KNOWN):
            rights, sizes = KNOWN[tag]
            if ask("4.1.3 terminal's tag from the card", "RA" not in rights):
                raise CardError("parsing")
            if ask("2.4 length outside the dictionary", len(value) not in sizes):
                raise CardError("parsing")
            if self.filled(tag):
                if not ask("4.1.3 repeated with the same bytes", self.data[tag] == value):
                    raise CardError("parsing")
            self.data[tag] = value
        elif ask("4.1.3 proprietary object of the configuration", tag in self.data):
            if not ask("4.1.3 the card may fill it", self.empty(tag) and not self.proprietary[tag]):
                raise CardError("parsing")
            self.data[tag] = value

    def fill(self, dol, limit):
        """4.1.4 and Book 3 5.4."""
        entries = dol_entries(dol)
        if ask("4.2 dd list cut or with a long tag", entries is None):
            raise CardError("card")
        made = b""
        for tag, size in entries:
            value = self.data.get(tag)
            if tag not in KNOWN and tag not in self.data or int(tag[:2], 16) & 0x20:
                value = None
            ask("4.1.4 object unknown or absent", value is None)
            if value == b"" and size and tag in COMPRESSED:
                raise Open()
            if value is not None and self.profile != BOOK and tag.startswith("9F82"):
                raise Open()  # A23 against 4.2 dd
            made += fitted(tag, value, size)
        if ask("4.2 dd more than one command holds", len(made) > limit):
            raise CardError("card")
        return made

    # Ends
    def indication(self):
        level_1, level_2, level_3, status, message = self.error
        return bytes([level_1, level_2, level_3]) + status + bytes([message])

    def hold_time(self):
        return number_of(self.data["9F8211"]) * 100

    def mapped(self, chosen):
        """CreateDataRecord, CreateDiscretionaryData: one pass over Tag Mapping List (4.2 m)."""
        listed = tags(self.data["9F8221"])
        names = dict(zip(listed[::2], listed[1::2]))
        return {names.get(tag, tag): value for tag, value in chosen}

    def end(self, outcome, listed=True, record=False):
        """Completes an outcome with what the parameter set holds, and leaves the kernel."""
        self.data["9F8204"] = self.indication()
        outcome.error = self.data["9F8204"]
        outcome.cvm, outcome.receipt, outcome.alternate = self.cvm, self.receipt, self.alternate
        outcome.field_off = self.field_off
        chosen = tags(self.data["9F821F"]) if listed else ["9F8204"]
        found = [(tag, self.data[tag]) for tag in chosen if self.filled(tag)]
        outcome.discretionary = self.mapped(found) if listed else dict(found)
        if record:
            outcome.data = self.mapped([(tag, self.data[tag]) for tag in DATA_RECORD if tag in self.data])
        raise outcome

    def refuse(self, error, listed=True):
        """END APPLICATION with message 1C: S202122232425-E, S2627-C, S28-C, S2930-H."""
        self.error[1], self.error[3] = L2[error.name], error.status
        self.end(Outcome("endApplication", message="1C", hold=self.hold_time()), listed)

    def link_lost(self, fault):
        """21.3, 22.10, 23.9, 26.5."""
        self.error[0], self.error[4] = fault.level, 0x21
        self.end(Outcome("endApplication", "B", restart="21"))

    def select_next(self, name, status=b"\0\0", listed=True):
        self.error[1], self.error[3], self.error[4] = L2[name], status, 0xFF
        self.end(Outcome("selectNext", "C"), listed)

    # Process C
    def signal(self, action, is_record=False):
        """What Process C answers: at once, or once the next command has gone out."""
        if self.early:
            action()
        else:
            self.pending.append((action, is_record))

    def hear(self, until=lambda: False):
        while self.pending and not until():
            self.pending.pop(0)[0]()

    def send(self, command, hears=True):
        """The answer, or the fault, comes after Process C has been heard (4.1)."""
        try:
            answer = self.link(command)
        except Fault as fault:
            answer = fault
        if hears:
            self.hear()
        if isinstance(answer, Fault):
            raise answer
        return answer

    # S1, S2
    def run(self):
        self.idle()
        self.processing_options()
        self.get_options()
        if ask(
            "20.24 relay resistance", bit(self.data["9F8209"], 1, 5) and bit(self.data["82"], 2, 1)
        ):
            self.relay()
        else:
            ask("20.24 kernel alone", bit(self.data["9F8209"], 1, 5))
            ask("20.24 card alone", bit(self.data["82"], 2, 1))
            self.set_tvr(5, 1)
        self.read()
        self.before_cryptogram()
        self.cryptogram()
        self.authenticate()
        self.verify()
        self.write()
        self.finish()

    def idle(self):
        try:
            if ask("1.5 FCI is not one 6F", self.fci[:1] != b"\x6f"):
                raise CardError("parsing")
            self.store_card(self.fci)
        except CardError as error:
            if error.name == "card":
                self.refuse(error, listed=False)  # 4.7.2, 2.4
            self.select_next("parsing", listed=False)
        version = self.data.get("9F2C", b"\0")
        for tag in ("84", "9F2C"):
            if ask("1.8 FCI without " + tag, not self.filled(tag)):
                self.select_next("missing", listed=False)
        if ask("1.8 version 00", version[0] == 0):
            self.select_next("missing", listed=False)
        ask("4.2 p version above 02", version[0] > 2)
        self.version_1 = ask("1.6 card version 1", version[0] == 1)
        suites = [suite for suite in version[1:4] if suite == 0]
        ask("C.100 suite 00 not in front", suites and version[1] != 0)
        self.rsa = ask("C.10 RSA certificates enabled", bit(self.data["9F8209"], 1, 6))
        self.channel = channel.KernelChannel(channel.fresh_private(self.reader.draw)) if suites else None
        if ask("1.11 field off detection", bit(version, 5, 8)):
            held = self.data["9F8212"][0]
            self.field_off = None if ask("1.11 hold time FF", held == 0xFF) else held * 100
        ask("1.10 language", self.filled("5F2D"))
        self.take_transaction()
        self.initialise()
        if ask("2.1 no common secure channel", not suites):
            self.refuse(CardError("card"))

    def take_transaction(self):
        """1.12, 2.3, 4.2 hh."""
        deal = self.reader.transaction
        given = {
            "9F02": bcd(deal["amount"], 6),
            "9F03": bcd(deal.get("amountOther", 0), 6),
            "5F2A": unhex(deal["currency"]),
            "5F36": bcd(deal.get("exponent", 2), 1),
            "9A": unhex(deal["date"].replace("-", "")[2:]),
            "9F21": unhex(deal["time"].replace(":", "")),
            "9C": unhex(deal.get("type", "00")),
        }
        given.update({tag: unhex(value) for tag, value in deal.get("data", {}).items()})
        for tag, value in given.items():
            if tag in KNOWN:
                if not ask("1.12 right ACT", "ACT" in KNOWN[tag][0]):
                    continue
                self.data[tag] = value
            elif ask("1.12 proprietary object with a value", self.proprietary.get(tag)):
                self.data[tag] = value
        self.judge_terminal(given, listed=False)

    def judge_terminal(self, given, listed):
        """4.2 hh: what this kernel must look into."""
        wrong = tags(given.get("9F8203", b"")) is None or series(given.get("BF8104", b"")) is None
        for tag, size in (("9F02", 6), ("9F03", 6), ("9A", 3)):
            value = given.get(tag, b"")
            wrong |= value != b"" and (len(value) != size or not hexed(value).isdigit())
        if ask("4.2 hh terminal data wrong", wrong):
            self.refuse(CardError("terminal"), listed)

    def initialise(self):
        """1.13."""
        self.data["9F34"] = bytes(3)
        self.data["95"] = unhex("0000000080")
        self.data["9F33"] = self.data["9F8206"] + b"\0" + self.data["9F820A"]
        self.data["9F810C"] = bytes(2)
        self.data["9F37"] = self.reader.draw(4)
        able = ask("1.13 local authentication enabled", bit(self.data["9F820A"], 1, 5))
        if self.channel:
            kinds = unhex("0110FF" if self.rsa else "10FFFF")
            self.data["9F2B"] = b"\x02" + bytes([0x80 if able else 0]) + b"\0" + kinds + b"\0\0"
            self.data["9E"] = self.channel.public
        if not ask("3.1 data exchange option", self.exchange_option):
            return
        self.data["9F821C"], self.data["9F821B"] = b"\x80", b"\0"
        for tag, add in (("9F8203", self.add_tags), ("BF8104", self.add_envelopes)):
            if ask("1.13 terminal asks with " + tag, self.filled(tag)):
                add(self.data[tag])
            elif ask("1.13 present and empty " + tag, self.empty(tag)):
                self.needed.append(tag)

    def add_tags(self, value):
        for tag in tags(value):
            if not ask("4.3 tag is in the queue already", tag in self.to_read):
                self.to_read.append(tag)

    def add_envelopes(self, value):
        for tag, _, raw in series(value):
            places = [place for place, (known, _) in enumerate(self.to_write) if known == tag]
            if ask("4.3 envelope is there already", places):
                self.to_write[places[0]] = (tag, raw)
            else:
                self.to_write.append((tag, raw))

    def processing_options(self):
        """2.15 to 2.25."""
        if ask("2.15 PDOL", self.filled("9F38")):
            try:
                self.pdol_values = self.fill(self.data["9F38"], 252)
            except CardError as error:
                self.refuse(error, listed=False)
            template = obj("83", self.pdol_values)
        else:
            self.pdol_values, template = b"", b"\x83\0"
        try:
            self.answer = self.link(b"\x80\xa8\0\0" + bytes([len(template)]) + template + b"\0")
            fault = None
        except Fault as lost:
            fault = lost
        if self.exchange_option:
            self.spool()
            if ask("2.23 something for the terminal", self.needed or self.to_send):
                self.dek(True)
        if ask("20.1 link lost at GPO", fault):
            self.error[0], self.error[4] = fault.level, 0xFF
            self.end(Outcome("tryAgain", "B"))

    # Data exchange
    def spool(self):
        """2.22, 2021222324.2: what is known moves to Data To Send."""
        for tag in list(self.to_read):
            if ask("2.22 object is known", self.filled(tag)):
                self.put(tag, self.data[tag])
                self.to_read.remove(tag)

    def put(self, tag, value):
        self.to_send = [(known, old) for known, old in self.to_send if known != tag] + [(tag, value)]

    def dek(self, with_needed):
        sent = {tag: hexed(value) for tag, value in self.to_send}
        if with_needed and self.needed:
            sent["9F8201"] = "".join(self.needed)
            self.needed = []
        self.reader.dek(sent)
        self.to_send = []

    def next_read(self):
        """GetNextReadDataTagFromList."""
        for tag in self.to_read:
            if tag in ENVELOPES:
                self.to_read.remove(tag)
                if tag not in self.to_validate:
                    self.to_validate.append(tag)
                return tag
        return None

    # S20
    def get_options(self):
        answer, status = self.answer[:-2], self.answer[-2:]
        if ask("20.10 status of GPO", status != b"\x90\0"):
            self.field_off = None
            self.select_next("status", status)
        try:
            self.take_template(answer, 0x77, "20.13")
            for tag in ("94", "82", "9F8103"):
                if ask("20.18 no " + tag, not self.filled(tag)):
                    raise CardError("missing")
            if ask("20.20 no CDOL1", not self.filled("8C")):
                if not ask("20.18 default CDOL1", self.filled("9F8220")):
                    raise CardError("missing")
                self.data["8C"] = self.data["9F8220"]
            entries = active_entries(self.data["94"])
            if ask("4.2 h AFL entry wrong", entries is None):
                raise CardError("card")
        except CardError as error:
            self.refuse(error)
        self.records = records_of(entries)
        ask("20.23 Active AFL is empty", not self.records)
        if len(self.records) > 64:
            raise Open()  # R08
        if self.profile != BOOK and len({(sfi, record) for sfi, record, _ in self.records}) != len(self.records):
            raise Open()  # A18 says that it ends, not with what
        if ask("C.11 Card Key Data of 64 bytes", len(self.data["9F8103"]) == 64):
            ask("8.2 x of the blinded key has no point", P256.recover(self.data["9F8103"][:32]) is None)
        if not self.channel.card_key_data(self.data["9F8103"]):
            self.signal(self.decryption_failed)

    def decryption_failed(self):
        self.refuse(CardError("decryption"))

    def take_template(self, answer, first, question):
        if ask(question + " no template, or another", len(answer) < 2 or answer[0] != first):
            raise CardError("parsing")
        self.store_card(answer)

    def set_tvr(self, byte, place, value=True):
        self.data["95"] = with_bit(self.data["95"], byte, place, value)

    # S21
    def relay(self):
        data, attempts = self.data, 0
        latency = self.combination.get("kernel8", {}).get("relayLatencyMicroseconds", 0)
        numbers = [unsigned(data[tag]) for tag in ("9F8215", "9F8216", "9F8213", "9F8214")]
        try:
            while True:
                data["9F37"] = self.reader.draw(4)  # 2021.11
                attempts += 1
                answer = self.send(b"\x80\xea\0\0\x04" + data["9F37"] + b"\0", hears=False)
                if ask("21.12 status of RRP", answer[-2:] != b"\x90\0"):
                    raise CardError("status", answer[-2:])
                answer = answer[:-2]
                if ask("21.14 answer begins otherwise or is short", len(answer) < 12 or answer[:2] != b"\x80\x0a"):
                    raise CardError("parsing")
                ask("4.2 i answer longer than twelve", len(answer) > 12)
                micros = self.reader.micros()
                times = RelayTimes(micros, latency, answer[2:12], numbers[0], numbers[1], numbers[2:])
                ask("4.2 ff time beyond two bytes", times.stops)
                if self.profile != BOOK and times.most > 300:
                    raise Open()  # A25: relay.maxCardTime_ms
                data["9F810C"] = times.excess.to_bytes(2, "big")
                if ask("21.18 too fast", times.too_fast):
                    raise CardError("card")
                if not ask("21.20 again", times.too_slow and attempts < 3):
                    break
        except Fault as fault:
            ask("21.1 link lost at RRP", True)
            self.link_lost(fault)
        except CardError as error:
            self.refuse(error)
        ask("21.1 link lost at RRP", False)
        self.relay_data = data["9F37"] + answer[2:12]
        if ask("21.22 too slow at the end", times.too_slow):
            self.set_tvr(5, 3)
        if ask("21.24 threshold", times.inaccurate(data["9F8218"][0], unsigned(data["9F8217"]))):
            self.set_tvr(5, 4)
        self.set_tvr(5, 2)
        if self.profile == STRICT and (bit(data["95"], 5, 4) or bit(data["95"], 5, 3)):
            raise Open()  # A24: relay decline

    # S22, S23, S24
    def read(self):
        """Commands in their order: queued READ DATA, then records, then the waiting for the terminal."""
        try:
            kind = self.next_command()
            while True:
                while kind != "none":
                    kind = self.one_answer(kind)
                if not self.exchange_option or not self.wait_needed():
                    break
                kind = self.wait()
        except Fault as fault:
            ask("22.1, 23.1 link lost while reading", True)
            self.link_lost(fault)
        except CardError as error:
            self.refuse(error)
        ask("22.1, 23.1 link lost while reading", False)
        if ask(
            "2021222324.14 amount or date missing", not (self.filled("9F02") and self.filled("9A"))
        ):
            self.error[2], self.error[4] = 3, 0xFF
            self.end(Outcome("endApplication"))

    def next_command(self, records=True):
        """Sends READ DATA or READ RECORD; its answer is kept, Process C is heard."""
        tag = self.next_read() if self.exchange_option else None
        if ask("2021.2 READ DATA is queued", tag is not None):
            self.outstanding = self.send_kept(b"\x84\x32\0\0\x03" + unhex(tag) + b"\0")
            return "data"
        if records and self.records:
            sfi, record, _ = self.records[0]
            self.outstanding = self.send_kept(b"\0\xb2" + bytes([record, sfi << 3 | 4, 0]))
            return "record"
        return "none"

    def send_kept(self, command):
        """The answer is taken now and looked at later: DEK and Process C come between."""
        try:
            return self.link(command)
        except Fault as fault:
            return fault

    def one_answer(self, kind):
        self.hear()
        answer = self.outstanding
        if isinstance(answer, Fault):
            raise answer
        return self.one_record(answer) if kind == "record" else self.one_envelope(answer)

    def one_record(self, answer):
        """S22-B."""
        if ask("22.16 status of READ RECORD", answer[-2:] != b"\x90\0"):
            raise CardError("status", answer[-2:])
        record, signed = answer[:-2], self.records[0][2]
        if ask("22.26 encrypted record", len(record) > 1 and record[0] == 0xDA):
            self.encrypted_record(record, signed)
        else:
            self.take_template(record, 0x70, "22.28")
            self.sign_record(record, signed)
        self.records.pop(0)
        kind = self.next_command()
        self.after_command(kind)
        return kind

    def encrypted_record(self, record, signed):
        parts = series(record)
        if ask("4.2 ii DA does not fit", parts is None or len(parts) != 1 or parts[0][2] != record):
            raise CardError("parsing")
        value = parts[0][1]
        plain = self.channel.decrypt_record(value)
        if plain is None:
            self.signal(self.decryption_failed)
            return
        made = b"\x70" + record[1 : len(record) - len(value)] + plain
        self.sign_record(made, signed)
        self.records_out += 1

        def decrypted():
            self.take_decrypted(made)
            self.records_out -= 1

        self.signal(decrypted, is_record=True)

    def take_decrypted(self, made):
        """22.46 to 22.50 and their like; in S26 the end is S2627-C, which looks the same."""
        try:
            self.store_card(made)
        except CardError as error:
            self.refuse(error)

    def sign_record(self, made, signed):
        """C.22, C.23."""
        if ask("C.22 signed record", signed):
            value = self.whole_value(made)
            self.channel.signed += value
            self.signed_tags |= {hexed(tag) for tag, held in primitives(value) or [] if held is not None}

    @staticmethod
    def whole_value(made):
        """The value field of 70, found by its length bytes alone."""
        count = made[1] - 0x80 if made[1] > 0x80 else 0
        size = unsigned(made[2 : 2 + count]) if count else made[1]
        return made[2 + count : 2 + count + size]

    def after_command(self, kind):
        """2021222324.1 to .5."""
        if kind != "record" or not self.exchange_option:
            return
        self.spool()
        if ask("2021222324.3 something to send, no tag left", self.to_send and not self.to_read):
            self.dek(False)

    def one_envelope(self, answer):
        """S23-B: the next command goes out first, then the answer is looked at."""
        kind = None
        if not self.early:
            kind = self.next_command()
        if ask("23.25 status of READ DATA", answer[-2:] != b"\x90\0"):
            self.data["9F821C"] = b"\0"
        else:
            self.reads_out += 1
            plain = self.channel.open_envelope(answer[:-2])
            self.signal(lambda: self.envelope(plain))
        if self.early:
            kind = self.next_command()
        self.after_command(kind)
        return kind

    def envelope(self, plain):
        """22.51a to 22.56."""
        self.reads_out -= 1
        if not ask("C.57 MAC of the envelope is right", plain is not None):
            self.data["9F821C"] = b"\0"
            return
        end = tag_at(plain, 0) if plain else None
        tag = hexed(plain[:end]) if end else None
        if not ask("22.51b tag was asked for", tag in self.to_validate):
            self.data["9F821C"] = b"\0"
            return
        self.to_validate.remove(tag)
        try:
            self.store_card(plain)
        except CardError:
            ask("22.53 envelope does not parse", True)
            self.data["9F821C"] = b"\0"
            return
        ask("22.53 envelope does not parse", False)
        self.put(tag, self.data[tag])

    def wait_needed(self):
        """2021222324.6, .13."""
        if ask("2021222324.6 empty Proceed To First Write Flag", self.empty("9F8202")):
            if "9F8202" not in self.needed:
                self.needed.append("9F8202")
            return True
        return ask("2021222324.13 flag is 00", self.data.get("9F8202") == b"\0")

    def wait(self):
        """S24: DEK where something is to be said, then DET or the deadline."""
        self.spool()
        if ask("2021222324.9 DEK when the wait begins", self.needed or self.to_send and not self.to_read):
            self.dek(True)
        while self.pending:
            action, is_record = self.pending.pop(0)
            action()
            if is_record:
                self.spool()  # 24.24; an envelope does not spool
            if self.to_send:
                self.dek(False)
        given = self.reader.det()
        if ask("24.1 deadline", given is None):
            self.error[2], self.error[4] = 1, 0xFF
            self.end(Outcome("endApplication"))
        self.judge_terminal(given, listed=True)
        for tag, value in given.items():
            allowed = "DET" in KNOWN[tag][0] if tag in KNOWN else bool(self.proprietary.get(tag))
            if ask("24.11 right DET", allowed):
                self.data[tag] = value
        if "9F8203" in given:
            self.add_tags(given["9F8203"])
        if "BF8104" in given:
            self.add_envelopes(given["BF8104"])
        return self.next_command(records=False)

    # S25, and before GENERATE AC
    def before_cryptogram(self):
        self.hear(until=lambda: self.reads_out == 0)  # S25
        data = self.data
        amount = number_of(data["9F02"])
        if ask("…425.7 above the CVM limit", amount > number_of(data["9F820E"])):
            self.receipt = True
            data["9F33"] = data["9F33"][:1] + data["9F8207"] + data["9F33"][2:]
            data["9F1D"] = with_bit(data["9F1D"], 2, 8)
        else:
            data["9F33"] = data["9F33"][:1] + data["9F8208"] + data["9F33"][2:]
        for place in (7, 6, 4, 3):
            data["9F1D"] = with_bit(data["9F1D"], 1, place, bit(data["9F33"], 2, place))
        if ask("…425.14 above the floor limit", amount > number_of(data["9F820D"])):
            self.set_tvr(4, 8)
        if not ask("…425.16 AID matches", data["84"].startswith(data["9F06"])):
            self.set_tvr(5, 7)
        self.local = bit(data["9F2B"], 2, 8) and bit(data["82"], 1, 1)
        if not ask("…425.18 local authentication", self.local):
            ask("…425.18 the card alone", bit(data["82"], 1, 1))
            ask("…425.18 the kernel alone", bit(data["9F2B"], 2, 8))
            self.set_tvr(1, 8)
        self.analyse()
        self.asked = self.decision

    def denial(self):
        code = self.data["9F820B"]
        if self.profile != BOOK and ask("guarded A24: offline-only", hexed(self.data["9F35"]) in OFFLINE_ONLY):
            code = bytes(a | b for a, b in zip(code, unhex("000000000C")))
        return code

    def analyse(self):
        self.decision = action_analysis(
            self.data["95"], self.denial(), self.data["9F820C"], hexed(self.data["9F35"]), bit(self.data["82"], 2, 4)
        )
        if self.profile != BOOK and self.decision == ACCEPT and self.local and not self.list_is_signed():
            alone = ask("guarded A35: a terminal without a host", hexed(self.data["9F35"]) in OFFLINE_ONLY)
            self.decision = DECLINE if alone else ONLINE
        if self.profile != BOOK and self.decision == ACCEPT and self.version_1:
            if ask("guarded A37: version 1 without the copy", not self.copies()):
                alone = ask("guarded A37: a terminal without a host", hexed(self.data["9F35"]) in OFFLINE_ONLY)
                self.decision = DECLINE if alone else ONLINE

    def copies(self):
        """28.2."""
        return self.data["82"][1] >> 1 & 3 in (1, 2)

    def list_is_signed(self):
        """A35: CDOL1 in a signed record or named by 9F810A, with amount, type and unpredictable number in it."""
        listed = tags(self.data["9F810A"]) if self.filled("9F810A") else []
        if listed is None:
            raise Open()  # 4.2 ee ends the tap later
        covered = "8C" in self.signed_tags or "8C" in listed
        asked = dol_entries(self.data["8C"]) or []
        whole = all(entry in asked for entry in (("9F02", 6), ("9C", 1), ("9F37", 4)))
        if not ask("guarded A35: CDOL1 is covered", covered):
            return False
        return ask("guarded A35: CDOL1 asks for amount, type and number", whole)

    # S26, S27
    def cryptogram(self):
        try:
            self.cdol_values = self.fill(self.data["8C"], 255)
            if not self.cdol_values:
                raise Open()
            more = ask("…425.22 envelopes are queued", self.exchange_option and self.to_write)
            answer = self.send(
                b"\x80\xae" + bytes(
                    [self.asked << 6, 0x80 if more else 0, len(self.cdol_values)]
                ) + self.cdol_values + b"\0"
            )
            if ask("26.8 status of GENERATE AC", answer[-2:] != b"\x90\0"):
                raise CardError("status", answer[-2:])
            answer = answer[:-2]
            self.take_template(answer, 0x77, "26.10")
            self.from_cryptogram = {hexed(tag) for tag, held in primitives(answer) if held is not None}
            for tag in ("9F36", "9F27", "9F26", "9F8102", "9F8105", "9F10"):
                if ask("26.14 no " + tag, not self.filled(tag)):
                    raise CardError("missing")
                if ask(
                    "4.2 oo cryptogram data from elsewhere", tag not in self.from_cryptogram,
                ) and self.profile != BOOK:
                    raise Open()
        except Fault as fault:
            ask("26.1 link lost at GENERATE AC", True)
            self.link_lost(fault)
        except CardError as error:
            self.refuse(error)
        ask("26.1 link lost at GENERATE AC", False)
        if not more:
            self.reader.say("1E")
        self.returned = series(answer)[0][1]

    # S2627, S28, S29
    def authenticate(self):
        data = self.data
        try:
            if ask("2627.1 no PAN", not self.filled("5A")):
                raise CardError("missing")
            self.doubtful_account()
            self.refuse_account()
            if self.exchange_option:
                self.spool()
                if ask("2627.4 something to send", self.to_send):
                    self.dek(False)
            extended = self.extended_data()
            mac = self.channel.iad_mac(self.mac_message(), self.channel.static_data(extended, data["82"]))
            data["9F8109"] = mac
            self.copy_mac(mac)
            failed = self.certificate_result(extended) if self.local else False
        except CardError as error:
            self.refuse(error)
        message = data["9F26"] + (data["9F10"] if self.version_1 else mac)
        if ask("29.7 EDA-MAC wrong", self.channel.eda_mac(message) != data["9F8105"]):
            self.refuse(CardError("eda"))
        if failed:
            self.set_tvr(1, 3)
        self.failed = failed

    def doubtful_account(self):
        """A17 says what the other profiles look at, and not how Kernel 8 then ends."""
        pan, track = hexed(self.data["5A"]).rstrip("F"), hexed(self.data.get("57", b""))
        expiry = hexed(self.data.get("5F24", b""))[:4]
        unlike = track and track.partition("D")[0] != pan
        odd = track and expiry and track.partition("D")[2][:4] != expiry
        if self.profile != BOOK and (unlike or odd or check_digit(pan[:-1]) != pan[-1:]):
            raise Open()

    def extended_data(self):
        """2627.8; GetTLV codes lengths in the shortest form (4.2 kk)."""
        if not ask("2627.7 Extended SDA Tag List", self.filled("9F810A")):
            return b""
        listed = tags(self.data["9F810A"])
        if ask("4.2 ee list cut", listed is None):
            raise CardError("card")
        made = b""
        for tag in listed:
            if tag in self.from_cryptogram:
                raise Open()  # RPC.17 before GENERATE AC against 2627.8
            absent = ask("2627.8 listed object absent or empty", not self.filled(tag))
            made += unhex(tag) + b"\0" if absent else obj(tag, self.data[tag])
            if not absent:
                self.signed_tags.add(tag)
        return made

    def mac_message(self):
        """2627.11, .12: objects as they were returned."""
        left_out = {"9F26", "9F8105"} | ({"9F10"} if self.version_1 else set())
        kept = b"".join(raw for tag, _, raw in series(self.returned) if hexed(tag) not in left_out)
        performed = ask("2627.10 relay resistance performed", bit(self.data["95"], 5, 2))
        return self.pdol_values + self.cdol_values + (self.relay_data if performed else b"") + kept

    def copy_mac(self, mac):
        """28.3 to 28.6."""
        where = self.data["82"][1] >> 1 & 3
        if where == 1:
            offset = self.data["9F821E"]
        elif where == 2:
            offset = self.data.get("9F8107", b"")
            if self.filled("9F8107") and "9F8107" not in self.from_cryptogram and self.profile != BOOK:
                raise Open()
            if ask("28.4 no 9F8107", not offset):
                raise CardError("card")
        ask("28.2 MAC is copied at the default offset", where == 1)
        if not ask("28.2 MAC is copied", where in (1, 2)):
            return
        data = self.data["9F10"]
        if not ask("28.4 offset valid", offset_valid(offset[0], len(data))):
            raise CardError("card")
        self.data["9F10"] = data[: offset[0]] + mac + data[offset[0] + 8 :]

    def certificate_result(self, extended):
        """28.8 to 28.10 and 29.1 to 29.6: True is 'local authentication failed'."""
        data = self.data
        if ask("RPC.2 no 8F", not self.filled("8F")):
            raise CardError("card")
        if self.profile != BOOK and ask("guarded: RID of 84 is another", data["84"][:5] != data["9F06"][:5]):
            return True
        key = self.reader.ca_key(data["84"][:5], data["8F"], self.profile)
        if ask("RPC.2a no CA key", key is None):
            return True
        if ask("RPC.3 CA key of another suite", key["kind"] == "other"):
            return True
        wanted = ["90", "9F46"] + (["9F32", "9F47"] if key["kind"] == "rsa" else [])  # 5A is there since 2627.1
        for tag in wanted:
            if ask("RPC %s: no %s" % (key["kind"], tag), not self.filled(tag)):
                raise CardError("card")
        static = self.channel.static_data(extended, data["82"])
        point = self.ecc_chain(key, static) if key["kind"] == "ecc" else self.rsa_chain(key, static)
        if point is None:
            return True
        valid = channel.blinding_valid(self.channel.factor, point, self.channel.blinded_x)
        return not ask("C.52 blinding factor valid", valid)

    def ecc_chain(self, key, static):
        now = self.reader.utc(self.data["9A"], self.data["9F21"])
        pan = hexed(self.data["5A"]).rstrip("F")
        issuer, step = channel.ecc_issuer_key(
            self.data["90"], key["point"], self.data["84"][:5], self.data["8F"], pan, now[:8], self.reader.revoked
        )
        for number in range(1, 13):
            if number != 10 and (step is None or number <= step):
                if ask("C.25.%d fails" % number, number == step):
                    return None
        card, step = channel.ecc_card_key(self.data["9F46"], issuer, static, now)
        for number in range(1, 11):
            if step is None or number <= step:
                if ask("C.36.%d fails" % number, number == step):
                    return None
        return card

    def rsa_chain(self, key, static):
        data = self.data
        if ask("C.24a RSA not enabled", not self.rsa):
            return None
        today, pan = hexed(data["9A"]), hexed(data["5A"]).rstrip("F")
        issuer, step = channel.rsa_issuer_key(
            data["90"], key["rsa"], data["9F32"], data.get("92", b""), data["84"][:5], data["8F"], pan, today,
            self.reader.revoked,
        )
        for number in (1, 2, 3, 4, 7, 8, 9, 10, 11, 12):
            if step is None or number <= step:
                if ask("C.26: Book 2 6.3 step %d fails" % number, number == step):
                    return None
        step = channel.rsa_card_certificate(
            data["9F46"], issuer, data["9F47"], data.get("9F48", b""), pan, static, today
        )
        for number in (1, 2, 3, 4, 7, 8, 9, 10):
            if step is None or number <= step:
                if ask("C.34: Book 2 6.4 step %d fails" % number, number == step):
                    if number == 8 and self.profile != BOOK:
                        raise Open()  # A17
                    return None
        found = next((value for tag, value, _ in series(static[:-2]) or [] if hexed(tag) == "9F810B"), None)
        if ask("C.39 no 9F810B in the signed data", found is None):
            return None
        point = P256.recover(found)
        if ask("4.2 e 9F810B is no point", point is None):
            return None
        return point

    # S29
    def verify(self):
        data = self.data
        cid = data["9F27"][0]
        if not ask("29.20 CID valid", cid_valid(cid, self.asked)):
            self.refuse(CardError("card"))
        ask("29.20 a card went down", cid >> 6 != self.asked)
        ask("29.20 bits 6 to 1 of the CID", cid & 0x3F)
        if ask("29.21 Card TVR", self.filled("9F8104")):
            elsewhere = ask("4.2 oo Card TVR from elsewhere", "9F8104" not in self.from_cryptogram)
            if not (elsewhere and self.profile != BOOK):
                changed = masked_tvr(data["95"], data["9F8104"], data["9F821A"])
                ask("29.23 Card TVR sets a bit", any(a & ~b for a, b in zip(changed, data["95"])))
                ask("29.23 Card TVR clears a bit", any(b & ~a for a, b in zip(changed, data["95"])))
                data["95"] = changed
        self.cvm, results, place = verification(data["9F8102"][0], data["9F1D"])
        ask("29.25 CV decision %s" % hexed(data["9F8102"])[:2], True)
        ask("29.25 CV decision %s" % hexed(data["9F8102"])[:2], False)
        ask("29.26, 29.41 verification failed", place == 8)
        data["9F34"] = unhex(results)
        if place:
            self.set_tvr(3, place)
        first = self.decision
        self.analyse()
        ask("29.43 second analysis decides otherwise", first != self.decision)

    # S30
    def write(self):
        """29.44 to 29.46, S30."""
        if not self.exchange_option or not self.to_write:
            return
        if ask(
            "29.44a local authentication missing or failed", bit(self.data["95"], 1, 8) or bit(self.data["95"], 1, 3),
        ):
            self.reader.say("1E")
            return
        if self.write_all():
            self.data["9F821B"] = b"\x80"
        self.reader.say("1E")

    def write_all(self):
        while self.to_write:
            _, raw = self.to_write.pop(0)
            if ask("4.2 gg envelope too long for a command", len(raw) > 255):
                return False
            cipher = self.channel.seal_envelope(raw)
            last = 0 if not ask("30.7 more follow", self.to_write) else 0x80
            try:
                answer = self.link(b"\x84\x34\0" + bytes([last, len(cipher)]) + cipher + b"\0")
            except Fault:
                ask("30.1 link lost at WRITE DATA", True)
                return False
            ask("30.1 link lost at WRITE DATA", False)
            if ask("30.9 status of WRITE DATA", answer[-2:] != b"\x90\0"):
                return False
            if len(answer) != 10 and len(answer) > 2:
                raise Open()  # a MAC of another length
            if not ask("30.5 MAC of WRITE DATA is right", self.channel.written(raw, answer[:-2])):
                return False
        return True

    # S2930
    def finish(self):
        data = self.data
        if not ask("2930.1a failure is reported", bit(data["9F8209"], 1, 4)):
            self.set_tvr(1, 3, False)
        self.error[4] = 0xFF
        indicator = data.get("9F8108", b"")
        if indicator and self.profile != BOOK and "9F8108" not in self.from_cryptogram:
            ask("guarded: Restart Indicator from elsewhere", True)
            indicator = b""
        else:
            ask("guarded: Restart Indicator from elsewhere", False)
        ask("2930.2 Restart Indicator", indicator)
        kind = data["9F27"][0] >> 6
        if ask("2930.2 RESTART", indicator and indicator[0] >> 4 == 2):
            if self.reader.restarts >= 2:
                raise Open()  # guarded bounds them, the books do not
            self.reader.restarts += 1
            message = self.allowed_message(indicator) or "21"
            self.end(
                Outcome("endApplication", "B", message=message, hold=self.hold_time(), restart=message), record=True
            )
        offline_only = hexed(data["9F35"]) in OFFLINE_ONLY
        approved = ask("2930.12 approved", kind == TC and self.decision == ACCEPT)
        if approved:
            self.vouched_for()
        if approved or kind == ARQC and self.decision != DECLINE or kind != AAC and self.decision == ONLINE:
            if not (offline_only and not approved):
                self.guard_holder(offline_only, indicator)
        if kind == TC and self.decision == ACCEPT:
            self.approve()
        online = kind == ARQC and self.decision != DECLINE or kind != AAC and self.decision == ONLINE
        if online and ask("4.2 n online at an offline-only terminal", offline_only) and self.profile != BOOK:
            online = False
        if ask("2930.18 online", online):
            self.unbound()
            self.end(Outcome("onlineRequest", message="1B", hold=0), record=True)
        self.decline(indicator)

    def unbound(self):
        """What guarded leaves open where relay resistance was not bound by a verified card (A25)."""
        if self.profile != BOOK and bit(self.data["95"], 5, 2) and (not self.local or self.failed):
            raise Open()

    def refuse_account(self):
        """A03: an account that the brand of the selected name cannot have ends the tap."""
        if self.profile == BOOK or not ask("guarded A03: a name of Visa's", self.data["84"][:7] == VISA):
            return
        if ask("guarded A03: an account of another brand", hexed(self.data["5A"])[:1] != "4"):
            raise CardError("card")

    def guard_holder(self, offline_only, indicator):
        """A36, A37, A39, above the CVM limit: what the card decided of its holder stands where it is believed. Else an
        online PIN where the reader has one and the transaction may go online, another interface, declined."""
        if self.profile == BOOK:
            return
        if not ask("guarded A36: above the limit", number_of(self.data["9F02"]) > number_of(self.data["9F820E"])):
            return
        if ask("guarded A36: the decision is believed", self.believed()):
            return
        if ask("guarded A36: the reader has online PIN", bit(self.data["9F1D"], 1, 7)) and not offline_only:
            self.cvm, self.data["9F34"], self.decision = "onlinePIN", unhex("020000"), ONLINE
            return
        contacts = ask("guarded A36: the reader has contacts", bit(self.data["9F33"], 1, 6))
        self.decline(b"\x31\0" if contacts else indicator)

    def believed(self):
        """Nothing is weaker than an online PIN but what follows. The IAD-MAC covers the answer and whatever a signed
        record or 9F810A covers. The issuer checks its copy; the kernel checks it by the EDA-MAC, which in version 1
        reaches it through the copy alone, and knows whose channel it is by local authentication."""
        if ask("guarded A36: the card chose online PIN", self.cvm == "onlinePIN"):
            return True
        proven = self.local and not self.failed
        if not ask("guarded A37: somebody checks the IAD-MAC", self.copies() or proven and not self.version_1):
            return False
        if ask("guarded A36: the card chose CDCVM", self.cvm == "cdcvm"):
            if ask("guarded A39: CDCVM of an authenticated card", proven):
                return True
            other = of_other_network(hexed(self.data["84"]), hexed(self.data["5A"]))
            return not ask("guarded A39: an account of another network", other) and self.profile != STRICT
        told = ("9F1D", 8) in (dol_entries(self.data["8C"]) or [])
        listed = self.list_is_signed() and ask("guarded A36: CDOL1 asks for 9F1D", told)
        return listed and ask("guarded A36: a method at all", self.cvm != "notApplicable")

    def vouched_for(self):
        if self.profile != BOOK:
            if self.data["9C"] == b"\x20" or not {"5A", "5F24"} <= self.signed_tags:
                raise Open()  # A30; section 7 "PAN coverage" does not say with what it ends
            if not self.local or self.failed or number_of(self.data["9F02"]) == 0:
                raise Open()

    def approve(self):
        signature = ask("2930.15 signature", self.cvm == "signature")
        self.end(Outcome("approved", message="1A" if signature else "03", hold=self.hold_time()), record=True)

    def allowed_message(self, indicator):
        """2930.4 to .6, .31 to .33, .37 to .39."""
        chosen = indicator[1]
        if not ask("2930.4 message other than 00", chosen):
            return None
        return "%02X" % chosen if ask("2930.6 message is allowed", chosen in self.data["9F821D"]) else None

    def decline(self, indicator):
        hold = self.hold_time()
        if not ask("2930.21 cash or purchase", hexed(self.data["9C"]) in ("00", "01", "09", "17")):
            self.end(Outcome("endApplication", message="1E", hold=0), record=True)
        if not indicator:
            self.end(Outcome("declined", message="07", hold=hold), record=True)
        if ask("2930.27 TRY ANOTHER INTERFACE", indicator[0] >> 4 == 3):
            preference = {1: "contact", 2: "magstripe", 15: "none"}.get(indicator[0] & 15)
            if ask("2930.29 preference is valid", preference):
                self.alternate = preference
            message = self.allowed_message(indicator) or "18"
            self.end(Outcome("tryAnotherInterface", message=message, hold=hold), record=True)
        message = self.allowed_message(indicator) or "07"
        self.end(Outcome("declined", message=message, hold=hold), record=True)


# ---------------------------------------------------------------------------------------------------------------
# Reader and Entry Point
# ---------------------------------------------------------------------------------------------------------------


def shifted(year, month, day, minutes):
    """The local time (day, minutes since midnight, perhaps outside the day) as YYYYMMDDHHMM."""
    while minutes < 0:
        minutes, day = minutes + 1440, day - 1
    while minutes >= 1440:
        minutes, day = minutes - 1440, day + 1
    if day < 1:
        month -= 1
        if month < 1:
            year, month = year - 1, 12
        day = month_days(year, month)
    if day > month_days(year, month):
        day, month = 1, month + 1
        if month > 12:
            year, month = year + 1, 1
    return "%04d%02d%02d%02d%02d" % (year, month, day, minutes // 60, minutes % 60)


class Reader:
    """A reader, a transaction, and the cards that are held to it one after the other."""

    def __init__(self, configuration, transaction, early):
        self.configuration, self.transaction, self.early = configuration, transaction, early
        self.profile = PROFILES.index(configuration.get("protection", {}).get("profile", "guarded"))
        self.random = unhex(transaction["random"])
        self.exchanges, self.messages, self.apdus, self.restarts = [], [], 0, 0
        self.dets = []
        self.revoked = {
            (unhex(row["rid"]), unhex(row["index"]), unhex(row["serial"])) for row in configuration.get("revoked", [])
        }

    def draw(self, size):
        assert len(self.random) >= size, "random bytes run out"
        taken, self.random = self.random[:size], self.random[size:]
        return taken

    def say(self, message):
        self.messages.append(message)

    def dek(self, sent):
        self.exchanges.append({"dek": sent})

    def det(self):
        """The terminal's data for a wait; None is the deadline, which a trace shows by saying nothing."""
        if not self.dets:
            return None
        given = self.dets.pop(0)
        self.exchanges.append({"det": given})
        return {tag: unhex(value) for tag, value in given.items()}

    def micros(self):
        """Time of the last exchange."""
        last = next(item for item in reversed(self.exchanges) if "c" in item)
        return int(round(last.get("ms", 0) * 1000))

    def utc(self, date, time):
        """3.10: local date and time − utcOffset, to the minute."""
        digits = hexed(date)
        year = int(digits[:2]) + (1900 if int(digits[:2]) >= 50 else 2000)
        clock = hexed(time)
        minutes = int(clock[:2]) * 60 + int(clock[2:4]) - self.transaction.get("utcOffset", 0)
        ask("3.10 UTC is another day", not 0 <= minutes < 1440)
        return shifted(year, int(digits[2:4]), int(digits[4:6]), minutes)

    def ca_key(self, rid, index, profile):
        for row in self.configuration.get("caKeys", []):
            if unhex(row["rid"]) != rid or unhex(row["index"]) != index:
                continue
            today = self.transaction["date"]
            if profile != BOOK and ask("guarded A15: CA key expired", row.get("expires", "9999") < today):
                return None
            if "modulus" in row:
                return {"kind": "rsa", "rsa": (unhex(row["modulus"]), unhex(row["exponent"]))}
            if row["suite"] != "10":
                return {"kind": "other"}
            return {"kind": "ecc", "point": (int(row["x"], 16), int(row["y"], 16))}
        return None

    # Entry Point
    def link(self, card):
        def send(command):
            self.apdus += 1
            answer = card(command)
            item = {"c": hexed(command)}
            if isinstance(answer, tuple):
                answer, item["ms"] = answer
            if isinstance(answer, str):
                self.exchanges.append(dict(item, fault=answer))
                raise Fault(answer)
            item = dict(
                list({"c": item["c"], "r": hexed(answer)}.items()) + [(k, v) for k, v in item.items() if k == "ms"]
            )
            self.exchanges.append(item)
            return answer

        return send

    def run(self, steps):
        """Plays cards in order; returns the last final outcome."""
        rows = [
            row
            for row in self.configuration["combinations"]
            if self.transaction.get("type", "00") in row.get("transactionTypes", ["00"])
        ]
        limit = [row.get("limits", {}).get("transaction") for row in rows]
        rows = [row for row, most in zip(rows, limit) if most is None or self.transaction["amount"] < most]
        if ask("B 3.1.1.13 no combination left", not rows):
            self.messages.append("18")
            outcome = Outcome("tryAnotherInterface", message="18")
            outcome.by_limit = True
            outcome.silent = {"data", "holdMs", "fieldOffMs", "alternateInterface", "receipt"}
            return outcome
        self.messages.append("15")
        outcome = None
        for number, step in enumerate(steps):
            if number:
                self.exchanges.append({"tap": number + 1})
            try:
                self.present(rows, self.link(step))
            except Outcome as found:
                outcome = found
            if outcome.message:
                self.messages.append(outcome.message)
            if outcome.start == "B":
                self.messages = None if number + 1 == len(steps) else Silent()
        if isinstance(self.messages, Silent):
            self.messages = None
        return outcome

    def present(self, rows, link):
        candidates = self.candidates(rows, self.select(link, PPSE))
        first = True
        while candidates:
            best = max(candidates, key=lambda c: (16 - c[2] if c[2] else 0, -c[3]))
            candidates.remove(best)
            combination, name = best[:2]
            fci = self.select(link, name)
            first = False
            if fci is None:
                continue
            try:
                Kernel(self, combination, fci, link, self.early).run()
            except Outcome as outcome:
                if not ask("B 3.5.1.4 Select Next", outcome.status == "selectNext"):
                    raise
        ended = Outcome("endApplication", message="1C")  # B 3.3.2.7
        ended.no_network = first
        ended.silent = {"holdMs", "fieldOffMs", "errorIndication", "discretionary"}
        raise ended

    def select(self, link, name):
        answer = link(b"\x00\xa4\x04\x00" + bytes([len(name)]) + name + b"\x00")
        return answer[:-2] if answer[-2:] == b"\x90\x00" else None

    def candidates(self, rows, directory):
        """B 3.3.2.4, .5: (combination, ADF name, priority, position); Kernel 8 is named by 9F2A alone (2.6)."""

        def inside(data, *path):
            for wanted in path:
                data = next((value for tag, value, _ in series(data) or [] if hexed(tag) == wanted), b"")
            return data

        listed = [
            series(value) or []
            for tag, value, _ in series(inside(directory or b"", "6F", "A5", "BF0C")) or []
            if hexed(tag) == "61"
        ]
        found = []
        for row in rows:
            for position, entry in enumerate(listed):
                held = {hexed(tag): value for tag, value, _ in entry}
                name = held.get("4F", b"")
                if not 5 <= len(name) <= 16 or not name.startswith(unhex(row["aid"])):
                    continue
                if held.get("9F2A", b"") != b"\x08":
                    continue
                found.append((row, name, held.get("87", b"\0")[0] & 15, position))
        return found


class Silent:
    """Messages after a restart: what Entry Point says between two presentments is not claimed."""

    def append(self, message):
        pass


# ---------------------------------------------------------------------------------------------------------------
# What a trace expects
# ---------------------------------------------------------------------------------------------------------------

NEVER_IN_RECORD = ["9E", "9F2B", "9F8105", "9F1D"]


def tap_word(outcome):
    if outcome.by_limit:
        return "limitExceeded"
    if outcome.no_network:
        return "unsupportedNetwork"
    if outcome.start == "B":
        return "seePhone" if outcome.message == "20" else "presentAgain"
    if outcome.status == "onlineRequest":
        return "onlinePINRequired" if outcome.cvm == "onlinePIN" else "success"
    return {
        "approved": "success",
        "declined": "declined",
        "endApplication": "unreadable",
        "tryAnotherInterface": "tryAnotherInterface",
    }[outcome.status]


def expectation(reader, outcome):
    """Everything that an outcome fixes, by the names of emv-trace/1. `data` holds absent objects as None."""
    said = {
        "tap": tap_word(outcome),
        "outcome": outcome.status,
        "cvm": outcome.cvm,
        "apdus": reader.apdus,
        "start": outcome.start,
        "restartMessage": outcome.restart,
        "holdMs": outcome.hold,
        "fieldOffMs": outcome.field_off,
        "removalTimeout": 0,
        "alternateInterface": outcome.alternate,
        "receipt": outcome.receipt,
    }
    if outcome.message:
        said["message"], said["valueQualifier"] = outcome.message, "none"
    if reader.messages is not None:
        said["messages"] = list(reader.messages)
    if outcome.error is not None:
        said["errorIndication"] = hexed(outcome.error)
    found = {tag: hexed(value) for tag, value in sorted(outcome.discretionary.items())}
    for tag in ("9F8204", "9F810C"):
        found.setdefault(tag, None)
    said["discretionary"] = found
    if outcome.data is not None:
        said["data"] = {tag: hexed(value) for tag, value in sorted(outcome.data.items())}
        for tag in DATA_RECORD + NEVER_IN_RECORD:
            if tag not in ("9F11", "9F12", "9F24"):  # said where they are there
                said["data"].setdefault(tag, None)
    else:
        said["data"] = {"57": None, "9F02": None, "9F26": None}
    for key in outcome.silent:
        said.pop(key, None)
    return said


def play_one(name, source, configuration, transaction, steps, dets, early):
    reader = Reader(configuration, transaction, early)
    reader.dets = [dict(given) for given in dets]
    outcome = reader.run(steps)
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


def play(name, source, configuration, transaction, cards, dets=()):
    """A trace document, in a list: the order "early" where both orders of 4.1 differ. `cards` makes the cards anew."""
    configuration = dict({"format": "emv-configuration/1"}, **configuration)
    literal, early = (
        play_one(name, source, configuration, transaction, cards(), dets, order) for order in (False, True)
    )
    if ask("4.1 both orders alike", literal == early):
        return [literal]
    return [dict(early, name=name + "-early")]


def exchanged(items):
    """What went to the terminal and came from it, each with the number of commands before it."""
    found, commands = [], 0
    for item in items:
        commands += "c" in item
        if "dek" in item or "det" in item:
            found.append((commands, item))
    return found


def replay(trace, early):
    """Differences between a trace and this implementation."""
    items, wrong, position = list(trace["exchanges"]), [], [0]

    def skip():
        while position[0] < len(items) and "c" not in items[position[0]]:
            position[0] += 1

    def card(command):
        skip()
        at = position[0]
        if at >= len(items):
            wrong.append("command %s where the trace has none" % hexed(command))
            return "timeout"
        position[0] += 1
        if items[at]["c"].upper() != hexed(command):
            wrong.append("command %s, not %s" % (hexed(command), items[at]["c"]))
        answer = items[at]["fault"] if "fault" in items[at] else unhex(items[at]["r"])
        return (answer, items[at]["ms"]) if "ms" in items[at] else answer

    reader = Reader(trace["configuration"], trace["transaction"], early)
    reader.dets = [item["det"] for item in items if "det" in item]
    steps = [card] * (1 + sum(1 for item in items if "tap" in item))
    said = expectation(reader, reader.run(steps))
    skip()
    if position[0] < len(items):
        wrong.append("commands of the trace were not sent")
    told, heard = exchanged(items), exchanged(reader.exchanges)
    if any("dek" in item for item in items) and told != heard:
        wrong.append("data exchange: %s, not %s" % (heard, told))
    for key, value in trace["expect"].items():
        if key in ("data", "discretionary"):
            for tag, wanted in value.items():
                found = said.get(key, {}).get(tag)
                if wanted is None and found is not None or wanted is not None and found != wanted.upper():
                    wrong.append("%s %s: %s, not %s" % (key, tag, found, wanted))
        elif key != "findings" and said.get(key, value if key in ("messages", "valueQualifier") else None) != value:
            wrong.append("%s: %s, not %s" % (key, said.get(key), value))
    return wrong


# ---------------------------------------------------------------------------------------------------------------
# Keys and certificates of the virtual cards
# ---------------------------------------------------------------------------------------------------------------

RID, FOREIGN = AID[:5], unhex("F000000809")
ISSUER_MASTER_KEY = unhex("00112233445566778899AABBCCDDEEFF")


def long_term(label):
    """A private key whose public point has the smaller y."""
    return P256.private(1 + unsigned(hashlib.sha256(label.encode()).digest()) % (P256.n - 1))


PRIVATE = {label: long_term("kernel 8 " + label) for label in ("ca", "foreign ca", "issuer", "card", "other card")}
RSA_KEYS = {}


def public(label):
    return P256.times(PRIVATE[label], P256.base)


def rsa_keys():
    """CA, issuer and card; the card's own RSA key serves nobody (C.34)."""
    if not RSA_KEYS:
        chance = Chance(8)
        for label, size, exponent in (("ca", 144, 65537), ("issuer", 128, 3), ("card", 96, 3)):
            RSA_KEYS[label] = channel.RSAKey(chance.bytes, size, exponent)
    return RSA_KEYS


def ca_row(kind, expires="2035-12-31", rid=RID):
    """A row of `caKeys`: "ec", "foreign", "rsa", or "other" (a suite that this kernel does not know)."""
    if kind == "rsa":
        key = rsa_keys()["ca"]
        digest = hashlib.sha1(RID + b"\xe1" + key.modulus + key.exponent_bytes).digest()
        row = {
            "index": "E1", "exponent": hexed(key.exponent_bytes), "modulus": hexed(key.modulus), "sha1": hexed(digest),
        }
        return dict({"rid": hexed(RID)}, **row, expires=expires)
    rid, suite = FOREIGN if kind == "foreign" else rid, b"\x11" if kind == "other" else b"\x10"
    point = P256.wire_point(public("foreign ca" if kind == "foreign" else "ca"))
    return {
        "rid": hexed(rid),
        "index": "01",
        "suite": hexed(suite),
        "x": hexed(point[:32]),
        "y": hexed(point[32:]),
        "sha256": hexed(hashlib.sha256(rid + b"\x01" + suite + point).digest()),
        "expires": expires,
    }


def flipped(data, place=-1):
    made = bytearray(data)
    made[place] ^= 1
    return bytes(made)


def ec_certificates(chance, card, static):
    """(8F, 90, 9F46) with what `cert` of the card changes."""
    change = card.get("cert", {})
    foreign = card["name"][:5] == FOREIGN
    point = change.get("issuer_x", P256.wire(public("issuer")[0]))
    body = channel.issuer_body(
        change.get("identifier", card["account"][:6]),
        change.get("issuer_expiry", "20351231"),
        change.get("issuer_serial", unhex("000808")),
        change.get("issuer_rid", card["name"][:5]),
        change.get("issuer_index", b"\x01"),
        point,
        change.get("issuer_suite", b"\x10"),
        change.get("issuer_kind", b"\x12\x00"),
    )
    signed = P256.sign(PRIVATE["foreign ca" if foreign else "ca"], body, chance.scalar())
    issuer = change.get("issuer_spoil", lambda certificate: certificate)(body + signed)
    body = channel.card_body(
        change.get("card_expiry", "203312312359"),
        unhex("0000000000A1"),
        change.get("card_hash", hashlib.sha256(static).digest()),
        change.get("card_x", P256.wire(public("card")[0])),
        change.get("card_suite", b"\x00"),
        change.get("card_kind", b"\x14\x00"),
        change.get("card_encoding", b"\x01\x02"),
    )
    signed = P256.sign(PRIVATE["issuer"], body, chance.scalar())
    return [("8F", b"\x01"), ("90", issuer)], [
        ("9F46", change.get("card_spoil", lambda certificate: certificate)(body + signed))
    ]


def rsa_certificates(card, static):
    change, keys = card.get("cert", {}), rsa_keys()
    identifier = unhex(change.get("identifier", card["account"][:6]).ljust(8, "F"))
    issuer, rest = channel.rsa_certificate(
        keys["ca"], change.get("issuer_kind", b"\x02"), identifier, change.get(
            "issuer_expiry", "1235",
        ), unhex("000808"),
        keys["issuer"], indicators=change.get("issuer_indicators", b"\x01\x01"),
        ends=change.get("issuer_ends", b"\x6a\xbc"), longer=change.get("longer", 0),
    )
    holder = unhex(change.get("pan", card["account"]).ljust(20, "F"))
    certificate, remainder = channel.rsa_certificate(
        keys["issuer"], change.get("card_kind", b"\x04"), holder, change.get("card_expiry", "1233"), unhex("0000A1"),
        keys["card"], static, change.get("card_indicators", b"\x01\x01"), change.get("card_ends", b"\x6a\xbc"),
    )
    same = lambda value: value
    return [
        ("8F", b"\xe1"),
        ("90", change.get("issuer_spoil", same)(issuer)),
        ("92", change.get("remainder", same)(rest)),
        ("9F32", keys["issuer"].exponent_bytes),
    ], [
        ("9F46", change.get("card_spoil", same)(certificate)),
        ("9F47", keys["card"].exponent_bytes),
        ("9F48", change.get("card_remainder", same)(remainder)),
    ]


# ---------------------------------------------------------------------------------------------------------------
# Virtual cards
# ---------------------------------------------------------------------------------------------------------------

PDOL = unhex("9E409F2B08")
CDOL1 = unhex("9F02069F03069F1A0295055F2A029A039C019F37049F35019F1D089F3303")
GOOD = b"\x90\x00"


def account_number(chance, count):
    """678888, `count` digits, and the check digit."""
    digits = "678888" + "".join(str(chance.below(10)) for _ in range(count))
    return digits + check_digit(digits)


def check_digit(digits):
    total = 0
    for place, digit in enumerate(reversed(digits)):
        double = 2 * int(digit) if place % 2 == 0 else int(digit)
        total += double - 9 if double > 9 else double
    return str(-total % 10)


class VirtualCard:
    """A card that holds its own end of the channel. Keys of `card`, all optional:

    name, listed      DF Name, and the name in its directory entry
    version, suites, field_off, language, fci (more objects), pdol, aip, cdol1, afl
    chain             "ec", "rsa" or None; cert: what its certificates say otherwise
    encrypt           "all", "some" or "none" of its records
    first             more objects of the signed record; drop: tags that it does not give at all
    extended          tags of 9F810A; held: more objects of an unsigned record
    cid, force_cid    the cryptogram that it wants, as far as it is asked; one that it gives whatever was asked
    decision, card_tvr, restart, offset, iad, answer (more objects of the GENERATE AC answer)
    factor, sent_factor, key_data
    relay             [(least, most, estimate, ms)] by attempt
    envelopes         {tag: value}
    on                {"ppse", "fci", "gpo", "relay", "r1"…, "ac", "read", "write": changes the whole answer}
    sent              {"r1"…: changes the value of a record as it is sent, not as it was signed}
    told              changes what the card hears of the data of GENERATE AC
    gpo_objects, ac_objects   change lists of objects; those of the answer after its MACs were made"""

    def __init__(self, chance, **card):
        self.chance = chance
        card.setdefault("account", account_number(chance, 9))
        card.setdefault("name", AID)
        card.setdefault("listed", card["name"])
        card.setdefault("chain", "ec")
        card.setdefault("aip", "010A" if card["chain"] else "000A")
        self.card, self.relays, self.written = card, 0, []
        self.counter = chance.bytes(2)
        self.relay_data = b""
        self.records = self.make_records()

    def hook(self, place, answer):
        change = self.card.get("on", {}).get(place)
        return change(answer) if change else answer

    # Records
    def make_records(self):
        card, drop = self.card, set(self.card.get("drop", ()))
        pan = unhex(channel.filled(card["account"]))
        track = unhex(channel.filled(card["account"] + "D3112201" + "0" * 5))
        first = [("57", track), ("5A", pan), ("5F24", unhex("311231")), ("5F34", b"\x01"), ("9F07", unhex("FFC0"))]
        first += [(tag, unhex(value)) for tag, value in card.get("first", ())]
        if card["chain"] == "rsa" and "9F810B" not in drop:
            first.append(("9F810B", card.get("cert", {}).get("card_x", P256.wire(public("card")[0]))))
        if "extended" in card:
            first.append(("9F810A", unhex("".join(card["extended"])) + card.get("extended_tail", b"")))
        first = [(tag, value) for tag, value in first if tag not in drop]
        held = [(tag, unhex(value)) for tag, value in card.get("held", ())]
        self.signed = objects(first) + card.get("padding", b"")
        known = dict([("8C", card.get("cdol1", CDOL1))] * ("8C" not in drop) + first + held)
        self.extended = b"".join(
            obj(tag, known[tag]) if known.get(tag) else unhex(tag) + b"\0"
            for tag in card.get("extended", ())
        )
        self.static = self.signed + self.extended + unhex(card["aip"])
        values = [(True, self.signed)]
        groups = [held] if held else []
        if card["chain"] == "ec":
            groups += list(ec_certificates(self.chance, card, self.static))
        elif card["chain"] == "rsa":
            groups += list(rsa_certificates(card, self.static))
        for group in groups:
            values.append((False, objects((tag, value) for tag, value in group if tag not in drop)))
        wish = card.get("encrypt", "all")
        made = []
        for number, (signed, value) in enumerate(values):
            secret = wish == "all" or wish == "some" and number % 2 == 0
            value = card.get("sent", {}).get("r%d" % (number + 1), lambda same: same)(value)
            made.append((signed, secret, value))
        return made

    def locator(self):
        count = len(self.records)
        return unhex(self.card["afl"]) if "afl" in self.card else bytes([2 << 3, 1, count, 1])

    # Commands
    def __call__(self, command):
        if command[:2] == b"\x00\xa4":
            return self.select(command[5:-1])
        if command[:2] == b"\x80\xa8":
            return self.hook("gpo", self.options(command[7:-1]))
        if command[:2] == b"\x80\xea":
            return self.exchange_relay(command[5:-1])
        if command[:2] == b"\x00\xb2":
            return self.read_record(command[2], command[3] >> 3)
        if command[:2] == b"\x84\x32":
            return self.hook("read", self.read_data(hexed(command[5:-1])))
        if command[:2] == b"\x80\xae":
            return self.hook("ac", self.generate(command[2] >> 6, command[5:-1]))
        if command[:2] == b"\x84\x34":
            return self.hook("write", self.write_data(command[5:-1]))
        return unhex("6D00")

    def select(self, name):
        card = self.card
        if name == PPSE:
            entry = obj("4F", card["listed"]) + obj("87", b"\x01") + obj("9F2A", b"\x08")
            others = b"".join(
                obj("61", obj("4F", other.card["listed"]) + obj("87", b"\x02") + obj("9F2A", b"\x08"))
                for other in card.get("others", ())
            )
            inner = obj("A5", obj("BF0C", obj("61", entry) + others))
            return self.hook("ppse", obj("6F", obj("84", PPSE) + inner) + GOOD)
        for other in card.get("others", ()):
            if name == other.card["listed"]:
                self.delegate = other
                self.__class__ = Delegating
                return other(b"\0\xa4\4\0" + bytes([len(name)]) + name + b"\0")
        drop = card.get("drop", ())
        qualifier = bytes([card.get("version", 2)]) + unhex(card.get("suites", "00FFFF"))
        qualifier += bytes([0x80 if card.get("field_off") else 0, 0, 0])
        self.pdol = card.get("pdol", PDOL)
        found = [("50", b"KERNEL EIGHT"), ("87", b"\x01")]
        found += [("9F38", self.pdol)] if self.pdol else []
        found += [("5F2D", card["language"])] if "language" in card else []
        found += [(tag, unhex(value)) for tag, value in card.get("fci", ())]
        inner = objects(found) + obj("BF0C", b"" if "9F2C" in drop else obj("9F2C", card.get("qualifier", qualifier)))
        head = b"" if "84" in drop else obj("84", card["name"])
        return self.hook("fci", obj("6F", head + obj("A5", inner)) + GOOD)

    def options(self, values):
        card = self.card
        self.pdol_values, at, key = values, 0, None
        for tag, size in dol_entries(self.pdol or b"") or []:
            if tag == "9E" and size == 64:
                key = values[at : at + size]
            at += size
        if not key or len(key) != 64:
            key = P256.wire_point(public("other card"))
        self.factor = card.get("factor") or self.chance.scalar()
        made = channel.CardChannel(PRIVATE["card"], self.factor, key)
        if "sent_factor" in card:  # a factor that is not the one of the blinded key
            made.card_counter -= 1
            made.key_data = made.key_data[:32] + made.encrypt(P256.wire(card["sent_factor"]))
        self.channel = made
        key_data = card.get("key_data", lambda data: data)(made.key_data)
        found = [
            ("82", unhex(card["aip"])), ("94", self.locator()), ("9F8103", key_data), ("8C", card.get("cdol1", CDOL1)),
        ]
        found += [("9F36", self.counter)] if card.get("counter_in_gpo") else []
        found = card.get("gpo_objects", lambda same: same)(
            [pair for pair in found if pair[0] not in card.get("drop", ())]
        )
        return obj("77", objects(found)) + GOOD

    def exchange_relay(self, number):
        timings = self.card["relay"]
        least, most, estimate, milliseconds = timings[min(self.relays, len(timings) - 1)]
        self.relays += 1
        answer = self.chance.bytes(4) + b"".join(part.to_bytes(2, "big") for part in (least, most, estimate))
        self.relay_data = number + answer
        made = self.hook("relay", b"\x80\x0a" + answer + GOOD)
        return made if isinstance(made, str) else (made, milliseconds)

    def read_record(self, number, sfi):
        if not 1 <= number <= len(self.records):
            return unhex("6A83")
        _, secret, value = self.records[number - 1]
        long_length = self.card.get("long_lengths", False)
        made = obj("DA", self.channel.encrypt(value), long_length) if secret else obj("70", value, long_length)
        return self.hook("r%d" % number, made + GOOD)

    def read_data(self, tag):
        if tag not in self.card.get("envelopes", {}):
            return unhex("6A88")
        plain = obj(tag, unhex(self.card["envelopes"][tag]))
        change = {"other-tag": b"\x9f\x81\x19\x01\x01", "empty": b"", "cut": plain[:-1]}
        return self.channel.seal_envelope(change.get(self.card.get("garble"), plain)) + GOOD

    def write_data(self, cipher):
        plain, answer = self.channel.written(cipher)
        self.written.append(plain)
        return answer + GOOD

    def generate(self, asked, values):
        """The card goes as far as it wants and is asked; what it computes covers what it was told and says."""
        card = self.card
        values = card.get("told", lambda same: same)(values)
        wanted = card.get("cid", TC)
        given = {AAC: AAC, TC: wanted, ARQC: ARQC if wanted == TC else wanted}[asked]
        cid = bytes([card["force_cid"] if "force_cid" in card else given << 6])
        iad = unhex(card.get("iad", "06011203A0B8" + "00" * 26))
        found = [("9F27", cid), ("9F36", self.counter), ("9F8102", bytes([card.get("decision", 0)])), ("9F10", iad)]
        for tag, key in (("9F8104", "card_tvr"), ("9F8108", "restart"), ("9F8107", "offset")):
            if key in card:
                found.append((tag, unhex(card[key])))
        found += [(tag, unhex(value)) for tag, value in card.get("answer", ())]
        found = [pair for pair in found if pair[0] not in card.get("drop", ())]
        long_length = card.get("long_lengths", False)
        version_1 = card.get("version", 2) == 1
        covered = b"".join(
            obj(tag, value, long_length and tag == "9F36") for tag, value in found if not (version_1 and tag == "9F10")
        )
        static = self.signed + self.extended + unhex(card["aip"])
        mac = self.channel.iad_mac(self.pdol_values + values + self.relay_data + covered, static)
        where, copied = unhex(card["aip"])[1] >> 1 & 3, iad
        offset = {1: card.get("reader_offset", 0x18), 2: unsigned(unhex(card.get("offset", "00")))}.get(where)
        if offset is not None and offset + 8 <= len(iad):
            copied = iad[:offset] + mac + iad[offset + 8 :]
        made = self.application_cryptogram(values, copied)
        eda = self.channel.eda_mac(made + (copied if version_1 else mac))
        found = [(tag, value) for tag, value in found] + [("9F26", made), ("9F8105", eda)]
        found = [pair for pair in found if pair[0] not in card.get("drop", ())]
        found = card.get("ac_objects", lambda same: same)(found)
        body = b"".join(obj(tag, value, long_length and tag == "9F36") for tag, value in found)
        return obj("77", body) + GOOD

    def application_cryptogram(self, values, iad):
        told = values[:29].ljust(29, b"\0")
        if "card_tvr" in self.card:
            told = told[:14] + unhex(self.card["card_tvr"]) + told[19:]
        pan = unhex(channel.filled(self.card["account"]))
        session = channel.session_key(channel.card_master_key(ISSUER_MASTER_KEY, pan, b"\x01"), self.counter)
        return channel.cryptogram(session, told + unhex(self.card["aip"]) + self.counter + iad)


class Delegating(VirtualCard):
    """A card whose second application has been selected: from here on that one answers."""

    def __call__(self, command):
        return self.delegate(command)


# ---------------------------------------------------------------------------------------------------------------
# Scenes: what the checklist asks, each way
# ---------------------------------------------------------------------------------------------------------------

TERMINAL = {"9F1A": "0276", "9F35": "22", "9F1E": "4F52414E47453038"}
DATA = {"9F8206": "60", "9F8207": "64", "9F8208": "6C", "9F820A": "10", "9F821E": "18", "9F821F": "9F82049F810C"}
LIMITS = {"floor": 10000, "cvmRequired": 5000}
DE_LIST = {"9F821F": "9F82049F821B9F821C"}
NO_LOCAL = {"9F820B": "0000000040"}
RELAY = {"9F8209": "1000"}
RSA = {"9F8209": "2000"}
ENVELOPE_1, ENVELOPE_2 = "9F8112020203", "9F811303040506"

SCENES = []


def scene(name, source, *cards, **more):
    """Registers a scene: its cards, and what differs from the reader and purchase above."""
    SCENES.append((name, dict(more, source="C-8 " + source, cards=cards or ({},))))


def configuration_of(one, profile):
    row = {
        "aid": hexed(one.get("aid", AID)),
        "kernel": 8,
        "transactionTypes": one.get("types", ["00", "01", "09", "17", "20"]),
        "limits": dict(LIMITS, **one.get("limits", {})),
        "data": {tag: value for tag, value in dict(DATA, **one.get("data", {})).items() if value is not None},
    }
    for tag, name in (("9F820D", "floor"), ("9F820E", "cvmRequired")):
        if tag in row["data"]:
            del row["limits"][name]
    if one.get("bare"):
        row["data"], row["limits"] = one.get("data", {}), {}
    if "kernel8" in one:
        row["kernel8"] = one["kernel8"]
    rows = [row] + ([dict(row, **one["second"])] if "second" in one else [])
    terminal = {tag: value for tag, value in dict(TERMINAL, **one.get("terminal", {})).items() if value is not None}
    made = {"terminal": terminal, "combinations": rows, "protection": {"profile": PROFILES[profile]}}
    if profile == STRICT:
        made["protection"]["offline"] = "dynamicOda"
    made["caKeys"] = [
        ca_row(*([kind] if isinstance(kind, str) else kind))
        for kind in one.get("ca", ["rsa" if any(card.get("chain") == "rsa" for card in one["cards"]) else "ec"])
    ]
    if "revoked" in one:
        made["revoked"] = one["revoked"]
    return made


def weak(configuration):
    """A configuration that `guarded` refuses (section 7): nothing is played."""
    asks_nobody = configuration["terminal"].get("9F35") not in ONLINE_ONLY
    for row in configuration["combinations"]:
        data = dict(DEFAULTS, **row["data"])
        if asks_nobody and unhex(data["9F820B"])[0] & 0x84 != 0x84:
            return True
        if any(need & ~have for need, have in zip(unhex(DEFAULTS["9F821A"]), unhex(data["9F821A"]))):
            return True
    return False


def shoot(chance, name, one, profile):
    """The traces of a scene in a profile; none where its end is open."""
    start = chance.state
    configuration = configuration_of(one, profile)
    if profile != BOOK and weak(configuration):
        return []
    transaction = {
        "type": one.get("type", "00"),
        "amount": one.get("amount", 1250),
        "amountOther": one.get("other", 0),
        "currency": "0978",
        "exponent": 2,
        "date": one.get("date", "2026-11-22"),
        "time": one.get("time", "12:00:00"),
        "counter": 1,
        "random": one.get("random", "") + hexed(
            chance.bytes(28 + 40 * sum(1 + len(card.get("others", ())) for card in one["cards"]))
        ),
    }
    for key in ("utcOffset",):
        if key in one:
            transaction[key] = one[key]
    if "deal" in one:
        transaction["data"] = one["deal"]
    inner = chance.next()

    def cards():
        same, made, account = Chance(inner), [], None
        for card in one["cards"]:
            card = dict(card, **({"account": account} if account and "account" not in card else {}))
            if profile != BOOK and card.get("chain", "ec") and "8C" not in card.get("drop", ()):
                if "gpo_objects" not in card:  # an honest card has its list covered (A35)
                    card.setdefault("extended", ["8C"])
            card["others"] = [VirtualCard(same, **dict(other)) for other in card.get("others", [])]
            made.append(VirtualCard(same, **card))
            account = made[-1].card["account"]
        return made

    try:
        return play(name, one["source"], configuration, transaction, cards, one.get("dets", ()))
    except Open:
        chance.state = start
        chance.next()
        return []


def answering(status):
    return lambda answer: unhex(status)


def without(*gone):
    return lambda pairs: [pair for pair in pairs if pair[0] not in gone]


def instead(tag, value):
    return lambda pairs: [(known, unhex(value) if known == tag else held) for known, held in pairs]


def adding(*more):
    return lambda pairs: pairs + [(tag, unhex(value)) for tag, value in more]


def raw(change):
    """Changes the body of an answer; its status stays."""
    return lambda answer: change(answer[:-2]) + answer[-2:]


def broken_templates(first):
    """What may stand in the place of a template."""
    return {
        "empty": raw(lambda body: b""),
        "one-byte": raw(lambda body: first),
        "other-template": raw(lambda body: b"\x80" + body[1:]),
        "long-length": raw(lambda body: body[:1] + bytes([0x7F]) + body[2:] if body[1] != 0x7F else body + b"\1"),
        "second-object": raw(lambda body: body + obj("9F7C", b"\1")),
        "ff-behind": raw(lambda body: body + b"\xff"),
    }


def grown(body, more):
    """The one object of `body` with `more` at the end of its value."""
    tag, value, _ = series(body)[0]
    return obj(hexed(tag), value + more)


def start_scenes():
    scene("online", "2930.18. Nothing but the default action codes", {"cid": ARQC})
    scene("offline", "2930.12")
    scene("declined", "2930.23", {"cid": AAC})
    scene("defaults", "KS.1, 2.5. Reader without any configuration data", bare=True)
    scene(
        "no-local", "…425.20", {"chain": None, "cid": ARQC, "encrypt": "none"},
        data=NO_LOCAL, terminal={"9F35": "21"},
    )
    scene("no-local-denied", "…425.20, TAA.1", {"chain": None, "cid": ARQC})
    scene("kernel-without-local", "…425.18", {}, data={"9F820A": "00"})
    scene("kernel-without-local-online", "…425.18", {}, data=dict(NO_LOCAL, **{"9F820A": "00"}))
    scene("fci-no-84", "1.8", {"drop": ("84",)})
    scene(
        "fci-empty-84", "1.8, 2.2",
        {"on": {"fci": raw(lambda b: obj("6F", obj("84", b"") + obj("A5", obj("9F2C", b"\2\0\xff\xff\0\0\0"))))}},
    )
    scene("fci-no-9f2c", "1.8", {"drop": ("9F2C",)})
    scene("?fci-9f2c-short", "2.2", {"qualifier": unhex("0200FFFF0000")})
    scene("fci-9f2c-empty", "2.2, R06", {"qualifier": b""})
    scene("version-00", "1.8", {"version": 0})
    scene("version-03", "1.6, 4.2 p", {"version": 3})
    scene("?version-ff", "1.6, 4.2 p", {"version": 255})
    scene("version-1", "1.6, 2627.12, 28.14", {"version": 1})
    scene("version-1-online", "1.6, 2627.12, 28.14", {"version": 1, "cid": ARQC})
    scene("version-1-not-copied", "2627.12, 28.14", {"version": 1, "aip": "0108"})
    scene("suite-second", "C.100", {"suites": "FF00FF"})
    scene("suite-third", "C.100", {"suites": "010200"})
    scene("suite-none", "C.100, 2.3", {"suites": "0102FF"})
    scene("?suite-none-field-off", "C.100, 2.5", {"suites": "FFFFFF", "field_off": True})
    scene("field-off", "1.11", {"field_off": True, "cid": ARQC})
    scene("field-off-ff", "1.11", {"field_off": True}, data={"9F8212": "FF"})
    scene("?field-off-00", "1.11", {"field_off": True}, data={"9F8212": "00"})
    scene("field-off-gpo-status", "20.12", {"field_off": True, "on": {"gpo": answering("6985")}})
    scene("field-off-error", "4.2 s", {"field_off": True, "on": {"gpo": raw(lambda b: b"")}})
    scene("fci-template", "1.5", {"on": {"fci": raw(lambda b: b"\x70" + b[1:])}})
    scene("language", "1.10", {"language": b"deen"})
    scene("language-one-byte", "2.2", {"language": b"d"})
    for name, change in broken_templates(b"\x6f").items():
        if name != "one-byte":
            scene("?fci-" + name, "1.5, 1.7", {"on": {"fci": change}})
    scene("fci-long-tag", "4.7.1, 4.7.2", {"fci": [("9F818101", "00")]})
    scene("fci-terminal-tag", "4.1.3", {"fci": [("9F02", "000000000001")]})
    scene("fci-repeated", "4.1.3", {"fci": [("50", hexed(b"KERNEL EIGHT"))]})
    scene("fci-repeated-unlike", "4.1.3", {"fci": [("50", hexed(b"KERNEL NINE"))]})
    scene("fci-unknown", "4.1.3", {"fci": [("9F4A", "82"), ("DF01", "00"), ("5F20", "41")]})
    scene("fci-filler", "4.2 rr", {"on": {"fci": raw(lambda b: obj("6F", b"\0" + series(b)[0][1] + b"\0\0"))}})
    scene("?rsa-enabled-ec-chain", "C.10", {}, data=RSA)
    near = "%064X" % (P256.n - 1)
    scene("key-drawn-again", "C.102", {}, random="FF" * 32 + "00" * 32 + "%064X" % 1 + near)
    scene("key-lowest", "C.102", {}, random="%064X" % 2)
    scene("?key-highest", "C.102", {}, random="%064X" % (P256.n - 2))
    scene(
        "select-next", "20.12, B 3.5.1.4",
        {"on": {"gpo": answering("6985")}, "others": [{"listed": AID + b"\1", "name": AID + b"\1"}]},
    )
    scene(
        "select-next-twice", "1.9, B 3.5.1.4",
        {"drop": ("9F2C",), "others": [{"listed": AID + b"\1", "name": AID + b"\1", "on": {"gpo": answering("6A81")}}]},
    )


def terminal_scenes():
    scene("no-date", "2021222324.14", {}, deal={"9A": ""})
    scene("no-amount", "2021222324.14", {}, deal={"9F02": ""})
    scene(
        "act-card-object", "1.12", {}, deal={"5F57": "10", "9F1C": "3031323334353637"},
        data={"9F821F": "9F82045F579F1C"},
    )
    scene(
        "act-proprietary", "T 4.1", {}, deal={"DF01": "0203", "DF02": "05"},
        data={"DF01": "01", "DF02": "", "9F821F": "9F8204DF01DF02"},
    )
    scene("act-tags-cut", "4.2 hh", {}, deal={"9F8203": "9F81"})
    scene("?act-tags-long", "4.2 hh", {}, deal={"9F8203": "9F818111"})
    scene("act-envelopes-cut", "4.2 hh", {}, deal={"BF8104": "9F81120302"})
    scene("?act-date-nibble", "4.2 hh", {}, deal={"9A": "2611AA"})
    for kind in ("11", "13", "14", "16", "21", "22", "23", "24", "25", "26", "34", "36"):
        scene("?type-" + kind, "6.4.2", {}, terminal={"9F35": kind})
        scene("?type-%s-online-card" % kind, "6.4.2", {"aip": "0102"}, terminal={"9F35": kind})
    scene("online-only-card", "TAA.4", {"aip": "0102"})
    scene("online-only-card-offline-only-terminal", "TAA.5", {"aip": "0102"}, terminal={"9F35": "26"})
    scene(
        "offline-only-arqc", "4.2 n, section 7. An ARQC at an offline-only terminal", {"cid": ARQC},
        terminal={"9F35": "23"},
    )
    for amount in (10000, 10001):
        scene("floor-%d" % amount, "…425.14", {}, amount=amount, limits={"cvmRequired": 90000})
    for amount in (5000, 5001):
        scene("cvm-limit-%d" % amount, "…425.7", {"decision": 3}, amount=amount)
    scene("cid-bits", "29.20", {"force_cid": 0x4F})
    scene("cid-upgraded", "29.20. A TC where an ARQC was asked for", {"force_cid": 0x40}, terminal={"9F35": "21"})
    scene("cid-rfu", "29.20", {"force_cid": 0xC0})
    scene("cid-arqc-denied", "29.20", {"force_cid": 0x80}, data={"9F820B": "8400000080"})
    scene("other-interface-rfu", "2930.29, 4.2 k", {"restart": "3518", "cid": AAC})
    scene("cvm-limit-no-cvm", "29.27", {"decision": 0}, amount=6000)
    scene("transaction-limit", "B 3.1.1.5", {}, amount=20000, limits={"transaction": 20000})
    scene("transaction-limit-below", "B 3.1.1.5", {}, amount=19999, limits={"transaction": 20000, "floor": 30000})
    for kind in ("00", "01", "09", "17", "20"):
        scene("?decline-" + kind, "2930.21", {"cid": AAC}, type=kind)
        scene("?online-" + kind, "2930.18", {"cid": ARQC}, type=kind)
    scene("refund-approved", "2930.12", {}, type="20")
    scene("aid-prefix", "…425.16", {"name": AID + b"\1\2", "listed": AID})
    scene("aid-mismatch", "…425.16", {"name": RID + b"\2\1", "listed": AID})
    scene("aid-mismatch-online", "…425.16", {"name": RID + b"\2\1", "listed": AID}, data={"9F820B": "8400000000"})
    scene("aid-longer-than-84", "…425.16", {}, data={"9F06": hexed(AID) + "01"})
    scene(
        "foreign-rid", "RPC.2a, section 7", {"name": FOREIGN + b"\1\1", "listed": AID}, data={"9F820B": "8400000000"},
        ca=["ec", "foreign"],
    )
    scene(
        "foreign-rid-local-reported", "RPC.2a, section 7", {"name": FOREIGN + b"\1\1", "listed": AID},
        data={"9F820B": "8400000000", "9F8209": "0800"}, ca=["foreign"],
    )
    scene(
        "trmd-kept", "…425.10, …425.12", {}, data={"9F1D": "0880000000000000", "9F821F": "9F82049F1D"}, amount=4000)
    scene(
        "trmd-replaced", "…425.10, …425.12", {"decision": 2},
        data={"9F1D": "FF00000000000011", "9F821F": "9F82049F1D"},
        amount=7000,
    )
    scene("?capabilities", "1.13, 3.9", {}, data={"9F8206": "E0", "9F820A": "30", "9F8208": "08"})
    scene("?hold-time", "5.1", {}, data={"9F8211": "000007"})
    scene(
        "mapping", "CreateDataRecord, A.1.115", {},
        data={"9F8221": "9F8109DF7E95DF7D9F8204DF7C", "9F821F": "9F82049F810C"},
    )
    scene("mapping-one-pass", "4.2 m", {}, data={"9F8221": "9F26DF7E9F33DF7D"})
    scene("?list-empty", "CreateDiscretionaryData", {}, data={"9F821F": ""})
    scene("list-everything", "CreateDiscretionaryData", {}, data={"9F821F": "9F8204959F2C9F81069F810C5F209F349F8103"})
    scene("empty-in-record", "4.2 m", {"first": [("9F12", ""), ("9F8106", "")]}, data={"9F821F": "9F82049F129F8106"})


def options_scenes():
    scene("no-pdol", "2.18. Without 9E the card has no key: EDA-MAC fails", {"pdol": b""})
    scene("?no-pdol-encrypted", "2.18, 22.48", {"pdol": b"", "encrypt": "all"})
    scene("no-pdol-plain", "2.18, 29.7", {"pdol": b"", "encrypt": "none"})
    scene("pdol-9e-short", "Book 3 5.4", {"pdol": unhex("9E20"), "encrypt": "none"})
    scene("pdol-terminal", "4.1.4, 4.2 q", {"pdol": PDOL + unhex("9F02069A039F37049F33039F1D089505")})
    scene("pdol-cut-and-padded", "Book 3 5.4", {"pdol": PDOL + unhex("9F02039F02089A029A049F1E049F1E0A9F3702")})
    scene("pdol-unknown", "4.1.4", {"pdol": PDOL + unhex("9F6604DF01029F6C028E049F1603")})
    scene("pdol-repeated", "4.1.4, R15", {"pdol": PDOL + unhex("9F0206" * 3)})
    scene("pdol-kernel-objects", "4.2 dd", {"pdol": PDOL + unhex("9F8204069F34039F810C029F820D06")})
    scene("pdol-cut", "4.2 dd", {"pdol": PDOL + unhex("9F02")})
    scene("?pdol-tag-cut", "4.2 dd", {"pdol": PDOL + unhex("9F81")})
    scene("pdol-long-tag", "4.2 dd", {"pdol": PDOL + unhex("9F81810104")})
    scene("pdol-252", "4.2 dd", {"pdol": PDOL + unhex("9F02B4")})
    scene("pdol-253", "4.2 dd", {"pdol": PDOL + unhex("9F02B5")})
    for fault in ("timeout", "transmission", "protocol", "removed"):
        scene("?gpo-" + fault, "20.1", {"on": {"gpo": lambda answer, fault=fault: fault}})
    for status in ("6985", "6A81", "6283", "6300", "9001", "6984"):
        scene("?gpo-" + status, "20.10", {"on": {"gpo": answering(status)}})
    scene("?gpo-6283-data", "20.10", {"on": {"gpo": lambda answer: answer[:-2] + unhex("6283")}})
    for name, change in broken_templates(b"\x77").items():
        scene("?gpo-" + name, "20.13", {"on": {"gpo": change}})
    for tag in ("82", "94", "9F8103", "8C"):
        scene("gpo-no-" + tag.lower(), "20.18", {"drop": (tag,)})
        scene("?gpo-empty-" + tag.lower(), "20.18, 2.2", {"gpo_objects": instead(tag, "")})
    scene("default-cdol1", "20.21", {"drop": ("8C",)}, data={"9F8220": hexed(CDOL1)})
    scene(
        "default-cdol1-record-unlike", "4.2 qq", {"drop": ("8C",), "held": [("8C", "9F0206")], "encrypt": "none"},
        data={"9F8220": hexed(CDOL1)},
    )
    scene(
        "default-cdol1-record-alike", "4.2 qq", {"drop": ("8C",), "held": [("57", "")], "encrypt": "none"},
        data={"9F8220": hexed(CDOL1)},
    )
    scene("?default-cdol1-unused", "20.20", {}, data={"9F8220": "9F0206"})
    scene("gpo-terminal-tag", "4.1.3", {"gpo_objects": adding(("9F37", "00000000"))})
    scene("?gpo-configuration-tag", "4.1.3, A22", {"gpo_objects": adding(("9F820E", "999999999999"))})
    scene("gpo-repeated", "4.1.3", {"gpo_objects": adding(("82", "010A"))})
    scene("gpo-repeated-unlike", "4.1.3", {"gpo_objects": adding(("82", "010B"))})
    scene("gpo-unknown", "4.1.3", {"gpo_objects": adding(("9F6C", "0000"), ("DF8129", "00"))})
    scene("gpo-long-tag", "4.7.1", {"gpo_objects": adding(("DF818101", "00"))})
    scene(
        "gpo-long-tag-and-error", "4.2 nn",
        {"on": {"gpo": raw(lambda b: grown(b, unhex("DF81810100") + unhex("9F6C05")))}},
    )
    scene("gpo-nested", "4.1.3", {"on": {"gpo": raw(lambda b: obj("77", obj("70", series(b)[0][1])))}})
    scene("gpo-filler", "4.2 rr", {"on": {"gpo": raw(lambda b: obj("77", b"\0" + series(b)[0][1] + b"\0") + b"\0\0")}})
    scene(
        "proprietary-filled", "4.1.3", {"gpo_objects": adding(("DF01", "0102"))},
        data={"DF01": "", "9F821F": "9F8204DF01"},
    )
    scene("proprietary-twice", "4.1.3", {"gpo_objects": adding(("DF01", "01"), ("DF01", "01"))}, data={"DF01": ""})
    scene("proprietary-of-terminal", "4.1.3", {"gpo_objects": adding(("DF01", "01"))}, data={"DF01": "01"})
    for name, locator in (
        ("sfi-0", "00010301"), ("sfi-31", "F8010301"), ("record-0", "10000301"), ("last-first", "10030201"),
        ("signed-more", "10010304"), ("sfi-11-wrong", "1001030158030201"),
    ):
        scene("afl-" + name, "4.2 h", {"afl": locator})
    scene("afl-sfi-11", "20.23", {"afl": "58010100" + "10010301" + "F0010200"})
    scene("afl-only-sfi-11", "20.23, 2627.1", {"afl": "58010101"})
    scene("afl-low-bits", "4.2 h, 4.8", {"afl": "17010301"})
    scene("afl-in-parts", "3", {"afl": "10010101" + "10020300"})
    scene("afl-other-order", "decrypted as they come", {"afl": "10020300" + "10010101"})
    scene("?afl-twice", "A18", {"afl": "10010301" + "10020200"})
    scene("afl-not-covered", "C.23", {"afl": "10010300"})
    scene("afl-more-covered", "C.23", {"afl": "10010302"})
    scene("?afl-length-6", "2.2", {"afl": "100103011001"})
    scene("key-data-63", "C.11", {"key_data": lambda data: data[:-1], "encrypt": "none"})
    scene("?key-data-65", "C.11", {"key_data": lambda data: data + b"\0"})
    scene("key-data-133", "2.2", {"key_data": lambda data: data + bytes(69)})
    scene("key-data-off-curve", "4.2 e", {"key_data": lambda data: bytes(31) + b"\1" + data[32:]})
    scene("key-data-above-p", "4.2 e", {"key_data": lambda data: (P256.p + 5).to_bytes(32, "big") + data[32:]})
    scene(
        "key-data-off-curve-relay", "4.1. Heard after the first record",
        {"aip": "010B", "relay": [(20, 80, 24, 9.25)], "key_data": lambda data: bytes(31) + b"\1" + data[32:]},
        data=RELAY,
    )
    scene("key-data-off-curve-no-records", "4.1", {"afl": "58010100", "key_data": lambda data: data[:32]})
    scene("key-data-other-point", "C.12", {"key_data": lambda data: P256.wire(public("card")[0]) + data[32:]})


def relay_scenes():
    def relayed(name, source, times, **more):
        card = dict({"aip": "010B", "relay": times}, **more.pop("card", {}))
        scene(
            ("?relay-" if name in ("latency-larger", "mismatch-other-50", "77", "protocol") else "relay-") + name,
            source, card, data=dict(RELAY, **more.pop("data", {})), **more,
        )

    relayed("good", "21.26", [(20, 80, 24, 9.25)])
    relayed("retry", "21.20, 2021.11", [(20, 80, 24, 21.05), (20, 80, 24, 9.25)])
    relayed("two-retries", "21.20", [(20, 80, 24, 30.0), (20, 80, 24, 30.0), (20, 80, 24, 9.25)])
    relayed("late", "21.22", [(20, 80, 24, 30.0)])
    relayed("late-offline-only", "A24, TAA.3", [(20, 80, 24, 30.0)], terminal={"9F35": "23"})
    relayed("edge", "21.20. Max and grace exactly", [(20, 80, 24, 17.2)])
    relayed("edge-above", "21.20", [(20, 80, 24, 17.3)])
    relayed("excess", "21.17. Between Max and grace", [(20, 80, 24, 13.0)])
    relayed("fast-edge", "21.18", [(100, 200, 24, 12.2)])
    relayed("too-fast", "21.18", [(100, 200, 24, 12.1)])
    relayed("too-fast-retry", "21.18", [(100, 110, 24, 40.0), (100, 110, 24, 5.0)])
    relayed("min-below-grace", "4.2 ff", [(5, 80, 24, 0.5)])
    relayed("zero", "21.17", [(0, 0, 0, 0.0)])
    relayed("estimate-larger", "21.17", [(20, 80, 60, 9.25)])
    relayed("mismatch-49", "21.24", [(20, 80, 11, 9.25)])
    relayed("mismatch-50", "21.24", [(20, 80, 12, 9.25)])
    relayed("mismatch-other", "21.24", [(20, 80, 49, 9.25)])
    relayed("mismatch-other-50", "21.24", [(20, 80, 48, 9.25)])
    relayed("estimate-0", "21.24", [(20, 80, 0, 9.25)])
    relayed("expected-0", "21.24", [(20, 80, 24, 9.25)], data={"9F8216": "0000"})
    relayed("accuracy", "21.24", [(20, 80, 24, 9.25)], data={"9F8217": "0010"})
    relayed("accuracy-edge", "21.24", [(20, 80, 24, 6.2)], data={"9F8217": "0000"})
    relayed("overflow", "4.2 ff", [(0, 0, 24, 7000.0)])
    relayed("overflow-max", "4.2 ff", [(20, 0xFFF0, 24, 6556.0)])
    relayed("latency", "21.17", [(20, 80, 24, 14.25)], kernel8={"relayLatencyMicroseconds": 5000})
    relayed("latency-larger", "4.2 ff", [(0, 80, 24, 1.0)], kernel8={"relayLatencyMicroseconds": 5000})
    relayed("online", "21.26", [(20, 80, 24, 9.25)], card={"cid": ARQC})
    relayed("no-local", "21.26", [(20, 80, 24, 9.25)], card={"chain": None, "aip": "000B", "cid": ARQC}, )
    relayed("long-answer", "4.2 i", [(20, 80, 24, 9.25)], card={"on": {"relay": raw(lambda b: b + b"\x99")}})
    relayed("short-answer", "21.14", [(20, 80, 24, 9.25)], card={"on": {"relay": raw(lambda b: b[:-1])}})
    relayed("0b", "4.2 i", [(20, 80, 24, 9.25)], card={"on": {"relay": raw(lambda b: b"\x80\x0b" + b[2:] + b"\0")}})
    relayed("77", "21.14", [(20, 80, 24, 9.25)], card={"on": {"relay": raw(lambda b: b"\x77" + b[1:])}})
    relayed("6985", "21.12", [(20, 80, 24, 9.25)], card={"on": {"relay": answering("6985")}})
    relayed("timeout", "21.1", [(20, 80, 24, 9.25)], card={"on": {"relay": lambda answer: "timeout"}})
    relayed("protocol", "21.1", [(20, 80, 24, 9.25)], card={"on": {"relay": lambda answer: "protocol"}})
    relayed("version-1", "2627.11", [(20, 80, 24, 9.25)], card={"version": 1})
    scene("?relay-card-alone", "20.25", {"aip": "010B"})
    scene("relay-kernel-alone", "20.25", {}, data=RELAY)


def record_scenes():
    scene("record-template", "22.28", {"encrypt": "none", "on": {"r2": raw(lambda b: b"\x77" + b[1:])}})
    scene("gpo-template", "20.13", {"on": {"gpo": raw(lambda b: b"\x80" + b[1:])}})
    scene("record-second-object", "4.1.3", {"encrypt": "none", "on": {"r1": raw(lambda b: b + obj("9F7C", b"\1"))}})
    scene("record-da-length", "4.2 ii", {"on": {"r1": raw(lambda b: b + b"\1")}})
    scene("record-status", "22.16", {"on": {"r2": answering("6A83")}})
    scene("records-plain", "22.28", {"encrypt": "none"})
    scene("records-mixed", "C.18. Plain records do not move the counter", {"encrypt": "some"})
    scene("records-long-lengths", "2627.12, C.23. 81 where one byte would do", {"long_lengths": True})
    for number in ("r1", "r2", "r3"):
        for status in ("6A83", "6283"):
            scene("?%s-%s" % (number, status), "22.16", {"on": {number: answering(status)}})
        for fault in ("timeout", "transmission"):
            scene("?%s-%s" % (number, fault), "22.1", {"on": {number: lambda answer, fault=fault: fault}})
        for kind in ("none", "all"):
            for name, change in broken_templates(b"\x70").items():
                scene("?%s-%s-%s" % (number, name, kind), "22.28, 4.2 ii", {"encrypt": kind, "on": {number: change}})
            scene(
                "?%s-garbled-%s" % (number, kind), "22.48, 4.1",
                {"encrypt": kind, "sent": {number: lambda value: value[:-1]}},
            )
            scene(
                "?%s-long-tag-%s" % (number, kind), "4.7.1",
                {"encrypt": kind, "sent": {number: lambda v: v + unhex("DF81810100")}},
            )
            scene(
                "?%s-terminal-tag-%s" % (number, kind), "4.1.3",
                {"encrypt": kind, "sent": {number: lambda v: v + unhex("9F34011F")}},
            )
            scene(
                "?%s-wrong-length-%s" % (number, kind), "2.2",
                {"encrypt": kind, "sent": {number: lambda v: v + unhex("9F0C020102")}},
            )
    scene("records-filler", "4.2 rr", {"padding": bytes(3)})
    scene("records-filler-not-signed", "4.2 rr", {"sent": {"r1": lambda value: value + b"\0"}})
    scene(
        "record-empty", "22.28. 70 00 is a record",
        {"encrypt": "none", "held": [("57", "")], "sent": {"r2": lambda value: b""}},
    )
    scene(
        "record-empty-encrypted", "C.18. DA 00 moves the counter",
        {"held": [("57", "")], "sent": {"r2": lambda value: b""}},
    )
    scene("record-repeats", "4.1.3", {"held": [("5F34", "01")]})
    scene("record-repeats-unlike", "4.1.3", {"held": [("5F34", "02")], "encrypt": "none"})
    scene(
        "record-changed", "C.36 step 8. IAD-MAC too",
        {"sent": {"r1": lambda value: value.replace(unhex("9F0702FFC0"), unhex("9F0702FF00"))}},
    )
    scene(
        "record-unknown-objects", "4.1.3",
        {"held": [("8E", "00" * 12), ("5F20", "41"), ("DF01", "00"), ("5F25", "200101")]},
    )
    scene(
        "?record-envelope-inside", "4.2 w", {"encrypt": "none", "held": [("BF8104", "9F81110101")]},
        data={"9F821F": "9F82049F8111"},
    )
    scene("no-5a", "2627.1", {"drop": ("5A",)})
    scene("?no-5a-no-local", "2627.1", {"drop": ("5A",), "chain": None})
    scene("pan-19", "3.10", {"account": "6788880000000000017"})
    scene("pan-unsigned", "Section 7", {"drop": ("57",), "cid": ARQC})
    scene("expiry-past", "No check of the kernel", {"drop": ("5F24",), "held": [("5F24", "200101")], "cid": ARQC})
    for tag, value, name in (
        (
            "5A", "67888800000000001234AB", "5a-11",
        ), ("57", "00" * 20, "57-20"), ("9F32", "0003", "9f32-2"), ("9F47", "000003", "9f47-3"),
        (
            "9F0C", "01020304", "9f0c-4",
        ), ("5F24", "3112", "5f24-2"), ("9F24", "41" * 28, "9f24-28"), ("9F8108", "10", "9f8108-1"),
        ("9F810B", "00" * 67, "9f810b-67"), (
            "9F8111", "00" * 244, "9f8111-244",
        ), ("9F8106", "00" * 129, "9f8106-129"), ("42", "678888", "42-3"),
    ):
        scene(
            "?length-" + name, "2.2",
            {"drop": (tag,) if tag in ("5A", "57", "5F24") else (), "held": [(tag, value)], "encrypt": "none"},
        )
    scene("extended", "2627.8", {"extended": ["9F07", "5F34"], "first": []})
    scene("extended-unsigned", "2627.8", {"extended": ["9F0A"], "held": [("9F0A", "000102")]})
    scene("extended-absent", "2627.8. tag ‖ 00", {"extended": ["9F24", "9F07"]})
    scene("extended-empty", "2627.8. tag ‖ 00", {"extended": ["9F12"], "held": [("9F12", "")]})
    scene("?extended-twice", "2627.8", {"extended": ["9F07", "9F07"]})
    uncovered = {"extended": ["9F07"]}
    for label, card in (
        ("uncovered", uncovered),
        ("in-signed-record", dict(uncovered, first=[("8C", hexed(CDOL1))])),
        ("in-plain-record", dict(uncovered, held=[("8C", hexed(CDOL1))])),
        ("no-amount", {"cdol1": unhex(hexed(CDOL1).replace("9F0206", "9F0306"))}),
        ("no-type", {"cdol1": unhex(hexed(CDOL1).replace("9C01", "9F3501"))}),
        ("no-number", {"cdol1": unhex(hexed(CDOL1).replace("9F3704", "9F0304"))}),
        ("more", {"cdol1": CDOL1 + unhex("9F0206")}),
    ):
        scene("list-" + label, "section 7, A35", card)
        scene("list-%s-forced" % label, "section 7, A35: a TC all the same", dict(card, force_cid=0x40))
        scene("list-%s-alone" % label, "section 7, A35", card, terminal={"9F35": "23"})
    scene("list-default", "section 7, A35; 20.21", {"drop": ("8C",)}, data={"9F8220": hexed(CDOL1)})
    scene("extended-cut", "4.2 ee", {"extended": ["9F07"], "extended_tail": unhex("9F")})
    scene("extended-long-tag", "4.2 ee", {"extended": ["9F07"], "extended_tail": unhex("9F818101")})
    scene(
        "extended-long-lengths", "4.2 kk",
        {
            "extended": ["9F0A"], "encrypt": "none", "held": [("9F0A", "01")],
            "on": {"r2": raw(lambda b: obj("70", unhex("9F0A810101")))},
        },
    )


def cryptogram_scenes():
    scene("cdol1-cut", "4.2 dd", {"cdol1": CDOL1 + unhex("9F02")})
    scene("?cdol1-long-tag", "4.2 dd", {"cdol1": CDOL1 + unhex("9F81810104")})
    scene("cdol1-255", "4.2 dd", {"cdol1": CDOL1 + unhex("9F02D6")})
    scene("cdol1-256", "4.2 dd", {"cdol1": CDOL1 + unhex("9F02D7")})
    scene("cdol1-card-objects", "4.1.2", {"encrypt": "none", "cdol1": CDOL1 + unhex("5A0A5A045F24035F34029F0703")})
    scene("cdol1-absent", "4.1.4", {"cdol1": CDOL1 + unhex("9F24039F66049F1604")})
    scene("ac-template", "26.10", {"on": {"ac": raw(lambda b: b"\x80" + b[1:])}})
    scene("ac-link", "26.1", {"on": {"ac": lambda answer: "timeout"}})
    scene("ac-status", "26.8", {"on": {"ac": answering("6985")}})
    for status in ("6300", "6F00"):
        scene("?ac-" + status, "26.8", {"on": {"ac": answering(status)}})
    for fault in ("timeout", "transmission", "protocol"):
        scene("?ac-" + fault, "26.1", {"on": {"ac": lambda answer, fault=fault: fault}})
    for name, change in broken_templates(b"\x77").items():
        scene("?ac-" + name, "26.10", {"on": {"ac": change}})
    for tag in ("9F36", "9F27", "9F26", "9F8102", "9F8105", "9F10"):
        scene("ac-no-" + tag.lower(), "26.14", {"drop": (tag,)})
        scene("?ac-empty-" + tag.lower(), "26.14, 2.2", {"ac_objects": instead(tag, "")})
    scene("ac-counter-elsewhere", "4.2 oo", {"counter_in_gpo": True, "ac_objects": without("9F36")})
    scene("ac-cid-elsewhere", "4.2 oo", {"held": [("9F27", "40")], "encrypt": "none", "ac_objects": without("9F27")})
    scene("ac-counter-unlike", "4.1.3", {"counter_in_gpo": True, "ac_objects": instead("9F36", "FFFE")})
    scene("ac-terminal-tag", "4.1.3", {"ac_objects": adding(("9F8109", "00" * 8))})
    scene("ac-unknown", "2627.12", {"answer": [("9F4B", "00" * 4), ("DF01", "02")]})
    scene("ac-other-order", "2627.12", {"ac_objects": lambda pairs: pairs[-2:] + pairs[:-2]})
    scene("ac-8106", "A.1.24", {"answer": [("9F8106", "DF0102ABCD")]})
    scene("ac-long-tag", "4.7.1", {"ac_objects": adding(("DF818101", "00"))})
    scene("eda-flipped", "29.7", {"ac_objects": lambda pairs: pairs[:-1] + [("9F8105", flipped(pairs[-1][1]))]})
    scene(
        "ac-flipped", "29.7",
        {"ac_objects": lambda pairs: [(t, flipped(v)) if t == "9F26" else (t, v) for t, v in pairs]},
    )
    scene(
        "iad-flipped", "29.7",
        {"ac_objects": lambda pairs: [(t, flipped(v, 0)) if t == "9F10" else (t, v) for t, v in pairs]},
    )
    scene(
        "iad-flipped-version-1", "29.7",
        {"version": 1, "ac_objects": lambda pairs: [(t, flipped(v, 0)) if t == "9F10" else (t, v) for t, v in pairs]},
    )
    scene(
        "?iad-mac-place-flipped-version-1", "28.6. What stood there is replaced",
        {"version": 1, "ac_objects": lambda pairs: [(t, flipped(v, 26)) if t == "9F10" else (t, v) for t, v in pairs]},
    )
    scene("cvd-flipped", "29.7, A08", {"ac_objects": instead("9F8102", "03")})
    scene("aip-flipped", "29.7, A28", {"gpo_objects": instead("82", "010E")})
    for name, aip in (("00", "0108"), ("11", "010E"), ("10", "010C")):
        scene("copy-" + name, "28.2", {"aip": aip, "offset": "08"} if name == "10" else {"aip": aip})
    scene("copy-10-no-offset", "28.4", {"aip": "010C"})
    scene("copy-10-empty-offset", "28.4, 2.2", {"aip": "010C", "offset": ""})
    for offset in ("00", "18", "19", "F8", "FF"):
        scene("copy-10-" + offset.lower(), "28.4, 4.2 f", {"aip": "010C", "offset": offset})
        scene("?copy-01-" + offset.lower(), "28.4, 4.2 f", {"reader_offset": int(offset, 16)}, data={"9F821E": offset})
    scene("copy-short-iad", "28.4", {"iad": "0102030405060708", "reader_offset": 0}, data={"9F821E": "00"})
    scene("?copy-short-iad-7", "28.4", {"iad": "01020304050607", "reader_offset": 0}, data={"9F821E": "00"})
    scene("copy-offset-in-record", "4.2 aa", {"aip": "010C", "held": [("9F8107", "08")], "encrypt": "none"})
    for cid in (0x00, 0x40, 0x80, 0xC0, 0x4F, 0x3F):
        for kind in ("21", "22"):
            scene("?cid-%02x-type-%s" % (cid, kind), "29.20", {"force_cid": cid}, terminal={"9F35": kind})
        scene("?cid-%02x-denied" % cid, "29.20", {"force_cid": cid}, data={"9F820B": "8400000080"})
    for decision in (0, 1, 2, 3, 4, 0x0F, 0x10, 0xFF):
        scene("cvm-%02x" % decision, "5.2", {"decision": decision})
        scene("?cvm-%02x-above" % decision, "5.2", {"decision": decision}, amount=8000)
        scene("?cvm-%02x-online" % decision, "5.2", {"decision": decision, "cid": ARQC}, amount=8000)
        scene("?cvm-%02x-not-offered" % decision, "5.2", {"decision": decision}, data={"9F8208": "00"})
    for value in ("0000000080", "FFFFFFFFFF", "0000000000", "0000840000", "7BFFFF7F30"):
        scene("card-tvr-" + value.lower(), "29.23", {"card_tvr": value})
        scene("?card-tvr-%s-online" % value.lower(), "29.23", {"card_tvr": value, "cid": ARQC}, amount=20000)
    scene("?card-tvr-empty", "29.21, 2.2", {"card_tvr": ""})
    scene("card-tvr-clears", "29.23", {"card_tvr": "0000000000"}, data={"9F821A": "0000000000"}, amount=20000)
    scene(
        "card-tvr-cleared-by-mask", "29.23. Floor limit bit", {"card_tvr": "0000000000"}, data={"9F821A": "84000000CF"},
        amount=20000,
    )
    scene("card-tvr-in-record", "4.2 oo, section 7", {"held": [("9F8104", "0000040000")], "encrypt": "none"})
    scene("card-tvr-online-pin", "4.2 c", {"card_tvr": "0000040000", "decision": 0})


def holder_scenes():
    """A03, A36, A37, A39: the card's word on its holder, by what vouches for it, and the edits of a relay."""
    without_risk_data = unhex(hexed(CDOL1).replace("9F1D08", "9F3508"))
    lists = {
        "covered": {"extended": ["8C"]},
        "signed": {"extended": ["9F07"], "first": [("8C", hexed(CDOL1))]},
        "open": {"extended": ["9F07"]},
        "untold": {"extended": ["8C"], "cdol1": without_risk_data},
        "half-told": {"extended": ["8C"], "cdol1": unhex(hexed(CDOL1).replace("9F1D08", "9F1D02"))},
    }
    bare = {"chain": None, "aip": "000A"}
    online_only = {"terminal": {"9F35": "21"}, "data": NO_LOCAL}

    def held(name, source, card, **more):
        more.setdefault("amount", 6000)
        scene("holder-" + name, source, dict({"cid": ARQC}, **card), **more)

    for decision, label in ((0, "none"), (1, "signature"), (2, "pin"), (3, "cdcvm"), (0x0F, "na"), (0xFF, "failed")):
        offers = {"9F8207": "6C"}
        held("%s-covered" % label, "29.25, A36", dict(lists["covered"], decision=decision), data=offers)
        held("%s-open" % label, "29.25, A36", dict(lists["open"], decision=decision), data=offers)
        held(
            "%s-open-no-local" % label, "29.25, A36", dict(bare, **dict(lists["open"], decision=decision)),
            terminal={"9F35": "21"}, data=dict(NO_LOCAL, **offers),
        )
        held("%s-apart-1" % label, "29.25, A37", {"version": 1, "aip": "0108", "decision": decision}, data=offers)
        held(
            "%s-apart-no-local" % label, "29.25, A37", dict(bare, aip="0008", decision=decision),
            terminal={"9F35": "21"}, data=dict(NO_LOCAL, **offers),
        )
    for label in ("signed", "untold", "half-told"):
        held("list-" + label, "A36", dict(lists[label], decision=1))
    held(
        "no-local", "A36. The IAD-MAC covers the list, without certificates", dict(bare, extended=["8C"], decision=1),
        **online_only,
    )
    held("local-failed", "A36", {"decision": 3, "sent_factor": 12345}, **online_only)
    held("apart-2", "A37. The kernel checks the MAC itself", {"aip": "0108", "decision": 1})
    held("copied-1", "A37", {"version": 1, "decision": 1})
    held("copied-1-by-card", "A37", {"version": 1, "aip": "010C", "offset": "08", "decision": 1})
    held("apart-11", "A37", {"version": 1, "aip": "010E", "decision": 1})
    for label, data in (
        ("no-pin", {"9F8207": "24"}), ("no-pin-no-contacts", {"9F8207": "24", "9F8206": "40"}),
    ):
        held("open-" + label, "A36", dict(lists["open"], decision=1), data=data)
        held("failed-" + label, "A36", {"decision": 0xFF}, data=data)
        held("failed-restart-" + label, "A36", {"decision": 0xFF, "restart": "1118"}, data=data)
        held("open-refund-" + label, "A36", dict(lists["open"], decision=1), data=data, type="20")
    held(
        "failed-approved", "A36. Online in the place of the approval", {"decision": 0xFF, "cid": TC},
        data={"9F820C": "0000000000"},
    )
    held(
        "failed-approved-alone", "A36", {"decision": 0xFF, "cid": TC, "extended": ["8C"]}, terminal={"9F35": "23"},
        data={"9F820C": "0000000000"},
    )
    held("at-the-limit", "A36", dict(lists["open"], decision=1), amount=5000)
    held("declined", "A36", dict(lists["open"], decision=1, cid=AAC))
    held("restart", "A36", dict(lists["open"], decision=1, restart="2F20"))
    relabelled = hexed(CDOL1).replace("9F1D08", "9A03DF7F05")
    unknown = hexed(CDOL1).replace("9F1D08", "DF7F08")
    for label, edited, decision in (("relabelled", relabelled, 1), ("unknown", unknown, 0xFF)):
        change = {"gpo_objects": instead("8C", edited), "decision": decision}
        held("relay-" + label, "A36. 8C edited on the way", dict(change, extended=["9F07"]))
        held("relay-%s-covered" % label, "A36. 8C edited on the way", dict(change, extended=["8C"]))
        held("relay-%s-no-local" % label, "A36. 8C edited on the way", dict(bare, **change), **online_only)
        held(
            "relay-%s-no-local-covered" % label, "A36. 8C edited on the way",
            dict(bare, **dict(change, extended=["8C"])), **online_only,
        )
    apart = {"version": 1, "aip": "0108"}
    forgotten = lambda values: bytes(6) + values[6:]
    for label, more in (("apart", apart), ("copied", {"version": 1}), ("version-2", {"aip": "0108"})):
        edited = dict(more, decision=2, ac_objects=instead("9F8102", "01"), extended=["8C"])
        held("relay-decision-" + label, "A37. 9F8102 edited on the way", edited)
        told = dict(more, told=forgotten, cid=TC, extended=["8C"])
        held("relay-amount-" + label, "A37. 9F02 edited on the way", told, amount=4000)
        held("relay-amount-%s-forced" % label, "A37. 9F27 as well", dict(told, force_cid=0x40), amount=4000)
    held("apart-1-alone", "A37", dict(apart, cid=TC, extended=["8C"]), amount=4000, terminal={"9F35": "23"})
    front = {"name": VISA + b"\x08", "listed": VISA + b"\x08", "extended": ["8C"]}
    visa = {"aid": VISA + b"\x08", "ca": [("ec", "2035-12-31", VISA[:5])]}
    for label, card in (("online", {}), ("offline", {"cid": TC}), ("declined", {"cid": AAC})):
        held("brand-" + label, "A03", dict(front, **card), amount=4000, **visa)
    held("brand-own", "A03", dict(front, account="4788880000000013"), amount=4000, **visa)
    front = {"name": UNIONPAY + b"\1\1", "listed": UNIONPAY + b"\1\1", "decision": 3, "account": "4788880000000013"}
    network = {"aid": UNIONPAY + b"\1\1", "ca": [("ec", "2035-12-31", UNIONPAY)]}
    held("network", "A39", front, **network)
    held("network-no-local", "A39", dict(front, **bare), **dict(network, **online_only))
    held("network-below", "A39", dict(front, **bare), **dict(network, **online_only), amount=4000)
    held("network-own", "A39", dict(front, account="6288880000000013", **bare), **dict(network, **online_only))


def restart_scenes():
    for first in ("21", "22", "2F", "20"):
        for message in ("00", "21", "20", "18", "1B"):
            scene("?restart-%s-%s" % (first, message), "2930.2, 4.2 j", {"restart": first + message})
    scene("restart-then-approved", "2930.2, A 8.1.1.8", {"restart": "2F20", "cid": ARQC}, {"cid": ARQC})
    scene("restart-twice", "2930.2, section 7", {"restart": "2F00"}, {"restart": "2F20"}, {})
    scene("restart-declined-card", "2930.2", {"restart": "2F20", "cid": AAC})
    scene("restart-refund", "2930.2", {"restart": "2F21", "cid": AAC}, type="20")
    for first in ("31", "32", "3F", "30", "34"):
        for message in ("00", "18", "20", "07"):
            scene("?other-interface-%s-%s" % (first, message), "2930.27", {"restart": first + message, "cid": AAC})
    scene("other-interface-online", "2930.27. Only where it declines", {"restart": "3118", "cid": ARQC})
    scene("other-interface-refund", "2930.27", {"restart": "3118", "cid": AAC}, type="20")
    scene("other-interface-cashback", "2930.21", {"restart": "3118", "cid": AAC}, type="09")
    for first in ("11", "1F", "41", "F1"):
        for message in ("00", "18", "20", "55"):
            scene("?no-restart-%s-%s" % (first, message), "4.2 l", {"restart": first + message, "cid": AAC})
    scene("no-restart-approved", "4.2 l", {"restart": "1118"})
    scene("restart-five-bytes", "2.2", {"restart": "2F20000000"})
    scene("?restart-one-byte", "2.2", {"restart": "2F"})
    scene("?restart-empty", "2.2, 2930.2", {"restart": ""})
    scene("restart-in-record", "4.2 oo, section 7", {"held": [("9F8108", "2F20")], "encrypt": "none"})
    scene("restart-ids-configured", "2930.5", {"restart": "2F18"}, data={"9F821D": "21"})
    scene("restart-ids-none", "2930.5", {"restart": "2F21"}, data={"9F821D": ""})
    scene("link-then-approved", "20.3", {"on": {"gpo": lambda answer: "timeout"}}, {})
    scene("record-link-then-approved", "22.10", {"on": {"r2": lambda answer: "timeout"}}, {"cid": ARQC})


def certificate_scenes():
    def chained(name, source, card=None, **more):
        card = card or {}
        scene(("?ec-" if source == "8.4" else "ec-") + name, source, card, **more)
        for extra in ("reported",):
            scene(
                "?ec-%s-%s" % (name, extra), source + ", 2930.1a", card,
                **dict(more, data=dict(more.get("data", {}), **{"9F8209": "0800"})),
            )

    no = lambda **change: {"cert": change}
    for tag in ("8F", "90", "9F46"):
        scene("ec-no-" + tag.lower(), "RPC.2, RPC.4, RPC.19", {"drop": (tag,)})
    scene("ec-empty-90", "RPC.4", {"cert": {"issuer_spoil": lambda c: b""}})
    chained("no-ca-key", "RPC.2a", ca=["rsa"], data=RSA)
    chained("ca-key-other-suite", "RPC.3", ca=["other"])
    chained("ca-key-expired", "A15", ca=[("ec", "2026-11-21")])
    scene("ec-ca-key-last-day", "A15", ca=[("ec", "2026-11-22")])
    chained("issuer-short", "C.25.1", no(issuer_spoil=lambda c: c[:-1]))
    chained("issuer-long", "C.25.1", no(issuer_spoil=lambda c: c + b"\0"))
    chained("issuer-format", "C.25.2", no(issuer_kind=b"\x02\x00"))
    chained("issuer-encoding", "C.25.3", no(issuer_kind=b"\x12\x01"))
    for identifier in ("678", "6788880000", "67", "679", "67888A"):
        if identifier == "6788880000":
            chained("identifier-10", "C.25.4", {"account": "6788880000001230", "cert": {"identifier": identifier}})
        else:
            chained("identifier-" + identifier.lower(), "C.25.4", no(identifier=identifier))
    chained("issuer-expired", "C.25.5", no(issuer_expiry="20261121"))
    scene("ec-issuer-last-day", "C.25.5", no(issuer_expiry="20261122"))
    chained("issuer-rid", "C.25.6", no(issuer_rid=FOREIGN))
    chained("issuer-index", "C.25.7", no(issuer_index=b"\x02"))
    chained("issuer-revoked", "C.25.8", revoked=[{"rid": hexed(RID), "index": "01", "serial": "000808"}])
    scene("ec-other-revoked", "C.25.8", revoked=[{"rid": hexed(RID), "index": "01", "serial": "000809"}])
    chained("issuer-suite", "C.25.9", no(issuer_suite=b"\x11"))
    chained("issuer-signature", "C.25.11", no(issuer_spoil=flipped))
    chained("issuer-signature-s-0", "8.4", no(issuer_spoil=lambda c: c[:-32] + bytes(32)))
    chained("issuer-signature-s-n", "8.4", no(issuer_spoil=lambda c: c[:-32] + P256.wire(P256.n)))
    chained("issuer-signature-r-0", "8.4", no(issuer_spoil=lambda c: c[:53] + bytes(32) + c[-32:]))
    chained("issuer-no-point", "C.25.12", no(issuer_x=bytes(31) + b"\1"))
    chained("card-short", "C.36.1", no(card_spoil=lambda c: c[:-1]))
    chained("card-format", "C.36.2", no(card_kind=b"\x12\x00"))
    chained("card-encoding", "C.36.3", no(card_kind=b"\x14\x01"))
    chained("card-expired", "C.36.4", no(card_expiry="202611221159"))
    scene("ec-card-last-minute", "C.36.4", no(card_expiry="202611221200"))
    chained("card-suite", "C.36.5", no(card_suite=b"\x10"))
    chained("card-hash-encoding", "C.36.6", no(card_encoding=b"\x00\x02"))
    chained("card-hash-algorithm", "C.36.7", no(card_encoding=b"\x01\x01"))
    chained("card-hash", "C.36.8", no(card_hash=bytes(32)))
    chained("card-signature", "C.36.9", no(card_spoil=flipped))
    chained("card-no-point", "C.36.10", no(card_x=bytes(31) + b"\1"))
    chained("other-card-key", "C.51", no(card_x=P256.wire(public("other card")[0])))
    for minutes, time, name in (
        (60, "00:30:00", "previous"), (-60, "23:30:00", "next"), (840, "12:00:00", "far"),
        (-840, "12:00:00", "far-west"),
    ):
        scene(
            ("?" if "far" in name else "") + "utc-%s-issuer" % name, "3.10", no(issuer_expiry="20261121"),
            utcOffset=minutes, time=time,
        )
        scene(
            ("?" if "far" in name else "") + "utc-%s-card" % name, "3.10", no(card_expiry="202611222359"),
            utcOffset=minutes, time=time,
        )
    scene("utc-edge", "3.10. 11:00 UTC", no(card_expiry="202611221100"), utcOffset=60)
    scene("utc-edge-over", "3.10", no(card_expiry="202611221059"), utcOffset=60)
    scene("utc-year", "3.10", no(issuer_expiry="20261231"), date="2027-01-01", time="00:30:00", utcOffset=60)
    scene("utc-leap", "3.10", no(card_expiry="202802292330"), date="2028-03-01", time="00:30:00", utcOffset=60)
    scene("blinding-other", "C.51", {"sent_factor": 12345})
    scene("blinding-minus", "C.51. n − r has the same x", {"factor": 12345, "sent_factor": P256.n - 12345})
    scene("blinding-zero", "C.51, 3.7", {"sent_factor": 0})
    scene("blinding-n", "C.51, 3.7", {"sent_factor": P256.n})
    scene("blinding-above-n", "C.51, 3.7", {"factor": 77, "sent_factor": P256.n + 77})
    scene("blinding-one", "Section 7. The card's key in the clear", {"factor": 1})
    scene("blinding-other-online", "C.51", {"sent_factor": 12345, "cid": ARQC}, data={"9F820B": "8000000040"})
    scene(
        "local-failed-online-reported", "2930.1a", {"sent_factor": 12345, "cid": ARQC},
        data={"9F820B": "8000000040", "9F8209": "0800"},
    )
    scene(
        "local-failed-approved", "4.2 b. TAC Online lets it pass", {"sent_factor": 12345},
        data={"9F820B": "0000000000", "9F820C": "0000000000"},
    )
    rsa = lambda **change: dict({"chain": "rsa"}, **({"cert": change} if change else {}))
    scene("rsa", "C.26, C.34, C.38", rsa(), data=RSA)
    scene("rsa-online", "C.26, C.34, C.38", dict(rsa(), cid=ARQC), data=RSA)
    scene("rsa-not-enabled", "C.24a", rsa())
    scene("rsa-no-key", "RPC.2a", rsa(), data=RSA, ca=["ec"])
    for tag in ("8F", "90", "9F32", "9F46", "9F47"):
        scene("rsa-no-" + tag.lower(), "RPC.6, RPC.21", dict(rsa(), drop=(tag,)), data=RSA)
    for tag in ("92", "9F48"):
        scene("rsa-no-" + tag.lower(), "3.11. The hash fails", dict(rsa(), drop=(tag,)), data=RSA)
    for name, change in (
        ("issuer-short", {"issuer_spoil": lambda c: c[:-1]}),
        ("issuer-flipped", {"issuer_spoil": flipped}),
        ("issuer-trailer", {"issuer_ends": b"\x6a\xbd"}),
        ("issuer-header", {"issuer_ends": b"\x6b\xbc"}),
        ("issuer-format", {"issuer_kind": b"\x04"}),
        ("issuer-hash", {"remainder": flipped}),
        ("issuer-identifier", {"identifier": "679"}),
        ("issuer-expired", {"issuer_expiry": "1026"}),
        ("issuer-last-month", {"issuer_expiry": "1126"}),
        ("issuer-month-13", {"issuer_expiry": "1335"}),
        ("issuer-algorithm", {"issuer_indicators": b"\x01\x02"}),
        ("issuer-other-length", {"longer": 1}),
        ("card-long", {"card_spoil": lambda c: c + b"\0"}),
        ("card-flipped", {"card_spoil": flipped}),
        ("card-trailer", {"card_ends": b"\x6a\xcc"}),
        ("card-header", {"card_ends": b"\x6c\xbc"}),
        ("card-format", {"card_kind": b"\x02"}),
        ("card-hash", {"card_remainder": flipped}),
        ("card-pan", {"pan": "6788881111111111"}),
        ("card-expired", {"card_expiry": "1026"}),
        ("card-last-month", {"card_expiry": "1126"}),
        ("card-algorithm", {"card_indicators": b"\x01\x02"}),
        ("no-point", {"card_x": bytes(31) + b"\1"}),
        ("other-card-key", {"card_x": P256.wire(public("other card")[0])}),
    ):
        scene("rsa-" + name, "C.26, C.34: Book 2 6.3, 6.4", rsa(**change), data=RSA)
    scene("rsa-revoked", "C.26", rsa(), data=RSA, revoked=[{"rid": hexed(RID), "index": "E1", "serial": "000808"}])
    scene("rsa-no-810b", "C.39", dict(rsa(), drop=("9F810B",)), data=RSA)
    scene(
        "rsa-810b-unsigned", "C.39",
        dict(rsa(), drop=("9F810B",), held=[("9F810B", hexed(P256.wire(public("card")[0])))]), data=RSA,
    )
    scene(
        "rsa-810b-extended", "C.38. In the Extended SDA data", dict(rsa(), extended=["9F0A"], held=[("9F0A", "01")]),
        data=RSA,
    )
    scene(
        "rsa-month-end", "4.2 ll. The local date", rsa(issuer_expiry="1126"), data=RSA, date="2026-12-01",
        time="00:30:00", utcOffset=60,
    )


def exchange_scenes():
    store = {"9F8111": "0102030405", "9F8112": "AABB", "9F811A": "1A" * 40}

    def exchanging(name, source, deal, card=None, **more):
        card = dict({"envelopes": store, "cid": ARQC}, **(card or {}))
        scene("de-" + name, source, card, deal=deal, data=dict(DE_LIST, **more.pop("data", {})), **more)

    exchanging("read", "2021.1", {"9F8203": "9F8111"})
    exchanging("read-plain-records", "2021.1, 2021222324.3", {"9F8203": "9F8111"}, {"encrypt": "none"})
    exchanging("read-two", "23.15", {"9F8203": "9F81129F8111"})
    exchanging("read-three-and-known", "2.22", {"9F8203": "9F1A9F81115A9F81129F811A"}, {"encrypt": "none"})
    exchanging("known-only", "2.22", {"9F8203": "9F029A"})
    exchanging("repeated", "4.3", {"9F8203": "9F81119F81119F029F02"})
    exchanging("never-known", "2021222324.3", {"9F8203": "9F249F02"})
    exchanging("record-object", "2021222324.2", {"9F8203": "5A"}, {"encrypt": "none"})
    exchanging("cryptogram-object", "2627.3", {"9F8203": "9F26"})
    exchanging(
        "relay", "2021.1 after 21.26", {"9F8203": "9F8111"}, {"aip": "010B", "relay": [(20, 80, 24, 9.25)]}, data=RELAY,
    )
    exchanging("unknown-envelope", "23.25", {"9F8203": "9F8115"})
    exchanging("unknown-then-known", "23.25", {"9F8203": "9F81159F8111"})
    exchanging("read-6985", "23.25", {"9F8203": "9F8111"}, {"encrypt": "none", "on": {"read": answering("6985")}})
    exchanging("read-timeout", "23.1", {"9F8203": "9F8111"}, {"on": {"read": lambda answer: "timeout"}})
    exchanging(
        "read-mac", "C.57, 4.2 a. Records in the clear", {"9F8203": "9F8111"},
        {"encrypt": "none", "on": {"read": raw(flipped)}},
    )
    exchanging(
        "read-mac-encrypted", "C.57, 4.2 a. The card has counted, the kernel has not", {"9F8203": "9F8111"},
        {"on": {"read": raw(flipped)}},
    )
    exchanging("read-short", "C.56", {"9F8203": "9F8111"}, {"encrypt": "none", "on": {"read": raw(lambda b: b[:7])}})
    exchanging("read-empty", "C.56", {"9F8203": "9F8111"}, {"encrypt": "none", "on": {"read": raw(lambda b: b"")}})
    exchanging("other-tag", "22.51b", {"9F8203": "9F8111"}, {"garble": "other-tag"})
    exchanging("no-envelope", "22.51b, 4.2 jj", {"9F8203": "9F8111"}, {"garble": "empty"})
    exchanging("envelope-cut", "22.53", {"9F8203": "9F8111"}, {"garble": "cut"})
    exchanging("no-records", "2021.6", {"9F8203": "9F8111"}, {"afl": "58010100", "first": []})
    exchanging("option-off", "3.1", {"9F8203": "9F8111", "BF8104": ENVELOPE_1}, kernel8={"dataExchange": False})
    exchanging("configured", "T A.38", {}, data={"9F8203": "9F8111"})
    exchanging("asked-empty", "1.13", {"9F8203": "", "BF8104": ""})
    exchanging("flag-ff", "2021222324.13", {"9F8202": "FF"})
    exchanging("flag-00-deadline", "24.1", {"9F8202": "00"})
    exchanging("flag-empty-deadline", "24.1", {"9F8202": ""})
    exchanging("flag-00-det", "24.12", {"9F8202": "00"}, dets=[{"9F8202": "01"}])
    exchanging("flag-empty-det", "2021222324.7", {"9F8202": ""}, dets=[{"9F8202": "01"}])
    exchanging("flag-empty-twice", "2021222324.7", {"9F8202": ""}, dets=[{"9F02": "000000001300"}, {"9F8202": "01"}])
    exchanging(
        "flag-00-read", "24.13", {"9F8202": "00", "9F8203": "9F02"}, dets=[
            {"9F8203": "9F81119F8112"}, {"9F8202": "01"},
        ],
    )
    exchanging("flag-00-known", "2021222324.8", {"9F8202": "00"}, dets=[{"9F8203": "9F1A"}, {"9F8202": "01"}])
    exchanging(
        "flag-00-known-and-unknown", "2021222324.9", {"9F8202": "00"}, dets=[{"9F8203": "9F1A9F24"}, {"9F8202": "01"}],
    )
    exchanging(
        "flag-00-read-then-write", "2021222324.8", {"9F8202": "00"}, {"encrypt": "none"},
        dets=[{"9F8203": "9F8111"}, {"9F8202": "01", "BF8104": ENVELOPE_1}],
    )
    exchanging(
        "flag-00-unknown-envelope", "2021222324.9", {"9F8202": "00", "9F8203": "9F81155A"}, {"encrypt": "none"},
        dets=[{"9F8202": "01"}],
    )
    exchanging("unknown-envelope-and-known", "2021222324.3", {"9F8203": "9F81155A"}, {"encrypt": "none"})
    exchanging("flag-00-record-object", "24.24", {"9F8202": "00", "9F8203": "5A9F07"}, dets=[{"9F8202": "01"}])
    exchanging(
        "det-no-right", "4.1.2", {"9F8202": "00"}, dets=[{"9F8202": "01", "9F15": "0000", "5F57": "20", "9C": "20"}],
        data={"9F821F": "9F82045F579F15"},
    )
    exchanging("det-wrong", "4.2 hh", {"9F8202": "00"}, dets=[{"9F8203": "9F81"}])
    exchanging("det-amount", "4.1.2", {"9F8202": "00"}, dets=[{"9F8202": "01", "9F02": "000000020000", "9A": "261122"}])
    exchanging("det-empty-amount", "2021222324.14", {"9F8202": "00"}, dets=[{"9F8202": "01", "9F02": ""}])
    plain = {"encrypt": "none"}
    exchanging("tag-left", "2021222324.3", {"9F8203": "9F245A"}, plain)
    exchanging("flag-00-tag-left", "2021222324.9", {"9F8202": "00", "9F8203": "9F245A"}, plain, dets=[{"9F8202": "01"}])
    exchanging("flag-00-plain", "2021222324.9", {"9F8202": "00", "9F8203": "9F46"}, plain, dets=[{"9F8202": "01"}])
    exchanging("write", "S30", {"BF8104": ENVELOPE_1})
    exchanging("write-two", "30.7", {"BF8104": ENVELOPE_1 + ENVELOPE_2})
    exchanging("write-three-approved", "30.7", {"BF8104": ENVELOPE_1 + ENVELOPE_2 + "9F81140107"}, {"cid": TC})
    exchanging("write-declined", "S30", {"BF8104": ENVELOPE_1}, {"cid": AAC})
    exchanging("write-replaced", "4.3", {"BF8104": ENVELOPE_1 + ENVELOPE_2 + "9F81120109"})
    exchanging("write-by-det", "24.11", {"9F8202": "00"}, dets=[{"9F8202": "01", "BF8104": ENVELOPE_1}])
    exchanging(
        "write-det-replaces", "24.11, 4.3", {"9F8202": "00", "BF8104": ENVELOPE_1 + ENVELOPE_2},
        dets=[{"9F8202": "01", "BF8104": "9F81120155"}],
    )
    exchanging("write-configured", "T A.38", {}, data={"BF8104": ENVELOPE_1})
    exchanging("write-243", "4.2 gg", {"BF8104": "9F811181F3" + "5A" * 243})
    exchanging("write-too-long", "4.2 gg", {"BF8104": "9F811181FB" + "5A" * 251 + ENVELOPE_1})
    exchanging("write-6985", "30.9", {"BF8104": ENVELOPE_1 + ENVELOPE_2}, {"on": {"write": answering("6985")}})
    exchanging(
        "write-timeout", "30.1", {"BF8104": ENVELOPE_1 + ENVELOPE_2}, {"on": {"write": lambda answer: "timeout"}},
    )
    exchanging("write-mac", "30.5", {"BF8104": ENVELOPE_1 + ENVELOPE_2}, {"on": {"write": raw(flipped)}})
    exchanging("write-no-mac", "30.5", {"BF8104": ENVELOPE_1}, {"on": {"write": raw(lambda b: b"")}})
    exchanging("write-local-failed", "29.44a", {"BF8104": ENVELOPE_1}, {"sent_factor": 12345})
    exchanging("write-no-local", "29.44a", {"BF8104": ENVELOPE_1}, {"chain": None, "aip": "000A"})
    exchanging(
        "write-eda", "29.7. 1E has not been shown", {"BF8104": ENVELOPE_1},
        {"ac_objects": lambda pairs: pairs[:-1] + [("9F8105", flipped(pairs[-1][1]))]},
    )
    exchanging("read-and-write", "S23, S30", {"9F8203": "9F8111", "BF8104": ENVELOPE_1 + ENVELOPE_2}, {"cid": TC})
    exchanging("read-and-write-rsa", "S23, S30", {"9F8203": "9F8111", "BF8104": ENVELOPE_1}, {"chain": "rsa"}, data=RSA)
    exchanging("write-restart", "2930.2", {"BF8104": ENVELOPE_1}, {"restart": "2F20"})


def random_scene(chance):
    """A card and a reader drawn from all the choices above, mostly honest."""
    card = {
        "version": chance.pick([1, 2, 2, 3]),
        "encrypt": chance.pick(["all", "all", "some", "none"]),
        "chain": chance.pick(["ec", "ec", "ec", "rsa", None]),
        "cid": chance.pick([TC, TC, ARQC, AAC]),
        "decision": chance.pick([0, 0, 1, 2, 3, 0x0F, 0xFF, 0x20]),
        "field_off": chance.once_in(4),
        "suites": chance.pick(["00FFFF", "FF00FF", "0000FF"]),
    }
    copies = chance.pick([0, 2, 2, 4, 6])
    card["aip"] = "%02X%02X" % (
        1 if card["chain"] and not chance.once_in(6) else 0, copies | chance.pick([8, 8, 0]) | chance.below(2),
    )
    if copies == 4:
        card["offset"] = "%02X" % chance.pick([0, 8, 16, 24])
    if chance.once_in(4):
        card["card_tvr"] = hexed(both(chance.bytes(5), chance.bytes(5)))
    if chance.once_in(4):
        card["restart"] = chance.pick(["1", "2", "3", "3"]) + chance.pick("12F5") + chance.pick(
            ["00", "18", "20", "21", "44"]
        )
    if chance.once_in(3):
        card["extended"] = [chance.pick(["9F07", "5F34", "9F24", "57", "8C"]) for _ in range(1 + chance.below(3))]
    if chance.once_in(3):
        card["account"] = account_number(chance, chance.pick([6, 8, 9, 12]))
    if chance.once_in(5):
        card["long_lengths"] = True
    if chance.once_in(6) and card["chain"] != "rsa":
        card["sent_factor"] = chance.scalar()
    if chance.once_in(5) and card["chain"] == "ec":
        card["cert"] = chance.pick(
            [
                {"issuer_expiry": "20250101"}, {"card_expiry": "202001010000"}, {"card_spoil": flipped},
                {"identifier": "6788"},
            ]
        )
    if chance.once_in(3):
        card["answer"] = [("9F8106", hexed(chance.bytes(chance.below(20))))]
    card["relay"] = [
        (chance.below(60), 60 + chance.below(100), chance.pick([0, 10, 12, 24, 30, 60]), chance.below(2500) / 100)
        for _ in range(3)
    ]
    data = {
        "9F8209": "%02X00" % (
            0x20 * (card["chain"] == "rsa" or chance.flag()) | 0x10 * chance.below(2) | 8 * chance.below(2)
        ),
        "9F820A": chance.pick(["10", "10", "10", "00", "30"]),
        "9F820B": chance.pick(["8400000040", "8400000040", "0000000000", "8400800040"]),
        "9F820C": chance.pick(["840084804C", "0000000000", "0000040000"]),
        "9F8207": chance.pick(["64", "60", "40", "04"]),
        "9F8208": chance.pick(["6C", "08", "64"]),
        "9F821F": chance.pick(["9F82049F810C", "9F82049F821B9F821C", "9F8204"]),
    }
    made = {
        "source": "C-8. Drawn",
        "cards": ({key: value for key, value in card.items() if value is not None or key == "chain"},),
        "data": data,
        "type": chance.pick(["00", "00", "00", "01", "09", "17", "20"]),
        "amount": chance.pick([0, 1, 1250, 5000, 5001, 10000, 10001, 25000]),
        "terminal": {"9F35": chance.pick(["22", "22", "21", "23", "25", "14", "26"])},
        "utcOffset": chance.pick([0, 60, -300, 840]),
    }
    deal = {}
    if chance.once_in(4):
        deal["9F8203"] = chance.pick(["9F8111", "5A", "9F81125A9F8111", "9F02"])
        card["envelopes"] = made["cards"][0]["envelopes"] = {"9F8111": "0102", "9F8112": "03"}
    if chance.once_in(4):
        deal["BF8104"] = chance.pick([ENVELOPE_1, ENVELOPE_2 + ENVELOPE_1])
    if deal:
        made["deal"] = deal
    return made


def scenes():
    if not SCENES:
        for family in (
            start_scenes, terminal_scenes, options_scenes, relay_scenes, record_scenes, cryptogram_scenes,
            restart_scenes, holder_scenes,
            certificate_scenes, exchange_scenes,
        ):
            family()
    return SCENES


def own_chance(seed, name):
    """Draws of one scene: another scene before it changes nothing."""
    return Chance(unsigned(hashlib.sha256(b"%d %s" % (seed, name.encode())).digest()[:8]))


def dialogues(seed, count):
    """Every named scene by the book, some again in another profile, scenes of the tables drawn, then random ones."""
    made = []
    for name, one in scenes():
        table = name.startswith("?")
        name = "k8-" + name.lstrip("?")
        chance = own_chance(seed, name)
        if table and not chance.once_in(9):
            continue
        others = [
            profile
            for profile in (GUARDED, STRICT)
            if chance.once_in(24) or profile == GUARDED and "ection 7" in one["source"] or "A15" in one["source"]
            or any(attack in one["source"] for attack in ("A03", "A36", "A37", "A39"))
        ]
        chosen = [chance.pick([BOOK, GUARDED, STRICT])] if table else [BOOK] + others
        for profile in chosen:
            made += shoot(chance, name if profile == BOOK else "%s-%s" % (name, PROFILES[profile]), one, profile)
    number, drawn = len(made), 0
    while number < count:
        drawn += 1
        chance = own_chance(seed, "random %d" % drawn)
        one = random_scene(chance)
        profile = chance.pick([BOOK, BOOK, GUARDED, STRICT])
        traces = shoot(chance, "k8-random-%d" % drawn, one, profile)
        number += len(traces)
        made += traces
    return made


# ---------------------------------------------------------------------------------------------------------------
# Decision tables alone, as lines "function | inputs | outputs" (form of rules.py): bytes x…, numbers, ? for nothing
# ---------------------------------------------------------------------------------------------------------------

FUNCTIONS = """k8_taa | TVR, TAC Denial, TAC Online, terminal type, card offline capable | 0 decline, 1 accept, 2 online
k8_cid | CID, first decision | valid
k8_cvm | decision, TRMD | 0 none 1 signature 2 online PIN 3 CDCVM 4 n/a, CVM Results, bit of TVR byte 3 or 0
k8_card_tvr | TVR, Card TVR, mask | TVR
k8_relay | µs, latency, 10 bytes of answer, 9F8215, 9F8216, 9F8213, 9F8214, 9F8218, 9F8217 | measured, excess, 3 flags
k8_afl | AFL | valid, Active AFL
k8_offset | offset, length of 9F10 | valid
k8_fit | tag, value, length in the DOL | bytes
k8_known | tag, length | 0 not known, 1 refused, 2 stored
k8_parse | string | 0 good, 1 PARSING ERROR, 2 CARD DATA ERROR
k8_end | CID, decision, type, 9F8108, 9F821D, CVM (as k8_cvm) | end, message, message of the restart, interface, if held
 ends: 0 approved 1 online 2 declined 3 try another interface 4 end application 5 restart
 interfaces: 1 contact 2 magstripe
 the three flags of k8_relay: too fast, too slow (again, or TVR), threshold exceeded
k8_utc | YYMMDD, HHMMSS, utcOffset + 840 | YYYYMMDDHHMM
k8_identifier | identifier, digits of the PAN with F, longest | matches
k8_month | MMYY, YYMMDD | over
k8_recover | x | the smaller y
k8_keys | d, Card Key Data | SKc, SKi, r; nothing: DECRYPTION FAILED
k8_blinding | r, x of the card's key, x of Card Key Data | valid
k8_ecsdsa | x, y, signature, message | genuine
k8_issuer | certificate, CA x, y, RID, index, PAN, YYYYMMDD, revoked serial | x of the key, step that fails or 0
k8_card | certificate, issuer x, y, static data, YYYYMMDDHHMM | x of the key, step that fails or 0
k8_ctr | counter, key, data | data
k8_cmac | key, message | CMAC, CMAC+"""
METHODS = {"none": 0, "signature": 1, "onlinePIN": 2, "cdcvm": 3, "notApplicable": 4}
ENDS = {"approved": 0, "onlineRequest": 1, "declined": 2, "tryAnotherInterface": 3, "endApplication": 4}
MONTHS = ["0126", "1126", "1226", "1025", "0000", "1326", "1299", "0150", "0149", "1A26", "0227"]


class Lines:
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


def decision_cases(chance, out):
    codes = [unhex(value) for value in ("8400000040", "840084804C", "0000000000", "FFFFFFFFFF", "0000000040")]
    kinds = ["11", "13", "14", "16", "21", "22", "23", "24", "25", "26", "34", "35", "36", "00", "15"]
    for _ in range(900):
        tvr = both(both(chance.bytes(5), chance.bytes(5)), chance.bytes(5))
        arguments = (tvr, chance.pick(codes), chance.pick(codes + [chance.bytes(5)]), chance.pick(kinds), chance.flag())
        decided = action_analysis(*arguments)
        out.case("k8_taa", arguments[:3] + (unhex(arguments[3]),) + arguments[4:], [decided])
    for cid in range(0, 256, 1):
        for asked in (AAC, TC, ARQC):
            if cid % 16 in (0, 15):
                out.case("k8_cid", [bytes([cid]), asked], [cid_valid(cid, asked)])
    for decision in list(range(18)) + [0x20, 0x80, 0xF0, 0xFE, 0xFF]:
        for place in [0x00, 0xFF] + [1 << n for n in range(8)] + [0x6C, 0x93]:
            method, results, where = verification(decision, bytes([place]) + bytes(7))
            out.case(
                "k8_cvm", [bytes([decision]), bytes([place]) + bytes(7)], [METHODS[method], unhex(results), where or 0],
            )
    for _ in range(200):
        three = (chance.bytes(5), chance.bytes(5), chance.pick([unhex("84000080CF"), chance.bytes(5)]))
        out.case("k8_card_tvr", three, [masked_tvr(*three)])


def relay_cases(chance, out):
    for _ in range(900):
        least, most = chance.pick([0, 5, 20, 100, 0xFFFF]), chance.pick([0, 80, 120, 0xFFF0, 0xFFFF])
        estimate = chance.pick([0, 1, 11, 12, 24, 48, 49, 0xFFFF])
        answer = chance.bytes(4) + b"".join(part.to_bytes(2, "big") for part in (least, most, estimate))
        expected = chance.pick([0, 1, 12, 24, 24, 0xFFFF])
        command, grace = chance.pick([0, 18]), (chance.pick([0, 20, 200]), chance.pick([0, 50, 0xFFFF]))
        edge = (
            command + min(estimate, expected) + chance.pick([least, most, most + grace[1], max(0, least - grace[0]), 0])
        ) * 100
        latency = chance.pick([0, 0, 5000])
        micros = max(0, edge + latency + chance.pick([-100, -1, 0, 99, 100, 101]))
        mismatch, accuracy = chance.pick([0, 50, 100]), chance.pick([0, 300, 0xFFFF])
        times = RelayTimes(micros, latency, answer, command, expected, grace)
        out.case(
            "k8_relay",
            [micros, latency, answer, command, expected, grace[0], grace[1], mismatch, accuracy],
            [times.measured, times.excess, times.too_fast, times.too_slow, times.inaccurate(mismatch, accuracy)],
        )


def data_cases(chance, out):
    for _ in range(500):
        afl = b""
        for _ in range(1 + chance.below(4)):
            first = chance.pick([0, 1, 1, 1, 2, 255])
            last = chance.pick([first, first + 1, 0, 255]) & 0xFF
            afl += bytes(
                [
                    chance.pick([0, 1, 2, 10, 11, 30, 31]) << 3 | chance.pick([0, 0, 4, 7]), first, last,
                    chance.pick([0, 1, 2, 255]),
                ]
            )
        entries = active_entries(afl)
        active = b"".join(afl[at : at + 4] for at in range(0, len(afl), 4) if afl[at] >> 3 <= 10)
        out.case("k8_afl", [afl], [entries is not None, active if entries is not None else None])
    for offset in (0, 1, 23, 24, 25, 31, 32, 127, 247, 248, 249, 255):
        for size in (1, 7, 8, 9, 31, 32):
            out.case("k8_offset", [offset, size], [offset_valid(offset, size)])
    values = {
        "9F02": "000000012345", "5A": "6788880000000019", "57": "678888D3112", "9A": "261122", "9F1E": "4F52414E",
        "5F34": "01", "9F37": "A1B2C3D4", "9F20": "12345F", "9F24": "", "DF01": "0102",
    }
    for tag, value in values.items():
        value = unhex(channel.filled(value))
        for size in (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 20):
            if value or tag not in COMPRESSED:
                out.case("k8_fit", [unhex(tag), value, size], [fitted(tag, value, size)])
    for tag in sorted(KNOWN) + [
        "8E", "9F4A", "5F20", "9F6C", "9F6E", "DF01", "9F8110", "9F811B", "9F8222", "9F53", "5F28",
    ]:
        if unhex(tag)[0] & 0x20:
            continue
        rights, sizes = KNOWN.get(tag, ((), ()))
        edges = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 244, 248, 250, 252}
        for size in sorted(edges):
            out.case(
                "k8_known", [unhex(tag), size],
                [0 if tag not in KNOWN else 2 if "RA" in rights and size in sizes else 1],
            )
    for _ in range(700):
        out.case("k8_parse", *parse_case(chance))


def parse_case(chance, depth=0):
    """A template with some objects, perhaps spoilt, and what 4.1.3 says of it."""
    tag_choices = ["57", "9F02", "9F8102", "DF01", "9F818101", "DF81818101", "1F8181818101", "5A"]
    body = b""
    for _ in range(chance.below(4)):
        value = chance.bytes(chance.below(6))
        if chance.once_in(4):
            value = obj("9F07", b"\0\0")
            made = obj(chance.pick(["70", "A5", "BF0C"]), value)
        else:
            tag = chance.pick(tag_choices[:4] + tag_choices if chance.once_in(3) else tag_choices[:4])
            made = obj(tag, value, chance.once_in(5))
        body += bytes(chance.pick([0, 0, 0, 1, 2])) + made
    string = obj("77", body + bytes(chance.pick([0, 0, 1])))
    spoil = chance.below(12)
    if spoil == 0:
        string = string[:-1]
    elif spoil == 1:
        string += bytes(chance.below(3))
    elif spoil == 2:
        string += b"\xff"
    elif spoil == 3:
        string = string[:1] + b"\x80" + string[2:]
    elif spoil == 4:
        string = string + obj("57", b"\1")
    elif spoil == 5 and body:
        place = 2 + chance.below(len(body))
        string = string[:place] + chance.bytes(1) + string[place + 1 :]
    top, walked = series(string), primitives(string)
    if top is None or walked is None or len(top) != 1:
        return [string], [1]
    return [string], [2 if any(len(tag) > 3 for tag, _ in walked) else 0]


class Bystander:
    """What a kernel needs of a reader to finish."""

    restarts = 0


def end_cases(chance, out):
    for _ in range(1200):
        cid, decision = chance.pick([0x00, 0x40, 0x80]), chance.pick([DECLINE, ACCEPT, ONLINE])
        kind = chance.pick(["00", "01", "09", "17", "20", "21", "30"])
        indicator = b""
        if not chance.once_in(4):
            indicator = unhex(
                "%X%X%s" % (
                    chance.pick([1, 2, 3, 3, 0, 15]), chance.pick([1, 2, 15, 0, 5]),
                    chance.pick(["00", "21", "18", "20", "1B", "07"]),
                )
            )
        listed, cvm = chance.pick([unhex("211820"), b"", b"\x20"]), chance.pick(sorted(METHODS))
        kernel = Kernel.__new__(Kernel)
        kernel.reader, kernel.profile, kernel.error = Bystander(), BOOK, [0, 0, 0, b"\0\0", 0x1C]
        kernel.data = {tag: unhex(value) for tag, value in DEFAULTS.items()}
        kernel.data.update(
            {"95": bytes(5), "9F27": bytes([cid]), "9C": unhex(kind), "9F8108": indicator, "9F821D": listed}
        )
        kernel.from_cryptogram, kernel.decision, kernel.cvm = {"9F8108"}, decision, cvm
        kernel.receipt, kernel.alternate, kernel.field_off = False, "none", None
        try:
            kernel.finish()
        except Outcome as outcome:
            code = 5 if outcome.start == "B" else ENDS[outcome.status]
            hexes = [None if text is None else unhex(text) for text in (outcome.message, outcome.restart)]
            alternate = {"none": 0, "contact": 1, "magstripe": 2}[outcome.alternate]
            out.case(
                "k8_end", [bytes([cid]), decision, unhex(kind), indicator, listed, METHODS[cvm]],
                [code] + hexes + [alternate, bool(outcome.hold)],
            )


def date_cases(chance, out):
    reader = Reader.__new__(Reader)
    for date in ("261122", "270101", "280301", "270301", "261231", "280228", "280229", "991231", "500101"):
        for time in ("000000", "000059", "003000", "120000", "235900", "235959"):
            for offset in (-840, -60, -1, 0, 1, 60, 345, 840):
                reader.transaction = {"utcOffset": offset}
                out.case(
                    "k8_utc", [unhex(date), unhex(time), offset + 840], [unhex(reader.utc(unhex(date), unhex(time)))],
                )
    for identifier in (
        "678FFFFFFF", "6788FFFFFF", "6788880000", "67FFFFFFFF", "FFFFFFFFFF", "67F8888888", "678888000F", "6788A8FFFF",
        "679FFFFFFF", "6788880001",
    ):
        for digits in ("6788880000000019", "678888000000001", "678"):
            for longest in (8, 10):
                chosen = identifier[:longest]
                out.case(
                    "k8_identifier", [unhex(chosen), unhex(channel.filled(digits)), longest],
                    [channel.prefix_matches(chosen, digits, longest)],
                )
    for month in MONTHS:
        for today in ("261122", "261130", "261201", "990101", "490101", "500101"):
            out.case("k8_month", [unhex(month), unhex(today)], [channel.month_over(unhex(month), today)])


def point_cases(chance, out):
    shown = [0, 1, 5, P256.p, P256.p + 5, P256.p - 1, 2**256 - 1, P256.base[0]] + [chance.scalar() for _ in range(40)]
    for x in shown:
        point = P256.recover(x.to_bytes(32, "big"))
        out.case("k8_recover", [x.to_bytes(32, "big")], [P256.wire(point[1]) if point else None])
    for number in range(40):
        private = chance.scalar()
        kernel = channel.KernelChannel(private)
        factor = chance.pick([chance.scalar(), 1, 2, P256.n - 1])
        card = channel.CardChannel(PRIVATE["card"], factor, kernel.public)
        data = card.key_data
        data = chance.pick(
            [data, data, data[:-1], bytes(31) + b"\1" + data[32:], data + b"\0"]
        ) if number > 25 else data
        kernel.card_key_data(data)
        keys = kernel.keys or (None, None)
        out.case("k8_keys", [P256.wire(private), data], [keys[0], keys[1], kernel.factor])
    x = P256.wire(public("card")[0])
    for number in range(30):
        factor = chance.scalar()
        blinded = P256.wire(P256.times(factor, public("card"))[0])
        sent = chance.pick([factor, P256.n - factor, factor ^ 1, 0, P256.n, 1, 2**256 - 1])
        out.case(
            "k8_blinding", [P256.wire(sent), x, blinded],
            [channel.blinding_valid(P256.wire(sent), public("card"), blinded)],
        )
    for number in range(60):
        message = chance.bytes(chance.below(90))
        signature = P256.sign(PRIVATE["issuer"], message, chance.scalar())
        half = signature[:32]
        choices = [
            signature, signature, flipped(signature), flipped(signature, 0), half + bytes(32), half + P256.wire(P256.n),
        ]
        choices += [bytes(32) + signature[32:], signature[:-1], signature + b"\0", P256.wire(P256.n) + signature[32:]]
        signature = choices[number % len(choices)]
        point = public(chance.pick(["issuer", "issuer", "issuer", "card"]))
        out.case(
            "k8_ecsdsa", [P256.wire(point[0]), P256.wire(point[1]), signature, message],
            [P256.genuine(point, signature, message)],
        )


def certificate_cases(chance, out):
    ca, issuer = public("ca"), public("issuer")
    for change in (
        {}, {}, {"issuer_expiry": "20261121"}, {"issuer_expiry": "20261122"}, {"issuer_rid": FOREIGN},
        {"issuer_index": b"\2"}, {"issuer_suite": b"\0"}, {"issuer_kind": b"\x13\0"}, {"issuer_kind": b"\x12\1"},
        {"identifier": "679"}, {"identifier": "678"}, {"issuer_spoil": flipped}, {"issuer_spoil": lambda c: c[1:]},
        {"issuer_x": bytes(32)}, {"issuer_x": bytes(31) + b"\5"}, {"issuer_spoil": lambda c: flipped(c, 30)},
        {"issuer_serial": unhex("000809")}, {"card_expiry": "202611221159"}, {"card_expiry": "202611221200"},
        {"card_suite": b"\x10"}, {"card_kind": b"\x12\0"}, {"card_kind": b"\x14\2"}, {"card_encoding": b"\2\2"},
        {"card_encoding": b"\1\3"}, {"card_hash": b"\1" * 32}, {"card_x": bytes(31) + b"\1"},
        {"card_spoil": lambda c: c + b"\0"}, {"card_spoil": lambda c: flipped(c, 81)},
        {"card_spoil": lambda c: flipped(c, 60)},
    ):
        card = {"name": AID, "account": "6788880000000019", "cert": change}
        static = chance.bytes(40)
        first, second = ec_certificates(chance, card, static)
        certificate, own = dict(first)["90"], dict(second)["9F46"]
        for serial in (unhex("000808"), unhex("AAAAAA")):
            key, step = channel.ecc_issuer_key(
                certificate, ca, RID, b"\1", card["account"], "20261122", {(RID, b"\1", serial)},
            )
            out.case(
                "k8_issuer",
                [
                    certificate, P256.wire(ca[0]), P256.wire(ca[1]), RID, b"\1", unhex(card["account"]),
                    unhex("20261122"), serial,
                ],
                [P256.wire(key[0]) if key else None, step or 0],
            )
        key, step = channel.ecc_card_key(own, issuer, static, "202611221200")
        out.case(
            "k8_card",
            [own, P256.wire(issuer[0]), P256.wire(issuer[1]), static, unhex("202611221200")],
            [P256.wire(key[0]) if key else None, step or 0],
        )


def cipher_cases(chance, out):
    for number in range(150):
        key, data = chance.bytes(16), chance.bytes(chance.pick([0, 1, 15, 16, 17, 31, 32, 33, 60]))
        counter = chance.pick([0, 1, 0x7FFE, 0x8000, 0x8001, 0xFFFE])
        out.case("k8_ctr", [counter, key, data], [channel.crypt(counter, data, key)])
        out.case("k8_cmac", [key, data], [channel.cmac(key, data), channel.cmac_plus(key, data)])


def rules(seed):
    out = Lines()
    groups = [
        decision_cases, relay_cases, data_cases, end_cases, date_cases, point_cases, certificate_cases, cipher_cases,
    ]
    for number, group in enumerate(groups):
        group(Chance(seed + number), out)
    return out.lines


# ---------------------------------------------------------------------------------------------------------------
# The files, and the checks of this program
# ---------------------------------------------------------------------------------------------------------------

# Asked only where there is no other answer.
ONE_SIDED = set()


def taps_text(seed, count):
    return "".join(
        json.dumps(trace, separators=(",", ":"), ensure_ascii=False) + "\n" for trace in dialogues(seed, count)
    )


def rules_text(seed):
    heading = "# Generated by Tests/Independent/generators/kernel_8.py --rules, seed %d\n" % seed
    heading += "".join("# %s\n" % line for line in FUNCTIONS.splitlines())
    return heading + "".join(line + "\n" for line in rules(seed))


def not_monotone(scene_count):
    """Random scenes in which a profile goes on where a more permissive one refuses (SECURITY.md, Profiles)."""
    found = []
    for seed in range(scene_count):
        chance = Chance(seed)
        one, ends, state = random_scene(chance), [], chance.state
        for profile in (BOOK, GUARDED, STRICT):
            chance.state = state
            traces = shoot(chance, "monotone", one, profile)
            ends += [trace["expect"]["outcome"] in ("approved", "onlineRequest") for trace in traces[:1]]
        if ends != sorted(ends, reverse=True):
            found.append("random scene %d: a stricter profile goes on where another refuses" % seed)
    return found


def check():
    failed, traces = [], examples(8)
    for trace in traces:
        if replay(trace, False) and replay(trace, True):
            failed.append("%s: %s" % (trace["name"], replay(trace, True)))
    if not traces:
        failed.append("no example traces")
    ANSWERS.clear()
    taps = taps_text(DEFAULT_SEED, DEFAULT_COUNT)
    for question, (no, yes) in sorted(ANSWERS.items()):
        if not (yes and no) and question not in ONE_SIDED:
            failed.append("%s: answered No %d times and Yes %d times" % (question, no, yes))
    questions = len(ANSWERS)
    for line in taps.splitlines():
        trace = json.loads(line)
        for early in [True] if trace["name"].endswith("-early") else [False, True]:
            differences = replay(trace, early)
            if differences:
                failed.append("%s: %s" % (trace["name"], differences))
    failed += not_monotone(60)
    return report(8, len(traces), taps.count("\n"), questions, failed)


if __name__ == "__main__":
    sys.exit(command(sys.modules[__name__]))
