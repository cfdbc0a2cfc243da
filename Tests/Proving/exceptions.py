# SPDX-License-Identifier: Apache-2.0
"""Lists of places in CEMV, each with a reason: Tests/Proving/untaken.txt and Tests/Mutation/survivors.txt.

A row is `FILE | FUNCTION | TEXT: WHAT | REASON`: TEXT is the source text of an expression or line, WHAT is what is said
about it. The last bar ends the key of the row; the REASON may be empty. When a name in the text changes, change it in
the row too."""
import re

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def key(path, function, text, what):
    words = " ".join(COMMENT.sub(" ", text).split())
    return f"{path.removeprefix('Sources/CEMV/')} | {function} | {words}: {what}"


def read(path):
    """Returns {key: reason} of a list. Lines that begin with # are comments."""
    rows = {}
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            row, _, reason = line.rpartition(" |")
            rows[row] = reason.strip()
    return rows
