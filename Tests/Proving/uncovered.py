#!/usr/bin/env python3
"""Lines that nothing reaches and branches that nothing takes, against their reasons.

    uncovered.py SHOW LINES BRANCHES [--list]       --list: lines whose branches lack a reason as rows to be completed

SHOW: what `llvm-cov show -show-branches=count` writes. Exit 1 if a line or a branch has no reason, or a reason nothing to explain.

LINES: `file | first line | lines | why`: so many unreached lines in a row, from the one that reads so. Lone braces do not count.
BRANCHES: `file | line | arms | why`: the arms of a line that nothing takes, as 1F or 2T: the first condition is never false, the second never
true. Conditions are counted as the compiler writes them, from the left. Unreached lines need no row of their own."""
import re
import sys

import reasons


def read_rows(path):
    rows = {}
    for number, (file, text, what) in reasons.read(path, 4):
        rows.setdefault((file, text), []).append((what, number))
    return rows


def read_show(path):
    """(file, number, text, count, untaken arms) of every line that holds code."""
    file, found = "", []
    for line in open(path, errors="replace"):
        if line.startswith("/"):
            file = line.strip().rstrip(":").split("Sources/CEMV/")[-1]
        elif match := re.match(r"\s*(\d+)\|\s*([0-9.]+[kMG]?)?\|(.*)", line):
            found.append([file, int(match[1]), match[3].strip(), match[2], {}])
        elif match := re.match(r"\s*\|\s*Branch \((\d+):(\d+)\): \[True: ([^,]*), False: ([^\]]*)\]", line):
            at, column, yes, no = match.groups()
            owner = next(row for row in reversed(found) if row[0] == file and row[1] == int(at))
            owner[4][int(column)] = ("T" if yes == "0" else "") + ("F" if no == "0" else "")
    return [(*row[:4], arms_of(row[4])) for row in found]


def arms_of(columns):
    return " ".join(f"{place}{arm}" for place, column in enumerate(sorted(columns), 1) for arm in columns[column])


def main(show, lines_path, branches_path, listing):
    lines, branches = read_rows(lines_path), read_rows(branches_path)
    left, within, explained, bare_lines, taken, bare_branches = 0, "", 0, [], 0, []
    for file, number, text, count, arms in read_show(show):
        if file != within:
            left, within = 0, file
        if count == "0" and text not in ("}", "{", "} else {", "};", ""):
            if left == 0 and lines.get((file, text)):
                left = int(lines[file, text].pop(0)[0])
            if left:
                left -= 1
                explained += 1
            else:
                bare_lines.append(f"{file}:{number}: {text}")
        elif count != "0" and arms:
            rows = branches.get((file, text), [])
            named = next((row for row in rows if row[0] == arms), None)
            if named:
                rows.remove(named)
                taken += len(arms.split())
            else:
                bare_branches.append(f"{file} | {text} | {arms} | " if listing else f"{file}:{number}: {arms}: {text}")
    idle = [f"{path}:{number}: explains nothing" for path, rows in ((lines_path, lines), (branches_path, branches)) for row in rows.values() for _, number in row]
    for line in bare_lines + bare_branches + idle:
        print(line)
    print(f"not reached for a reason: {explained} lines, {taken} branches; without one: {len(bare_lines)} lines and branches of {len(bare_branches)} lines")
    return 1 if bare_lines or bare_branches or idle else 0


sys.exit(main(*sys.argv[1:4], "--list" in sys.argv))
