#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rows of equivalent.txt survive a rename: every name of CEMV gets another, every file too, and every statement
begins a line of its own.

    rename_test.py CLANG OUT EQUIVALENT SOURCE...     Exit 1 if a row then names no mutant, or another one than
                                                      before."""
import os
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent / "Proving"))
import exceptions
import report

clang, out, equivalent, *sources = sys.argv[1:]
KEPT = re.compile(r"__\w+|u?int\d+_t|uintptr_t|size_t|offsetof|defined|include|define|undef|ifndef|ifdef|endif"
                  r"|extern|std\w+"
                  r"|U?INT\d*_(MAX|C)|SIZE_MAX"
                  # What the lists of tags (*.inc) are written in, or what is pasted to their numbers.
                  r"|TAG(1|5F|9F)?|(CEMV|K\d)_SLOT_\w*|CEMV_FORMAT_\w*|CARD|TERMINAL|ISSUER|KERNEL|CONFIG"
                  r"|ELSEWHERE|CONTACT"
                  r"|cemv_kernel_(\d_names)?|_names"
                  r"|FCI|GPO|RECORD|DIRECTORY|SCRIPT|IN_77_80|IN_70_77"
                  r"|_Static_assert|_Alignas|_Alignof|_Noreturn|cemv_mutant|hot|cold|noinline|always_inline|unused|h|c")


def renamed(text):
    """The text with another name for every name of ours, and a new line after every semicolon outside macros."""
    lines, in_macro = [], False
    for line in text.split("\n"):
        directive = in_macro or line.lstrip().startswith("#")
        in_macro = directive and line.endswith("\\")
        if line.lstrip().startswith("#include"):
            lines.append(line)
            continue
        pieces, at = [], 0
        for offset, token in exceptions.tokens(line):
            pieces.append(line[at:offset])
            at = offset + len(token)
            own = re.match(r"[A-Za-z_]", token) and token not in exceptions.KEYWORDS and not KEPT.fullmatch(token)
            pieces.append(token + "_x" if own else token + "\n" if token == ";" and not directive else token)
        lines.append("".join(pieces) + line[at:])
    return "\n".join(lines)


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)


names = {}
for path in pathlib.Path("Sources/CEMV").rglob("*.[ch]"):
    moved = path.with_name("other_" + path.name) if path.suffix == ".c" else path
    names[str(path)] = str(moved)
    target = pathlib.Path(out) / moved
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(renamed(without_comments(path.read_text())))


for path in pathlib.Path("Sources/CEMV").rglob("*.inc"):
    target = pathlib.Path(out) / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(path.read_text())


def mutants(folder, files):
    work = pathlib.Path(out) / "work"
    work.mkdir(exist_ok=True)
    subprocess.run([sys.executable, str(here.absolute() / "mutants.py"), clang, str(work.absolute()), *files],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return report.read_mutants(work / "mutants.txt")


before, after = mutants(".", sources), mutants(out, [names[path] for path in sources])
if len(before) != len(after):
    sys.exit(f"{len(before)} mutants before, {len(after)} after")
first, _, wrong = report.match(before, equivalent)
then, _, lost = report.match(after, equivalent)
other = [row.number for number, row in first.items() if number not in then or then[number].number != row.number]
print("\n".join(wrong + lost), end="\n" if wrong + lost else "")
print(f"renamed: {len(first)} rows, {len(lost)} lost, {len(other)} name another mutant"
      + (f" (lines {other})" if other else ""))
sys.exit(1 if wrong or lost or other else 0)
