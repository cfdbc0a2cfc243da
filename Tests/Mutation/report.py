#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses mutants and reports what became of them.

    report.py choose MUTANTS COUNT SEED PART     numbers of COUNT mutants (0: all) whose file's name contains PART,
                                                 chosen at random from SEED
    report.py scores MUTANTS VERDICTS EQUIVALENT OUT FLOORS WHICH
        two scores by module: (a) detected by checks that know what is right, (b) detected at all; survivors that
        EQUIVALENT does not name go to OUT, those that only a change detector noticed with them. Exit 1 if a score is
        below the floor that FLOORS has for WHICH.
    report.py rekey MUTANTS EQUIVALENT           writes the places of EQUIVALENT as they are now, after a rename or a
                                                 move

EQUIVALENT: Tests/Proving/exceptions.py has the form of a row."""
import collections
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
import exceptions


def read_mutants(path):
    return [line.rstrip("\n").split("\t") for line in open(path)]


def file_of(mutant):
    return mutant[1].split(":")[0].removeprefix("Sources/CEMV/")


def module_of(mutant):
    """The directory, a kernel's own, too."""
    first, *rest = file_of(mutant).split("/")
    return f"{first}/{rest[0]}" if first == "kernels" and len(rest) > 1 else first


def place_of(mutant):
    return exceptions.Place(file_of(mutant), *mutant[2:6])


def match(mutants, equivalent):
    """{number of a mutant: its row}, and rows that name none."""
    about = {place_of(m): m[0] for m in mutants}
    found, wrong = exceptions.match(exceptions.read(equivalent), list(about))
    return {about[place]: row for place, row in found.items()}, found, wrong


def choose(path, count, seed, part):
    numbers = [m[0] for m in read_mutants(path) if part in m[1]]
    if int(count):
        numbers = random.Random(int(seed)).sample(numbers, min(int(count), len(numbers)))
    print("\n".join(numbers))


def floors(path, which):
    """Two numbers: of score (a) and of score (b)."""
    for line in open(path):
        if line.split()[:1] == [which]:
            return [float(number) for number in line.split()[1:3]]
    return [0.0, 0.0]


def scores(mutants, verdicts, equivalent, out, floor_path, which):
    listed = read_mutants(mutants)
    about = {m[0]: m for m in listed}
    named, _, wrong = match(listed, equivalent)
    modules, survivors = collections.defaultdict(collections.Counter), []
    for line in open(verdicts):
        number, verdict, check = line.split()
        mutant = about[number]
        if verdict == "broken":     # it does not compile
            continue
        if number in named:
            if verdict in ("right", "change"):
                wrong.append(f"{equivalent}:{named[number].number}: detected by {check}: not equivalent")
            else:
                verdict = "equivalent"
        if verdict in ("alive", "unreached", "change"):
            survivors.append((mutant[1], verdict, mutant[4], mutant[3]))
        for module in (module_of(mutant), "all"):
            modules[module][verdict] += 1
    with open(out, "w") as file:
        for survivor in sorted(survivors, key=lambda s: (s[0].split(":")[0], int(s[0].split(":")[1]))):
            file.write("\t".join(survivor) + "\n")
    print(f"{'module':12} {'tried':>6} {'right':>6} {'change':>7} {'alive':>6} {'unreached':>10} {'equivalent':>11}"
          f" {'(a)':>7} {'(b)':>7}")
    a = b = 0.0
    for module, row in sorted(modules.items(), key=lambda m: (m[0] == "all", m[0])):
        worth = max(sum(row.values()) - row["equivalent"], 1)
        a, b = 100 * row["right"] / worth, 100 * (row["right"] + row["change"]) / worth
        print(f"{module:12} {sum(row.values()):6} {row['right']:6} {row['change']:7} {row['alive']:6}"
              f" {row['unreached']:10} {row['equivalent']:11} {a:6.1f}% {b:6.1f}%")
    print("\n".join(wrong[:20]), end="\n" if wrong else "")
    least = floors(floor_path, which)
    print(f"of the mutants that are not equivalent, (a) {a:.1f} % are detected by checks that know what is right,"
          f" floor {least[0]:g} %; (b) {b:.1f} % at all, floor {least[1]:g} %")
    if wrong or a < least[0] or b < least[1]:
        sys.exit(1)


def rekey(mutants, equivalent):
    _, found, wrong = match(read_mutants(mutants), equivalent)
    exceptions.rekey(equivalent, found)
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{equivalent}: {len(found)} rows written, {len(wrong)} name nothing")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    {"choose": choose, "scores": scores, "rekey": rekey}[sys.argv[1]](*sys.argv[2:])
