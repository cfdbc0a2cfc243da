#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the lines and branches of CEMV that nothing reaches with the list of those that have a reason.

    uncovered.py SHOW EXPORT ROWS     SHOW and EXPORT are the output of `llvm-cov show` and `llvm-cov export`. Exit
                                      status 1 if a line or branch has no row in ROWS, or a row is out of date.

exceptions.py has the form of a row. What is said about a place is `N lines` if that many successive lines are not
reached, the first of which is the text (lone braces don't count); or `never true`, `never false` or `never evaluated`
of a condition. `never false` of a switch means that every value is a case."""
import collections
import json
import re
import sys

import exceptions

ROOT = "Sources/CEMV/"


class Source:
    def __init__(self, path):
        self.lines = open(path, encoding="latin-1").read().split("\n")

    def text(self, first_line, first_column, last_line, last_column):
        """Returns the text between two places, which count from 1, without the character at the second."""
        lines = self.lines[first_line - 1:last_line]
        lines[-1] = lines[-1][:last_column - 1]
        return "\n".join(lines)[first_column - 1:]


def read_functions(path):
    """Returns {(file, function): (first line, last line, branches)} where branches counts {(place, side): times}. Code
    that several files include is counted together."""
    functions = {}
    for entry in json.load(open(path))["data"][0]["functions"]:
        file = entry["filenames"][0]
        # The processor decides what of fastest.c runs; the properties compare its functions with the portable ones.
        if ROOT not in file or not file.endswith(".c") or file.endswith("/fastest.c"):
            continue
        first, _, last = entry["regions"][0][:3]
        key = file.split(ROOT)[-1], entry["name"].split(":")[-1]
        branches = functions.setdefault(key, (first, last, collections.Counter()))[2]
        for branch in entry["branches"]:
            if branch[6] == 0:
                branches[(*branch[:4], True)] += branch[4]
                branches[(*branch[:4], False)] += branch[5]
    return functions


def read_unreached(path):
    """Returns {file: numbers of the lines with code that nothing reaches}."""
    file, lines = "", collections.defaultdict(list)
    for line in open(path, errors="replace"):
        if line.startswith("/"):
            file = line.strip().rstrip(":").split(ROOT)[-1]
        elif match := re.match(r"\s*(\d+)\|\s*0\|(.*)", line):
            if match[2].strip() not in ("}", "{", "} else {", "};", ""):
                lines[file].append(int(match[1]))
    return lines


def uncovered(functions, unreached):
    """Returns {row: file:line}."""
    found, sources = {}, {}
    for (path, name), (first, last, branches) in functions.items():
        source = sources.setdefault(path, Source(ROOT + path))
        lines = [n for n in unreached[path] if first <= n <= last]
        while lines:
            count = next((i for i in range(1, len(lines)) if lines[i] != lines[0] + i), len(lines))
            text = source.text(lines[0], 1, lines[0] + 1, 1)
            found[exceptions.key(path, name, text, f"{count} lines")] = f"{path}:{lines[0]}"
            lines = lines[count:]
        for place in sorted({branch[:4] for branch in branches}):
            yes, no = branches[(*place, True)], branches[(*place, False)]
            what = ("never evaluated" if yes == no == 0 else "never true" if yes == 0
                    else "never false" if no == 0 else None)
            if what and place[0] not in unreached[path]:
                found[exceptions.key(path, name, source.text(*place), what)] = f"{path}:{place[0]}"
    return found


def main(show, export, path):
    found, rows = uncovered(read_functions(export), read_unreached(show)), exceptions.read(path)
    missing = [row for row in found if row not in rows]
    stale = [row for row in rows if row not in found]
    for row in missing:
        print(f"{found[row]}: not covered; add a test, or to {path}:\n  {row} | REASON")
    for row in stale:
        print(f"{path}: covered or changed: {row}")
    print(f"not reached or not taken: {len(found) - len(missing)} with a reason, {len(missing)} without")
    return 1 if missing or stale else 0


sys.exit(main(*sys.argv[1:]))
