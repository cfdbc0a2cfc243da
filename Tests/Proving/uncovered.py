#!/usr/bin/env python3
"""Lines that nothing reaches, against their reasons.

    uncovered.py SHOW REASONS     SHOW: what `llvm-cov show` writes; exit 1 if a line has no reason

REASONS: `file | first line | lines | why`: so many uncovered lines in a row, from the one that reads so. Lone braces do not count."""
import re
import sys

import reasons

rows = {}
for _, (file, text, count) in reasons.read(sys.argv[2], 4):
    rows.setdefault((file, text), []).append(int(count))
file, left, explained, unexplained = "", 0, 0, []
for line in open(sys.argv[1], errors="replace"):
    if line.startswith("/"):
        file, left = line.strip().rstrip(":").split("Sources/CEMV/")[-1], 0
        continue
    match = re.match(r"\s*(\d+)\|\s*([0-9.]+[kMG]?)?\|(.*)", line)
    if not match:
        continue
    number, count, text = match[1], match[2], match[3].strip()
    if count != "0" or text in ("}", "{", "} else {", "};", ""):
        continue
    if left == 0 and rows.get((file, text)):
        left = rows[file, text].pop(0)
    if left:
        left -= 1
        explained += 1
    else:
        unexplained.append(f"{file}:{number}: {text}")
print("\n".join(unexplained), end="\n" if unexplained else "")
print(f"{explained} lines are not reached for a reason, {len(unexplained)} without one")
sys.exit(1 if unexplained else 0)
