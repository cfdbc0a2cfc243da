#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cryptography of Kernel 8, independently: P-256, EC-SDSA, AES, the secure channel, certificates in ECC and RSA.

It was written from Book C-8 v1.0 (chapters 7 and 8, Annexes B to D), EMV 4.3 Book 2 and the project's checklist by
clause with its settled readings, before the kernel existed, by someone who has not read the project's C kernels. It is
slow and plain on purpose, in variable time, and uses Python's standard library alone. "8.4" is a section of C-8, "C.25"
a symbol of its chapter 7.

    kernel_8_channel.py --check     recomputes every value of Tests/Independent/k8-vectors.json
    kernel_8_channel.py --list      the same, and names every value that is an input there
    kernel_8_channel.py --base-table
                                    prints Sources/CEMV/crypto/p256_base.c, the multiples of P-256's base point"""

import functools
import hashlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
VECTORS = HERE / "k8-vectors.json"


def unhex(text):
    return bytes.fromhex(text)


def hexed(data):
    return data.hex().upper()


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right))


# ---------------------------------------------------------------------------------------------------------------
# Elliptic curves (Annex D for P-256; P-521 only for signatures of the vectors)
# ---------------------------------------------------------------------------------------------------------------


class Curve:
    """y² = x³ − 3x + b over a prime field; points are (x, y), None is the point at infinity."""

    def __init__(self, p, b, n, base, digest):
        self.p, self.b, self.n, self.base, self.digest = p, b, n, base, digest
        self.field = (p.bit_length() + 7) // 8
        self.hash = digest(b"").digest_size
        self.known = {}

    def right(self, x):
        return (pow(x, 3, self.p) - 3 * x + self.b) % self.p

    def double(self, point):
        """Jacobian coordinates: (X, Y, Z) stands for (X/Z², Y/Z³)."""
        x, y, z = point
        p = self.p
        square = y * y % p
        s = 4 * x * square % p
        m = 3 * (x - z * z) * (x + z * z) % p
        made = (m * m - 2 * s) % p
        return made, (m * (s - made) - 8 * square * square) % p, 2 * y * z % p

    def add_affine(self, left, right):
        """Sum of a Jacobian point and one of affine coordinates; left may be None."""
        if left is None:
            return right[0], right[1], 1
        x, y, z = left
        p = self.p
        u = right[0] * z * z % p
        v = right[1] * z * z * z % p
        h, r = (u - x) % p, (v - y) % p
        if h == 0:
            return self.double(left) if r == 0 else None
        cube, part = h * h * h % p, x * h * h % p
        made = (r * r - cube - 2 * part) % p
        return made, (r * (part - made) - y * cube) % p, z * h % p

    def times(self, scalar, point):
        """scalar · point: bit after bit, the highest first. What was computed is kept: card and kernel ask alike."""
        if point is None or scalar % self.n == 0:
            return None
        scalar %= self.n
        if (scalar, point) not in self.known:
            made = None
            for place in range(scalar.bit_length() - 1, -1, -1):
                made = None if made is None else self.double(made)
                if scalar >> place & 1:
                    made = self.add_affine(made, point)
            self.known[scalar, point] = self.affine(made)
        return self.known[scalar, point]

    def affine(self, point):
        if point is None or point[2] == 0:
            return None
        inverse = pow(point[2], -1, self.p)
        return point[0] * inverse**2 % self.p, point[1] * inverse**3 % self.p

    def minus(self, point):
        return None if point is None else (point[0], -point[1] % self.p)

    def plus(self, left, right):
        if left is None or right is None:
            return left or right
        return self.affine(self.add_affine((left[0], left[1], 1), right))

    def recover(self, x_bytes):
        """8.2: the point over x with the smaller y; None if x is not below p or has no point (checklist 4.2 e)."""
        x = int.from_bytes(x_bytes, "big")
        if len(x_bytes) != self.field or x >= self.p:
            return None
        y = pow(self.right(x), (self.p + 1) // 4, self.p)
        return (x, min(y, self.p - y)) if y * y % self.p == self.right(x) else None

    def wire(self, number):
        return number.to_bytes(self.field, "big")

    def wire_point(self, point):
        return self.wire(point[0]) + self.wire(point[1])

    def on_curve(self, point):
        return max(point) < self.p and point[1] ** 2 % self.p == self.right(point[0])

    def private(self, number):
        """A long-term key: its public point must have the smaller y, since only x is sent; else the key is negated."""
        point = self.times(number, self.base)
        return number if point[1] <= self.p - point[1] else self.n - number

    def sign(self, private, message, nonce):
        """8.4: R = H(x(k · G) ‖ M), S = k + r · d mod n."""
        first = self.digest(self.wire(self.times(nonce, self.base)[0]) + message).digest()
        second = (nonce + int.from_bytes(first, "big") * private) % self.n
        return first + self.wire(second)

    def genuine(self, public, signature, message):
        """8.4; the bytes of R are compared, since r is reduced (checklist 3.6)."""
        if len(signature) != self.hash + self.field:
            return False
        first = signature[: self.hash]
        r = int.from_bytes(first, "big") % self.n
        s = int.from_bytes(signature[self.hash :], "big")
        if r == 0 or not 0 < s < self.n:
            return False
        point = self.plus(self.times(s, self.base), self.minus(self.times(r, public)))
        return point is not None and self.digest(self.wire(point[0]) + message).digest() == first


P256 = Curve(
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
    hashlib.sha256,
)
P521 = Curve(
    2**521 - 1,
    int(
        "0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF07"
        "3573DF883D2C34F1EF451FD46B503F00",
        16,
    ),
    int(
        "01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA51868783BF2F966B7FCC0148F709A"
        "5D03BB5C9B8899C47AEBB6FB71E91386409",
        16,
    ),
    (
        int(
            "00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FF"
            "A8DE3348B3C1856A429BF97E7E31C2E5BD66",
            16,
        ),
        int(
            "011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD"
            "0761353C7086A272C24088BE94769FD16650",
            16,
        ),
    ),
    hashlib.sha512,
)


# ---------------------------------------------------------------------------------------------------------------
# AES-128 (FIPS 197), CMAC (8.6), counter mode (8.5)
# ---------------------------------------------------------------------------------------------------------------


def doubled(value):
    """Twice a byte in AES's field."""
    return value << 1 ^ 0x11B if value & 0x80 else value << 1


def field_product(left, right):
    made = 0
    while right:
        made ^= left if right & 1 else 0
        left, right = doubled(left), right >> 1
    return made


def substitution():
    """The S-box: inverse in the field, then the affine step."""
    box = [0] * 256
    for value in range(256):
        inverse = next((w for w in range(256) if field_product(value, w) == 1), 0)
        made = 0x63
        for turn in range(5):
            made ^= (inverse << turn | inverse >> 8 - turn) & 0xFF
        box[value] = made
    return box


SBOX = substitution()
UNBOX = [SBOX.index(value) for value in range(256)]
PRODUCTS = {factor: [field_product(value, factor) for value in range(256)] for factor in (1, 2, 3, 9, 11, 13, 14)}


@functools.lru_cache(maxsize=4096)
def round_keys(key):
    words, round_constant = [key[i : i + 4] for i in range(0, 16, 4)], 1
    for i in range(4, 44):
        word = words[i - 1]
        if i % 4 == 0:
            word = bytes(SBOX[b] for b in word[1:] + word[:1])
            word = bytes([word[0] ^ round_constant]) + word[1:]
            round_constant = doubled(round_constant)
        words.append(xor(words[i - 4], word))
    return [b"".join(words[i : i + 4]) for i in range(0, 44, 4)]


def mixed(block, factors):
    """Each column times the matrix that `factors` begins."""
    tables = [PRODUCTS[factor] for factor in factors]
    return bytes(
        tables[-row % 4][block[column]]
        ^ tables[(1 - row) % 4][block[column + 1]]
        ^ tables[(2 - row) % 4][block[column + 2]]
        ^ tables[(3 - row) % 4][block[column + 3]]
        for column in range(0, 16, 4)
        for row in range(4)
    )


@functools.lru_cache(maxsize=65536)
def aes(key, block):
    keys = round_keys(key)
    block = xor(block, keys[0])
    for turn in range(1, 11):
        block = bytes(SBOX[block[(i + 4 * (i % 4)) % 16]] for i in range(16))
        block = xor(mixed(block, (2, 3, 1, 1)) if turn < 10 else block, keys[turn])
    return block


def aes_inverse(key, block):
    keys = round_keys(key)
    block = xor(block, keys[10])
    for turn in range(9, -1, -1):
        block = xor(bytes(UNBOX[block[(i - 4 * (i % 4)) % 16]] for i in range(16)), keys[turn])
        block = mixed(block, (14, 11, 13, 9)) if turn else block
    return block


def cmac_parts(key, message):
    """8.6: Hn, Hn−1 and the masked Dn."""
    lowest = int.from_bytes(aes(key, bytes(16)), "big")
    masks = []
    for _ in range(2):
        lowest = lowest << 1 ^ (1 << 128 | 0x87 if lowest >> 127 else 0)
        masks.append(lowest.to_bytes(16, "big"))
    whole = len(message) > 0 and len(message) % 16 == 0
    padded = message if whole else message + b"\x80" + bytes(-(len(message) + 1) % 16)
    before = bytes(16)
    for at in range(0, len(padded) - 16, 16):
        before = aes(key, xor(before, padded[at : at + 16]))
    last = xor(padded[-16:], masks[0] if whole else masks[1])
    return aes(key, xor(before, last)), before, last


def cmac(key, message):
    return cmac_parts(key, message)[0]


def cmac_plus(key, message):
    """C.75: AES-CBC decryption of Hn with Hn as initial value, which is Hn ⊕ Dn ⊕ Hn−1."""
    last = cmac(key, message)
    return xor(aes_inverse(key, last), last)


def crypt(counter, data, key):
    """8.5: both ways alike; the counter block is counted as a number of 128 bits."""
    start = counter << 112
    stream = b"".join(
        aes(key, (start + i & (1 << 128) - 1).to_bytes(16, "big")) for i in range((len(data) + 15) // 16)
    )
    return xor(data, stream)


# ---------------------------------------------------------------------------------------------------------------
# The secure channel (8.3, C.10 to C.23, C.45 to C.78)
# ---------------------------------------------------------------------------------------------------------------

DERIVATION = unhex("0100" + "54334A325957773D" + "A5A5A5" + "0180")


def shared_secret(private, point):
    """Z: the x coordinate of d · P as 32 bytes."""
    return P256.wire(P256.times(private, point)[0])


def session_keys(secret):
    """8.3: the key derivation key and from it the keys for confidentiality and integrity."""
    derivation = cmac(bytes(16), secret)
    return aes(derivation, b"\x01" + DERIVATION), aes(derivation, b"\x02" + DERIVATION)


def fresh_private(draw):
    """C.102: 1 < d < n − 1; 32 bytes of the stream, again while they are outside, never reduced."""
    while True:
        number = int.from_bytes(draw(32), "big")
        if 1 < number < P256.n - 1:
            return number


def blinding_valid(factor, card_key, blinded_x):
    """C.51: x(r · Qc) is the x that Card Key Data began with; r is taken modulo n, infinity fails."""
    point = P256.times(int.from_bytes(factor, "big"), card_key)
    return point is not None and P256.wire(point[0]) == blinded_x


class KernelChannel:
    """Process C of the kernel: keys, both counters, and what was signed."""

    def __init__(self, private):
        self.private = private
        self.public = P256.wire_point(P256.times(private, P256.base))
        self.keys, self.factor, self.blinded_x = None, None, None
        self.kernel_counter, self.card_counter = 0x0000, 0x8000
        self.signed = b""

    def card_key_data(self, data):
        """C.11 to C.13: False is DECRYPTION FAILED."""
        point = P256.recover(data[:32]) if len(data) == 64 else None
        if point is None:
            return False
        self.blinded_x = data[:32]
        self.keys = session_keys(shared_secret(self.private, point))
        self.factor = crypt(self.card_counter, data[32:], self.keys[0])
        self.card_counter += 1
        return True

    def decrypt_record(self, value):
        """C.17, C.18: None is DECRYPTION FAILED."""
        if self.keys is None or self.card_counter >= 0xFFFF:
            return None
        plain = crypt(self.card_counter, value, self.keys[0])
        self.card_counter += 1
        return plain

    def open_envelope(self, response):
        """C.55 to C.64, READ: MAC first, then the same counter value deciphers; it moves after a right MAC alone."""
        if self.keys is None or len(response) < 8 or self.card_counter >= 0xFFFF:
            return None
        cipher = response[:-8]
        if self.counted_mac(self.card_counter, cipher) != response[-8:]:
            return None
        plain = crypt(self.card_counter, cipher, self.keys[0])
        self.card_counter += 1
        return plain

    def seal_envelope(self, plain):
        """C.65 to C.70: None is ENCRYPTION FAILED."""
        if self.keys is None or self.kernel_counter >= 0x7FFF:
            return None
        cipher = crypt(self.kernel_counter, plain, self.keys[0])
        self.kernel_counter += 1
        return cipher

    def written(self, plain, answer):
        """C.55 to C.64, WRITE: the MAC of the answer covers the card's counter and the plain envelope. P-message is
        envelope ‖ MAC, its last eight bytes are the MAC."""
        message = plain + answer
        if self.keys is None or len(message) < 8 or self.card_counter >= 0xFFFF:
            return False
        if self.counted_mac(self.card_counter, message[:-8]) != message[-8:]:
            return False
        self.card_counter += 1
        return True

    def counted_mac(self, counter, data):
        return cmac(self.keys[1], counter.to_bytes(2, "big") + data)[:8]

    def static_data(self, extended, aip):
        """C.72."""
        return self.signed + extended + aip

    def iad_mac(self, message, static):
        """C.71 to C.78."""
        return cmac_plus(self.keys[1], bytes(2) + message + hashlib.sha256(static).digest())[:8]

    def eda_mac(self, message):
        """C.46."""
        return cmac(self.keys[1], bytes(2) + message)[:8]


class CardChannel:
    """The card's side: its blinded key, and counters that move with every encrypted answer."""

    def __init__(self, private, factor, kernel_public, spoilt_x=None):
        """`kernel_public` is the 64 bytes of 9E. `spoilt_x` stands in Card Key Data instead of the blinded key."""
        kernel_point = (int.from_bytes(kernel_public[:32], "big"), int.from_bytes(kernel_public[32:], "big"))
        blinded = private * factor % P256.n
        self.blinded_x = P256.wire(P256.times(blinded, P256.base)[0])
        self.keys = session_keys(shared_secret(blinded, kernel_point))
        self.kernel_counter, self.card_counter = 0x0000, 0x8000
        self.key_data = (spoilt_x or self.blinded_x) + self.encrypt(P256.wire(factor))

    def encrypt(self, plain):
        cipher = crypt(self.card_counter, plain, self.keys[0])
        self.card_counter += 1
        return cipher

    def seal_envelope(self, plain):
        counter = self.card_counter.to_bytes(2, "big")
        cipher = self.encrypt(plain)
        return cipher + cmac(self.keys[1], counter + cipher)[:8]

    def written(self, cipher):
        """The plain envelope of a WRITE DATA command, and the MAC that answers it."""
        plain = crypt(self.kernel_counter, cipher, self.keys[0])
        self.kernel_counter += 1
        answer = cmac(self.keys[1], self.card_counter.to_bytes(2, "big") + plain)[:8]
        self.card_counter += 1
        return plain, answer

    def iad_mac(self, message, static):
        return cmac_plus(self.keys[1], bytes(2) + message + hashlib.sha256(static).digest())[:8]

    def eda_mac(self, message):
        return cmac(self.keys[1], bytes(2) + message)[:8]


# ---------------------------------------------------------------------------------------------------------------
# The card's cryptogram (checklist 3.9)
# ---------------------------------------------------------------------------------------------------------------


def card_master_key(issuer_key, pan, sequence):
    """5A and 5F34 byte for byte behind zeros: the F that fills a PAN of odd length stays in it (vectors, 19 digits)."""
    return aes(issuer_key, (pan + sequence).rjust(16, b"\0"))


def session_key(master, counter):
    return aes(master, counter + bytes(14))


def cryptogram(session, message):
    return cmac(session, message)[:8]


# ---------------------------------------------------------------------------------------------------------------
# Certificates on elliptic curves (Annex B, C.25, C.36)
# ---------------------------------------------------------------------------------------------------------------


def issuer_body(identifier, expiry, serial, rid, index, x, suite=b"\x10", kind=b"\x12\x00"):
    return kind + unhex(identifier.ljust(10, "F")) + suite + unhex(expiry) + serial + rid + index + x


def card_body(expiry, serial, digest, x, suite=b"\x00", kind=b"\x14\x00", encoding=b"\x01\x02"):
    """`expiry`: YYYYMMDDHHMM."""
    return kind + suite + unhex(expiry) + serial + encoding + digest + x


def prefix_matches(identifier, pan, longest):
    """Between three and `longest` digits, filled with F at the end alone, that begin the PAN."""
    digits = identifier.upper().rstrip("F")
    return 3 <= len(digits) <= longest and digits.isdigit() and pan.upper().startswith(digits)


def ecc_issuer_key(certificate, ca_point, rid, index, pan, today, revoked):
    """C.25: (key, None), or (None, number of the step that failed). `today`: YYYYMMDD in UTC."""
    if len(certificate) != 117:
        return None, 1
    body = certificate[:53]
    checks = [
        (2, body[0] == 0x12),
        (3, body[1] == 0x00),
        (4, prefix_matches(hexed(body[2:7]), pan, 10)),
        (5, hexed(body[8:12]) >= today),
        (6, body[15:20] == rid),
        (7, body[20:21] == index),
        (8, (body[15:20], index, body[12:15]) not in revoked),
        (9, body[7] == 0x10),
        (11, P256.genuine(ca_point, certificate[53:], body)),
    ]
    for step, passed in checks:
        if not passed:
            return None, step
    key = P256.recover(body[21:])
    return (key, None) if key else (None, 12)


def ecc_card_key(certificate, issuer_point, static, now):
    """C.36: (key, None), or (None, number of the step that failed). `now`: YYYYMMDDHHMM in UTC."""
    if len(certificate) != 145:
        return None, 1
    body = certificate[:81]
    checks = [
        (2, body[0] == 0x14),
        (3, body[1] == 0x00),
        (4, hexed(body[3:9]) >= now),
        (5, body[2] == 0x00),
        (6, body[15] == 0x01),
        (7, body[16] == 0x02),
        (8, body[17:49] == hashlib.sha256(static).digest()),
        (9, P256.genuine(issuer_point, certificate[81:], body)),
    ]
    for step, passed in checks:
        if not passed:
            return None, step
    key = P256.recover(body[49:])
    return (key, None) if key else (None, 10)


# ---------------------------------------------------------------------------------------------------------------
# RSA certificates (C.26, C.34: EMV Book 2, 6.3 and 6.4)
# ---------------------------------------------------------------------------------------------------------------


def probably_prime(n):
    if any(n % q == 0 for q in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)):
        return False
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness in (2, 3, 5, 7, 11, 13, 17, 19):
        x = pow(witness, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


class RSAKey:
    """A key whose primes come from `draw`: both have the two highest bits, so the modulus has its full length."""

    def __init__(self, draw, size, exponent=3):
        self.size, self.exponent = size, exponent
        primes = []
        while len(primes) < 2:
            top = 0b11 << size * 4 - 2
            number = int.from_bytes(draw(size // 2), "big") % (1 << size * 4) | top | 1
            while number % exponent == 1 or not probably_prime(number):
                number += 2
            if number not in primes:
                primes.append(number)
        self.n = primes[0] * primes[1]
        self.d = pow(exponent, -1, (primes[0] - 1) * (primes[1] - 1))
        self.modulus = self.n.to_bytes(size, "big")
        self.exponent_bytes = exponent.to_bytes((exponent.bit_length() + 7) // 8, "big")

    def sign(self, block):
        return pow(int.from_bytes(block, "big"), self.d, self.n).to_bytes(self.size, "big")


def rsa_certificate(
    signer, kind, holder, expiry, serial, key, static=b"", indicators=b"\x01\x01", ends=b"\x6a\xbc", longer=0
):
    """(certificate, remainder): `kind` 02 with 4 bytes of holder, 04 with 10; `expiry` MMYY. `longer` is added to the
    length that the certificate names for its key."""
    room = signer.size - 32 - len(holder)
    head = kind + holder + unhex(expiry) + serial + indicators
    head += bytes([key.size + longer, len(key.exponent_bytes)])
    left, remainder = key.modulus[:room].ljust(room, b"\xbb"), key.modulus[room:]
    digest = hashlib.sha1(head + left + remainder + key.exponent_bytes + static).digest()
    return signer.sign(ends[:1] + head + left + digest + ends[1:]), remainder


def month_over(mmyy, today):
    """Last day of the month MMYY before the local date YYMMDD? A month that is none is over."""
    month, year = hexed(mmyy[:1]), hexed(mmyy[1:])
    if not (month + year).isdigit() or not 1 <= int(month) <= 12:
        return True
    century = lambda yy: ("19" if yy >= "50" else "20") + yy
    return century(year) + month < century(today[:2]) + today[2:4]


def rsa_issuer_key(certificate, ca, exponent, remainder, rid, index, pan, today, revoked):
    """Book 2, 6.3: ((modulus, exponent), None) or (None, step). `today`: YYMMDD of the local date."""
    modulus, public = ca
    size = len(modulus)
    if len(certificate) != size or int.from_bytes(certificate, "big") >= int.from_bytes(modulus, "big"):
        return None, 1
    plain = rsa_power(certificate, modulus, public)
    if plain[-1] != 0xBC:
        return None, 2
    if plain[0] != 0x6A:
        return None, 3
    if plain[1] != 0x02:
        return None, 4
    if plain[11] != 0x01 or hashlib.sha1(plain[1:-21] + remainder + exponent).digest() != plain[-21:-1]:
        return None, 7
    if not prefix_matches(hexed(plain[2:6]), pan, 8):
        return None, 8
    if month_over(plain[6:8], today):
        return None, 9
    if (rid, index, plain[8:11]) in revoked:
        return None, 10
    if plain[12] != 0x01:
        return None, 11
    return joined(plain[13], plain[14], plain[15:-21], remainder, exponent)


def rsa_card_certificate(certificate, issuer, exponent, remainder, pan, static, today):
    """C.34 (Book 2, 6.4, steps 1 to 10): None if good, else the step that failed. The key is thrown away."""
    modulus, public = issuer
    size = len(modulus)
    if len(certificate) != size or int.from_bytes(certificate, "big") >= int.from_bytes(modulus, "big"):
        return 1
    plain = rsa_power(certificate, modulus, public)
    if plain[-1] != 0xBC:
        return 2
    if plain[0] != 0x6A:
        return 3
    if plain[1] != 0x04:
        return 4
    if plain[17] != 0x01 or hashlib.sha1(plain[1:-21] + remainder + exponent + static).digest() != plain[-21:-1]:
        return 7
    if hexed(plain[2:12]).rstrip("F") != pan.upper().rstrip("F"):
        return 8
    if month_over(plain[12:14], today):
        return 9
    if plain[18] != 0x01:
        return 10
    return None


def rsa_power(data, modulus, exponent):
    number = pow(
        int.from_bytes(data, "big"), int.from_bytes(exponent, "big"), int.from_bytes(modulus, "big")
    )
    return number.to_bytes(len(modulus), "big")


def joined(size, exponent_size, left, remainder, exponent):
    """Step 12: the leftmost digits and the remainder make the modulus of the length that the certificate names."""
    modulus = left[:size] + remainder if size > len(left) else left[:size]
    if len(modulus) != size or exponent_size != len(exponent):
        return None, 12
    return (modulus, exponent), None


# ---------------------------------------------------------------------------------------------------------------
# Known answers
# ---------------------------------------------------------------------------------------------------------------


class Sheet:
    """One sheet of the vectors: each label is taken as an input or compared with what was computed."""

    def __init__(self, sheet, agreement):
        self.name, self.values, self.agreement = sheet["name"], sheet["values"], agreement
        self.inputs, self.matched, self.wrong = set(), set(), []

    def take(self, label):
        self.inputs.add(label)
        value = self.values[label]
        return unhex(value) if isinstance(value, str) else value

    def number(self, label):
        return int.from_bytes(self.take(label), "big")

    def find(self, beginning):
        """The one label that begins so: some carry a counter or an offset."""
        return next(label for label in self.values if label.startswith(beginning))

    def compare(self, label, computed):
        wanted = self.values[label]
        found = hexed(computed) if isinstance(computed, bytes) else computed
        if isinstance(wanted, str):
            wanted = wanted if wanted == "none" else wanted.upper()
        if found == wanted:
            self.matched.add(label)
        else:
            self.wrong.append((label, found, wanted))

    def left(self):
        return [label for label in self.values if label not in self.inputs | self.matched]


def check_keys(sheet):
    points = {}
    for owner in ("ca", "issuer", "icc"):
        point = P256.times(sheet.number(owner + ".private"), P256.base)
        sheet.compare(owner + ".public", P256.wire_point(point))
        sheet.compare(owner + ".recovered", P256.wire_point(P256.recover(P256.wire(point[0]))))
        points[owner] = point
    return points


def check_certificates(sheet, points, static):
    sheet.compare("sdaHash", hashlib.sha256(static).digest())
    shown = unhex(sheet.values["issuerCertificate.signed"])
    body = issuer_body(
        hexed(shown[2:7]).rstrip("F"), hexed(shown[8:12]), shown[12:15], shown[15:20], shown[20:21],
        P256.wire(points["issuer"][0]),
    )
    sheet.compare("issuerCertificate.signed", body)
    signature = P256.sign(sheet.number("ca.private"), body, sheet.number("issuerCertificate.k"))
    sheet.compare("issuerCertificate.signature", signature)
    sheet.compare("issuerCertificate", body + signature)
    pan = pan_of(static)
    key, failed = ecc_issuer_key(
        body + signature, points["ca"], shown[15:20], shown[20:21], pan, "20261122", set()
    )
    sheet.compare("issuerCertificate.genuine", failed is None and key == points["issuer"])
    shown = unhex(sheet.values["iccCertificate.signed"])
    body = card_body(
        hexed(shown[3:9]), shown[9:15], hashlib.sha256(static).digest(), P256.wire(points["icc"][0])
    )
    sheet.compare("iccCertificate.signed", body)
    signature = P256.sign(sheet.number("issuer.private"), body, sheet.number("iccCertificate.k"))
    sheet.compare("iccCertificate.signature", signature)
    sheet.compare("iccCertificate", body + signature)
    key, failed = ecc_card_key(body + signature, points["issuer"], static, "202611221200")
    sheet.compare("iccCertificate.genuine", failed is None and key == points["icc"])


def filled(digits):
    """The hex of a number in compressed form: an F behind an odd count of digits."""
    return digits + "F" * (len(digits) % 2)


def pan_of(static):
    """The value of 5A in the signed records, which here are plain objects one after the other."""
    at = 0
    while static[at] != 0x5A:
        at += (2 if static[at] & 31 != 31 else 3) + static[at + (1 if static[at] & 31 != 31 else 2)]
    return hexed(static[at + 2 : at + 2 + static[at + 1]]).rstrip("F")


def check_channel(sheet, points):
    private, factor = sheet.number("kernel.private"), sheet.take("blindingFactor")
    kernel = KernelChannel(private)
    sheet.compare("kernel.public (9E)", kernel.public)
    card = CardChannel(sheet.number("icc.private"), int.from_bytes(factor, "big"), kernel.public)
    sheet.compare("blindedPublic.x", card.blinded_x)
    sheet.compare("cardKeyData (9F8103)", card.key_data)
    sheet.compare("encryptedBlindingFactor (counter 8000)", card.key_data[32:])
    secret = shared_secret(private, P256.recover(card.blinded_x))
    sheet.compare("Z", secret)
    kernel_point = P256.times(private, P256.base)
    sheet.compare(
        "Z by the card",
        P256.wire(P256.times(int.from_bytes(factor, "big") * sheet.number("icc.private"), kernel_point)[0]),
    )
    sheet.compare("KDK", cmac(bytes(16), secret))
    if not kernel.card_key_data(card.key_data) or kernel.keys != card.keys or kernel.factor != factor:
        sheet.wrong.append(("cardKeyData", "kernel and card differ", ""))
    sheet.compare("SKc", kernel.keys[0])
    sheet.compare("SKi", kernel.keys[1])
    sheet.compare("blindingFactor.valid", blinding_valid(kernel.factor, points["icc"], kernel.blinded_x))
    return kernel, card


def check_records(sheet, kernel, card):
    """Records in their order, an envelope, and with the counters after them two WRITE DATA at the end."""
    signed, at = sheet.values["signedRecords"], 0
    signed = unhex(signed)
    for label in [name for name in sheet.values if ".encrypted (counter" in name]:
        size = len(unhex(sheet.values[label]))
        cipher = card.encrypt(signed[at : at + size])
        sheet.compare(label, cipher)
        if kernel.decrypt_record(cipher) != signed[at : at + size]:
            sheet.wrong.append((label, "kernel reads otherwise", ""))
        if label.startswith("record1"):
            sheet.compare("record1", b"\xda" + bytes([size]) + cipher)
        at += size
    if at != len(signed):
        sheet.wrong.append(("signedRecords", "records end elsewhere", ""))
    response = card.seal_envelope(sheet.take("envelope"))
    sheet.compare(sheet.find("readData.response"), response)
    sheet.compare("readData.decrypted", kernel.open_envelope(response))


def check_writes(sheet, kernel, card):
    for number in ("1", "2"):
        label = sheet.find("writeData" + number + ".command")
        plain = crypt(kernel.kernel_counter, unhex(sheet.values[label]), kernel.keys[0])
        cipher = kernel.seal_envelope(plain)
        sheet.compare(label, cipher)
        read, answer = card.written(cipher)
        sheet.compare(sheet.find("writeData" + number + ".response"), answer)
        if read != plain or plain[:2] != unhex("9F81") or not kernel.written(plain, answer):
            sheet.wrong.append((label, "no envelope, or its answer is refused", ""))


def check_macs(sheet, kernel, card, static):
    version_1 = "IAD with MAC" in sheet.find("edaMac")
    objects = sheet.take(sheet.find("generateAcObjects"))
    relay = b""
    if "lastErrdResponse" in sheet.values:
        relay = sheet.take("terminalRelayResistanceEntropy") + sheet.take("lastErrdResponse")
    message = sheet.take("pdolValues") + sheet.take("cdol1RelatedData") + relay + objects
    whole = bytes(2) + message + hashlib.sha256(static).digest()
    sheet.compare("iadMac.message", whole)
    last, before, block = cmac_parts(kernel.keys[1], whole)
    sheet.compare("iadMac.Hn", last)
    sheet.compare("iadMac.Hn-1", before)
    sheet.compare("iadMac.Dn", block)
    sheet.compare("iadMac.cmacPlus", cmac_plus(kernel.keys[1], whole))
    if cmac_plus(kernel.keys[1], whole) != xor(xor(last, block), before):
        sheet.wrong.append(("iadMac.cmacPlus", "both ways of C.75 differ", ""))
    mac = kernel.iad_mac(message, static)
    sheet.compare("iadMac", mac)
    label = sheet.find("iad.withMac")
    offset = int(label.split("offset ")[1].rstrip(")"))
    shown = unhex(sheet.values[label])
    iad = shown[:offset] + mac + shown[offset + 8 :]
    if not version_1 and shown[:offset] + bytes(8) + shown[offset + 8 :] not in objects:
        sheet.wrong.append((label, "is not the 9F10 of the answer", ""))
    sheet.compare(label, iad)
    return mac, iad, version_1


def check_cryptogram(sheet, kernel, mac, iad, version_1, static):
    pan = unhex(filled(pan_of(static)))
    sequence = static[static.index(unhex("5F3401")) + 3 :][:1]
    objects = unhex(sheet.values[sheet.find("generateAcObjects")])
    counter = objects[objects.index(unhex("9F3602")) + 3 :][:2]
    master = card_master_key(sheet.take("issuerMasterKey"), pan, sequence)
    sheet.compare("iccMasterKey", master)
    session = session_key(master, counter)
    sheet.compare("acSessionKey", session)
    message = sheet.take("cdol1RelatedData")[:29] + sheet.take("aip") + counter + iad
    sheet.compare("ac.message", message)
    made = cryptogram(session, message)
    sheet.compare("applicationCryptogram", made)
    sheet.compare(sheet.find("edaMac"), kernel.eda_mac(made + (iad if version_1 else mac)))


def check_transaction(sheet):
    points = check_keys(sheet)
    static = sheet.take("signedRecords") + sheet.take("extendedSdaData") + sheet.take("aip")
    sheet.compare("staticData", static)
    check_certificates(sheet, points, static)
    kernel, card = check_channel(sheet, points)
    check_records(sheet, kernel, card)
    mac, iad, version_1 = check_macs(sheet, kernel, card, static)
    check_cryptogram(sheet, kernel, mac, iad, version_1, static)
    check_writes(sheet, kernel, card)


def check_signatures(sheet, curve):
    private = sheet.number("private")
    public = curve.times(private, curve.base)
    sheet.compare("public", curve.wire_point(public))
    sheet.compare("public.recovered", curve.wire_point(curve.recover(curve.wire(public[0]))))
    for place in range(3):
        message, nonce = sheet.take("%d.message" % place), sheet.number("%d.k" % place)
        sheet.compare("%d.kG.x" % place, curve.wire(curve.times(nonce, curve.base)[0]))
        signature = curve.sign(private, message, nonce)
        sheet.compare("%d.signature" % place, signature)
        sheet.compare("%d.genuine" % place, curve.genuine(public, signature, message))
    message = sheet.take("2.message")
    for label in [name for name in sheet.values if name.startswith("refuse") and not name.endswith("genuine")]:
        sheet.compare(label + ": genuine", curve.genuine(public, sheet.take(label), message))


def check_edges(sheet):
    for label in ("x without a point", "x not below p"):
        value = sheet.take(label if label in sheet.values else sheet.find(label + " ("))
        sheet.compare(label + ": recovered", "none" if P256.recover(value) is None else "point")
    card_key, factor = P256.recover(sheet.take("icc.x")), sheet.number("r")
    blinded = P256.wire(P256.times(factor, card_key)[0])
    sheet.compare("blinded.x", blinded)
    for label, value in (("n - r", P256.n - factor), ("r + 1", factor + 1), ("r = 0", 0)):
        sheet.compare(sheet.find(label + ": valid"), blinding_valid(P256.wire(value), card_key, blinded))
    key = sheet.take("key")
    for label in sheet.values:
        if label.startswith("cmac"):
            size = int(label.split("(")[1].split(" ")[0])
            compute = cmac_plus if label.startswith("cmac+") else cmac
            sheet.compare(label, compute(key, bytes(range(size))))
        if label.startswith("ctr"):
            counter, size = label.split("counter ")[1].split(", ")
            sheet.compare(label, crypt(int(counter, 16), bytes(int(size.split(" ")[0])), key))


def run_vectors(text):
    vectors = json.loads(text)
    sheets = []
    for entry in vectors["sheets"]:
        sheet = Sheet(entry, vectors["agreement"][entry["name"]])
        if sheet.name.startswith("ecsdsa-"):
            check_signatures(sheet, {"P-256": P256, "P-521": P521}[sheet.name[7:]])
        elif sheet.name == "edges":
            check_edges(sheet)
        else:
            check_transaction(sheet)
        sheets.append(sheet)
    return sheets


def known_values():
    """The published answers that need no file: FIPS 197 C.1, RFC 4493 examples, the order of both curves."""
    key = unhex("000102030405060708090a0b0c0d0e0f")
    block = unhex("00112233445566778899aabbccddeeff")
    rfc = unhex("2b7e151628aed2a6abf7158809cf4f3c")
    text = unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411")
    return [
        aes(key, block) == unhex("69c4e0d86a7b0430d8cdb78070b4c55a"),
        aes_inverse(key, aes(key, block)) == block,
        cmac(rfc, b"") == unhex("bb1d6929e95937287fa37d129b756746"),
        cmac(rfc, text[:16]) == unhex("070a16b46b4d4144f79bdd9dd04a287c"),
        cmac(rfc, text) == unhex("dfa66747de9ae63030ca32611497c827"),
        all(c.on_curve(c.base) for c in (P256, P521)),
        all(c.plus(c.times(c.n - 1, c.base), c.base) is None for c in (P256, P521)),
    ]


def check(listed):
    failures = known_values().count(False)
    print("%d of %d published values of AES, CMAC and the curves" % (7 - failures, 7))
    sheets = run_vectors(VECTORS.read_text())
    total = matched = agreed = 0
    for sheet in sheets:
        total += len(sheet.values)
        matched += len(sheet.matched)
        agreed += sum(1 for label in sheet.matched if sheet.agreement.get(label) == "both agree")
        failures += len(sheet.wrong) + len(sheet.left())
        for label, found, wanted in sheet.wrong:
            print("%s: %s: %s, not %s" % (sheet.name, label, found, wanted))
        for label in sheet.left():
            print("%s: %s: neither input nor computed" % (sheet.name, label))
        differing = [l for l, word in sheet.agreement.items() if word not in ("both agree", "input or own value only")]
        for label in differing:
            print("%s: %s: implementations differ (%s)" % (sheet.name, label, sheet.agreement[label]))
        if listed:
            for label in sorted(sheet.inputs - sheet.matched):
                print("%s: %s: input" % (sheet.name, label))
    print(
        "%d values in %d sheets: %d computed and equal, of which two implementations agree on %d; %d inputs; none on"
        " which the source says that implementations differ" % (total, len(sheets), matched, agreed, total - matched)
    )
    return 1 if failures else 0


BASE_TABLE = """/* SPDX-License-Identifier: Apache-2.0 */
/* The multiples 1, 3, 5, … of P-256's base point: x and y in Montgomery form (p256.h). Written by
 * Tests/Independent/generators/kernel_8_channel.py --base-table; Scripts/oracles compares it with that program and with
 * OpenSSL. */
#include "p256.h"

#define W(high, low) CRYPTO_P256_WORDS(high, low)

const struct crypto_p256_point crypto_p256_base[CRYPTO_P256_BASE_POINTS] = {{
{always}#if CEMV_P256_BASE_TABLE
{table}#endif
}};"""
BASE_POINTS, BASE_POINTS_ALWAYS = 32, 2


def base_table():
    """Each number in Montgomery form, as 64-bit words with the lowest first."""

    def row(point):
        numbers = []
        for number in point:
            number = (number << 256) % P256.p
            words = [f"W(0x{number >> at + 32 & 0xFFFFFFFF:08X}, 0x{number >> at & 0xFFFFFFFF:08X})"
                     for at in range(0, 256, 64)]
            numbers.append("{ { " + ", ".join(words[:3]) + ",\n          " + words[3] + " } }")
        return f"    {{ {numbers[0]},\n      {numbers[1]} }},\n"

    rows = [row(P256.times(2 * i + 1, P256.base)) for i in range(BASE_POINTS)]
    return BASE_TABLE.format(always="".join(rows[:BASE_POINTS_ALWAYS]), table="".join(rows[BASE_POINTS_ALWAYS:]))


def main():
    if sys.argv[1:] == ["--base-table"]:
        print(base_table())
        return 0
    if sys.argv[1:] in (["--check"], ["--list"]):
        return check(sys.argv[1] == "--list")
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
