#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of Kernel 6 (Discover D-PAS): reader, virtual cards that sign, random dialogues.

It was written from Book C-6 v2.6, Books A and B v2.10, EMV 4.3 Book 2, EMV 4.4 Book 3 and the project's checklist by
clause with its settled readings, before the kernel existed, by someone who has not read the project's C kernels. It is
slow and plain on purpose. Clauses are cited beside each rule: "F3-8.5" is step 5 of Figure 3-8 of C-6, "A" and "B" are
Books A and B, "guarded" and "strict" mark what those profiles add. Where clauses and readings leave a result open, the
kernel raises Open, and the generator draws again: nothing is claimed that no clause says.

    kernel_6.py [SEED [COUNT]]   COUNT dialogues (emv-trace/1), one a line, on standard output
    kernel_6.py --rules [SEED]   decision tables alone: function | inputs | outputs, as rules.py writes them
    kernel_6.py --write DIR      both files of Scripts/independent
    kernel_6.py --coverage       how often each question of the checklist was answered No and Yes
    kernel_6.py --check          replays the examples of Tests/Independent and the dialogues"""

# Readings, where book and clause list leave a choice:
# - the first unpredictable number of an activation is the next four bytes of random; the MS modes take a number v of
#   four bytes again while v ≥ ⌊2³²/10ⁿ⌋ · 10ⁿ, then v mod 10ⁿ for n = 2 · length. Their traces hold
#   bytes that give the same digits however many are drawn
# - messages lists identifiers alone: the restart request of B.8 has none, so after message 20 nothing stands before
#   the next one. After a lost answer 15 and 21 are both right, so messages is left out
# - the last presentment that maxTaps allows, answered with 6986, is End Application; its message and messages are
#   left out
# - what replaces No CVM above the limit (guarded), and signature and CDCVM too (strict), is online PIN; a reader
#   without it gives Try Another Interface for No CVM, or 1C where there is none, and keeps the signature
# - static tracks and tracks without room are refused with 1C in strict
# - an account that differs around a good signature ends with 1C in guarded, and only where the tap would have been
#   approved
# - a template that does not parse counts as a failed command before any 86 of it is sent
# - Declined after a signature was chosen: the receipt is left out; a refused SELECT with no other candidate: the word
#   of tap is left out
#
# Nothing is claimed, and no dialogue drawn, where these meet: magStripeMode off (how the mode ends); MS Mode in
# strict at a reader that has EMV Mode; 9F7E that is not n 3 in strict; MS modes at an offline-only reader in guarded;
# no floor limit in guarded; CDCVM in the clear above the limit in strict without online PIN (A01 and A32 differ); No
# CVM above the limit of an AAC or of a TC that failed, without online PIN; accounts that differ in a tap that is not
# approved; 5F25 without 9F08 in guarded for a TC where an ARQC was demanded (the rule would send online what the book
# declines, and profiles are monotone); 9F7D of another length in F3-1.5; one of 9F07 and 5F28, of another length,
# where the check is skipped; an object of the FCI again in a record; refunds and findings beyond profile book. strict
# stands with offline set to dynamicOda.

import json
import sys

from emv import (
    ANSWERS,
    Chance,
    Fault,
    Key,
    Lines,
    Open,
    ask,
    bcd,
    bit,
    check_kernel,
    certificate,
    command,
    day_of,
    fitted,
    hexed,
    luhn_digit,
    month_of,
    nibbles,
    number_of,
    obj,
    of_other_network,
    pack,
    parse,
    parse_dol,
    recover,
    resized,
    sha1,
    unhex,
    with_bit,
)

DEFAULT_SEED = 20261122
DEFAULT_COUNT = 880
TAPS, RULES = "kernel_6.taps", "kernel_6_rules.txt"

AAC, TC, ARQC, RFU = range(4)
BOOK, GUARDED, STRICT = range(3)
PROFILES = ["book", "guarded", "strict"]
D_PAS, LEGACY = bytes.fromhex("A0000001523010"), bytes.fromhex("A0000003241010")
PPSE = b"2PAY.SYS.DDF01"


# ---------------------------------------------------------------------------------------------------------------
# Data objects
# ---------------------------------------------------------------------------------------------------------------

# Objects of the terminal or the issuer: never taken from the card (Book 3, 7.5).
NOT_FROM_CARD = {
    "9F02",
    "9F03",
    "9F1A",
    "5F2A",
    "9A",
    "9C",
    "95",
    "9B",
    "9F37",
    "9F09",
    "9F66",
    "9F33",
    "9F35",
    "9F15",
    "9F1E",
    "9F4E",
    "9F40",
    "9F06",
    "9F21",
    "9F41",
    "8A",
    "91",
    "71",
    "72",
    "86",
    "DF71",
    "DF72",
}
# Objects of the card that this kernel recognises in a response or record (Tables 4-4, 4-8; 3.3 to 3.6; Book 3).
FROM_CARD = {
    "57",
    "5A",
    "56",
    "5F24",
    "5F25",
    "5F28",
    "5F34",
    "5F20",
    "9F1F",
    "9F07",
    "9F08",
    "9F10",
    "9F26",
    "9F27",
    "9F36",
    "9F4B",
    "9F71",
    "82",
    "94",
    "D1",
    "8F",
    "90",
    "92",
    "9F32",
    "9F46",
    "9F47",
    "9F48",
    "9F4A",
    "9F7E",
    "5F2D",
    "50",
    "9F12",
    "9F11",
    "9F4D",
    "5F30",
    "9F42",
    "8C",
    "8D",
    "8E",
    "9F0D",
    "9F0E",
    "9F0F",
}


# ---------------------------------------------------------------------------------------------------------------
# Keys and certificates of these cards
# ---------------------------------------------------------------------------------------------------------------

KEYS = {}


def keys(name):
    """Chain "r" has remainders at both levels; chain "f" fits into its certificates."""
    if name not in KEYS:
        sizes = {
            "r-ca": (1152, 3),
            "r-issuer": (1024, 3),
            "r-card": (896, 3),
            "f-ca": (1408, 65537),
            "f-issuer": (1104, 65537),
            "f-card": (752, 3),
        }
        bits, exponent = sizes[name]
        KEYS[name] = Key(sorted(sizes).index(name) * 7919 + 6, bits, exponent)
    return KEYS[name]


CA_INDEX = {"r": "D4", "f": "D5"}


def ca_entry(chain, rid="A000000152", expires="2035-12-31"):
    """A row of `caKeys`. The check value is that of Book 2, annex B: SHA-1 over RID, index, modulus, exponent."""
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
# Outcomes (annex B)
# ---------------------------------------------------------------------------------------------------------------


class Outcome(Exception):
    """The kernel's or Entry Point's last word. Raised, since every step may end the transaction."""

    def __init__(self, outcome, message=None, **more):
        super().__init__(outcome)
        self.outcome, self.message = outcome, message
        self.cvm, self.start, self.restart, self.restart_message = "notApplicable", "none", False, None
        self.alternate, self.receipt, self.balance = "none", False, None
        self.hold = self.field_off = None
        self.data, self.discretionary = None, {}
        self.open = set()  # parameters that no clause fixes here
        self.by_limit = self.no_network = self.update = False
        for name, value in more.items():
            setattr(self, name, value)


def processing_error():
    return Outcome("endApplication", "1C")  # B.7


def silent_end():
    return Outcome("endApplication")  # B.6


def another_interface(others):
    """B.5: contact chip, else mag-stripe; N/A where there is neither (4.30)."""
    return Outcome(
        "tryAnotherInterface",
        "18",
        alternate="contact" if "contact" in others else "magstripe" if "magstripe" in others else "none",
    )


def select_next():
    return Outcome("selectNext", start="C")  # B.9


# ---------------------------------------------------------------------------------------------------------------
# Reading the FCI and the PDOL (3.1)
# ---------------------------------------------------------------------------------------------------------------


class FCI:
    """Answer to SELECT. `whole` is false where it counts as one without 84 or A5 (checklist 1.12)."""

    def __init__(self, data):
        self.whole, self.name, self.inside, self.outside = False, None, {}, {}
        self.has_template, self.bf0c, self.bf0c_outside = False, None, False
        top = parse(data)
        if top is None or len(top) != 1 or top[0][0] != "6F":
            return
        fields = parse(top[0][1])
        if fields is None or sum(tag == "84" for tag, _, _ in fields) > 1:
            return
        templates = [value for tag, value, _ in fields if tag == "A5"]
        if len(templates) > 1:
            return
        inner = parse(templates[0]) if templates else []
        if inner is None:
            return
        for tag in ("50", "87", "9F38", "BF0C"):
            if sum(entry[0] == tag for entry in fields + inner) > 1:
                return
        self.whole, self.has_template = True, bool(templates)
        self.outside = {tag: value for tag, value, _ in fields}
        self.inside = {tag: value for tag, value, _ in inner}
        self.name = self.outside.get("84")
        self.bf0c, self.bf0c_outside = self.inside.get("BF0C"), "BF0C" in self.outside

    def version(self):
        """9F7D of BF0C as (well coded, value or None); two of them are badly coded."""
        objects = parse(self.bf0c) if self.bf0c is not None else []
        if objects is None:
            return False, None
        found = [value for tag, value, _ in objects if tag == "9F7D"]
        return (False, None) if len(found) > 1 else (True, found[0] if found else None)


def check_magstripe_fci(fci, others):
    """F3-1 and F3-2: the PDOL's entries, or an outcome raised."""
    if ask("F3-1.1 84 is missing", not fci.whole or fci.name is None):
        raise another_interface(others)
    if ask("F3-1.2 A5 is missing", not fci.has_template):
        raise another_interface(others)
    if ask("F3-1.3a 87 stands outside A5", "87" in fci.outside):
        raise silent_end()
    if ask("F3-1.3a 87 is there", "87" in fci.inside):
        if ask("F3-1.3b 87 is not of 1 byte", len(fci.inside["87"]) != 1):
            raise another_interface(others)
    if ask("F3-1.4a BF0C stands outside A5", fci.bf0c_outside):
        raise silent_end()
    if ask("F3-1.4a BF0C is there", fci.bf0c is not None):
        coded, version = fci.version()
        if ask("F3-1.4b BF0C is badly coded", not coded):
            raise another_interface(others)
        if ask("F3-1.5 9F7D is missing", version is None):
            raise another_interface(others)
        if len(version) != 2:
            raise Open("F3-1.5 asks for 9F7D alone; its length is judged in F3-6 only")
    pdol = fci.inside.get("9F38")
    entries = parse_dol(pdol) if pdol is not None else None
    if ask("F3-2.1 no PDOL", entries is None):
        raise other_or_error("F3-2.2a another interface (no PDOL)", others)
    asked = [size for tag, size in entries if tag == "9F37"]
    if ask("F3-2.3 9F37 is not asked", not asked):
        raise other_or_error("F3-2.2a another interface (no 9F37)", others)
    if ask("F3-2.4 length of 9F37 outside 1 to 4", not 1 <= asked[0] <= 4):
        raise processing_error()
    return entries


def other_or_error(question, others):
    """ "Other interface supported?": Try Another Interface, else End Application (for Processing Error)."""
    return another_interface(others) if ask(question, others) else processing_error()


REQUIRED = [("9F66", 4), ("9F02", 6), ("9F03", 6), ("9F1A", 2), ("5F2A", 2), ("9A", 3), ("9C", 1)]


def check_emv_fci(fci, ttq, others):
    """F3-3 to F3-6.11: (the PDOL's entries, 9F7D of two bytes is there), or an outcome raised."""
    if ask("F3-3.1 84 is missing", not fci.whole or fci.name is None):
        raise another_interface(others)
    if ask("F3-3.2 A5 is missing", not fci.has_template):
        raise another_interface(others)
    if ask("F3-3.3 50 is missing under A5", "50" not in fci.inside):
        raise another_interface(others)
    pdol = fci.inside.get("9F38")
    entries = parse_dol(pdol) if pdol is not None else None
    if ask("F3-3.4 9F38 is missing under A5, or is cut", entries is None):
        raise another_interface(others)
    for step, (tag, size) in enumerate(REQUIRED):
        first = [length for entry, length in entries if entry == tag][:1]  # 4.28: the first is judged
        if ask("F3-4.%d %s is not asked" % (step + 1, tag), not first):
            raise select_next()
        if ask("F3-4.%d %s is asked with another length" % (step + 1, tag), first[0] != size):
            raise select_next()
    first = [length for entry, length in entries if entry == "9F37"][:1]
    if ask("F3-4.8a 9F37 is not asked", not first):
        raise select_next()
    _, version = fci.version()
    offered = version is not None and len(version) == 2  # 4.31: the length is judged first
    if version is not None:
        ask("F3-6.11 9F7D of another length", not offered)
    for tag, right in (
        ("5F2D", lambda n: 2 <= n <= 8 and n % 2 == 0),
        ("9F12", lambda n: 1 <= n <= 16),
        ("9F11", lambda n: n == 1),
    ):
        if tag in fci.inside:
            ask("F3-6.1-7 %s of another length, ignored" % tag, not right(len(fci.inside[tag])))
    if ask("F3-4.8b TTQ 1.8 and 9F7D", bit(ttq, 1, 8) and offered):
        if ask("F3-4.8c length of 9F37 neither 1 nor 4", first[0] not in (1, 4)):
            raise select_next()
    elif ask("F3-4.8d length of 9F37 not 4", first[0] != 4):
        raise select_next()
    return entries, offered


# ---------------------------------------------------------------------------------------------------------------
# Decisions after the card has left: cardholder verification, restrictions, action analysis
# ---------------------------------------------------------------------------------------------------------------


class Facts:
    """What the decisions ask for."""

    def __init__(self, **facts):
        self.ttq = self.cpr = self.iad = b""
        self.cvr_offset, self.profile, self.cryptogram = 2, BOOK, ARQC
        self.others, self.oda, self.tvr, self.tsi = [], None, bytes(5), bytes(2)
        self.other_network = False
        for name, value in facts.items():
            setattr(self, name, value)


def device_verification(facts):
    """F3-13: consumer device CVM. Only the CVR inside 9F10 is asked (4.9)."""
    cvr_2 = facts.iad[facts.cvr_offset + 1 : facts.cvr_offset + 2]
    ask("F3-13 9F10 ends before CVR byte 2", not cvr_2)
    failed = ask("F3-13.1 CVR 2.1 failed", bit(cvr_2, 1, 1))
    if not failed and ask("F3-13.2 CVR 2.2 performed", bit(cvr_2, 1, 2)):
        return "cdcvm"
    if ask("F3-13.3 CPR 2.2 fallback to signature", bit(facts.cpr, 2, 2)):
        if ask("F3-13.4 TTQ 1.2 signature", bit(facts.ttq, 1, 2)):
            return "signature"
    if ask("F3-13.5 CPR 2.1 fallback to no CVM", bit(facts.cpr, 2, 1)):
        return "none"  # 4.7: the text, not the figure
    facts.tvr = with_bit(facts.tvr, 3, 8)
    raise processing_error()


def online_pin(facts):
    """F3-12.6: the reader has online PIN. Guarded: not at an offline-only reader (4.18)."""
    if not bit(facts.ttq, 1, 3):
        return False
    if facts.profile >= GUARDED and bit(facts.ttq, 1, 4):
        ask("guarded 4.18: no online PIN at an offline-only reader", True)
        return False
    return True


def book_verification(facts):
    """F3-12."""
    if not ask("F3-12.1 TTQ 2.7 CVM required", bit(facts.ttq, 2, 7)):
        if ask("F3-12.2 CPR asks for no CVM: skipped", not bit(facts.cpr, 1, 8) and not bit(facts.cpr, 1, 7)):
            return "none"  # 4.33
    facts.tsi = with_bit(facts.tsi, 1, 7)
    signature = False
    if ask("F3-12.4 CPR 1.8 online PIN", bit(facts.cpr, 1, 8)):
        if ask("F3-12.6 online PIN supported", online_pin(facts)):
            return "onlinePIN"
        signature = ask("F3-12.7 CPR 2.2 fallback to signature", bit(facts.cpr, 2, 2))
    else:
        signature = ask("F3-12.5 CPR 1.7 signature", bit(facts.cpr, 1, 7))
    if signature and ask("F3-12.8 TTQ 1.2 signature supported", bit(facts.ttq, 1, 2)):
        return "signature"
    if ask("F3-12.10 TTQ 3.7 CDCVM supported", bit(facts.ttq, 3, 7)):
        if ask("F3-12.12 CPR 1.5 CDCVM performed", bit(facts.cpr, 1, 5)):
            return device_verification(facts)
    if ask("F3-12.11 CPR 2.1 fallback to no CVM", bit(facts.cpr, 2, 1)):
        return "none"
    raise other_or_error("F3-12.13 another interface", facts.others)


def verification(facts):
    """3.5 with what the profiles add: above the CVM limit, what nobody signed lowers nothing (A01, A08, A32, A39)."""
    method = book_verification(facts)
    signed = facts.cryptogram == TC and facts.oda == "good"
    if facts.profile >= GUARDED and bit(facts.ttq, 2, 7) and not signed:
        foreign = method == "cdcvm" and ask("guarded A39: a device, another network's account", facts.other_network)
        lowered = method == "none" or foreign or facts.profile == STRICT and method in ("signature", "cdcvm")
        if ask("guarded: CVM above the limit lowered by data in the clear", lowered):
            if ask("guarded: online PIN instead", online_pin(facts)):
                method = "onlinePIN"
            elif facts.cryptogram != ARQC:
                raise Open("guarded: No CVM above the limit of a TC that failed, or of an AAC, without online PIN")
            elif method == "none" or foreign and facts.profile == GUARDED:
                raise other_or_error("guarded: another interface instead of No CVM", facts.others)
            elif method == "cdcvm":
                raise Open("strict: CDCVM in the clear at a reader without online PIN (A01 and A32 differ)")
    if method == "onlinePIN":
        facts.tvr = with_bit(facts.tvr, 3, 3)
    return method


def usage_allowed(auc, country, terminal_country, kind, amount_other, terminal_type, additional):
    """Book 3, 10.4.2 and Table 36, both objects there."""
    atm = terminal_type in (0x14, 0x15, 0x16) and bit(additional, 1, 8)
    if ask("10.4.2 at an ATM", atm):
        allowed = bit(auc, 1, 2)
    else:
        allowed = bit(auc, 1, 1)
    domestic = ask("Table 36 domestic", country == terminal_country)
    if kind == 0x01:
        allowed &= ask("Table 36 cash is allowed", bit(auc, 1, 8 if domestic else 7))
    if kind in (0x00, 0x09):
        allowed &= ask(
            "Table 36 goods or services are allowed",
            bit(auc, 1, 6 if domestic else 5) or bit(auc, 1, 4 if domestic else 3),
        )
    if amount_other > 0:
        allowed &= ask("Table 36 cashback is allowed", bit(auc, 2, 8 if domestic else 7))
    return allowed


def track_2_expiry(track):
    """(year, month) behind the D of a track, or None (1.8)."""
    halves = nibbles(track)
    if 13 not in halves:
        return None
    digits = halves[halves.index(13) + 1 :][:4]
    return month_of(pack(digits)) if len(digits) == 4 else None


def dates(card, version_9f09, today, profile):
    """F3-14.4 to .13 without the exception file: (bits of TVR byte 2, an expiry date is there)."""
    found, known = 0, True
    if "57" in card:
        month = track_2_expiry(card["57"])
        if ask("1.8 expiry of 57 is no date", month is None):
            raise processing_error()
        if ask("F3-14.4 expired by 57", today[:2] > month):
            found |= 0x40
        if "5F24" in card:
            ask("1.8 57 decides where 5F24 differs", day_of(card["5F24"]) is None or day_of(card["5F24"])[:2] != month)
    elif "5F24" in card:
        day = day_of(card["5F24"])
        if ask("1.8 5F24 is no date", day is None):
            raise processing_error()
        if ask("F3-14.4 expired by 5F24", today > day):
            found |= 0x40
    else:
        known = False
    ask("1.8 no expiry date at all", not known)
    both = "5F25" in card and "9F08" in card
    judged = ask("F3-14.9 5F25 and 9F08 are there", both)
    if not both and "5F25" in card and profile >= GUARDED:
        judged = ask("guarded 4.39: 5F25 judged without 9F08", True)
    if both and ask("F3-14.10 9F08 differs from 9F09", card["9F08"] != version_9f09):
        found |= 0x80
    if judged:
        day = day_of(card["5F25"])
        if ask("1.8 5F25 is no date", day is None):
            raise processing_error()
        if ask("F3-14.12 effective after today", day > today):
            found |= 0x20
    return found, known


def switch(facts, question):
    """SWITCH of 1.9: F3-15.4."""
    return "tryAnotherInterface" if ask(question, facts.others) else "declined"


def go_online(facts):
    """ONLINE of 1.9: F3-15.6, .7."""
    if ask("F3-15.6 TTQ 1.4 = 0, online capable", not bit(facts.ttq, 1, 4)):
        return "onlineRequest"
    if ask("F3-15.7 CPR 2.8 switch if unable online", bit(facts.cpr, 2, 8)):
        return switch(facts, "F3-15.4 another interface (unable online)")
    return "declined"


def action(facts):
    """3.7: F3-15 and F3-16."""
    tvr, cpr = facts.tvr, facts.cpr
    ask("4.12 CID 11b counts as AAC", facts.cryptogram == RFU)
    if ask("F3-15.1 AAC", facts.cryptogram in (AAC, RFU)):
        return "declined"
    if ask("F3-15.2 TVR 1.3 CDA failed", bit(tvr, 1, 3)):
        if ask("F3-15.3 CPR 2.6 switch if CDA failed", bit(cpr, 2, 6)):
            return switch(facts, "F3-15.4 another interface (CDA failed)")
        if facts.profile >= GUARDED:
            ask("guarded A11: a TC with a failed CDA is declined", True)
            return "declined"
        if ask("F3-15.5 CPR 2.7 online if CDA failed", bit(cpr, 2, 7)):
            return go_online(facts)
    bad_usage = ask("F3-15.5a TVR 2.5 usage", bit(tvr, 2, 5))
    listed = ask("F3-15.5a TVR 1.5 exception file", bit(tvr, 1, 5))
    missing = ask("F3-15.5a TVR 1.6 data missing", bit(tvr, 1, 6))
    if bad_usage or listed or missing:
        return "declined"
    if ask("F3-15.8 TVR 2.7 expired", bit(tvr, 2, 7)):
        if ask("F3-15.9 CPR 2.3 decline if expired", bit(cpr, 2, 3)):
            return "declined"
        if ask("F3-15.10 CPR 2.4 online if expired", bit(cpr, 2, 4)):
            return go_online(facts)
    if ask("F3-15.11 TVR 2.6 not yet effective", bit(tvr, 2, 6)):
        return go_online(facts)
    tc = facts.cryptogram == TC
    if ask("F3-16.1 TTQ 2.8 online cryptogram required", bit(facts.ttq, 2, 8)):
        if ask("F3-16.2 TC", tc):
            return "declined"
        return request_of_arqc(facts)
    if not ask("F3-16.3 ARQC", tc):
        return request_of_arqc(facts)
    return "declined" if ask("F3-16.4 TVR 1.3 CDA failed", bit(tvr, 1, 3)) else "approved"


def request_of_arqc(facts):
    """F3-16.2, .3: Online Request. Guarded: not at an offline-only reader (4.17)."""
    if facts.profile >= GUARDED and ask("guarded 4.17: ARQC at an offline-only reader", bit(facts.ttq, 1, 4)):
        return "declined"
    return "onlineRequest"


# ---------------------------------------------------------------------------------------------------------------
# Tracks of the MS modes (annex E)
# ---------------------------------------------------------------------------------------------------------------


def dcvv_digits(value):
    """9F7E of two bytes, n 3 (4.8): its digits, or None."""
    halves = nibbles(value)
    return halves[1:] if len(halves) == 4 and halves[0] == 0 and max(halves) <= 9 else None


def filled_track_2(track, dcvv, number):
    """The track with DCVV and two digits of the number, or None where it is too short."""
    halves = nibbles(track)
    end = halves.index(15) if 15 in halves else len(halves)
    if end < 37 or 13 not in halves[:20]:
        return None
    halves[29:32], halves[35:37] = dcvv, number
    return pack(halves)


def filled_track_1(track, dcvv, number):
    second = track.find(b"^", track.find(b"^") + 1) if track.count(b"^") >= 2 else -1
    if len(track) < 65 or not 0 <= second < 50:
        return None
    made = bytearray(track)
    made[57:60] = bytes(48 + digit for digit in dcvv)
    made[63:65] = bytes(48 + digit for digit in number)
    return bytes(made)


# ---------------------------------------------------------------------------------------------------------------
# The kernel
# ---------------------------------------------------------------------------------------------------------------


class Kernel:
    """One activation. `link` sends a command and returns the answer, or raises Fault."""

    def __init__(self, reader, combination, ttq, name, fci, link):
        self.reader, self.combination, self.ttq, self.selected, self.link = reader, combination, ttq, name, link
        self.fci = FCI(fci)
        self.options = combination.get("kernel6", {})
        self.profile = reader.profile
        self.terminal = reader.objects(combination, ttq)
        self.card, self.order, self.mode = {}, [], None
        self.pdol_values = self.number = b""
        terminal_contact = bit(ttq, 1, 5)
        terminal_stripe = bit(self.terminal.get("9F33", b"\0"), 1, 7)
        self.others = self.options.get(
            "otherInterfaces", ["contact"] * terminal_contact + ["magstripe"] * terminal_stripe
        )
        self.facts = Facts(
            ttq=ttq, profile=self.profile, others=self.others, cvr_offset=self.options.get("cvrOffset", 2)
        )

    # 3.1, 3.2
    def run(self):
        self.choose_mode()
        entries = self.entries
        if self.mode == "EMV":
            self.demand_online()
            self.number = self.reader.draw(4)
        else:
            asked = [size for tag, size in entries if tag == "9F37"][0]
            self.number = self.reader.draw_numeric(asked)
        values = dict(self.terminal, **{"9F37": self.number})
        made = []
        for tag, size in entries:
            value = values.get(tag)
            if ask("F3-5.2 a PDOL entry is unknown", value is None):
                made.append(bytes(size))
                continue
            if ask("F3-5.4 a PDOL entry has the object's length", size == len(value)):
                made.append(value)
            else:
                ask("F3-5.6 a PDOL entry is longer than the object", size > len(value))
                made.append(fitted(tag, value, size))
        self.pdol_values = b"".join(made)
        if ask("1.12 PDOL values above 252 bytes", len(self.pdol_values) > 252):
            raise processing_error()
        data = obj("83", self.pdol_values)
        answer = self.send(b"\x80\xa8\x00\x00" + bytes([len(data)]) + data + b"\x00")
        self.initiate(answer)
        if "94" in self.card:
            self.read_records()
        if self.mode == "EMV":
            self.decide()
        self.finish_magstripe()

    def choose_mode(self):
        """1.1, and at the end of 3.1.2 F3-6.15 to .18."""
        wanted = self.options.get("mode", "auto")
        legacy = ask("1.1 Legacy AID", wanted == "legacy" or wanted == "auto" and self.selected[:5] == LEGACY[:5])
        only_ms = wanted == "ms" or wanted == "auto" and not bit(self.ttq, 1, 6) and bit(self.ttq, 1, 8)
        if legacy or ask("1.1 reader without EMV mode", only_ms):
            self.mode = "legacy" if legacy else "MS"
            self.magstripe_allowed()
            self.entries = check_magstripe_fci(self.fci, self.others)
            return
        self.entries, offered = check_emv_fci(self.fci, self.ttq, self.others)
        self.mode = "EMV"
        if wanted == "auto" and ask("F3-6.15 TTQ 1.8 MS mode", bit(self.ttq, 1, 8)):
            if ask("F3-6.16 9F7D", offered):
                self.mode = "MS"
                self.magstripe_allowed()
                if self.profile == STRICT:
                    raise Open("strict: MS Mode of a card at an EMV capable reader is refused; how is not said")

    def magstripe_allowed(self):
        key = self.combination.get("protection", {}) if self.profile == STRICT else self.reader.protection
        if self.profile != BOOK and key.get("magStripeMode") != "configured":
            raise Open("magStripeMode off: how the mode ends is not said")

    def send(self, command):
        """An answer as (data, SW). A lost one is Try Again, until all records are read (4.3)."""
        try:
            answer = self.link(command)
        except Fault:
            ask("1.12 link fault before the last record", True)
            raise Outcome("tryAgain", start="B", restart=True, open={"message", "messages", "restart", "hold", "field"})
        ask("1.12 link fault before the last record", False)
        return answer[:-2], answer[-2:]

    def initiate(self, answer):
        """F3-7: checks of every answer to GET PROCESSING OPTIONS."""
        data, status = answer
        if ask("F3-7.1 SW is not 9000", status != b"\x90\x00"):
            if ask("F3-7.1a SW 6986", status == b"\x69\x86"):
                raise Outcome("tryAgain", "20", start="B", restart=True, hold=1300, field_off=1300)  # B.8
            raise self.elsewhere()
        template = parse(data)
        if ask("4.3.1 not exactly one 77", template is None or len(template) != 1 or template[0][0] != "77"):
            raise self.elsewhere()
        objects = parse(template[0][1])
        if ask("F3-7.2 the 77 does not parse", objects is None):
            raise self.elsewhere()
        for tag, value, whole in objects:
            self.order.append((tag, whole))
            if ask("1.5 an object of terminal or issuer comes from the card", tag in NOT_FROM_CARD):
                continue
            if not value:
                continue  # an empty object is not present (1.4)
            if ask("F3-7.2 a primitive twice in the GPO response", tag in self.card):
                raise self.elsewhere()
            self.card[tag] = value
        if ask("F3-7.3 82 is not there with 2 bytes", len(self.card.get("82", b"")) != 2):
            raise self.elsewhere()
        if self.mode != "EMV":
            if ask("F3-7.3b 94 empty, missing or no multiple of 4", not self.good_afl()):
                raise self.elsewhere()
            return
        for step, tag, size in (("F3-7.4", "9F36", 2), ("F3-7.6", "9F27", 1), ("F3-7.7", "9F71", 2)):
            if ask("%s %s is missing" % (step, tag), tag not in self.card):
                raise self.elsewhere()
            if ask("%s %s has another length" % (step, tag), len(self.card[tag]) != size):
                raise self.elsewhere()
        if ask("F3-7.5 9F10 is missing or empty", "9F10" not in self.card):
            raise self.elsewhere()
        self.facts.cpr, self.facts.iad = self.card["9F71"], self.card["9F10"]
        self.facts.cryptogram = self.card["9F27"][0] >> 6
        self.facts.tvr = unhex("8000000000")  # 4.4
        if ask("F3-8.1 the CID says TC", self.facts.cryptogram == TC):
            self.check_tc()
        else:
            self.check_no_tc()

    def good_afl(self):
        afl = self.card.get("94", b"")
        return len(afl) > 0 and len(afl) % 4 == 0  # 4.27: empty is not "present"

    def has_afl(self):
        """A 94 in the answer, be it empty (4.27)."""
        return any(tag == "94" for tag, _ in self.order)

    def elsewhere(self):
        return other_or_error("F3-7.8 another interface", self.others)

    def check_no_tc(self):
        """F3-8."""
        if ask("F3-8.2 9F26 is not there with 8 bytes", len(self.card.get("9F26", b"")) != 8):
            raise processing_error()
        if ask("F3-8.3 9F4B with something else than a TC", "9F4B" in self.card):
            raise processing_error()
        if ask("F3-8.4 D1 not of 6 bytes", len(self.card.get("D1", bytes(6))) != 6):
            raise processing_error()
        if ask("F3-8.5 94 is there", self.has_afl()):
            if ask("F3-8.6 94 empty or no multiple of 4", not self.good_afl()):
                raise processing_error()
            return
        if ask("F3-8.7 57 missing, empty, or of 20 bytes and more", not 1 <= len(self.card.get("57", b"")) < 20):
            raise processing_error()
        for step, tag, size in ((8, "5F34", 1), (9, "9F07", 2), (10, "5F25", 3), (11, "9F08", 2)):
            if ask("F3-8.%d %s missing or of another length" % (step, tag), len(self.card.get(tag, b"")) != size):
                raise processing_error()

    def check_tc(self):
        """F3-9."""
        if ask("F3-9.1 94 missing, empty or no multiple of 4", not self.good_afl()):
            raise processing_error()
        if ask("F3-9.2 9F4B is missing", "9F4B" not in self.card):
            raise processing_error()
        if ask("F3-9.3 9F26 beside a signature", "9F26" in self.card):
            raise processing_error()
        if ask("F3-9.5 D1 not of 6 bytes", len(self.card.get("D1", bytes(6))) != 6):
            raise processing_error()

    # 3.3
    def read_records(self):
        afl = self.card["94"]
        wanted = []
        for at in range(0, len(afl), 4):
            sfi, first, last, signed = afl[at] >> 3, afl[at + 1], afl[at + 2], afl[at + 3]
            for why, wrong in (
                ("SFI 0 or 31", sfi in (0, 31)),
                ("first record 0", first == 0),
                ("last below first", last < first),
                ("byte 4 too large", signed > last - first + 1),
            ):
                if ask("1.5 AFL: " + why, wrong):
                    raise processing_error()
            wanted += [(sfi, record, record - first < signed) for record in range(first, last + 1)]
        self.static, self.static_broken = b"", False
        if len(wanted) > 64 or self.profile >= GUARDED and len(set(wanted)) != len(wanted):
            raise Open("more records than a reader takes, or one listed twice")
        for sfi, record, signed in wanted:
            data, status = self.send(bytes([0x00, 0xB2, record, sfi << 3 | 4, 0x00]))
            if ask("4.3 SW of READ RECORD is not 9000", status != b"\x90\x00"):
                raise processing_error()
            self.store_record(data, sfi, signed)

    def store_record(self, data, sfi, signed):
        template = parse(data)
        is_70 = template is not None and len(template) == 1 and template[0][0] == "70"
        if ask("1.5 SFI 1 to 10", sfi <= 10):
            if ask("1.5 SFI 1 to 10 without exactly one 70", not is_70):
                raise processing_error()
        elif ask("1.5 SFI 11 to 30 without 70", not is_70):
            if template is not None and template and template[0][0] == "70":
                raise Open("SFI 11 to 30 with something behind the 70")
            self.static_broken |= signed
            return
        if signed:
            self.static += data if sfi > 10 else template[0][1]
        objects = parse(template[0][1])
        if ask("1.12 a record does not parse", objects is None):
            raise processing_error()
        for tag, value, _ in objects:
            if ask("1.5 an object of terminal or issuer comes from the card", tag in NOT_FROM_CARD):
                continue
            if tag not in FROM_CARD and tag != self.options.get("track1Tag", "56"):
                continue
            if not value:
                continue
            if ask("1.5 an object comes a second time", tag in self.card):
                raise processing_error()
            if tag in self.fci.inside:
                raise Open("an object of the FCI again in a record")
            self.card[tag] = value

    def finish_magstripe(self):
        """F3-10.3 to .5, annex E, then Online Request."""
        if ask("4.36 MS modes: no 57", "57" not in self.card):
            raise processing_error()
        tag_1 = self.options.get("track1Tag", "56")
        if ask("F3-10.4 9F7E", "9F7E" in self.card):
            dcvv = dcvv_digits(self.card["9F7E"])
            if not ask("4.8 9F7E is not n 3", dcvv is None):
                number = nibbles(self.number)[-2:]
                for tag, fill in (("57", filled_track_2), (tag_1, filled_track_1)):
                    if tag not in self.card:
                        continue
                    made = fill(self.card[tag], dcvv, number)
                    if ask("1.10 track %d has no room for DCVV and UN" % (2 if tag == "57" else 1), made is None):
                        if self.profile == STRICT:
                            raise processing_error()
                    else:
                        self.card[tag] = made
            elif self.profile == STRICT:
                raise Open("strict: 9F7E that is not n 3")
        elif self.profile == STRICT:
            ask("strict: static tracks", True)
            raise processing_error()
        if self.profile >= GUARDED and bit(self.ttq, 1, 4):
            raise Open("guarded: MS modes at an offline-only reader")
        outcome = Outcome("onlineRequest", "1B")
        outcome.data = self.record(["9F02", "9F33", "9F1A", "9F35", "9A", "9C"], ["57", tag_1])
        raise outcome

    # 3.4
    def authenticate(self):
        """F3-11: "good", "wrong" or "missing"."""
        facts = self.facts
        facts.tvr, facts.tsi = with_bit(facts.tvr, 1, 8, False), with_bit(facts.tsi, 1, 8)
        result = self.verify_chain()
        if ask("F3-11.2-4 data or CA key missing", result == "missing"):
            facts.tvr = with_bit(with_bit(facts.tvr, 1, 6), 1, 3)
        elif ask("F3-11.6-11 key or signature wrong", result == "wrong"):
            facts.tvr = with_bit(facts.tvr, 1, 3)
        facts.oda = "good" if result == "good" else "failed"

    def verify_chain(self):
        card = self.card
        for tag in ("8F", "90", "9F32", "9F46", "9F47"):
            if ask("F3-11.2 %s is missing" % tag, tag not in card):
                return "missing"
        key = self.reader.ca_key(self.combination["aid"][:10], hexed(card["8F"]), self.profile)
        if ask("F3-11.4 CA key unknown", key is None):
            return "missing"
        if ask("10.3 a covered record is no template 70", self.static_broken):
            return "wrong"
        pan = self.pan()
        if pan is None:
            raise Open("a certificate to compare and no account number")
        issuer = self.issuer_key(*key, pan)
        if not isinstance(issuer, tuple):
            return issuer
        icc = self.card_key(*issuer, pan)
        if not isinstance(icc, tuple):
            return icc
        return "good" if self.signature_holds(*icc) else "wrong"

    def pan(self):
        """Digits of 5A, without it those of 57 (1.6)."""
        halves = nibbles(self.card["5A"]) if "5A" in self.card else nibbles(self.card.get("57", b""))
        end = [at for at, half in enumerate(halves) if half > 9]
        return halves[: end[0]] if end else halves or None

    def issuer_key(self, modulus, exponent, pan):
        """Book 2, 6.3, steps 1 to 12."""
        card, size = self.card, len(modulus)
        if ask("6.3.1 issuer certificate has another length", len(card["90"]) != size):
            return "wrong"
        plain = recover(card["90"], modulus, exponent)
        if ask(
            "6.3.2-4 frame of the issuer certificate",
            plain is None or plain[0] != 0x6A or plain[1] != 2 or plain[-1] != 0xBC,
        ):
            return "wrong"
        length, room = plain[13], size - 36
        remainder = b""
        if ask("Table 35 the issuer key needs 92", length > room):
            if ask("Table 35 92 is missing", "92" not in card):
                return "missing"
            remainder = card["92"]
        body = plain[1 : 15 + room]
        if ask(
            "6.3.6-7 issuer certificate's hash",
            plain[11] != 1 or sha1(body, remainder, card["9F32"]) != plain[15 + room : -1],
        ):
            return "wrong"
        prefix = [half for half in nibbles(plain[2:6]) if half <= 9]
        if ask("6.3.8 issuer identifier differs", pan[: len(prefix)] != prefix):
            return "wrong"
        if ask("6.3.9 issuer certificate expired", self.certificate_expired(plain[6:8])):
            return "wrong"
        if ask("6.3.10 issuer certificate revoked", self.reader.is_revoked(hexed(card["8F"]), hexed(plain[8:11]))):
            return "wrong"
        if ask("6.3.11 issuer key's algorithm", plain[12] != 1):
            return "wrong"
        found = (plain[15 : 15 + room] + remainder)[:length] if remainder else plain[15 : 15 + length]
        return (found, card["9F32"]) if len(found) == length and len(card["9F32"]) == plain[14] else "wrong"

    def certificate_expired(self, mmyy):
        month = month_of(mmyy[1:] + mmyy[:1])
        return month is None or self.reader.today[:2] > month

    def card_key(self, modulus, exponent, pan):
        """Book 2, 6.4, steps 1 to 11."""
        card, size = self.card, len(modulus)
        if ask("6.4.1 card certificate has another length", len(card["9F46"]) != size):
            return "wrong"
        plain = recover(card["9F46"], modulus, exponent)
        if ask(
            "6.4.2-4 frame of the card certificate",
            plain is None or plain[0] != 0x6A or plain[1] != 4 or plain[-1] != 0xBC,
        ):
            return "wrong"
        length, room = plain[19], size - 42
        remainder = b""
        if ask("Table 35 the card key needs 9F48", length > room):
            if ask("Table 35 9F48 is missing", "9F48" not in card):
                return "missing"
            remainder = card["9F48"]
        static = self.static
        if ask("6.4.5 9F4A is there", "9F4A" in card):
            if ask("6.4.5 9F4A is not 82 alone", card["9F4A"] != b"\x82"):
                return "wrong"
            static += card["82"]
        body = plain[1 : 21 + room]
        if ask(
            "6.4.6-7 card certificate's hash",
            plain[17] != 1 or sha1(body, remainder, card["9F47"], static) != plain[21 + room : -1],
        ):
            return "wrong"
        certified = [half for half in nibbles(plain[2:12]) if half <= 9]
        if ask("6.4.8 account of the card certificate differs", certified != pan):
            return "wrong"
        self.certified = certified
        if ask("6.4.9 card certificate expired", self.certificate_expired(plain[12:14])):
            return "wrong"
        if ask("6.4.10 card key's algorithm", plain[18] != 1):
            return "wrong"
        found = (plain[21 : 21 + room] + remainder)[:length] if remainder else plain[21 : 21 + length]
        return (found, card["9F47"]) if len(found) == length and len(card["9F47"]) == plain[20] else "wrong"

    def signature_holds(self, modulus, exponent):
        """3.4.1 and Book 2, 6.6.2. The hash begins at the Signed Data Format (4.32)."""
        signed, size = self.card["9F4B"], len(modulus)
        if ask("3.4.1 SDAD has another length than the key", len(signed) != size):
            return False
        plain = recover(signed, modulus, exponent)
        if ask("3.4.1 frame of the SDAD", plain is None or plain[0] != 0x6A or plain[-1] != 0xBC):
            return False
        if ask("3.4.1 Signed Data Format is not 05", plain[1] != 5):
            return False
        dynamic = plain[4 : 4 + plain[3]]
        digits = dynamic[0] if dynamic else 0
        if ask(
            "3.4.1 ICC Dynamic Data malformed",
            plain[3] > size - 25 or not 2 <= digits <= 8 or len(dynamic) < 30 + digits,
        ):
            return False
        if ask("3.4.1 CID inside differs from 9F27", dynamic[1 + digits] != self.card["9F27"][0]):
            return False
        if ask("3.4.1 hash of the SDAD", plain[2] != 1 or sha1(plain[1:-21], self.number) != plain[-21:-1]):
            return False
        said = b"".join(whole for tag, whole in self.order if tag != "9F4B")
        if ask("3.4.1 Transaction Data Hash Code", sha1(self.pdol_values, said) != dynamic[10 + digits : 30 + digits]):
            return False
        self.card["9F26"] = dynamic[2 + digits : 10 + digits]  # Book 2, 6.6.2: the recovered TC
        return True

    # 3.5 to 3.8
    def decide(self):
        facts, card = self.facts, self.card
        if self.profile >= GUARDED and ask("guarded 4.36: neither 57 nor 5A", "57" not in card and "5A" not in card):
            raise processing_error()
        if ask("3.4 ODA: a TC", facts.cryptogram == TC):
            self.authenticate()
        for tag in ("57", "5A"):
            if tag in card:
                account = hexed(card[tag]).split("D")[0].rstrip("F")
                facts.other_network |= of_other_network(self.combination["aid"], account)
        method = verification(facts)
        known = self.restrict()
        early_alone = "9F08" not in card and bit(facts.tvr, 2, 6)
        if self.profile >= GUARDED and early_alone and facts.cryptogram == TC and bit(facts.ttq, 2, 8):
            raise Open("4.39 would send a TC online that the book declines by F3-16.2: profiles are monotone")
        decision = action(facts)
        if decision == "approved" and ask("4.18 online PIN turns Approved into Online Request", method == "onlinePIN"):
            decision = "onlineRequest"
        if self.profile >= GUARDED and facts.cryptogram == TC:
            if not known and ask("guarded 1.8: a TC without any expiry date", True):
                decision = "declined" if decision != "tryAnotherInterface" else decision
            self.compare_accounts(decision)
        if decision == "tryAnotherInterface":
            raise another_interface(self.others)
        self.end(decision, method)

    def demand_online(self):
        """A35: nobody signs a PDOL, so a TC may be about another amount. Guarded takes none above the CVM limit, strict
        none at all: an online cryptogram is asked for, and F3-16.2 declines a TC."""
        if self.profile == BOOK:
            return
        above = ask("guarded A35: above the CVM limit", bit(self.ttq, 2, 7))
        if above or ask("strict A35: below it too", self.profile == STRICT):
            self.ttq = self.facts.ttq = with_bit(self.ttq, 2, 8)
            self.terminal["9F66"] = self.ttq

    def compare_accounts(self, decision):
        """Guarded A17: account of 57 = 5A = certificate before Approved."""
        accounts = [nibbles(self.card[tag]) for tag in ("57", "5A") if tag in self.card]
        accounts = [halves[: [at for at, half in enumerate(halves + [15]) if half > 9][0]] for halves in accounts]
        accounts += [self.certified] if hasattr(self, "certified") else []
        differs = any(account != accounts[0] for account in accounts)
        if ask("guarded A17: account numbers of a TC differ", differs):
            if decision != "approved":
                raise Open("guarded A17: accounts differ in a tap that is not approved")
            raise processing_error()

    def restrict(self):
        """3.6. Returns whether an expiry date is there."""
        facts, card, terminal = self.facts, self.card, self.terminal
        facts.tsi = with_bit(facts.tsi, 1, 4)
        both = "9F07" in card and "5F28" in card
        if ask("F3-14.2 9F07 and 5F28 are there", both):
            if ask("1.8 9F07 or 5F28 not of 2 bytes", len(card["9F07"]) != 2 or len(card["5F28"]) != 2):
                raise processing_error()
            if not usage_allowed(
                card["9F07"],
                card["5F28"],
                terminal["9F1A"],
                terminal["9C"][0],
                number_of(terminal.get("9F03", bytes(6))),
                terminal["9F35"][0],
                terminal.get("9F40", bytes(5)),
            ):
                facts.tvr = with_bit(facts.tvr, 2, 5)
        elif ask("4.5 usage data missing of a TC", facts.cryptogram == TC):
            facts.tvr = with_bit(facts.tvr, 2, 5)
        elif any(len(card[tag]) != 2 for tag in ("9F07", "5F28") if tag in card):
            raise Open("one of 9F07 and 5F28, of another length, where the check is skipped")
        second, known = dates(card, terminal.get("9F09", b""), self.reader.today, self.profile)
        facts.tvr = facts.tvr[:1] + bytes([facts.tvr[1] | second]) + facts.tvr[2:]
        if ask("F3-14.6 there is an exception file", self.reader.exceptions):
            if ask("F3-14.7 on the exception file", self.reader.is_listed(self.pan(), card.get("5F34"))):
                facts.tvr = with_bit(facts.tvr, 1, 5)
        return known

    def record(self, always, where_there):
        """Data of B.10; objects that are not there are left out. 5F2A besides (checklist 3)."""
        found = dict(self.terminal, **self.card)
        found["9F37"] = self.number
        names = list(always) + ["5F2A"] + [tag for tag in where_there if tag in self.card]
        if number_of(found.get("9F03", b"")):
            names.append("9F03")
        return {tag: found[tag] for tag in names if tag in found}

    def end(self, decision, method):
        facts, card = self.facts, self.card
        balance = None
        if ask("B.1-B.4 D1 is there", "D1" in card):
            balance = number_of(card["D1"])
            ask("1.12 D1 is not numeric: no balance shown", balance is None)
        if decision == "declined":
            raise Outcome(
                "declined",
                "07",
                balance=balance,
                open={"receipt"} if method == "signature" else set(),
                data=self.record(["9F02", "9F33", "9F1A", "9F35", "9A", "9C"], []),
            )
        card = dict(card)
        if facts.cryptogram == TC and facts.oda != "good":
            card.pop("9F26", None)  # 4.19: after a failed CDA there is none
        found = dict(self.terminal, **card)
        found.update(
            {"9F37": self.number, "95": facts.tvr, "9F06": unhex(self.combination["aid"]), "84": self.fci.name}
        )
        names = [
            "9F02",
            "9F26",
            "82",
            "9F36",
            "9F10",
            "9F33",
            "9F1A",
            "9F35",
            "95",
            "9A",
            "9C",
            "9F37",
            "5F2A",
            "9F06",
            "5F34",
            "9F07",
            "5F20",
            "9F27",
            "84",
            "9F09",
            "9F1F",
            "57",
        ]
        if "57" not in card:
            names += ["5A", "5F24"]  # 4.36
        if number_of(found.get("9F03", b"")):
            names.append("9F03")
        record = {tag: found.get(tag) for tag in names if tag in found or tag == "9F26"}
        outcome = Outcome(decision, "1B", cvm=method, receipt=method == "signature", balance=balance, data=record)
        if decision == "approved":
            assert facts.oda == "good", "4.13: approved only after a CDA of this tap"
            outcome.message = "1A" if ask("B.1 approved with signature", method == "signature") else "03"
            raise outcome
        offered = self.options.get("twoPresentments", True)
        reader_updates = ask("3.8 TTQ 3.8 issuer update", bit(facts.ttq, 3, 8))
        card_updates = ask("3.8 CPR 2.5 issuer update", bit(facts.cpr, 2, 5))
        if reader_updates and card_updates and not ask("3.8 twoPresentments is off", not offered):
            outcome.start, outcome.restart, outcome.restart_message = "B", True, "21"
            self.reader.kept = (facts.tvr, facts.tsi, self.fci.name)
        raise outcome

    # 3.10
    def update(self, answer):
        """The second presentment: F3-3 to F3-6.11 on the new FCI, then the scripts; never a GPO."""
        tvr, tsi, first_name = self.reader.kept
        try:
            check_emv_fci(self.fci, self.ttq, self.others)
        except Outcome:
            ask("4.35 FCI of the second presentment is bad", True)
            raise self.updated(None, None)
        ask("4.35 FCI of the second presentment is bad", False)
        if self.profile >= GUARDED and ask("guarded 4.35: another DF name", self.fci.name != first_name):
            raise self.updated(None, None)
        templates = [value for tag, value in answer if tag in ("71", "72")]
        if ask("4.25 91 without a script", not templates):
            raise self.updated(None, None)
        if ask("F3-17.1 more than one template", len(templates) > 1):
            raise self.updated(tvr, tsi)
        commands = parse(templates[0])
        if ask("4.37 the template does not parse", commands is None):
            raise self.updated(with_bit(tvr, 5, 6), tsi)
        commands = [value for tag, value, _ in commands if tag == "86"]
        ask("4.37 no 86 at all", not commands)
        for number, command in enumerate(commands):
            if ask("4.37 a command is not passed on", not script_passes(command)):
                raise self.updated(with_bit(tvr, 5, 6), tsi)
            tsi = with_bit(with_bit(tsi, 1, 5), 1, 3)
            try:
                status = self.link(command)[-2:]
            except Fault:
                ask("4.37 link fault during scripts", True)
                raise self.updated(with_bit(tvr, 5, 6), tsi)
            ask("4.37 link fault during scripts", False)
            if not ask("F3-17.4 9000", status == b"\x90\x00"):
                if ask("F3-17.5 6982", status == b"\x69\x82"):
                    tvr = with_bit(tvr, 5, 7)
                raise self.updated(with_bit(tvr, 5, 6), tsi)
            ask("F3-17.7 another script command", number + 1 < len(commands))
        raise self.updated(tvr, tsi)

    def updated(self, tvr, tsi):
        """End Application B.6, with TVR and TSI for the issuer (4.21)."""
        outcome = silent_end()
        outcome.update = True
        if tvr is None:
            outcome.open.add("discretionary")
        else:
            outcome.discretionary = {"95": tvr, "9B": tsi}
        return outcome


def script_passes(command):
    """Table 2-2, note 1: one of four commands, well formed; one Le byte behind the data is tolerated (4.37)."""
    if command[:2] not in (b"\x84\x1e", b"\x84\x18", b"\x84\xda", b"\x84\xdc") or len(command) < 5:
        return False
    return len(command) - 5 - command[4] in (0, 1)


# ---------------------------------------------------------------------------------------------------------------
# The reader: Entry Point, as far as one combination needs it (Book B)
# ---------------------------------------------------------------------------------------------------------------


def limits_of(combination, transaction, profile):
    """B 3.1.1: (allowed, TTQ for this transaction)."""
    amount, limits = transaction["amount"], combination.get("limits", {})
    ttq = unhex(combination["ttq"]) if "ttq" in combination else None
    copy = with_bit(with_bit(ttq, 2, 8, False), 2, 7, False) if ttq is not None else bytes(4)
    if profile >= GUARDED and "floor" not in limits and "terminalFloor" not in limits:
        raise Open("guarded: how an absent floor limit counts as zero is not said")
    allowed, online = True, False
    if combination.get("statusCheck") and amount == 10 ** transaction.get("exponent", 2):
        online = True
    zero = amount == 0
    if zero:
        rule = combination.get("zeroAmount", "online")
        if rule == "notAllowed":
            allowed = False
        zero = rule == "online"
    if ask("B 3.1.1.5 transaction limit", amount >= limits.get("transaction", amount + 1)):
        allowed = False
    floor = limits.get("floor", limits.get("terminalFloor", amount))
    online |= ask("B 3.1.1.6 floor limit", amount > floor)
    cvm = ask("B 3.1.1.8 CVM limit", amount >= limits.get("cvmRequired", amount + 1))
    if ask("B 3.1.1.11 zero amount", zero):
        if ttq is not None and bit(copy, 1, 4):
            allowed = False
        online = True
    if ttq is not None:
        copy = with_bit(with_bit(copy, 2, 8, online), 2, 7, cvm)
    return allowed, copy


class Reader:
    """A reader, a transaction, and the cards that are held to it one after the other."""

    def __init__(self, configuration, transaction):
        self.configuration, self.transaction = configuration, transaction
        self.protection = configuration.get("protection", {})
        self.profile = PROFILES.index(self.protection.get("profile", "guarded"))
        self.today = day_of(unhex(transaction["date"].replace("-", "")[2:]))
        self.random, self.exceptions = unhex(transaction["random"]), configuration.get("exceptions", [])
        self.exchanges, self.messages, self.apdus, self.kept = [], [], 0, None
        self.lost = False

    # data
    def objects(self, combination, ttq):
        deal = self.transaction
        found = {
            tag: unhex(value)
            for source in (self.configuration["terminal"], combination.get("data", {}), deal.get("data", {}))
            for tag, value in source.items()
        }
        found.update(
            {
                "9F66": ttq,
                "9F02": bcd(deal["amount"], 6),
                "9F03": bcd(deal.get("amountOther", 0), 6),
                "5F2A": unhex(deal["currency"]),
                "9C": unhex(deal.get("type", "00")),
                "9A": unhex(deal["date"].replace("-", "")[2:]),
                "9F21": unhex(deal["time"].replace(":", "")),
                "9F41": bcd(deal["counter"], 4),
                "9F06": unhex(combination["aid"]),
            }
        )
        return found

    def draw(self, size):
        """A 8.1.1.8: the next bytes of the stream."""
        assert len(self.random) >= size
        taken, self.random = self.random[:size], self.random[size:]
        return taken

    def draw_numeric(self, size):
        """F3-2.5: `size` bytes of digits, each number equally likely."""
        count = 10 ** (2 * size)
        while True:
            value = int.from_bytes(self.draw(4), "big")
            if not ask("numeric UN: drawn again", value >= 2**32 // count * count):
                return bcd(value % count, size)

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
        account = "".join(map(str, pan or []))
        for row in self.exceptions:
            if row["pan"] == account and (
                "sequence" not in row or sequence is not None and row["sequence"] == hexed(sequence)
            ):
                return True
        return False

    # Entry Point
    def link(self, card):
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
        """Plays cards and issuer's answers in order; returns the last final outcome."""
        rows = []
        for combination in self.configuration["combinations"]:
            if self.transaction.get("type", "00") not in combination.get("transactionTypes", ["00"]):
                continue
            if "autorun" in self.configuration:  # B 3.2.1.1: TTQ as configured
                rows.append((combination, unhex(combination.get("ttq", "00000000"))))
                continue
            allowed, ttq = limits_of(combination, self.transaction, self.profile)
            if allowed:
                rows.append((combination, ttq))
        if not rows:  # B 3.1.1.13
            self.messages.append("18")
            return Outcome("tryAnotherInterface", "18", by_limit=True)
        outcome, presentments, answer, invitation, taps = None, 0, None, "15", 0
        for step in steps:
            if not callable(step):  # the issuer's answer
                assert outcome is not None and outcome.start == "B" and outcome.outcome == "onlineRequest"
                self.exchanges.append({"online": step})
                answer = [
                    (tag, unhex(one))
                    for tag, value in step.items()
                    for one in (value if isinstance(value, list) else [value])
                ]
                if not ask("A 8.1.1.22 91, 71 or 72 in the answer", any(t in ("91", "71", "72") for t, _ in answer)):
                    return outcome
                invitation, taps = "21", 0
                continue
            taps += 1
            presentments += 1
            if presentments > 1:
                self.exchanges.append({"tap": presentments})
            if invitation:
                self.messages.append(invitation)
            invitation = "15"
            try:
                self.present(rows, self.link(step), answer)
            except Outcome as found:
                outcome = found
            self.lost |= "messages" in outcome.open  # 15 or 21 invites again: Entry Point's choice
            if outcome.message:
                self.messages.append(outcome.message)
            if outcome.outcome == "tryAgain":
                invitation = None  # B.8: a status, no message identifier
                if ask("1.4 presentments are used up", taps == self.protection.get("maxTaps", 3)):
                    self.lost = True  # what is shown is left open
                    return Outcome("endApplication", open={"message", "messages", "hold", "field", "restart"})
        return outcome

    def present(self, rows, link, answer):
        if answer is not None:  # B 3.3.2.1: no PPSE
            combination, ttq, name = self.chosen
            fci = self.select(link, name)
            if ask("B 3.3.3.5 SELECT refused at the second presentment", fci is None):
                raise Outcome("endApplication", "1C", update=True)
            Kernel(self, combination, ttq, name, fci, link).update(answer)
        directory = self.select(link, PPSE)
        candidates = self.candidates(rows, directory)
        first, rejected = True, False
        while candidates:
            best = max(candidates, key=lambda c: (16 - c[3] if c[3] else 0, -c[4]))
            candidates.remove(best)
            combination, ttq, name = best[:3]
            fci = self.select(link, name)
            first = False
            if ask("B 3.3.3.5 SELECT refused", fci is None):
                continue
            self.chosen = (combination, ttq, name)
            try:
                Kernel(self, combination, ttq, name, fci, link).run()
            except Outcome as outcome:
                if not ask("B 3.5.1.4 Select Next", outcome.outcome == "selectNext"):
                    raise
                rejected = True
                self.draw(4)  # A 8.1.1.8: every activation has a number
        raise Outcome(
            "endApplication", "1C", no_network=first, open=set() if first or rejected else {"tap"}
        )  # B 3.3.2.7

    def select(self, link, name):
        answer = link(b"\x00\xa4\x04\x00" + bytes([len(name)]) + name + b"\x00")
        return answer[:-2] if answer[-2:] == b"\x90\x00" else None

    def candidates(self, rows, directory):
        """B 3.3.2.4, .5: (combination, TTQ, ADF name, priority, position)."""

        def inside(data, *tags):
            for tag in tags:
                objects = parse(data) or []
                data = next((value for found, value, _ in objects if found == tag), b"")
            return data

        entries = [
            parse(value) for tag, value, _ in parse(inside(directory or b"", "6F", "A5", "BF0C")) or [] if tag == "61"
        ]
        found = []
        for combination, ttq in rows:
            for position, entry in enumerate(entries):
                objects = {tag: value for tag, value, _ in entry or []}
                name, kernel = objects.get("4F", b""), objects.get("9F2A", b"")
                if not 5 <= len(name) <= 16 or not name.startswith(unhex(combination["aid"])):
                    continue
                requested = 6 if kernel in (b"", b"\0") else kernel[0] if kernel[0] < 0x80 else None
                if requested not in (0, 6):
                    continue
                found.append((combination, ttq, name, objects.get("87", b"\0")[0] & 15, position))
        return found


# ---------------------------------------------------------------------------------------------------------------
# What a trace expects
# ---------------------------------------------------------------------------------------------------------------


def tap_word(outcome):
    if outcome.by_limit:
        return "limitExceeded"
    if outcome.no_network:
        return "unsupportedNetwork"
    if outcome.outcome == "tryAgain":
        return "seePhone" if outcome.message == "20" else "presentAgain"
    if outcome.outcome == "onlineRequest":
        return "onlinePINRequired" if outcome.cvm == "onlinePIN" else "success"
    return {
        "approved": "success",
        "declined": "declined",
        "endApplication": "unreadable",
        "tryAnotherInterface": "tryAnotherInterface",
    }[outcome.outcome]


def expectation(reader, outcome):
    """Everything that an outcome fixes, by the names of emv-trace/1. `data` holds absent objects as None."""
    unfixed = outcome.open
    said = {"outcome": outcome.outcome, "cvm": outcome.cvm, "apdus": reader.apdus, "start": outcome.start}
    if not outcome.update and "tap" not in unfixed:
        said["tap"] = tap_word(outcome)
    if outcome.message and "message" not in unfixed:
        said["message"] = outcome.message
    if not reader.lost:
        said["messages"] = list(reader.messages)
    if "restart" not in unfixed and not (outcome.restart and outcome.restart_message is None):
        said["restartMessage"] = outcome.restart_message
    if "field" not in unfixed:
        said["fieldOffMs"] = outcome.field_off
    if outcome.hold is not None:
        said["holdMs"] = outcome.hold
    said["removalTimeout"], said["alternateInterface"] = 0, outcome.alternate
    said["valueQualifier"] = "none" if outcome.balance is None else "balance"
    if outcome.balance is not None:
        said["value"] = outcome.balance
    if "receipt" not in unfixed:
        said["receipt"] = outcome.receipt
    if outcome.data is not None:
        said["data"] = {tag: None if value is None else hexed(value) for tag, value in sorted(outcome.data.items())}
    else:
        said["data"] = {"57": None, "9F02": None, "9F26": None}
    if "discretionary" not in unfixed:
        said["discretionary"] = {
            tag: hexed(outcome.discretionary[tag]) if tag in outcome.discretionary else None for tag in ("95", "9B")
        }
    return said


def play(name, source, configuration, transaction, steps):
    """A trace document, or Open raised."""
    configuration = dict({"format": "emv-configuration/1"}, **configuration)
    reader = Reader(configuration, transaction)
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


def replay(trace):
    """Differences between a trace and this implementation."""
    items, wrong = list(trace["exchanges"]), []
    position = [0]

    def card(command):
        at = position[0]
        if at >= len(items) or "c" not in items[at]:
            wrong.append("command %s where the trace has none" % hexed(command))
            return "timeout"
        position[0] += 1
        if items[at]["c"].upper() != hexed(command):
            wrong.append("command %s, not %s" % (hexed(command), items[at]["c"]))
        return items[at]["fault"] if "fault" in items[at] else unhex(items[at]["r"])

    steps = [card]
    for item in items:
        if "tap" in item:
            steps.append(lambda command: card(command))
        elif "online" in item:
            steps.append(item["online"])

    def skipping(step):
        def answer(command):
            while position[0] < len(items) and "c" not in items[position[0]]:
                position[0] += 1
            return step(command)

        return answer if callable(step) else step

    reader = Reader(trace["configuration"], trace["transaction"])
    said = expectation(reader, reader.run([skipping(step) for step in steps]))
    if any("c" in item for item in items[position[0] :]):
        wrong.append("commands of the trace were not sent")
    for key, value in trace["expect"].items():
        if key in ("data", "discretionary"):
            for tag, wanted in value.items():
                found = said.get(key, {}).get(tag)
                if (wanted or "").upper() != (found or ""):
                    wrong.append("%s %s: %s, not %s" % (key, tag, found, wanted))
        elif key != "findings" and said.get(key) != value:
            wrong.append("%s: %s, not %s" % (key, said.get(key), value))
    return wrong


# ---------------------------------------------------------------------------------------------------------------
# Virtual cards
# ---------------------------------------------------------------------------------------------------------------

PDOL = "9F6604 9F0206 9F0306 9F1A02 5F2A02 9A03 9C01 9F3704".replace(" ", "")
ONLINE_TAGS = ["82", "9F36", "9F26", "9F10", "9F27", "9F71", "57", "5F34", "9F07", "5F28", "5F25", "9F08"]
FILE_TAGS = ["57", "5A", "5F24", "5F34", "5F25", "5F28", "9F07", "9F08"]


def fci_bytes(card):
    """The answer to SELECT. `inside`, `outside`, `bf0c` add bytes, `drop` leaves objects out, `fci` is the whole."""
    if "fci" in card:
        return unhex(card["fci"])
    drop, inside = card.get("drop", ""), b""
    for tag, value in (
        ("50", b"DISCOVER"),
        ("87", card.get("priority", b"\x01")),
        ("9F38", unhex(card.get("pdol", PDOL))),
    ):
        if tag not in drop.split():
            inside += obj(tag, value)
    inside += unhex(card.get("inside", ""))
    if "bf0c" in card:
        inside += obj("BF0C", unhex(card["bf0c"]))
    outer = b"" if "84" in drop.split() else obj("84", card.get("name", card["aid"]))
    outer += unhex(card.get("outside", ""))
    return obj("6F", outer + (b"" if "A5" in drop.split() else obj("A5", inside)))


class VirtualCard:
    """A card that decides as `cid` says, and really signs. Every option has an honest default."""

    def __init__(self, chance, **card):
        self.card, self.scripts = card, [unhex(status) for status in card.get("scripts", [])]
        card.setdefault("aid", D_PAS)
        account = [6, 0, 1, 1] + chance.digits(card.get("digits", 16) - 5)
        account.append(luhn_digit(account))
        account = card.setdefault("account", account)
        self.expiry = card.get("expiry", "3012")
        tail = chance.digits(card.get("tail", 10))
        halves = account + [13] + [int(c) for c in self.expiry] + [2, 0, 1] + tail
        cid, cpr = card.get("cid", ARQC), unhex(card.get("cpr", "0000"))
        cvr = bytes([cpr[0] & 0xC0 | (cid & 3) << 4, card.get("cvr2", 0x80 if cid == ARQC else 0)])
        self.values = {
            "82": unhex("1900"),
            "9F36": bcd(1 + chance.below(9000), 2),
            "9F26": None,
            "9F27": bytes([cid << 6]),
            "9F10": chance.bytes(card.get("iadOffset", 2) - 2) + unhex("0115") + cvr + chance.bytes(6),
            "9F71": cpr,
            "57": pack(halves),
            "5A": pack(account),
            "5F24": unhex(
                self.expiry + "31"
                if self.expiry[2:] in ("01", "03", "05", "07", "08", "10", "12")
                else self.expiry + "28"
            ),
            "5F34": bytes([chance.below(3)]),
            "9F07": unhex("FFC0"),
            "5F28": unhex("0276"),
            "5F25": unhex("200101"),
            "9F08": unhex("0001"),
            "D1": bcd(chance.below(10**6), 6),
            "5F20": b"CARDHOLDER/TEST",
            "9F1F": b"0123456789",
            "56": b"B"
            + bytes(48 + d for d in account)
            + b"^"
            + card.get("holder", b"CARDHOLDER/TEST")
            + b"^"
            + self.expiry.encode()
            + b"201"
            + bytes(48 + d for d in chance.digits(card.get("tail1", 36))),
            "9F7E": unhex("0%d%d%d" % tuple(chance.digits(3))),
        }
        self.values["DF62"] = self.values["56"]
        for tag, value in card.get("set", {}).items():  # replaced everywhere, before anything is signed
            self.values[tag] = unhex(value) if value is not None else None
        self.salt = chance.bytes(8)
        self.issue()

    def issue(self):
        """Records, and where the card signs, certificates."""
        card, files = self.card, self.card.get("files")
        if card.get("cid", ARQC) == TC and "afl" not in card:
            card["afl"] = "0801010110010200"
        self.records = {}
        if "afl" not in card:
            return
        if files is None:
            files = [(1, 1, card.get("fileTags", FILE_TAGS))]
        for sfi, number, tags in files:
            body = b"".join(obj(tag, self.values[tag]) for tag in tags if self.values[tag] is not None)
            self.records[sfi, number] = obj("70", body + unhex(card.get("inRecord", {}).get((sfi, number), "")))
        if card.get("chain", card.get("cid", ARQC) == TC):
            self.certify()
        for place, raw in card.get("raw", {}).items():
            self.records[place] = unhex(raw)
        if "editRecord" in card:
            self.records[1, 1] = self.records[1, 1].replace(*map(unhex, card["editRecord"]))

    def certify(self):
        card, chain = self.card, self.card.get("keys", "r")
        ca, issuer, icc = keys(chain + "-ca"), keys(chain + "-issuer"), keys(chain + "-card")
        account = card["account"]
        prefix = card.get("prefix", "".join(map(str, account[:6])) + "FF")
        certified = pack(card.get("certified", account)).ljust(10, b"\xff")
        static = self.static_data()
        objects = {"8F": unhex(card.get("caIndex", CA_INDEX[chain])), "9F32": issuer.exponent, "9F47": icc.exponent}
        objects["90"], objects["92"] = certificate(
            ca,
            2,
            unhex(prefix),
            unhex(card.get("issuerExpiry", "1235")),
            unhex(card.get("serial", "000042")),
            issuer,
            damage=card.get("issuerDamage"),
        )
        objects["9F46"], objects["9F48"] = certificate(
            issuer,
            4,
            certified,
            unhex(card.get("cardExpiry", "1231")),
            unhex("000007"),
            icc,
            static,
            damage=card.get("cardDamage"),
        )
        if card.get("tagList", "82"):
            objects["9F4A"] = unhex(card.get("tagList", "82"))
        for tag, value in card.get("chainSet", {}).items():
            objects[tag] = unhex(value)
        for number, tags in ((1, ("8F", "90", "9F32", "92")), (2, ("9F46", "9F47", "9F48", "9F4A"))):
            self.records[2, number] = obj(
                "70",
                b"".join(
                    obj(tag, objects[tag])
                    for tag in tags
                    if objects.get(tag) and tag not in card.get("chainDrop", "").split()
                ),
            )

    def static_data(self):
        """Book 3, 10.3, from the card's own AFL."""
        made, afl = b"", unhex(self.card["afl"])
        for at in range(0, len(afl) - 3, 4):
            sfi, first, _, signed = afl[at] >> 3, afl[at + 1], afl[at + 2], afl[at + 3]
            for number in range(first, first + min(signed, 8)):
                record = self.records.get((sfi, number), b"")
                whole = parse(record)
                made += record if sfi > 10 or not whole else whole[0][1]
        return made + (self.values["82"] if self.card.get("tagList", "82")[:2] == "82" else b"")

    def __call__(self, command):
        fault = self.card.get("faults", {}).get(self.count())
        if fault:
            return fault
        if command[:2] == b"\x00\xa4":
            if command[5:-1] == PPSE:
                return self.directory() + b"\x90\x00"
            for other in self.card.get("others", []):
                if command[5:-1] == other.card["aid"]:
                    self.active = other
                    return other(command)
            self.active = self
            return (
                unhex(self.card["selectStatus"]) if "selectStatus" in self.card else fci_bytes(self.card) + b"\x90\x00"
            )
        if self.active is not self:
            return self.active(command)
        if command[:2] == b"\x80\xa8":
            return self.options(command)
        if command[:2] == b"\x00\xb2":
            status = unhex(self.card.get("recordStatus", "9000"))
            record = self.records.get((command[3] >> 3, command[2]))
            if record is None:
                return b"\x6a\x83"
            return record + status if status == b"\x90\x00" or "recordToo" in self.card else status
        return self.scripts.pop(0) if self.scripts else b"\x90\x00"

    def count(self):
        self.sent = getattr(self, "sent", 0) + 1
        return self.sent

    def directory(self):
        if "directory" in self.card:
            entries = unhex(self.card["directory"])
        else:
            entries = b"".join(
                obj("61", obj("4F", c.card["aid"]) + obj("50", b"DISCOVER") + obj("87", bytes([rank + 1])))
                for rank, c in enumerate([self] + self.card.get("others", []))
            )
        return obj("6F", obj("84", PPSE) + obj("A5", obj("BF0C", entries)))

    def options(self, command):
        """GET PROCESSING OPTIONS."""
        card = self.card
        if "gpoStatus" in card:
            return unhex(card["gpoStatus"])
        at = 5 + (2 if command[6] < 0x80 else 3)
        pdol_values = command[at:-1]
        if "sees" in card:  # what a relay changes on the way to the card
            place, mask = card["sees"]
            pdol_values = pdol_values[:place] + bytes([pdol_values[place] ^ mask]) + pdol_values[place + 1 :]
        cid, stripe = card.get("cid", ARQC), card.get("stripe")
        if stripe:
            tags = ["82", "94"]
        elif cid == TC:
            tags = ["82", "94", "9F36", "9F10", "9F27", "9F71"]
        else:
            tags = ONLINE_TAGS if "afl" not in card else ["82", "94", "9F36", "9F26", "9F10", "9F27", "9F71"]
        tags = tags + card.get("more", "").split()
        values = dict(self.values)
        values["9F26"] = sha1(b"AC", self.salt, pdol_values)[:8]
        values["94"] = unhex(card.get("afl", ""))
        for tag, value in card.get("gpo", {}).items():  # in this answer alone
            values[tag] = None if value is None else unhex(value)
            if tag not in tags:
                tags.append(tag)
        objects = [obj(tag, values[tag]) for tag in tags if values[tag] is not None]
        objects += [unhex(raw) for raw in card.get("again", [])]
        if card.get("sign", cid == TC):
            signature = obj("9F4B", self.sign(pdol_values, b"".join(objects), values))
            objects.insert(min(card.get("signatureAt", 99), len(objects)), signature)
        body = b"".join(objects) + unhex(card.get("cut", ""))
        if "edit" in card:  # what a relay changes after the card has signed
            body = body.replace(*map(unhex, card["edit"]))
        return (obj(card.get("template", "77"), body) + unhex(card.get("behind", ""))) + b"\x90\x00"

    def sign(self, pdol_values, said, values):
        """Tables 18 and 19 of Book 2, over the GPO answer."""
        card, key, damage = self.card, keys(self.card.get("keys", "r") + "-card"), self.card.get("sdad")
        number = sha1(b"number", self.salt)[: card.get("numberSize", 4)]
        cryptogram = sha1(b"TC", self.salt, pdol_values)[:8]
        cid = b"\x80" if damage == "cid" else values["9F27"] or b"\x40"
        code = sha1(pdol_values, said)
        if damage == "transaction hash":
            code = code[:-1] + bytes([code[-1] ^ 1])
        if damage == "with 77":
            code = sha1(pdol_values, obj("77", said))
        dynamic = bytes([1 if damage == "number" else len(number)]) + number + cid + cryptogram + code
        if damage == "dynamic short":
            dynamic = dynamic[:-1]
        head = bytes([0x95 if damage == "format" else 5, 1, len(dynamic)])
        block = head + dynamic.ljust(key.size - 25, b"\xbb")
        unpredictable = bytes(4) if damage == "number sent" else self.number_sent(pdol_values)
        digest = sha1(b"\x6a" * (damage == "from header"), block, unpredictable)
        if damage == "hash":
            digest = bytes([digest[0] ^ 0x80]) + digest[1:]
        signature = key.sign(
            (b"\x6b" if damage == "header" else b"\x6a")
            + block
            + digest
            + (b"\xcc" if damage == "trailer" else b"\xbc")
        )
        return resized(signature, damage)

    def number_sent(self, pdol_values):
        at = 0
        for tag, size in parse_dol(unhex(self.card.get("pdol", PDOL))):
            if tag == "9F37":
                return pdol_values[at : at + size]
            at += size


# ---------------------------------------------------------------------------------------------------------------
# Scenes: a reader, a transaction, cards
# ---------------------------------------------------------------------------------------------------------------

TERMINAL = {"9F1A": "0276", "9F35": "22", "9F33": "E0B8C8", "9F40": "6000B0A001", "9F1E": "4F52414E47453031"}
LIMITS = {"transaction": 30000, "floor": 10000, "cvmRequired": 20000}
HIGH_FLOOR = {"transaction": 30000, "floor": 29000, "cvmRequired": 20000}
ONLY_MS, BOTH = "96004000", "B6004000"
NO_OTHERS = {"otherInterfaces": []}


def random_stream(chance, scene):
    """Numbers for every activation. Those of the MS modes all end in the same digits, however many are drawn."""
    if "random" in scene:
        return scene["random"]
    if scene.get("numeric"):
        first = chance.below(10**8)
        return "".join("%08X" % (first + step * 10**8) for step in range(8))
    return hexed(chance.bytes(16))


def configuration_of(scene, profile):
    row = {
        "aid": hexed(scene.get("aid", D_PAS)),
        "kernel": 6,
        "transactionTypes": ["00", "01", "09", "20"],
        "limits": scene.get("limits", LIMITS),
        "data": scene.get("data", {"9F09": "0001"}),
    }
    if scene.get("ttq", "36004000"):
        row["ttq"] = scene.get("ttq", "36004000")
    if "kernel6" in scene:
        row["kernel6"] = scene["kernel6"]
    row.update(scene.get("row", {}))
    rows = [row]
    if "second" in scene:
        rows.append(dict(row, **scene["second"]))
    terminal = {tag: value for tag, value in dict(TERMINAL, **scene.get("terminal", {})).items() if value is not None}
    protection = {"profile": PROFILES[profile]}
    protection.update(scene.get("protection", {}))
    if profile == STRICT:
        protection["offline"] = "dynamicOda"
    if scene.get("numeric") and profile == GUARDED:
        protection["magStripeMode"] = "configured"
    if scene.get("numeric") and profile == STRICT:
        for one in rows:
            one["protection"] = {"profile": "strict", "magStripeMode": "configured"}
    made = {"terminal": terminal, "combinations": rows, "protection": protection}
    if "keys" in scene:
        made["caKeys"] = [ca_entry(chain, expires=scene.get("caExpires", "2035-12-31")) for chain in scene["keys"]]
    for key in ("exceptions", "revoked", "autorun"):
        if key in scene:
            made[key] = scene[key]
    return made


def shoot(chance, name, scene, profile):
    """One dialogue of a scene, or None where its end is open."""
    state = chance.state
    try:
        transaction = {
            "type": scene.get("type", "00"),
            "amount": scene.get("amount", 1250),
            "amountOther": scene.get("other", 0),
            "currency": "0978",
            "exponent": 2,
            "date": scene.get("date", "2026-11-21"),
            "time": "12:00:00",
            "counter": 1,
            "random": random_stream(chance, scene),
        }
        steps, account = [], None
        for card in scene["cards"]:
            if callable(card):
                card = card(chance)
            if "issuer" in card:
                steps.append(card["issuer"])
                continue
            card = dict(card, **({"account": account} if account and "account" not in card else {}))
            card["others"] = [VirtualCard(chance, **dict(other)) for other in card.get("others", [])]
            steps.append(VirtualCard(chance, **card))
            account = steps[-1].card["account"]
        scene = dict(scene)
        if "listed" in scene:
            scene["exceptions"] = [dict(scene["listed"], pan="".join(map(str, account)))]
        return play(name, scene["source"], configuration_of(scene, profile), transaction, steps)
    except Open:
        chance.state = state
        return None


SCENES = []


def scene(name, source, *cards, **more):
    """Registers a scene. `profiles` restricts it; by default it is played by the book, and by one of the others."""
    SCENES.append((name, dict(more, source="C-6 " + source, cards=cards)))


def emv(**card):
    return card


def tc(**card):
    return dict(card, cid=TC)


def signed(name, source, *cards, **more):
    """A scene in which the reader may approve: floor limit not exceeded, CA keys there."""
    more.setdefault("keys", "r")
    scene(name, source, *cards, **more)


def fci_scenes():
    for label, card in (
        ("no-84", {"drop": "84"}),
        ("no-a5", {"drop": "A5"}),
        ("no-50", {"drop": "50"}),
        ("50-elsewhere", {"drop": "50", "outside": "5008444953434F564552"}),
        ("no-pdol", {"drop": "9F38"}),
        ("pdol-cut", {"pdol": PDOL + "9F4E"}),
        ("pdol-elsewhere", {"drop": "9F38", "outside": "9F3818" + PDOL[:48]}),
        ("6f-cut", {"fci": "6F1C8407A0000001523010A5115008"}),
        ("a5-twice", {"outside": "A5035001AA"}),
        ("84-twice", {"outside": "8407A0000001523010"}),
        ("50-twice", {"inside": "500144"}),
        ("87-twice", {"inside": "870101"}),
        ("pdol-twice", {"inside": "9F38039F3704"}),
        ("bf0c-twice", {"inside": "BF0C00", "bf0c": ""}),
        ("a5-cut", {"inside": "5F2D0865"}),
    ):
        scene("fci-" + label, "3.1.2, F3-3", emv(**card))
    scene("fci-no-84-no-interface", "F3-3.1; reading 4.30", emv(drop="84"), kernel6=NO_OTHERS)
    scene("fci-no-84-magstripe", "F3-3.1, B.5", emv(drop="84"), kernel6={"otherInterfaces": ["magstripe"]})
    pairs = [PDOL[i:j] for i, j in ((0, 6), (6, 12), (12, 18), (18, 24), (24, 30), (30, 34), (34, 38), (38, 44))]
    for at, entry in enumerate(pairs):
        without = "".join(pairs[:at] + pairs[at + 1 :])
        longer = "".join(pairs[:at] + [entry[:-2] + "%02X" % (int(entry[-2:], 16) + 1)] + pairs[at + 1 :])
        scene("pdol-without-" + entry[:-2].lower(), "F3-4.%d" % (at + 1), emv(pdol=without))
        scene("pdol-length-of-" + entry[:-2].lower(), "F3-4.%d" % (at + 1), emv(pdol=longer))
    scene("pdol-number-1-emv", "F3-4.8d", emv(pdol=PDOL[:-2] + "01"))
    scene("pdol-number-twice", "F3-4.8; reading 4.28", emv(pdol=PDOL + "9F3704"))
    scene("pdol-second-judged", "F3-4.2; reading 4.28", emv(pdol="9F0205" + PDOL))
    scene("pdol-twice-fine", "F3-5; reading 4.28", emv(pdol=PDOL + "9F02089A02"))
    scene(
        "pdol-more",
        "F3-5.2, .5, .7, .8",
        emv(
            pdol="9F1E04" + PDOL + "9F1504"
            "9F1501"
            "9F3305"
            "9F3302"
            "9F3501"
            "DF7104"
            "DF7206"
            "9F2103"
            "9F4104"
            "9F0902"
            "5A08"
            "9F6E04"
            "570A"
        ),
        terminal={"DF71": "00000700", "9F15": "5999"},
    )
    scene(
        "pdol-name",
        "F3-5.7, .8 and Book 3, 5.4",
        emv(pdol=PDOL + "9F4E14" "9F4E03" "9F1E0A" "9F4005"),
        terminal={"9F4E": hexed(b"ORANGE SHOP")},
    )
    scene("pdol-252", "Book 3, 5.4: 252 bytes of values", emv(pdol=PDOL + "9F4EE0"))
    scene("pdol-253", "Book 3, 5.4: 253 bytes do not fit", emv(pdol=PDOL + "9F4EE1"))
    scene("pdol-130", "Book 3, 5.4: a length of two bytes behind the 83", emv(pdol=PDOL + "9F4E64"))
    for label, inside in (
        ("5f2d-3", "5F2D03656E64"),
        ("5f2d-10", "5F2D0A656E646566726974656E"),
        ("5f2d-4", "5F2D04656E6465"),
        ("9f12-17", "9F12114142434445464748494A4B4C4D4E4F5051"),
        ("9f12-3", "9F1203414243"),
        ("9f11-2", "9F11020101"),
        ("9f11-1", "9F110101"),
    ):
        scene("fci-optional-" + label, "F3-6.1 to .7", emv(inside=inside))
    for label, bf0c in (
        ("9f4d-3", "9F4D030B0A01"),
        ("9f7d-3-no-ms", "9F7D03010203"),
        ("9f7d-no-ms", "9F7D020100"),
        ("bf0c-cut-emv", "9F7D0201"),
        ("9f7d-twice-emv", "9F7D0201009F7D020100"),
    ):
        scene("fci-bf0c-" + label, "F3-6.8 to .11", emv(bf0c=bf0c))


def magstripe_scenes():
    stripe = {"stripe": True, "afl": "08010100", "tail": 13}
    good = dict(stripe, bf0c="9F7D020100", files=[(1, 1, ["57", "56"])])
    dcvv = dict(good, files=[(1, 1, ["57", "56", "9F7E"])])
    common = {"numeric": True, "ttq": ONLY_MS}
    scene("ms", "2.1.2, F3-1, F3-2, F3-10", good, **common)
    scene("ms-dcvv", "F3-10.5, annex E", dcvv, **common)
    scene("ms-dcvv-track-2-alone", "F3-10.5, annex E", dict(dcvv, files=[(1, 1, ["57", "9F7E"])]), **common)
    scene("ms-dcvv-track-1-short", "annex E; reading 4.8", dict(dcvv, tail1=20), **common)
    scene(
        "ms-dcvv-track-1-name",
        "annex E; the second separator too far back",
        dict(dcvv, holder=b"N" * 33, tail1=10),
        **common
    )
    scene(
        "ms-dcvv-track-1-longest-name",
        "annex E; the second separator just before byte 50",
        dict(dcvv, holder=b"N" * 31, tail1=10),
        **common
    )
    scene("ms-dcvv-track-2-short", "annex E; reading 4.8", dict(dcvv, tail=12), **common)
    scene("ms-dcvv-two-bytes-more", "reading 4.8: 9F7E is not n 3", dict(dcvv, set={"9F7E": "000123"}), **common)
    scene("ms-dcvv-letter", "reading 4.8: 9F7E is not n 3", dict(dcvv, set={"9F7E": "012A"}), **common)
    scene("ms-dcvv-four-digits", "reading 4.8: 9F7E is not n 3", dict(dcvv, set={"9F7E": "1234"}), **common)
    scene(
        "ms-track-1-tag",
        "annex E; kernel6.track1Tag",
        dict(dcvv, files=[(1, 1, ["57", "9F7E", "DF62"])]),
        kernel6={"track1Tag": "DF62"},
        **common
    )
    scene("ms-no-track-2", "F3-10; reading 4.36", dict(good, files=[(1, 1, ["56"])]), **common)
    scene("ms-no-track-1", "F3-10; reading 4.36", dict(good, files=[(1, 1, ["57"])]), **common)
    scene("ms-cash-back", "B.2, Table 4-8: 9F03", good, type="09", other=500, **common)
    for size in (1, 2, 3, 4):
        scene(
            "ms-number-%d" % size,
            "F3-2.5: digits, %d bytes" % size,
            dict(dcvv, pdol="9F37%02X" % size),
            profiles=[BOOK] if size == 1 else [BOOK, GUARDED],
            **common
        )
    scene(
        "ms-number-drawn-again",
        "F3-2.5: every number equally likely",
        dict(dcvv, pdol="9F3704"),
        ttq=ONLY_MS,
        numeric=True,
        random="FFFFFFFF" + "".join("%08X" % (12345678 + i * 10**8) for i in range(6)),
    )
    scene(
        "ms-number-edge",
        "F3-2.5: every number equally likely",
        dict(dcvv, pdol="9F3704"),
        ttq=ONLY_MS,
        numeric=True,
        random="%08X" % (42 * 10**8) + "%08X" % (42 * 10**8 - 1) * 2,
        profiles=[BOOK],
    )
    for size in (0, 5):
        scene("ms-number-length-%d" % size, "F3-2.4", dict(good, pdol="9F37%02X" % size), **common)
    scene("ms-pdol-without-number", "F3-2.3, .2b", dict(good, pdol="9F6604"), **common)
    scene("ms-pdol-without-number-no-interface", "F3-2.3, .2a", dict(good, pdol="9F6604"), kernel6=NO_OTHERS, **common)
    scene("ms-no-pdol", "F3-2.1, .2b", dict(good, drop="9F38"), **common)
    scene("ms-no-pdol-no-interface", "F3-2.1, .2a", dict(good, drop="9F38"), kernel6=NO_OTHERS, **common)
    scene("ms-fci-no-a5-no-interface", "F3-1.2; reading 4.30", dict(good, drop="A5"), kernel6=NO_OTHERS, **common)
    scene("fci-no-a5-no-interface", "F3-3.2; reading 4.30", emv(drop="A5"), kernel6=NO_OTHERS)
    scene("ms-pdol-cut", "F3-2.1; a PDOL that does not parse", dict(good, pdol="9F37"), **common)
    scene(
        "ms-pdol-others", "F3-2.6 and Book 3, 5.4", dict(good, pdol="9F660291039F0208" "9F37029F1A015F2A03"), **common
    )
    for label, card in (
        ("no-84", {"drop": "84"}),
        ("no-a5", {"drop": "A5"}),
        ("no-87", {"drop": "87"}),
        ("87-2-bytes", {"priority": b"\1\1"}),
        ("87-elsewhere", {"drop": "87", "outside": "870101"}),
        ("bf0c-elsewhere", {"outside": "BF0C059F7D020100"}),
        ("bf0c-cut", {"bf0c": "9F7D0201"}),
        ("bf0c-no-9f7d", {"bf0c": "9F4D020B0A"}),
        ("9f7d-twice", {"bf0c": "9F7D0201009F7D020100"}),
        ("no-bf0c", {}),
        ("9f7d-under-a5", {"inside": "9F7D020100", "bf0c": "9F4D020B0A"}),
        ("no-50", {"drop": "50", "bf0c": "9F7D020100"}),
    ):
        base = {
            key: value
            for key, value in good.items()
            if key != "bf0c" or label in ("no-84", "no-a5", "no-87", "87-2-bytes", "87-elsewhere")
        }
        scene("ms-fci-" + label, "3.1.1, F3-1", dict(base, **card), **common)
    for label, card in (
        ("no-82", {"gpo": {"82": None}}),
        ("82-3-bytes", {"gpo": {"82": "190000"}}),
        ("no-afl", {"gpo": {"94": None}}),
        ("afl-empty", {"gpo": {"94": ""}}),
        ("afl-5-bytes", {"gpo": {"94": "0801010000"}}),
        ("afl-sfi-31", {"afl": "F8010100"}),
    ):
        scene("ms-gpo-" + label, "F3-7.3, .3b, .8; 4.27", dict(good, **card), **common)
        scene("ms-gpo-%s-no-interface" % label, "F3-7.3, .3b, .9", dict(good, **card), kernel6=NO_OTHERS, **common)
    scene(
        "ms-mode-named",
        "kernel6.mode ms",
        good,
        ttq=BOTH,
        kernel6={"mode": "ms"},
        numeric=True,
        profiles=[BOOK, GUARDED],
    )
    both = dict(dcvv, pdol=PDOL)
    scene("ms-by-9f7d", "F3-6.15 to .17", both, ttq=BOTH, numeric=True, profiles=[BOOK, GUARDED])
    scene("ms-by-9f7d-number-1", "F3-4.8c", dict(both, pdol=PDOL[:-2] + "01"), ttq=BOTH, numeric=True, profiles=[BOOK])
    for size in (2, 3, 5):
        scene(
            "ms-by-9f7d-number-%d" % size,
            "F3-4.8c",
            dict(both, pdol=PDOL[:-2] + "%02X" % size),
            ttq=BOTH,
            profiles=[BOOK],
        )
    scene("emv-without-9f7d", "F3-6.16, .18", emv(), ttq=BOTH, profiles=[BOOK])
    scene("emv-9f7d-3-bytes", "F3-6.11; reading 4.31", emv(bf0c="9F7D03010203"), ttq=BOTH, profiles=[BOOK])
    scene(
        "emv-9f7d-3-bytes-number-1",
        "F3-4.8b; reading 4.31",
        emv(bf0c="9F7D03010203", pdol=PDOL[:-2] + "01"),
        ttq=BOTH,
        profiles=[BOOK],
    )
    scene("emv-9f7d-under-a5", "F3-6.16; reading 4.31", emv(inside="9F7D020100"), ttq=BOTH, profiles=[BOOK])
    scene("emv-9f7d-twice", "F3-6.16; 1.12", emv(bf0c="9F7D0201009F7D020100"), ttq=BOTH, profiles=[BOOK])
    scene(
        "emv-mode-named", "kernel6.mode emv", emv(bf0c="9F7D020100"), ttq=BOTH, kernel6={"mode": "emv"}, profiles=[BOOK]
    )
    legacy = dict(stripe, aid=LEGACY, files=[(1, 1, ["57", "56", "9F7E"])], pdol="9F3704")
    zip_reader = {"aid": LEGACY, "numeric": True, "ttq": "80004000"}
    scene("zip", "2.1, F3-1, annex E", legacy, **zip_reader)
    scene("zip-static", "annex E: tracks as they came", dict(legacy, files=[(1, 1, ["57", "56"])]), **zip_reader)
    scene(
        "zip-no-ttq",
        "note of Figure 2-1: no TTQ, zeros",
        dict(legacy, pdol="9F37049F6604"),
        aid=LEGACY,
        numeric=True,
        ttq="",
    )
    scene("zip-at-emv-reader", "2.1: the AID decides", legacy, aid=LEGACY, numeric=True, ttq="36004000")
    scene(
        "zip-autorun",
        "note of Figure 2-1; B 3.2.1.1",
        dict(legacy, pdol="9F37049F6604"),
        aid=LEGACY,
        numeric=True,
        ttq="80804000",
        autorun={"type": "00", "amount": 1250},
    )
    scene("zip-longer-name", "reading 4.29: A000000324101000", dict(legacy, aid=LEGACY + b"\0"), **zip_reader)
    scene("zip-9f7e-again", "Book 3, 10.2", dict(legacy, inRecord={(1, 1): "9F7E020123"}), **zip_reader)


def answer_scenes():
    """1.4: answers to GET PROCESSING OPTIONS."""
    for status in ("6985", "6A80", "6283", "6100", "6984"):
        scene("gpo-sw-" + status, "F3-7.1, .8", emv(gpoStatus=status))
    scene("gpo-sw-no-interface", "F3-7.1, .9", emv(gpoStatus="6985"), kernel6=NO_OTHERS)
    scene("gpo-phone-one-tap", "F3-7.1b, B.8", emv(gpoStatus="6986"))
    scene("gpo-phone-forever", "F3-7.1b; protection.maxTaps", *[emv(gpoStatus="6986")] * 2, protection={"maxTaps": 2})
    for label, card in (
        ("template-80", {"template": "80"}),
        ("no-data", {"gpoStatus": "9000"}),
        ("77-twice", {"behind": "7700"}),
        ("behind", {"behind": "9F360200"}),
        ("cut", {"cut": "9F3605"}),
        ("cut-77", {"behind": "", "gpoStatus": "77108202199000"}),
        ("82-twice", {"again": ["82021900"]}),
        ("9f36-twice", {"again": ["9F36020001"]}),
        ("9f71-twice-other", {"again": ["9F71020001"]}),
    ):
        scene("gpo-" + label, "4.3.1, F3-7.2, .8", emv(**card))
    scene("gpo-template-80-no-interface", "4.3.1, F3-7.2, .9; reading 4.38", emv(template="80"), kernel6=NO_OTHERS)
    for tag, wrong in (("82", "190000"), ("9F36", "000102"), ("9F27", "8000"), ("9F71", "00")):
        scene("gpo-no-%s" % tag.lower(), "F3-7.3 to .8", emv(gpo={tag: None}))
        scene("gpo-length-of-%s" % tag.lower(), "F3-7.3 to .8; reading 4.24", emv(gpo={tag: wrong}))
    scene("gpo-no-9f71-no-interface", "F3-7.7, .9", emv(gpo={"9F71": None}), kernel6=NO_OTHERS)
    scene("gpo-9f10-empty", "F3-7.5: empty is not present", emv(gpo={"9F10": ""}))
    for cid, word in ((ARQC, "arqc"), (AAC, "aac"), (RFU, "rfu")):
        for label, card in (
            ("no-9f26", {"gpo": {"9F26": None}}),
            ("9f26-7-bytes", {"gpo": {"9F26": "01020304050607"}}),
            ("9f4b", {"gpo": {"9F4B": "01" * 64}}),
            ("d1-5-bytes", {"gpo": {"D1": "0000000123"}}),
        ):
            scene("gpo-%s-%s" % (word, label), "F3-8.2 to .4", emv(cid=cid, **card))
        scene("gpo-" + word, "F3-8, F3-15, F3-16; reading 4.12", emv(cid=cid))
        scene("gpo-%s-online" % word, "F3-8, F3-16.2; reading 4.12", emv(cid=cid), amount=12500)
        scene("gpo-%s-balance" % word, "B.1 to B.4: D1", emv(cid=cid, more="D1"))
    scene("gpo-balance-not-numeric", "1.12: no balance shown", emv(gpo={"D1": "00000000012F"}))
    for length, afl in ((0, ""), (3, "080101"), (5, "0801010000")):
        scene("gpo-arqc-afl-%d" % length, "F3-8.6; reading 4.27", emv(gpo={"94": afl}))
        signed("gpo-tc-afl-%d" % length, "F3-9.1, .1a", tc(gpo={"94": afl}))
    scene("gpo-aac-afl-empty", "F3-8.6; reading 4.27", emv(cid=AAC, gpo={"94": ""}))
    for tag, values in (
        ("57", [None, "", "60" * 20]),
        ("5F34", [None, "0101"]),
        ("9F07", [None, "FF"]),
        ("5F25", [None, "2001"]),
        ("9F08", [None, "000001"]),
    ):
        for value in values:
            label = "no-" + tag if value is None else "%s-%d" % (tag, len(value) // 2)
            scene("gpo-arqc-" + label.lower(), "F3-8.7 to .11", emv(gpo={tag: value}))
    scene("gpo-arqc-no-5f28", "F3-8: 5F28 is not asked; F3-14.2 note", emv(gpo={"5F28": None}))
    scene("gpo-cid-low-bits", "D.2: bits 8 and 7 alone", emv(gpo={"9F27": "88"}))
    for label, card in (
        ("no-9f4b", {"sign": False}),
        ("9f26", {"gpo": {"9F26": "0102030405060708"}}),
        ("d1-7-bytes", {"gpo": {"D1": "00000000000123"}}),
        ("no-afl", {"gpo": {"94": None}}),
    ):
        signed("gpo-tc-" + label, "F3-9.1 to .5", tc(**card))
    scene(
        "gpo-terminal-objects",
        "Book 3, 7.5: the terminal's objects are ignored",
        emv(again=["9F0206000000000001", "950500000000FF", "9F370401020304", "9F6604FFFFFFFF"]),
    )
    scene(
        "gpo-9f53",
        "reading 4.9: an object 9F53 is ignored",
        emv(again=["9F530800FF000000000000"], cpr="1000"),
        ttq="36004000",
        amount=25000,
    )
    scene("gpo-arqc-57-record", "Book 3, 10.2; 1.4: an empty object is none", emv(afl="08010101", gpo={"57": ""}))
    scene("gpo-unknown-objects", "Book B 3.6.1.2", emv(again=["DF010155", "9F6E0400000000"]))


def record_scenes():
    base = {"afl": "08010100"}
    scene("records-online", "3.3, F3-10", emv(**base))
    scene(
        "records-two-files",
        "3.3: every entry in order",
        emv(
            afl="1001010008010201",
            files=[
                (1, 1, ["57", "5F24"]),
                (1, 2, ["9F07", "5F28", "5F25", "9F08"]),
                (2, 1, ["5A", "5F34", "5F20", "9F1F"]),
            ],
        ),
    )
    scene("records-declined", "3.3, F3-15.1", emv(cid=AAC, **base))
    for label, afl in (
        ("sfi-0", "00010100"),
        ("sfi-31", "F8010100"),
        ("first-0", "08000100"),
        ("last-below", "08020100"),
        ("signed-too-many", "08010102"),
        ("second-entry", "0801010010000100"),
    ):
        scene("afl-" + label, "Book 3, 7.5; 1.5", emv(afl=afl))
    scene("afl-rfu-bits", "Book 3, 10.2: low bits of byte 1 are RFU", emv(afl="0F010100"))
    for status in ("6A83", "6283", "6981"):
        scene("record-sw-" + status, "4.1; reading 4.3", emv(recordStatus=status, **base))
        scene("record-with-sw-" + status, "4.1; reading 4.3", emv(recordStatus=status, recordToo=True, **base))
    for label, raw in (
        ("77", "7703570112"),
        ("70-twice", "7003570112" "70045F340101"),
        ("behind", "70035701129F3601"),
        ("empty", ""),
        ("cut", "70055F2403"),
        ("inside-cut", "70045F240301"),
    ):
        scene("record-" + label, "1.5, 1.12", emv(raw={(1, 1): raw}, **base))
    scene("record-twice-equal", "Book 3, 10.2", emv(inRecord={(1, 1): "9F36020001"}, gpo={"9F36": "0001"}, **base))
    scene("record-twice-other", "Book 3, 10.2", emv(inRecord={(1, 1): "9F71020001"}, **base))
    scene("record-twice-in-record", "Book 3, 10.2", emv(inRecord={(1, 1): "5F28020276"}, **base))
    scene(
        "record-terminal-objects",
        "Book 3, 7.5",
        emv(inRecord={(1, 1): "9F02060000000000019F090200019A03260101"}, **base),
    )
    scene("record-unknown-objects", "Book 3, 10.2", emv(inRecord={(1, 1): "DF0101559F6E0400000000"}, **base))
    scene(
        "record-sfi-11-plain", "1.5: SFI 11 to 30 without 70", emv(afl="0801010058010100", raw={(11, 1): "0102030405"})
    )
    scene("record-sfi-11", "1.5: SFI 11 to 30 with 70", emv(afl="58010100", files=[(11, 1, FILE_TAGS)]))
    scene("record-sfi-11-repeats", "Book 3, 10.2", emv(afl="0801010058010100", raw={(11, 1): "70045F340101"}))
    for tag in ("5F34", "9F07", "5F25", "9F08"):
        scene(
            "records-no-" + tag.lower(),
            "F3-8.5: with a 94 none of these is asked",
            emv(fileTags=[t for t in FILE_TAGS if t != tag], **base),
        )
    scene("records-no-57", "reading 4.36: 5A and 5F24 instead", emv(fileTags=FILE_TAGS[1:], **base))
    scene("records-no-account", "reading 4.36; guarded", emv(fileTags=["5F24"] + FILE_TAGS[3:], **base))
    for place, fault in ((3, "timeout"), (4, "transmission"), (4, "removed"), (3, "protocol")):
        scene("fault-%d-%s" % (place, fault), "reading 4.3: Try Again, Start B", emv(faults={place: fault}, **base))
        scene(
            "fault-%d-%s-then-online" % (place, fault),
            "reading 4.3; A 8.1.1.8",
            emv(faults={place: fault}, **base),
            emv(**base),
        )


def signature_scenes():
    signed("offline", "2.2.2, F3-9, 3.4.1, F3-16.4", tc())
    signed("offline-balance", "B.1", tc(more="D1"))
    signed("offline-keys-fit", "Table 35: neither 92 nor 9F48 is needed", tc(keys="f"), keys="f")
    signed("offline-number-8", "3.4.1: ICC Dynamic Number of 8 bytes", tc(numberSize=8))
    signed("offline-number-2", "3.4.1: ICC Dynamic Number of 2 bytes", tc(numberSize=2))
    for size in (1, 9):
        signed("sdad-number-%d" % size, "3.4.1: ICC Dynamic Number of 2 to 8 bytes", tc(numberSize=size))
    signed("offline-signature-first", "3.4.1: order of the response without 9F4B", tc(signatureAt=0))
    signed("offline-signature-inside", "3.4.1: order of the response without 9F4B", tc(signatureAt=3, more="D1"))
    signed(
        "offline-unknown-object-hashed", "3.4.1: every object of the response", tc(again=["DF010155"], signatureAt=2)
    )
    signed("offline-number-in-pdol-twice", "3.4.1: PDOL values as sent", tc(pdol="9F3704" + PDOL + "9F1E08"))
    signed("offline-no-tag-list", "Book 2, 6.4.5", tc(tagList=""))
    signed(
        "offline-two-files-signed",
        "Book 3, 10.3",
        tc(afl="080101015801010110010200", files=[(1, 1, FILE_TAGS), (11, 1, ["9F1F", "5F20"])]),
    )
    signed("offline-no-5a", "1.6: the account of 57 where 5A is missing", tc(fileTags=["57"] + FILE_TAGS[2:]))
    signed("offline-no-57", "reading 4.36; 1.6", tc(fileTags=FILE_TAGS[1:]))
    signed("offline-cash-back", "Table 4-8: 9F03", tc(), type="09", other=500, profiles=[BOOK])
    signed("offline-19-digits", "Book 2, 6.4.8", tc(digits=19, tail=7))
    signed("offline-14-digits", "Book 2, 6.4.8", tc(digits=14))
    signed(
        "offline-sfi-11-signed",
        "Book 3, 10.3: SFI 11 to 30 with template and length",
        tc(afl="5801010110010200", files=[(11, 1, FILE_TAGS)]),
    )
    signed(
        "offline-sfi-11-no-70",
        "Book 3, 10.3: a covered record that is no 70",
        tc(afl="080101015801010110010200", files=[(1, 1, FILE_TAGS)], raw={(11, 1): "0102030405"}),
    )
    for damage in (
        "cid",
        "transaction hash",
        "with 77",
        "number",
        "dynamic short",
        "format",
        "number sent",
        "from header",
        "hash",
        "header",
        "trailer",
        "short",
        "long",
    ):
        signed("sdad-" + damage.replace(" ", "-"), "3.4.1; Book 2, 6.6.2; F3-11.7", tc(sdad=damage))
    for damage in ("format", "hash", "trailer", "header", "short", "long", "algorithm"):
        signed("issuer-certificate-" + damage, "Book 2, 6.3", tc(issuerDamage=damage))
        signed("card-certificate-" + damage, "Book 2, 6.4", tc(cardDamage=damage))
    signed("issuer-certificate-expired", "Book 2, 6.3.9", tc(issuerExpiry="1026"))
    signed("issuer-certificate-last-month", "Book 2, 6.3.9", tc(issuerExpiry="1126"))
    signed("issuer-certificate-prefix", "Book 2, 6.3.8", tc(prefix="601200FF"))
    signed("issuer-certificate-3-digits", "Book 2, 6.3.8", tc(prefix="601FFFFF"))
    signed(
        "issuer-certificate-revoked",
        "Book 2, 6.3.10",
        tc(),
        revoked=[{"rid": "A000000152", "index": "D4", "serial": "000042"}],
    )
    signed(
        "issuer-certificate-other-revoked",
        "Book 2, 6.3.10",
        tc(),
        revoked=[{"rid": "A000000152", "index": "D4", "serial": "000043"}],
    )
    signed("card-certificate-expired", "Book 2, 6.4.9", tc(cardExpiry="1026"))
    signed("card-certificate-account", "Book 2, 6.4.8", tc(certified=[6, 0, 1, 1, 0, 0, 9, 9, 0, 1, 3, 9, 4, 2, 4, 4]))
    signed("card-tag-list", "Book 2, 6.4.5", tc(tagList="829F36"))
    for word, damage in (("key", {"caIndex": "77"}), ("hash", {"sdad": "hash"})):
        failed = tc(cpr="0008", **damage)
        signed("cda-%s-expired" % word, "F3-15.5a before .8 to .10", dict(failed, expiry="2610"))
        signed("cda-%s-early" % word, "F3-15.5a before .11", dict(failed, set={"5F25": "270101"}))
    signed("ca-key-unknown", "F3-11.4", tc(caIndex="77"))
    signed("ca-key-expired", "A15: guarded counts it as absent", tc(), caExpires="2026-11-20")
    signed("ca-key-last-day", "A15", tc(), caExpires="2026-11-21")
    for tag in ("8F", "90", "9F32", "9F46", "9F47", "92", "9F48"):
        signed("no-" + tag.lower(), "F3-11.2, Table 35 of Book 3", tc(chainDrop=tag))
    signed("relay-edits-cpr", "3.4.1: CPR is under the hash", tc(edit=("9F71020000", "9F71020001")))
    signed("relay-edits-type", "3.4.1: CID inside", tc(edit=("9F270140", "9F270141")))
    signed("relay-adds-object", "3.4.1: every object of the response", tc(edit=("9F270140", "9F270140DF010100")))
    signed("relay-edits-record", "Book 2, 6.4.7", tc(editRecord=("9F0702FFC0", "9F0702FF80")))
    signed(
        "relay-edits-ttq",
        "A02: PDOL values are under the hash",
        tc(cpr="0001", sees=(1, 0x40)),
        amount=25000,
        limits=HIGH_FLOOR,
    )
    signed("relay-edits-amount", "A19: PDOL values are under the hash", tc(sees=(8, 0x10)))
    # CPR 2.6, 2.7, 2.8 after a failed CDA, at every kind of reader
    for damage in ({"sdad": "hash"}, {"caIndex": "77"}):
        word = "key" if "caIndex" in damage else "hash"
        for cpr in ("0020", "0040", "0060", "0000", "0080", "00C0"):
            signed("cda-%s-cpr-%s" % (word, cpr), "F3-15.2 to .7; 4.14", tc(cpr=cpr, **damage))
        signed("cda-%s-switch-no-interface" % word, "F3-15.4", tc(cpr="0020", **damage), kernel6=NO_OTHERS)
        for cpr in ("0040", "00C0"):
            signed("cda-%s-offline-only-%s" % (word, cpr), "F3-15.6, .7", tc(cpr=cpr, **damage), ttq="3E004000")
            signed(
                "cda-%s-offline-only-%s-none" % (word, cpr),
                "F3-15.4, .6, .7",
                tc(cpr=cpr, **damage),
                ttq="3E004000",
                kernel6=NO_OTHERS,
            )
    signed(
        "account-of-57-differs",
        "guarded A17",
        tc(gpo={"57": "6011000990139424D301220100000123455F"}, fileTags=FILE_TAGS[1:]),
    )
    signed("tc-when-online-was-asked", "F3-16.2; 4.15", tc(), amount=12500)


def verification_scenes():
    """3.5: every row of the table, with what the profiles change."""
    for cpr in (
        "0000",
        "0001",
        "8000",
        "8001",
        "8002",
        "8003",
        "4000",
        "4001",
        "1000",
        "1001",
        "1003",
        "9003",
        "C003",
        "5001",
    ):
        for ttq in ("32004000", "34004000", "36004000", "36000000", "30000000", "30004000", "3E004000", "20004000"):
            for cvr2 in (0x80, 0x82, 0x83):
                if cvr2 != 0x80 and not (int(cpr[0], 16) & 1 and ttq[4:6] == "40"):
                    continue
                name = "cvm-%s-%s-%02x" % (cpr, ttq[:6].lower(), cvr2)
                kernel = {} if ttq[0] == "3" else {"kernel6": {"otherInterfaces": []}}
                SCENES.append(
                    (
                        "?" + name,
                        dict(
                            kernel,
                            source="C-6 F3-12, F3-13",
                            cards=[emv(cpr=cpr, cvr2=cvr2)],
                            ttq=ttq,
                            amount=25000,
                            profiles=[BOOK, GUARDED, STRICT],
                        ),
                    )
                )
    for word, card in (("none", emv(cpr="0001")), ("device-failed-none", emv(cpr="1001", cvr2=0x81))):
        guard = "F3-12.11, F3-13.5; guarded A01, A08"
        scene("cvm-plain-" + word, guard, card, amount=25000)
        scene("cvm-plain-%s-no-pin" % word, guard, card, amount=25000, ttq="32004000")
        scene("cvm-plain-%s-no-pin-no-interface" % word, guard, card, amount=25000, ttq="32004000", kernel6=NO_OTHERS)
    scene("cvm-plain-signature", "F3-12.8; guarded, strict A32", emv(cpr="4000"), amount=25000)
    scene("cvm-plain-signature-no-pin", "F3-12.8; guarded, strict A32", emv(cpr="4000"), amount=25000, ttq="32004000")
    scene("cvm-plain-device", "F3-13.2; guarded, strict A32", emv(cpr="1000", cvr2=0x82), amount=25000)
    for word, account in (("51", "5413330089010434"), ("27", "2720990000000007")):
        account = [int(digit) for digit in account]
        device = emv(cpr="1000", cvr2=0x82, account=account)
        scene("cvm-other-network-" + word, "guarded A39", device, amount=25000)
        scene("cvm-other-network-below-" + word, "guarded A39", device)
        scene("cvm-other-network-no-pin-" + word, "guarded A39", device, amount=25000, ttq="32004000")
        scene(
            "cvm-other-network-alone-" + word,
            "guarded A39",
            device,
            amount=25000,
            ttq="32004000",
            kernel6=NO_OTHERS,
            profiles=[BOOK, GUARDED],
        )
        signed(
            "cvm-other-network-signed-" + word,
            "guarded A39",
            tc(cpr="1000", cvr2=0x02, account=account),
            amount=25000,
            limits=HIGH_FLOOR,
        )
    scene("cvm-skipped", "F3-12.2; reading 4.33", emv(cpr="1003"))
    scene("cvm-card-wants-signature", "F3-12.1, .5, .8", emv(cpr="4000"))
    scene("cvm-card-wants-pin", "F3-12.1, .4, .6", emv(cpr="8000"))
    scene("cvm-card-wants-pin-no-pin-none", "F3-12.7, .11", emv(cpr="8001"), ttq="32000000")
    scene("cvm-device-performed", "F3-13.2", emv(cpr="1000", cvr2=0x82), amount=25000)
    scene("cvm-device-failed-signature", "F3-13.1, .3, .4", emv(cpr="1002", cvr2=0x81), amount=25000)
    scene("cvm-device-failed-none", "F3-13.5; reading 4.7", emv(cpr="1001", cvr2=0x81), amount=25000)
    scene("cvm-device-failed-and-performed", "F3-13.1", emv(cpr="1000", cvr2=0x83), amount=25000)
    scene("cvm-device-failed", "F3-13.6", emv(cpr="1000", cvr2=0x81), amount=25000)
    scene("cvm-device-signature-unsupported", "F3-13.4, .5", emv(cpr="1003", cvr2=0x80), ttq="34004000", amount=25000)
    scene(
        "cvm-device-short-iad",
        "1.12: 9F10 ends before CVR byte 2",
        emv(cpr="1000", gpo={"9F10": "011520"}),
        amount=25000,
    )
    scene(
        "cvm-device-iad-offset",
        "kernel6.cvrOffset",
        emv(cpr="1000", cvr2=0x82, iadOffset=5),
        amount=25000,
        kernel6={"cvrOffset": 5},
        profiles=[BOOK, GUARDED],
    )
    scene(
        "cvm-device-iad-offset-0",
        "kernel6.cvrOffset",
        emv(cpr="1000", gpo={"9F10": "2082000000000000"}),
        amount=25000,
        kernel6={"cvrOffset": 0},
    )
    scene("cvm-none-no-interface", "F3-12.13", emv(cpr="0000"), amount=25000, kernel6=NO_OTHERS)
    signed("cvm-tc-none", "F3-12.11; guarded: signed, so it counts", tc(cpr="0001"), amount=25000, limits=HIGH_FLOOR)
    signed("cvm-tc-signature", "F3-12.8, B.1: 1A", tc(cpr="4000"), amount=25000, limits=HIGH_FLOOR)
    signed("cvm-tc-signature-below", "F3-12.8, B.1: 1A", tc(cpr="4000"))
    signed("cvm-tc-device", "F3-13.2", tc(cpr="1000", cvr2=0x02), amount=25000, limits=HIGH_FLOOR)
    signed(
        "cvm-tc-pin",
        "F3-12.9; reading 4.18: Approved becomes Online Request",
        tc(cpr="8000"),
        amount=25000,
        limits=HIGH_FLOOR,
    )
    signed("cvm-tc-pin-below", "F3-12.9; reading 4.18", tc(cpr="8000"))
    signed("cvm-tc-pin-offline-only", "F3-12.9; reading 4.18", tc(cpr="8003"), ttq="3E004000")
    signed("cvm-tc-pin-offline-only-no-fallback", "F3-12.9; reading 4.18", tc(cpr="8000"), ttq="3E004000")
    signed("cvm-tc-pin-declined", "reading 4.18: Declined stays", tc(cpr="8000", set={"9F07": "0000"}))
    signed("cvm-tc-switch", "F3-12.13", tc(cpr="0000"), amount=25000, limits=HIGH_FLOOR)
    signed("cvm-tc-failed-pin", "3.5 before 3.7", tc(cpr="8040", sdad="hash"), amount=25000, limits=HIGH_FLOOR)
    signed(
        "cvm-tc-failed-none",
        "guarded: nobody signed the CPR",
        tc(cpr="0041", sdad="hash"),
        amount=25000,
        limits=HIGH_FLOOR,
    )
    scene(
        "cvm-aac-signature-unmet",
        "reading 4.16: literal order",
        emv(cid=AAC, cpr="0000"),
        amount=25000,
        profiles=[BOOK],
    )


def restriction_scenes():
    scene("expired-by-track", "F3-14.4", emv(expiry="2610"))
    scene("expires-this-month", "F3-14.4: last day of the month", emv(expiry="2611"))
    scene("expired-1999", "1.8: 50 to 99 is 19YY", emv(expiry="9912"))
    scene("expires-2049", "1.8: 00 to 49 is 20YY", emv(expiry="4912"))
    for cpr in ("0000", "0004", "0008", "000C", "0088"):
        for ttq in ("36004000", "3E004000"):
            scene("expired-%s-%s" % (cpr, ttq[:2]), "F3-15.8 to .10, .6, .7", emv(expiry="2610", cpr=cpr), ttq=ttq)
            signed(
                "expired-tc-%s-%s" % (cpr, ttq[:2]), "F3-15.8 to .10, .6, .7; 4.19", tc(expiry="2610", cpr=cpr), ttq=ttq
            )
    scene(
        "expired-switch-no-interface", "F3-15.7, .4", emv(expiry="2610", cpr="0088"), ttq="3E004000", kernel6=NO_OTHERS
    )
    signed(
        "expired-tc-switch-no-interface",
        "F3-15.7, .4",
        tc(expiry="2610", cpr="0088"),
        ttq="3E004000",
        kernel6=NO_OTHERS,
    )
    five = {"afl": "08010100", "fileTags": FILE_TAGS[1:]}
    scene("expired-by-5f24", "F3-14.4", emv(set={"5F24": "261120"}, **five))
    scene("expires-today-5f24", "F3-14.4", emv(set={"5F24": "261121"}, **five))
    scene("5f24-differs", "1.8: 57 decides", emv(afl="08010100", set={"5F24": "250131"}), profiles=[BOOK, GUARDED])
    scene(
        "57-expired-5f24-not",
        "1.8: 57 decides",
        emv(afl="08010100", expiry="2510", set={"5F24": "301231"}),
        profiles=[BOOK, GUARDED],
    )
    scene("no-expiry-online", "1.8: nothing is set", emv(afl="08010100", fileTags=["5A"] + FILE_TAGS[3:]))
    signed("no-expiry-offline", "1.8: nothing is set; guarded declines a TC", tc(fileTags=["5A"] + FILE_TAGS[3:]))
    for label, track in (
        ("month-13", "6011000990139424D31132010000012345"),
        ("month-0", "6011000990139424D31002010000012345"),
        ("letter", "6011000990139424D3A122010000012345"),
        ("no-d", "60110009901394243012201000001234"),
        ("3-digits", "6011000990139424D301"),
    ):
        scene("57-" + label, "1.8, Book 3 7.5", emv(set={"57": track}))
    for label, date in (("month-13", "311331"), ("day-0", "301200"), ("february-30", "300230"), ("letter", "30A231")):
        scene("5f24-" + label, "1.8, Book 3 7.5", emv(set={"5F24": date}, **five))
        scene("5f25-" + label, "1.8, Book 3 7.5", emv(set={"5F25": date}))
    for date, word in (("261121", "today"), ("261122", "tomorrow"), ("500101", "1950")):
        scene("effective-" + word, "F3-14.12, F3-15.11", emv(set={"5F25": date}))
        signed("effective-tc-" + word, "F3-14.12, F3-15.11", tc(set={"5F25": date}))
        scene(
            "effective-offline-only-" + word,
            "F3-15.6, .7",
            emv(set={"5F25": date}, cpr="0080"),
            ttq="3E004000",
            profiles=[BOOK],
        )
        signed("effective-tc-offline-only-" + word, "F3-15.6, .7", tc(set={"5F25": date}, cpr="0080"), ttq="3E004000")
    no_version = {"fileTags": [tag for tag in FILE_TAGS if tag != "9F08"]}
    scene(
        "effective-no-version",
        "F3-14.9; reading 4.39, guarded",
        emv(afl="08010100", set={"5F25": "270101"}, **no_version),
    )
    signed("effective-tc-no-version", "F3-14.9; reading 4.39, guarded", tc(set={"5F25": "270101"}, **no_version))
    scene(
        "effective-no-version-no-date",
        "F3-14.9; 5F25 is not used",
        emv(afl="08010100", set={"5F25": "271301"}, **no_version),
    )
    scene("version-differs", "F3-14.10, .11: no consequence", emv(set={"9F08": "0002"}))
    signed("version-differs-tc", "F3-14.10, .11: no consequence", tc(set={"9F08": "0002"}))
    scene("no-effective-date", "F3-14.9", emv(afl="08010100", fileTags=[tag for tag in FILE_TAGS if tag != "5F25"]))
    scene("listed", "F3-14.7, .8, F3-15.5a", emv(), listed={})
    signed("listed-tc", "F3-14.7, .8, F3-15.5a", tc(), listed={})
    signed("listed-by-5a", "F3-14.7", tc(fileTags=FILE_TAGS[1:]), listed={})
    scene("listed-other-sequence", "F3-14.7", emv(set={"5F34": "01"}), listed={"sequence": "02"})
    scene("listed-other-account", "F3-14.7", emv(), exceptions=[{"pan": "6011000990139424"}])
    for auc in (
        "0100",
        "0200",
        "03C0",
        "FFC0",
        "2100",
        "0900",
        "1100",
        "0500",
        "8100",
        "4100",
        "2180",
        "1140",
        "0000",
        "A140",
    ):
        for kind, other in (("00", 0), ("01", 0), ("09", 500), ("00", 500)):
            for country in ("0276", "0840"):
                SCENES.append(
                    (
                        "?usage-%s-%s-%d-%s" % (auc, kind, other, country),
                        {
                            "source": "C-6 F3-14.2, Book 3 10.4.2, Table 36",
                            "type": kind,
                            "other": other,
                            "cards": [emv(set={"9F07": auc, "5F28": country})],
                            "profiles": [BOOK],
                        },
                    )
                )
    atm = {"9F35": "14", "9F40": "F000B0A001"}
    for auc in ("0280", "8200", "8100", "0100"):
        scene(
            "usage-atm-" + auc,
            "Book 3 10.4.2: at an ATM",
            emv(set={"9F07": auc}),
            type="01",
            terminal=atm,
            profiles=[BOOK],
        )
    scene("usage-9f07-1-byte", "1.8: format error", emv(afl="08010100", set={"9F07": "FF"}))
    scene("usage-5f28-3-bytes", "1.8: format error", emv(set={"5F28": "000276"}))
    scene("usage-no-country", "F3-14.2 note: skipped online", emv(set={"9F07": "0000"}, gpo={"5F28": None}))
    for tag in ("9F07", "5F28"):
        signed(
            "usage-tc-no-" + tag.lower(), "F3-14.2, .3; reading 4.5", tc(fileTags=[t for t in FILE_TAGS if t != tag])
        )
    scene("usage-refused-online", "F3-15.5a: an ARQC too", emv(set={"9F07": "0000"}), amount=12500)
    scene("refund", "type 20 has no usage bit", emv(), type="20", profiles=[BOOK])
    scene("refund-declined", "F3-15.1", emv(cid=AAC), type="20", profiles=[BOOK])


def decision_scenes():
    scene("online-offline-only", "F3-16.3; reading 4.17", emv(), ttq="3E004000")
    scene("online-offline-only-asked", "F3-16.2; reading 4.17", emv(), ttq="3E004000", amount=12500)
    for amount, word in (
        (10000, "floor"),
        (10001, "floor-above"),
        (19999, "cvm-below"),
        (20000, "cvm"),
        (29999, "transaction-below"),
        (30000, "transaction"),
    ):
        scene("limit-" + word, "Book B 3.1.1.5 to .12", emv(cpr="4000"), amount=amount)
    scene("limit-zero", "Book B 3.1.1.11", emv(), amount=0)
    scene("limit-zero-offline-only", "Book B 3.1.1.11", emv(), amount=0, ttq="3E004000")
    scene("limit-zero-not-allowed", "Book B 3.1.1.4", emv(), amount=0, row={"zeroAmount": "notAllowed"})
    scene("limit-terminal-floor", "Book B 3.1.1.7", emv(), amount=5001, limits={"terminalFloor": 5000})
    scene("limit-none", "Book B 3.1.1.5 to .8: absent is no limit", emv(), amount=500000, limits={}, profiles=[BOOK])
    scene("limit-status-check", "Book B 3.1.1.3", emv(), amount=100, row={"statusCheck": True})
    scene("ttq-configured-bits", "Book B 3.1.1.2: cleared in the copy", emv(), ttq="36C04000")
    scene("autorun", "Book B 3.2.1.1", emv(), ttq="36804000", autorun={"type": "00", "amount": 1250})
    for label, interfaces, ttq, capabilities in (
        ("contact", None, "36004000", "E0B8C8"),
        ("stripe", None, "26004000", "E0B8C8"),
        ("none", None, "26004000", "20B8C8"),
        ("both", ["magstripe", "contact"], "26004000", "20B8C8"),
        ("configured-stripe", ["magstripe"], "36004000", "E0B8C8"),
    ):
        kernel = {} if interfaces is None else {"kernel6": {"otherInterfaces": interfaces}}
        scene(
            "interface-" + label,
            "B.5; Table 4-16 note 1",
            emv(gpoStatus="6985"),
            ttq=ttq,
            terminal={"9F33": capabilities},
            **kernel
        )
    scene("ppse-real", "reading 4.29", emv(directory=hexed(obj("61", obj("4F", D_PAS) + unhex("8701019F2A020006")))))
    scene(
        "ppse-kernel-06", "Book B 3.3.2.5", emv(directory=hexed(obj("61", obj("4F", D_PAS) + unhex("8701019F2A0106"))))
    )
    scene(
        "ppse-other-kernel",
        "Book B 3.3.2.5",
        emv(directory=hexed(obj("61", obj("4F", D_PAS) + unhex("8701019F2A0103")))),
    )
    scene("ppse-no-application", "Book B 3.3.2.7", emv(directory=hexed(obj("61", obj("4F", unhex("A0000000031010"))))))
    scene("select-refused", "Book B 3.3.3.5", emv(selectStatus="6A82"))
    two = {"others": [emv(aid=D_PAS + b"\1")]}
    scene("select-refused-next", "Book B 3.3.3.5", emv(selectStatus="6283", **two))
    scene("select-next-card", "F3-4.9, Book B 3.5.1.4; A 8.1.1.8", emv(pdol=PDOL[6:], **two))
    scene(
        "select-next-twice",
        "F3-4.9, Book B 3.3.2.7",
        emv(pdol=PDOL[6:], others=[emv(aid=D_PAS + b"\1", pdol=PDOL[6:])]),
    )
    scene("phone", "F3-7.1b, B.8; A 8.1.1.8", emv(gpoStatus="6986"), emv(cpr="1000", cvr2=0x82), amount=25000)
    scene(
        "phone-twice",
        "F3-7.1b, B.8",
        emv(gpoStatus="6986"),
        emv(gpoStatus="6986"),
        emv(cpr="1000", cvr2=0x82),
        amount=25000,
    )
    scene(
        "phone-then-declined", "F3-7.1b, B.8", emv(gpoStatus="6986"), emv(cid=AAC, cpr="1000", cvr2=0x02), amount=25000
    )
    scene(
        "phone-ms",
        "F3-7.1b in the MS modes",
        {"stripe": True, "gpoStatus": "6986", "bf0c": "9F7D020100"},
        ttq=ONLY_MS,
        numeric=True,
    )


def update_scenes():
    """3.8 and 3.10."""
    block, unblock = "841E000008" + "A1" * 8, "8418000008" + "A2" * 8
    put, record = "84DA9F530A" + "0102" + "A3" * 8, "84DC010C0B" + "700101" + "A4" * 8

    def script(tag, *commands):
        return {tag: "".join(hexed(obj("86", unhex(c))) for c in commands)}

    first, ttq = emv(cpr="0010"), "3600C000"
    scene("update-offered", "3.8, B.3", first, ttq=ttq)
    scene("update-offered-pin", "3.8, B.3, F3-12.9", emv(cpr="8010"), ttq=ttq, amount=25000)
    scene("update-offered-balance", "B.3; reading 4.34", emv(cpr="0010", more="D1"), ttq=ttq)
    scene("update-card-does-not", "3.8: Start N/A", emv(cpr="0000"), ttq=ttq)
    scene("update-reader-does-not", "3.8: Start N/A", first)
    scene("update-switched-off", "3.8; kernel6.twoPresentments", first, ttq=ttq, kernel6={"twoPresentments": False})
    scene("update-not-for-a-decline", "3.8", emv(cid=AAC, cpr="0010"), ttq=ttq)
    signed("update-not-for-an-approval", "3.8", tc(cpr="0010"), ttq=ttq)
    signed(
        "update-failed-cda-online",
        "3.8, F3-15.5, .6; 4.21: TVR and TSI are kept",
        tc(cpr="0050", sdad="hash"),
        {"issuer": script("72", block)},
        emv(cpr="0010"),
        ttq=ttq,
        profiles=[BOOK],
    )
    signed(
        "update-pin-tsi", "TSI 1.8, 1.7, 1.4 are kept", tc(cpr="8010"), {"issuer": script("71", put)}, emv(), ttq=ttq
    )
    scene("update-no-emv-data", "A 8.1.1.22", first, {"issuer": {"8A": "3030"}}, ttq=ttq)
    scene(
        "update-91-alone",
        "reading 4.25",
        first,
        {"issuer": {"8A": "3030", "91": "01020304050607083030"}},
        emv(cpr="0010"),
        ttq=ttq,
    )
    for tag in ("71", "72"):
        scene("update-" + tag, "3.10", first, {"issuer": dict({"8A": "3030"}, **script(tag, block))}, emv(), ttq=ttq)
    scene(
        "update-declined-by-host",
        "3.10: whatever the issuer decided",
        first,
        {"issuer": dict({"8A": "3035"}, **script("72", unblock))},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-four-commands",
        "3.10, F3-17.7",
        first,
        {"issuer": script("72", block, unblock, put, record)},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-with-91",
        "3.10: 91 is not used",
        first,
        {"issuer": dict({"91": "01020304050607083030"}, **script("72", put))},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-identifier",
        "3.10: 9F18 is not sent",
        first,
        {"issuer": {"72": "9F180412345678" + script("72", put)["72"]}},
        emv(),
        ttq=ttq,
    )
    for status in ("6982", "6A80", "6283", "63C0", "6985", "9001", "6100"):
        scene(
            "update-sw-" + status,
            "F3-17.4 to .6",
            first,
            {"issuer": script("72", block, put)},
            emv(scripts=[status]),
            ttq=ttq,
        )
        scene(
            "update-second-sw-" + status,
            "F3-17.4 to .7",
            first,
            {"issuer": script("71", block, put, record)},
            emv(scripts=["9000", status]),
            ttq=ttq,
        )
    scene(
        "update-71-and-72", "F3-17.1", first, {"issuer": dict(script("71", block), **script("72", put))}, emv(), ttq=ttq
    )
    scene(
        "update-72-twice",
        "F3-17.1",
        first,
        {"issuer": {"72": [script("72", block)["72"], script("72", put)["72"]]}},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-card-block",
        "Table 2-2; reading 4.37",
        first,
        {"issuer": script("72", "8416000008" + "A1" * 8)},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-second-not-passed",
        "Table 2-2; reading 4.37",
        first,
        {"issuer": script("72", block, "0082000008" + "A1" * 8, put)},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-lc-too-large", "reading 4.37", first, {"issuer": script("72", "841E000009" + "A1" * 8)}, emv(), ttq=ttq
    )
    scene(
        "update-lc-too-small", "reading 4.37", first, {"issuer": script("72", "841E000006" + "A1" * 8)}, emv(), ttq=ttq
    )
    scene(
        "update-le",
        "reading 4.37: one Le byte is tolerated",
        first,
        {"issuer": script("72", block + "00")},
        emv(),
        ttq=ttq,
    )
    scene("update-command-short", "reading 4.37", first, {"issuer": script("72", "841E00")}, emv(), ttq=ttq)
    scene("update-template-cut", "reading 4.37", first, {"issuer": {"72": "860D841E0000"}}, emv(), ttq=ttq)
    scene("update-no-86", "reading 4.37", first, {"issuer": {"72": "9F180412345678"}}, emv(), ttq=ttq)
    scene(
        "update-select-refused",
        "Book B 3.3.3.5",
        first,
        {"issuer": script("72", block)},
        emv(selectStatus="6A82"),
        ttq=ttq,
    )
    for label, card in (("no-84", {"drop": "84"}), ("no-pdol", {"drop": "9F38"}), ("pdol-short", {"pdol": PDOL[6:]})):
        scene("update-fci-" + label, "reading 4.35", first, {"issuer": script("72", block)}, emv(**card), ttq=ttq)
    scene(
        "update-other-name",
        "reading 4.35, guarded",
        first,
        {"issuer": script("72", block)},
        emv(name=D_PAS + b"\7"),
        ttq=ttq,
    )
    for place, fault in ((2, "timeout"), (3, "removed")):
        scene(
            "update-fault-%d" % place,
            "reading 4.37: no Try Again",
            first,
            {"issuer": script("72", block, put)},
            emv(faults={place: fault}),
            ttq=ttq,
        )
    scene(
        "update-effective",
        "TVR of the first presentment is kept",
        emv(cpr="0010", set={"5F25": "270101", "9F08": "0009"}),
        {"issuer": script("72", block)},
        emv(),
        ttq=ttq,
    )
    scene(
        "update-after-phone",
        "3.10 after Try Again",
        emv(gpoStatus="6986"),
        emv(cpr="1010", cvr2=0x82),
        {"issuer": script("72", block)},
        emv(),
        ttq=ttq,
        amount=25000,
    )


def random_scene(chance):
    """Anything together: what a named scene does not combine."""
    cid = chance.pick([ARQC, ARQC, TC, TC, AAC])
    cpr1 = chance.pick([0, 0, 0x80, 0x40, 0x10, 0x90, 0xC0, 0x50])
    cpr = "%02X%02X" % (cpr1, chance.below(256))
    card = {"cid": cid, "cpr": cpr, "cvr2": chance.pick([0, 0x80, 2, 1, 0x82]), "set": {}}
    if chance.once_in(3):
        card["more"] = "D1"
    if chance.once_in(3):
        card["expiry"] = chance.pick(["2610", "2611", "2612", "2701", "9912"])
    if chance.once_in(4):
        card["set"]["9F07"] = hexed(bytes([chance.below(256), chance.below(4) << 6]))
    if chance.once_in(4):
        card["set"]["5F28"] = "0840"
    if chance.once_in(4):
        card["set"]["5F25"] = chance.pick(["261121", "261122", "270101", "500101"])
    if chance.once_in(4):
        card["set"]["9F08"] = "0002"
    if cid != TC and chance.flag():
        card["afl"] = "08010100"
    if cid == TC or "afl" in card:
        tags = [
            tag for tag in FILE_TAGS if not (tag in ("5A", "57", "5F24", "5F25", "9F08", "5F34") and chance.once_in(9))
        ]
        card["fileTags"] = tags + ["5F20"] * chance.once_in(4) + ["9F1F"] * chance.once_in(4)
    made = {
        "source": "C-6: random",
        "ttq": chance.pick(["3", "3", "3", "2"])
        + chance.pick("02466667EEE")
        + "00"
        + chance.pick(["40", "C0", "00", "80"])
        + "00",
        "amount": chance.pick([1250, 1250, 9999, 12500, 20000, 25000, 29999]),
        "type": chance.pick(["00", "00", "00", "01", "09"]),
        "limits": chance.pick([LIMITS, LIMITS, HIGH_FLOOR]),
        "keys": "r",
        "cards": [card],
    }
    if made["ttq"][1] in "7":
        made["ttq"] = made["ttq"][0] + "6" + made["ttq"][2:]
    if made["type"] == "09":
        made["other"] = 500
    if cid == TC:
        damage = chance.below(8)
        if damage == 0:
            card["sdad"] = chance.pick(["cid", "hash", "format", "trailer", "transaction hash", "short"])
        elif damage == 1:
            card["caIndex"] = "77"
        elif damage == 2:
            card["cardDamage"] = "hash"
        elif damage == 3:
            card["chainDrop"] = chance.pick(["90", "92", "9F46", "9F48"])
    if chance.once_in(4):
        made["kernel6"] = {"otherInterfaces": chance.pick([[], [], ["magstripe"], ["contact", "magstripe"]])}
    if chance.once_in(8):
        made["listed"] = {}
    if "57" not in card.get("fileTags", ["57"]) and "5A" not in card.get("fileTags", []):
        card["fileTags"].append("57")
    return made


def scenes():
    if not SCENES:
        for family in (
            fci_scenes,
            magstripe_scenes,
            answer_scenes,
            record_scenes,
            signature_scenes,
            verification_scenes,
            restriction_scenes,
            decision_scenes,
            update_scenes,
        ):
            family()
    return SCENES


def dialogues(seed, count):
    """Every named scene by the book, some again in another profile, scenes of the tables drawn, then random ones."""
    chance, made = Chance(seed), []
    for name, one in scenes():
        table = name.startswith("?")
        name = "k6-" + name.lstrip("?")
        if table and not chance.once_in(5):
            continue
        profiles = one.get("profiles", [BOOK, GUARDED, STRICT])
        chosen = (
            [chance.pick(profiles)]
            if table
            else [BOOK]
            + [
                profile
                for profile in profiles[1:]
                if chance.once_in(7) or "guarded" in one["source"] or name.startswith("k6-ms-dcvv")
            ]
        )
        for profile in chosen:
            trace = shoot(chance, name if profile == BOOK else "%s-%s" % (name, PROFILES[profile]), one, profile)
            if trace:
                made.append(trace)
    number, wanted = 0, count - len(made)
    while number < wanted:
        trace = shoot(
            chance, "k6-random-%d" % (number + 1), random_scene(chance), chance.pick([BOOK, BOOK, GUARDED, STRICT])
        )
        if trace:
            number += 1
            made.append(trace)
    return made


# ---------------------------------------------------------------------------------------------------------------
# Decision tables alone, as lines "function | inputs | outputs" (form of rules.py)
# ---------------------------------------------------------------------------------------------------------------

# How a step ends: it goes on, or the outcome.
ENDS = {"tryAnotherInterface": 1, "selectNext": 2, "silent": 3, "endApplication": 4}
METHODS = {"none": 0, "signature": 1, "onlinePIN": 2, "cdcvm": 3}
DECISIONS = {"approved": 0, "declined": 1, "onlineRequest": 2, "tryAnotherInterface": 3}


def ending(function, *arguments):
    """(0, result) where a step goes on, else (number of its end, None)."""
    try:
        return 0, function(*arguments)
    except Outcome as outcome:
        silent = outcome.outcome == "endApplication" and outcome.message is None
        return ENDS["silent" if silent else outcome.outcome], None


def verification_cases(chance, out):
    """k6_cvm | TTQ CPR 9F10 CVR-offset cryptogram ODA profile other-interface | end method TVR TSI

    cryptogram: 0 AAC, 1 TC, 2 ARQC, 3 RFU; ODA: 0 not performed, 1 good, 2 failed; profile: 0 book, 1 guarded,
    2 strict; end: 0 goes on, 1 Try Another Interface, 4 End Application 1C; method: 0 none, 1 signature, 2 online PIN,
    3 CDCVM."""
    for _ in range(4500):
        ttq = bytes(
            [
                0x20 | chance.below(2) << 3 | chance.below(2) << 2 | chance.below(2) << 1,
                chance.below(4) << 6,
                chance.below(4) << 6,
                0,
            ]
        )
        cpr = bytes([chance.pick([0, 0, 0x80, 0x40, 0xC0, 0x20]) | chance.below(2) << 4, chance.below(256)])
        cvr = unhex("01152080")[:2] + bytes([0x20, chance.pick([0, 0x80]) | chance.below(4)]) + bytes(6)
        iad, offset = chance.pick([(cvr, 2), (cvr, 2), (cvr, 2), (cvr[:3], 2), (b"\0\0\0" + cvr, 5), (cvr[2:], 0)])
        cryptogram = chance.pick([TC, TC, ARQC, ARQC, ARQC, AAC])
        oda = chance.pick([1, 2]) if cryptogram == TC else 0
        profile, other = chance.below(3), chance.below(2)
        facts = Facts(
            ttq=ttq,
            cpr=cpr,
            iad=iad,
            cvr_offset=offset,
            profile=profile,
            cryptogram=cryptogram,
            oda=[None, "good", "failed"][oda],
            others=["contact"] * other,
        )
        try:
            end, method = ending(verification, facts)
        except Open:
            continue
        out.case(
            "k6_cvm",
            [ttq, cpr, iad, offset, cryptogram, oda, profile, other],
            [
                end,
                METHODS[method] if end == 0 else None,
                facts.tvr if end == 0 else None,
                facts.tsi if end == 0 else None,
            ],
        )


def action_cases(chance, out):
    """k6_action | cryptogram TVR CPR TTQ profile other-interface | decision

    decision: 0 approved, 1 declined, 2 online request, 3 Try Another Interface. What online PIN turns into an Online
    Request (4.18) is not part of it. TVR 1.3 and 1.8 stand for CDA as it can be: good, failed, or not performed."""
    for _ in range(4500):
        cryptogram = chance.pick([TC, TC, TC, ARQC, ARQC, AAC, RFU])
        first = chance.pick([0x00, 0x00, 0x04, 0x24]) if cryptogram == TC else 0x80
        tvr = bytes(
            [
                first | chance.pick([0, 0, 0, 0x10]),
                chance.pick([0, 0, 0x80])
                | chance.pick([0, 0x40])
                | chance.pick([0, 0, 0x20])
                | chance.pick([0, 0, 0x10]),
                chance.pick([0, 4]),
                0,
                0,
            ]
        )
        cpr = bytes([chance.below(16) << 4, chance.below(256)])
        ttq = bytes([0x20 | chance.below(16), chance.below(4) << 6, chance.below(4) << 6, 0])
        profile, other = chance.below(3), chance.below(2)
        facts = Facts(ttq=ttq, cpr=cpr, tvr=tvr, profile=profile, cryptogram=cryptogram, others=["contact"] * other)
        out.case("k6_action", [cryptogram, tvr, cpr, ttq, profile, other], [DECISIONS[action(facts)]])


def usage_cases(chance, out):
    """k6_usage | cryptogram 9F07-there 9F07 5F28-there 5F28 9F1A 9C cashback-amount 9F35 9F40 | TVR 2.5"""
    for _ in range(2500):
        auc, country = bytes([chance.below(256), chance.below(4) << 6]), unhex(chance.pick(["0276", "0840"]))
        there = [chance.below(8) > 0, chance.below(8) > 0]
        cryptogram, kind = chance.pick([TC, ARQC]), chance.pick([0, 0, 1, 1, 9, 9, 0x20])
        other = 500 if kind == 9 else chance.pick([0, 0, 0, 500]) if kind == 0 else 0
        terminal_type = chance.pick([0x22, 0x22, 0x14, 0x15, 0x16, 0x21, 0x25])
        additional = unhex(chance.pick(["6000B0A001", "F000B0A001"]))
        if all(there):
            allowed = usage_allowed(auc, country, b"\2\x76", kind, other, terminal_type, additional)
        else:
            allowed = cryptogram != TC  # 4.5
        out.case(
            "k6_usage",
            [
                cryptogram,
                there[0],
                auc,
                there[1],
                country,
                b"\2\x76",
                bytes([kind]),
                other,
                bytes([terminal_type]),
                additional,
            ],
            [not allowed],
        )


def date_cases(chance, out):
    """k6_dates | 57-there 57 5F24-there 5F24 5F25-there 5F25 9F08-there 9F08 9F09 9A profile | end TVR-2 expiry-known

    end: 0 goes on, 4 End Application 1C. TVR-2: byte 2, only its bits 8, 7 and 6."""
    days = [
        "261121",
        "261120",
        "261122",
        "261130",
        "261031",
        "261231",
        "270101",
        "991231",
        "500101",
        "491231",
        "000101",
        "240229",
    ]
    bad = ["261301", "260001", "261100", "261131", "230229", "2A1121", "26112F"]
    for _ in range(2500):

        def day():
            return unhex(chance.pick(days if not chance.once_in(10) else bad))

        month = chance.pick(days if not chance.once_in(10) else ["2613", "2600", "2A11", "F611"])[:4]
        track = "6011000990139424D" + month + "2010000012345"
        if chance.once_in(25):
            track = chance.pick(["6011000990139424D261", "60110009901394242611201000001234", "6011000990139424D26F"])
        track = pack([int(digit, 16) for digit in track])
        there = [not chance.once_in(4), chance.flag(), not chance.once_in(4), not chance.once_in(3)]
        values = [track, day(), day(), unhex(chance.pick(["0001", "0001", "0002"]))]
        card = {tag: value for tag, value, is_there in zip(("57", "5F24", "5F25", "9F08"), values, there) if is_there}
        today, profile = unhex(chance.pick(days[:6] + ["240229", "491231", "500101"])), chance.below(3)
        end, found = ending(dates, card, b"\0\1", day_of(today), profile)
        inputs = [one for pair in zip(there, values) for one in pair]
        out.case(
            "k6_dates",
            inputs + [b"\0\1", today, profile],
            [end, found[0] if end == 0 else None, found[1] if end == 0 else None],
        )


def selection_cases(chance, out):
    """k6_fci_magstripe | FCI other-interface | end length-of-9F37
    k6_fci_emv | FCI TTQ | end 9F7D-offered length-of-9F37

    end: 0 goes on, 1 Try Another Interface, 2 Select Next, 3 End Application without a message, 4 with 1C."""
    entries = [PDOL[i:j] for i, j in ((0, 6), (6, 12), (12, 18), (18, 24), (24, 30), (30, 34), (34, 38), (38, 44))]
    for number in range(3600):
        magstripe = number % 3 == 0
        pdol = list(entries)
        if chance.once_in(3):
            at = chance.below(8)
            pdol[at] = pdol[at][:-2] + "%02X" % chance.below(9)
        if chance.once_in(6):
            pdol.pop(chance.below(8))
        if chance.once_in(6):
            pdol.insert(chance.below(len(pdol) + 1), chance.pick(entries + ["9F0205", "9F3701", "9F4E08", "5A08"]))
        if chance.once_in(4) or magstripe and chance.flag():
            pdol = [entry for entry in pdol if not entry.startswith("9F37")] + ["9F37%02X" % chance.below(6)]
        if magstripe and chance.once_in(3):
            pdol = ["9F37%02X" % chance.below(6)] * (not chance.once_in(5))
            pdol = pdol or ["9F6604"]
        pdol = "".join(pdol)
        if chance.once_in(12):
            pdol = pdol[:-2]
        version = chance.pick(
            ["9F7D020100"] * 4
            + ["", "9F7D0201009F7D020100", "9F4D020B0A", "9F7D0201"]
            + ([] if magstripe else ["9F7D03010203"])
        )
        card = {"aid": D_PAS, "pdol": pdol, "drop": ""}
        if not chance.once_in(4):
            card["bf0c"] = version
        if chance.once_in(4):
            card["drop"] = chance.pick(["84", "A5", "50", "9F38", "87"])
        if chance.once_in(6):
            card["outside"] = chance.pick(
                ["870101", "BF0C059F7D020100", "500144", "8407A0000001523010", "9F38039F3704", "A500"]
            )
        if chance.once_in(6):
            card["inside"] = chance.pick(["500144", "870102", "9F38039F3704", "9F7D020100", "5F2D0865", "5F2D02656E"])
        if chance.once_in(8):
            card["priority"] = chance.pick([b"\1\1", b"\2"])
        fci = fci_bytes(card)
        if chance.once_in(40):
            fci = fci[: 1 + chance.below(len(fci) - 1)]
        try:
            if magstripe:
                other = chance.below(2)
                end, found = ending(check_magstripe_fci, FCI(fci), ["contact"] * other)
                size = [size for tag, size in found if tag == "9F37"][0] if end == 0 else None
                out.case("k6_fci_magstripe", [fci, other], [end, size])
            else:
                ttq = unhex(chance.pick(["36004000", "B6004000"]))
                end, found = ending(check_emv_fci, FCI(fci), ttq, ["contact"])
                size = [size for tag, size in found[0] if tag == "9F37"][0] if end == 0 else None
                out.case("k6_fci_emv", [fci, ttq], [end, found[1] if end == 0 else None, size])
        except Open:
            continue


def track_cases(chance, out):
    """k6_track_2, k6_track_1 | track 9F7E number-sent | changed track (as it came where it is not changed)"""
    for _ in range(700):
        account = [6, 0, 1, 1] + chance.digits(chance.pick([8, 10, 12, 15]))
        dcvv = unhex(chance.pick(["0%d%d%d" % tuple(chance.digits(3))] * 6 + ["1234", "012A", "0F12"]))
        dcvv = chance.pick([dcvv] * 8 + [dcvv[:1], dcvv + b"\1"])
        number = bcd(chance.below(10**8), chance.pick([1, 2, 3, 4, 4]))
        digits, last = dcvv_digits(dcvv), nibbles(number)[-2:]
        size = chance.pick([36, 37, 37, 38, 30, 35])
        halves = account + [13] + chance.digits(max(size - len(account) - 1, 4))
        if chance.once_in(10):
            halves = [1] * chance.pick([19, 20, 21]) + [13] + chance.digits(16)
        track = pack(halves[:38])
        made = filled_track_2(track, digits, last) if digits else None
        out.case("k6_track_2", [track, dcvv, number], [made or track])
        name = b"N" * chance.pick([10, 20, 26, 28, 30, 31, 32, 33, 34])
        tail = bytes(48 + digit for digit in chance.digits(chance.pick([7, 10, 17, 20, 30])))
        track = (b"B" + bytes(48 + digit for digit in account) + b"^" + name + b"^" * (not chance.once_in(12)) + tail)[
            :76
        ]
        if chance.once_in(4):
            track = track[: chance.pick([63, 64, 65, 66])]
        made = filled_track_1(track, digits, last) if digits else None
        out.case("k6_track_1", [track, dcvv, number], [made or track])


def other_cases(chance, out):
    """k6_script | value of 86 | passed on
    k6_balance | D1 of 6 bytes | shown value
    k6_number | random bytes, size | number, bytes used
    k6_configuration | AID TTQ-there TTQ mode | verdict: 0 good, 1 warning, 2 refused. mode: 0 auto"""
    for _ in range(400):
        head = unhex(
            chance.pick(
                [
                    "841E0000",
                    "84180000",
                    "84DA9F53",
                    "84DC010C",
                    "84160000",
                    "8424000",
                    "00820000",
                    "041E0000",
                    "80DA9F53",
                ]
            ).ljust(8, "0")
        )
        size = chance.below(12)
        value = head + bytes([max(0, size + chance.pick([0, 0, 0, -1, 1, -2]))]) + chance.bytes(size)
        value = value[: chance.pick([len(value)] * 8 + [1, 2, 3, 4])]
        out.case("k6_script", [value], [script_passes(value)])
    for _ in range(60):
        value = pack(chance.digits(12))
        if chance.once_in(3):
            value = value[: chance.below(6)] + bytes([chance.pick([0xA0, 0x0A, 0xFF])]) + value[:5]
            value = value[:6]
        out.case("k6_balance", [value], [number_of(value)])
    for _ in range(400):
        size = 1 + chance.below(4)
        edge = 2**32 // 10 ** (2 * size) * 10 ** (2 * size)
        random = b"".join(
            min(2**32 - 1, chance.pick([edge, edge, edge - 1, 2**32 - 1, chance.below(2**32)])).to_bytes(4, "big")
            for _ in range(3)
        ) + bytes(4)
        reader = Reader({"terminal": {}, "protection": {}}, {"date": "2026-11-21", "random": random.hex()})
        number = reader.draw_numeric(size)
        out.case("k6_number", [random, size], [number, len(random) - len(reader.random)])
    for aid in (D_PAS, LEGACY, D_PAS + b"\1"):
        for first in range(256):
            ttq = bytes([first, 0, 0x40, 0])
            out.case("k6_configuration", [aid, 1, ttq, 0], [configuration_verdict(aid, ttq)])
        out.case("k6_configuration", [aid, 0, bytes(4), 0], [configuration_verdict(aid, bytes(4))])


def configuration_verdict(aid, ttq):
    """1.1, mode auto: 2 refused, 1 warning, 0 good. Table 4-16: TTQ 1.7 and 1.1 stay 0."""
    if bit(ttq, 1, 7) or bit(ttq, 1, 1):
        return 2
    if aid[:5] != LEGACY[:5] and not bit(ttq, 1, 6) and not bit(ttq, 1, 8):
        return 2
    return 1 if bit(ttq, 1, 4) and (bit(ttq, 1, 8) or bit(ttq, 1, 3)) else 0


def rules(seed):
    out = Lines()
    groups = [verification_cases, action_cases, usage_cases, date_cases, selection_cases, track_cases, other_cases]
    for number, group in enumerate(groups):
        group(Chance(seed + number), out)
    return out.lines


# ---------------------------------------------------------------------------------------------------------------
# The files, and the checks of this program
# ---------------------------------------------------------------------------------------------------------------

# Asked only where the profile changes something: there is no No.
ONE_SIDED = {
    "guarded 1.8: a TC without any expiry date",
    "guarded 4.18: no online PIN at an offline-only reader",
    "guarded 4.39: 5F25 judged without 9F08",
    "guarded A11: a TC with a failed CDA is declined",
    "strict: static tracks",
}


def taps_text(seed, count):
    return "".join(json.dumps(trace, separators=(",", ":")) + "\n" for trace in dialogues(seed, count))


def rules_text(seed):
    return "# Generated by Tests/Independent/generators/kernel_6.py --rules, seed %d\n" % seed + "".join(
        line + "\n" for line in rules(seed)
    )


def not_monotone(scene_count):
    """Random scenes in which a profile goes on where a more permissive one refuses (SECURITY.md, Profiles)."""
    found = []
    for seed in range(scene_count):
        chance = Chance(seed)
        one = random_scene(chance)
        ends = []
        for profile in (BOOK, GUARDED, STRICT):
            again = Chance(0)
            again.state = chance.state
            cards = [dict(card, set=dict(card["set"])) for card in one["cards"]]
            trace = shoot(again, "monotone", dict(one, cards=cards), profile)
            if trace:
                ends.append(trace["expect"]["outcome"] in ("approved", "onlineRequest"))
        if ends != sorted(ends, reverse=True):
            found.append("random scene %d: a stricter profile goes on where another refuses" % seed)
    return found


def check():
    return check_kernel(sys.modules[__name__], 6, 300)


if __name__ == "__main__":
    sys.exit(command(sys.modules[__name__]))
