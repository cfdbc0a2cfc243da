#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The public interface as sorted lines of text (Scripts/api).

    api.py GRAPHS HEADERS OUT MODULE…   GRAPHS: symbol graphs; HEADERS: the C headers; OUT: where the files go"""
import json
import pathlib
import re
import sys

# What every type has, or its declaration says.
IMPLIED = ("Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable")
graphs, headers, out = (pathlib.Path(path) for path in sys.argv[1:4])


def swift(module):
    """One line for each symbol: its path and its declaration; and one for each conformance."""
    lines = set()
    for path in graphs.glob(f"{module}*.symbols.json"):
        if path.name != f"{module}.symbols.json" and not path.name.startswith(f"{module}@"):
            continue
        graph = json.loads(path.read_text(encoding="utf-8"))
        names = {}
        for symbol in graph["symbols"]:
            name = names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
            text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
            lines.add(f"{name}: {' '.join(text.split())}")
        for relation in graph["relationships"]:
            implied = relation.get("targetFallback") in IMPLIED
            if relation["kind"] == "conformsTo" and relation["source"] in names and not implied:
                other = names.get(relation["target"]) or relation.get("targetFallback", relation["target"])
                lines.add(f"{names[relation['source']]}: conforms to {other}")
    return sorted(lines)


def declarations(text):
    """What stands outside of braces, up to its semicolon or body; preprocessor lines by themselves."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text).replace("\\\n", " ")
    rest = []
    for line in text.split("\n"):
        if match := re.match(r"\s*#\s*define\s+(.*)", line):
            yield "#define " + " ".join(match.group(1).split())
        elif not line.lstrip().startswith("#"):
            rest.append(line)
    depth, current = 0, ""
    for character in "\n".join(rest).replace('extern "C" {', " "):
        if character == "}" and depth == 0:
            continue
        depth += (character == "{") - (character == "}")
        current += character
        is_body = character == "}" and depth == 0 and re.match(r"\s*static inline", current)
        if (character == ";" and depth == 0) or is_body:
            line = " ".join(current.split())
            yield re.sub(r"\s*\{.*\}$", ";", line) if is_body else line
            current = ""


for module in sys.argv[4:]:
    (out / f"{module}.txt").write_text("\n".join(swift(module)) + "\n", encoding="utf-8")
lines = []
for header in sorted(headers.glob("*.h")):
    lines += [f"{header.name}: {line}" for line in declarations(header.read_text(encoding="utf-8"))]
(out / "cemv.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
