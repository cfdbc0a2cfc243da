#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants that cannot be chosen at run time: of tables and other static initialisers, case labels, enumerators that are
given a value, and macros. Each is a source of its own: it is compiled, linked with the objects of the other sources,
and given to the checks (runner.c, `one`).

    constants.py list CLANG OUT SOURCE...       OUT/constants.txt, in the form of mutants.py, and OUT/edits.json
    constants.py run CLANG OUT PLAN WORK        numbers on standard input; writes `number verdict check` for each;
                                                WORK: a directory of this process. `broken`: it does not compile

A table is read as the compiler sees it, after its macros; what a macro or an enumerator of a header says is changed in
the header, and all that includes it is compiled again, the checks too. Headers of the public interface are left out:
their numbers are the interface itself.

Kinds: literal plus one, enumerator replaced by the next one of its type, operand of | left out, row left out or
emptied, function left out, truth negated, last character changed, case label left out."""
import bisect
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
import exceptions

FLAGS = ["-std=gnu11", "-w", "-D_GNU_SOURCE", "-fsanitize=bounds,object-size,shift,integer-divide-by-zero,null,"
         "signed-integer-overflow", "-fsanitize-trap=all", "-I", "Sources/CEMV/include", "-I",
         "Tests/CEMVInternals/include", "-I", "Tests/Proving"]
NUMBER = re.compile(r"\b(0[xX][0-9A-Fa-f]+|\d+)[uU]?[lL]{0,2}\b")
MARKER = re.compile(rb'^# (\d+) "([^"\n]*)".*$', re.M)
LONGEST = 60     # tokens of a place
mutants, edits = [], []


def children(node):
    return [c for c in node.get("inner", []) if c and c.get("kind")]


def span(node):
    """Bytes of a node, or None where a macro of the compiler's own wrote it."""
    begin, end = node.get("range", {}).get("begin", {}), node.get("range", {}).get("end", {})
    return (begin["offset"], end["offset"] + end["tokLen"]) if "offset" in begin and "offset" in end else None


def plain(node):
    while node["kind"] in ("ImplicitCastExpr", "ConstantExpr", "ParenExpr", "CStyleCastExpr") and children(node):
        node = children(node)[0]
    return node


def is_zero(node):
    """Zero, shifted or not: left out of an or it changes nothing."""
    node = plain(node)
    if node["kind"] == "BinaryOperator" and node["opcode"] == "<<":
        return is_zero(children(node)[0])
    return node["kind"] == "IntegerLiteral" and node["value"] == "0"


def has_default(node):
    return node["kind"] == "DefaultStmt" or any(has_default(c) for c in children(node) if c["kind"] != "SwitchStmt")


def leaves_at_once(node):
    """A label behind which there is nothing but the end of the switch."""
    while node["kind"] == "CaseStmt":
        node = children(node)[-1]
    return node["kind"] == "BreakStmt"


class Text:
    """A text in which places are changed: a source after the preprocessor, or a file as it stands."""

    def __init__(self, path, text, whole):
        self.path, self.text, self.whole = path, text, whole
        self.marks = [(m.end() + 1, m[2].decode(), int(m[1])) for m in MARKER.finditer(text)] if whole else []
        self.starts = [mark[0] for mark in self.marks]
        self.seen = set()
        self.name, self.body, self.is_shared = "", None, False

    def where(self, offset):
        """File and line of an offset."""
        if not self.whole:
            return self.path, self.text.count(b"\n", 0, offset) + 1
        _, path, line = self.marks[bisect.bisect_right(self.starts, offset) - 1]
        start = self.starts[bisect.bisect_right(self.starts, offset) - 1]
        return os.path.normpath(path), line + self.text.count(b"\n", start, offset)

    def is_own(self, offset):
        path, _ = self.where(offset)
        return path == self.path or path.endswith(".inc")

    def words(self, around, begin):
        """The row, or, of a long list of numbers, those on both sides."""
        if self.body.count(*around) <= LONGEST:
            return self.body.text(*around)
        at = bisect.bisect_left(self.body.tokens, (begin,))
        near = [token for _, token in self.body.tokens[max(at - 8, 0): at + 9]]
        return " ".join(("...", *near, "..."))

    def enter(self, name, extent, is_shared=False):
        self.is_shared = is_shared
        self.name, self.body = name, exceptions.Body(self.text.decode("latin-1"), *extent)

    def add(self, around, begin, end, new, what, in_header=False, is_shared=False):
        """`is_shared`: other sources use the changed thing, too."""
        path, line = self.where(begin)
        column = begin - self.text.rfind(b"\n", 0, begin)
        words, kind, again = self.words(around, begin), what, 1
        while (self.name, words, what) in self.seen:
            again += 1
            what = f"{kind} #{again}"
        self.seen.add((self.name, words, what))
        mutants.append((f"{path}:{line}:{column}", self.name, words, what, self.body.shape(begin, end)))
        edits.append([self.path, self.whole, begin, end, new, in_header, is_shared or self.is_shared])


class Unit:
    """Tables, labels and enumerators of one source."""

    def __init__(self, clang, path, out):
        self.path = path
        pre = subprocess.run([clang, *FLAGS, "-E", path], capture_output=True, check=True).stdout
        self.file = os.path.join(out, "units", path.replace("/", "_") + ".i")
        os.makedirs(os.path.dirname(self.file), exist_ok=True)
        open(self.file, "wb").write(pre)
        tree = subprocess.run([clang, "-std=gnu11", "-w", "-fsyntax-only", "-x", "cpp-output", "-Xclang",
                               "-ast-dump=json", self.file], capture_output=True, check=True)
        self.text = Text(path, pre, True)
        unit = json.loads(tree.stdout)
        self.next = {}
        self.defaults = [False]     # of the switches around
        self.note_enumerators(unit)
        for declaration in unit["inner"]:
            self.visit(declaration, None)

    def note_enumerators(self, node):
        for declaration in node["inner"]:
            if declaration["kind"] == "EnumDecl":
                members = [c for c in children(declaration) if c["kind"] == "EnumConstantDecl"]
                for this, following in zip(members, members[1:] + members[:1]):
                    if this is not following:
                        self.next[this["id"]] = following["name"]

    def visit(self, node, function):
        kind = node["kind"]
        if kind == "FunctionDecl":
            function = node["name"]
            body = [c for c in children(node) if c["kind"] == "CompoundStmt"]
            if not body or not span(body[0]) or not self.text.is_own(span(body[0])[0]):
                return
            self.extent = span(body[0])
        elif kind == "VarDecl" and (function is None or node.get("storageClass") == "static"):
            extent, values = span(node), [c for c in children(node) if not c["kind"].endswith("Attr")]
            if extent and "init" in node and values and self.text.is_own(extent[0]):
                self.text.enter(node["name"] if function is None else function, extent,
                                node.get("storageClass") != "static")
                self.value(values[-1], extent)
            return
        elif kind == "EnumDecl":
            self.enumerators(node)
            return
        elif kind == "CaseStmt" and (self.defaults[-1] or not leaves_at_once(node)):
            self.label(node, function)
        if kind == "SwitchStmt":
            self.defaults.append(any(has_default(c) for c in children(node)))
        for child in children(node):
            if kind not in ("RecordDecl", "TypedefDecl"):
                self.visit(child, function)
        if kind == "SwitchStmt":
            self.defaults.pop()

    def enumerators(self, node):
        extent = span(node)
        if not extent or not self.text.is_own(extent[0]):
            return
        members = [c for c in children(node) if c["kind"] == "EnumConstantDecl"]
        self.text.enter(node.get("name") or members[0]["name"], extent)
        for member in members:
            for value in children(member):
                if span(member):
                    self.value(value, span(member))

    def label(self, node, function):
        place, value = span(node), children(node)[0]
        if not place or not span(value) or not self.text.is_own(place[0]):
            return
        self.text.enter(function, self.extent)
        colon = self.text.text.index(b":", span(value)[1])
        around = (place[0], colon + 1)
        self.text.add(around, *around, "", "label left out")
        if plain(value)["kind"] == "IntegerLiteral":
            self.literal(plain(value), around)

    def literal(self, node, around):
        place = span(node)
        old = self.text.text[slice(*place)].decode()
        self.text.add(around, *place, f"({old} + 1)", f"{old} becomes one more")

    def value(self, node, around):
        """A constant, within `around`: its row."""
        kind, place = node["kind"], span(node)
        if kind == "ImplicitValueInitExpr" or not place:
            return
        if kind == "ImplicitCastExpr" and node.get("castKind") == "IntegralToBoolean":
            self.text.add(around, *place, f"!({self.text.text[slice(*place)].decode()})", "truth negated")
        elif kind in ("IntegerLiteral", "CharacterLiteral"):
            self.literal(node, around)
        elif kind == "StringLiteral" and place[1] - place[0] > 2:
            last = self.text.text[place[1] - 2: place[1] - 1]
            other = "y" if last == b"x" else "x"
            self.text.add(around, place[1] - 2, place[1] - 1, other, "last character changed")
        elif kind == "DeclRefExpr":
            self.reference(node, around)
        elif kind == "InitListExpr":
            self.list(node, around)
        elif kind == "BinaryOperator" and node["opcode"] == "|":
            for side in children(node):
                if plain(side)["kind"] != "BinaryOperator" or plain(side)["opcode"] != "|":
                    if not is_zero(side):
                        self.text.add(around, *span(side), "0", "operand of | left out")
                    if plain(side)["kind"] != "DeclRefExpr":
                        self.value(side, around)
                else:
                    self.value(side, around)
        elif kind not in ("UnaryExprOrTypeTraitExpr", "OffsetOfExpr"):
            for child in children(node):
                self.value(child, around)

    def reference(self, node, around):
        to = node.get("referencedDecl", {})
        place = span(node)
        old = self.text.text[slice(*place)].decode()
        if to.get("kind") == "EnumConstantDecl" and to.get("id") in self.next:
            new = self.next[to["id"]]
            self.text.add(around, *place, new, f"{old} becomes {new}")
        elif to.get("kind") == "FunctionDecl":
            self.text.add(around, *place, "0", f"{old} left out")

    def list(self, node, around):
        is_table = "struct" in node.get("type", {}).get("qualType", "") and "[" in node["type"]["qualType"]
        for row in children(node):
            place = span(row)
            if not place:
                continue
            inner = plain(row)["kind"] == "InitListExpr"
            if is_table and inner:
                text = self.text.text
                before = text[: place[0]].rstrip()[-1:]
                after = re.compile(rb"\s*,").match(text, place[1])
                if before in b"{," and after:
                    self.text.add(place, place[0], after.end(), "", "row left out")
                else:
                    self.text.add(place, *place, "{ 0 }", "row emptied")
            self.value(row, place if inner and is_table else around)


def file_constants(path):
    """Numbers in the macros of a file, and, of a header, in its enumerators."""
    text = Text(path, open(path, "rb").read(), False)
    words = text.text.decode("latin-1")
    is_header = path.endswith(".h")
    patterns = [re.compile(r"^[ \t]*#define[ \t]+(\w+)(\([^)]*\))?[ \t]+((?:[^\n]*\\\n)*[^\n]*)", re.M)]
    if is_header:
        patterns.append(re.compile(r"^[ \t]+(?:enum \{ )?([A-Z][A-Z0-9_]+)()[ ]=[ ]([^\n]*)", re.M))
    for pattern in patterns:
        for found in pattern.finditer(words):
            if found[1].startswith(("TAG", "CEMV_TAG_ROW")) or found[1].endswith("_H"):
                continue
            code = re.sub(r"/\*.*?(\*/|$)|\"[^\"\n]*\"", lambda m: " " * len(m[0]), found[3], flags=re.S)
            text.enter(found[1], found.span())
            for number in NUMBER.finditer(code):
                begin, end = found.start(3) + number.start(), found.start(3) + number.end()
                text.add((found.start(3), found.start(3) + len(code.rstrip())), begin, end, f"({number[0]} + 1)",
                         f"{number[0]} becomes one more", is_header, is_header)


def write_list(clang, out, sources):
    for path in sources:
        if path.endswith(".c"):
            Unit(clang, path, out)
        file_constants(path)
    with open(os.path.join(out, "constants.txt"), "w") as file:
        for number, mutant in enumerate(mutants, 1):
            file.write("\t".join((str(number), *mutant)) + "\n")
    json.dump(edits, open(os.path.join(out, "edits.json"), "w"))
    print(f"{len(mutants)} mutants of constants")


class Build:
    """The program with the checks, of which a source may be another."""

    def __init__(self, clang, out, plan, work):
        self.clang, self.out, self.work = clang, os.path.abspath(out), os.path.abspath(work)
        self.plan, self.reached = plan, set()
        for line in open(plan):
            self.reached.update(line.rstrip("\n").split(" ")[-1].split(":"))
        self.objects = {}
        self.includes = {}
        for line in open(os.path.join(out, "objects.txt")):
            source, name, *headers = line.split()
            self.objects[source] = os.path.join(self.out, "plain", name)
            self.includes[source] = set(headers)
        os.makedirs(self.work, exist_ok=True)

    def compile(self, source, into, *more):
        command = [self.clang, *FLAGS, *more, "-c", source, "-o", into]
        return subprocess.run(command, capture_output=True).returncode == 0

    def verdict(self, edit, files):
        path, whole, begin, end, new, in_header, is_shared = edit
        held = os.path.join(self.out, "units", path.replace("/", "_") + ".i") if whole else path
        text = open(held, "rb").read()
        text = text[:begin] + new.encode() + text[end:]
        objects, again = dict(self.objects), []
        if whole:
            changed = os.path.join(self.work, "mutant.i")
            open(changed, "wb").write(text)
            again.append((path, changed, ("-O1", "-x", "cpp-output")))
        else:
            overlay = os.path.join(self.work, "overlay.json")
            changed = os.path.join(self.work, "changed" + pathlib.Path(path).suffix)
            open(changed, "wb").write(text)
            json.dump({"version": 0, "roots": [{"type": "file", "name": os.path.abspath(path),
                                                "external-contents": changed}]}, open(overlay, "w"))
            users = [s for s in objects if os.path.abspath(path) in self.includes[s]] if in_header else [path]
            again += [(s, os.path.abspath(s), ("-O1" if len(users) == 1 else "-O0", "-ivfsoverlay", overlay))
                      for s in users]
        for source, given, more in again:
            into = os.path.join(self.work, source.replace("/", "_") + ".o")
            if not self.compile(given, into, *more):
                return "broken -"
            objects[source] = into
        program = os.path.join(self.work, "program")
        if subprocess.run([self.clang, *objects.values(), "-o", program], capture_output=True).returncode:
            return "broken -"
        return self.run(program, "-" if is_shared or path not in self.reached else path, files)

    def run(self, program, of, files):
        """`of`: the source whose checks are run, - for all."""
        try:
            told = subprocess.run([program, "one", self.plan, of, *files], capture_output=True, timeout=300)
            lines = told.stdout.decode().split("\n")
        except subprocess.TimeoutExpired as late:
            lines = (late.stdout or b"").decode().split("\n")
        words = [line for line in lines if line]
        return words[-1] if words else "change start"


def run(clang, out, plan, work, files):
    build, changes = Build(clang, out, plan, work), json.load(open(os.path.join(out, "edits.json")))
    for line in sys.stdin:
        print(line.strip(), build.verdict(changes[int(line) - 1], files), flush=True)


if __name__ == "__main__":
    command, compiler, folder, *rest = sys.argv[1:]
    if command == "list":
        write_list(compiler, folder, rest)
    else:
        run(compiler, folder, rest[0], rest[1], rest[2:])
