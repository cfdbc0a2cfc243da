"""Lists of what may stay as it is: `FIELD | … | why`, a line each; the first field and the last ones hold no bar, the second may."""
import sys


def read(path, fields):
    """The fields of every line, the reason left out: a line without one ends the program."""
    for number, line in enumerate(open(path), 1):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        first, rest = line.split(" | ", 1)
        *others, why = rest.rsplit(" | ", fields - 2)
        if not why.strip():
            sys.exit(f"{path}:{number}: no reason")
        yield number, [field.strip() for field in (first, *others)]
