#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a page of emv-bench --html in a headless Chromium, and in Firefox where there is one, as wide as a desk, a
tablet and a phone: nothing leaves the page or its own box, no texts overlap, every scenario has its timeline, budgets
and histogram with something in them, every link leads somewhere, nothing is fetched, and the console is empty. With the
JSON of the same run, every figure of the page is the run's.

    report.py FILE [--json RUN] [--picture PNG]      PNG: the page as a desk shows it

Exit status: 0 well, 1 something is wrong with the page, 2 a mistake in the call, 77 no browser that works here (Debian:
chromium).
"""

import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
from browser import Chromium, Failed, Unusable, browsers  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = open(os.path.join(HERE, "report.js"), encoding="utf-8").read().rstrip()
WIDTHS = (1280, 800, 390)


def check(browser, file, run, picture):
    """What is wrong with the page in one browser, and the counts of what was checked."""
    found, counts = [], None
    page = browser.page("file://" + os.path.abspath(file))
    page.wait("document.readyState === 'complete' && document.body?.childElementCount > 0", "the page")
    for width in WIDTHS:
        page.size(width)
        seen = page.run(f"{CHECKS}({json.dumps(run)})")
        found += [f"at {width}: {one}" for one in seen["found"]]
        counts = seen
    found += [f"the browser complains: {one}" for one in page.complaints()]
    if picture:
        page.size(WIDTHS[0])
        page.picture(picture, 2600)
    page.close()
    return found, counts


def main():
    parser = argparse.ArgumentParser(usage="report.py FILE [--json RUN] [--picture PNG]")
    parser.add_argument("file")
    parser.add_argument("--json")
    parser.add_argument("--picture")
    call = parser.parse_args()
    for path in filter(None, (call.file, call.json)):
        if not os.path.isfile(path):
            print(f"{path}: no such file", file=sys.stderr)
            return 2
    run = None
    if call.json:
        with open(call.json, encoding="utf-8") as file:
            run = json.load(file)
    status = 0
    try:
        for browser in browsers():
            picture = call.picture if isinstance(browser, Chromium) else None
            try:
                found, counts = check(browser, call.file, run, picture)
            except Failed as problem:
                found, counts = [str(problem)], None
            for line in found[:40]:
                print(f"page: {call.file}, {browser.version}: {line}", file=sys.stderr)
            if found:
                status = 1
                continue
            figures = f", {counts['compared']} figures as in the run" if run else ""
            print(f"page: {counts['scenarios']} scenarios{figures} at {len(WIDTHS)} widths in {browser.version}")
    except Unusable as problem:
        print(f"page: not looked at, {problem}", file=sys.stderr)
        return 77
    return status


if __name__ == "__main__":
    sys.exit(main())
