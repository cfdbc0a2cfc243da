#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page's module against the native engine, and both against emv-bench.

Every trace of Tests (and of ../shared/vectors where it is there), every scenario, every card once, and then random
requests for so many seconds: damaged traces, hex, logs, taps with random faults. The module's answer must be the native
one, byte for byte, and its report that of `emv-bench replay --json --steps`. In node each request has an instance of
its own; without node the module runs in wasmkit, which the Swift toolchain brings.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Fixed random bytes: the module's own are another's in each run.
RANDOM = bytes((0x51 + 0x25 * i) % 256 for i in range(1024)).hex().upper()


def encoded(request: dict) -> bytes:
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"


class Engines:
    def __init__(self, options: argparse.Namespace) -> None:
        self.native = [options.native]
        node = shutil.which("node")
        self.host = "node" if node else "wasmkit"
        self.module = (
            [node, str(ROOT / "Web/Checks/calls.mjs"), options.module]
            if node
            else [options.wasmkit, "run", options.lines]
        )
        self.other = [options.wasmkit, "run", options.lines]

        # Of calls.mjs: the largest instance so far. wasmkit tells nothing of memory.
        self.most_memory = 0

    def answers(self, command: list[str], requests: list[bytes]) -> list[bytes]:
        run = subprocess.run(command, input=b"".join(requests), capture_output=True, check=False)
        lines = run.stdout.split(b"\n")[:-1]
        if run.returncode != 0 or len(lines) != len(requests):
            at = min(len(lines), len(requests) - 1)
            sys.exit(
                f"{command[0]} ended with {run.returncode} after {len(lines)} of {len(requests)} answers\n"
                f"{run.stderr.decode(errors='replace')[-2000:]}\nthe next request: {requests[at][:2000].decode()}"
            )
        measured = re.search(rb"at most (\d+) kB of memory", run.stderr)
        self.most_memory = max(self.most_memory, int(measured.group(1)) if measured else 0)
        return lines

    def memory(self) -> str:
        """What was measured of it."""
        if self.host != "node":
            return "memory was not measured: wasmkit does not tell it"
        return f"the largest instance had {self.most_memory} kB"

    def compare(self, what: str, requests: list[bytes], command: list[str] | None = None) -> list[bytes]:
        native = self.answers(self.native, requests)
        module = self.answers(command or self.module, requests)
        for request, expected, found in zip(requests, native, module):
            if expected == found:
                continue
            same = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
            sys.exit(
                f"{what}: the module answers otherwise\nrequest {request[:400].decode()}\n"
                f"native  …{expected[max(0, same - 200) : same + 200].decode(errors='replace')}\n"
                f"module  …{found[max(0, same - 200) : same + 200].decode(errors='replace')}"
            )
        host = "wasmkit" if command else self.host
        print(f"{what}: {len(requests)} answers of the module ({host}) are the native engine's", flush=True)
        return native


def traces(scratch: pathlib.Path) -> list[pathlib.Path]:
    """Every trace as a file; those that are lines of a file are written into `scratch`."""
    found = []
    for path in sorted((ROOT / "Tests/Independent").glob("*.taps")):
        for line in path.read_text(encoding="utf-8").splitlines():
            found.append(scratch / f"{json.loads(line)['name']}.json")
            found[-1].write_text(line, encoding="utf-8")
    for folder in (ROOT / "Tests", ROOT.parent / "shared/vectors"):
        for path in sorted(folder.rglob("*.json")) if folder.exists() else []:
            # Also those that are refused: they name the format, too.
            if b'"emv-trace/1"' in path.read_bytes()[:2000]:
                found.append(path)
    return found


def replays(engines: Engines, bench: str) -> list[bytes]:
    """Every trace, and damaged ones, most of which are refused: also as `emv-bench replay --json --steps` reports."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        files = traces(pathlib.Path(folder))
        requests = [
            encoded({"call": "replay", "file": str(file), "trace": file.read_bytes().decode(errors="replace")})
            for file in files
        ]
        harmed = []
        for number in range(120):
            call = json.loads(damaged(dice.choice(requests), dice))
            file = pathlib.Path(folder) / f"{number}.json"
            file.write_text(call["trace"])
            harmed.append(encoded(call | {"file": str(file)}))
            files.append(file)
        answers = engines.compare("traces", requests + harmed)
        run = subprocess.run(
            [bench, "replay", "--json", "--steps", *map(str, files)], capture_output=True, check=False, cwd=ROOT
        )
    unequal = refused = 0
    for file, answer, report in zip(files, answers, json.loads(run.stdout)["replays"], strict=True):
        own = json.loads(answer)["report"]["replays"][0]
        refused += "error" in own
        if json.dumps(own) != json.dumps(report):
            unequal += 1
            print(f"{file}: differs from emv-bench replay --json", file=sys.stderr)
    if unequal or not refused:
        sys.exit(f"{unequal} of {len(files)} reports differ, {refused} are refusals")
    print(f"traces: {len(files)} reports as emv-bench replay --json, {refused} of them refusals", flush=True)
    return requests


def figures(answer: dict) -> dict:
    """What emv-bench says of a scenario, out of an answer of the page."""
    if "error" in answer:
        return {"error": answer["error"]}
    replay, steps = answer["report"]["replays"][0], answer["steps"]
    size = {name: sum(len(step[name]["hex"]) // 2 for step in steps if step[name]) for name in ("command", "response")}
    return {
        "tap": replay["tap"],
        "outcome": replay["outcome"],
        "apdus": replay["apdus"],
        "bytesSent": size["command"],
        "bytesReceived": size["response"],
    }


def comparisons(engines: Engines) -> None:
    """Two answers that are masked alike are told apart, at the right byte; a tap is equal to itself."""
    tap = {"call": "tap", "profile": "online", "amount": "12.50", "random": RANDOM}
    trace = json.loads(engines.answers(engines.native, [encoded(tap)])[0])["trace"]
    known = json.loads(trace)
    place = next(i for i, one in enumerate(known["exchanges"]) if "5713" in one["r"] or "5711" in one["r"])
    answer = known["exchanges"][place]["r"]
    at = answer.index("57", answer.index("5713") if "5713" in answer else answer.index("5711")) + 4 + 6
    # A digit that is masked: the last of the seventh and eighth.
    known["exchanges"][place]["r"] = answer[: at + 1] + str((int(answer[at + 1]) + 1) % 10) + answer[at + 2 :]
    same, other = ({"call": "replay", "trace": text} for text in (trace, json.dumps(known)))
    requests = [encoded({"call": "compare", "a": tap, "b": b}) for b in (tap, same, other)]
    found = [
        [(row["command"], row["answer"]) for row in json.loads(line)["steps"]]
        for line in engines.compare("comparisons", requests)
    ]
    first = next((row for row in found[2] if row != (None, None)), None)
    if any(row != (None, None) for row in found[0] + found[1]) or first != (None, at // 2 + 1):
        sys.exit(f"comparisons: expected no difference twice, then one at byte {at // 2 + 1}; found {found}")


def cards(engines: Engines, bench: str) -> list[bytes]:
    catalog = json.loads(engines.compare("catalog", [encoded({"call": "catalog"})])[0])
    # Account numbers as they are: bytes are counted below.
    scenarios = [
        encoded({"call": "scenario", "name": row["name"], "showsPAN": True}) for row in catalog["scenarios"]
    ]
    answers = engines.compare("scenarios", scenarios)
    # As emv-bench runs them, one tap each: how they end, commands and bytes.
    run = subprocess.run(
        [bench, "--json", "--layer", "swift", "--taps", "1", "--warmup", "0", "--function-time", "0"],
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    rows = {row["name"]: row for row in json.loads(run.stdout)["scenarios"]}
    unequal = 0
    for row, answer in zip(catalog["scenarios"], answers):
        found, expected = figures(json.loads(answer)), rows.get(row["name"], {})
        expected = {name: expected.get(name) for name in found}
        if found != expected:
            unequal += 1
            print(f"scenario {row['name']}: {found}, emv-bench {expected}", file=sys.stderr)
    if unequal:
        sys.exit(f"{unequal} of {len(answers)} scenarios end otherwise than emv-bench's")
    print(f"scenarios: {len(answers)} end as emv-bench's, with the same commands and bytes", flush=True)
    taps = [
        encoded({"call": "tap", "profile": row["name"], "amount": "12.50", "random": RANDOM})
        for row in catalog["profiles"]
    ]
    for row, answer in zip(catalog["profiles"], engines.compare("cards", taps)):
        tap = json.loads(answer)
        if not tap["report"]["replays"][0].get("met"):
            sys.exit(f"card {row['name']}: {tap.get('error', 'the tap does not replay')}")
    # The trace of a tap is a trace: it replays, and what it expects is met.
    saved = [
        encoded({"call": "replay", "file": "saved", "trace": json.loads(answer)["trace"]})
        for answer in engines.answers(engines.native, taps[::7])
    ]
    for answer in engines.compare("saved taps", saved):
        if not json.loads(answer)["report"]["replays"][0].get("met"):
            sys.exit("a saved tap does not replay as it was")
    return scenarios + taps


def damaged(request: bytes, dice: random.Random) -> bytes:
    """Some characters of the trace within a request changed, cut or doubled."""
    call = json.loads(request)
    text = call["trace"]
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(text) or 1)
        kind = dice.randrange(4)
        if kind == 0:
            text = text[:at] + dice.choice('0123456789ABCDEF{}[]",: ') + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at + dice.randint(1, 8) :]
        elif kind == 2:
            text = text[:at] + text[max(0, at - dice.randint(1, 40)) : at] + text[at:]
        else:
            text = text[:at] + "".join(dice.choice("0123456789ABCDEF") for _ in range(4)) + text[at + 4 :]
    return encoded(call | {"trace": text})


def hexadecimal(dice: random.Random) -> str:
    return bytes(
        dice.choice((dice.randrange(256), 0x84, 0x80, 0x9F, 0x70, 0xFF)) for _ in range(dice.randint(0, 60))
    ).hex()


def invented(dice: random.Random, replay: list[bytes], names: list[str]) -> bytes:
    kind = dice.randrange(5)
    if kind == 0:
        return damaged(dice.choice(replay), dice)
    if kind == 1:
        return encoded({"call": "decode", "text": hexadecimal(dice), "showsPAN": dice.random() < 0.5})
    if kind == 2:
        marks = ["", ">> ", "<< ", "C-APDU: ", "R-APDU: ", "  ", "A>> T=1 ", " o  0000 ", "> ", "< ", "APDU: ", "SW: "]
        lines = [dice.choice(marks) + hexadecimal(dice).upper() for _ in range(dice.randint(1, 8))]
        return encoded({"call": "read", "text": "\n".join(lines)})
    if kind == 3:
        faults = [
            {"at": dice.randint(1, 12), "kind": "flip", "byte": dice.randint(0, 255), "bit": dice.randint(1, 8)},
            {"at": dice.randint(1, 12), "kind": "truncate", "count": dice.randint(0, 64)},
            {"at": dice.randint(1, 12), "kind": "replace", "hex": hexadecimal(dice)},
            {"at": dice.randint(1, 12), "kind": dice.choice(["drop", "loseResponse", "remove", "removeAfter"])},
        ]
        return encoded(
            {
                "call": "tap",
                "profile": dice.choice(names),
                "amount": f"{dice.randint(0, 400)}.{dice.randint(0, 99):02}",
                "faults": dice.sample(faults, dice.randint(1, 3)),
                "protection": dice.choice(["guarded", "book", "strict"]),
                "random": RANDOM,
            }
        )
    return bytes(dice.choice(b'{}[]":,callreplaytrace 0123456789') for _ in range(dice.randint(0, 60))) + b"\n"


def fuzz(engines: Engines, seconds: float, seed: int, replay: list[bytes]) -> None:
    print(f"random requests, seed {seed}", flush=True)
    dice = random.Random(seed)
    catalog = json.loads(engines.answers(engines.native, [encoded({"call": "catalog"})])[0])
    names = [row["name"] for row in catalog["profiles"]]
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        requests = [invented(dice, replay, names) for _ in range(400)]
        engines.compare(f"random requests from {count}", requests)
        count += len(requests)
    print(f"{count} random requests: no trap, every answer the native one; {engines.memory()}")


def lengths(engines: Engines) -> None:
    """Lengths that are negative where a number has 32 bits are refused, in a tree and in a template."""
    requests = [
        encoded({"call": "decode", "text": text}) for text in ("84E090D151", "8484E090D151", "70068484FFFFFFFF")
    ]
    for answer in engines.compare("lengths from 80000000", requests):
        if not json.loads(answer)["fault"]:
            sys.exit("a length from 80000000 was accepted")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("native", "bench", "module", "lines", "wasmkit"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    engines = Engines(options)
    lengths(engines)
    comparisons(engines)
    replay = replays(engines, options.bench)
    taps = cards(engines, options.bench)
    if engines.host == "node":
        engines.compare("a sample", replay[::40] + taps[::40], engines.other)
    fuzz(engines, options.seconds, options.seed, replay)


main()
