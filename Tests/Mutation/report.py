#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses mutants, and reports what the runner found.

    report.py choose MUTANTS LIST PART AGAIN      writes the numbers of the mutants of files whose name contains PART;
                                                  with a non-empty AGAIN only those that LIST has without a reason
    report.py result MUTANTS LIST VERDICTS FLOOR  prints the result and writes the survivors to LIST

LIST is Tests/Mutation/survivors.txt (Tests/Proving/exceptions.py has the form of a row). A row with a reason is
equivalent to the original: nothing can detect it. A row without a reason is a gap in the checks. `result` adds and
removes rows without a reason, and reports the rows with a reason that are wrong: only a person changes those."""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
import exceptions


def read_mutants(path):
    """Returns {number: row}."""
    return {number: row for number, _, row in (line.rstrip("\n").split("\t") for line in open(path))}


def module_of(row):
    """Returns the directory of the mutant's file."""
    return row.split(" | ")[0].rpartition("/")[0]


def choose(mutants, rows, part, again):
    open_rows = {row for row, reason in exceptions.read(rows).items() if not reason}
    for number, row in read_mutants(mutants).items():
        if part in "Sources/CEMV/" + row.split(" | ")[0] and (not again or row in open_rows):
            print(number)


def write(path, rows):
    head = [line for line in open(path) if line.startswith("#")]
    with open(path, "w") as file:
        file.writelines(head)
        file.writelines(f"{row} | {reason}".rstrip() + "\n" for row, reason in sorted(rows.items()))


def result(mutants, path, verdicts, floor):
    listed, rows = read_mutants(mutants), exceptions.read(path)
    existing = set(listed.values())
    wrong = [f"{row}: names no mutant" for row, reason in rows.items() if reason and row not in existing]
    modules = collections.defaultdict(collections.Counter)
    rows = {row: reason for row, reason in rows.items() if reason or row in existing}
    for line in open(verdicts):
        number, verdict, check = line.split()
        row = listed[number]
        if verdict == "survived":
            verdict = "equivalent" if rows.setdefault(row, "") else verdict
        elif rows.get(row):
            wrong.append(f"{row}: not equivalent, detected by {check}")
        else:
            rows.pop(row, None)
        for module in (module_of(row), "all"):
            modules[module][verdict] += 1
    write(path, rows)
    print(f"{'':12} {'mutants':>8} {'detected':>9} {'equivalent':>11} {'survived':>9}")
    for module, found in sorted(modules.items(), key=lambda item: (item[0] == "all", item[0])):
        worth = found["detected"] + found["survived"]
        print(f"{module:12} {found.total():8} {found['detected']:9} {found['equivalent']:11} {found['survived']:9}"
              f" {100 * found['detected'] / max(worth, 1):6.1f} %")
    print("\n".join(wrong), end="\n" if wrong else "")
    found = modules["all"]
    share = 100 * found["detected"] / max(found["detected"] + found["survived"], 1)
    print(f"{share:.1f} % of the mutants that are not equivalent are detected; survivors: {path}")
    if share < float(floor):
        print(f"expected at least {floor} %")
    sys.exit(1 if wrong or share < float(floor) else 0)


if __name__ == "__main__":
    {"choose": choose, "result": result}[sys.argv[1]](*sys.argv[2:])
