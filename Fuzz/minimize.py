#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses the inputs of a fuzz target that are worth keeping: each reaches edges that no seed and no other input does.

    minimize.py CONTROL SEEDS KEPT LIMIT

CONTROL is the control file of a libFuzzer run with -set_cover_merge=1 -use_counters=0, which lists the edges that each
input reaches. Writes at most LIMIT inputs that are not in SEEDS to the empty directory KEPT, those with the most new
edges first, the shorter one of two equals."""
import pathlib
import shutil
import sys


def read(control):
    """The edges of each input. The file has the number of inputs, then one that does not matter here, then the paths,
    then for each input that ended a line "FT number edge..."."""
    lines = control.read_text(encoding="utf-8").splitlines()
    paths = [pathlib.Path(path) for path in lines[2:2 + int(lines[0])]]
    edges = {}
    for line in lines[2 + len(paths):]:
        kind, *numbers = line.split()
        if kind == "FT":
            edges[paths[int(numbers[0])]] = set(map(int, numbers[1:]))
    return edges


def main():
    control, seeds, kept = map(pathlib.Path, sys.argv[1:4])
    inputs = read(control)
    reached = set().union(*(edges for path, edges in inputs.items() if path.parent == seeds))
    inputs = {path: edges for path, edges in inputs.items() if path.parent != seeds}
    for _ in range(int(sys.argv[4])):
        best = max(inputs, key=lambda path: (len(inputs[path] - reached), -path.stat().st_size, path.name),
                   default=None)
        if best is None or inputs[best] <= reached:
            break
        reached |= inputs.pop(best)
        shutil.copyfile(best, kept / best.name)


main()
