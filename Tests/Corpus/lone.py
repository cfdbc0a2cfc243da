#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which files of the core only one kernel reaches, from llvm-cov's exports of Scripts/lone-kernels.

    lone.py EXCEPTIONS EXPORT…

Each EXPORT is kN.json. Exit 1 if a file outside the kernels' directories is reached with one kernel alone and
EXCEPTIONS has no row for it (FILE | KERNEL | why), or a row is not needed."""
import collections
import json
import pathlib
import re
import sys

exceptions, *exports = sys.argv[1:]
reached = collections.defaultdict(set)
for path in exports:
    for function in json.load(open(path))["data"][0]["functions"]:
        own, core, name = function["filenames"][0].partition("Sources/CEMV/")
        if function["count"] and core and not re.match(r"kernels/k\d+/", name):
            reached[name].add(pathlib.Path(path).stem)
rows = {}
for line in open(exceptions):
    if line.strip() and not line.startswith("#"):
        file, kernel, _ = (part.strip() for part in line.split(" | "))
        rows[file] = kernel
wrong = 0
for file, kernels in sorted(reached.items()):
    if len(kernels) == 1 and rows.get(file) not in kernels:
        wrong += 1
        print(f"{file}: reached with {min(kernels)} alone", file=sys.stderr)
for file, kernel in rows.items():
    if reached.get(file) != {kernel}:
        wrong += 1
        print(f"{exceptions}: {file} is not reached with {kernel} alone", file=sys.stderr)
several = sum(len(kernels) > 1 for kernels in reached.values())
print(f"shared: {len(reached)} files, {several} reached with two kernels or more, {len(rows)} with a reason for one")
sys.exit(wrong > 0)
