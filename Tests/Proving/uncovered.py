#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines that nothing reaches and branches that nothing takes, against their reasons.

    uncovered.py SHOW EXPORT ROWS             Exit 1 if a line or a branch has no row in ROWS, or a row names nothing
                                              that is left.
    uncovered.py SHOW EXPORT ROWS --list      what lacks a row, as rows to be completed with their reason
    uncovered.py SHOW EXPORT ROWS --rekey     writes the places of ROWS as they are now, after a rename or a move

SHOW and EXPORT: what `llvm-cov show` and `llvm-cov export` write. ROWS: exceptions.py has the form of a row; WHAT is
`N lines` for lines in a row that are not reached, from the one that reads so on (lone braces don't count); `never
true`, `never false` or `never evaluated` for a condition; of a switch, `never false` says that every value is a
case."""
import collections
import json
import re
import sys

import exceptions

ROOT = "Sources/CEMV/"


class Function:
    def __init__(self, name, path, source, region):
        self.name, self.path = name.split(":")[-1], path
        self.source = source
        self.begin, self.end = source.at(region[0], region[1]), source.at(region[2], region[3])
        self.first, self.last = region[0], region[2]
        self.body = exceptions.Body(source.text, self.begin, self.end)
        self.branches = collections.Counter()

    def place(self, begin, end, what):
        return exceptions.Place(self.path, self.name, self.body.text(begin, end), what, self.body.shape(begin, end))


class Source:
    def __init__(self, path):
        self.text = open(path, encoding="latin-1").read()
        self.starts = [0]
        for line in self.text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def at(self, line, column):
        return self.starts[line - 1] + column - 1


def read_functions(path):
    """Every function of CEMV by file and name; the branches of those that several files include are counted
    together."""
    functions, sources = {}, {}
    for entry in json.load(open(path))["data"][0]["functions"]:
        file = entry["filenames"][0]
        if ROOT not in file or not file.endswith(".c"):
            continue
        short = file.split(ROOT)[-1]
        source = sources.setdefault(short, Source(file))
        key = (short, entry["name"].split(":")[-1])
        function = functions.get(key) or functions.setdefault(
            key, Function(entry["name"], short, source, entry["regions"][0]))
        for branch in entry["branches"]:
            if branch[6] == 0:
                function.branches[(*branch[:4], True)] += branch[4]
                function.branches[(*branch[:4], False)] += branch[5]
    return functions


def read_unreached(path):
    """{file: numbers of lines that hold code and are not reached}."""
    file, lines = "", collections.defaultdict(list)
    for line in open(path, errors="replace"):
        if line.startswith("/"):
            file = line.strip().rstrip(":").split(ROOT)[-1]
        elif match := re.match(r"\s*(\d+)\|\s*0\|(.*)", line):
            if match[2].strip() not in ("}", "{", "} else {", "};", ""):
                lines[file].append(int(match[1]))
    return lines


def places(functions, unreached):
    """What is left, each with where it is."""
    left = {}
    for function in functions.values():
        bare = [n for n in unreached[function.path] if function.first <= n <= function.last]
        while bare:
            count = next((i for i in range(1, len(bare)) if bare[i] != bare[0] + i), len(bare))
            begin, end = function.source.at(bare[0], 1), function.source.at(bare[0] + 1, 1)
            left[function.place(begin, end, f"{count} lines")] = f"{function.path}:{bare[0]}"
            bare = bare[count:]
        for span in sorted({branch[:4] for branch in function.branches}):
            yes, no = function.branches[(*span, True)], function.branches[(*span, False)]
            what = ("never evaluated" if yes == no == 0 else "never true" if yes == 0
                    else "never false" if no == 0 else None)
            if what and span[0] not in unreached[function.path]:
                begin, end = function.source.at(*span[:2]), function.source.at(*span[2:])
                left[function.place(begin, end, what)] = f"{function.path}:{span[0]}"
    return left


def main(show, export, rows_path, option=""):
    left = places(read_functions(export), read_unreached(show))
    found, wrong = exceptions.match(exceptions.read(rows_path), list(left))
    if option == "--rekey":
        exceptions.rekey(rows_path, found)
    bare = [place for place in left if place not in found]
    for place in bare:
        print(" | ".join((*place, "")) if option == "--list" else f"{left[place]}: {place.what}: {place.text}")
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"not reached or not taken: {len(found)} with a reason, {len(bare)} without")
    return 1 if bare or wrong else 0


sys.exit(main(*sys.argv[1:]))
