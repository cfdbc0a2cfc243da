#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes EMVKit with all its mutants in it: each is chosen at run time (Tests/Mutation/MutantSwitch). From the type-
checked syntax tree of the compiler; patterns, raw values and the catalogues of texts are not touched.

    swift_mutants.py REPOSITORY OUT PACKAGE     mutated copies of the files in SCOPE below OUT/Sources/EMVKit, and
                                                OUT/mutants.txt: number, file:line:column, function, the place in words,
                                                what, its shape (Tests/Proving/exceptions.py). Mutants that the compiler
                                                refuses are dropped and counted.

Kinds: relation, arithmetic, operand of && and || left out, condition negated or left out, literal, another case of an
enumeration, nil or nothing returned, the value left of ?? ignored, statement left out, body of another case."""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Proving"))
import exceptions

SCOPE = ("Authorization", "Reader", "Payment", "Display", "Receipt", "StateMachines", "Concurrency", "Outcome",
         "Transaction/Redaction.swift", "Support")
# Texts have no decision; faults of the journal are put there by JournalMutationTests.
OUT_OF_SCOPE = ("Display/Texts/Texts", "Concurrency/JournalMutation.swift")
RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
CALLS = {"<": "less", "<=": "lessOrEqual", ">": "more", ">=": "moreOrEqual", "&&": "and", "||": "or", "??": "orElse",
         "+": "plus", "-": "minus", "*": "times", "/": "divided", "%": "remainder"}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}
INTEGERS = {"Si": "Int", "s5UInt8V": "UInt8", "s6UInt16V": "UInt16", "s6UInt32V": "UInt32", "s6UInt64V": "UInt64",
            "Su": "UInt", "s5Int64V": "Int64", "s5Int32V": "Int32", "Sd": "Double"}
BOOL, VOID = "$sSbD", "$sytD"
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Text:
    """A source file, by bytes as the compiler counts them."""

    def __init__(self, path):
        self.path = path
        self.bytes = path.read_bytes()
        self.latin = self.bytes.decode("latin-1")

    def token_end(self, at):
        """The end of the token that begins at `at`."""
        text = self.latin
        if text[at] in '"#':
            return self.string_end(at)
        name = re.compile(r"[\w$`\x80-\xff]+").match(text, at)
        if name:
            number = re.compile(r"0x[0-9A-Fa-f_]+|\d[\d_]*\.\d+|\d[\d_]*").match(text, at)
            return (number or name).end()
        if text[at] == "." and re.match(r"[\w`]", text[at + 1:at + 2]):
            return self.token_end(at + 1)
        return at + 1

    def string_end(self, at):
        text = self.latin
        hashes = re.compile("#*").match(text, at).end() - at
        at += hashes
        quote = '"""' if text.startswith('"""', at) else '"'
        at += len(quote)
        end, escape = quote + "#" * hashes, "\\" + "#" * hashes
        while not text.startswith(end, at) and at < len(text):
            if text.startswith(escape + "(", at):
                at, depth = at + len(escape) + 1, 1
                while depth and at < len(text):
                    if text[at] == '"':
                        at = self.string_end(at)
                        continue
                    depth += {"(": 1, ")": -1}.get(text[at], 0)
                    at += 1
            elif text.startswith(escape, at):
                at += len(escape) + 1
            else:
                at += 1
        return at + len(end)


def is_implicit(node):
    return node.get("implicit", False)


# What holds types and names, and nothing that is written.
SKIPPED = {"type", "substitutions", "decl", "builtin_initializer", "initializer_decl", "attrs", "function_ref",
           "captures", "builder_init", "result_init", "interface_type", "name", "inherits", "conformances",
           "iterator_var", "next_call", "isolation", "range", "raw_value", "raw_value_expr", "lifted_captures"}


def children(node):
    for key, value in node.items():
        if key in SKIPPED:
            continue
        if isinstance(value, dict):
            yield key, value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    yield key, item


class Mutator:
    """All mutants of one file."""

    def __init__(self, text, name, enumerations, typed):
        self.text, self.name = text, name
        self.enumerations = enumerations   # {usr of an element: (its type, [names of elements without values])}
        self.typed = typed                 # mangled type -> how it is written
        self.edits = {}                    # {(begin, end, kind): (prefix, suffix, replaced, [mutants])}
        self.mutants = []                  # [begin, end, function, body, around, what, id]
        self.function, self.body, self.around = "", None, []
        self.in_initializer = False

    def span(self, node):
        """Begin and end of what is written of a node, or None."""
        while "range" not in node:
            inner = [v for k, v in children(node) if k in ("sub_expr", "result", "expr", "single_expr_body")]
            if len(inner) != 1:
                return None
            node = inner[0]
        begin, end = node["range"]["start"], node["range"]["end"]
        end = self.text.token_end(end)
        while self.text.latin[end:end + 1] in "?!" and node["_kind"] in ("force_value_expr", "bind_optional_expr"):
            end += 1
        return (begin, end)

    def source(self, span):
        return self.text.latin[span[0]:span[1]]

    def add(self, span, what):
        """A new mutant's placeholder: its number is known at the end."""
        around = next((a for a in (span, *reversed(self.around))
                       if a[0] <= span[0] and a[1] >= span[1] and len(exceptions.tokens(self.source(a))) >= 4), span)
        self.mutants.append((span, self.function, self.body, around, what))
        return len(self.mutants) - 1

    def wrap(self, span, kind, prefix, suffix, mutants, replaced=None):
        if (*span, kind) not in self.edits:
            self.edits[(*span, kind)] = (prefix, suffix, replaced, mutants)

    def once(self, span, kind):
        return span is not None and (*span, kind) not in self.edits

    def call(self, span, kind, function, what):
        """FUNCTION(number, …) around an expression."""
        if self.once(span, kind):
            mutant = self.add(span, what)
            self.wrap(span, kind, f"{function}(<{mutant}>, ", ")", [mutant])

    # What is mutated

    def visit(self, node, role=""):
        kind = node.get("_kind", "")
        if kind == "string_literal_expr":
            return
        if kind.startswith("pattern_") and kind not in ("pattern_binding_decl", "pattern_entry", "pattern_binding"):
            return
        if kind in ("pattern", "enum_element_decl", "type_expr", "substitution_map", "custom_attr", "captured_value"):
            # `if let`: the pattern has its value beside it.
            if kind != "pattern":
                return
        if is_implicit(node) and kind in ("constructor_decl", "func_decl", "destructor_decl", "accessor_decl"):
            if "range" not in node.get("body", {}) and "range" not in node:
                return
        handler = getattr(self, "on_" + kind, None)
        kept = (self.function, self.body, self.in_initializer)
        if kind in ("func_decl", "constructor_decl", "accessor_decl", "pattern_binding_decl", "subscript_decl",
                    "var_decl"):
            self.enter(node, kind)
        pushed = False
        if "range" in node and not is_implicit(node):
            span = self.span(node)
            if span and (kind.endswith(("_expr", "_stmt")) or kind == "pattern_entry") and kind != "brace_stmt":
                self.around.append(span)
                pushed = True
        if handler and (not is_implicit(node) or kind == "then_stmt"):
            handler(node)
        for key, child in children(node):
            self.visit(child, key)
        if pushed:
            self.around.pop()
        self.function, self.body, self.in_initializer = kept

    def enter(self, node, kind):
        if kind in ("pattern_binding_decl", "var_decl"):
            if self.body is not None or "range" not in node:
                return
            name = re.compile(r"(?:let|var)\s+(\w+)").search(self.text.latin, node["range"]["start"])
            self.function = name[1] if name else ""
        elif "range" not in node or is_implicit(node) and "body" not in node:
            return
        else:
            named = node.get("for" if kind == "accessor_decl" else "name", {}).get("base_name", {})
            if self.body is not None and self.function and kind != "accessor_decl":
                pass
            self.function = named.get("name") or named.get("special") or self.function
            self.in_initializer = kind == "constructor_decl"
        begin, end = self.span(node)
        self.body = exceptions.Body(self.text.latin, begin, end)

    def on_boolean_literal_expr(self, node):
        span = self.span(node)
        # `while true` is no decision.
        if node["type"] == BOOL and self.once(span, "literal") and not self.text.latin[:span[0]].endswith("while "):
            other = "false" if node["value"] == "true" else "true"
            self.call(span, "literal", "_mutantNot", f"{node['value']} becomes {other}")

    def on_integer_literal_expr(self, node):
        name = INTEGERS.get(node["type"][2:-1])
        span = self.span(node)
        if name and self.once(span, "literal"):
            text = self.source(span)
            self.call(span, "literal", f"_mutant{name}", f"{text} becomes one more")

    def on_dot_syntax_call_expr(self, node):
        """Another case of the enumeration."""
        fn = node["fn"]
        usr = fn.get("decl", {}).get("decl_usr")
        if fn["_kind"] != "declref_expr" or usr not in self.enumerations:
            return
        span = self.span(node)
        kind, names = self.enumerations[usr]
        name = fn["decl"]["base_name"]
        if name not in names or len(names) < 2 or not self.once(span, "case"):
            return
        written = self.typed.get(kind)
        if not written:
            return
        other = names[(names.index(name) + 1) % len(names)]
        mutant = self.add(span, f".{name} becomes .{other}")
        self.wrap(span, "case", f"(_mutant(<{mutant}>) ? {written}.`{other}` : ", ")", [mutant])

    def on_binary_expr(self, node):
        args = [a for a in node["args"].get("args", []) if a.get("_kind") == "argument"]
        if len(args) != 2 or "range" not in node:
            return
        spans, kinds = [], []
        for argument in args:
            inner = [child for key, child in children(argument) if key in ("expr", "arg", "value")]
            spans.append(self.span(inner[0]) if inner else None)
            kinds.append(inner[0].get("type") if inner else None)
        if None in spans or spans[0][1] > spans[1][0]:
            return
        left, right = spans
        between = self.text.latin[left[1]:right[0]]
        operator = between.split("//")[0].strip()
        whole = (left[0], right[1])
        if operator not in CALLS and operator not in RELATIONS or not self.once(whole, "binary"):
            return
        if operator in (*RELATIONS, "&&", "||") and node["type"] != BOOL or not node["type"]:
            return
        if operator in ("==", "!="):
            self.call(whole, "binary", "_mutantNot", f"{operator} becomes {RELATIONS[operator]}")
            return
        if node["type"] == VOID:
            return
        if operator in ("&&", "||"):
            both = [self.add(left, f"operand of {operator} left out"),
                    self.add(right, f"operand of {operator} left out")]
        elif operator in RELATIONS:
            both = [self.add(whole, f"{operator} becomes {RELATIONS[operator]}")]
        elif operator == "??":
            both = [self.add(left, "value before ?? ignored")]
        else:
            if node["type"][2:-1] in INTEGERS and node["type"] != "$sSdD":
                both = [self.add(whole, f"{operator} becomes {ARITHMETIC[operator]}")]
            elif operator == "+" and kinds == [node["type"]] * 2 and (
                    node["type"] == "$sSSD" or node["type"].startswith("$sSay")):
                both = [self.add(right, "operand of + left out")]
            else:
                return
        numbers = "".join(f"<{m}>, " for m in both)
        self.wrap(whole, "binary", f"_mutant_{CALLS[operator]}({numbers}", ")", both,
                  (left[1] + between.index(operator), len(operator)))

    def negate(self, node, what="condition negated"):
        if node.get("type") != BOOL or node["_kind"] == "boolean_literal_expr":
            return
        span = self.span(node)
        if span and self.source(span).startswith(("switch ", "if ")):
            return
        # A relation == is negated by its own mutant.
        if span and not (*span, "binary") in self.edits:
            if node["_kind"] == "binary_expr":
                self.on_binary_expr(node)
            edit = self.edits.get((*span, "binary"))
            if edit and edit[0].startswith("_mutantNot"):
                return
        self.call(span, "negate", "_mutantNot", what)

    def conditions(self, node):
        for condition in node.get("conditions", []):
            if condition.get("type") == BOOL:
                self.negate(condition)
                if len(node["conditions"]) > 1:
                    self.call(self.span(condition), "left out", "_mutantTrue", "condition left out")
            for key, child in children(condition):
                # `if let name` has no value of its own.
                span = self.span(child) if key == "initializer" else None
                if span and not re.search(r"\b(let|var)\s+$", self.text.latin[:span[0]][-12:]):
                    self.nothing(child, "value of a condition becomes nil")

    def on_if_stmt(self, node):
        self.conditions(node)

    on_guard_stmt = on_while_stmt = on_if_stmt

    def on_ternary_expr(self, node):
        self.negate(node["cond_expr"])

    def on_for_each_stmt(self, node):
        if "where" in node:
            self.negate(node["where"])
        if "where_expr" in node:
            self.negate(node["where_expr"])

    def on_case_label_item(self, node):
        if "guard_expr" in node:
            self.negate(node["guard_expr"])
        if "where_expr" in node:
            self.negate(node["where_expr"])

    def nothing(self, node, what):
        """nil, [] or "" instead of a value."""
        kind = node.get("type", "")
        span = self.span(node)
        if not span or self.source(span) in ("nil", "[]", '""', "[:]") or self.source(span).startswith(
                ("switch ", "if ")):
            return
        if kind.endswith("SgD"):
            self.call(span, "nothing", "_mutantNil", what)
        elif kind.startswith("$sSay") and kind.endswith("GD"):
            self.call(span, "nothing", "_mutantEmpty", what.replace("nil", "[]"))
        elif kind == "$sSSD":
            self.call(span, "nothing", "_mutantEmpty", what.replace("nil", "empty"))

    def on_return_stmt(self, node):
        if "result" in node:
            self.negate(node["result"], "result negated")
            self.nothing(node["result"], "result becomes nil")

    def on_then_stmt(self, node):
        self.on_return_stmt(node)

    def on_closure_expr(self, node):
        body = node.get("body", {}).get("elements", [])
        if node.get("single_expression") and len(body) == 1 and body[0].get("_kind") == "return_stmt":
            self.on_return_stmt(body[0])

    def on_switch_stmt(self, node):
        """The body of another case, where a case is one value and binds nothing."""
        bodies = []
        for case in node.get("cases", []):
            elements = case.get("body", {}).get("elements", [])
            if len(elements) != 1 or elements[0].get("_kind") not in ("then_stmt", "return_stmt"):
                bodies.append(None)
                continue
            result = elements[0].get("result")
            if result and result.get("type") == VOID:
                result = None
            bodies.append(result and self.span(result))
        for index, (case, own) in enumerate(zip(node.get("cases", []), bodies)):
            if not own or self.source(own).startswith(("switch", "if ")):
                continue
            if not self.once(own, "body") or self.is_case(case):
                continue
            for step in range(1, len(bodies)):
                at = (index + step) % len(bodies)
                other = bodies[at]
                if not other or self.source(other) == self.source(own) or self.binds(node["cases"][at]):
                    continue
                if "\n" in self.source(other) or "//" in self.source(other):
                    continue
                mutant = self.add(own, f"body becomes {' '.join(self.source(other).split())}")
                self.wrap(own, "body", f"(_mutant(<{mutant}>) ? {self.source(other)} : ", ")", [mutant])
                break

    def is_case(self, case):
        """The body is a case of an enumeration: that is mutated as one."""
        result = case["body"]["elements"][0]["result"]
        while result.get("_kind") in ("inject_into_optional",):
            result = result["sub_expr"]
        return (result.get("_kind") == "dot_syntax_call_expr"
                and result["fn"].get("decl", {}).get("decl_usr") in self.enumerations
                or result.get("_kind") == "boolean_literal_expr")

    def binds(self, case):
        found = False

        def look(node):
            nonlocal found
            found = found or node.get("_kind") == "pattern_named"
            for _, child in children(node):
                look(child)
        for item in case.get("case_label_items", []):
            look(item)
        return found

    def on_brace_stmt(self, node):
        for element in node.get("elements", []):
            if is_implicit(element) or "range" not in element:
                continue
            inner = element
            while inner.get("_kind") in ("try_expr", "await_expr", "unsafe_expr", "paren_expr", "optional_try_expr",
                                         "optional_evaluation_expr", "inject_into_optional"):
                inner = inner["sub_expr"]
            kind = inner.get("_kind")
            if kind == "assign_expr":
                # Every property has to be set.
                if self.in_initializer:
                    continue
            elif not (kind in ("call_expr", "binary_expr") and inner.get("type") == VOID):
                continue
            span = self.span(element)
            if re.match(r"(try\s+)?(self|super)\.init\b", self.source(span)):
                continue
            if self.once(span, "statement"):
                mutant = self.add(span, "statement left out")
                self.wrap(span, "statement", f"if !_mutant(<{mutant}>) {{ ", " }", [mutant])

    def written(self, dropped, first):
        """The mutated text, its mutants as (number, span, …), and where in the text each stands."""
        numbers, kept = {}, []
        for index, mutant in enumerate(self.mutants):
            if (self.name, index) not in dropped:
                numbers[index] = first + len(kept)
                kept.append((index, mutant))
        inserts = collections.defaultdict(lambda: ([], []))
        replaced = {}
        for (begin, end, kind), (prefix, suffix, operator, mutants) in self.edits.items():
            if all(m not in numbers for m in mutants):
                continue
            for m in mutants:
                prefix = prefix.replace(f"<{m}>", str(numbers.get(m, 0)))
            order = {"statement": 0, "left out": 1, "body": 2, "nothing": 3, "negate": 4, "binary": 5, "case": 6,
                     "literal": 7}[kind]
            live = [m for m in mutants if m in numbers]
            inserts[begin][1].append((-end, order, prefix, live))
            inserts[end][0].append((-begin, -order, suffix, live))
            if operator:
                replaced[operator[0]] = operator[1]
        out, at, size, where = [], 0, 0, {}

        def put(piece):
            nonlocal size
            out.append(piece)
            size += len(piece)
        text = self.text.latin
        for offset in sorted(set(inserts) | set(replaced)):
            put(text[at:offset])
            at = offset
            for _, _, suffix, live in sorted(inserts[offset][0], key=lambda i: i[:2]) if offset in inserts else []:
                put(suffix)
                for m in live:
                    where[m] = (where[m][0], size)
            for _, _, prefix, live in sorted(inserts[offset][1], key=lambda i: i[:2]) if offset in inserts else []:
                for m in live:
                    where[m] = (size, None)
                put(prefix)
            if offset in replaced:
                put(",")
                at += replaced[offset]
        put(text[at:])
        return "".join(out), kept, where


class Module:
    def __init__(self, repository, out, package):
        self.repository, self.out, self.package = repository, out, package
        self.sources = sorted((repository / "Sources/EMVKit").rglob("*.swift"))
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.flags = ["-module-name", "EMVKit", "-swift-version", "6", "-package-name", package, "-D", "DEBUG",
                      "-I", str(repository / "Sources/CEMV/include"), "-I", str(out / "Sources/MutantSwitch/include"),
                      "-module-cache-path", str(out / "module-cache"),
                      "-plugin-path", str(toolchain / "lib/swift/host/plugins")]

    def name(self, path):
        return str(path.relative_to(self.repository / "Sources/EMVKit"))

    def in_scope(self, path):
        name = self.name(path)
        return name.startswith(SCOPE) and not name.startswith(OUT_OF_SCOPE)

    def trees(self):
        folder = self.out / "trees"
        folder.mkdir(parents=True, exist_ok=True)
        asked = []
        for number, path in enumerate(self.sources):
            asked += ["-primary-file", str(path), "-o", f"{folder}/{number}.json"]
        run = subprocess.run(["swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", *asked, *self.flags],
                             capture_output=True, text=True)
        if run.returncode or " error: " in run.stderr:
            sys.exit(f"the compiler gives no tree: {run.stderr[:600]}")
        return {path: json.loads((folder / f"{number}.json").read_text()) for number, path in enumerate(self.sources)
                if not self.name(path).startswith(OUT_OF_SCOPE)}

    @staticmethod
    def elements(trees):
        found = {}

        def look(node):
            if node.get("_kind", "").endswith(("_stmt", "_expr")):
                return
            if node.get("_kind") == "enum_decl":
                members = [m for m in node.get("members", []) if m.get("_kind") == "enum_element_decl"]
                plain = [m["name"]["base_name"]["name"] for m in members if "params" not in m]
                kind = node.get("interface_type", "").removesuffix("mD") + "D"
                for member in members:
                    if "params" not in member:
                        found[member["usr"]] = (kind, plain)
            for _, child in children(node):
                look(child)
        for tree in trees.values():
            look(tree)
        return found

    @staticmethod
    def demangled(kinds):
        kinds = sorted(kinds)
        run = subprocess.run(["swift", "demangle", "--compact"], input="\n".join(kinds), capture_output=True, text=True)
        names = {}
        for kind, line in zip(kinds, run.stdout.split("\n")):
            line = re.sub(r"\((\w+) in _[0-9A-F]+\)", r"\1", line)
            if re.fullmatch(r"[\w.]+", line):
                names[kind] = line
        return names

    def write(self):
        trees = self.trees()
        enumerations = self.elements(trees)
        typed = self.demangled({kind for kind, _ in enumerations.values()})
        mutators = {}
        for path, tree in trees.items():
            if self.in_scope(path):
                mutators[path] = mutator = Mutator(Text(path), self.name(path), enumerations, typed)
                mutator.visit(tree)
        for path in self.sources:
            if path not in mutators:
                self.put(path, self.name(path))
        self.put(pathlib.Path(__file__).parent / "Mutants.swift", "Mutants.swift")
        names = {self.name(path) for path in self.sources} | {"Mutants.swift"}
        for path in (self.out / "Sources/EMVKit").rglob("*.swift"):
            if str(path.relative_to(self.out / "Sources/EMVKit")) not in names:
                path.unlink()
        dropped = set()
        for turn in range(40):
            wheres, listed, first = {}, [], 1
            for path, mutator in mutators.items():
                text, kept, where = mutator.written(dropped, first)
                target = self.out / "Sources/EMVKit" / self.name(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text.encode("latin-1"))
                wheres[str(target)] = (mutator, text, where)
                listed += [(mutator, m) for _, m in kept]
                first += len(kept)
            refused = self.refused(wheres, dropped)
            if not refused:
                self.list(listed, len(dropped))
                return
            print(f"round {turn + 1}: the compiler refuses {len(refused)} mutants", flush=True)
            dropped |= refused
        sys.exit("the mutated module does not compile")

    def put(self, path, name):
        target = self.out / "Sources/EMVKit" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())

    def refused(self, wheres, dropped):
        files = [str(s) for s in sorted((self.out / "Sources/EMVKit").rglob("*.swift"))]
        run = subprocess.run(["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", *self.flags, *files],
                             capture_output=True, text=True)
        refused = set()
        errors = [m for m in re.finditer(r"^(\S+\.swift):(\d+):(\d+): error: (.*)$", run.stderr, re.M)]
        for error in errors:
            path, line, column, message = error.groups()
            if path not in wheres:
                sys.exit(error[0])
            mutator, text, where = wheres[path]
            lines = text.split("\n")
            offset = sum(len(l) + 1 for l in lines[:int(line) - 1]) + int(column) - 1
            inside = [(end - begin, m) for m, (begin, end) in where.items() if begin <= offset <= end]
            shortest = min((size for size, _ in inside), default=None)
            found = {m for size, m in inside if size == shortest}
            if not found:
                start, stop = offset - int(column) + 1, offset - int(column) + 1 + len(lines[int(line) - 1])
                found = {m for m, (begin, end) in where.items() if begin < stop and end > start}
            name = re.search(r"'(?:self\.)?(\w+)'.*(before being initialized|used before)", message)
            if name:
                found |= {m for m, _ in where.items() if mutator.mutants[m][4] == "statement left out"
                          and re.match(rf"(self\.)?{name[1]}\b", mutator.source(mutator.mutants[m][0]))}
            if not found:
                # What a mutant did to a type shows at the next use: the nearest one before.
                before = [(offset - end, m) for m, (begin, end) in where.items() if end <= offset]
                if not before:
                    sys.exit(f"{error[0]}: no mutant stands there")
                found = {min(before)[1]}
            refused |= {(mutator.name, m) for m in found}
            (self.out / "refused.txt").open("a").write(f"{error[0]}\n")
        if run.returncode and not errors:
            sys.exit(run.stderr[-2000:])
        return refused

    def list(self, listed, dropped):
        seen = collections.Counter()
        with open(self.out / "mutants.txt", "w") as file:
            for number, (mutator, (span, function, body, around, what)) in enumerate(listed, 1):
                text = mutator.text.latin
                line = text[:span[0]].count("\n") + 1
                column = span[0] - text.rfind("\n", 0, span[0])
                if body is None:
                    body = exceptions.Body(text, *around)
                key = (mutator.name, around, what)
                seen[key] += 1
                if seen[key] > 1:
                    what = f"{what} #{seen[key]}"
                row = (number, f"{mutator.name}:{line}:{column}", function, body.text(*around), what,
                       body.shape(*span))
                row = "\t".join(str(f).replace("\t", " ").replace("\n", " ") for f in row)
                file.write(row.encode("latin-1").decode("utf-8", "replace") + "\n")
        (self.out / "dropped.txt").write_text(f"{dropped}\n")
        print(f"{len(listed)} mutants; {dropped} more that the compiler refuses are left out")


if __name__ == "__main__":
    Module(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]).write()
