#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes seeds for fuzz targets from dialogues and decision tables of independent implementations.

    seeds.py DIRECTORY FILE...       FILE: .taps with a trace in each line, or a table (rules.txt, cryptogram.txt)

Writes DIRECTORY/TARGET/HASH for every target except session and terminal, which play recorded taps, and pn532. A target
reads what its function describes: fuzz.c, fuzz_reader.c and fuzz_kernel_8.c in Tests/CEMVInternals, for passes and
wallet Tests/LoyaltyTests/WalletProperties.swift. Seeds that differ only in values have the same shape: one of them is
kept, and of all shapes of a target at most LIMIT, spread evenly."""
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/Independent/generators"))
sys.dont_write_bytecode = True
import kernel_8_channel as channel  # noqa: E402 (the path comes first)

LIMIT = {"reader": 1000, "host": 1000, "wallet": 2000}
USUAL_LIMIT = 400


# Data objects -------------------------------------------------------------------------------------------------------

def objects(data, depth=0):
    """Yields (tag, value, depth) of every data object, the constructed ones before their content, up to a fault."""
    at = 0
    while at < len(data):
        start = at
        at += 1
        if data[start] & 0x1F == 0x1F:
            while at < len(data) and data[at] & 0x80:
                at += 1
            at += 1
        tag = data[start:at]
        if at >= len(data):
            return
        size, at = data[at], at + 1
        if size & 0x80:
            more = size & 0x7F
            size, at = int.from_bytes(data[at:at + more], "big"), at + more
        if at + size > len(data):
            return
        value = data[at:at + size]
        yield tag.hex().upper(), value, depth
        if tag[0] & 0x20:
            yield from objects(value, depth + 1)
        at += size


def tlv(tag, value):
    size = bytes([len(value)]) if len(value) < 128 else b"\x81" + bytes([len(value)])
    return bytes.fromhex(tag) + (size if len(value) < 256 else b"\x82" + len(value).to_bytes(2, "big")) + value


def bodies(trace):
    """The command and the body of each response with data."""
    for item in trace["exchanges"]:
        if len(item.get("r", "")) > 4:
            yield bytes.fromhex(item.get("c", "")), bytes.fromhex(item["r"])[:-2]


def values(trace):
    """All primitive data objects of the card; the first of each tag."""
    found = {}
    for _, body in bodies(trace):
        for tag, value, _ in objects(body):
            if not bytes.fromhex(tag)[0] & 0x20:
                found.setdefault(tag, value)
    return found


def tags(data):
    return tuple((tag, depth, len(value) > 127) for tag, value, depth in objects(data))


# Targets that read one thing ----------------------------------------------------------------------------------------
# Each yields (shape, seed).

def tlv_seeds(trace):
    for _, body in bodies(trace):
        yield tags(body), body


def dol_seeds(trace):
    for tag, value in values(trace).items():
        if tag in ("8C", "8D", "9F38", "9F49", "97", "9F69", "9F29"):
            yield value, value


def apdu_seeds(trace):
    for item in trace["exchanges"]:
        for side in "cr":
            data = bytes.fromhex(item.get(side, ""))
            yield (side, data[:4] if side == "c" else data[-2:], len(data) // 16), data
    for tag, value in values(trace).items():
        if tag in ("5A", "5F24", "5F25", "9A", "9F02", "9F4D", "9F36"):
            yield (tag, len(value)), value


def directory_seeds(trace):
    for command, body in bodies(trace):
        if command[1:2] == b"\xA4":
            yield tuple((tag, value if tag in ("4F", "87", "9F2A") else b"") for tag, value, _ in objects(body)), body


def store_seeds(trace):
    """A list, a response with template 77 and a record, twice: fuzz_store()."""
    found = {"list": [], "77": [], "70": []}
    for _, body in bodies(trace):
        first = body[:1].hex()
        found["list" if first not in found else first].append(body)
    lists, answers, records = (found[kind] for kind in ("list", "77", "70"))
    lists = lists[1:2] + [value for tag, value in values(trace).items() if tag in ("8C", "9F38", "9F69")]
    parts = [(each[turn] if turn < len(each) else b"") for turn in (0, 1) for each in (lists, answers, records)]
    shape = tuple(tags(part) for part in parts)
    rules = hashlib.sha256(repr(shape).encode()).digest()[0] & 0x1F
    yield shape, bytes([rules]) + b"".join(len(part).to_bytes(2, "big") + part for part in parts)


def host_seeds(trace):
    kernel = trace["configuration"]["combinations"][0]["kernel"]
    scheme = {2: 2, 3: 1, 4: 3, 5: 4, 6: 5, 7: 6}.get(kernel, 0)
    found = values(trace)
    for tag, value in found.items():
        if tag in ("9F10", "57", "56", "9F6B", "9F6E", "5A"):
            yield (scheme, tag, len(value), value[:1] + value[2:3] if tag == "9F10" else b""), bytes([scheme]) + value
    terminal = {"9F02": bytes(6), "9F03": bytes(6), "9F1A": b"\2\x76", "95": bytes(5), "5F2A": b"\x09\x78",
                "9A": b"\x26\x11\x22", "9C": b"\0", "9F37": b"\1\2\3\4", "9F33": b"\xE0\xB8\xC8", "9F34": b"\x1F\0\2"}
    everything = {**found, **terminal}
    for choice in (scheme, (scheme + 10 * (kernel % 7)) | 0x80):
        yield (choice, tuple(found)), bytes([choice]) + b"".join(tlv(*each) for each in everything.items())


# Decision tables ----------------------------------------------------------------------------------------------------

def whole(inputs):
    return bytes.fromhex(inputs[0].lstrip("x").replace("-", ""))


def directory_of(inputs):
    """A PPSE with these directory entries."""
    name = tlv("84", b"2PAY.SYS.DDF01")
    return tlv("6F", name + tlv("A5", tlv("BF0C", whole(inputs))))


def locator_of(inputs):
    """A list with an application file locator, for fuzz_store()."""
    content = tlv("94", whole(inputs))
    return b"\0" + len(content).to_bytes(2, "big") + content


def of_scheme(inputs):
    return bytes([int(inputs[0])]) + whole(inputs[1:])


def of_no_scheme(inputs):
    return b"\0" + whole(inputs)


def chip_of(inputs):
    """The data objects of V, and the lists of L as they are."""
    out = bytes([int(inputs[0])])
    for item in inputs[1].split(","):
        tag, _, value = item[1:].partition("=")
        out += tlv(tag, bytes.fromhex(value)) if item.startswith("V") else bytes.fromhex(tag)
    return out


TABLES = {
    "cemv_dol_value_size": ("dol", whole), "cemv_store_build_dol": ("dol", whole),
    "cemv_bcd_read": ("apdu", whole), "cemv_date_read": ("apdu", whole), "cemv_cn_digits": ("apdu", whole),
    "cemv_format_check": ("apdu", whole), "cemv_candidates_build": ("directory", directory_of),
    "cemv_idlv_next": ("directory", whole), "afl": ("store", locator_of), "iad": ("host", of_scheme),
    "form": ("host", of_scheme), "extract": ("host", chip_of), "track1": ("host", of_no_scheme),
    "track2": ("host", of_no_scheme), "cn": ("host", of_no_scheme),
}


def table_seeds(line):
    """Yields (target, shape, seed): lines with the same results of the same size are alike."""
    function, inputs, results = (part.strip() for part in line.split("|"))
    if function in TABLES:
        target, seed_of = TABLES[function]
        inputs = inputs.split()
        scheme = inputs[0] if seed_of in (of_scheme, chip_of) else ""
        yield target, (function, scheme, *results.split()[:2], len(line) // 16), seed_of(inputs)


# Certificates -------------------------------------------------------------------------------------------------------

def recovered(data, modulus, exponent):
    """The block behind a signature, with the account number and the hash that fuzz_certificate() expects."""
    if not modulus or len(data) != len(modulus):
        return None
    power = pow(int.from_bytes(data, "big"), int.from_bytes(exponent, "big"), int.from_bytes(modulus, "big"))
    block = bytearray(power.to_bytes(len(data), "big"))
    if block[0] != 0x6A or block[-1] != 0xBC:
        return None
    block[-21:-1] = bytes(20)
    if block[1] == 2:
        block[2:6] = bytes.fromhex("41111111")
    if block[1] == 4:
        block[2:12] = bytes.fromhex("4111111111111111FFFF")
    return bytes(block)


def certificate_seeds(trace):
    found = values(trace)
    issuer = card = (b"", b"")

    def seed(name, block, remainder, exponent, list_tag="9F4A"):
        parts = block, remainder, exponent, found.get(list_tag, b"")
        return (name, len(block), len(remainder), exponent, block[1]), b"".join(
            bytes([len(part)]) + part for part in parts)

    for key in trace["configuration"].get("caKeys", []):
        if "modulus" not in key or found.get("8F", b"").hex().upper() != key["index"]:
            continue
        block = recovered(found.get("90", b""), bytes.fromhex(key["modulus"]), bytes.fromhex(key["exponent"]))
        if block:
            remainder, exponent = found.get("92", b""), found.get("9F32", b"")
            issuer = (block[15:-21].rstrip(b"\xBB") + remainder)[:block[13]], exponent
            yield seed("issuer", block, remainder, exponent)
    block = recovered(found.get("9F46", b""), *issuer)
    if block:
        remainder, exponent = found.get("9F48", b""), found.get("9F47", b"")
        card = (block[21:-21].rstrip(b"\xBB") + remainder)[:block[19]], exponent
        yield seed("card", block, remainder, exponent)
    block = recovered(found.get("93", b""), *issuer)
    if block:
        yield seed("static", block, b"", b"")
    block = recovered(found.get("9F4B", b""), *card)
    if block:
        yield seed("dynamic", block, found.get("9F69", b""), found.get("9F27", block[5:6]))


# Wallets for passes -------------------------------------------------------------------------------------------------

def passes_seeds():
    """The bytes written in the tests of EMVLoyalty, for each decoder of WalletProperties.violated(byAnswer:)."""
    for path in sorted((ROOT / "Tests/LoyaltyTests").glob("*.swift")):
        for text in re.findall(r'hex\(\s*"+([0-9a-fA-F\s\\]+)"', path.read_text(encoding="utf-8")):
            data = bytes.fromhex(text.replace("\\", ""))
            for decoder in range(5):
                yield (decoder, data), bytes([decoder]) + data


def wallet_seeds():
    """Dialogues of WalletProperties.play(): purpose, request, then indices into its table of answers. Each leaves the
    path of a complete dialogue after some steps and gets the same other answer until its end."""
    for request in range(7):
        for path in ([0], [1, 2, 3, 9, 10], [1, 2, 3, 5]):
            for length in range(len(path) + 1):
                for other in range(25):
                    purpose = (request + length + other) % 4
                    seed = bytes([purpose, request, *path[:length], *[other] * 17])
                    yield seed, seed


# Whole sessions -----------------------------------------------------------------------------------------------------

ROWS = {2: 0, 3: 1, 6: 2, 7: 3, 4: 4, 5: 5}
OWN = {4: "C09CE003", 5: "22721000"}  # Kernel 4: 9F6D, 9F6E; Kernel 5: Combination Options, TIP (fuzz_reader.c)
CARD, REMOVED, ONLINE, RESPONSE, FAULTS = 5, 8, 13, 1, {"timeout": 2, "transmission": 3, "protocol": 4}
AMOUNTS = [0, 1, 100, 999, 1000, 1001, 5000, 5001, 10000, 15000, 15001, 20000, 30000, 30001, 50001, 999999999999]
AMOUNTS_8 = [0, 1, 1000, 9999, 10000, 10001, 50000, 999999999999]
TERMINAL_TYPES = ["22", "21", "14", "23", "25", "26", "34", "11"]
PROFILES, TYPES = ["guarded", "book", "strict"], {"00": 0, "01": 1, "09": 2, "20": 3}


def nearest(amounts, trace):
    return min(range(len(amounts)), key=lambda i: abs(amounts[i] - int(trace["transaction"]["amount"])))


def profile(trace):
    return PROFILES.index(trace["configuration"].get("protection", {}).get("profile", "guarded"))


def prefix(trace):
    row = trace["configuration"]["combinations"][0]
    kind = TYPES.get(trace["transaction"].get("type", "00"), 0)
    out = bytearray(49)
    out[0] = 1 << ROWS[row["kernel"]] | 1 << 6
    out[12] = profile(trace)
    out[1] = nearest(AMOUNTS, trace) | kind << 4
    own = 13 + 6 * ROWS[row["kernel"]]
    out[own:own + 4] = bytes.fromhex(row.get("ttq", OWN.get(row["kernel"], "36000000")))
    limits = row.get("limits", {})
    for bit, name in enumerate(("transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction")):
        out[own + 4] |= (name in limits) << 3 + bit
    out[own + 5] = 0b00110110
    return bytes(out)


def reply(kind, answer=b""):
    return bytes([kind | 1 << 4]) + len(answer).to_bytes(2, "big") + answer


def data_of(answer):
    """The issuer's data objects, in the order in which they are written."""
    out = b""
    for tag, value in answer.items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and len(text) // 2 < 128 and set(tag) <= set("0123456789ABCDEF"):
                out += bytes.fromhex(tag) + bytes([len(text) // 2]) + bytes.fromhex(text)
    return out


def replies(exchanges):
    out = reply(CARD)
    for item in exchanges:
        if "r" in item:
            out += reply(RESPONSE, bytes.fromhex(item["r"]))
        elif item.get("fault") in FAULTS:
            out += reply(FAULTS[item["fault"]])
        elif "tap" in item:
            out += reply(REMOVED) + reply(CARD)
        elif isinstance(item.get("online"), dict):
            out += reply(ONLINE, data_of(item["online"]))
    return out


def shape(trace):
    return (trace["configuration"]["combinations"][0]["kernel"],
            tuple((item.get("c", "")[:4], item.get("r", "")[:2], item.get("r", "")[-4:], len(item.get("r", "")) // 64)
                  for item in trace["exchanges"]))


def reader_seeds(trace):
    if trace["configuration"]["combinations"][0]["kernel"] in ROWS:
        yield shape(trace), prefix(trace) + bytes(2) + replies(trace["exchanges"])


def prefix_8(trace):
    data, sale = trace["configuration"]["combinations"][0].get("data", {}), trace["transaction"]
    terminal_type = trace["configuration"]["terminal"].get("9F35", "22")
    capabilities = int(data.get("9F8209", "0000")[:2], 16)
    out = bytearray(6)
    out[0] = profile(trace) | 1 << 6
    out[1] = nearest(AMOUNTS_8, trace) | TYPES.get(sale.get("type", "00"), 0) << 4
    out[2] = TERMINAL_TYPES.index(terminal_type) if terminal_type in TERMINAL_TYPES else 0
    out[2] |= (data.get("9F820A", "10") != "10") << 3 | (capabilities & 0x20) >> 1 | (capabilities & 0x10) << 1
    out[2] |= (~capabilities & 8) << 3
    for bit, tag in enumerate(("9F820B", "9F820C", "9F8220", "9F821F", "9F8221", "DF01", "DF02", "9F821E")):
        out[3] |= (tag in data) << bit
    for tag, value in sale.get("data", {}).items():
        if tag in ("9F8203", "BF8104", "9F8202"):
            out[4] |= 1 << 2 * ("9F8203", "BF8104", "9F8202").index(tag) + (value != "")
    return bytes(out)


def without_key(trace):
    """The exchanges as the card sends them to fuzz_kernel_8.c: nothing is encrypted, MACs and points are zero."""
    private = int(trace["transaction"]["random"][:64].ljust(64, "0"), 16)
    keys, counter = None, 0x8000
    for item in trace["exchanges"]:
        answer = bytes.fromhex(item.get("r", ""))
        body, command = answer[:-2], item.get("c", "")[:4]
        key_data = values({"exchanges": [item]}).get("9F8103", b"")
        if command == "80A8" and len(key_data) == 64:
            point = channel.P256.recover(key_data[:32])
            if point and private:
                keys, counter = channel.session_keys(channel.shared_secret(private, point)), 0x8001
            body = body.replace(key_data, bytes(64))
        elif keys and command == "00B2" and body[:1] == b"\xDA":
            _, value, _ = next(objects(body), (None, b"", 0))
            body = tlv("DA", channel.crypt(counter, value, keys[0]))
            counter += 1
        elif keys and command == "8432" and len(body) >= 8:
            body = channel.crypt(counter, body[:-8], keys[0]) + bytes(8)
            counter += 1
        elif keys and command == "8434" and len(body) >= 8:
            body = body[:-8] + bytes(8)
            counter += 1
        mac = values({"exchanges": [item]}).get("9F8105", b"")
        if mac:
            body = body.replace(mac, bytes(len(mac)))
        yield {**item, "r": (body + answer[-2:]).hex()} if "r" in item else item


def kernel8_seeds(trace):
    if trace["configuration"]["combinations"][0]["kernel"] == 8:
        plain = list(without_key(trace))
        forms = tuple(tags(bytes.fromhex(item.get("r", ""))) for item in plain)
        yield (shape(trace), forms), prefix_8(trace) + bytes(2) + replies(plain)


TARGETS = {"tlv": tlv_seeds, "dol": dol_seeds, "apdu": apdu_seeds, "directory": directory_seeds, "store": store_seeds,
           "certificate": certificate_seeds, "host": host_seeds, "reader": reader_seeds, "kernel8": kernel8_seeds}


def seeds_of(line):
    if line.startswith("{"):
        trace = json.loads(line)
        for target, seeds in TARGETS.items():
            yield from ((target, *seed) for seed in seeds(trace))
    elif not line.startswith("#"):
        yield from table_seeds(line)


def main():
    directory, files = pathlib.Path(sys.argv[1]), sys.argv[2:]
    found = {target: {} for target in TARGETS} | {"passes": dict(passes_seeds()), "wallet": dict(wallet_seeds())}
    for path in files:
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            for target, form, seed in seeds_of(line):
                found[target].setdefault(form, seed)
    for target, seeds in found.items():
        (directory / target).mkdir(parents=True, exist_ok=True)
        seeds, limit = list(seeds.values()), LIMIT.get(target, USUAL_LIMIT)
        for seed in seeds if len(seeds) <= limit else (seeds[i * len(seeds) // limit] for i in range(limit)):
            (directory / target / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    print(", ".join(f"{len(seeds)} {target}" for target, seeds in found.items()))
    sys.exit(not all(found.values()))


main()
