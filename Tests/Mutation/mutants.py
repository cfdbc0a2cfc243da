#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a copy of CEMV that contains all its mutants; `cemv_mutant` chooses one at run time. Works on clang's syntax
tree. Macros, constant expressions, case labels and static initialisers stay as they are, because nothing can choose
among those at run time.

    mutants.py CLANG OUT SOURCE...   writes the sources below OUT, and OUT/mutants.txt, a line for each mutant:
                                     number, file:line:column, row (Tests/Proving/exceptions.py)

Kinds of mutants: another relation, another arithmetic operator, an operand of && or || left out, a negated condition, a
literal increased by one, zero returned, a statement left out."""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
import exceptions

clang, out, sources = sys.argv[1], sys.argv[2], sys.argv[3:]
RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "&": "|", "|": "&", "<<": ">>", ">>": "<<", "*": "+", "^": "|", "/": "*", "%": "/"}
STATEMENTS = ("CompoundStmt", "IfStmt", "WhileStmt", "ForStmt", "DoStmt", "SwitchStmt", "CaseStmt", "DefaultStmt")
mutants, bit_fields, zeros = [], set(), set()


class Source:
    def __init__(self, path):
        self.path = path
        self.bytes = open(path, "rb").read()
        self.edits = []          # (begin, end, text before, text after)
        self.function, self.around = "", []
        self.keys = set()        # rows of this file's mutants

    def span(self, node):
        """Bytes of a node that is written in this file outside macros, or None."""
        span = node.get("range", {})
        begin, end = span.get("begin", {}), span.get("end", {})
        if ("offset" not in begin or "offset" not in end or "includedFrom" in begin
                or "file" in begin and begin["file"] != self.path):
            return None
        return begin["offset"], end["offset"] + end["tokLen"]

    def number(self, span, what):
        """Adds a mutant and returns its number. Mutants of one function with the same words are numbered."""
        line = self.bytes[: span[0]].count(b"\n") + 1
        column = span[0] - self.bytes.rfind(b"\n", 0, span[0])
        kind, again = what, 1
        while (key := exceptions.key(self.path, self.function, self.words(span), what)) in self.keys:
            again += 1
            what = f"{kind} #{again}"
        self.keys.add(key)
        mutants.append((f"{self.path}:{line}:{column}", key))
        return len(mutants)

    def words(self, span):
        """The text of the mutated expression, or of the innermost expression around it that has four tokens."""
        for begin, end in (span, *reversed(self.around)):
            text = self.bytes[begin:end].decode("latin-1")
            if begin <= span[0] and end >= span[1] and len(re.findall(r"\w+|[^\w\s]", text)) >= 4:
                return text
        return self.bytes[span[0]:span[1]].decode("latin-1")


def type_of(node):
    return node.get("type", {}).get("qualType", "")


def is_number(node):
    kind = node.get("type", {}).get("desugaredQualType") or type_of(node)
    return ("*" not in kind and "struct" not in kind and "[" not in kind and "cemv_bytes" not in kind
            and "void" not in kind)


def note_bit_fields(node):
    if node.get("kind") == "FieldDecl" and node.get("isBitfield"):
        bit_fields.add(node["id"])
    if node.get("kind") in ("TranslationUnitDecl", "RecordDecl", None):
        for child in node.get("inner", []):
            note_bit_fields(child)


def note_zeros(unit):
    """Collects the enumerators whose value is zero: given explicitly, or the first one without a value."""
    for declaration in unit["inner"]:
        for number, child in enumerate(children(declaration) if declaration["kind"] == "EnumDecl" else []):
            value = children(child)[0].get("value") if children(child) else None
            if child["kind"] == "EnumConstantDecl" and (value == "0" or value is None and number == 0):
                zeros.add(child["id"])


def is_zero(node):
    while node["kind"] in ("ImplicitCastExpr", "ParenExpr", "ConstantExpr") and children(node):
        node = children(node)[0]
    return (node["kind"] == "IntegerLiteral" and node.get("value") == "0"
            or node.get("referencedDecl", {}).get("id") in zeros)


def wrap(source, span, before, after):
    source.edits.append((span[0], span[1], before, after))


def children(node):
    return [c for c in node.get("inner", []) if c and c.get("kind")]


def plain(node):
    """Returns what turns a bit-field into a value: no variable can be declared with the type of a bit-field."""
    while node["kind"] in ("ImplicitCastExpr", "ParenExpr") and children(node):
        node = children(node)[0]
    return " + 0" if node.get("referencedMemberDecl") in bit_fields else ""


def pair(source, node, alternative):
    """Evaluates both operands into variables, then applies one of the two operators."""
    left, right = children(node)[:2]
    a, b = source.span(left), source.span(right)
    if not a or not b or a[1] > b[0]:
        return
    whole = source.span(node)
    op = node["opcode"]
    k = source.number(whole, f"{op} becomes {alternative}")
    wrap(source, a, "({ __auto_type m_l = (", f"){plain(left)};")
    source.edits.append((a[1], b[0], None, ""))               # drops the operator itself
    wrap(source, b, " __auto_type m_r = (",
         f"){plain(right)}; M_({k}) ? (__typeof__(m_l {op} m_r))(m_l {alternative} m_r) : (m_l {op} m_r); }})")


def condition(source, node):
    span = source.span(node)
    if span:
        k = source.number(span, "condition negated")
        wrap(source, span, "(!!(", f") ^ M_({k}))")


def logic(source, node):
    for side in children(node)[:2]:
        span = source.span(side)
        if not span:
            continue
        k = source.number(span, f"operand of {node['opcode']} left out")
        if node["opcode"] == "&&":
            wrap(source, span, f"(M_({k}) || (", "))")
        else:
            wrap(source, span, f"(!M_({k}) && (", "))")


def statement(source, node):
    span = source.span(node)
    kind = node["kind"]
    if not span or kind not in ("CallExpr", "BinaryOperator", "CompoundAssignOperator", "UnaryOperator"):
        return
    k = source.number(span, "statement left out")
    wrap(source, span, f"if (!M_({k})) ", "")


def visit(source, node, function):
    kind = node["kind"]
    if kind in ("ConstantExpr", "EnumDecl", "StaticAssertDecl", "DesignatedInitExpr", "OffsetOfExpr",
                "UnaryExprOrTypeTraitExpr"):
        return
    if kind == "VarDecl" and (node.get("storageClass") == "static" or not function):
        return
    inner = children(node)
    here = source.span(node) if kind not in STATEMENTS else None
    if here:
        source.around.append(here)
    if kind == "CompoundStmt":
        for child in inner:
            statement(source, child)
    elif kind in ("IfStmt", "WhileStmt", "ConditionalOperator") and inner:
        condition(source, inner[0])
    elif kind == "BinaryOperator":
        op = node["opcode"]
        if op in ("&&", "||"):
            logic(source, node)
        elif op in RELATIONS:
            pair(source, node, RELATIONS[op])
        elif op in ARITHMETIC and is_number(node) and all(is_number(c) for c in inner):
            pair(source, node, ARITHMETIC[op])
    elif kind == "IntegerLiteral":
        span = source.span(node)
        if span:
            k = source.number(span, f"{node['value']} becomes one more")
            wrap(source, span, "(", f" + M_({k}))")
    elif (kind == "ReturnStmt" and inner and is_number(inner[0]) and "enum" not in type_of(inner[0])
          and not is_zero(inner[0])):
        span = source.span(inner[0])
        if span:
            k = source.number(span, "returns zero")
            wrap(source, span, f"M_({k}) ? 0 : (", ")")
    for child in inner:
        visit(source, child, function or kind == "FunctionDecl")
    if here:
        source.around.pop()


def write(source, root):
    """Writes the source with its edits. Where edits nest, the outer text opens first and closes last."""
    opens, closes, drops = {}, {}, []
    for index, (begin, end, before, after) in enumerate(source.edits):
        if before is None:
            drops.append((begin, end))
            continue
        opens.setdefault(begin, []).append((-end, index, before))
        closes.setdefault(end, []).append((-begin, -index, after))
    result, at, text = [], 0, source.bytes
    marks = sorted(set(opens) | set(closes) | {b for b, _ in drops} | {e for _, e in drops})
    dropping = 0
    for mark in marks + [len(text)]:
        if dropping == 0:
            result.append(text[at:mark])
        at = mark
        for item in sorted(closes.get(mark, [])):
            result.append(item[2].encode())
        dropping -= sum(1 for _, e in drops if e == mark)
        dropping += sum(1 for b, _ in drops if b == mark)
        for item in sorted(opens.get(mark, [])):
            result.append(item[2].encode())
    path = os.path.join(root, source.path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"extern int cemv_mutant;\nextern unsigned char cemv_reached[];\n"
                   b"#define M_(k) (cemv_reached[k] = 1, cemv_mutant == (k))\n#line 1\n" + b"".join(result))


for path in sources:
    tree = subprocess.run([clang, "-std=c11", "-ffreestanding", "-fsyntax-only", "-I", "Sources/CEMV/include",
                           "-Xclang", "-ast-dump=json", path], capture_output=True, check=True)
    source = Source(path)
    unit = json.loads(tree.stdout)
    bit_fields.clear()
    note_bit_fields(unit)
    zeros.clear()
    note_zeros(unit)
    for declaration in unit["inner"]:
        if declaration["kind"] != "FunctionDecl":
            continue
        place = declaration.get("loc", {})
        # Skips functions of included files: the name must be where the tree says it is. (A declaration may begin with
        # a macro, for an attribute.)
        if ("includedFrom" in place
                or source.bytes[place.get("offset", 0):][: len(declaration["name"])] != declaration["name"].encode()):
            continue
        for child in children(declaration):
            if child["kind"] == "CompoundStmt":
                source.function = declaration["name"]
                visit(source, child, True)
    write(source, out)
with open(os.path.join(out, "mutants.txt"), "w") as file:
    for number, mutant in enumerate(mutants, 1):
        file.write("\t".join((str(number), *mutant)) + "\n")
print(f"{len(mutants)} mutants")
