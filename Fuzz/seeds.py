#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds of the fuzz target `reader` from dialogues of independent implementations.

    seeds.py FOLDER FILE...       FILE: a trace, or .taps with one in each line

A seed is what fuzz_reader() reads (Tests/CEMVInternals/fuzz_reader.c): a prefix for the reader, then the replies. Of
dialogues with the same shape (kernel, statuses, tags of the answers) one is kept."""
import json
import pathlib
import sys

ROWS = {2: 0, 3: 1, 6: 2, 7: 3, 4: 4, 5: 5}
OWN = {4: "C09CE003", 5: "22721000"}  # Kernel 4: 9F6D, 9F6E; Kernel 5: Combination Options, TIP (fuzz_reader.c)
CARD, REMOVED, ONLINE, RESPONSE, FAULTS = 5, 8, 13, 1, {"timeout": 2, "transmission": 3, "protocol": 4}
AMOUNTS = [0, 1, 100, 999, 1000, 1001, 5000, 5001, 10000, 15000, 15001, 20000, 30000, 30001, 50001, 999999999999]


def prefix(trace):
    row = trace["configuration"]["combinations"][0]
    if row["kernel"] not in ROWS:
        return None
    protection = trace["configuration"].get("protection", {})
    profile = ["guarded", "book", "strict"].index(protection.get("profile", "guarded"))
    amount = min(range(16), key=lambda i: abs(AMOUNTS[i] - int(trace["transaction"]["amount"])))
    kind = {"00": 0, "01": 1, "09": 2, "20": 3}.get(trace["transaction"].get("type", "00"), 0)
    out = bytearray(49)
    out[0] = 1 << ROWS[row["kernel"]] | 1 << 6
    out[12] = profile
    out[1] = amount | kind << 4
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


def replies(trace):
    out = reply(CARD)
    for item in trace["exchanges"]:
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


def main():
    folder, files = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    seen = set()
    for path in files:
        text = open(path).read()
        for line in text.splitlines() if path.endswith(".taps") else [text]:
            trace = json.loads(line)
            start = prefix(trace)
            if start is None or shape(trace) in seen:
                continue
            seen.add(shape(trace))
            (folder / trace["name"]).write_bytes(start + bytes(2) + replies(trace))
    print(f"{len(seen)} seeds in {folder}")
    sys.exit(not seen)


main()
