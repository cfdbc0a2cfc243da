#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Worst-case stack from gcc's -fcallgraph-info=su files: the deepest path below each public function, in bytes.

Indirect calls are resolved by hand, because there are two tables only: kernels (called by the session module) and the
crypto port (called by all others); the log of a transaction is left out. A cycle or an unbounded frame is an error."""
import re
import sys

frames, edges, places = {}, {}, {}
for path in sys.argv[1:]:
    for line in open(path):
        node = re.match(r'node: \{ title: "([^"]+)" label: "([^"]+)"', line)
        if node:
            name = node.group(1)
            size = re.search(r'(\d+) bytes \((\w+)', node.group(2))
            if size:
                if size.group(2) not in ("static", "dynamic,bounded") and "dynamic" in size.group(2):
                    sys.exit(f"{name}: frame is not bounded")
                frames[name] = int(size.group(1))
            places[name] = path
        edge = re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', line)
        if edge:
            edges.setdefault(edge.group(1), set()).add(edge.group(2))

short = lambda name: name.split(":")[-1]
stem = lambda name: short(name).split(".")[0]


def bodies(path):
    """The functions of a source file: name and text."""
    for body in re.finditer(r"^\w[^\n(]*?(\w+)\([^;{}]*\)\n\{.*?^\}", open(path).read(), flags=re.M | re.S):
        yield body.group(1), body.group(0)


# Functions that call the port for hashes alone.
hashing = {"crypto_check_hash", "cemv_ca_key_check", "cemv_cda_transaction_hash"}
for path in ("oda/signature.c", "oda/certificate.c", "oda/ca_key.c"):
    for name, text in bodies("Sources/CEMV/" + path):
        if name in hashing and "->rsa" in text:
            sys.exit(f"{name} calls the public operation now")

# Parts that are linked where a transaction names them.
parts = {"directory": "keep_directory", "select": "keep_selected", "read": "keep_read",
         "ask": "ask", "answered": "answered"}
part_nodes = {stem(n): n for n in frames if places[n].endswith(("amount.ci", "presented.ci"))}
# They call the log of a transaction: what that takes is its maker's to count.
logging = {"write_note", "cemv_kernel_note"}

# Which of a kernel's functions each function of the session calls, those that were inlined into it included.
session = dict(bodies("Sources/CEMV/session/session.c"))
nodes = {stem(n) for n in frames if "session.ci" in places[n]}


def members(name, seen=()):
    text = session.get(name, "")
    found = set(re.findall(r"(?:module|amount_wait|by)->(\w+)\(", text))
    for other in set(re.findall(r"(\w+)\(", text)) & set(session) - nodes - set(seen) - {name}:
        found |= members(other, seen + (name,))
    return found


kernels = [n for n in frames if re.fullmatch(r"k\d_(start|reply|stop|data|abandon|precompute)", short(n))]
port = [n for n in frames if short(n) in ("cemv_rsa_public", "cemv_rsa_prepare", "cemv_rsa_public_prepared",
                                          "cemv_p256_recover", "cemv_p256_combine")
        or ("port.c" in n and re.search(r"sha", short(n)))]
if not kernels or not port:
    sys.exit("the tables of indirect calls are empty: names have changed")


def targets(name):
    for target in edges.get(name, ()):
        if target != "__indirect_call":
            yield target
        elif stem(name) in logging:
            continue
        elif places[name].endswith("entry.ci"):
            yield part_nodes["keep_directory"]
        elif "session.ci" in places[name]:
            called = members(stem(name))
            if not called:
                sys.exit(f"{name} calls what is not known")
            yield from (part_nodes[parts[c]] for c in called if c in parts)
            yield from (n for n in kernels if short(n).split("_")[1] in called)
        else:
            yield from (n for n in port if "sha" in short(n) or stem(name) not in hashing)


depths = {}


def depth(name, path):
    if name in path:
        sys.exit("recursion: " + " > ".join(map(short, path + (name,))))
    if name not in depths:
        below = [(depth(t, path + (name,)), t) for t in targets(name)]
        best = max(below, default=((0, ()), None), key=lambda b: b[0][0])
        depths[name] = (frames.get(name, 0) + best[0][0], (name,) + best[0][1])
    return depths[name]


worst = (0, ())
for name in frames:
    if re.fullmatch(r"cemv_(session|configuration)_\w+", short(name)) and "static" not in name:
        worst = max(worst, depth(name, ()), key=lambda d: d[0])
print(worst[0])
print(" > ".join(f"{short(n)} {frames.get(n, 0)}" for n in worst[1]), file=sys.stderr)
