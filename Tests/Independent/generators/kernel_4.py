#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of Kernel 4 (American Express): reader, virtual cards that sign, random dialogues.

It was written from Book C-4 v2.10, Book B v2.10, EMV 4.3 Book 2, EMV 4.4 Books 3 and 4 and the project's
checklist by clause with its settled readings, before the kernel existed, by someone who has not read the project's C
kernels. It is slow and plain on purpose. Clauses without a book are those of C-4, "B" is Book B, "note" a reading of
the checklist, "guarded" and "strict" mark what those profiles add. Where clauses and readings leave a result open, the
kernel raises Open, and the generator draws again: nothing is claimed that no clause says.

    kernel_4.py [SEED [COUNT]]   COUNT dialogues (emv-trace/1), one a line, on standard output
    kernel_4.py --rules [SEED]   decision tables alone: function | inputs | outputs, as rules.py writes them
    kernel_4.py --write DIR      both files of Scripts/independent
    kernel_4.py --coverage       how often each question of the checklist was answered No and Yes
    kernel_4.py --check          replays the examples of Tests/Independent and the dialogues"""

# Readings, where book and clause list leave a choice:
# - the unpredictable number of an activation is the next four bytes of random; mag-stripe mode draws no others
# - data is left out of Declined (13.3: optional). messages is left out where the card answered more than it was asked
#   (11.2.2.4) or CID 11b: whether 17 goes out there is not said. An ARQC at an offline-only reader has no 17
# - a mobile CVM without 9F71, or blocked, was performed and failed: when nothing else follows, 9F34 is code,
#   condition, 01 (note 16)
# - 7.2.3.1 without 5F28: the countries cannot be compared, nothing is set. 9F07 without 5F28: only the rows ATM and
#   not ATM
# - a set that an uncovered 9F70 names (guarded): the lower of set and default is taken limit by limit
# - guarded: method 01 where no verified chain covers the AIP is treated as in note 40, with TVR B3 b5, above the CVM
#   limit. An uncovered CVM List above the limit: a signature becomes online PIN where the reader has it; what it
#   leaves in 9F34 is left out
# - guarded: delayed authorisation and a TC without a verified CDA end as 11.2.4.3 does: contact, else Declined
# - strict: above the limit 9F71 is not believed and the next rule is taken, be the answer a TC or an ARQC (A32)
# - after Request Online PIN, Approved: cvm is left out unless it was online PIN before
# - a refused SELECT with no other candidate: the word of tap is left out
#
# Nothing is claimed, and no dialogue drawn, where these meet: an object of the FCI twice, an empty PDOL or 9F71; a
# wrong object in a record that is not the last; 5A, 5F24 or 8C missing in mag-stripe mode (before or after GET DATA);
# 9F45 or 9F4C in a list; 92 or 9F48 beside a key that needs none; biometric methods in a CVM List; conditions 02 and
# 05 with an Amount, Other and a type that is no cash-back; format 1 with CDA and CID 11b; a TC in mag-stripe mode
# after a failed SDA; CID 11b, or 9F26 missing with it, where a signature was asked; a signature, then 13, then
# Approved (03 or 1A). In guarded and strict: how mag-stripe mode ends where magStripeMode is off, or 9F70 denies it;
# no floor limit; a record twice in the AFL; a set and a default that hold different limits; no CVM List above the
# limit; an uncovered list that leads to a phone, to contact, or at a reader without online PIN; an AIP that is not
# covered below the limit; delayed authorisation in mag-stripe mode above the CVM limit; accounts or expiry dates that
# differ; refunds; in strict a failed SDA or no authentication above the limit that the book sends online (A04:
# contact or not is not said), and the second chance of a phone. Link faults in Entry Point, findings, and single
# rules beside the profile are not drawn; strict stands with offline set to dynamicOda.

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
    pack,
    parse,
    parse_dol,
    recover,
    resized,
    sha1,
    unhex,
    with_bit,
)

DEFAULT_SEED = 20261123
DEFAULT_COUNT = 800
TAPS, RULES = "kernel_4.taps", "kernel_4_rules.txt"

AAC, TC, ARQC, RFU = range(4)
BOOK, GUARDED, STRICT = range(3)
PROFILES = ["book", "guarded", "strict"]
RID, AID, NAME = "A000000025", "A00000002501", bytes.fromhex("A000000025010402")
PPSE = b"2PAY.SYS.DDF01"


# ---------------------------------------------------------------------------------------------------------------
# Keys and certificates of these cards
# ---------------------------------------------------------------------------------------------------------------

# Chain "n": issuer key whole in its certificate, card key with a remainder. Chain "r": the other way round. Chain "f":
# both keys just fit.
KEY_SIZES = {
    "n-ca": (1152, 3),
    "n-issuer": (672, 3),
    "n-card": (528, 3),
    "r-ca": (1152, 65537),
    "r-issuer": (960, 3),
    "r-card": (592, 65537),
    "f-ca": (1152, 3),
    "f-issuer": (864, 65537),
    "f-card": (528, 3),
}
CA_INDEX = {"n": "E4", "r": "E5", "f": "E6"}
KEYS = {}


def keys(name):
    if name not in KEYS:
        bits, exponent = KEY_SIZES[name]
        KEYS[name] = Key(sorted(KEY_SIZES).index(name) * 7919 + 4, bits, exponent)
    return KEYS[name]


def ca_entry(chain, expires="2035-12-31"):
    """A row of `caKeys`. The check value is that of Book 2, annex B: SHA-1 over RID, index, modulus, exponent."""
    key, index = keys(chain + "-ca"), CA_INDEX[chain]
    return {
        "rid": RID,
        "index": index,
        "exponent": hexed(key.exponent),
        "modulus": hexed(key.modulus),
        "sha1": hexed(sha1(unhex(RID), unhex(index), key.modulus, key.exponent)),
        "expires": expires,
    }


# ---------------------------------------------------------------------------------------------------------------
# Outcomes (section 3 of the checklist)
# ---------------------------------------------------------------------------------------------------------------


class Outcome(Exception):
    """The kernel's or Entry Point's last word. Raised, since every step may end the transaction."""

    def __init__(self, outcome, message=None, **more):
        super().__init__(outcome)
        self.outcome, self.message = outcome, message
        self.cvm, self.start, self.restart_message, self.alternate = "notApplicable", "none", None, "none"
        self.hold, self.field_off, self.data, self.discretionary = 0, None, None, {}
        self.open = set()  # parameters that no clause fixes here
        self.by_limit = self.no_network = self.entry = False
        for name, value in more.items():
            setattr(self, name, value)


def ends(**more):
    return Outcome("endApplication", "1C", **more)


def contact():
    """Table 11-1."""
    return Outcome("tryAnotherInterface", "1D", alternate="contact")


def see_phone(field_off):
    """Tables 8-2 and 11-3: 20 on outcome, 21 on restart."""
    return Outcome("tryAgain", "20", start="B", restart_message="21", hold=1000, field_off=field_off)


def card_left():
    """2.2.1; notes 1 and 3."""
    return Outcome("tryAgain", "21", start="B", restart_message="21")


# ---------------------------------------------------------------------------------------------------------------
# Decisions, each as a function of what it is told
# ---------------------------------------------------------------------------------------------------------------


class Facts:
    """What decisions ask for."""

    def __init__(self, **facts):
        self.profile, self.tvr, self.restarted, self.mobile_trusted = BOOK, bytes(5), False, True
        for name, value in facts.items():
            setattr(self, name, value)


def offline_only(terminal_type):
    return terminal_type & 15 in (3, 6)


def online_only(terminal_type):
    return terminal_type & 15 in (1, 4)


def is_delayed(capabilities):
    return bit(capabilities, 4, 7)


def activated(simple, enhanced, exceeded, terminal_type, online):
    """4.3.1: (9F6D, 9F6E) of this activation."""
    ask("4.3.1.1 9F6D or 9F6E B3 was not zero in the configuration", bit(simple, 1, 4) or enhanced[2])
    simple, enhanced = with_bit(simple, 1, 4, False), enhanced[:2] + b"\0" + enhanced[3:]
    if ask("4.3.1.2 CVM limit exceeded", exceeded):
        simple, enhanced = with_bit(simple, 1, 4), with_bit(enhanced, 3, 7)
    offline = ask("4.3.1.3 offline-only reader", offline_only(terminal_type))
    if offline or ask("4.3.1.3 cannot go online now", not online):
        enhanced = with_bit(enhanced, 3, 8)
    return simple, enhanced


def modified_type(terminal_type, simple, asked):
    """4.3.3 to 4.3.5: 9F35 as the PDOL gets it; `asked` are the tags of the PDOL."""
    if ask("4.3.3.1 9F35 asked without 9F6E", "9F35" in asked and "9F6E" not in asked):
        return bytes([terminal_type[0] | simple[0]])
    ask("4.3.5.1 9F35 and 9F6E asked", "9F35" in asked and "9F6E" in asked)
    ask("4.3.4.1 9F6E alone asked", "9F6E" in asked and "9F35" not in asked)
    return terminal_type


def operating_mode(aip, enhanced):
    """2.1.1, 4.3.7: EMV mode or not, or an outcome raised."""
    if ask("2.1.1 AIP B2 b8 EMV mode", bit(aip, 2, 8)):
        return True
    if ask("2.1.1.2 the reader does mag-stripe mode", bit(enhanced, 1, 7)):
        return False
    inserts = ask("2.1.1.3 9F6E B1 b8 contact", bit(enhanced, 1, 8))
    hosted = ask("2.1.1.3 AIP B2 b7 or b6", bit(aip, 2, 7) or bit(aip, 2, 6))
    raise contact() if inserts and not hosted else ends()


def locator_wrong(afl):
    """Book 3, 7.5."""
    if ask("7.5 AFL empty or no multiple of 4", len(afl) == 0 or len(afl) % 4):
        return True
    for at in range(0, len(afl), 4):
        sfi, first, last, signed = afl[at] >> 3, afl[at + 1], afl[at + 2], afl[at + 3]
        for why, wrong in (
            ("SFI 0 or 31", sfi in (0, 31)),
            ("first record 0", first == 0),
            ("last below first", last < first),
            ("byte 4 too large", signed > last - first + 1),
        ):
            if ask("7.5 AFL: " + why, wrong):
                return True
    return False


def method_of(aip, terminal_capabilities):
    """6.2: "CDA", "SDA" or None."""
    if ask("6.2 CDA in common", bit(aip, 1, 1) and bit(terminal_capabilities, 3, 4)):
        ask("6.2.3.1 SDA too, but CDA first", bit(aip, 1, 7) and bit(terminal_capabilities, 3, 8))
        return "CDA"
    return "SDA" if ask("6.2 SDA in common", bit(aip, 1, 7) and bit(terminal_capabilities, 3, 8)) else None


def chosen_limits(dynamic, card_capabilities, covered, profile):
    """7.2.1.1 to .3: the set of limits that overrides the AID's, or None."""
    if not ask("7.2.1.3 dynamic limits configured", dynamic and "default" in dynamic):
        return None
    default = dynamic["default"]
    if ask("7.2.1.2 9F70 is absent", card_capabilities is None):
        return default
    number = card_capabilities[1] & 15
    found = dynamic.get("sets", {}).get(str(number))
    if not ask("7.2.1.1 the reader has the card's set", found is not None):
        return default
    if profile >= GUARDED and not ask("guarded: 9F70 from a covered record", covered):
        if set(found) != set(default):
            raise Open("guarded: the lower of set and default, where one of them has no such limit")
        return {name: min(value, default[name]) for name, value in found.items()}
    return found


def apply_limits(limits, amount, indicators):
    """7.2.1.4 to .6 on (not allowed, floor exceeded, CVM exceeded). A limit that is not there changes nothing."""
    refused, floor, cvm = indicators
    if limits is not None:
        if ask("7.2.1.4 the set has a transaction limit", "transaction" in limits):
            refused |= ask("7.2.1.4 amount at the transaction limit", amount >= limits["transaction"])
        if ask("7.2.1.5 the set has a floor limit", "floor" in limits):
            floor = ask("7.2.1.5 amount above the floor limit", amount > limits["floor"])
        if ask("7.2.1.6 the set has a CVM limit", "cvmRequired" in limits):
            cvm = ask("7.2.1.6 amount at the CVM limit", amount >= limits["cvmRequired"])
    return refused, floor, cvm


def usage_allowed(auc, country, terminal_country, kind, other, terminal_type, additional):
    """Book 3, 10.4.2 and Table 36; `country` is None where 5F28 is absent."""
    atm = ask("10.4.2 at an ATM", terminal_type in (0x14, 0x15, 0x16) and bit(additional, 1, 8))
    allowed = ask("10.4.2 valid in this environment", bit(auc, 1, 2 if atm else 1))
    if ask("10.4.2 5F28 is absent: no country rows", country is None):
        return allowed
    domestic = ask("Table 36 domestic", country == terminal_country)
    if kind == 0x01:
        allowed &= ask("Table 36 cash is allowed", bit(auc, 1, 8 if domestic else 7))
    if kind in (0x00, 0x09):
        goods = bit(auc, 1, 6 if domestic else 5) or bit(auc, 1, 4 if domestic else 3)
        allowed &= ask("Table 36 goods or services are allowed", goods)
    if other > 0:
        allowed &= ask("Table 36 cashback is allowed", bit(auc, 2, 8 if domestic else 7))
    return allowed


def delayed_allowed(card_capabilities, country, terminal_country, enhanced):
    """7.2.3.1. Without 5F28 the countries cannot be compared."""
    if not ask("7.2.3.1 delayed authorisation terminal", is_delayed(enhanced)) or card_capabilities is None:
        return True
    if not ask("7.2.3.1 9F70 B2 b8 usage information", bit(card_capabilities, 2, 8)) or country is None:
        return True
    if ask("7.2.3.1 domestic", country == terminal_country):
        return ask("7.2.3.1.1 9F70 B2 b7", bit(card_capabilities, 2, 7))
    return ask("7.2.3.1.2 9F70 B2 b6", bit(card_capabilities, 2, 6))


# Cardholder verification (8)

MOBILE, ONLINE_PIN, SIGNATURE, NO_CVM = 0x01, 0x02, 0x1E, 0x1F
WORDS = {MOBILE: "cdcvm", ONLINE_PIN: "onlinePIN", SIGNATURE: "signature", NO_CVM: "none"}


def has_online_pin(facts):
    """Note 41."""
    if not ask("8.2.2.2 9F6E B2 b7 online PIN", bit(facts.enhanced, 2, 7)):
        return False
    unable = offline_only(facts.terminal_type) or is_delayed(facts.enhanced)
    return not ask("note 41: no host for an online PIN", unable)


def supports(facts, method):
    """The reader's methods in the walk: No CVM is never one of them (8.2.2.2.1)."""
    if method == 0x00:
        return True
    if method == ONLINE_PIN:
        return has_online_pin(facts)
    if method == SIGNATURE:
        return ask("8.2.2.2 9F6E B2 b6 signature", bit(facts.enhanced, 2, 6))
    if method == MOBILE:
        if not ask("8.2.3.3 9F6E B2 b8 mobile CVM", bit(facts.enhanced, 2, 8)):
            return False
        if not ask("note 40: AIP B2 b7 mobile", bit(facts.aip, 2, 7)):
            return False
        if facts.profile >= GUARDED and not ask("guarded: the AIP is covered", facts.mobile_trusted):
            if not facts.exceeded:
                raise Open("guarded: must the AIP be covered below the CVM limit too?")
            return False
        return True
    return False


def condition_holds(facts, condition, supported):
    """Table 44 of Book 3."""
    cash, cashback = facts.kind == 0x01, facts.kind == 0x09 or facts.other > 0
    unattended = facts.terminal_type & 15 in (4, 5, 6)
    if condition == 0:
        return True
    if condition == 1:
        return ask("Table 44 unattended cash", cash and unattended)
    if condition == 2:
        if cashback and facts.kind not in (0x01, 0x09):
            raise Open("condition 02 or 05 with an Amount, Other and a type that is no cash-back")
        return ask("Table 44 neither cash nor cash-back", not cash and facts.kind != 0x09)
    if condition == 3:
        return ask("Table 44 the reader has the method", supported())
    if condition == 4:
        return ask("Table 44 manual cash", cash and not unattended)
    if condition == 5:
        if cashback and facts.kind != 0x09:
            raise Open("condition 02 or 05 with an Amount, Other and a type that is no cash-back")
        return ask("Table 44 purchase with cash-back", facts.kind == 0x09)
    if 6 <= condition <= 9:
        if ask("Table 44 9F42 is absent", facts.card_currency is None):
            return False
        if not ask("Table 44 in the card's currency", facts.card_currency == facts.currency):
            return False
        x, y = int.from_bytes(facts.list[:4], "big"), int.from_bytes(facts.list[4:8], "big")
        limit = x if condition < 8 else y
        if condition in (6, 8):
            return ask("Table 44 amount under X or Y", facts.amount < limit)
        return ask("Table 44 amount over X or Y", facts.amount > limit)
    ask("10.5 unknown condition", True)
    return False


def rules_of(facts):
    """The rules of a CVM List that is looked at; [] where there are none (Book 3, 10.5)."""
    if ask("10.5 no CVM List", facts.list is None):
        return []
    size = len(facts.list)
    if ask("10.5 CVM List cut", size < 8 and size or size % 2):
        raise ends()
    ask("10.5 CVM List without rules", size <= 8)
    return [(facts.list[at], facts.list[at + 1]) for at in range(8, size, 2)]


def unable_to_verify(facts, results):
    """8.2.5; notes 15 and 16."""
    facts.tvr = with_bit(facts.tvr, 3, 8)
    if ask("8.2.5 EMV mode", facts.emv) and ask("8.2.5 contact possible", facts.can_insert):
        raise contact()
    return "none", results


def mobile_verdict(facts):
    """8.2.4: "good", "again" or "failed"."""
    results = facts.results
    if ask("8.2.4.1.1 9F71 is absent", results is None):
        return "failed"
    if ask("8.2.4.1.2 9F71 B3 blocked", results[2] == 3):
        return "failed"
    performed = ask("8.2.4 9F71 B1 performed", results[0] == 1)
    ask("8.2.4.1.3 9F71 B1 not performed (3F)", results[0] == 0x3F)
    if performed and ask("8.2.4.1.5 9F71 B3 successful", results[2] == 2):
        return "good"
    return "failed" if ask("8.2.4.1 restarted before", facts.restarted) else "again"


def walk(facts, rules, believes_phone=True):
    """8.2.3.1 with Book 3, 10.5; note 14: bit 7 of a rule is not asked. Returns (word, CVM Results)."""
    failed = None
    for code, condition in rules:
        method = code & 0x3F
        own = supports(facts, method) if condition != 3 else None

        def supported():
            return supports(facts, method)

        if not ask("8.2.3.1 the condition holds", condition_holds(facts, condition, supported)):
            continue
        if condition == 3:
            own = True
        if ask("10.5 Fail CVM", method == 0x00):
            return unable_to_verify(facts, bytes([code, condition, 1]))
        if not ask("8.2.3.1 the method is the reader's", own):
            if ask("note 39: 01 to 05", method <= 0x05):
                facts.tvr = with_bit(facts.tvr, 3, 5)
            elif ask("10.5 unknown method", method not in (SIGNATURE, NO_CVM)):
                if 0x06 <= method <= 0x0F:
                    raise Open("biometric methods: are they recognised?")
                facts.tvr = with_bit(facts.tvr, 3, 7)
            ask("note 14: bit 7 of a rule that is not the reader's", code & 0x40)
            continue
        if ask("8.2.3.2 online PIN", method == ONLINE_PIN):
            facts.tvr = with_bit(facts.tvr, 3, 3)
            return "onlinePIN", bytes([code, condition, 0])
        if ask("8.2.3 signature", method == SIGNATURE):
            return "signature", bytes([code, condition, 0])
        verdict = mobile_verdict(facts)
        if not believes_phone and verdict == "good":
            verdict = "failed"
        if verdict == "good":
            return "cdcvm", bytes([code, condition, 2])
        if verdict == "again":
            raise see_phone(None)
        ask("note 14: bit 7 after a mobile CVM that failed", code & 0x40)
        failed = bytes([code, condition, 1])
    ask("note 16: a method was performed and failed", failed is not None)
    return unable_to_verify(facts, failed or b"\x3f\x00\x01")


def verification_by_book(facts):
    """8.2.1: (word, CVM Results); facts.tvr changes; an outcome may be raised."""
    verifies = bit(facts.aip, 1, 5)
    if ask("8.2.1 CVM limit exceeded", facts.exceeded):
        if ask("8.2.1.2 AIP B1 b5 = 0 above the limit", not verifies):
            return unable_to_verify(facts, b"\x3f\x00\x01")
        rules = rules_of(facts)
        if ask("8.2.2.1.1 no rules above the limit", not rules):
            facts.tvr = with_bit(facts.tvr, 1, 6)
            return "none", b"\x3f\x00\x00"
        return walk(facts, rules)
    if ask("8.2.6 mobile below the limit", bit(facts.aip, 2, 7)) and facts.results is not None:
        tried = ask("8.2.6.1.1 9F71 = 01 xx 01", facts.results[0] == 1 and facts.results[2] == 1)
        if tried and not ask("8.2.6.1.2 restarted before", facts.restarted):
            raise see_phone(None)
    if ask("8.2.6.2.4 AIP B1 b5 = 0 below the limit", not verifies):
        return "none", b"\x3f\x00\x00"
    rules = rules_of(facts)
    if ask("8.2.6.2.1 no rules below the limit", not rules):
        facts.tvr = with_bit(facts.tvr, 1, 6)
        return "none", b"\x3f\x00\x00"
    for code, condition in rules:
        if code & 0x3F == NO_CVM:
            can = facts.no_cvm
            if ask("8.2.6.2.2 a No CVM rule holds", condition_holds(facts, condition, lambda: can)):
                return "none", bytes([code, condition, 2])
    return walk(facts, rules)


def verification(facts):
    """Chapter 8 with what the profiles add above the CVM limit (section 6 of the checklist, A04, A32)."""
    if facts.profile == BOOK or not facts.exceeded or not bit(facts.aip, 1, 5):
        return verification_by_book(facts)
    if facts.list is None:
        raise Open("guarded: no CVM List above the limit, where one could have been removed")
    before = facts.tvr
    if not ask("guarded: the CVM List is covered", facts.list_covered):
        try:
            word, results = verification_by_book(facts)
        except Outcome as outcome:
            if outcome.outcome == "endApplication":
                raise  # the list does not parse
            raise Open("guarded: an uncovered list that leads to a phone or to the contact interface")
        if word == "onlinePIN":
            return word, results
        if word == "signature" and has_online_pin(facts) and facts.tvr == before:
            ask("guarded A04: online PIN instead of the list's signature", True)
            facts.tvr = with_bit(facts.tvr, 3, 3)
            facts.results_open = True
            return "onlinePIN", results
        raise Open("guarded: strongest method of a reader without online PIN, or after other rules")
    try:
        word, results = verification_by_book(facts)
    except Outcome as outcome:
        if facts.profile == STRICT and outcome.outcome == "tryAgain":
            raise Open("strict: does a phone that cannot be believed get its second chance?")
        raise
    if facts.profile == STRICT and word == "cdcvm":
        facts.tvr = before
        word, results = walk(facts, rules_of(facts), believes_phone=False)
        if word != "onlinePIN":
            raise Open("strict: a phone not believed at a reader whose next method is no online PIN")
        ask("strict: the next rule instead of the phone's claim", True)
    return word, results


# Terminal and card action analysis (10, 11)


def first_action(facts):
    """10.2.1 and 10.2.2: AAC, TC or ARQC. Codes are (denial, online, default) of terminal and issuer."""

    def matches(place):
        issuer = facts.issuer_codes[place]
        if issuer is None:
            issuer = bytes(5) if place == 0 else b"\xff" * 5
        return any(t & (a | b) for t, a, b in zip(facts.tvr, facts.terminal_codes[place], issuer))

    for place, name in enumerate(("9F0E", "9F0F", "9F0D")):
        ask("10.7 %s is absent" % name, facts.issuer_codes[place] is None)
    requested = TC
    if ask("10.2.1 denial codes match", matches(0)):
        requested = AAC
    elif ask("10.2.1.4 delayed terminal", is_delayed(facts.enhanced)):
        if ask("10.2.1.4.2 online codes match", matches(1)):
            requested = ARQC
    elif ask("10.2.1.2 online only", online_only(facts.terminal_type)):
        requested = AAC if ask("10.2.1.2.2 cannot go online", not facts.online) else ARQC
    elif not ask("10.2.1.1 offline only", offline_only(facts.terminal_type)):
        if ask("10.2.1.3.2 online codes match", matches(1)):
            requested = ARQC
            if ask("10.2.1.3.3 cannot go online", not facts.online):
                requested = AAC if ask("10.2.1.3.3 default codes match", matches(2)) else TC
    special = ask("10.2.2.1 zero amount", facts.zero) or ask("10.2.2.3 status check", facts.status)
    if special and ask("10.2.2 and no AAC", requested != AAC):
        requested = ARQC
    return requested


def switch(facts):
    return "tryAnotherInterface" if ask("11.2 contact possible", facts.can_insert) else "declined"


def card_action(facts):
    """11.2 for a well-formed answer, after the ATC of mag-stripe mode was compared."""
    requested, answered = facts.requested, facts.answered
    if ask("11.2.2.4 AAC asked, another answered", requested == AAC and answered != AAC):
        return "declined"
    if ask("11.2.2.4 ARQC asked, TC answered", requested == ARQC and answered == TC):
        return "declined"
    if ask("note 38: CID 11b", answered == RFU):
        return "declined"
    if ask("11.2.5 AAC", answered == AAC):
        if ask("2.2.4.2 AAC at a delayed terminal", is_delayed(facts.enhanced)):
            return "declined"
        return switch(facts)
    if ask("11.2.4.3, 11.2.6.1 CDA failed", facts.method == "CDA" and not facts.good):
        return switch(facts)
    if not facts.emv and ask("12.2.1.2.1 mag-stripe mode and no ARQC", answered != ARQC):
        if facts.method == "SDA" and not facts.good:
            raise Open("a TC in mag-stripe mode with SDA failed: 11.2.4.3 or 12.2.1.2.1")
        return "declined"
    good = facts.method is not None and facts.good
    if facts.profile >= GUARDED:
        dynamic = good and facts.method == "CDA"
        local = answered == TC or is_delayed(facts.enhanced)
        if local and ask("guarded: approval without a verified CDA", not dynamic):
            return switch(facts)
        good = dynamic
        if local and not facts.emv and facts.exceeded:
            raise Open("guarded: delayed authorisation in mag-stripe mode above the CVM limit")
    if ask("11.2.4 TC", answered == TC):
        needed = facts.method is not None or offline_only(facts.terminal_type) or is_delayed(facts.enhanced)
        if not ask("11.2.4.1 ODA required", needed):
            return "approved"
        return "approved" if ask("11.2.4.2 ODA good", good) else switch(facts)
    if ask("11.2.6.3 ARQC at a delayed terminal", is_delayed(facts.enhanced)):
        return "approved" if ask("11.2.6.3.1 ODA good", good) else switch(facts)
    if ask("11.2.6.1.1 ARQC at an offline-only reader", offline_only(facts.terminal_type)):
        if ask("note 37: mag-stripe mode", not facts.emv):
            return "declined"
        return switch(facts)
    if facts.profile == STRICT:
        if facts.method == "SDA" and not facts.good:
            raise Open("strict A04: a failed ODA declines, where the book goes online; contact or not is not said")
        if facts.method is None and facts.exceeded:
            raise Open("strict A04: no ODA above the CVM limit declines; contact or not is not said")
    if ask("11.2.6.2.2 cannot go online", not facts.online):
        return switch(facts)
    return "onlineRequest"


def issuer_action(code, pin_was_asked, enhanced, cvm_list, can_insert):
    """12.2.2, Table 12-5. `code` is 8A, b"" where it is absent, or None where the issuer could not be reached."""
    if ask("12.2.2 the issuer could not be reached", code is None):
        if pin_was_asked:
            return "declined"
        return "tryAnotherInterface" if ask("12.2.2 contact possible (no line)", can_insert) else "declined"
    if ask("12.2.2.1 ARC 00 08 10 11", code in (b"00", b"08", b"10", b"11")):
        return "approved"
    if ask("note 30: any other ARC after Request Online PIN", pin_was_asked):
        return "declined"
    if ask("12.2.2.2 ARC 13", code == b"13"):
        rule = any(cvm_list[at] & 0x3F == ONLINE_PIN for at in range(8, len(cvm_list or b"") - 1, 2))
        pin = ask("12.2.2.2 9F6E B2 b7", bit(enhanced, 2, 7))
        if pin and ask("12.2.2.2 the CVM List has a rule 02", rule):
            return "requestOnlinePIN"
        return "tryAnotherInterface" if ask("12.2.2.2 contact possible", can_insert) else "declined"
    if ask("12.2.2.1 ARC 12", code == b"12"):
        return "tryAnotherInterface" if ask("12.2.2.1 contact possible", can_insert) else "declined"
    return "declined"


# Mag-stripe mode (10.2.3, 12.2.1)


def months_number(drawn, span, effective):
    """10.2.3.1: 0000YYMM. The century wraps."""
    year, month = number_of(effective[:1]), number_of(effective[1:2])
    months = (year * 12 + month - 1 - int.from_bytes(drawn, "big") % (span + 1)) % 1200
    return b"\0\0" + bcd(months // 12, 1) + bcd(months % 12 + 1, 1)


def track_parts(pan, track):
    """Note 28: (fifteen digits of 5A, service code of 57), or None."""
    halves = nibbles(pan)
    account = halves[:15]
    if len(account) < 15 or max(account) > 9 or any(half != 15 for half in halves[15:]):
        return None
    halves = nibbles(track)
    if len(halves) < 23 or halves[15] != 13 or max(halves[:15] + halves[16:23]) > 9:
        return None
    return account, halves[20:23]


def text(digits):
    return bytes(48 + digit for digit in digits)


def tracks(pan, name, expiry, track, number, cryptogram, counter):
    """Tables 12-2 and 12-3 (track 1, track 2), or None by note 28."""
    parts = track_parts(pan, track)
    if parts is None:
        return None
    account, service = text(parts[0]), text(parts[1])
    ask("note 42: a character of the name becomes a space", any(not 32 <= b < 127 or b in b"%^?;" for b in name))
    name = bytes(b if 32 <= b < 127 and b not in b"%^?;" else 32 for b in name)
    ask("12.2.1.3 name longer than 21", len(name) > 21)
    ask("12.2.1.3 name shorter than 21", len(name) < 21)
    crypt = b"%05d" % (int.from_bytes(cryptogram[5:], "big") % 100000)
    ask("12.2.1.3 cryptogram below five digits", int.from_bytes(cryptogram[5:], "big") < 10000)
    dates, months = text(nibbles(expiry)[:4]), text(nibbles(number)[4:])
    count = b"%05d" % int.from_bytes(counter, "big")
    one = b"%B" + account + b"^" + name[:21].ljust(21) + count + b"^" + dates + service + months + crypt + b"?"
    two = b";" + account + b"=" + dates + service + months + crypt + count + b"?"
    assert len(one) == 62 and len(two) == 39
    return one, two


def answer_objects(data, cda):
    """11.2.1: the objects of a GENERATE AC answer and the bytes that CDA hashes, or None for a wrong format."""
    top = parse(data)
    if ask("11.2.1 not exactly one template 77 or 80", top is None or len(top) != 1 or top[0][0] not in ("77", "80")):
        return None
    if ask("11.2.1 format 1", top[0][0] == "80"):
        value = top[0][1]
        if ask("11.2.1 format 1 of another length", not 11 <= len(value) <= 43):
            return None
        if cda and value[0] >> 6 == RFU:
            raise Open("format 1 with CDA and CID 11b: a wrong format or Declined")
        if cda and ask("11.2.1 format 1 with CDA, no AAC", value[0] >> 6 != AAC):
            return None
        found = {"9F27": value[:1], "9F36": value[1:3], "9F26": value[3:11], "9F10": value[11:]}
        return {tag: data for tag, data in found.items() if data}, b""
    objects = parse(top[0][1])
    if ask("11.2.1 the 77 does not parse", objects is None):
        return None
    found = {}
    for tag, value, _ in objects:
        if ask("11.2.1 an object that does not count", tag not in ("9F27", "9F36", "9F26", "9F10", "9F4B")):
            continue
        if ask("11.2.1 an object twice", tag in found):
            return None
        found[tag] = value
    for tag, right in (("9F27", [1]), ("9F36", [2]), ("9F26", [8]), ("9F10", range(33))):
        if tag in found and ask("11.2.1 %s of another length" % tag, len(found[tag]) not in right):
            return None
    for tag in ("9F27", "9F36"):
        if ask("11.2.1 %s is missing" % tag, tag not in found):
            return None
    signed = cda and found["9F27"][0] >> 6 in (TC, ARQC)
    if not signed and ask("11.2.1 9F26 is missing", "9F26" not in found):
        if cda and found["9F27"][0] >> 6 == RFU:
            raise Open("CID 11b with CDA and without 9F26: a wrong format or Declined")
        return None
    return found, b"".join(whole for tag, _, whole in objects if tag != "9F4B")


# ---------------------------------------------------------------------------------------------------------------
# The kernel
# ---------------------------------------------------------------------------------------------------------------

# Record objects that count, each of them once (1.4, note 35; Table 14-1).
RECORD_OBJECTS = set(
    "5A 57 5F20 5F24 5F25 5F28 5F34 8C 8E 8F 90 92 93 9F07 9F08 9F0D 9F0E 9F0F 9F19 9F24 9F25 9F32 9F42 9F46 9F47 9F48"
    " 9F4A 9F5A 9F5B 9F67 9F70".split()
)
LENGTHS = {
    "5F24": [3],
    "5F25": [3],
    "9F07": [2],
    "9F08": [2],
    "9F42": [2],
    "9F70": [2],
    "5F28": [2],
    "9F0D": [5],
    "9F0E": [5],
    "9F0F": [5],
    "5F34": [1],
    "5A": range(1, 11),
    "57": range(1, 20),
}
# What a list of the card may ask for (A23): of the terminal and of this transaction, nothing of a card.
FOR_LISTS = set(
    "9F02 9F03 9F1A 95 5F2A 9A 9C 9F37 9F35 9F34 9F33 9F40 9F21 9F41 9F15 9F1E 9F4E 9F09 9F6D 9F6E 9F06".split()
)
DATA_RECORD = "9F02 9F03 9F26 82 5F34 9F36 9F27 9F10 9F1A 95 57 5F2A 9A 9C 9F37".split()  # Table 14-6


class Kernel:
    """One activation. `link` sends a command and returns the answer, or raises Fault."""

    def __init__(self, reader, combination, indicators, link):
        self.reader, self.combination, self.link = reader, combination, link
        self.options, self.profile = combination.get("kernel4", {}), reader.profile
        self.floor, self.exceeded, self.zero, self.status = indicators
        self.terminal = reader.objects(combination)
        self.type = self.terminal["9F35"][0]
        self.online = self.options.get("onlineAvailable", True)
        self.tvr, self.results, self.card, self.covered = bytes(5), None, {}, set()
        self.method, self.good, self.verified = None, None, False
        self.pdol_values = b""
        self.word = "none"

    def bad(self, step, wrong):
        if ask(step, wrong):
            raise ends()

    def send(self, command):
        try:
            answer = self.link(command)
        except Fault:
            ask("2.2.1 link fault", True)
            raise card_left()
        ask("2.2.1 link fault", False)
        return answer[:-2], answer[-2:]

    def run(self, fci):
        simple, enhanced = self.terminal["9F6D"], self.terminal["9F6E"]
        self.simple, self.enhanced = activated(simple, enhanced, self.exceeded, self.type, self.online)
        self.terminal.update({"9F6D": self.simple, "9F6E": self.enhanced})  # note 8: as sent in GPO
        self.number = self.drawn = self.reader.draw(4)
        self.read_fci(fci)
        self.initiate()
        self.read_records()
        if not self.emv:
            self.get_counter()
        self.authenticate()
        self.limit()
        if not self.emv:
            self.check_stripe_data()
        self.restrict()
        self.verify_cardholder()
        if ask("9.2.1.1 floor limit exceeded", self.floor):
            self.tvr = with_bit(self.tvr, 4, 8)
        if self.reader.exceptions and ask("9.2.4.1 on the exception file", self.reader.is_listed(self.card)):
            self.tvr = with_bit(self.tvr, 1, 5)
        self.generate()

    def can_insert(self):
        paper = self.card.get("9F70")
        return bit(self.enhanced, 1, 8) and (paper is None or bit(paper, 1, 6))

    # 4.3.2
    def read_fci(self, fci):
        top = parse(fci)
        whole = top is not None and len(top) == 1 and top[0][0] == "6F"
        fields = parse(top[0][1]) if whole else None
        self.bad("note 33 the FCI does not parse", fields is None)
        self.bad("note 33 84 is missing", not any(tag == "84" and value for tag, value, _ in fields))
        inner = parse(next((value for tag, value, _ in fields if tag == "A5"), b""))
        self.bad("note 33 A5 does not parse", inner is None)
        for tag in ("84", "A5", "9F38"):
            if sum(found == tag for found, _, _ in fields + inner) > 1:
                raise Open("an object of the FCI twice")
        self.pdol = next((value for tag, value, _ in inner if tag == "9F38"), None)
        if self.pdol == b"":
            raise Open("an empty PDOL")

    def values_for(self, dol, changed):
        """Book 3, 5.4."""
        known = {tag: value for tag, value in self.terminal.items() if tag in FOR_LISTS}
        known.update({"9F37": self.number, "95": self.tvr})
        if self.results is not None:
            known["9F34"] = self.results
        known.update(changed)
        made = b""
        for tag, size in dol:
            if tag in ("9F45", "9F4C"):
                raise Open("does a list get what authentication recovered from the card?")
            ask("5.4 a list asks for what it does not get", tag not in known)
            if tag in known:
                ask("5.4 a list asks with another length", size != len(known[tag]))
            made += fitted(tag, known.get(tag), size)
        return made

    # 4.3.2 to 4.3.8
    def initiate(self):
        data = b"\x83\x00"
        if not ask("4.3.2.1 no PDOL", self.pdol is None):
            entries = parse_dol(self.pdol)
            self.bad("7.5 the PDOL is cut", entries is None)
            asked = {tag for tag, _ in entries}
            self.bad("7.5 the PDOL asks for more than 252 bytes", sum(size for _, size in entries) > 252)
            changed = {"9F35": modified_type(self.terminal["9F35"], self.simple, asked)}
            self.pdol_values = self.values_for(entries, changed)
            data = obj("83", self.pdol_values)
        answer, status = self.send(b"\x80\xa8\x00\x00" + bytes([len(data)]) + data + b"\x00")
        self.bad("note 4 SW of GPO is not 9000", status != b"\x90\x00")
        top = parse(answer)
        self.bad("4.3.6.1 not one template 77 or 80", top is None or len(top) != 1 or top[0][0] not in ("77", "80"))
        found = {}
        if ask("4.3.6.1 format 1", top[0][0] == "80"):
            self.bad("4.3.6.1 format 1 below 6 bytes", len(top[0][1]) < 6)
            found = {"82": top[0][1][:2], "94": top[0][1][2:]}
        else:
            objects = parse(top[0][1])
            self.bad("7.5 the 77 does not parse", objects is None)
            for tag, value, _ in objects:
                if ask("note 35: an object of the 77 that does not count", tag not in ("82", "94", "9F71")):
                    continue
                self.bad("7.5 82, 94 or 9F71 twice", tag in found)
                found[tag] = value
            self.bad("4.3.6.1 82 or 94 is missing", not found.get("82") or not found.get("94"))
            self.bad("7.5 82 not of 2 bytes", len(found["82"]) != 2)
            if "9F71" in found:
                if not found["9F71"]:
                    raise Open("an empty 9F71")
                self.bad("7.5 9F71 not of 3 bytes", len(found["9F71"]) != 3)
        self.aip, self.afl, self.phone = found["82"], found["94"], found.get("9F71")
        stripe = not bit(self.aip, 2, 8)
        self.emv = operating_mode(self.aip, self.enhanced)
        if stripe:
            self.stripe_allowed()
        self.bad("note 5: EMV mode without a PDOL", self.emv and self.pdol is None)
        self.bad("7.5 AFL", locator_wrong(self.afl))
        mobile = ask("4.3.8 AIP B2 b7 mobile", bit(self.aip, 2, 7))
        if mobile and self.phone is not None and ask("4.3.8.1 9F71 B3 blocked", self.phone[2] == 3):
            self.tvr = with_bit(self.tvr, 3, 6)

    def stripe_allowed(self):
        key = self.combination.get("protection", {}) if self.profile == STRICT else self.reader.protection
        if self.profile != BOOK and key.get("magStripeMode") != "configured":
            raise Open("magStripeMode off: how the mode ends is not said")

    # 5
    def read_records(self):
        wanted = []
        for at in range(0, len(self.afl), 4):
            sfi, first, last, signed = self.afl[at] >> 3, self.afl[at + 1], self.afl[at + 2], self.afl[at + 3]
            wanted += [(sfi, record, record - first < signed) for record in range(first, last + 1)]
        if len(wanted) > 64 or self.profile >= GUARDED and len({entry[:2] for entry in wanted}) != len(wanted):
            raise Open("more records than a reader takes, or one listed twice")
        self.static, self.static_broken, self.signed = b"", False, set()
        for place, (sfi, record, signed) in enumerate(wanted):
            data, status = self.send(bytes([0x00, 0xB2, record, sfi << 3 | 4, 0x00]))
            self.bad("5.3.5 SW of READ RECORD is not 9000", status != b"\x90\x00")
            self.take_record(data, sfi, signed, place + 1 == len(wanted))
        for tag in ("5A", "5F24", "8C"):
            if ask("5.3.3 %s is missing" % tag, tag not in self.card):
                if not self.emv:
                    raise Open("Table 14-3 in mag-stripe mode: before or after GET DATA")
                raise ends()

    def take_record(self, data, sfi, signed, last):
        top = parse(data)
        whole = top is not None and len(top) == 1 and top[0][0] == "70"
        if ask("5.3 SFI 1 to 10", sfi <= 10):
            self.bad("10.3 SFI 1 to 10 without exactly one 70", not whole)
        elif ask("10.3 SFI 11 to 30 without 70", not whole):
            if data[:1] in (b"\x70", b""):
                raise Open("SFI 11 to 30: a broken template 70, or no data")
            self.static_broken |= ask("10.3 and it takes part in ODA", signed)
            return
        if signed:
            self.static += data if sfi > 10 else top[0][1]
        objects = parse(top[0][1])
        self.bad("7.5 a record does not parse", objects is None)
        for tag, value, _ in objects:
            if ask("5.3.4 an object of a record that does not count", tag not in RECORD_OBJECTS):
                continue
            if ask("1.4 an empty object is absent", not value):
                continue
            wrong = ask("10.2 an object twice", tag in self.card)
            wrong |= ask("7.5 another length", tag in LENGTHS and len(value) not in LENGTHS[tag])
            if tag in ("5F24", "5F25") and not wrong:
                wrong = ask("7.5 %s is no date" % tag, day_of(value) is None)
            if wrong:
                if not last:
                    raise Open("at once or after the last record is free")
                raise ends()
            self.card[tag] = value
            if signed:
                self.signed.add(tag)

    def get_counter(self):
        """5.4.1, note 29."""
        answer, status = self.send(b"\x80\xca\x9f\x36\x00")
        objects = parse(answer) or []
        one = len(objects) == 1 and objects[0][0] == "9F36" and len(objects[0][1]) == 2
        fine = status == b"\x90\x00" and one
        self.counter = objects[0][1] if not ask("note 29 GET DATA without an ATC", not fine) else None

    # 6
    def authenticate(self):
        self.method = method_of(self.aip, self.terminal["9F33"])
        if ask("6.2.1.3 no method", self.method is None):
            self.tvr = with_bit(self.tvr, 1, 8)
            return
        verdict = self.static_signature() if self.method == "SDA" else self.card_key()
        if self.method == "SDA":
            self.tvr = with_bit(self.tvr, 1, 2)
        self.good = not isinstance(verdict, str) or verdict == "good"
        if not self.good:
            self.tvr = with_bit(self.tvr, 1, 7 if self.method == "SDA" else 3)
            needed = "8F 90 9F32 93" if self.method == "SDA" else "8F 90 9F32 9F46 9F47"
            absent = any(tag not in self.card for tag in needed.split())
            if ask("Table 35 an object is missing", absent or verdict == "missing"):
                self.tvr = with_bit(self.tvr, 1, 6)
        self.key = verdict if self.method == "CDA" and self.good else None
        if self.good:
            self.covered = self.signed
            self.aip_covered = self.card.get("9F4A") == b"\x82"
            self.verified = True

    def issuer_key(self):
        """Book 2, 6.2 and 6.3: (modulus, exponent), "missing" or "wrong"."""
        card = self.card
        for tag in ("8F", "90", "9F32"):
            if ask("Table 35 %s is missing" % tag, tag not in card):
                return "missing"
        found = self.reader.ca_key(hexed(card["8F"]), self.profile)
        if ask("6.2 CA key unknown", found is None):
            return "wrong"
        modulus, exponent = found
        size = len(modulus)
        if ask("6.3.1 issuer certificate has another length", len(card["90"]) != size):
            return "wrong"
        plain = recover(card["90"], modulus, exponent)
        framed = plain is not None and plain[0] == 0x6A and plain[1] == 2 and plain[-1] == 0xBC
        if ask("6.3.2-4 frame of the issuer certificate", not framed):
            return "wrong"
        length, room, remainder = plain[13], size - 36, b""
        if ask("Table 35 the issuer key needs 92", length > room):
            if ask("Table 35 92 is missing", "92" not in card):
                return "missing"
            remainder = card["92"]
        elif "92" in card:
            raise Open("92 beside a key that needs none")
        hashed = sha1(plain[1 : 15 + room], remainder, card["9F32"])
        if ask("6.3.6-7 issuer certificate's hash", plain[11] != 1 or hashed != plain[15 + room : -1]):
            return "wrong"
        prefix = [half for half in nibbles(plain[2:6]) if half <= 9]
        if ask("6.3.8 issuer identifier differs", nibbles(card["5A"])[: len(prefix)] != prefix):
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

    def static_data(self):
        """Book 3, 10.3, or None where it cannot be formed."""
        if ask("10.3 a covered record is no template 70", self.static_broken):
            return None
        made = self.static
        if ask("10.3 9F4A is there", "9F4A" in self.card):
            if ask("10.3 9F4A is not 82 alone", self.card["9F4A"] != b"\x82"):
                return None
            made += self.aip
        return made

    def static_signature(self):
        """Book 2, 5.4: "good", "wrong" or "missing"."""
        key = self.issuer_key()
        if isinstance(key, str):
            return key
        if ask("Table 35 93 is missing", "93" not in self.card):
            return "missing"
        modulus, exponent = key
        static = self.static_data()
        if ask("5.4.1 93 has another length", len(self.card["93"]) != len(modulus)) or static is None:
            return "wrong"
        plain = recover(self.card["93"], modulus, exponent)
        framed = plain is not None and plain[0] == 0x6A and plain[1] == 3 and plain[-1] == 0xBC
        if ask("5.4.2-4 frame of 93", not framed):
            return "wrong"
        if ask("5.4.5-7 hash of 93", plain[2] != 1 or sha1(plain[1:-21], static) != plain[-21:-1]):
            return "wrong"
        return "good"

    def card_key(self):
        """Book 2, 6.2 to 6.4: (modulus, exponent), "missing" or "wrong"."""
        issuer, card = self.issuer_key(), self.card
        for tag in ("9F46", "9F47"):
            if ask("Table 35 %s is missing" % tag, tag not in card):
                return "missing"
        if isinstance(issuer, str):
            return issuer
        modulus, exponent = issuer
        size, static = len(modulus), self.static_data()
        if ask("6.4.1 card certificate has another length", len(card["9F46"]) != size):
            return "wrong"
        plain = recover(card["9F46"], modulus, exponent)
        framed = plain is not None and plain[0] == 0x6A and plain[1] == 4 and plain[-1] == 0xBC
        if ask("6.4.2-4 frame of the card certificate", not framed):
            return "wrong"
        length, room, remainder = plain[19], size - 42, b""
        if ask("Table 35 the card key needs 9F48", length > room):
            if ask("Table 35 9F48 is missing", "9F48" not in card):
                return "missing"
            remainder = card["9F48"]
        elif "9F48" in card:
            raise Open("9F48 beside a key that needs none")
        if static is None:
            return "wrong"
        hashed = sha1(plain[1 : 21 + room], remainder, card["9F47"], static)
        if ask("6.4.6-7 card certificate's hash", plain[17] != 1 or hashed != plain[21 + room : -1]):
            return "wrong"
        certified = [half for half in nibbles(plain[2:12]) if half <= 9]
        account = [half for half in nibbles(card["5A"]) if half <= 9]
        if ask("6.4.8 account of the card certificate differs", certified != account):
            return "wrong"
        if ask("6.4.9 card certificate expired", self.certificate_expired(plain[12:14])):
            return "wrong"
        if ask("6.4.10 card key's algorithm", plain[18] != 1):
            return "wrong"
        found = (plain[21 : 21 + room] + remainder)[:length] if remainder else plain[21 : 21 + length]
        return (found, card["9F47"]) if len(found) == length and len(card["9F47"]) == plain[20] else "wrong"

    # 7
    def limit(self):
        covered = "9F70" in self.covered
        chosen = chosen_limits(self.options.get("dynamicLimits"), self.card.get("9F70"), covered, self.profile)
        amount = self.reader.transaction["amount"]
        refused, self.floor, self.exceeded = apply_limits(chosen, amount, (False, self.floor, self.exceeded))
        if not ask("7.2.1.7 not allowed", refused):
            return
        if ask("7.2.1.7 EMV mode", self.emv) and ask("7.2.1.7 contact possible", self.can_insert()):
            raise contact()
        raise ends(by_limit=True)

    def check_stripe_data(self):
        card = self.card
        if self.profile == STRICT and "9F70" in card and bit(card["9F70"], 1, 3):
            raise Open("strict: mag-stripe mode of a card whose 9F70 denies it is refused; how is not said")
        for tag in ("57", "5F20", "5F25"):
            self.bad("7.2.4.1 %s is missing" % tag, tag not in card)
        self.bad("7.2.4.1 the ATC is missing", self.counter is None)
        self.bad("note 28: 5A or 57 of another form", track_parts(card["5A"], card["57"]) is None)

    def restrict(self):
        card, terminal, second = self.card, self.terminal, 0
        country = card.get("5F28")
        if "9F08" in card and ask("7.2.2.1.1 9F08 differs from 9F09", card["9F08"] != terminal["9F09"]):
            second |= 0x80
        if not ask("7.2.2.2 9F07 is absent", "9F07" not in card):
            kind, other = terminal["9C"][0], number_of(terminal["9F03"])
            additional = terminal.get("9F40", bytes(5))
            if not usage_allowed(card["9F07"], country, terminal["9F1A"], kind, other, self.type, additional):
                second |= 0x10
        if not delayed_allowed(card.get("9F70"), country, terminal["9F1A"], self.enhanced):
            second |= 0x10
        if "5F25" in card and ask("7.2.2.3.1 before 5F25", self.reader.today < day_of(card["5F25"])):
            second |= 0x20
        if ask("7.2.2.3.2 after 5F24", self.reader.today > day_of(card["5F24"])):
            second |= 0x40
        self.tvr = self.tvr[:1] + bytes([self.tvr[1] | second]) + self.tvr[2:]

    # 8
    def verify_cardholder(self):
        card, terminal = self.card, self.terminal
        facts = Facts(
            profile=self.profile,
            tvr=self.tvr,
            restarted=self.reader.restarted,
            mobile_trusted=self.verified and self.aip_covered,
            list_covered="8E" in self.covered,
            enhanced=self.enhanced,
            terminal_type=self.type,
            aip=self.aip,
            results=self.phone,
            list=card.get("8E"),
            exceeded=self.exceeded,
            emv=self.emv,
            can_insert=self.can_insert(),
            kind=terminal["9C"][0],
            amount=self.reader.transaction["amount"],
            other=number_of(terminal["9F03"]),
            currency=terminal["5F2A"],
            card_currency=card.get("9F42"),
            no_cvm=bit(terminal["9F33"], 2, 4),
        )
        try:
            self.word, self.results = verification(facts)
        except Outcome as outcome:
            self.reader.restarted |= outcome.outcome == "tryAgain"
            raise
        self.results_open = hasattr(facts, "results_open")
        self.tvr = facts.tvr

    def without_the_list(self, requested):
        """A35: nothing is approved by a signature over values whose list is not covered by the certificate, or lacks
        amount, type or unpredictable number. The issuer is asked instead; where there is none, the card declines.
        A13: static authentication, or none, approves nothing either; where there is no issuer, the answer decides.
        In mag-stripe mode a card approves no amount."""
        alone = offline_only(self.type) or is_delayed(self.enhanced)
        if self.profile < GUARDED or not self.emv or requested == AAC or (requested == ARQC and not alone):
            return requested
        if ask("guarded A13: no CDA", self.method != "CDA" or not self.good):
            return requested if alone else ARQC
        asked = parse_dol(self.card["8C"]) or []
        whole = all(entry in asked for entry in (("9F02", 6), ("9C", 1), ("9F37", 4)))
        covered = ask("guarded A35: CDOL1 is covered", "8C" in self.covered)
        if covered and ask("guarded A35: CDOL1 asks for amount, type and number", whole):
            return requested
        return AAC if ask("guarded A35: a reader without a host", alone) else ARQC

    # 10
    def generate(self):
        options, card = self.options, self.card
        codes = [unhex(options.get("tac" + name, "0000000000")) for name in ("Denial", "Online", "Default")]
        facts = Facts(
            tvr=self.tvr,
            terminal_codes=codes,
            issuer_codes=[card.get(tag) for tag in ("9F0E", "9F0F", "9F0D")],
            terminal_type=self.type,
            enhanced=self.enhanced,
            online=self.online,
            zero=self.zero,
            status=self.status,
        )
        self.requested = self.without_the_list(first_action(facts))
        if not self.emv:
            self.number = months_number(self.drawn, options.get("unpredictableNumberRange", 60), card["5F25"])
        self.cda = self.method == "CDA" and self.good
        if ask("6.2.1.1 AAC while CDA is pending", self.cda and self.requested == AAC):
            self.cda, self.tvr = False, with_bit(self.tvr, 1, 8)
        entries = parse_dol(card["8C"])
        self.bad("7.5 CDOL1 is cut", entries is None)
        self.bad("5.4 CDOL1 asks for more than 255 bytes", sum(size for _, size in entries) > 255)
        if self.results_open and any(tag == "9F34" for tag, _ in entries):
            raise Open("guarded: CVM Results of a method that no rule named")
        self.cdol_values = self.values_for(entries, {})
        if not self.cdol_values:
            raise Open("GENERATE AC without data")
        control = (self.requested << 6 & 0xC0 if self.requested != ARQC else 0x80) | (0x10 if self.cda else 0)
        ask("10.2.4 a CDA signature is asked", self.cda)
        size = bytes([len(self.cdol_values)])
        command = b"\x80\xae" + bytes([control]) + b"\x00" + size + self.cdol_values + b"\x00"
        answer, status = self.send(command)
        if ask("11.2.3 SW 6984", status == b"\x69\x84"):
            self.bad("11.2.3.2 restarted before", self.reader.restarted)
            self.reader.restarted = True
            raise see_phone(1500)
        self.bad("note 38: another SW", status != b"\x90\x00")
        self.judge(answer)

    # 11
    def judge(self, answer):
        read = answer_objects(answer, self.cda)
        if ask("11.2.1 wrong format", read is None):
            raise contact() if ask("11.2.1 contact possible", self.can_insert()) else ends()
        self.answer, said = read
        answered = self.answer["9F27"][0] >> 6
        delayed, local = is_delayed(self.enhanced), offline_only(self.type)
        told = answered in (TC, AAC) or answered == ARQC and (delayed or not local)
        self.free = answered == RFU or self.requested == AAC != answered or self.requested == ARQC and answered == TC
        if not self.free and ask("11.2.4-6 message 17", told):
            self.reader.messages.append("17")
        self.reader.lost |= self.free
        good = self.good
        if self.cda and not self.free and answered != AAC:
            good = ask("6.6.2 the CDA signature is good", self.signature_holds(said))
            if not good:
                self.tvr = with_bit(self.tvr, 1, 3)
        if self.profile >= GUARDED and not self.free and answered in (TC, ARQC):
            self.compare_accounts()
        if not self.emv and answered != AAC and not self.free and not (self.method == "CDA" and not good):
            self.bad("12.2.1.1.1 the ATCs differ", self.answer["9F36"] != self.counter)
        facts = Facts(
            profile=self.profile,
            requested=self.requested,
            answered=answered,
            enhanced=self.enhanced,
            terminal_type=self.type,
            can_insert=self.can_insert(),
            method=self.method,
            good=good,
            emv=self.emv,
            exceeded=self.exceeded,
            online=self.online,
        )
        self.finish(card_action(facts))

    def compare_accounts(self):
        """A17: accounts that differ end in guarded; when is not said. Refunds are not drawn there either (A30)."""
        halves = nibbles(self.card.get("57", self.card["5A"]))
        account = [half for half in nibbles(self.card["5A"]) if half <= 9]
        if halves[: len(account)] != account or halves[len(account)] <= 9:
            raise Open("guarded A17: accounts differ")
        if self.terminal["9C"] == b"\x20":
            raise Open("guarded A30: refunds")
        if self.profile == STRICT and "57" in self.card:
            if halves[len(account) + 1 : len(account) + 5] != nibbles(self.card["5F24"][:2]):
                raise Open("strict: expiry of 57 and 5F24 differ")

    def signature_holds(self, said):
        """Book 2, 6.6.2. The recovered cryptogram becomes 9F26."""
        if ask("note 32: 9F4B is missing", "9F4B" not in self.answer):
            return False
        (modulus, exponent), signed = self.key, self.answer["9F4B"]
        if ask("6.6.2.1 9F4B has another length than the key", len(signed) != len(modulus)):
            return False
        plain = recover(signed, modulus, exponent)
        if ask("6.6.2.2-3 frame of 9F4B", plain is None or plain[0] != 0x6A or plain[-1] != 0xBC):
            return False
        if ask("6.6.2.4 Signed Data Format is not 05", plain[1] != 5):
            return False
        dynamic = plain[4 : 4 + plain[3]]
        digits = dynamic[0] if dynamic else 0
        fits = plain[3] <= len(modulus) - 25 and 2 <= digits <= 8 and len(dynamic) >= 30 + digits
        if ask("6.6.2.5 ICC Dynamic Data malformed", not fits):
            return False
        if ask("6.6.2.6 CID inside differs", dynamic[1 + digits] != self.answer["9F27"][0]):
            return False
        if ask("6.6.2.9 hash of 9F4B", plain[2] != 1 or sha1(plain[1:-21], self.number) != plain[-21:-1]):
            return False
        code = sha1(self.pdol_values, self.cdol_values, said)
        if ask("6.6.2.12 Transaction Data Hash Code", code != dynamic[10 + digits : 30 + digits]):
            return False
        self.answer["9F26"] = dynamic[2 + digits : 10 + digits]
        return True

    # 12, 13
    def objects(self):
        """Everything that can leave the kernel."""
        found = dict(self.card)
        found.update({tag: value for tag, value in self.terminal.items()})
        found.update({tag: value for tag, value in self.answer.items() if tag != "9F4B"})
        found.update({"82": self.aip, "95": self.tvr, "9F37": self.number, "9F34": self.results})
        if self.phone is not None:
            found["9F71"] = self.phone
        return found

    def data_record(self):
        found = self.objects()
        if ask("A.4 mag-stripe data record", not self.emv):
            made = tracks(
                self.card["5A"],
                self.card["5F20"],
                self.card["5F24"],
                self.card["57"],
                self.number,
                self.answer["9F26"],
                self.answer["9F36"],
            )
            return {"56": made[0], "9F6B": made[1], "57": None, "9F26": None}
        # Without 57 the account number and its expiry date go out, or nobody could be billed (A17).
        account = [] if ask("A.4 the card has 57", found.get("57")) else ["5A", "5F24"]
        return {tag: found.get(tag) for tag in DATA_RECORD + account}

    def discretionary(self):
        wanted = self.options.get("discretionaryDataObjectList", "")
        if not ask("A.4 a discretionary list is configured", wanted):
            return {}
        found = self.objects()
        made = {tag: found.get(tag) for tag, _ in parse_dol(unhex(wanted))}
        if self.results_open:
            made.pop("9F34", None)
        for tag in made:
            ask("A.4 an object of the list is absent", made[tag] is None)
        return made

    def finish(self, decision):
        if decision == "tryAnotherInterface":
            raise contact()
        outcome = Outcome(decision, discretionary=self.discretionary())
        if decision == "declined":
            outcome.message = "07"
            raise outcome
        outcome.data, outcome.cvm = self.data_record(), self.word
        if decision == "approved":
            outcome.message = "1A" if ask("13.2 approved with signature", self.word == "signature") else "03"
            raise outcome
        outcome.message, outcome.start = ("09" if decision == "requestOnlinePIN" else "1B"), "D"
        if decision == "requestOnlinePIN":
            outcome.cvm = "onlinePIN"
        self.reader.waiting = self
        raise outcome

    # Start D (12.2.2)
    def resume(self, item, pin_was_asked):
        if "pin" in item:
            if ask("12.2.2.2 the PIN was captured", item["pin"] == "captured"):
                return
            self.finish("declined")
        code = None if item["online"] is None else unhex(item["online"].get("8A", ""))
        decision = issuer_action(code, pin_was_asked, self.enhanced, self.card.get("8E"), self.can_insert())
        try:
            self.finish(decision)
        except Outcome as outcome:
            if pin_was_asked and decision == "approved":
                if self.word == "signature":
                    raise Open("a signature and then a PIN: Approved, or Approved Please Sign")
                if self.word != "onlinePIN":
                    outcome.open.add("cvm")
            raise


# ---------------------------------------------------------------------------------------------------------------
# The reader: Entry Point, as far as one combination needs it (Book B)
# ---------------------------------------------------------------------------------------------------------------


def indicators_of(combination, transaction, profile):
    """B 3.1.1 for a combination without TTQ: (allowed, (floor exceeded, CVM exceeded, zero amount, status check))."""
    amount, limits = transaction["amount"], combination.get("limits", {})
    if profile >= GUARDED and "floor" not in limits:
        raise Open("guarded: how an absent floor limit counts as zero is not said")
    unit = amount == 10 ** transaction.get("exponent", 2)
    status = ask("B 3.1.1.3 status check", combination.get("statusCheck", False)) and unit
    allowed, rule = True, combination.get("zeroAmount", "online")
    zero = ask("B 3.1.1.4 zero amount", amount == 0)
    if zero and ask("B 3.1.1.4 zero amount not allowed", rule == "notAllowed"):
        allowed = False
    if zero:
        ask("B 3.1.1.4 zero amount allowed offline", rule == "offlineAllowed")
    zero = zero and rule == "online"
    if ask("B 3.1.1.5 transaction limit", amount >= limits.get("transaction", amount + 1)):
        allowed = False
    floor = ask("B 3.1.1.6 floor limit", amount > limits.get("floor", limits.get("terminalFloor", amount)))
    cvm = ask("B 3.1.1.8 CVM limit", amount >= limits.get("cvmRequired", amount + 1))
    return allowed, (floor, cvm, zero, status)


class Reader:
    """A reader, a transaction, and the cards that are held to it one after the other."""

    def __init__(self, configuration, transaction):
        self.configuration, self.transaction = configuration, transaction
        self.protection = configuration.get("protection", {})
        self.profile = PROFILES.index(self.protection.get("profile", "guarded"))
        self.today = day_of(unhex(transaction["date"].replace("-", "")[2:]))
        self.random, self.exceptions = unhex(transaction["random"]), configuration.get("exceptions", [])
        self.exchanges, self.messages, self.apdus = [], [], 0
        self.lost = self.restarted = False
        self.waiting = None

    def objects(self, combination):
        deal = self.transaction
        found = {"9F09": unhex("0001"), "9F6D": b"\0", "9F6E": bytes(4), "9F33": bytes(3)}
        for source in (self.configuration["terminal"], combination.get("data", {}), deal.get("data", {})):
            found.update({tag: unhex(value) for tag, value in source.items()})
        found.update(
            {
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

    def ca_key(self, index, profile):
        for key in self.configuration.get("caKeys", []):
            if key["rid"] == RID and key["index"] == index:
                expired = self.today > day_of(unhex(key["expires"].replace("-", "")[2:]))
                if profile >= GUARDED and ask("guarded A15: CA key expired", expired):
                    return None
                return unhex(key["modulus"]), unhex(key["exponent"])
        return None

    def is_revoked(self, index, serial):
        return any(row["index"] == index and row["serial"] == serial for row in self.configuration.get("revoked", []))

    def is_listed(self, card):
        account = "".join(str(half) for half in nibbles(card["5A"]) if half <= 9)
        for row in self.exceptions:
            if row["pan"] != account:
                continue
            if "sequence" not in row:
                return True
            if "5F34" not in card:
                raise Open("an exception with a sequence number and a card without")
            if row["sequence"] == hexed(card["5F34"]):
                return True
        return False

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
        """Plays cards, issuer's answers and PIN entries in order; returns the last outcome."""
        rows = []
        for combination in self.configuration["combinations"]:
            if self.transaction.get("type", "00") not in combination.get("transactionTypes", ["00"]):
                continue
            if "autorun" in self.configuration:  # B 3.2.1.1
                rows.append((combination, (False, False, False, False)))
                continue
            allowed, indicators = indicators_of(combination, self.transaction, self.profile)
            if allowed:
                rows.append((combination, indicators))
        if not rows:  # B 3.1.1.13
            self.messages.append("18")
            return Outcome("tryAnotherInterface", "18", by_limit=True, entry=True)
        outcome, presentments, asked = None, 0, False
        for step in steps:
            if outcome is not None and (outcome.outcome != "tryAgain" if callable(step) else outcome.start != "D"):
                break  # nothing waits for it
            try:
                if callable(step):
                    presentments += 1
                    if presentments > 1:
                        self.exchanges.append({"tap": presentments})
                    else:
                        self.messages.append("15")
                    self.present(rows, self.link(step))
                else:
                    self.exchanges.append(step)
                    asked |= outcome.outcome == "requestOnlinePIN"
                    self.waiting.resume(step, asked)
            except Outcome as found:
                outcome = found
                if outcome.message:
                    self.messages.append(outcome.message)
                if outcome.restart_message:
                    self.messages.append(outcome.restart_message)
        return outcome

    def present(self, rows, link):
        candidates = self.candidates(rows, self.select(link, PPSE))
        first = True
        while candidates:
            best = max(candidates, key=lambda c: (16 - c[3] if c[3] else 0, -c[4]))
            candidates.remove(best)
            combination, indicators, name = best[:3]
            fci = self.select(link, name)
            first = False
            if ask("B 3.3.3.5 SELECT refused", fci is None):
                continue
            Kernel(self, combination, indicators, link).run(fci)
        raise Outcome("endApplication", "1C", no_network=first, entry=True, open=set() if first else {"tap"})

    def select(self, link, name):
        try:
            answer = link(b"\x00\xa4\x04\x00" + bytes([len(name)]) + name + b"\x00")
        except Fault:
            raise Open("a link fault in Entry Point")
        return answer[:-2] if answer[-2:] == b"\x90\x00" else None

    def candidates(self, rows, directory):
        """B 3.3.2.4, .5: (combination, indicators, ADF name, priority, position)."""

        def inside(data, *tags):
            for tag in tags:
                objects = parse(data) or []
                data = next((value for found, value, _ in objects if found == tag), b"")
            return data

        top = parse(inside(directory or b"", "6F", "A5", "BF0C")) or []
        entries = [parse(value) for tag, value, _ in top if tag == "61"]
        found = []
        for combination, indicators in rows:
            for position, entry in enumerate(entries):
                objects = {tag: value for tag, value, _ in entry or []}
                name, kernel = objects.get("4F", b""), objects.get("9F2A", b"")
                if not 5 <= len(name) <= 16 or not name.startswith(unhex(combination["aid"])):
                    continue
                requested = 4 if kernel in (b"", b"\0") else kernel[0] if kernel[0] < 0x80 else None
                if requested not in (0, 4):
                    continue
                found.append((combination, indicators, name, objects.get("87", b"\0")[0] & 15, position))
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
        "requestOnlinePIN": "onlinePINRequired",
        "tryAnotherInterface": "tryAnotherInterface",
    }[outcome.outcome]


def expectation(reader, outcome):
    """Everything that an outcome fixes, by the names of emv-trace/1. `data` holds absent objects as None."""
    said = {"outcome": outcome.outcome, "apdus": reader.apdus, "start": outcome.start}
    if "tap" not in outcome.open:
        said["tap"] = tap_word(outcome)
    if "cvm" not in outcome.open:
        said["cvm"] = outcome.cvm
    if outcome.message:
        said["message"] = outcome.message
    if not reader.lost:
        said["messages"] = list(reader.messages)
    if not outcome.entry:
        said["restartMessage"], said["fieldOffMs"], said["holdMs"] = (
            outcome.restart_message,
            outcome.field_off,
            outcome.hold,
        )
    said.update({"removalTimeout": 0, "alternateInterface": outcome.alternate, "valueQualifier": "none"})
    said["receipt"] = False
    if outcome.data is not None:
        said["data"] = {tag: None if value is None else hexed(value) for tag, value in sorted(outcome.data.items())}
    elif outcome.outcome != "declined":  # 13.3: optional
        said["data"] = {"57": None, "9F02": None, "9F26": None}
    found = dict({"95": None, "9F34": None}, **outcome.discretionary)
    if outcome.discretionary and "9F34" not in outcome.discretionary:
        found.pop("9F34")
    said["discretionary"] = {tag: None if value is None else hexed(value) for tag, value in sorted(found.items())}
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
    items, wrong, position = list(trace["exchanges"]), [], [0]

    def card(command):
        while position[0] < len(items) and "c" not in items[position[0]]:
            position[0] += 1
        at = position[0]
        if at >= len(items):
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
        elif "online" in item or "pin" in item:
            steps.append(item)
    reader = Reader(trace["configuration"], trace["transaction"])
    said = expectation(reader, reader.run(steps))
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

LONG_CDOL = "9F02069F03069F1A0295055F2A029A039C019F3704"
MAIN_TAGS = "5A 5F24 5F25 5F28 5F34 9F07 9F08 8E 9F42 9F70 9F0D 9F0E 9F0F 9F4A 8C".split()
PROPER = {TC: 2, ARQC: 1, AAC: 0}


def fci_bytes(card):
    """The answer to SELECT. `inside`, `outside` add bytes, `drop` leaves objects out, `fci` is the whole."""
    if "fci" in card:
        return unhex(card["fci"])
    inside = obj("50", b"AMEX") + unhex(card.get("inside", ""))
    if card.get("pdol", "9F3501") is not None:
        inside += obj("9F38", unhex(card.get("pdol", "9F3501")))
    outer = b"" if "noName" in card else obj("84", card["aid"])
    return obj("6F", outer + unhex(card.get("outside", "")) + obj("A5", inside))


class VirtualCard:
    """A card that answers as `answers` says (or as it is asked), and really signs. Options have honest defaults. Its
    application cryptograms are hashes: nobody on the reader's side has their key."""

    def __init__(self, chance, **card):
        self.card = card
        card.setdefault("aid", NAME)
        account = [3, 7, 4, 2, 4, 5] + chance.digits(8)
        account.append(luhn_digit(account))
        account = card.setdefault("account", account)
        self.aip = unhex(card.get("aip", "1880"))
        expiry = card.get("expiry", "301231")
        track = account + [13] + [int(c) for c in expiry[:4]] + [2, 0, 1] + chance.digits(5)
        self.counter = 1 + chance.below(60000)
        self.values = {
            "57": pack(track),
            "5A": pack(account),
            "5F20": b"CARD/TEST",
            "5F24": unhex(expiry),
            "5F25": unhex("200115"),
            "5F28": unhex("0276"),
            "5F34": b"\0",
            "9F07": unhex("FF00"),
            "9F08": unhex("0001"),
            "8E": unhex("0000000000000000" + card.get("rules", "42031E031F03")),
            "9F42": unhex("0978"),
            "9F70": unhex("FA00"),
            "9F0D": unhex("F850ECA000"),
            "9F0E": bytes(5),
            "9F0F": unhex("F078FCF800"),
            "8C": unhex(LONG_CDOL if bit(self.aip, 2, 8) else "9F3704"),
        }
        self.signs = bit(self.aip, 1, 1) or bit(self.aip, 1, 7)
        if self.signs and card.get("tagList", "82"):
            self.values["9F4A"] = unhex(card.get("tagList", "82"))
        for tag, value in card.get("set", {}).items():  # before anything is signed
            self.values[tag] = unhex(value)
        for tag in card.get("drop", "").split():
            self.values.pop(tag, None)
        self.salt = chance.bytes(8)
        self.issue()

    def tlv(self, tags):
        return b"".join(obj(tag, self.values[tag]) for tag in tags if tag in self.values)

    def issue(self):
        """Records and, where the card has a method, certificates. The signed record is the last one."""
        card = self.card
        sfi, covered = card.get("sfi", 3), 1 if self.signs and "bare" not in card else 0
        files = [(1, 1, ["57", "5F20"])]
        if self.signs and "noChain" not in card:
            files += [(2, 1, "chain"), (2, 2, "chain")]
        main = MAIN_TAGS + card.get("more", "").split()
        apart = card.get("apart", "").split()  # stands outside what is signed
        if apart:
            files.append((1, 2, apart))
            main = [tag for tag in main if tag not in apart]
        files.append((sfi, 1, main))
        files = card.get("files", files)
        self.afl = b""
        for number, record, tags in files:
            self.afl += bytes([number << 3, record, record, covered if tags is main else 0])
        self.afl = unhex(card["afl"]) if "afl" in card else self.afl
        self.records = {}
        for number, record, tags in files:
            if tags != "chain":
                body = self.tlv(tags) + unhex(card.get("inRecord", {}).get((number, record), ""))
                self.records[number, record] = obj("70", body)
        if any(tags == "chain" for _, _, tags in files):
            self.certify()
        for place, raw in card.get("raw", {}).items():
            self.records[place] = unhex(raw)
        if "editRecord" in card:  # what a relay changes in the signed record
            one, other = map(unhex, card["editRecord"])
            assert one in self.records[sfi, 1]
            self.records[sfi, 1] = self.records[sfi, 1].replace(one, other)

    def static_data(self):
        made = b""
        for at in range(0, len(self.afl) - 3, 4):
            sfi, first, _, signed = self.afl[at] >> 3, self.afl[at + 1], self.afl[at + 2], self.afl[at + 3]
            for number in range(first, first + min(signed, 8)):
                record = self.records.get((sfi, number), b"")
                if "leaves" in self.card and record[:1] != b"\x70":
                    continue  # signed as if it were not there
                whole = parse(record)
                made += record if sfi > 10 or not whole else whole[0][1]
        return made + (self.aip if "9F4A" in self.values else b"")

    def certify(self):
        card, chain, account = self.card, self.card.get("keys", "n"), self.card["account"]
        ca, issuer, icc = keys(chain + "-ca"), keys(chain + "-issuer"), keys(chain + "-card")
        found = {"8F": unhex(card.get("caIndex", CA_INDEX[chain])), "9F32": issuer.exponent}
        prefix = unhex(card.get("prefix", "".join(map(str, account[:6])) + "FF"))
        last, serial = unhex(card.get("issuerExpiry", "1235")), unhex(card.get("serial", "000042"))
        damage = card.get("issuerDamage")
        found["90"], found["92"] = certificate(ca, 2, prefix, last, serial, issuer, damage=damage)
        static = self.static_data()
        if bit(self.aip, 1, 1):
            certified = pack(card.get("certified", account)).ljust(10, b"\xff")
            last, serial = unhex(card.get("cardExpiry", "1231")), unhex("000007")
            damage = card.get("cardDamage")
            made = certificate(issuer, 4, certified, last, serial, icc, static, damage=damage)
            (found["9F46"], found["9F48"]), found["9F47"] = made, icc.exponent
        else:
            found["93"] = self.static_signature(issuer, static)
        found.update({tag: unhex(value) for tag, value in card.get("chainSet", {}).items()})
        for tag in card.get("chainDrop", "").split():
            found.pop(tag, None)
        for number, tags in ((1, ("8F", "90", "9F32", "92")), (2, ("9F46", "9F47", "9F48", "93"))):
            body = b"".join(obj(tag, found[tag]) for tag in tags if found.get(tag))
            self.records[2, number] = obj("70", body)

    def static_signature(self, key, static):
        """Table 3 of Book 2."""
        damage = self.card.get("ssad")
        block = bytes([4 if damage == "format" else 3, 1]) + b"\xda\xc1" + b"\xbb" * (key.size - 26)
        digest = sha1(block, static)
        if damage == "hash":
            digest = bytes([digest[0] ^ 1]) + digest[1:]
        lead, trailer = (b"\x6b" if damage == "header" else b"\x6a"), (b"\xcc" if damage == "trailer" else b"\xbc")
        return resized(key.sign(lead + block + digest + trailer), damage)

    def __call__(self, command):
        self.sent = getattr(self, "sent", 0) + 1
        if self.sent in self.card.get("faults", {}):
            return self.card["faults"][self.sent]
        if command[:2] == b"\x00\xa4":
            if command[5:-1] == PPSE:
                return self.directory() + b"\x90\x00"
            for other in self.card.get("others", []):
                if command[5:-1] == other.card["aid"]:
                    self.active = other
                    return other(command)
            self.active = self
            refused = self.card.get("selectStatus")
            return unhex(refused) if refused else fci_bytes(self.card) + b"\x90\x00"
        if self.active is not self:
            return self.active(command)
        if command[:2] == b"\x80\xa8":
            return self.options(command)
        if command[:2] == b"\x00\xb2":
            place = (command[3] >> 3, command[2])
            status = unhex(self.card.get("recordStatus", {}).get(place, "9000"))
            return self.records.get(place, b"") + status if place in self.records else b"\x6a\x83"
        if command[:2] == b"\x80\xca":
            return unhex(self.card.get("getData", "9F3602%04X9000" % self.counter))
        return self.generate(command)

    def directory(self):
        if "directory" in self.card:
            return obj("6F", obj("84", PPSE) + obj("A5", obj("BF0C", unhex(self.card["directory"]))))
        entries = b""
        for rank, one in enumerate([self] + self.card.get("others", [])):
            entries += obj("61", obj("4F", one.card["aid"]) + obj("87", bytes([rank + 1])))
        return obj("6F", obj("84", PPSE) + obj("A5", obj("BF0C", entries)))

    def options(self, command):
        """GET PROCESSING OPTIONS."""
        card = self.card
        if "gpo" in card:
            return unhex(card["gpo"])
        at = 5 + (2 if command[6] < 0x80 else 3)
        self.pdol_values = self.edited(command[at:-1], "seesOptions")
        if "results" not in card and card.get("format") != 2:
            return obj("80", self.aip + self.afl) + b"\x90\x00"
        body = obj("82", self.aip) + obj("94", self.afl)
        if "results" in card:
            body += obj("9F71", unhex(card["results"]))
        body += unhex(card.get("again", ""))
        if "edit" in card:
            one, other = map(unhex, card["edit"])
            assert one in body
            body = body.replace(one, other)
        return obj("77", body) + b"\x90\x00"

    def edited(self, values, option):
        """What a relay changes on the way to the card."""
        if option not in self.card:
            return values
        place, mask = self.card[option]
        return values[:place] + bytes([values[place] ^ mask]) + values[place + 1 :]

    def generate(self, command):
        """GENERATE AC."""
        card = self.card
        if "status" in card:
            return unhex(card["status"])
        asked, signed = {0: AAC, 1: TC, 2: ARQC}.get(command[2] >> 6), command[2] & 0x10
        answered = card.get("answers", asked)
        if "lowers" in card and PROPER[card["lowers"]] < PROPER[asked]:
            answered = card["lowers"]
        cdol_values = self.edited(command[5:-1], "sees")
        values = {
            "9F27": bytes([answered << 6 | card.get("reason", 0)]),
            "9F36": ((self.counter + card.get("drift", 0)) & 0xFFFF).to_bytes(2, "big"),
            "9F26": sha1(b"AC", self.salt, cdol_values)[:8],
            "9F10": unhex("06010103%02X0000" % (0xA0 | answered << 2)),
        }
        if "cryptogram" in card:
            values["9F26"] = unhex(card["cryptogram"])
        hidden = values["9F26"]
        values.update({tag: unhex(value) for tag, value in card.get("says", {}).items()})
        if "rawAnswer" in card:
            return unhex(card["rawAnswer"]) + b"\x90\x00"
        signs = signed and answered in (TC, ARQC) and bit(self.aip, 1, 1) and "unsigned" not in card
        if card.get("plain") and not signs or card.get("plain") == "always":
            return obj("80", b"".join(values[tag] for tag in ("9F27", "9F36", "9F26", "9F10"))) + b"\x90\x00"
        tags = ["9F27", "9F36"] + ([] if signs and "both" not in card else ["9F26"]) + ["9F10"]
        tags = [tag for tag in tags if tag not in card.get("without", "").split()]
        objects = [obj(tag, values[tag]) for tag in tags] + [unhex(raw) for raw in card.get("besides", [])]
        if signs:
            signature = obj("9F4B", self.sign(cdol_values, b"".join(objects), values["9F27"], hidden))
            objects.insert(min(card.get("signatureAt", 2), len(objects)), signature)
        elif "stray" in card:
            objects.append(obj("9F4B", bytes(80)))
        body = b"".join(objects) + unhex(card.get("cut", ""))
        if "relay" in card:  # what a relay changes after the card has signed
            one, other = map(unhex, card["relay"])
            assert one in body
            body = body.replace(one, other)
        return obj(card.get("template", "77"), body) + b"\x90\x00"

    def sign(self, cdol_values, said, cid, cryptogram):
        """Tables 18 and 19 of Book 2."""
        card, key, damage = self.card, keys(self.card.get("keys", "n") + "-card"), self.card.get("sdad")
        number = sha1(b"number", self.salt)[: card.get("numberSize", 8)]
        code = sha1(self.pdol_values, cdol_values, said)
        if damage == "transaction hash":
            code = code[:-1] + bytes([code[-1] ^ 1])
        if damage == "with 77":
            code = sha1(self.pdol_values, cdol_values, obj("77", said))
        inner = {"cid": b"\x00", "cid arqc": b"\x80"}.get(damage, cid)
        dynamic = bytes([1 if damage == "number" else len(number)]) + number + inner + cryptogram + code
        if damage == "dynamic short":
            dynamic = dynamic[:-1]
        head = bytes([0x95 if damage == "format" else 5, 2 if damage == "algorithm" else 1, len(dynamic)])
        block = head + dynamic.ljust(key.size - 25, b"\xbb")
        at, drawn = 0, b""
        for tag, size in parse_dol(self.values["8C"]):
            drawn = cdol_values[at : at + size] if tag == "9F37" else drawn
            at += size
        digest = sha1(block, bytes(4) if damage == "number sent" else drawn)
        if damage == "hash":
            digest = bytes([digest[0] ^ 0x80]) + digest[1:]
        lead, trailer = (b"\x6b" if damage == "header" else b"\x6a"), (b"\xcc" if damage == "trailer" else b"\xbc")
        return resized(key.sign(lead + block + digest + trailer), damage)


# ---------------------------------------------------------------------------------------------------------------
# Scenes: a reader, a transaction, cards
# ---------------------------------------------------------------------------------------------------------------

TERMINAL = {"9F1A": "0276", "9F35": "22", "9F33": "E0F8C8"}
DATA = {"9F09": "0001", "9F6D": "C0"}
BOTH, EMV_ONLY, NO_CONTACT, NEITHER, DELAYED = "DCE00003", "9CE00003", "58E00003", "18E00003", "DCE00043"
LIMITS = {"transaction": 30000, "floor": 10000, "cvmRequired": 20000}
HIGH_FLOOR = {"transaction": 30000, "floor": 29000, "cvmRequired": 20000}
CODES = {"tacOnline": "DC50FC9800", "tacDefault": "DC50FC9800"}
SHOWN = {"discretionaryDataObjectList": "95059F3403"}
NO_CODES = {"9F0D": "0000000000", "9F0E": "0000000000", "9F0F": "0000000000"}


def configuration_of(scene, profile):
    row = {
        "aid": scene.get("aid", AID),
        "kernel": 4,
        "limits": scene.get("limits", LIMITS),
        "data": dict(DATA, **dict({"9F6E": scene.get("enhanced", BOTH)}, **scene.get("data", {}))),
        "kernel4": dict(scene.get("codes", CODES), **dict(SHOWN, **scene.get("kernel4", {}))),
    }
    if "type" in scene:
        row["transactionTypes"] = [scene["type"]]
    row["kernel4"] = {key: value for key, value in row["kernel4"].items() if value is not None}
    row.update(scene.get("row", {}))
    terminal = {tag: value for tag, value in dict(TERMINAL, **scene.get("terminal", {})).items() if value is not None}
    protection = {"profile": PROFILES[profile]}
    if profile == STRICT:
        protection["offline"] = "dynamicOda"
    if scene.get("stripe") and profile == GUARDED:
        protection["magStripeMode"] = "configured"
    if scene.get("stripe") and profile == STRICT:
        row["protection"] = {"profile": "strict", "offline": "dynamicOda", "magStripeMode": "configured"}
    protection.update(scene.get("protection", {}))
    made = {"terminal": terminal, "combinations": [row], "protection": protection}
    if "keys" in scene:
        made["caKeys"] = [ca_entry(chain, scene.get("caExpires", "2035-12-31")) for chain in scene["keys"]]
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
            **({"amountOther": scene["other"]} if "other" in scene else {}),
            "currency": scene.get("currency", "0978"),
            "exponent": 2,
            "date": scene.get("date", "2026-11-21"),
            "time": "12:00:00",
            "counter": 1,
            "random": scene.get("random") or hexed(chance.bytes(16)),
        }
        steps, account = [], None
        for card in scene["cards"]:
            if "online" in card or "pin" in card:
                steps.append(card)
                continue
            card = dict(card, **({"account": account} if account and "account" not in card else {}))
            card["others"] = [VirtualCard(chance, **dict(other)) for other in card.get("others", [])]
            steps.append(VirtualCard(chance, **card))
            account = steps[-1].card["account"]
        if "listed" in scene:
            scene = dict(scene, exceptions=[dict(scene["listed"], pan="".join(map(str, account)))])
        return play(name, scene["source"], configuration_of(scene, profile), transaction, steps)
    except Open:
        chance.state = state
        return None


SCENES = []


def scene(name, source, *cards, **more):
    """Registers a scene. `profiles` restricts it; by default it is played by the book, some again in the others."""
    SCENES.append((name, dict(more, source="C-4 " + source, cards=cards)))


def emv(**card):
    """No authentication in common: goes online with TAC-Online, B1 b8."""
    return card


def cda(**card):
    return dict({"aip": "1980"}, **card)


def sda(**card):
    return dict({"aip": "5880"}, **card)


def phone(results="010002", **card):
    return dict({"aip": "19C0", "results": results, "rules": "410342031F03"}, **card)


def stripe(**card):
    return dict({"aip": "1800"}, **card)


def online(**answer):
    return {"online": {"8A": answer["arc"].encode().hex()} if "arc" in answer else {}}


NO_LINE = {"online": None}


def signed(name, source, *cards, **more):
    """A scene with CA keys, so that authentication can be good."""
    more.setdefault("keys", "n")
    scene(name, source, *cards, **more)


def magstripe(name, source, *cards, **more):
    scene(name, source, *cards, stripe=True, **more)


def start_scenes():
    shapes = (("type", "9F3501"), ("enhanced", "9F6E04"), ("both", "9F35019F6E04"), ("neither", "9F1A02"))
    for label, pdol in shapes:
        for amount in (1250, 20000):
            scene("pdol-%s-%d" % (label, amount), "4.3.1, 4.3.3 to 4.3.5", emv(pdol=pdol), amount=amount)
        for kind in ("23", "26", "21", "25"):
            scene("pdol-%s-type-%s" % (label, kind), "4.3.1.3, 4.3.3", emv(pdol=pdol), terminal={"9F35": kind})
        scene("pdol-%s-no-line" % label, "4.3.1.3", emv(pdol=pdol), kernel4={"onlineAvailable": False})
    scene("pdol-capabilities", "4.3.1.2: 9F6D asked by its tag", emv(pdol="9F6D019F3501"), amount=20000)
    scene("dynamic-bits", "4.3.1.1: cleared", emv(pdol="9F35019F6E049F6D01"), enhanced="DCE0FF03", data={"9F6D": "C8"})
    scene("dynamic-bits-type", "4.3.1.1: cleared", emv(), enhanced="DCE0C003", data={"9F6D": "C8"})
    scene("type-cdol", "4.3.3: CDOL1 carries the plain 9F35", emv(set={"8C": LONG_CDOL + "9F35019F6E049F6D01"}))
    scene(
        "cvm-bits-cdol",
        "note 8: 9F6E as sent in GPO",
        emv(set={"8C": LONG_CDOL + "9F6E049F6D019F3403"}, more=""),
        amount=25000,
        kernel4={"dynamicLimits": {"default": {"cvmRequired": 26000}}},
    )
    every = "9F35029F66049F15029F1B045F2A019C029F4E058201" + "9F3303DF8117019F02039F0308959F34069F3402"
    scene(
        "pdol-more", "Book 3 5.4; A23", emv(pdol=every.replace("959F3406", "95059F3406")), terminal={"9F4E": "534830"}
    )
    scene(
        "cdol-more",
        "Book 3 5.4; A23",
        emv(set={"8C": "5A089F36029F3704" + "9F3702" + "9F3706" + "9F6604" + "82029F7003"}),
    )
    scene("cdol-results", "8.2.6.2.2", emv(set={"8C": LONG_CDOL + "9F3403"}, rules="1F03"))
    scene("pdol-252", "4.3.2.2: 252 bytes of values", emv(pdol="9F3501DF7CFB"))
    scene("pdol-253", "Book 3 7.5: 253 bytes do not fit", emv(pdol="9F3501DF7CFC"))
    scene("pdol-130", "4.3.2.2: a length of two bytes", emv(pdol="9F3501DF7C81"))
    for label, card in (
        ("no-84", emv(noName=True)),
        ("cut", emv(fci="6F1C8408A000000025010402A5115008")),
        ("not-6f", emv(fci="6E0A8408A000000025010402")),
        ("a5-cut", emv(inside="5F2D0865")),
        ("pdol-cut", emv(pdol="9F35019F6E")),
        ("pdol-tag-cut", emv(pdol="9F35019F")),
        ("language", emv(inside="5F2D02656E")),
    ):
        scene("fci-" + label, "note 33; Book 3 7.5", card)
    scene("no-pdol", "4.3.2.1; note 5: EMV mode ends", emv(pdol=None))
    magstripe("no-pdol-stripe", "4.3.2.1; note 5: mag-stripe mode goes on", stripe(pdol=None))
    scene("no-pdol-emv-only", "2.1.1.3 after 4.3.2.1", stripe(pdol=None), enhanced=EMV_ONLY)
    for status in ("6985", "6984", "6283", "6A81", "6986"):
        scene("gpo-sw-" + status, "note 4", emv(gpo=status))
    for label, raw in (
        ("empty", "9000"),
        ("format-1-5", "80051880080101" + "9000"),
        ("format-1-2", "8002" + "1880" + "9000"),
        ("format-1-6", "8006188008010100" + "9000"),
        ("format-1-empty", "80009000"),
        ("template-70", "700A8202188094040801" + "01009000"),
        ("template-cut", "770E8202188094040801" + "01009000"),
        ("no-82", "77069404080101009000"),
        ("no-94", "7704820218809000"),
        ("82-empty", "7708820094040801" + "01009000"),
        ("94-empty", "77068202188094009000"),
        ("82-1", "77098201189404080101009000"),
        ("82-3", "770B8203188000940408010100" + "9000"),
        ("82-twice", "770E820218808202188094040801" + "01009000"),
        ("94-twice", "7710820218809404080101009404080101009000"),
        ("9f71-2", "770F820218809404080101009F710201009000"),
        ("9f71-4", "7711820218809404080101009F7104010000029000"),
        ("9f71-twice", "7716820218809404080101009F71030100029F7103010002" + "9000"),
        ("primitive-cut", "770A820218809404080101" + "9000"),
        ("inside-cut", "77088202188094040801" + "9000"),
    ):
        scene("gpo-" + label, "4.3.6.1, Book 3 7.5", emv(gpo=raw))
    scene("gpo-format-2", "4.3.6.1", emv(format=2))
    scene(
        "gpo-others",
        "note 35: other objects do not count",
        emv(format=2, again="9F36020001" + "9F3602000257009F2701805A02374F"),
    )
    scene("gpo-terminal-data", "A22", emv(format=2, again="9F3501239F6E04000000009F6D0100950500000000009F370400000000"))
    for afl, why in (
        ("", "missing"),
        ("080101", "no multiple of 4"),
        ("0801010008", "no multiple of 4"),
        ("00010100", "SFI 0"),
        ("F8010100", "SFI 31"),
        ("08000100", "first record 0"),
        ("08020100", "last below first"),
        ("08010102", "byte 4 too large"),
        ("080101000801010018010203", "byte 4 too large in the third"),
    ):
        scene("afl-" + why.replace(" ", "-") + "-" + str(len(afl)), "Book 3 7.5: " + why, emv(afl=afl))
    scene("afl-sfi-30", "Book 3 10.2", emv(sfi=30))
    scene("afl-reserved-bits", "Book 3 10.2: three bits of byte 1 are RFU", emv(afl="0F0101001F010100"))
    for aip, word in (("1800", "plain"), ("1840", "mobile"), ("1820", "hosted"), ("1860", "both")):
        for enhanced in (EMV_ONLY, NEITHER, BOTH):
            name = "mode-%s-%s" % (word, enhanced[:2])
            profiles = {} if enhanced == BOTH else {"profiles": [BOOK]}
            scene(name, "2.1.1, Table 2-1", stripe(aip=aip), enhanced=enhanced, stripe=True, **profiles)
    scene("mode-emv-at-emv-only", "2.1.1.1", emv(), enhanced=EMV_ONLY)
    scene("blocked-phone", "4.3.8.1: TVR B3 b6", phone("010003", rules="1F03"), keys="n", amount=1250)
    scene("blocked-no-phone", "4.3.8.1: AIP B2 b7 = 0", emv(results="010003", rules="1F03"))


def record_scenes():
    for status in ("6283", "6A83", "6985", "9001"):
        scene("record-sw-" + status, "5.3.5, Book 3 10.2", emv(recordStatus={(1, 1): status}))
    scene("record-last-sw", "5.3.5", emv(recordStatus={(3, 1): "6A83"}))
    for label, raw in (
        ("cut", "701057"),
        ("77", "77025000"),
        ("none", "5700"),
        ("inside-cut", "7003570541"),
        ("two-70", "7000" + "7000"),
        ("indefinite", "708050000000"),
    ):
        scene("record-" + label, "Book 3 10.3, 7.5", emv(raw={(1, 1): raw}))
    for number, raw in ((11, "0102"), (30, "77025000"), (10, "0102")):
        files = [(1, 1, ["57", "5F20"]), (number, 1, []), (3, 1, MAIN_TAGS)]
        scene("record-sfi-%d" % number, "Book 3 10.3", emv(files=files, raw={(number, 1): raw}), profiles=[BOOK])
    for number, raw in ((11, "0102"), (30, "77025000")):
        files = [(1, 1, ["57", "5F20"]), (2, 1, "chain"), (2, 2, "chain"), (number, 1, []), (3, 1, MAIN_TAGS)]
        for kind, aip in (("sda", "5880"), ("cda", "1980")):
            for label, count, change in (("signed", 1, {}), ("left-out", 1, {"leaves": True}), ("unsigned", 0, {})):
                afl = "0801010010010200%02X0101%02X18010101" % (number << 3, count)
                card = emv(aip=aip, files=files, afl=afl, raw={(number, 1): raw}, **change)
                name = "record-%s-sfi-%d-%s" % (label, number, kind)
                signed(name, "Book 3 10.3: SFI 11 to 30 without 70", card, profiles=[BOOK])
    for number in (10, 11, 30):
        signed("record-hashed-sfi-%d" % number, "Book 3 10.3: SFI 1 to 10 without 70", cda(sfi=number))
        signed("record-hashed-sfi-%d-sda" % number, "Book 3 10.3", sda(sfi=number))
    for tag in ("5A", "5F24", "8C"):
        scene("record-no-" + tag.lower(), "5.3.3, Table 14-3", emv(drop=tag))
        scene("record-empty-" + tag.lower(), "1.4: empty is absent", emv(set={tag: ""}))
    for tag in ("57", "5F20", "5F25", "5F34", "9F08", "9F07", "5F28", "9F42", "9F70", "9F0D", "9F0E", "9F0F"):
        scene("record-without-" + tag.lower(), "note 6: EMV mode does not end", emv(drop=tag))
        scene("record-empty-" + tag.lower(), "1.4: empty is absent", emv(set={tag: ""}))
    for tag, value in (
        ("5F24", "3012"),
        ("5F25", "20010155"),
        ("9F07", "FF"),
        ("9F08", "000100"),
        ("9F42", "97"),
        ("9F70", "FA"),
        ("9F70", "FA0000"),
        ("5F28", "000276"),
        ("9F0D", "00000000"),
        ("9F0E", "000000000000"),
        ("9F0F", "00"),
        ("5F34", "0000"),
    ):
        scene("record-length-%s-%d" % (tag.lower(), len(value) // 2), "Book 3 7.5", emv(set={tag: value}))
    scene("record-length-5a-10", "Book 3 7.5", emv(set={"5A": "374245001741007FFFFF"}), profiles=[BOOK])
    scene("record-length-5a-11", "Book 3 7.5", emv(set={"5A": "374245001741007FFFFFFF"}), profiles=[BOOK])
    files = [(1, 1, ["5F20"]), (3, 1, MAIN_TAGS + ["57"])]
    for size in (19, 20):
        track = ("374245001741007D30122010" + "0" * 40)[: 2 * size]
        card = emv(files=files, account=[int(c) for c in "374245001741007"], set={"57": track})
        scene("record-length-57-%d" % size, "Book 3 7.5", card)
    for date in ("301331", "300031", "30A231", "301200", "300230", "301232"):
        scene("record-5f24-" + date.lower(), "Book 3 7.5", emv(set={"5F24": date}))
        scene("record-5f25-" + date.lower(), "Book 3 7.5", emv(set={"5F25": date}))
    scene("record-name-27", "Book 3 7.5: 5F20 is forgiven", emv(set={"5F20": "41" * 27}))
    scene("record-name-1", "Book 3 7.5: 5F20 is forgiven", emv(set={"5F20": "07"}))
    for tag, value in (("5F34", "00"), ("8C", LONG_CDOL), ("9F70", "FA00"), ("5F28", "0276")):
        scene("record-twice-" + tag.lower(), "Book 3 10.2, 7.5", emv(inRecord={(3, 1): hexed(obj(tag, unhex(value)))}))
    scene("record-twice-other-value", "Book 3 10.2, 7.5", emv(inRecord={(3, 1): "5F340101"}))
    scene("record-twice-two-records", "Book 3 10.2", emv(inRecord={(3, 1): "5F2002414D"}))
    scene(
        "record-twice-unknown",
        "1.4: unknown objects may repeat",
        emv(inRecord={(3, 1): "DF010107DF0101079F7701019F770101"}),
    )
    scene(
        "record-misplaced",
        "note 35: counts only from its command",
        emv(
            inRecord={
                (3, 1): "8202000094009F36020001" + "9F2701009F26080000000000000000" + "9F71030100039F3803" + "9F3704"
            }
        ),
    )
    scene(
        "record-terminal-data",
        "A22: 9F6E, 9F6D, 9F35, 9F33, 95, 9F37, 9F09 are the terminal's",
        emv(inRecord={(3, 1): "9F6E04000000009F6D01009F3501239F330300000095050000000000" + "9F3704000000009F09020009"}),
    )
    scene(
        "record-constructed",
        "1.4: a constructed object is not opened",
        emv(drop="9F07", inRecord={(3, 1): "E105" + "9F07020000"}),
    )
    signed(
        "record-aip-other", "note 35: 82 of a record is not the AIP that 9F4A names", cda(inRecord={(3, 1): "82020000"})
    )
    membership = "9F5A0841424344303031" + "31" + "9F5B04313233349F6701019F25021234"
    scene(
        "membership",
        "14.3, A.4",
        emv(inRecord={(3, 1): membership}),
        kernel4={"discretionaryDataObjectList": "9F5A089F5B209F67019F25025F2001" + "9F1902"},
    )
    scene("membership-absent", "14.3, A.4", emv(), kernel4={"discretionaryDataObjectList": "9F5A089F5B209505"})
    for label, wanted in (
        ("none", None),
        ("terminal", "9F35019F6E049F6D019F33039F1A02"),
        ("card", "9F70029F42025F24035F25038E209F0D05"),
        ("answer", "9F26089F27019F36029F10208202"),
        ("longer", "9505" + "9F3420" + "9F1C08"),
    ):
        scene("discretionary-" + label, "3, A.4, 2.2", emv(), kernel4={"discretionaryDataObjectList": wanted})
        signed("discretionary-%s-approved" % label, "3, A.4", cda(), kernel4={"discretionaryDataObjectList": wanted})
        scene(
            "discretionary-%s-declined" % label,
            "3, A.4",
            emv(answers=AAC),
            kernel4={"discretionaryDataObjectList": wanted},
            enhanced=NO_CONTACT,
        )
    scene(
        "discretionary-phone",
        "3, A.4",
        phone(rules="1F03"),
        keys="n",
        kernel4={"discretionaryDataObjectList": "9F7103"},
    )


def authentication_scenes():
    for capabilities in ("E0F8C8", "E0F8C0", "E0F880", "E0F808", "E0F800", "E0F840"):
        for aip in ("1980", "5880", "5980", "3880", "1880"):
            card = emv(aip=aip) if aip not in ("3880", "1880") else emv(aip=aip, noChain=True)
            name = "oda-%s-%s" % (capabilities[4:].lower(), aip[:2])
            scene(name, "6.2", card, keys="n", terminal={"9F33": capabilities})
    for chain in ("n", "r", "f"):
        for kind, card in (("cda", cda), ("sda", sda)):
            signed("oda-%s-chain-%s" % (kind, chain), "Book 2 5, 6", card(keys=chain), keys=chain)
            signed("oda-%s-no-key-%s" % (kind, chain), "6.2: CA key unknown", card(keys=chain), keys="")
    damages = [
        ("no-8f", {"chainDrop": "8F"}),
        ("no-90", {"chainDrop": "90"}),
        ("no-9f32", {"chainDrop": "9F32"}),
        ("other-index", {"caIndex": "77"}),
        ("no-9f4a", {"tagList": ""}),
        ("9f4a-two", {"tagList": "8284"}),
        ("9f4a-other", {"tagList": "84"}),
        ("prefix-short", {"prefix": "374FFFFF"}),
        ("prefix-other", {"prefix": "374246FF"}),
        ("prefix-9", {"account": [3, 7, 9, 2, 9, 5, 0, 0, 1, 7, 4, 1, 9, 0, 8]}),
        ("prefix-9-other", {"account": [3, 7, 9, 2, 9, 5, 0, 0, 1, 7, 4, 1, 9, 0, 8], "prefix": "379295F9"}),
        ("issuer-expired", {"issuerExpiry": "1026"}),
        ("issuer-expires", {"issuerExpiry": "1126"}),
        ("issuer-month", {"issuerExpiry": "1330"}),
        ("edited", {"editRecord": ("9F0702FF00", "9F0702FF01")}),
        ("list-edited", {"editRecord": ("42031E03", "1E031E03")}),
    ]
    damages += [
        ("issuer-" + word, {"issuerDamage": word})
        for word in "algorithm indicator format hash trailer header short long".split()
    ]
    for label, change in damages:
        signed("cda-" + label, "Book 2 6.2 to 6.4, Table 35", cda(**change))
        signed(
            "cda-%s-tc" % label,
            "Book 2 6, 11.2.4.3",
            cda(answers=TC, **change),
            amount=12000,
            codes={},
            limits=HIGH_FLOOR,
        )
        signed("sda-" + label, "Book 2 5, Table 35", sda(**change))
    more = [
        ("no-9f46", {"chainDrop": "9F46"}),
        ("no-9f47", {"chainDrop": "9F47"}),
        ("no-9f48", {"chainDrop": "9F48"}),
        ("no-8f-9f48", {"chainDrop": "8F 9F48"}),
        ("other-index-no-9f46", {"caIndex": "77", "chainDrop": "9F46"}),
        ("expired", {"cardExpiry": "1026"}),
        ("expires", {"cardExpiry": "1126"}),
        ("other-account", {"certified": [int(c) for c in "374245001741007"]}),
    ]
    more += [
        ("card-" + word, {"cardDamage": word})
        for word in "algorithm indicator format hash trailer header short long".split()
    ]
    for label, change in more:
        signed("cda-" + label, "Book 2 6.4, Table 35", cda(**change))
        signed("cda-%s-no-contact" % label, "6.2.6.3, 11.2.6.1", cda(**change), enhanced=NO_CONTACT, codes={})
    signed("cda-no-92", "Table 35: the issuer key needs 92", cda(keys="r", chainDrop="92"), keys="r")
    signed("sda-no-92", "Table 35: the issuer key needs 92", sda(keys="r", chainDrop="92"), keys="r")
    signed("sda-no-93", "Table 35", sda(chainDrop="93"))
    for word in "format hash header trailer short long".split():
        signed("sda-ssad-" + word, "Book 2 5.4", sda(ssad=word))
    signed("sda-ssad-tc", "11.2.4.3: SDA failed", sda(ssad="hash"), codes={}, amount=1250)
    signed("sda-ssad-tc-codes", "note 21: the failed SDA goes to the issuer", sda(ssad="hash"))
    signed(
        "sda-ssad-tc-asked",
        "11.2.4.3: SDA failed and a TC",
        sda(ssad="hash", set=NO_CODES),
        codes={},
    )
    signed("sda-ssad-tc-no-contact", "11.2.4.3", sda(ssad="hash", set=NO_CODES), codes={}, enhanced=NO_CONTACT)
    signed("oda-revoked", "Book 2 6.3.10", cda(), revoked=[{"rid": RID, "index": "E4", "serial": "000042"}])
    signed("oda-revoked-other", "Book 2 6.3.10", cda(), revoked=[{"rid": RID, "index": "E4", "serial": "000043"}])
    signed("oda-ca-expired", "guarded A15: counts as absent", cda(), caExpires="2026-11-20")
    signed("oda-ca-expires", "guarded A15", cda(), caExpires="2026-11-21")
    signed("oda-ca-expired-sda", "guarded A15: counts as absent", sda(), caExpires="2026-11-20")
    words = "algorithm format hash header trailer short long cid number".split()
    words += ["transaction hash", "with 77", "dynamic short", "number sent", "cid arqc"]
    for word in words:
        label = word.replace(" ", "-")
        signed("sdad-" + label, "Book 2 6.6.2, 11.2.4.3", cda(sdad=word))
        signed("sdad-%s-online" % label, "Book 2 6.6.2, 11.2.6.1", cda(sdad=word), amount=12000, enhanced=NO_CONTACT)
    for label, change in (
        ("missing", {"unsigned": True, "without": "9F26"}),
        ("missing-with-ac", {"unsigned": True}),
        ("with-ac", {"both": True}),
        ("first", {"signatureAt": 0}),
        ("last", {"signatureAt": 9}),
        ("number-2", {"numberSize": 2}),
        ("number-9", {"numberSize": 9}),
        ("no-iad", {"without": "9F10"}),
        ("unknown-objects", {"besides": ["DF010102", "5F340101"]}),
        ("sees-other-amount", {"sees": (5, 1)}),
        ("sees-other-type", {"seesOptions": (0, 0x80)}),
        ("relay-cid", {"relay": ("9F270140", "9F270180")}),
        ("relay-atc", {"relay": ("9F3602", "9F3702")}),
        ("relay-iad", {"relay": ("9F1007060101", "9F1007060201")}),
        ("9f70-late", {"drop": "9F70", "besides": ["9F70020000"]}),
    ):
        signed("cda-" + label, "Book 2 6.6", cda(**change))
    signed("cda-aac", "11.2.2.1: no CDA check", cda(answers=AAC))
    signed("cda-aac-no-contact", "11.2.2.1: TVR B1 b3 not set", cda(answers=AAC), enhanced=NO_CONTACT)
    signed("cda-stray", "6.6: 9F4B beside an AAC", cda(answers=AAC, stray=True))
    signed(
        "cda-denied", "6.2.1.1, .3: AAC while CDA is pending", cda(), kernel4={"tacDenial": "0000008000"}, amount=12000
    )
    signed(
        "cda-denied-no-contact",
        "6.2.1.1",
        cda(),
        kernel4={"tacDenial": "0000008000"},
        amount=12000,
        enhanced=NO_CONTACT,
    )
    signed(
        "cda-denied-failed",
        "note 19: B1 b8 stays 0",
        cda(caIndex="77"),
        kernel4={"tacDenial": "0400000000"},
        enhanced=NO_CONTACT,
    )
    signed(
        "sda-denied",
        "note 19: SDA was performed",
        sda(),
        kernel4={"tacDenial": "0000008000"},
        amount=12000,
        enhanced=NO_CONTACT,
    )
    for label, change in (
        ("apart", {"apart": "8C"}),
        ("no-amount", {"set": {"8C": LONG_CDOL.replace("9F0206", "9F0306")}}),
        ("no-number", {"set": {"8C": LONG_CDOL.replace("9F3704", "9F3604")}}),
        ("no-type", {"set": {"8C": LONG_CDOL.replace("9C01", "9F3501")}}),
        ("short-amount", {"set": {"8C": LONG_CDOL.replace("9F0206", "9F0205")}}),
        ("whole", {"set": {"8C": LONG_CDOL + "9F0206"}}),
    ):
        for reader, more in (
            ("", {}), ("-delayed", {"enhanced": DELAYED}), ("-offline-only", {"terminal": {"9F35": "23"}}),
            ("-no-contact", {"enhanced": NO_CONTACT}),
        ):
            for kept in ("", "-kept"):
                card = cda(**change, **({"answers": TC} if kept else {}))
                signed("list-%s%s%s" % (label, reader, kept), "guarded A35: what is signed", card, **more)
    signed("sda-lowered", "11.2: ARQC after SDA", sda(lowers=ARQC))
    signed("sda-approved", "11.2.4.2; guarded A13: never without CDA", sda())
    signed("sda-approved-no-contact", "11.2.4.2; guarded A13", sda(), enhanced=NO_CONTACT)


def limit_scenes():
    default = {"transaction": 25000, "floor": 5000, "cvmRequired": 15000}
    sets = {
        "3": {"transaction": 2000, "floor": 1000, "cvmRequired": 1500},
        "15": {"floor": 100},
        "1": {"cvmRequired": 900},
    }
    dynamic = {"dynamicLimits": {"default": default, "sets": sets}}
    for paper in ("FA00", "FA03", "FA0F", "FA01", "FA07", "FAF3", None):
        card = {"drop": "9F70"} if paper is None else {"set": {"9F70": paper}}
        for amount in (900, 901, 1000, 1001, 1500, 1999, 2000, 5000, 5001, 15000, 24999, 25000):
            name = "limit-%s-%d" % (paper or "none", amount)
            SCENES.append(
                ("?" + name, {"source": "C-4 7.2.1", "cards": [emv(**card)], "amount": amount, "kernel4": dynamic})
            )
    scene("limit-no-9f70", "7.2.1.2", emv(drop="9F70"), amount=5001, kernel4=dynamic)
    for paper, word in (("FA03", "set-3"), ("DA03", "set-3-no-contact"), ("FA00", "default")):
        for enhanced in (BOTH, NO_CONTACT):
            scene(
                "limit-refused-%s-%s" % (word, enhanced[:2]),
                "7.2.1.7, .8",
                emv(set={"9F70": paper}),
                amount=25000,
                kernel4=dynamic,
                enhanced=enhanced,
            )
    magstripe(
        "limit-refused-stripe", "7.2.1.8: mag-stripe mode", stripe(set={"9F70": "FA03"}), amount=2000, kernel4=dynamic
    )
    magstripe("limit-refused-stripe-no-57", "1.4: after the limits", stripe(drop="5F25"), amount=25000, kernel4=dynamic)
    magstripe(
        "limit-refused-stripe-no-atc", "1.4: after the limits", stripe(getData="6A88"), amount=25000, kernel4=dynamic
    )
    scene(
        "limit-empty-default",
        "7.2.1.4 to .6: not in the set",
        emv(),
        amount=25000,
        kernel4={"dynamicLimits": {"default": {}}},
    )
    scene(
        "limit-floor-down",
        "7.2.1.5: both ways",
        emv(),
        amount=12000,
        kernel4={"dynamicLimits": {"default": {"floor": 12000}}},
    )
    scene(
        "limit-cvm-down",
        "7.2.1.6: both ways",
        emv(),
        amount=25000,
        kernel4={"dynamicLimits": {"default": {"cvmRequired": 25001}}},
    )
    scene(
        "limit-cvm-up",
        "7.2.1.6: both ways",
        emv(),
        amount=1250,
        kernel4={"dynamicLimits": {"default": {"cvmRequired": 1250}}},
    )
    for word, change in (("covered", {}), ("uncovered", {"apart": "9F70"}), ("no-chain", {"caIndex": "77"})):
        for amount in (1250, 2500, 16000, 24999):
            signed(
                "limit-%s-%d" % (word, amount),
                "7.2.1.1; guarded: the lower of set and default",
                cda(**dict({"set": {"9F70": "FA04"}}, **change)),
                amount=amount,
                kernel4={
                    "dynamicLimits": {
                        "default": default,
                        "sets": {"4": {"transaction": 29000, "floor": 2000, "cvmRequired": 20000}},
                    }
                },
            )
    for amount, word in (
        (0, "zero"),
        (10000, "floor"),
        (10001, "floor-above"),
        (19999, "cvm-below"),
        (20000, "cvm"),
        (29999, "below"),
        (30000, "transaction"),
    ):
        scene("entry-" + word, "Book B 3.1.1", emv(), amount=amount)
        signed("entry-%s-signed" % word, "Book B 3.1.1", cda(), amount=amount)
    scene("entry-terminal-floor", "Book B 3.1.1.7", emv(), amount=5001, limits={"terminalFloor": 5000}, profiles=[BOOK])
    scene("entry-no-limits", "Book B 3.1.1: absent is no limit", emv(), amount=500000, limits={}, profiles=[BOOK])
    for rule in ("notAllowed", "offlineAllowed", "online"):
        for kind in ("22", "23", "21"):
            signed(
                "entry-zero-%s-%s" % (rule, kind),
                "10.2.2, Book B 3.1.1.4",
                cda(),
                amount=0,
                row={"zeroAmount": rule},
                terminal={"9F35": kind},
            )
    for kind in ("22", "23", "21"):
        signed(
            "entry-status-%s" % kind,
            "10.2.2.3, Book B 3.1.1.3",
            cda(),
            amount=100,
            row={"statusCheck": True},
            terminal={"9F35": kind},
        )
    signed("entry-status-other-amount", "Book B 3.1.1.3", cda(), amount=101, row={"statusCheck": True})
    signed("entry-status-off", "Book B 3.1.1.3", cda(), amount=100)
    signed(
        "entry-status-denied",
        "10.2.2.4: an AAC stays",
        cda(expiry="261031"),
        amount=100,
        row={"statusCheck": True},
        kernel4={"tacDenial": "0040000000"},
    )
    signed("entry-zero-no-line", "10.2.2.1 after 10.2.1.3.3", cda(), amount=0, kernel4={"onlineAvailable": False})
    signed(
        "entry-zero-no-line-no-contact",
        "10.2.2.1",
        cda(),
        amount=0,
        kernel4={"onlineAvailable": False},
        enhanced=NO_CONTACT,
    )
    signed(
        "entry-autorun",
        "Book B 3.2.1.1: indicators are 0",
        cda(),
        amount=25000,
        autorun={"type": "00", "amount": 25000},
        profiles=[BOOK],
    )
    scene("ppse-kernel-04", "Book B 3.3.2.5", emv(directory="610E4F08A0000000250104029F2A0104"))
    scene("ppse-kernel-00", "Book B 3.3.2.5", emv(directory="610E4F08A0000000250104029F2A0100"), profiles=[BOOK])
    scene("ppse-other-kernel", "Book B 3.3.2.5", emv(directory="610E4F08A0000000250104029F2A0103"))
    scene("ppse-other-network", "Book B 3.3.2.7", emv(directory="61094F07A0000000031010"))
    scene("select-refused", "Book B 3.3.3.5", emv(selectStatus="6A82"))
    scene("select-refused-next", "Book B 3.3.3.5", emv(selectStatus="6A82", others=[emv(aid=NAME[:6] + b"\1\4\1")]))


def restriction_scenes():
    for expiry in ("261120", "261121", "261122", "261031", "491231", "991231", "500131"):
        scene("expiry-" + expiry, "7.2.2.3.2", emv(expiry=expiry))
    for date in ("261121", "261122", "261120", "991231", "500101", "490101"):
        scene("effective-" + date, "7.2.2.3.1", emv(set={"5F25": date}))
    scene("version-differs", "7.2.2.1.1", emv(set={"9F08": "0002"}))
    scene("version-configured", "7.2.2.1.1; note 7", emv(set={"9F08": "0002"}), data={"9F09": "0002"})
    for auc in "0100 0200 03C0 FF00 2100 0900 1100 0500 8100 4100 2180 1140 0000 A140 FEC0".split():
        for kind, other in (("00", 0), ("01", 0), ("09", 500), ("00", 500), ("20", 0)):
            for country in ("0276", "0840", None):
                change = (
                    {"drop": "5F28", "set": {"9F07": auc}}
                    if country is None
                    else {"set": {"9F07": auc, "5F28": country}}
                )
                SCENES.append(
                    (
                        "?usage-%s-%s-%d-%s" % (auc, kind, other, country),
                        {
                            "source": "C-4 7.2.2.2, Book 3 10.4.2, Table 36",
                            "type": kind,
                            "other": other,
                            "cards": [emv(rules="1F001E00", **change)],
                            "profiles": [BOOK],
                        },
                    )
                )
    for auc, country in (("2180", "0276"), ("1140", "0840"), ("2140", "0276")):
        card = emv(rules="1F00", set={"9F07": auc, "5F28": country})
        scene("usage-cashback-%s-%s" % (auc, country), "7.2.2.2", card, type="09", other=500, profiles=[BOOK])
    for auc in ("0280", "8200", "8100", "0100"):
        for kind in ("14", "15", "16", "24"):
            terminal = {"9F35": kind, "9F40": "F000B0A001"}
            scene(
                "usage-atm-%s-%s" % (auc, kind), "7.2.2.2.3, .4", emv(set={"9F07": auc}), type="01", terminal=terminal
            )
    scene("usage-not-atm", "7.2.2.2.4: 9F40 B1 b8", emv(set={"9F07": "8200"}), type="01", terminal={"9F35": "14"})
    for paper in ("FA00", "FA80", "FAC0", "FAA0", "FAE0", "FA60"):
        for country in ("0276", "0840"):
            for enhanced in (DELAYED, BOTH):
                signed(
                    "delayed-usage-%s-%s-%s" % (paper[2:], country[1:], enhanced[6:]),
                    "7.2.3.1",
                    cda(set={"9F70": paper, "5F28": country}),
                    enhanced=enhanced,
                )
    signed("delayed-usage-none", "5.3: allowed", cda(drop="9F70"), enhanced=DELAYED)
    signed("delayed-usage-no-country", "7.2.3.1: skipped", cda(drop="5F28", set={"9F70": "FA80"}), enhanced=DELAYED)
    scene("listed", "9.2.4.1", emv(), listed={})
    scene("listed-sequence", "9.2.4.1", emv(), listed={"sequence": "00"})
    scene("listed-other-sequence", "9.2.4.1", emv(), listed={"sequence": "01"})
    scene("listed-other-account", "9.2.4.1", emv(), exceptions=[{"pan": "374245001741007"}])
    scene("risk-not-asked", "9.1.1: AIP B1 b4 = 0", emv(aip="1080"), amount=12000)


def verification_scenes():
    above = {"amount": 25000, "limits": HIGH_FLOOR}
    lists = (
        "42031E031F03 1E031F03 1F03 1F031E03 0003 4003 0000 4000 02031E03 02001E00 42001E00 1E00 1F00 5F00"
        " 5E03 0103 4103 01001E00 41001E00 03001E00 04001E00 05001E00 03031E03 2A001E00 6A001E00 3F001E00"
        " 2A031E03 42011E02 42021E01 42041E05 42061E07 42071E06 42081E09 42091E08 420A1E80 1F0342031E03"
        " 1F0542031E03 1E0142051F02 1E0A 0A0A 40034203 1F001E031E03"
    ).split()
    for rules in lists:
        for amount in (25000, 1250):
            for kind, enhanced in (
                ("22", BOTH),
                ("22", NO_CONTACT),
                ("26", "58C00003"),
                ("22", "58A00003"),
                ("22", "58600003"),
            ):
                SCENES.append(
                    (
                        "?cvm-%s-%d-%s-%s" % (rules.lower(), amount, kind, enhanced[:4].lower()),
                        {
                            "source": "C-4 8.2",
                            "cards": [emv(rules=rules)],
                            "amount": amount,
                            "terminal": {"9F35": kind},
                            "enhanced": enhanced,
                        },
                    )
                )
        scene(
            "cvm-above-" + rules.lower(),
            "8.2.1.1, 8.2.3.1",
            emv(rules=rules),
            enhanced=NO_CONTACT,
            profiles=[BOOK],
            **above
        )
    for rules in ("42031E031F03", "1E03", "0003", "1F03", "01001E00"):
        scene("cvm-above-contact-" + rules.lower(), "8.2.5", emv(rules=rules), profiles=[BOOK], **above)
        scene("cvm-below-" + rules.lower(), "8.2.6.2", emv(rules=rules))
        signed("cvm-signed-" + rules.lower(), "8.2; guarded: the list is covered", cda(rules=rules), **above)
        change = {"apart": "8E"}
        signed(
            "cvm-apart-" + rules.lower(),
            "guarded A04, A05: the list is not covered",
            cda(rules=rules, **change),
            **above
        )
        signed(
            "cvm-no-key-" + rules.lower(),
            "guarded A04: nothing is covered",
            cda(rules=rules, caIndex="77"),
            kernel4={"tacDenial": "0400000000"},
            enhanced=NO_CONTACT,
            **above
        )
        magstripe("cvm-stripe-" + rules.lower(), "8.2.5.5", stripe(rules=rules), profiles=[BOOK], **above)
        for unable in ("no-pin", "delayed", "offline-only"):
            enhanced = {"no-pin": "DCA00003", "delayed": DELAYED, "offline-only": BOTH}[unable]
            terminal = {"9F35": "23"} if unable == "offline-only" else {}
            signed(
                "cvm-%s-%s" % (unable, rules.lower()),
                "note 41",
                cda(rules=rules),
                enhanced=enhanced,
                terminal=terminal,
                **above
            )
    scene("cvm-unset-above", "8.2.1.2: AIP B1 b5 = 0", emv(aip="0880"), **above)
    scene("cvm-unset-above-no-contact", "8.2.1.2, 8.2.5.4", emv(aip="0880"), enhanced=NO_CONTACT, **above)
    scene("cvm-unset-above-card-no-contact", "8.2.5.3", emv(aip="0880", set={"9F70": "DA00"}), **above)
    scene("cvm-unset-above-no-9f70", "8.2.5.2", emv(aip="0880", drop="9F70"), **above)
    scene("cvm-unset-below", "8.2.6.2.4", emv(aip="0880"))
    scene("cvm-unset-below-odd", "8.2.6.2.4: the list is not looked at", emv(aip="0880", rules="1F"))
    for label, change in (("none", {"drop": "8E"}), ("empty", {"set": {"8E": ""}}), ("x-y", {"rules": ""})):
        scene("cvm-list-%s-above" % label, "8.2.2.1.1", emv(**change), profiles=[BOOK], **above)
        scene("cvm-list-%s-below" % label, "8.2.6.2.1", emv(**change))
        scene("cvm-list-%s-phone" % label, "8.2.6.1.2; note 11", phone(**change), keys="n")
    for label, change in (
        ("odd", {"rules": "1F"}),
        ("short", {"set": {"8E": "00000000000000"}}),
        ("one", {"set": {"8E": "00"}}),
    ):
        scene("cvm-list-%s-above" % label, "Book 3 10.5, 7.5", emv(**change), **above)
        scene("cvm-list-%s-below" % label, "Book 3 10.5, 7.5", emv(**change))
    for x, rules in (
        ("000004E2", "1E064200"),
        ("000004E1", "1E064200"),
        ("000004E3", "1E064200"),
        ("000004E2", "1E074200"),
        ("000004E1", "1E074200"),
        ("FFFFFFFF", "42061E00"),
    ):
        scene(
            "cvm-x-%s-%s" % (x.lower(), rules[:4].lower()),
            "Table 44",
            emv(set={"8E": x + "00000000" + rules}),
            kernel4={},
        )
        y = emv(set={"8E": "00000000" + x + rules.replace("06", "08").replace("07", "09")})
        scene("cvm-y-%s-%s" % (x.lower(), rules[:4].lower()), "Table 44", y)
    for word, change in (("absent", {"drop": "9F42"}), ("other", {"set": {"9F42": "0840"}})):
        scene("cvm-currency-" + word, "Table 44", emv(rules="1E081E094200", **change))
    for kind, other in (("01", 0), ("09", 500)):
        for terminal_type in ("22", "25"):
            for rules in ("1E014200", "1E024200", "1E044200", "1E054200"):
                name = "cvm-kind-%s-%s-%s" % (kind, terminal_type, rules[:4].lower())
                scene(
                    name,
                    "Table 44",
                    emv(rules=rules),
                    type=kind,
                    other=other,
                    terminal={"9F35": terminal_type},
                    profiles=[BOOK],
                )
    scene("cvm-none-not-reader", "8.2.6.2.2: 9F33 B2 b4", emv(rules="1F031E03"), terminal={"9F33": "E0F0C8"})
    scene(
        "cvm-none-always", "8.2.6.2.2: condition 00 asks no support", emv(rules="1F001E03"), terminal={"9F33": "E0F0C8"}
    )
    results = "010002 010302 010001 010003 010000 3F0300 3F0003 3F0002 020302 010007".split()
    for value in results:
        for rules in ("410342031F03", "4103"):
            name = "phone-%s-%s" % (value.lower(), rules.lower())
            two = phone(value, rules=rules)
            signed(name + "-below", "8.2.6.1", two, phone(value, rules=rules))
            signed(name + "-above", "8.2.4", two, phone(value, rules=rules), **above)
        signed(
            "phone-%s-no-contact" % value.lower(),
            "8.2.4",
            phone(value, rules="4103"),
            phone(value, rules="4103"),
            enhanced=NO_CONTACT,
            **above
        )
    signed("phone-then-good", "8.2.4.1.4, .5", phone("3F0300"), phone("010302"), **above)
    signed("phone-then-blocked", "8.2.4.1.2", phone("3F0300"), phone("010303"), **above)
    signed("phone-then-failed-below", "8.2.6.1.1", phone("010001"), phone("010001"))
    signed("phone-then-card", "Book A B.9", phone("3F0300"), cda(rules="1E03"), **above)
    no_results = {"aip": "19C0", "rules": "410342031F03"}
    signed("phone-no-results", "8.2.4.1.1", dict(no_results), **above)
    signed("phone-no-results-below", "8.2.6.1", dict(no_results))
    signed("phone-no-results-unable", "note 16", dict(no_results, rules="4103"), enhanced=NO_CONTACT, **above)
    signed(
        "phone-fail-cvm",
        "note 16: Fail CVM after a phone that failed",
        phone("010003", rules="41030000"),
        enhanced=NO_CONTACT,
        **above
    )
    signed("phone-not-mobile", "note 40: AIP B2 b7 = 0", cda(results="010002", rules="010042031F03"), **above)
    signed("phone-not-mobile-condition", "note 40", cda(results="010002", rules="410342031F03"), **above)
    signed("phone-reader-does-not", "8.2.3.3", phone(rules="410042031F03"), enhanced="D4600003", **above)
    for label, change in (("covered", {}), ("not-covered", {"tagList": ""}), ("no-key", {"caIndex": "77"})):
        signed("phone-" + label, "guarded: the AIP must be covered", phone(rules="410042031F03", **change), **above)
        signed("phone-%s-condition" % label, "guarded: the AIP must be covered", phone(**change), **above)
        signed("phone-%s-below" % label, "guarded: the AIP must be covered", phone(rules="4100", **change))
    signed("phone-strict-online-pin", "strict: the claim does not count above the limit; guarded", phone(), **above)
    signed("phone-strict-below", "strict: below the limit the claim counts; guarded", phone(rules="4103"))
    signed("phone-6984", "11.2.3.1", phone(rules="1F03", status="6984"), phone(rules="1F03"))
    for rules in ("010342031F03", "01031E03"):
        signed("phone-last-%s" % rules.lower(), "note 14: bit 7 = 0, next rule", phone("010003", rules=rules), **above)
    signed("phone-6984-left", "Table 11-3", phone(rules="1F03", status="6984"))
    signed("phone-then-left", "Table 8-2", phone("3F0300"), **above)
    signed("phone-6984-twice", "11.2.3.2", phone(rules="1F03", status="6984"), phone(rules="1F03", status="6984"))
    signed(
        "phone-6984-then-failed",
        "note 2: 6984 restarts too",
        phone(rules="1F03", status="6984"),
        phone("010001", rules="1F03"),
    )
    signed(
        "phone-failed-then-6984",
        "note 2: the mobile Try Again restarts too",
        phone("3F0300"),
        phone("010302", status="6984"),
        **above
    )
    signed("phone-6984-card", "11.2.3.1: not only phones", emv(status="6984"), emv())


def action_scenes():
    for kind in ("21", "22", "23", "24", "25", "26"):
        for amount in (1250, 12000):
            for line in (True, False):
                for label, card in (("cda", cda()), ("none", emv(set=NO_CODES)), ("sda", sda())):
                    name = "taa-%s-%d-%s%s" % (kind, amount, label, "" if line else "-no-line")
                    more = {} if line else {"kernel4": {"onlineAvailable": False}}
                    codes = {} if label == "none" else CODES
                    SCENES.append(
                        (
                            "?" + name,
                            {
                                "source": "C-4 10.2.1, 11.2",
                                "cards": [card],
                                "keys": "n",
                                "amount": amount,
                                "terminal": {"9F35": kind},
                                "codes": codes,
                                **more,
                            },
                        )
                    )
    bits = "8000000000 4000000000 0080000000 0040000000 0020000000 0010000000 0000008000 0000200000".split()
    for code in bits:
        for place in ("9F0E", "9F0F", "9F0D"):
            codes = dict(NO_CODES, **{place: code})
            card = emv(set=codes, expiry="261031") if code[2:4] == "40" else emv(set=codes)
            scene("iac-%s-%s" % (place[2:].lower(), code), "10.2.1", card, codes={}, amount=12000)
        name = {"tacDenial": "d", "tacOnline": "o", "tacDefault": "u"}
        for place, letter in name.items():
            more = {"kernel4": {"onlineAvailable": False}} if place == "tacDefault" else {}
            codes = {place: code}
            if place == "tacDefault":
                codes["tacOnline"] = "8000000000"
            scene("tac-%s-%s" % (letter, code), "10.2.1", emv(set=NO_CODES), codes=codes, amount=12000, **more)
    for tag in ("9F0D", "9F0E", "9F0F"):
        card = emv(set={key: value for key, value in NO_CODES.items() if key != tag}, drop=tag)
        scene("iac-absent-" + tag.lower(), "10.2.1, Book 3 10.7", card, codes={})
        scene(
            "iac-absent-%s-no-line" % tag.lower(),
            "Book 3 10.7",
            card,
            codes={"tacOnline": "8000000000"},
            kernel4={"onlineAvailable": False},
        )
    for asked in ("tc", "arqc", "aac"):
        more = {
            "tc": {"amount": 1250, "codes": {}},
            "arqc": {"amount": 12000},
            "aac": {"amount": 12000, "codes": {"tacDenial": "0000008000"}},
        }[asked]
        for answered, word in ((AAC, "aac"), (TC, "tc"), (ARQC, "arqc"), (RFU, "rfu")):
            for label, card in (("none", emv(set=NO_CODES, answers=answered)), ("cda", cda(answers=answered))):
                for enhanced in (BOTH, NO_CONTACT, DELAYED):
                    name = "ac-%s-%s-%s-%s" % (asked, word, label, enhanced[:2] + enhanced[6:])
                    scene(name.lower(), "11.2.2 to 11.2.6", card, keys="n", enhanced=enhanced, **more)
            card = stripe(set=NO_CODES, answers=answered)
            magstripe("ac-%s-%s-stripe" % (asked, word), "12.2.1.2.1, note 23", card, enhanced=NO_CONTACT, **more)
    scene("cid-low-bits", "11.2.2: CID b8-7 alone", emv(reason=9))
    signed("cid-low-bits-signed", "Book 2 6.6.2 step 6: the whole CID", cda(reason=9))
    plain = {"codes": {}}
    for kind in ("22", "23", "26", "21"):
        for label, card in (
            ("none", emv(set=NO_CODES, lowers=ARQC)),
            ("none-tc", emv(set=NO_CODES)),
            ("cda", cda(lowers=ARQC)),
            ("sda-tc", sda()),
            ("cda-tc", cda()),
        ):
            for enhanced in (BOTH, NO_CONTACT, DELAYED):
                name = "ends-%s-%s-%s" % (kind, label, enhanced[:2] + enhanced[6:])
                scene(
                    name.lower(), "11.2.4, 11.2.6", card, keys="n", terminal={"9F35": kind}, enhanced=enhanced, **plain
                )
        for enhanced in (BOTH, NO_CONTACT, DELAYED):
            for label, aip in (("none", "1800"), ("cda", "1900"), ("sda", "5800")):
                name = "ends-stripe-%s-%s-%s" % (kind, label, enhanced[:2] + enhanced[6:])
                card = stripe(aip=aip, set=NO_CODES, lowers=ARQC)
                magstripe(
                    name.lower(),
                    "11.2.6, note 26, note 37",
                    card,
                    keys="n",
                    terminal={"9F35": kind},
                    enhanced=enhanced,
                    **plain
                )
    signed("delayed-sda", "11.2.6.3.1; guarded: never SDA", sda(lowers=ARQC), enhanced=DELAYED)
    signed("delayed-sda-failed", "note 26", sda(ssad="hash", set=NO_CODES), enhanced=DELAYED, codes={})
    signed(
        "delayed-above-stripe",
        "11.2.6.3.1; guarded",
        stripe(aip="1900", lowers=ARQC, rules="1E03"),
        enhanced=DELAYED,
        amount=25000,
        stripe=True,
    )
    signed(
        "no-line-no-contact", "11.2.6.2.2", cda(lowers=ARQC), kernel4={"onlineAvailable": False}, enhanced=NO_CONTACT
    )
    signed("no-line", "11.2.6.2.2", cda(lowers=ARQC), kernel4={"onlineAvailable": False})
    signed("approved-signature", "13.2: 1A", cda(rules="1E03"), amount=25000, limits=HIGH_FLOOR)
    signed("online-signature", "Table 12-4", cda(rules="1E03", lowers=ARQC), amount=25000, limits=HIGH_FLOOR)
    for status in ("6985", "6283", "6F00", "9001", "6300"):
        scene("ac-sw-" + status, "note 38", emv(status=status))
        signed("ac-sw-%s-signed" % status, "note 38", cda(status=status), enhanced=NO_CONTACT)
    for enhanced, paper in ((BOTH, "FA00"), (NO_CONTACT, "FA00"), (BOTH, "DA00")):
        for label, change in (
            ("template", {"template": "70"}),
            ("cut", {"cut": "9F10"}),
            ("no-cid", {"without": "9F27"}),
            ("no-atc", {"without": "9F36"}),
            ("no-ac", {"without": "9F26"}),
            ("cid-2", {"says": {"9F27": "8000"}}),
            ("atc-1", {"says": {"9F36": "01"}}),
            ("ac-7", {"says": {"9F26": "01020304050607"}}),
            ("iad-33", {"says": {"9F10": "06" * 33}}),
            ("cid-twice", {"besides": ["9F270180"]}),
            ("iad-twice", {"besides": ["9F100106"]}),
            ("atc-twice", {"besides": ["9F36020001"]}),
            ("plain-10", {"rawAnswer": "800A8000010102030405060708"[:24]}),
            ("plain-44", {"rawAnswer": "802C80" + "00" * 43}),
            ("empty", {"rawAnswer": ""}),
            ("two", {"rawAnswer": "77008000"}),
        ):
            scene(
                "format-%s-%s-%s" % (label, enhanced[:2].lower(), paper.lower()),
                "11.2.1",
                emv(set={"9F70": paper}, **change),
                enhanced=enhanced,
            )
    scene("format-no-9f70", "11.2.1: 9F70 is absent", emv(drop="9F70", template="70"))
    scene("format-1", "11.2.1", emv(plain=True))
    scene("format-1-no-iad", "11.2.1", emv(plain=True, says={"9F10": ""}))
    scene("format-1-iad-32", "11.2.1", emv(plain=True, says={"9F10": "06" * 32}))
    scene("format-1-aac", "11.2.1", emv(plain=True, answers=AAC))
    signed("format-1-cda-aac", "11.2.1.2: an AAC may", cda(plain=True, answers=AAC), enhanced=NO_CONTACT)
    for enhanced in (BOTH, NO_CONTACT):
        signed("format-1-cda-tc-" + enhanced[:2].lower(), "11.2.1.2, .4", cda(plain="always"), enhanced=enhanced)
        signed(
            "format-1-cda-arqc-" + enhanced[:2].lower(),
            "11.2.1.2, .4",
            cda(plain="always"),
            amount=12000,
            enhanced=enhanced,
        )
    scene("format-iad-32", "11.2.1", emv(says={"9F10": "06" * 32}))
    scene(
        "format-others",
        "note 35: what does not count",
        emv(besides=["9F70020000", "82020000", "5A02374F", "DF0100", "DF0100"]),
    )
    scene("format-stray", "11.2.1: 9F4B without CDA", emv(stray=True))
    for label, cdol in (
        ("cut", LONG_CDOL + "9F"),
        ("no-length", "9F37"),
        ("256", "9F3704DF7CFC"),
        ("255", "9F3704DF7CFB"),
        ("1", "9C01"),
    ):
        scene("cdol-" + label, "Book 3 7.5, 5.4", emv(set={"8C": cdol}))
    for place, fault in ((3, "removed"), (4, "timeout"), (5, "transmission"), (6, "protocol"), (6, "removed")):
        again = emv()
        scene("fault-%d-%s" % (place, fault), "2.2.1; note 3", emv(faults={place: fault}), again)
        scene("fault-%d-%s-left" % (place, fault), "2.2.1; note 3", emv(faults={place: fault}))
    magstripe("fault-stripe", "2.2.1", stripe(faults={6: "timeout"}), stripe())
    signed(
        "fault-not-restarted",
        "note 2: a torn tap costs no second chance",
        phone("3F0300", faults={5: "removed"}),
        phone("3F0300"),
        phone("010302"),
        amount=25000,
        limits=HIGH_FLOOR,
    )
    signed(
        "fault-after-restart",
        "note 2",
        phone("3F0300"),
        phone("010302", faults={6: "timeout"}),
        phone("3F0302"),
        amount=25000,
        limits=HIGH_FLOOR,
        profiles=[BOOK],
    )


def stripe_scenes():
    magstripe("stripe-online", "12.2.1", stripe())
    for label, raw in (
        ("6a88", "6A88"),
        ("6283", "9F360200016283"),
        ("empty", "9000"),
        ("1-byte", "9F3601019000"),
        ("3-bytes", "9F36030000019000"),
        ("other-tag", "9F130200019000"),
        ("cut", "9F3602009000"),
        ("in-77", "77059F360200019000"),
        ("twice", "9F360200019F360200019000"),
    ):
        magstripe("stripe-get-data-" + label, "7.2.4.1; note 29", stripe(getData=raw))
    for tag in ("57", "5F20", "5F25"):
        magstripe("stripe-no-" + tag.lower(), "7.2.4.1", stripe(drop=tag))
        magstripe("stripe-empty-" + tag.lower(), "7.2.4.1", stripe(set={tag: ""}))
    for label, change in (
        ("5a-14", {"5A": "37424500174100"}),
        ("5a-16", {"5A": "3742450017410071"}),
        ("5a-letter", {"5A": "3742450017A1007F"}),
        ("5a-ff", {"5A": "374245001741007FFF"}),
        ("57-14", {"57": "37424500174100D3012201FF"}),
        ("57-16", {"57": "3742450017410071D3012201"}),
        ("57-letter", {"57": "3742450A1741007D30122010"}),
        ("57-month-letter", {"57": "374245001741007D30A22010"}),
        ("57-service-letter", {"57": "374245001741007D30122A10"}),
        ("57-short", {"57": "374245001741007D301220FF"}),
        ("57-exact", {"57": "374245001741007D3012201F"}),
        ("57-cut", {"57": "374245001741007D30122F"}),
    ):
        magstripe("stripe-" + label, "note 28", stripe(set=change), profiles=[BOOK])
    magstripe(
        "stripe-other-account",
        "note 28: whether they agree is not asked",
        stripe(set={"57": "374245001741015D30122010"}),
        profiles=[BOOK],
    )
    magstripe(
        "stripe-other-expiry",
        "12.2.1.3: expiry of 5F24, service of 57",
        stripe(set={"57": "374245001741007D25052260"}, account=[int(c) for c in "374245001741007"]),
        profiles=[BOOK],
    )
    names = (
        b"A",
        b"ABCDEFGHIJKLMNOPQRSTU",
        b"ABCDEFGHIJKLMNOPQRSTUV",
        b"A^B%C?D;E",
        b"A\x7fB\x1fC\x80D\xffE",
        b"~ !/",
        b"^" * 26,
    )
    for name in names:
        magstripe("stripe-name-%s" % name.hex(), "12.2.1.3; note 42", stripe(set={"5F20": hexed(name)}))
    for cryptogram in (
        "123569ABCD112987",
        "34008DDE8A57918A",
        "FFFFFFFFFF000000",
        "0000000000FFFFFF",
        "00000000000186A0",
        "000000000001869F",
        "0000000000002710",
        "000000000000270F",
    ):
        magstripe("stripe-ac-" + cryptogram[10:].lower(), "12.2.1.3", stripe(cryptogram=cryptogram))
    for atc in (0, 1, 9999, 10000, 65535):
        card = stripe(getData="9F3602%04X9000" % atc, says={"9F36": "%04X" % atc})
        magstripe("stripe-atc-%d" % atc, "12.2.1.3", card)
    magstripe("stripe-atc-differs", "12.2.1.1.1", stripe(drift=1))
    magstripe("stripe-atc-differs-aac", "note 23: an AAC ends before", stripe(drift=1, answers=AAC))
    magstripe("stripe-format-1", "12.2.1", stripe(plain=True))
    magstripe("stripe-cdol", "10.2.3.1: 9F37 before CDOL1", stripe(set={"8C": LONG_CDOL}))
    for effective in ("260131", "200115", "000131", "001201", "500131", "991231"):
        for number in ("00000000", "FFFFFFFF", "0000003C", "0000003D", "0000000C", "80000001"):
            SCENES.append(
                (
                    "?stripe-un-%s-%s" % (effective, number.lower()),
                    {
                        "source": "C-4 10.2.3.1",
                        "cards": [stripe(set={"5F25": effective})],
                        "random": number + "A1A2A3A4A5A6A7A8A9AAABAC",
                        "stripe": True,
                        "profiles": [BOOK],
                    },
                )
            )
    for span in (60, 61, 119, 1200, 65535):
        magstripe("stripe-range-%d" % span, "10.2.3.1", stripe(), kernel4={"unpredictableNumberRange": span})
    for enhanced in (BOTH, NO_CONTACT):
        for label, change in (
            ("good", {}),
            ("wrong", {"sdad": "hash"}),
            ("number-wrong", {"sdad": "number sent"}),
            ("no-key", {"caIndex": "77"}),
            ("tc", {"answers": TC}),
            ("drift", {"drift": 1}),
            ("drift-wrong", {"drift": 1, "sdad": "hash"}),
        ):
            magstripe(
                "stripe-cda-%s-%s" % (label, enhanced[:2].lower()),
                "6, 12.2.1; guarded: CDA in common",
                stripe(aip="1900", lowers=ARQC, **change) if "answers" not in change else stripe(aip="1900", **change),
                keys="n",
                enhanced=enhanced,
            )
    magstripe("stripe-sda", "6.2.5", stripe(aip="5800", lowers=ARQC), keys="n")
    magstripe(
        "stripe-phone",
        "2.1.5",
        stripe(aip="1940", results="010002", rules="42014103", lowers=ARQC),
        keys="n",
        amount=1250,
    )
    magstripe(
        "stripe-phone-above",
        "8.2.4",
        stripe(aip="1940", results="010302", rules="42014103", lowers=ARQC),
        keys="n",
        amount=25000,
        limits=HIGH_FLOOR,
    )
    magstripe("stripe-denied", "11.2.5.1", stripe(expiry="261031"), codes={"tacDenial": "0040000000"})
    magstripe(
        "stripe-denied-no-contact",
        "11.2.5.1",
        stripe(expiry="261031"),
        codes={"tacDenial": "0040000000"},
        enhanced=NO_CONTACT,
    )
    magstripe("stripe-approved-online", "12.2.2.1", stripe(), online(arc="00"))
    magstripe("stripe-pin-online", "12.2.2.2", stripe(), online(arc="13"), {"pin": "captured"}, online(arc="00"))


def answer_scenes():
    """12.2.2: Start D."""
    contact_or_not = ((BOTH, "FA00"), (NO_CONTACT, "FA00"), (BOTH, "DA00"))
    for enhanced, paper in contact_or_not:
        for arc in ("00", "08", "10", "11", "12", "13", "05", "01", "Z3", "Y1"):
            scene(
                "arc-%s-%s-%s" % (arc.lower(), enhanced[:2].lower(), paper.lower()),
                "12.2.2.1, .2",
                emv(set={"9F70": paper}, rules="1E031F03" if arc != "13" else "42031F03"),
                online(arc=arc),
                enhanced=enhanced,
            )
        for label, answer in (
            ("none", online()),
            ("no-line", NO_LINE),
            ("other", {"online": {"8A": "30"}}),
            ("binary", {"online": {"8A": "0000"}}),
        ):
            scene(
                "arc-%s-%s-%s" % (label, enhanced[:2].lower(), paper.lower()),
                "12.2.2",
                emv(set={"9F70": paper}),
                answer,
                enhanced=enhanced,
            )
        for label, change, more in (
            ("no-rule", {"rules": "1E031F03"}, {}),
            ("no-list", {"drop": "8E"}, {}),
            ("rule-00", {"rules": "1F030200"}, {}),
            ("rule-42", {"rules": "1F034201"}, {}),
            ("reader-not", {"rules": "1F034203"}, {"enhanced": {"DC": "DCA00003", "58": "58A00003"}[enhanced[:2]]}),
        ):
            name = "arc-13-%s-%s-%s" % (label, enhanced[:2].lower(), paper.lower())
            scene(
                name,
                "12.2.2.2",
                emv(**dict(change, set={"9F70": paper})),
                online(arc="13"),
                **dict({"enhanced": enhanced}, **more)
            )
    pin = emv(rules="1F034203")
    captured, refused = {"pin": "captured"}, {"pin": "notCaptured"}
    scene("pin-not-captured", "12.2.2.2", pin, online(arc="13"), refused)
    for arc in ("00", "08", "11", "12", "13", "05"):
        scene("pin-captured-" + arc, "12.2.2.2; note 30", pin, online(arc="13"), captured, online(arc=arc))
    scene("pin-captured-no-line", "12.2.2.2; note 30", pin, online(arc="13"), captured, NO_LINE)
    scene("pin-captured-no-arc", "12.2.2.2", pin, online(arc="13"), captured, online())
    above = {"amount": 25000, "limits": HIGH_FLOOR}
    signed(
        "pin-again",
        "note 30: 13 after an online PIN asks once more",
        cda(lowers=ARQC),
        online(arc="13"),
        captured,
        online(arc="00"),
        **above
    )
    signed("online-pin-approved", "12.2.2.1", cda(), online(arc="00"), **above)
    signed("online-signature-approved", "12.2.2.1: 1A", cda(rules="1E03", lowers=ARQC), online(arc="08"), **above)
    signed("online-signature-declined", "12.2.2.1", cda(rules="1E03", lowers=ARQC), online(arc="05"), **above)
    signed("online-phone-approved", "12.2.2.1", phone("010302", lowers=ARQC), online(arc="00"), **above)
    signed("online-sda-failed", "note 21", sda(ssad="hash"), online(arc="00"))


def random_scene(chance):
    """Anything together: what a named scene does not combine."""
    kind = chance.pick(["emv", "emv", "cda", "cda", "cda", "sda", "stripe", "phone"])
    aip = {"emv": "1880", "cda": "1980", "sda": "5880", "stripe": chance.pick(["1800", "1900"]), "phone": "19C0"}[kind]
    if chance.once_in(8):
        aip = "%02X" % (int(aip[:2], 16) & 0xEF) + aip[2:]
    card = {"aip": aip, "set": {}}
    card["rules"] = "".join(
        chance.pick(["42", "02", "1E", "5E", "1F", "5F", "41", "01", "00", "2A"])
        + chance.pick(["03", "03", "00", "06", "09", "02", "0A"])
        for _ in range(1 + chance.below(4))
    )
    if kind == "phone":
        card["results"] = chance.pick(["010002", "010302", "3F0300", "010001", "010003"])
    if chance.once_in(3):
        card["set"]["9F70"] = chance.pick(["FA00", "DA00", "FA03", "DA80", "FAC0", "FA01"])
    elif chance.once_in(5):
        card["drop"] = "9F70"
    if chance.once_in(4):
        card["set"]["9F07"] = chance.pick(["FF00", "0100", "2100", "1100", "FD00"])
    if chance.once_in(4):
        card["set"]["5F28"] = "0840"
    if chance.once_in(6):
        card["set"]["5F25"] = chance.pick(["261122", "270101"])
    if chance.once_in(6):
        card["expiry"] = chance.pick(["261031", "261120", "261130"])
    if chance.once_in(6):
        card["set"]["9F08"] = "0002"
    if chance.once_in(5):
        card["set"].update(NO_CODES)
    if chance.once_in(3):
        card["lowers"] = chance.pick([ARQC, ARQC, AAC])
    if chance.once_in(12):
        card["answers"] = chance.pick([AAC, TC, ARQC])
    damage = chance.below(12)
    if damage == 0:
        card["sdad"] = chance.pick(["hash", "transaction hash", "cid"])
    elif damage == 1:
        card["caIndex"] = "77"
    elif damage == 2:
        card["apart"] = chance.pick(["8E", "8E 9F70"])
    elif damage == 3:
        card["ssad"] = "hash"
    contact_bits = chance.pick(["DC", "DC", "5C", "D8", "9C" if kind != "stripe" else "DC"])
    enhanced = contact_bits + chance.pick(["E0", "E0", "A0", "C0", "60"]) + "00" + chance.pick(["03", "03", "03", "43"])
    made = {
        "source": "C-4: random",
        "enhanced": enhanced,
        "amount": chance.pick([1250, 1250, 9999, 12500, 20000, 25000, 29999, 100, 0]),
        "type": chance.pick(["00", "00", "00", "01", "09"]),
        "limits": chance.pick([LIMITS, HIGH_FLOOR]),
        "terminal": {"9F35": chance.pick(["22", "22", "22", "21", "23", "25", "26", "24"])},
        "keys": "n",
        "codes": chance.pick([CODES, CODES, {}, {"tacDenial": "0010000000", "tacOnline": "8400008000"}]),
        "cards": [card],
        "kernel4": {},
    }
    if made["type"] == "09":
        made["other"] = 500
    if kind == "stripe":
        made["stripe"] = True
    if made["amount"] == 100:
        made["row"] = {"statusCheck": True}
    if chance.once_in(6):
        made["kernel4"]["onlineAvailable"] = False
    if chance.once_in(4):
        default = {"transaction": 28000, "floor": chance.pick([500, 15000]), "cvmRequired": chance.pick([1000, 15000])}
        other = {"transaction": 26000, "floor": chance.pick([800, 20000]), "cvmRequired": chance.pick([1250, 22000])}
        made["kernel4"]["dynamicLimits"] = {"default": default, "sets": {"3": other}}
    if chance.once_in(9):
        made["listed"] = {}
    if kind == "phone":
        again = dict(card, set=dict(card["set"]), results=chance.pick(["010302", "010301", "3F0300"]))
        made["cards"] = [card, again]
    elif chance.once_in(3):
        made["cards"] = [card, online(arc=chance.pick(["00", "05", "12", "13"]))]
    return made


def scenes():
    if not SCENES:
        for family in (
            start_scenes,
            record_scenes,
            authentication_scenes,
            limit_scenes,
            restriction_scenes,
            verification_scenes,
            action_scenes,
            stripe_scenes,
            answer_scenes,
        ):
            family()
    return SCENES


# Scenes whose point is a byte or an amount, not a way through the questions: always played by the book.
EDGES = tuple(
    "cda- sda-ssad- sdad- oda-cda-chain oda-sda-chain record-sfi record-hashed record-twice record-mis record-without"
    " record-left record-unsigned record-length record-5f2 entry- expiry- effective- stripe-ac- stripe-atc stripe-5"
    " stripe-name stripe-cda- stripe-get cvm-x cvm-y afl- gpo- pdol-25 pdol-more cdol- format- discretionary-"
    " phone-then phone-last phone-6984 fault- pin-".split()
)
NO_EDGES = ("-tc", "-no-contact", "-online", "-approved", "-declined", "-58-fa00", "-dc-da00", "-58", "-signed")


# Questions that are asked one by one, not two by two: formats and certificates.
SINGLE = (
    *("6.3", "6.4", "6.2 CA", "5.4.", "6.6.2", "Table 35", "10.3", "2.2.1 ", "7.5", "5.4 a", "B 3", "11.2.1", "A.4"),
    *("1.4", "5.3.4", "note 42", "12.2.1.3", "note 35"),
)


class Novelty:
    """Which answers, and which pairs of answers, a dialogue gives that none before it gave."""

    def __init__(self):
        self.seen = set()

    def begin(self):
        self.before = {question: list(counts) for question, counts in ANSWERS.items()}

    def found(self, outcome):
        path = sorted(
            (question, way)
            for question, counts in ANSWERS.items()
            for way in (0, 1)
            if counts[way] > self.before.get(question, (0, 0))[way]
        ) + [("outcome", outcome)]
        wide = [answer for answer in path if not answer[0].startswith(SINGLE)]
        new = {(answer, answer) for answer in path} | {
            (one, other) for at, one in enumerate(wide) for other in wide[at + 1 :]
        }
        new -= self.seen
        return new

    def forget(self):
        ANSWERS.clear()
        ANSWERS.update(self.before)


def dialogues(seed, count):
    """Named scenes that answer a question, or two of them together, in a way of their own; then random ones."""
    chance, made, novelty = Chance(seed), [], Novelty()
    for name, one in scenes():
        table, plain = name.startswith("?"), name.lstrip("?")
        if table and not chance.once_in(10):
            continue
        profiles = one.get("profiles", [BOOK, GUARDED, STRICT])
        marked = "guarded" in one["source"] or "strict" in one["source"]
        if table:
            chosen = [chance.pick(profiles)]
        else:
            chosen = profiles[:1] + [profile for profile in profiles[1:] if marked or chance.once_in(4)]
        for profile in chosen:
            label = "k4-" + plain if profile == BOOK else "k4-%s-%s" % (plain, PROFILES[profile])
            novelty.begin()
            trace = shoot(chance, label, one, profile)
            new = novelty.found(trace["expect"]["outcome"]) if trace else set()
            edge = plain.startswith(EDGES) and not plain.endswith(NO_EDGES) and not table
            if new or trace and edge and profile == BOOK:
                novelty.seen |= new
                made.append(trace)
            else:
                novelty.forget()
    number, wanted = 0, count - len(made)
    while number < wanted:
        one, profile = random_scene(chance), chance.pick([BOOK, BOOK, GUARDED, STRICT])
        trace = shoot(chance, "k4-random-%d" % (number + 1), one, profile)
        if trace:
            number += 1
            made.append(trace)
    return made


# ---------------------------------------------------------------------------------------------------------------
# Decision tables alone, as lines "function | inputs | outputs" (form of rules.py)
# ---------------------------------------------------------------------------------------------------------------

METHODS = {"none": 0, "signature": 1, "onlinePIN": 2, "cdcvm": 3}
DECISIONS = {"approved": 0, "declined": 1, "onlineRequest": 2, "tryAnotherInterface": 3, "requestOnlinePIN": 4}
# How a step ends: 0 it goes on, else the outcome.
ENDS = {"tryAnotherInterface": 1, "tryAgain": 2, "endApplication": 3}


def ending(function, *arguments):
    """(0, result) where a step goes on, else (number of its end, None)."""
    try:
        return 0, function(*arguments)
    except Outcome as outcome:
        return ENDS[outcome.outcome], None


def capability_cases(chance, out):
    """k4_capabilities | 9F35 9F6D 9F6E CVM-limit-exceeded can-go-online 9F35-asked 9F6E-asked | 9F6D 9F6E 9F35-sent"""
    for _ in range(700):
        kind = unhex(chance.pick(["21", "22", "23", "24", "25", "26", "11", "14", "16", "34", "36"]))
        simple = unhex(chance.pick(["C0", "C8", "40", "48"]))
        enhanced = bytes([chance.pick([0xDC, 0x9C, 0x58, 0x18]), chance.below(16) << 4, chance.pick([0, 0, 0xC0]), 3])
        exceeded, line, asked = chance.below(2), chance.below(4) > 0, [chance.below(2), chance.below(2)]
        made = activated(simple, enhanced, exceeded, kind[0], line)
        tags = {tag for tag, one in zip(("9F35", "9F6E"), asked) if one}
        sent = modified_type(kind, made[0], tags) if asked[0] else None
        out.case("k4_capabilities", [kind, simple, enhanced, exceeded, line] + asked, [made[0], made[1], sent])


def mode_cases(chance, out):
    """k4_mode | AIP 9F6E | end EMV-mode"""
    for second in range(0, 256, 32):
        for first in range(0, 256, 16):
            aip, enhanced = bytes([0x18, second]), bytes([first, 0xE0, 0, 3])
            out.case("k4_mode", [aip, enhanced], ending(operating_mode, aip, enhanced))


def locator_cases(chance, out):
    """k4_afl | AFL | valid"""
    for _ in range(500):
        afl = b""
        for _ in range(chance.below(4)):
            first = chance.pick([0, 1, 1, 1, 2, 5, 255])
            last = min(255, max(0, first + chance.pick([0, 0, 0, 1, 3, -1])))
            signed = max(0, last - first + 1 + chance.pick([0, 0, -1, 1]))
            sfi = chance.pick([0, 1, 2, 10, 11, 30, 31, 1, 2])
            afl += bytes([sfi << 3 | chance.pick([0, 0, 0, 7]), first, last, min(255, signed)])
        afl = afl[: len(afl) - chance.pick([0, 0, 0, 0, 1, 2, 3])] if afl else afl
        out.case("k4_afl", [afl], [not locator_wrong(afl)])


def method_cases(chance, out):
    """k4_oda_method | AIP 9F33 | 0 none, 1 SDA, 2 CDA"""
    for first in range(256):
        for last in (0xC8, 0xC0, 0x88, 0x80, 0x08, 0x48, 0x40, 0x00):
            if chance.once_in(4):
                method = method_of(bytes([first, 0x80]), bytes([0xE0, 0xF8, last]))
                out.case(
                    "k4_oda_method",
                    [bytes([first, 0x80]), bytes([0xE0, 0xF8, last])],
                    [["SDA", "CDA"].index(method) + 1 if method else 0],
                )


def limit_cases(chance, out):
    """k4_limits | amount floor-exceeded CVM-exceeded default 9F70-there 9F70 set-3 9F70-covered profile | not-allowed
    floor-exceeded CVM-exceeded

    A set is three limits (transaction, floor, CVM), each with a flag before it: 1 if it is there; default with a fourth
    flag in front: 1 if dynamic limits are configured; set-3 too: 1 if the reader has set 3. Profile: 0 book, 1 guarded,
    2 strict."""
    names = ("transaction", "floor", "cvmRequired")
    for _ in range(2600):
        edges = [chance.pick([500, 1000, 1500, 2000]) for _ in range(6)]
        amount = chance.pick([499, 500, 501, 999, 1000, 1001, 1500, 1501, 2000, 2001, 0])
        default = {name: value for name, value in zip(names, edges) if chance.below(4)}
        third = {name: value for name, value in zip(names, edges[3:]) if chance.below(4)}
        configured, has_third, there = chance.below(6) > 0, chance.below(4) > 0, chance.below(6) > 0
        paper = bytes([0xFA, chance.pick([3, 3, 3, 0, 4, 0x83, 15])])
        covered, profile, before = chance.below(2), chance.below(3), [chance.below(2), chance.below(2)]
        dynamic = {"default": default, "sets": {"3": third} if has_third else {}} if configured else None

        def flags(one):
            return [number for name in names for number in (name in one, one.get(name, 0))]

        try:
            chosen = chosen_limits(dynamic, paper if there else None, covered, profile)
        except Open:
            continue
        inputs = [amount] + before + [configured] + flags(default) + [there, paper, has_third] + flags(third)
        out.case("k4_limits", inputs + [covered, profile], apply_limits(chosen, amount, (False, *map(bool, before))))


def usage_cases(chance, out):
    """k4_usage | 9F07 5F28-there 5F28 9F1A 9C cashback-amount 9F35 9F40 | TVR 2.5
    k4_delayed_usage | 9F70-there 9F70 5F28-there 5F28 9F1A 9F6E | TVR 2.5"""
    for _ in range(1500):
        auc, country = bytes([chance.below(256), chance.below(4) << 6]), unhex(chance.pick(["0276", "0840"]))
        there, kind = chance.below(6) > 0, chance.pick([0, 0, 1, 1, 9, 9, 0x20])
        other = 500 if kind == 9 else chance.pick([0, 0, 500]) if kind == 0 else 0
        terminal_type = chance.pick([0x22, 0x22, 0x14, 0x15, 0x16, 0x21, 0x25, 0x24])
        additional = unhex(chance.pick(["6000B0A001", "F000B0A001"]))
        allowed = usage_allowed(auc, country if there else None, b"\2\x76", kind, other, terminal_type, additional)
        inputs = [auc, there, country, b"\2\x76", bytes([kind]), other, bytes([terminal_type]), additional]
        out.case("k4_usage", inputs, [not allowed])
    for second in range(0, 256, 16):
        for flags in range(8):
            paper, country = bytes([0xFA, second]), unhex("0276" if flags & 1 else "0840")
            enhanced = unhex(DELAYED if flags & 2 else BOTH)
            allowed = delayed_allowed(paper, country, b"\2\x76", enhanced)
            out.case("k4_delayed_usage", [1, paper, 1, country, b"\2\x76", enhanced], [not allowed])
    for paper, country in ((None, b"\2\x76"), (b"\xfa\x80", None)):
        allowed = delayed_allowed(paper, country, b"\2\x76", unhex(DELAYED))
        inputs = [paper is not None, paper or bytes(2), country is not None, country or bytes(2)]
        out.case("k4_delayed_usage", inputs + [b"\2\x76", unhex(DELAYED)], [not allowed])


def verification_cases(chance, out):
    """k4_cvm | CVM-exceeded restarted EMV-mode contact-possible AIP 9F71-there 9F71 8E-there 8E 9F42-there 9F42 9F6E
    9F33 9F35 9C amount amount-other 5F2A | end method TVR 9F34

    By the book. end: 0 goes on, 1 Try Another Interface, 2 Try Again (message 20), 3 End Application; method: 0 none,
    1 signature, 2 online PIN, 3 CDCVM. TVR 0000000000 before."""
    codes = [0x42, 0x02, 0x1E, 0x5E, 0x1F, 0x5F, 0x41, 0x01, 0x41, 0x42, 0x00, 0x40, 0x03, 0x04, 0x45, 0x2A, 0x6A, 0x3F]
    conditions = [3, 3, 3, 0, 0, 1, 2, 4, 5, 6, 7, 8, 9, 0x0A, 0x80]
    for _ in range(4200):
        size = chance.below(5)
        rules = b"".join(bytes([chance.pick(codes), chance.pick(conditions)]) for _ in range(size))
        head = b"".join(chance.pick([0, 1249, 1250, 1251, 2**32 - 1, 0x010004E1]).to_bytes(4, "big") for _ in range(2))
        cvm_list = head + rules
        if chance.once_in(20):
            cvm_list = cvm_list[: chance.below(len(cvm_list) + 1)]
        exceeded, restarted, emv_mode, can = chance.below(2), chance.below(2), chance.below(4) > 0, chance.below(2)
        aip = bytes([0x19 if chance.below(6) else 0x09, (0x80 if emv_mode else 0) | chance.pick([0, 0x40])])
        results_there, list_there, currency_there = chance.below(6) > 0, chance.below(12) > 0, chance.below(6) > 0
        results = bytes([chance.pick([1, 1, 1, 0x3F, 2]), chance.pick([0, 3]), chance.pick([0, 1, 2, 2, 3, 7])])
        card_currency = unhex(chance.pick(["0978", "0978", "0840"]))
        enhanced = bytes([0xDC, chance.below(8) << 5, 0, chance.pick([3, 3, 3, 0x43])])
        capabilities = unhex(chance.pick(["E0F8C8", "E0F8C8", "E0F0C8"]))
        kind, terminal_type = chance.pick([0, 0, 0, 1, 9]), unhex(
            chance.pick(["22", "22", "25", "23", "21", "26", "14"])
        )
        other = 500 if kind == 9 else 0
        facts = Facts(
            enhanced=enhanced,
            terminal_type=terminal_type[0],
            aip=aip,
            results=results if results_there else None,
            list=(cvm_list or None) if list_there else None,
            exceeded=exceeded,
            restarted=restarted,
            emv=emv_mode,
            can_insert=can,
            kind=kind,
            amount=1250,
            other=other,
            currency=b"\x09\x78",
            card_currency=card_currency if currency_there else None,
            no_cvm=bit(capabilities, 2, 4),
        )
        if list_there and not cvm_list:
            continue
        try:
            end, made = ending(verification, facts)
        except Open:
            continue
        word, answer = made or (None, None)
        inputs = [exceeded, restarted, emv_mode, can, aip, results_there, results, list_there, cvm_list]
        inputs += [
            currency_there,
            card_currency,
            enhanced,
            capabilities,
            terminal_type,
            bytes([kind]),
            1250,
            other,
            b"\x09\x78",
        ]
        going = end == 0
        out.case("k4_cvm", inputs, [end, METHODS[word] if going else None, facts.tvr if going else None, answer])


def first_action_cases(chance, out):
    """k4_first_action | TVR TAC-Denial TAC-Online TAC-Default there 9F0E there 9F0F there 9F0D 9F35 9F6E can-go-online
    zero-amount status-check | 0 AAC, 1 TC, 2 ARQC"""

    def code():
        return unhex(
            chance.pick(["0000000000"] * 3 + ["8000000000", "0000008000", "0040000000", "FFFFFFFFFF", "0400000000"])
        )

    for _ in range(3000):
        tvr = unhex(
            chance.pick(
                ["8000000000", "0000008000", "0000000000", "0040008000", "0400000000", "0000040000", "8040000000"]
            )
        )
        terminal, issuer = [code() for _ in range(3)], [code() for _ in range(3)]
        there = [chance.below(8) > 0 for _ in range(3)]
        terminal_type = unhex(chance.pick(["21", "22", "23", "24", "25", "26", "14", "15", "16", "34", "35", "36"]))
        enhanced, line = unhex(chance.pick([BOTH, BOTH, BOTH, DELAYED])), chance.below(3) > 0
        zero, status = chance.once_in(8), chance.once_in(8)
        facts = Facts(
            tvr=tvr,
            terminal_codes=terminal,
            issuer_codes=[value if one else None for one, value in zip(there, issuer)],
            terminal_type=terminal_type[0],
            enhanced=enhanced,
            online=line,
            zero=zero,
            status=status,
        )
        inputs = [tvr] + terminal + [item for pair in zip(there, issuer) for item in pair]
        out.case("k4_first_action", inputs + [terminal_type, enhanced, line, zero, status], [first_action(facts)])


def card_action_cases(chance, out):
    """k4_card_action | asked answered EMV-mode 9F35 9F6E contact-possible can-go-online method good CVM-exceeded
    profile | decision

    asked: 0 AAC, 1 TC, 2 ARQC; answered: 3 is CID 11b too; method: 0 none, 1 SDA, 2 CDA, and whether it was good;
    profile: 0 book, 1 guarded, 2 strict; decision: 0 approved, 1 declined, 2 online request, 3 Try Another Interface.
    After the answer's format was right, and in mag-stripe mode the ATC."""
    for _ in range(3600):
        asked, answered = chance.pick([TC, TC, ARQC, ARQC, AAC]), chance.pick([TC, TC, ARQC, ARQC, ARQC, AAC, RFU])
        emv_mode, can, line = chance.below(3) > 0, chance.below(2), chance.below(4) > 0
        terminal_type = unhex(chance.pick(["21", "22", "22", "23", "25", "26"]))
        enhanced, method = unhex(chance.pick([BOTH, BOTH, DELAYED])), chance.below(3)
        good, exceeded, profile = method > 0 and chance.below(2), chance.below(2), chance.below(3)
        facts = Facts(
            profile=profile,
            requested=asked,
            answered=answered,
            enhanced=enhanced,
            terminal_type=terminal_type[0],
            can_insert=can,
            method=[None, "SDA", "CDA"][method],
            good=bool(good),
            emv=emv_mode,
            exceeded=exceeded,
            online=line,
        )
        try:
            decision = DECISIONS[card_action(facts)]
        except Open:
            continue
        inputs = [asked, answered, emv_mode, terminal_type, enhanced, can, line, method, good, exceeded, profile]
        out.case("k4_card_action", inputs, [decision])


def answer_cases(chance, out):
    """k4_issuer_action | reached 8A PIN-was-asked 9F6E 8E contact-possible | decision
    4 is Request Online PIN; "reached" is 0 where the issuer could not be reached.

    k4_ac_format | signature-asked answer | right"""
    for _ in range(900):
        code = chance.pick(
            [b"00", b"08", b"10", b"11", b"12", b"12", b"13", b"13", b"13", b"05", b"", b"0", b"Z3", None]
        )
        asked, can = chance.once_in(4), chance.below(2)
        enhanced = unhex(chance.pick(["DCE00003", "DCA00003", "58E00003"]))
        rules = b"".join(
            bytes([chance.pick([2, 0x42, 0x1E, 0x1F, 1, 0x82]), chance.pick([0, 3, 1])]) for _ in range(chance.below(3))
        )
        if any(code & 0x80 for code in rules[::2]):
            continue
        cvm_list = bytes(8) + rules
        decision = issuer_action(code, asked, enhanced, cvm_list, can)
        out.case(
            "k4_issuer_action", [code is not None, code or b"", asked, enhanced, cvm_list, can], [DECISIONS[decision]]
        )
    for _ in range(1200):
        cid = bytes([chance.pick([0x00, 0x40, 0x80, 0x80, 0xC0, 0x80])])
        said = {"9F27": cid, "9F36": b"\0\7", "9F26": bytes(8), "9F10": b"\6\1\1\3\xa0\0\0", "9F4B": bytes(80)}
        order = [tag for tag in ("9F27", "9F36", "9F26", "9F10", "9F4B") if chance.below(6)]
        for tag in list(order):
            if chance.once_in(14):
                size = chance.pick([0, 1, 2, 3, 7, 8, 9, 32, 33])
                if size:
                    said[tag] = (said[tag] * 40)[:size]
        if chance.once_in(10) and order:
            order.append(chance.pick(order))
        if chance.once_in(8):
            order.append("9F70")
        body = b"".join(obj(tag, said.get(tag, b"\xfa\0")) for tag in order)
        answer = obj(chance.pick(["77", "77", "77", "77", "70"]), body)
        if chance.once_in(4):
            answer = obj("80", (cid + b"\0\7" + bytes(8) + bytes(40))[: chance.pick([10, 11, 12, 18, 43, 44])])
        if chance.once_in(15):
            answer = answer[: chance.below(len(answer))]
        for cda_asked in (0, 1):
            try:
                right = answer_objects(answer, cda_asked) is not None
            except Open:
                continue
            out.case("k4_ac_format", [cda_asked, answer], [right])


def stripe_cases(chance, out):
    """k4_number | UN range 5F25 | 9F37
    k4_tracks | 5A 5F20 5F24 57 9F37 9F26 9F36 | usable track-1 track-2"""
    for _ in range(600):
        drawn, span = chance.bytes(4), chance.pick([60, 60, 60, 61, 119, 1199, 1200, 65535])
        drawn = chance.pick([drawn, drawn, bytes(4), b"\xff" * 4, b"\0\0\0" + bytes([chance.below(64)])])
        effective = bcd(chance.below(100), 1) + bcd(1 + chance.below(12), 1) + b"\x01"
        out.case("k4_number", [drawn, span, effective], [months_number(drawn, span, effective)])
    for _ in range(900):
        digits = chance.pick([15, 15, 15, 15, 15, 14, 16])
        account = [3, 7] + chance.digits(digits - 2)
        expiry = bcd(chance.below(100), 1) + bcd(1 + chance.below(12), 1) + b"\x28"
        track = account + [13] + chance.digits(7 + chance.below(10))
        if chance.once_in(8):
            track[chance.below(len(track))] = chance.pick([10, 13, 15])
        if chance.once_in(10):
            track = track[: 15 + chance.below(9)]
        pan = list(account)
        if chance.once_in(10):
            pan[chance.below(len(pan))] = chance.pick([10, 13, 15])
        letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ /.-"
        name = bytes(
            chance.pick(letters) if chance.below(12) else chance.below(256) for _ in range(1 + chance.below(26))
        )
        number = b"\0\0" + bcd(chance.below(100), 1) + bcd(1 + chance.below(12), 1)
        cryptogram = chance.bytes(5) + chance.pick([chance.bytes(3), bytes(2) + chance.bytes(1), b"\1\x86\xa0"])
        counter = chance.pick([chance.bytes(2), b"\0" + chance.bytes(1)])
        made = tracks(pack(pan), name, expiry, pack(track), number, cryptogram, counter)
        inputs = [pack(pan), name, expiry, pack(track), number, cryptogram, counter]
        out.case("k4_tracks", inputs, [made is not None, made and made[0], made and made[1]])


def rules(seed):
    out = Lines()
    groups = [
        capability_cases,
        mode_cases,
        locator_cases,
        method_cases,
        limit_cases,
        usage_cases,
        verification_cases,
        first_action_cases,
        card_action_cases,
        answer_cases,
        stripe_cases,
    ]
    for number, group in enumerate(groups):
        group(Chance(seed + number), out)
    heads = ["# " + line.strip() for group in groups for line in group.__doc__.splitlines() if line.strip()]
    return heads + out.lines


# ---------------------------------------------------------------------------------------------------------------
# The files, and the checks of this program
# ---------------------------------------------------------------------------------------------------------------

# Asked only where there is one answer.
ONE_SIDED = {
    "10.5 unknown condition",
    "guarded A04: online PIN instead of the list's signature",
    "strict: the next rule instead of the phone's claim",
}


def taps_text(seed, count):
    return "".join(json.dumps(trace, separators=(",", ":")) + "\n" for trace in dialogues(seed, count))


def rules_text(seed):
    first = "# Generated by Tests/Independent/generators/kernel_4.py --rules, seed %d\n" % seed
    return first + "".join(line + "\n" for line in rules(seed))


def not_monotone(scene_count):
    """Random scenes in which a profile goes on where a more permissive one refuses (SECURITY.md, Profiles)."""
    found = []
    for seed in range(scene_count):
        chance = Chance(seed)
        one = random_scene(chance)
        ends_so = []
        for profile in (BOOK, GUARDED, STRICT):
            again = Chance(0)
            again.state = chance.state
            cards = [dict(card, set=dict(card["set"])) if "set" in card else card for card in one["cards"]]
            trace = shoot(again, "monotone", dict(one, cards=cards), profile)
            if trace:
                ends_so.append(trace["expect"]["outcome"] in ("approved", "onlineRequest", "requestOnlinePIN"))
        if ends_so != sorted(ends_so, reverse=True):
            found.append("random scene %d: a stricter profile goes on where another refuses" % seed)
    return found


def check():
    return check_kernel(sys.modules[__name__], 4, 300)


if __name__ == "__main__":
    sys.exit(command(sys.modules[__name__]))
