#!/usr/bin/env python3
"""Chooses mutants and tells what became of them.

    report.py choose MUTANTS COUNT SEED PART     numbers of COUNT mutants (0: all) whose file's name contains PART, drawn from SEED
    report.py tell MUTANTS VERDICTS EQUIVALENT OUT FLOOR
        a table by room and the score; survivors that EQUIVALENT does not name go to OUT. Exit 1 if the score is below FLOOR.

EQUIVALENT: one line each, `file | source line | what | why`; the source line without its indentation, as it stands."""
import collections
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
import reasons


def read_mutants(path):
    return [line.rstrip("\n").split("\t") for line in open(path)]


def choose(path, count, seed, part):
    numbers = [m[0] for m in read_mutants(path) if part in m[1]]
    if int(count):
        numbers = random.Random(int(seed)).sample(numbers, min(int(count), len(numbers)))
    print("\n".join(numbers))


def read_equivalent(path):
    return {tuple(fields): number for number, fields in reasons.read(path, 4)}


def key_of(mutant):
    _, place, what, source = mutant
    return place.split(":")[0].removeprefix("Sources/CEMV/"), source.strip(), what


def tell(mutants, verdicts, equivalent, out, floor):
    about = {m[0]: m for m in read_mutants(mutants)}
    named = read_equivalent(equivalent)
    rooms, survivors, unjust = collections.defaultdict(collections.Counter), [], []
    there = {key_of(mutant) for mutant in about.values()}
    unjust += [f"{equivalent}:{number}: no such mutant" for key, number in named.items() if key not in there]
    for line in open(verdicts):
        number, verdict, check = line.split()
        _, place, what, source = about[number]
        key = key_of(about[number])
        room = key[0].split("/")[0]
        if key in named:
            if verdict == "killed":
                unjust.append(f"{equivalent}:{named[key]}: dies of {check}: not equivalent")
            else:
                verdict = "equivalent"
        if verdict in ("alive", "unreached"):
            survivors.append((place, verdict, what, source))
        rooms[room][verdict] += 1
        rooms["all"][verdict] += 1
    with open(out, "w") as file:
        for survivor in sorted(survivors, key=lambda s: (s[0].split(":")[0], int(s[0].split(":")[1]))):
            file.write("\t".join(survivor) + "\n")
    print(f"{'room':12} {'tried':>6} {'killed':>7} {'alive':>6} {'unreached':>10} {'equivalent':>11} {'score':>7}")
    score = 0.0
    for room, row in sorted(rooms.items(), key=lambda r: (r[0] == "all", r[0])):
        worth = sum(row.values()) - row["equivalent"]
        score = 100 * row["killed"] / max(worth, 1)
        print(f"{room:12} {sum(row.values()):6} {row['killed']:7} {row['alive']:6} {row['unreached']:10} {row['equivalent']:11} {score:6.1f}%")
    print("\n".join(unjust[:20]), end="\n" if unjust else "")
    print(f"score {score:.1f} % of the mutants that are not equivalent; floor {floor} %")
    if unjust or score < float(floor):
        sys.exit(1)


if sys.argv[1] == "choose":
    choose(*sys.argv[2:6])
else:
    tell(*sys.argv[2:7])
