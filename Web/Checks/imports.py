#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a module takes from its host: random numbers, and nothing else. Usage: imports.py MODULE.wasm"""

import pathlib
import sys


def number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def text(data: bytes, at: int) -> tuple[str, int]:
    size, at = number(data, at)
    return data[at : at + size].decode(), at + size


def imports(data: bytes) -> list[str]:
    """Module and name of each import (WebAssembly Core 5.5.5), with its kind."""
    assert data[:8] == b"\0asm\1\0\0\0", "not a WebAssembly module"
    found, at = [], 8
    while at < len(data):
        section = data[at]
        size, at = number(data, at + 1)
        if section == 2:
            count, here = number(data, at)
            for _ in range(count):
                module, here = text(data, here)
                name, here = text(data, here)
                kind = data[here]
                # Only functions have one number behind their kind; another kind ends the list with itself.
                _, here = number(data, here + 1)
                found.append(f"{module}.{name} (kind {kind})")
                if kind != 0:
                    break
        at += size
    return found


def main() -> None:
    found = imports(pathlib.Path(sys.argv[1]).read_bytes())
    if found != ["page.random (kind 0)"]:
        sys.exit(f"{sys.argv[1]}: expected one import, page.random, found {', '.join(found) or 'none'}")
    print("the module imports random numbers and nothing else")


main()
