#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Scripts/web compiles anew, in a copy of the sources with a compiler that only writes down what it is asked for:
nothing the second time; all after a changed C header or with another compiler; a module and those behind it after a
changed, a new or a deleted source. --again tells two builds apart that hold their folders. Without Embedded Swift for
WebAssembly a build fails and a check is skipped.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["EMVKit", "EMVDecoder", "EMVFormats", "EMVTripleDES", "EMVSimulator", "EMVPage"]
# Writes every file that a compiler or a linker would, and the names of modules into a log.
TOOL = """#!/usr/bin/env bash
folder=$(dirname "$0")
while [ $# -gt 0 ]; do
    case $1 in
    --version) cat "$folder/version"; exit ;;
    -module-name) [ "$2" = Probe ] || echo "$2" >>"$folder/log"; [ ! -e "$folder/no-wasm" ] || exit 1; shift ;;
    -o | -emit-module-path) echo "made $([ ! -e "$folder/leaks" ] || pwd)" >"$2"; shift ;;
    esac
    shift
done
"""


class Copy:
    def __init__(self, folder: pathlib.Path) -> None:
        self.sources, self.tools = folder / "sources", folder / "tools"
        for name in ("Scripts", "Sources", "Web"):
            shutil.copytree(ROOT / name, self.sources / name, ignore=shutil.ignore_patterns("emv.*"))
        self.tools.mkdir()
        (self.tools / "version").write_text("compiler 1\n")
        for name in ("swiftc", "clang", "wasm-ld"):
            (self.tools / name).write_text(TOOL)
            (self.tools / name).chmod(0o755)

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        environment = dict(os.environ, SWIFTC=str(self.tools / "swiftc"))
        environment.pop("CI", None)
        return subprocess.run(
            [self.sources / "Scripts/web", *arguments], capture_output=True, text=True, check=False, env=environment
        )

    def compiled(self) -> list[str]:
        """Modules that a build compiles."""
        log = self.tools / "log"
        log.write_text("")
        run = self.run()
        if run.returncode != 0:
            sys.exit(f"a build ended with {run.returncode}: {run.stderr[-2000:]}")
        return log.read_text().split()


def main() -> None:
    bad = []

    def expect(what: str, seen: object, expected: object) -> None:
        if seen != expected:
            bad.append(f"{what}: expected {expected}, saw {seen}")

    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(pathlib.Path(folder))
        sources = copy.sources / "Sources"
        expect("first build", copy.compiled(), MODULES)
        expect("second build", copy.compiled(), [])
        header = sources / "CEMV/include/cemv_session.h"
        header.write_text(header.read_text() + "/* changed */\n")
        expect("a changed header", copy.compiled(), MODULES)
        # As a copy of an older version has it: changed, and no later than what was compiled.
        source = sources / "EMVFormats/TraceReplay.swift"
        times = source.stat().st_atime, source.stat().st_mtime
        source.write_text(source.read_text() + "// changed\n")
        os.utime(source, times)
        expect("a changed source of an older time", copy.compiled(), MODULES[2:])
        added = sources / "EMVPage/Added.swift"
        added.write_text("// SPDX-License-Identifier: Apache-2.0\n")
        expect("a new source", copy.compiled(), MODULES[5:])
        added.unlink()
        expect("a deleted source", copy.compiled(), MODULES[5:])
        (copy.tools / "version").write_text("compiler 2\n")
        expect("another compiler", copy.compiled(), MODULES)
        expect("and once more", copy.compiled(), [])
        page = copy.sources / "Web/emv.html"
        expect("a build writes the page", page.exists(), True)
        # A second build elsewhere has the same bytes, unless the folder stands in them.
        expect("two builds in two folders", copy.run("--again").returncode, 0)
        (copy.tools / "leaks").touch()
        run = copy.run("--again")
        expect("two builds that hold their folders", run.returncode, 1)
        expect("they are told apart", "two builds of the same sources differ" in run.stderr, True)
        (copy.tools / "leaks").unlink()
        page.unlink()
        (copy.tools / "no-wasm").touch()
        for mode, status in ((), 1), (("--compare", "1"), 1), (("--check",), 0):
            run = copy.run(*mode)
            name = " ".join(("Scripts/web", *mode)) + " without WebAssembly"
            expect(name, run.returncode, status)
            expect(f"{name}: skipped", run.stdout.startswith("skipped: web"), mode == ("--check",))
        expect("the page without WebAssembly", page.exists(), False)
    if bad:
        sys.exit("\n".join(bad))
    print("what Scripts/web compiles anew: headers, sources, deleted ones, the compiler")


main()
