#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutates the functions that rows of the conformance files name, and checks that the tests they name detect it.

    rows.py RUNNER... [--rows N] [--seed S] [--mutants M] [--no-walks] [--only TEXT] [--tell]

A row of Conformance/*.md names functions and tests. Of N random rows that have a test in C, up to M mutants of the
named functions are run against the tests of that row alone; they must detect at least one of them. A test that does
not exist fails the row too. Rows whose tests are all in Swift are counted: the mutants are in C, and building the
Swift suite for each is out of reach.

RUNNER: Tests/Mutation/rows.c, built, with its arguments; the second of them is taken for the table of mutants.
--tell prints what every chosen row became; --no-walks leaves rows out that name nothing but a walk."""
import collections
import glob
import json
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import report

TRACES_A_ROW = 24     # of a group of traces, so many are played
WALKED = 4            # mutants that are tried with a walk
SWIFT = re.compile(r"\b[A-Z][A-Za-z0-9]*Tests\b")
SNAKE = r"[a-z][a-z0-9]*(?:_[A-Za-z0-9]+)+"


class Row:
    def __init__(self, document, line, cells):
        self.document, self.line = document, line
        self.clause, self.function, self.test = cells[0], cells[-2], cells[-1]

    def __str__(self):
        return f"{self.document}:{self.line}: {self.clause}"


def rows_of(path):
    """The rows of tables that have the columns `function` and `test`."""
    columns, rows = [], []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if not line.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not columns:
            columns = cells
        elif set("".join(cells)) - set("-: ") and columns[-2:] == ["function", "test"]:
            rows.append(Row(path, number, cells))
    return rows


def functions_of(cell, known):
    """(file, function) of a cell: `file.c one, two`, `one, two (file.c)` or names alone; those that have mutants."""
    found = set()
    if cell.startswith("n/a"):
        return found
    for group in cell.split(";"):
        files = re.findall(r"[A-Za-z0-9_]+\.c\b", group)
        for name in re.findall(r"[a-z][A-Za-z0-9_]*", re.sub(r"[A-Za-z0-9_]+\.[ch]\b", " ", group)):
            found |= {(file, name) for file in known.get(name, ()) if not files or file in files}
    return found


class Traces:
    """Names of traces, and what their sources say; without those that TESTING.md holds to be wrong."""

    def __init__(self, paths):
        listed = set(re.findall(r"^\| `(k[0-9]-[^`]+)` \|", pathlib.Path("TESTING.md").read_text(), re.M))
        self.sources = {}
        for path in paths:
            texts = open(path).read().splitlines() if path.endswith(".taps") else [open(path).read()]
            for text in texts:
                if text.strip():
                    trace = json.loads(text)
                    if trace["name"] not in listed:
                        self.sources[trace["name"]] = trace.get("source", "")

    def named(self, word):
        if "*" not in word:
            return [word]
        pattern = re.compile(re.escape(word).replace(r"\*", ".*") + "$")
        return sorted(name for name in self.sources if pattern.match(name))

    def stating(self, clause, kernel):
        pattern = re.compile(r"(?<![0-9.])" + re.escape(clause) + r"(?![0-9]|\.[0-9])")
        return sorted(name for name, source in self.sources.items()
                      if name.startswith(kernel + "-") and pattern.search(source))


def kernel_of(document):
    number = re.search(r"book-c([0-9])", document)
    return "k" + number.group(1) if number else ""


def tests_of(row, traces, tables, seed):
    """The row's tests in C, as rows.c takes them; quick ones first."""
    cell, kernel, tests = row.test, kernel_of(row.document), []
    aside = r"[a-z0-9_/]+\.[a-z]+\b|[A-Za-z]+Tests[.A-Za-z0-9]*|walk \([^)]*\)"
    for word in re.findall(SNAKE, re.sub(aside, " ", cell)):
        if word.startswith("walk_"):
            tests.append("walk:" + word)
        elif word in tables:
            tests.append("table:" + word)
        else:
            tests.append("property:" + FILE_OF.get((row.document, word), "") + ":" + word)
    if "(k8-vectors)" in cell:
        tests.append("table:k8-vectors")
    groups = [traces.named(word) for word in re.findall(r"\bk[0-9]-(?!vectors\b)[A-Za-z0-9*-]+", cell)]
    for inner in re.findall(r"dialogues \(([^)]*)\)", cell):
        groups += [traces.stating(clause.strip(), kernel) for clause in inner.split(",")]
    if re.search(r"\bdialogues\b(?! \()", cell) or "every one" in cell:
        groups.append(sorted(name for name in traces.sources if name.startswith(kernel + "-")))
    chosen = random.Random(seed)
    for group in groups:
        tests += ["trace:" + name for name in chosen.sample(group, min(len(group), TRACES_A_ROW))]
    if re.search(r"\bwalk\b", cell) and kernel:
        tests.append("walk:walk_kernel_" + kernel[1:])
    return sorted(set(tests), key=lambda test: (test.startswith("walk:"), tests.index(test)))


# A name that two files have: the one that the document means.
FILE_OF = collections.defaultdict(str)


def note_files(documents):
    places = collections.defaultdict(set)
    for path in glob.glob("Tests/Proving/properties*.c"):
        for name in re.findall(r"PART\((\w+)\)", open(path).read()):
            places[name].add(pathlib.Path(path).name)
    for document in documents:
        number = kernel_of(document)[1:]
        for name, files in places.items():
            own = [file for file in files if f"kernel_{number}" in file]
            if number and len(files) > 1 and len(own) == 1:
                FILE_OF[document, name] = own[0]


class Runner:
    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the runner does not start")
            if line == "ready\n":
                return

    def ask(self, mutant, tests):
        self.process.stdin.write(" ".join([str(mutant), *tests]) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


def arguments(words):
    options = {"--rows": 0, "--seed": 1, "--mutants": 6, "--only": "", "--no-walks": False, "--tell": False}
    runner = []
    while words:
        word = words.pop(0)
        if word not in options:
            runner.append(word)
        elif isinstance(options[word], bool):
            options[word] = True
        else:
            options[word] = type(options[word])(words.pop(0))
    return runner, options


def notices(runner, mutant, tests):
    return runner.ask(mutant, tests) not in ("held", "unreached")


def judge(runner, tests, mutants, count, chosen):
    """What is wrong with a row; empty: one of its tests noticed. And how many mutants were, of those tried."""
    walks = [test for test in tests if test.startswith("walk:")]
    quick = [test for test in tests if test not in walks]
    whole = runner.ask(0, quick)
    if whole.startswith("unknown"):
        return f"there is no test {whole.split()[1]}", 0, 0
    if whole != "held":
        return f"{whole} fails on the original", 0, 0
    picked = chosen.sample(mutants, min(len(mutants), count))
    noticed = sum(notices(runner, mutant, quick) for mutant in picked) if quick else 0
    if noticed:
        return "", noticed, len(picked)
    # The sample may be of edges that only another test sees: all of them, before the row is blamed.
    if quick and any(notices(runner, mutant, quick) for mutant in mutants if mutant not in picked):
        return "", 0, len(picked)
    # A walk takes long: a few.
    for mutant in picked[:WALKED] if walks else []:
        if notices(runner, mutant, walks):
            return "", 1, len(picked)
    return f"no mutant of what it names is detected by {' '.join(tests[:4])}", 0, len(picked)


def try_the_test(runner, of_function):
    """A property of Kernel 7's qualifiers notices no fault in RSA; a property that does not exist is an error."""
    rsa = [number for (file, _), numbers in of_function.items() if file == "rsa.c" for number in numbers][:20]
    stranger, nobody = ["property:properties_kernel_7.c:properties_of_qualifiers"], ["property::properties_of_nobody"]
    chosen = random.Random(1)
    if not judge(runner, stranger, rsa, 4, chosen)[0] or not judge(runner, nobody, rsa, 4, chosen)[0]:
        sys.exit("a wrong row is not detected")


def main():
    words, options = arguments(sys.argv[1:])
    table = pathlib.Path(words[0]).parent / "mutants.txt"
    mutants = report.read_mutants(table)
    equivalent, _, _ = report.match(mutants, "Tests/Mutation/equivalent.txt")
    known, of_function = collections.defaultdict(set), collections.defaultdict(list)
    for mutant in mutants:
        file = mutant[1].split(":")[0].split("/")[-1]
        known[mutant[2]].add(file)
        if mutant[0] not in equivalent:
            of_function[file, mutant[2]].append(int(mutant[0]))
    documents = sorted(glob.glob("Conformance/*.md"))
    note_files(documents)
    tables = set()
    for path in glob.glob(".build-independent/*rules.txt"):
        tables |= set(re.findall(r"(?m)^([a-z][a-z0-9_]*) \|", open(path).read()))
    traces = Traces([word for word in words if word.endswith((".taps", ".json"))])

    ready, swift, without_function, none = [], 0, 0, 0
    for row in [row for document in documents for row in rows_of(document)]:
        tests = tests_of(row, traces, tables, options["--seed"])
        places = functions_of(row.function, known)
        numbers = sorted(number for place in places for number in of_function[place])
        if not tests and SWIFT.search(row.test):
            swift += 1
        elif not tests:
            none += 1
        elif not numbers:
            without_function += 1
        elif not (options["--no-walks"] and all(test.startswith("walk:") for test in tests)):
            ready.append((row, tests, numbers))
    print(f"rows: {len(ready)} with a test in C and something to break; {swift} whose tests are in Swift alone, "
          f"{without_function} that name a table or a type, {none} without a test (n/a)")

    chosen = random.Random(options["--seed"])
    ready = [entry for entry in ready if options["--only"] in str(entry[0])]
    if options["--rows"]:
        ready = chosen.sample(ready, min(options["--rows"], len(ready)))
    runner = Runner(words)
    try_the_test(runner, of_function)
    bad = noticed = tried = 0
    for row, tests, numbers in ready:
        if options["--no-walks"]:
            tests = [test for test in tests if not test.startswith("walk:")]
        problem, seen, run = judge(runner, tests, numbers, options["--mutants"], chosen)
        noticed, tried = noticed + seen, tried + run
        if problem:
            bad += 1
            print(f"{row}: {problem}")
        elif options["--tell"]:
            print(f"{row}: {seen} of {run}")
        sys.stdout.flush()
    print(f"rows: {len(ready)}, {tried} mutants, {noticed} of them detected by the row's own tests; "
          f"{bad} rows whose tests detect none")
    sys.exit(bad != 0 or not ready)


main()
