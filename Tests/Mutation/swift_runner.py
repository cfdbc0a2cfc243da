#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the mutated package, one mutant a process, and reports which mutants no test detects.

    swift_runner.py BUILD TESTS [--only PART] [--sample N] [--seed S] [--again]

BUILD is what Scripts/mutate-swift built, TESTS the folder with equivalent_swift.txt and floor.txt. First each test
runs alone, without a mutant, and leaves the places it comes by; a test that fails then is left out and named. A
mutant is run with the tests that come by its place, the cheap ones first, until one fails. A test that goes on and
on is ended by the number of places it passes, twenty times that of the test without a mutant; one that waits for
ever when it has used no processor for 20 seconds; by the clock, which says nothing on a busy machine, only after
minutes. Verdicts are kept in BUILD/verdicts.json under the place in words, so that `--again` runs what was alive,
also after other sources changed."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

import report

DEAD, PLACES = 65_002, 65_536
# No test waits so many seconds for anything; a busy machine still gives a process that could run some of its time.
STILL = 20
# The canary is a mutant of this function.
CANARY = "isCertainlyNotApproved"
TOO_MUCH_WORK = 97
# A mutant is tried with tests of at most so many seconds in all before the dearer ones.
CHEAP = 1.5
# What a person may do about an error, in English: a catalogue of texts like those of the languages.
TEXTS = "Display/RecoverySuggestions.swift"
FAILED = re.compile(r"recorded an issue|failed after|Fatal error|Test run with .* failed")


def watch(process, limit, ended):
    """Ends a process after `limit` seconds, or where it has waited for STILL seconds without computing anything."""
    begin = moved = time.monotonic()
    used = None
    while not ended.wait(1):
        try:
            now = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        except OSError:
            now = None
        if now is None or now != used:
            used, moved = now, time.monotonic()
        if time.monotonic() - begin > limit or time.monotonic() - moved > STILL:
            process.kill()
            return


class Tests:
    def __init__(self, build, folder):
        self.build = build
        self.program = next((build / ".build/debug").glob("*.xctest"))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("MUTANT")}
        # Random models play few lives: what they detect they mostly detect in the first.
        self.environment |= {"EMV_MODEL_RUNS": "40", "EMV_MODEL_SEED": "7"}
        # As Scripts/swift-tests.bash: what fails because everything begins at once is no detection.
        self.environment |= {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4"}
        self.names = []
        self.reach = {}   # {test: (seconds, places passed, {places})}

    def run(self, names, variables=None, limit=600):
        """(exit status, name of the first test that failed or "", output, seconds)."""
        filters = [f"^{re.escape(n)}\\(" for n in names]
        command = [str(self.program), "--testing-library", "swift-testing", "--filter", "|".join(filters)]
        begin = time.monotonic()
        process = subprocess.Popen(command, env=self.environment | (variables or {}), stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, cwd=self.build, start_new_session=True)
        ended = threading.Event()
        watcher = threading.Thread(target=watch, args=(process, limit, ended))
        watcher.start()
        output, failed = [], ""
        for line in process.stdout:
            line = line.decode("utf-8", "replace")
            output.append(line)
            if FAILED.search(line):
                failed = line.strip()
                if variables and "MUTANT" in variables:
                    os.killpg(process.pid, signal.SIGKILL)
                    break
        process.stdout.close()
        status = process.wait()
        ended.set()
        watcher.join()
        return status, failed, "".join(output[-60:]), time.monotonic() - begin

    def list(self):
        run = subprocess.run([str(self.program), "--testing-library", "swift-testing", "--list-tests"],
                             env=self.environment, capture_output=True, text=True, check=True)
        self.names = sorted(set(re.findall(r"^(\w+\.[\w./]+)\(", run.stdout, re.M)))
        if len(self.names) < 100:
            sys.exit(f"{self.program}: only {len(self.names)} tests are listed")

    def source_of(self, name):
        """A hash of the file that a test stands in."""
        suite, test = name.split(".", 1)[1].rsplit("/", 1) if "/" in name else ("", name)
        for path, text in self.sources.items():
            if re.search(rf"func `?{test}\b", text) and re.search(rf"\b{suite.split('/')[0]}\b", text):
                return hashlib.sha256(text.encode()).hexdigest()[:16]
        return ""

    def measure(self, cores):
        """What each test reaches; from the last run, where neither its file nor the mutants have changed."""
        self.sources = {p: p.read_text() for p in sorted((self.build / "Tests").rglob("*.swift"))}
        store = self.build / "reach.json"
        mutants = hashlib.sha256((self.build / "mutants.txt").read_bytes()).hexdigest()
        known = json.loads(store.read_text()) if store.exists() else {}
        known = known["tests"] if known.get("mutants") == mutants else {}
        keys = {name: self.source_of(name) for name in self.names}

        def one(name):
            if name in known and known[name][0] == keys[name] != "":
                return name, known[name]
            path = self.build / f"reached-{threading.get_ident()}"
            status, failed, output, seconds = self.run([name], {"MUTANT_REACHED": str(path)})
            if status or failed:
                return name, failed or f"ends with {status}: {output[-600:]}"
            data = path.read_bytes()
            places = [i for i in range(PLACES) if data[i]]
            return name, [keys[name], seconds, int(data[PLACES:]), places]

        with concurrent.futures.ThreadPoolExecutor(cores) as pool:
            results = list(pool.map(one, self.names))
        # Some look into files that the copy does not have.
        wrong = [f"{name}: {result}" for name, result in results if isinstance(result, str)]
        results = [r for r in results if not isinstance(r[1], str)]
        if wrong:
            print("left out, since they fail in the copy without a mutant:\n" + "\n".join(wrong[:20]))
        if len(wrong) > len(self.names) // 50:
            sys.exit(f"that are {len(wrong)} of {len(self.names)} tests")
        self.names = [name for name, _ in results]
        store.write_text(json.dumps({"mutants": mutants, "tests": dict(results)}))
        self.reach = {name: (r[1], r[2], set(r[3])) for name, r in results}

    def reaching(self, number):
        names = [n for n, (_, _, places) in self.reach.items() if number in places]
        return sorted(names, key=lambda n: self.reach[n][0])

    def detect(self, number, names):
        """(verdict, what detected it)."""
        cheap, total = [], 0.0
        for name in names:
            total += self.reach[name][0]
            if total > CHEAP and cheap:
                break
            cheap.append(name)
        for some in (cheap, names[len(cheap):]):
            if not some:
                continue
            work = 20 * sum(self.reach[n][1] for n in some) + 1_000_000
            limit = 120 + 20 * sum(self.reach[n][0] for n in some)
            status, failed, _, _ = self.run(some, {"MUTANT": str(number), "MUTANT_WORK": str(work)}, limit)
            if status == TOO_MUCH_WORK:
                return "detected", "too much work"
            if status or failed:
                return "detected", failed or f"ended by {status}"
        return "alive", f"{len(names)} tests"


def key_of(mutant):
    return " | ".join(report.place_of(mutant))


def directory_of(mutant):
    return mutant[1].split("/")[0]


def probe(tests, listed):
    """Nothing is worth anything unless a mutant can be detected, and one that does nothing is not."""
    canary = next(int(m[0]) for m in listed if m[2] == CANARY)
    verdict, why = tests.detect(canary, tests.reaching(canary))
    if verdict != "detected":
        sys.exit(f"the canary is not detected by {why}")
    verdict, why = tests.detect(DEAD, [n for n in tests.names if tests.reach[n][0] < 1.0])
    if verdict != "alive":
        sys.exit(f"a mutant in dead code is detected by {why}")


def scores(build, folder, listed, verdicts, chosen, floor):
    named, _, wrong = report.match(listed, folder / "equivalent_swift.txt")
    table, survivors = collections.defaultdict(collections.Counter), []
    for mutant in chosen:
        verdict, why = verdicts[key_of(mutant)]
        if mutant[0] in named:
            if verdict == "detected":
                wrong.append(f"equivalent_swift.txt:{named[mutant[0]].number}: detected by {why}: not equivalent")
            else:
                verdict = "equivalent"
        if verdict in ("alive", "unreached"):
            survivors.append((mutant[1], verdict, mutant[2], mutant[4], mutant[3]))
        for row in (directory_of(mutant), "all"):
            table[row][verdict] += 1
    (build / "survivors.txt").write_text("".join("\t".join(s) + "\n" for s in survivors))
    print(f"{'directory':14} {'tried':>6} {'detected':>9} {'alive':>6} {'unreached':>10} {'equivalent':>11}"
          f" {'score':>7}")
    worst = score = 100.0
    for name, row in sorted(table.items(), key=lambda r: (r[0] == "all", r[0])):
        worth = max(sum(row.values()) - row["equivalent"], 1)
        score = 100 * row["detected"] / worth
        worst = min(worst, score)
        print(f"{name:14} {sum(row.values()):6} {row['detected']:9} {row['alive']:6} {row['unreached']:10}"
              f" {row['equivalent']:11} {score:6.1f}%")
    print("\n".join(wrong[:20]), end="\n" if wrong else "")
    print(f"of the mutants that are not equivalent {score:.1f} % are detected, floor {floor[0]:g} %; in each directory"
          f" at least {worst:.1f} %, floor {floor[1]:g} %; {(build / 'dropped.txt').read_text().strip()} more do not"
          " compile")
    return not wrong and score >= floor[0] and worst >= floor[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    build, cores = options.build, int(os.environ.get("CORES", "2"))
    listed = report.read_mutants(build / "mutants.txt")
    store = build / "verdicts.json"
    verdicts = json.loads(store.read_text()) if store.exists() else {}
    tests = Tests(build, options.folder)
    tests.list()
    tests.measure(cores)
    probe(tests, listed)
    chosen = [m for m in listed if options.only in m[1] and not m[1].startswith(TEXTS)]
    if options.sample:
        # As many of each directory, so that each has a score.
        lots = collections.defaultdict(list)
        for mutant in chosen:
            lots[directory_of(mutant)].append(mutant)
        chosen = [m for lot in lots.values()
                  for m in random.Random(options.seed).sample(lot, min(options.sample, len(lot)))]
    if options.again:
        chosen = [m for m in chosen if key_of(m) in verdicts]
        tried = [m for m in chosen if verdicts[key_of(m)][0] != "detected"]
    else:
        tried = chosen
    print(f"{len(tried)} mutants, {len(tests.names)} tests", flush=True)
    done = 0

    def one(mutant):
        nonlocal done
        names = tests.reaching(int(mutant[0]))
        verdict = tests.detect(int(mutant[0]), names) if names else ("unreached", "")
        verdicts[key_of(mutant)] = verdict
        done += 1
        if done % 50 == 0:
            print(f"{done} of {len(tried)}", flush=True)
            store.write_text(json.dumps(verdicts.copy()))

    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        list(pool.map(one, tried))
    store.write_text(json.dumps(verdicts))
    whole = not options.only and not options.again
    floor = report.floors(options.folder / "floor.txt", "swift" if whole else "none")
    sys.exit(0 if scores(build, options.folder, listed, verdicts, chosen, floor) else 1)


if __name__ == "__main__":
    main()
