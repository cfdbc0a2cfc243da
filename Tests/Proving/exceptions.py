# SPDX-License-Identifier: Apache-2.0
"""Lists of exceptions, each with its reason, that survive a rename: of a file, a function, a variable, a type; a move;
a new format of the source.

A row names its place twice. In words: file, function and the text of the expression or condition, blanks and comments
left out. And by shape: what the function reads when every name in it is a placeholder, hashed, with the numbers of its
tokens at which the place begins and ends. A row belongs to the place that has its shape, or else to the one that has
its words; a row to which neither belongs fails the run. `rekey` writes both anew, so that a rename is followed by one
call and not by the loss of a hundred reasons.

A line is `FILE | FUNCTION | TEXT | WHAT | SHAPE | why`; the text may hold bars."""
import collections
import re
import sys
import zlib

TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|0[xX][0-9A-Fa-f]+\w*|\d[\w.]*
    |<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|\S""", re.S | re.X)
KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int
    long register return short signed sizeof static struct switch typedef union unsigned void volatile while bool true
    false NULL""".split())

# What ends with a bar, or holds one between blanks.
BARRED = re.compile(r"(.+?) \| (.+?) \| (.+) \| (\S+ becomes \|(?: #\d+)?|operand of \| left out(?: #\d+)?) \| (\S+)"
                    r" \| (.+)")

Place = collections.namedtuple("Place", "file function text what shape")


def tokens(text, begin=0, end=None):
    """(offset, token) of the C tokens of a text's part; comments left out."""
    return [(m.start(), m[0]) for m in TOKEN.finditer(text, begin, len(text) if end is None else end)
            if not m[0].startswith(("/*", "//"))]


class Body:
    """A function's body, as the shape of places in it is reckoned."""

    def __init__(self, text, begin, end):
        self.tokens = tokens(text, begin, end)
        is_name = re.compile(r"[A-Za-z_]")
        shape = " ".join("i" if is_name.match(t) and t not in KEYWORDS else t for _, t in self.tokens)
        self.hash = f"{zlib.crc32(shape.encode()):08X}"
        self.offsets = [offset for offset, _ in self.tokens]

    def shape(self, begin, end):
        """HASH.FIRST.LAST: the tokens from `begin` up to `end`."""
        inside = [number for number, offset in enumerate(self.offsets) if begin <= offset < end]
        return f"{self.hash}.{inside[0]}.{inside[-1]}" if inside else f"{self.hash}.-.-"

    def count(self, begin, end):
        return sum(begin <= offset < end for offset in self.offsets)

    def text(self, begin, end):
        return " ".join(token for offset, token in self.tokens if begin <= offset < end)


class Row:
    def __init__(self, path, number, fields):
        self.path, self.number = path, number
        *self.place, self.why = fields
        self.place = Place(*self.place)
        self.taken = False


def read(path):
    rows = []
    for number, line in enumerate(open(path), 1):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        barred = BARRED.fullmatch(line)
        fields = list(barred.groups()) if barred else line.split(" | ")
        if len(fields) < 6:
            sys.exit(f"{path}:{number}: expected FILE | FUNCTION | TEXT | WHAT | SHAPE | why")
        fields = [*fields[:2], " | ".join(fields[2:-3]), *fields[-3:]]
        if not fields[-1].strip():
            sys.exit(f"{path}:{number}: no reason")
        rows.append(Row(path, number, [field.strip() for field in fields]))
    return rows


def match(rows, places):
    """{place: row}, and what is wrong with the rows. The shape decides first, then the words; among several the one in
    the same function and file."""
    found, wrong = {}, []
    free = set(places)
    for by in ("shape", "words"):
        index = collections.defaultdict(list)
        for place in places:
            index[(place.shape, place.what) if by == "shape" else (place.text, place.what)].append(place)
        for row in rows:
            if row.taken:
                continue
            candidates = [p for p in index[(row.place.shape, row.place.what) if by == "shape"
                                           else (row.place.text, row.place.what)] if p in free]
            for narrower in (lambda p: p.text == row.place.text, lambda p: p.function == row.place.function,
                             lambda p: p.file == row.place.file):
                candidates = [p for p in candidates if narrower(p)] or candidates
            # Words alone must name the function too, or be the only ones of their kind.
            if by == "words" and candidates and len(candidates) > 1 and candidates[0].function != row.place.function:
                candidates = []
            if candidates:
                found[candidates[0]] = row
                free.discard(candidates[0])
                row.taken = True
    wrong += [f"{row.path}:{row.number}: names nothing that is there" for row in rows if not row.taken]
    return found, wrong


def rekey(path, found):
    """Writes the rows' places as they are now; comments and order stay."""
    places = {row.number: place for place, row in found.items()}
    lines = open(path).read().split("\n")
    for row in found.values():
        lines[row.number - 1] = " | ".join((*places[row.number], row.why))
    open(path, "w").write("\n".join(lines))
