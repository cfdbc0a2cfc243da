#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Schemas against the C reader.

    schemas.py CORPUS DATA COUNT SEED      CORPUS: the runner; DATA: the directory that Scripts/independent prints.
                                           Exit 1 if a trace of Tests/Independent or DATA is not valid, or if schema
                                           and reader disagree on one of COUNT damaged traces

What no schema can say is not compared: configurations that are refused for their meaning. The reader alone is asked
(corpus --read)."""
import copy
import json
import pathlib
import random
import subprocess
import sys

import jsonschema

corpus, data, count, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
schema = json.load(open("Schemas/emv-trace-1.schema.json"))
for path in pathlib.Path("Schemas").glob("*.json"):
    jsonschema.Draft202012Validator.check_schema(json.load(open(path)))
validator = jsonschema.Draft202012Validator(schema)
configurations = jsonschema.Draft202012Validator(json.load(open("Schemas/emv-configuration-1.schema.json")))
independent = pathlib.Path("Tests/Independent")
named = []
for path in sorted(independent.glob("*.taps")) + sorted(data.glob("*.taps")):
    named += [(f"{path}:{number}", json.loads(line)) for number, line in enumerate(open(path), 1)]
traces = [trace for _, trace in named]
bad = [name for name, trace in named if not validator.is_valid(trace)]
bad += [f"{name}: configuration" for name, trace in named
        if not configurations.is_valid({"format": "emv-configuration/1"} | trace["configuration"])]
print("\n".join(bad), end="\n" if bad else "")

chance = random.Random(seed)
VALUES = [None, True, False, 0, -1, 1, 255, 256, 1.5, 10**12, "", "0", "00", "GG", "0000", "00" * 20, "emv-trace/1",
          "x", [], ["00"], {}, {"9F02": "00"}, {"x": 1}, "2026-11-21", "12:00:00", "captured", "null",
          ["contact"], "2200", "auto", "10", 60, 4, 7]
NAMES = ["x", "9F02", "tap", "c", "r", "amount", "data", "online", "sale", "pin", "kernel", "kernelId", "profile",
         "receipt", "9F", "", "format", "ttq", "kernel4", "kernel5", "kernel6", "kernel7", "kernel8", "cvm",
         "sets", "target", "tacDenial", "mode", "otherInterfaces", "suite", "usageControl", "terminalFloor"]


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*path, index))


def damaged(trace):
    trace = copy.deepcopy(trace)
    for key in trace["configuration"].get("caKeys", [])[1:]:
        trace["configuration"]["caKeys"].remove(key)
    for _ in range(chance.randint(1, 2)):
        path = chance.choice(list(places(trace)))
        if not path:
            continue
        parent = trace
        for step in path[:-1]:
            parent = parent[step]
        kind = chance.randrange(4)
        if kind == 0:
            del parent[path[-1]]
        elif kind == 1 and isinstance(parent[path[-1]], dict):
            parent[path[-1]][chance.choice(NAMES)] = chance.choice(VALUES)
        elif kind == 2 and isinstance(parent[path[-1]], str) and parent[path[-1]]:
            text = parent[path[-1]]
            at = chance.randrange(len(text))
            parent[path[-1]] = text[:at] + chance.choice(["", "0", "F", "g", " "]) + text[at + 1:]
        else:
            parent[path[-1]] = chance.choice(VALUES)
    return trace


disagreements = accepted = 0
for number in range(count):
    trace = damaged(chance.choice(traces))
    read = subprocess.run([corpus, "--read"], input=json.dumps(trace), capture_output=True, text=True)
    valid = validator.is_valid(trace)
    accepted += valid
    if valid != (read.returncode == 0):
        disagreements += 1
        if disagreements <= 10:
            why = next(iter(validator.iter_errors(trace)), None)
            print(f"damaged trace {number}: the schema {'takes' if valid else 'refuses'} it, the reader does not agree:"
                  f" {read.stderr.strip()[:200]}"
                  + (f" (schema: {list(why.absolute_path)})" if why else ""))
print(f"schemas: {len(traces)} traces, {len(bad)} not valid; {count} damaged ones, {accepted} taken,"
      f" {disagreements} disagreements (seed {seed})")
sys.exit(1 if bad or disagreements else 0)
