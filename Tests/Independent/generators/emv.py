# SPDX-License-Identifier: Apache-2.0
"""What the independent implementations of kernels share: random choices, numbers and dates, data objects and lists,
RSA with the certificates of Book 2, and the form of decision tables. Nothing here knows a kernel."""

import hashlib
import json
import pathlib
import sys


class Open(Exception):
    """Neither clause nor reading says what happens here."""


class Fault(Exception):
    """The link failed: the card gave no answer."""


# ---------------------------------------------------------------------------------------------------------------
# Questions of the checklist, and how often each was answered No and Yes
# ---------------------------------------------------------------------------------------------------------------

ANSWERS = {}


def ask(question, answer):
    """Notes the answer to a question of the checklist, and gives it back."""
    ANSWERS.setdefault(question, [0, 0])[bool(answer)] += 1
    return bool(answer)


# ---------------------------------------------------------------------------------------------------------------
# Random choices, hex, numbers, dates
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

    def digits(self, count):
        return [self.below(10) for _ in range(count)]


def unhex(text):
    return bytes.fromhex(text)


def hexed(data):
    return data.hex().upper()


def nibbles(data):
    result = []
    for byte in data:
        result += [byte >> 4, byte & 15]
    return result


def pack(halves):
    halves = list(halves)
    if len(halves) % 2:
        halves.append(15)
    return bytes(halves[i] << 4 | halves[i + 1] for i in range(0, len(halves), 2))


def bcd(number, size):
    return unhex(("%0*d" % (2 * size, number))[-2 * size :])


def number_of(data):
    """The number that binary coded decimal bytes stand for, or None if a half byte is no digit."""
    number = 0
    for digit in nibbles(data):
        if digit > 9:
            return None
        number = number * 10 + digit
    return number


def bit(data, byte, place):
    """Bit `place` (8 down to 1) of byte `byte` (from 1), as the books count; 0 behind the end."""
    return len(data) >= byte and data[byte - 1] >> place - 1 & 1 == 1


def with_bit(data, byte, place, value=True):
    made = bytearray(data)
    mask = 1 << place - 1
    made[byte - 1] = made[byte - 1] | mask if value else made[byte - 1] & ~mask
    return bytes(made)


def full_year(year):
    """1.8: 00 to 49 is 20YY, 50 to 99 is 19YY."""
    return year + (1900 if year >= 50 else 2000)


def month_days(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def month_of(yymm):
    """(year, month) of two binary coded decimal bytes, or None if it is no month."""
    parts = [number_of(yymm[i : i + 1]) for i in range(len(yymm))]
    if len(parts) != 2 or None in parts or not 1 <= parts[1] <= 12:
        return None
    return full_year(parts[0]), parts[1]


def day_of(yymmdd):
    """(year, month, day) of three binary coded decimal bytes, or None if it is no day."""
    month = month_of(yymmdd[:2])
    day = number_of(yymmdd[2:])
    if len(yymmdd) != 3 or month is None or day is None or not 1 <= day <= month_days(*month):
        return None
    return month + (day,)


# A39: below these names an account of one of these networks is another's. Discover and UnionPay share what is not here.
OTHER_NETWORKS = {
    "A000000152": ("Visa", "Mastercard", "American Express"),
    "A000000333": ("Visa", "Mastercard", "American Express", "JCB"),
}


def network(digits):
    """The network of an account number, as far as the rule asks."""
    four = int(digits[:4])
    if digits[0] == "4":
        return "Visa"
    if 5100 <= four <= 5599 or 2221 <= four <= 2720:
        return "Mastercard"
    if digits[:2] in ("34", "37"):
        return "American Express"
    return "JCB" if 3528 <= four <= 3589 else "none of these"


def of_other_network(name, digits):
    """A39: the account belongs to another network than the selected name."""
    return network(digits) in OTHER_NETWORKS.get(name[:10], ())


def luhn_digit(digits):
    total = 0
    for place, digit in enumerate(reversed(digits)):
        digit = digit * 2 if place % 2 == 0 else digit
        total += digit - 9 if digit > 9 else digit
    return -total % 10


# ---------------------------------------------------------------------------------------------------------------
# Data objects
# ---------------------------------------------------------------------------------------------------------------


def obj(tag, value):
    """One data object; `tag` in hex."""
    size = len(value)
    head = (
        bytes([size]) if size < 128 else bytes([0x81, size]) if size < 256 else bytes([0x82]) + size.to_bytes(2, "big")
    )
    return unhex(tag) + head + value


def parse(data):
    """The objects of a field as (tag, value, bytes), or None if it does not parse (Book 3, annex B)."""
    found, at = [], 0
    while at < len(data):
        if data[at] == 0:  # filler between objects
            at += 1
            continue
        start = at
        at += 1
        if data[start] & 31 == 31:
            while True:
                if at >= len(data):
                    return None
                at += 1
                if not data[at - 1] & 0x80:
                    break
        tag = hexed(data[start:at])
        if at >= len(data):
            return None
        size = data[at]
        at += 1
        if size == 0x80 or size > 0x84:
            return None
        if size > 0x80:
            count = size - 0x80
            if at + count > len(data):
                return None
            size = int.from_bytes(data[at : at + count], "big")
            at += count
        if at + size > len(data):
            return None
        found.append((tag, data[at : at + size], data[start : at + size]))
        at += size
    return found


def parse_dol(dol):
    """Entries (tag, length) of a list, or None where an entry is cut."""
    entries, at = [], 0
    while at < len(dol):
        start = at
        at += 1
        if dol[start] & 31 == 31:
            while True:
                if at >= len(dol):
                    return None
                at += 1
                if not dol[at - 1] & 0x80:
                    break
        if at >= len(dol):
            return None
        entries.append((hexed(dol[start:at]), dol[at]))
        at += 1
    return entries


NUMERIC = {"9F02", "9F03", "9F1A", "5F2A", "9A", "9C", "9F21", "9F41", "9F15", "9F35", "5F36"}


def fitted(tag, value, size):
    """Book 3, 5.4: an object cut or padded to the length that a list asks for."""
    if value is None:
        return bytes(size)  # unknown, or not there: zeros (Table 2-1)
    if tag in NUMERIC:
        return value[len(value) - size :] if size <= len(value) else bytes(size - len(value)) + value
    return value[:size] if size <= len(value) else value + bytes(size - len(value))


# ---------------------------------------------------------------------------------------------------------------
# RSA: keys from a fixed seed, signatures and certificates of Book 2
# ---------------------------------------------------------------------------------------------------------------

SMALL_PRIMES = [p for p in range(3, 2000, 2) if all(p % q for q in range(3, int(p**0.5) + 1, 2))]


def probably_prime(n):
    if any(n % p == 0 for p in SMALL_PRIMES):
        return False
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


class Key:
    def __init__(self, seed, bits, exponent):
        chance = Chance(seed)

        def prime(size):
            while True:
                n = int.from_bytes(bytes(chance.below(256) for _ in range(size // 8)), "big")
                n |= 3 << size - 2 | 1
                if n % exponent != 1 and probably_prime(n):
                    return n

        p, q = prime(bits // 2), prime(bits // 2)
        self.n, self.e, self.size = p * q, exponent, bits // 8
        self.d = pow(exponent, -1, (p - 1) * (q - 1))
        self.modulus = self.n.to_bytes(self.size, "big")
        self.exponent = exponent.to_bytes((exponent.bit_length() + 7) // 8, "big")

    def sign(self, block):
        return pow(int.from_bytes(block, "big"), self.d, self.n).to_bytes(self.size, "big")


def recover(signature, modulus, exponent):
    n, s, e = (int.from_bytes(x, "big") for x in (modulus, signature, exponent))
    if e not in (3, 65537) or s >= n:
        return None
    return pow(s, e, n).to_bytes(len(modulus), "big")


def sha1(*parts):
    return hashlib.sha1(b"".join(parts)).digest()


def certificate(signer, kind, name, expiry, serial, key, static=b"", damage=None):
    """Tables 10 and 11 of Book 2: (certificate, remainder). `damage` names what is wrong with it."""
    room = signer.size - (36 if kind == 2 else 42)
    algorithm = 2 if damage == "algorithm" else 1
    kind = kind + 1 if damage == "format" else kind
    indicator = 2 if damage == "indicator" else 1
    head = bytes([kind]) + name + expiry + serial + bytes([indicator, algorithm, key.size, len(key.exponent)])
    inside = key.modulus[:room].ljust(room, b"\xbb")
    remainder = key.modulus[room:]
    digest = sha1(head, inside, remainder, key.exponent, static)
    if damage == "hash":
        digest = bytes([digest[0] ^ 1]) + digest[1:]
    trailer = b"\xbd" if damage == "trailer" else b"\xbc"
    lead = b"\x6b" if damage == "header" else b"\x6a"
    signature = signer.sign(lead + head + inside + digest + trailer)
    return resized(signature, damage), remainder


def resized(signature, damage):
    """A signature of another length; a zero byte in front stands for the same number."""
    return signature[:-1] if damage == "short" else b"\0" + signature if damage == "long" else signature


# ---------------------------------------------------------------------------------------------------------------
# Decision tables, as lines "function | inputs | outputs" (form of rules.py)
# ---------------------------------------------------------------------------------------------------------------


class Lines:
    def __init__(self):
        self.lines = []
        self.seen = set()

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


# ---------------------------------------------------------------------------------------------------------------
# The command line
# ---------------------------------------------------------------------------------------------------------------


def write(arguments, texts):
    """Writes each file of `texts` (its name, and a function that makes it) into the directory in `arguments`."""
    if len(arguments) != 1:
        print("expected --write DIRECTORY", file=sys.stderr)
        return 2
    for name, text in texts.items():
        (pathlib.Path(arguments[0]) / name).write_text(text(), encoding="utf-8")
    return 0


def command(kernel):
    """What every generator does at a command line. `kernel` is its module: check, taps_text, rules_text, dialogues, the
    names TAPS and RULES of its files, DEFAULT_SEED and DEFAULT_COUNT."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--write"]:
        return write(arguments[1:], {
            kernel.TAPS: lambda: kernel.taps_text(kernel.DEFAULT_SEED, kernel.DEFAULT_COUNT),
            kernel.RULES: lambda: kernel.rules_text(kernel.DEFAULT_SEED),
        })
    numbers = [int(argument, 0) for argument in arguments if not argument.startswith("--")]
    seed = numbers[0] if numbers else kernel.DEFAULT_SEED
    if "--check" in arguments:
        return kernel.check()
    if "--rules" in arguments:
        sys.stdout.write(kernel.rules_text(seed))
    elif "--coverage" in arguments:
        kernel.dialogues(seed, numbers[1] if len(numbers) > 1 else kernel.DEFAULT_COUNT)
        for question, (no, yes) in sorted(ANSWERS.items()):
            print("%6d %6d  %s" % (no, yes, question))
    else:
        sys.stdout.write(kernel.taps_text(seed, numbers[1] if len(numbers) > 1 else kernel.DEFAULT_COUNT))
    return 0


def examples(number):
    """The example traces of a kernel."""
    file = pathlib.Path(__file__).resolve().parent.parent / ("k%d-traces.taps" % number)
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def check_kernel(kernel, number, scene_count, unplayed=None):
    """Replays the example traces of a kernel and its dialogues; prints each failure. `kernel` is its module: what
    command() needs, replay, not_monotone (over `scene_count` scenes) and ONE_SIDED, the questions that are answered Yes
    alone. `unplayed`: a list in which it notes scenes that are open in profile book, none of which may be."""
    failed, traces = [], examples(number)
    for trace in traces:
        differences = kernel.replay(trace)
        if differences:
            failed.append("%s: %s" % (trace["name"], differences))
    if not traces:
        failed.append("no example traces")
    ANSWERS.clear()
    if unplayed is not None:
        unplayed.clear()
    taps = kernel.taps_text(kernel.DEFAULT_SEED, kernel.DEFAULT_COUNT)
    failed += ["%s: open in profile book" % name for name in unplayed or ()]
    for question, (no, yes) in sorted(ANSWERS.items()):
        if not yes or not no and question not in kernel.ONE_SIDED:
            failed.append("%s: answered No %d times and Yes %d times" % (question, no, yes))
    questions = len(ANSWERS)
    for line in taps.splitlines():
        trace = json.loads(line)
        differences = kernel.replay(trace)
        if differences:
            failed.append("%s: %s" % (trace["name"], differences))
    failed += kernel.not_monotone(scene_count)
    return report(number, len(traces), taps.count("\n"), questions, failed)


def report(number, traces, dialogues, questions, failed):
    """Prints what a check found; 1 if anything failed."""
    print("\n".join(failed), end="\n" if failed else "")
    print(
        "kernel %d: %d examples, %d dialogues, %d questions answered both ways, %d failures"
        % (number, traces, dialogues, questions, len(failed))
    )
    return 1 if failed else 0
