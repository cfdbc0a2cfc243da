#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages that a commit of the journal writes over a year, in the design of JournalStore (front) and in others: what was
tried for row L12 of CONFORMANCE.md. It plays the statements of a payment of four commits with random keys and sale
references, 300 payments a day, forgets what is older than 180 days, and counts the frames in the write-ahead log.

    designs.py [--days N] [DESIGN…]     a design is a list of changes to the schema, joined by commas; without: all

    base        schema 1: 4 KiB pages, the map pages of auto_vacuum, an index on the key's text
    front       schema 2: a payment is written to a small table without an index, and moved to those of schema 1 later
    hash        finds payments by 16 bits of a hash of key and sale, so that the index stays small
    late        as hash, and the index is written later, when no payment waits; what it lacks is kept in memory
    plain       no auto_vacuum: no map pages, and room is never given back
    8k, 16k     larger pages
    lean        no index on closed payments, no AUTOINCREMENT
    append      the index of a payment's events as a table that grows at its end
    list        the payment's row lists its events
"""
import argparse
import collections
import hashlib
import os
import random
import sqlite3
import struct
import tempfile

ALL = ["base", "16k", "plain", "late,lean,list", "8k,late,lean,list", "16k,late,lean,list", "plain,late,lean,list",
       "front"]
DAY, EVENTS, RECENT = 86_400_000, 7, 1000


class Journal:
    def __init__(self, path, design, days):
        self.path, self.design, self.random, self.keep = path, design, random.Random(5), days * 180 // 365 * DAY
        self.late, self.recent, self.tap = [], {}, 0
        self.page = 16384 if "16k" in design else 8192 if "8k" in design else 4096
        self.run = sqlite3.connect(path, isolation_level=None, cached_statements=200).execute
        self.number = self.time = 0
        self.schema()
        self.index = open(path + "-shm", "rb", buffering=0)
        self.frames, self.sizes = self.last_frame(), collections.Counter()

    def schema(self):
        d, run = self.design, self.run
        run(f"PRAGMA page_size = {self.page}")
        if "plain" not in d:
            run("PRAGMA auto_vacuum = INCREMENTAL")
        for setting in ("journal_mode = WAL", "synchronous = OFF", "secure_delete = ON"):
            run("PRAGMA " + setting)
        run(f"""CREATE TABLE taps (id INTEGER PRIMARY KEY {'' if 'lean' in d else 'AUTOINCREMENT'},
            key TEXT NOT NULL {'' if d & {'hash', 'late'} else 'UNIQUE'}, sale TEXT, isOpen INTEGER NOT NULL,
            hasCard INTEGER NOT NULL, changed INTEGER NOT NULL, keyHash INTEGER, saleHash INTEGER, events BLOB)""")
        if "late" in d:
            run("CREATE TABLE found (hash INTEGER, tap INTEGER, PRIMARY KEY (hash, tap)) WITHOUT ROWID")
        elif "hash" in d:
            run("CREATE INDEX tapsOfKey ON taps (keyHash)")
            run("CREATE INDEX tapsOfSale ON taps (saleHash) WHERE sale IS NOT NULL")
        else:
            run("CREATE INDEX tapsOfSale ON taps (sale) WHERE sale IS NOT NULL")
        run("CREATE INDEX openTaps ON taps (id) WHERE isOpen")
        if "lean" not in d:
            run("CREATE INDEX closedTaps ON taps (changed) WHERE NOT isOpen")
        run("""CREATE TABLE events (number INTEGER PRIMARY KEY, tap INTEGER NOT NULL, run INTEGER NOT NULL,
            wall INTEGER NOT NULL, uptime INTEGER NOT NULL, elapsed INTEGER NOT NULL, body TEXT NOT NULL, payload TEXT,
            payloadDigest BLOB, fingerprint TEXT, fingerprintDigest BLOB, link BLOB NOT NULL)""")
        if "append" in d:
            run("CREATE TABLE eventsOfTap (id INTEGER PRIMARY KEY)")
        elif "list" not in d:
            run("CREATE INDEX eventsOfTap ON events (tap)")
        if "front" in d:
            run("""CREATE TABLE recentEvents (number INTEGER PRIMARY KEY, tap INTEGER NOT NULL, run INTEGER NOT NULL,
                wall INTEGER NOT NULL, uptime INTEGER NOT NULL, elapsed INTEGER NOT NULL, body TEXT NOT NULL,
                payload TEXT, payloadDigest BLOB, fingerprint TEXT, fingerprintDigest BLOB, link BLOB NOT NULL,
                key TEXT NOT NULL, sale TEXT, original TEXT)""")
            run("CREATE TABLE openPayments (tap INTEGER PRIMARY KEY, original TEXT)")
        run("CREATE TABLE spent (key BLOB PRIMARY KEY) WITHOUT ROWID")
        run("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")

    def last_frame(self):
        return struct.unpack("<I", os.pread(self.index.fileno(), 4, 16))[0]

    def event(self, tap, body, payload=None):
        self.number += 1
        digest, name = (self.random.randbytes(32), "card 1") if payload else (None, None)
        row = (self.number, tap, 1_700_000_000 + self.time // 1000, self.time, self.time, "b" * body, payload, digest,
               name, digest, self.random.randbytes(32))
        if "front" in self.design:
            key, sale = self.recent[tap]
            self.run("INSERT INTO recentEvents VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                     (*row, key, sale if body == 150 else None))
            return
        self.run("INSERT INTO events VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        if "append" in self.design:
            self.run("INSERT INTO eventsOfTap VALUES (?)", (tap << 32 | self.number,))
        if "list" in self.design:
            self.run("UPDATE taps SET events = coalesce(events, x'') || ? WHERE id = ?",
                     (struct.pack(">I", self.number), tap))

    def commit(self):
        self.run("COMMIT")
        last = self.last_frame()
        # The log begins again after a checkpoint.
        self.sizes[last - (self.frames if last > self.frames else 0)] += 1
        self.frames = last

    def begin(self, key, sale):
        """The first event's payment; returns its number."""
        run, d = self.run, self.design
        if "front" in d:
            self.tap += 1
            self.recent[self.tap] = (key, sale)
            run("INSERT INTO openPayments VALUES (?, NULL)", (self.tap,))
            return self.tap
        short = [struct.unpack(">h", hashlib.sha256(text.encode()).digest()[:2])[0] if d & {"hash", "late"} else None
                 for text in (key, sale)]
        tap = run("""INSERT INTO taps (key, sale, isOpen, hasCard, changed, keyHash, saleHash)
            VALUES (?, ?, 1, 0, ?, ?, ?)""", (key, sale, self.time, *short)).lastrowid
        self.late += [(value, tap) for value in short if "late" in d]
        return tap

    def change(self, tap, is_open):
        if "front" not in self.design:
            self.run("UPDATE taps SET isOpen = ?, hasCard = 1, changed = ? WHERE id = ?", (is_open, self.time, tap))
        elif not is_open:
            self.run("DELETE FROM openPayments WHERE tap = ?", (tap,))

    def pay(self):
        run = self.run
        self.time += 288_000
        key, sale = (f"{self.random.getrandbits(128):032X}" for _ in range(2))
        run("BEGIN IMMEDIATE")
        tap = self.begin(key, sale)
        self.event(tap, 150)
        run("INSERT OR REPLACE INTO facts VALUES ('counter', ?)", (str(tap),))
        self.commit()
        table = "recentEvents" if "front" in self.design else "events"
        for bodies in ((95, 60), (90,), (20, 15, 30)):
            run("BEGIN IMMEDIATE")
            self.change(tap, len(bodies) < 3)
            for body in bodies:
                self.event(tap, body, "s" * 350 if body == 95 else None)
            if len(bodies) == 1:
                run("INSERT OR REPLACE INTO facts VALUES ('contact', ?)", ("c" * 150 + str(self.time),))
            if len(bodies) == 3:
                run(f"UPDATE {table} SET payload = NULL, fingerprint = NULL WHERE number = ?",
                    (self.number - EVENTS + 2,))
            self.commit()

    def move(self):
        """Returns whether anything was not among the last events any more."""
        run = self.run
        run("BEGIN IMMEDIATE")
        some = [tap for tap in list(self.recent)[:16] if tap * EVENTS <= self.number - RECENT]
        for tap in some:
            key, sale = self.recent.pop(tap)
            # Nobody else pays: its events follow one another.
            numbers = (tap * EVENTS - EVENTS + 1, tap * EVENTS)
            run("""INSERT INTO taps (id, key, sale, isOpen, hasCard, changed) SELECT ?, ?, ?, 0, 1, elapsed
                FROM recentEvents WHERE number = ?""", (tap, key, sale, tap * EVENTS))
            run("""INSERT INTO events SELECT number, tap, run, wall, uptime, elapsed, body, payload, payloadDigest,
                fingerprint, fingerprintDigest, link FROM recentEvents WHERE number BETWEEN ? AND ?""", numbers)
            run("DELETE FROM recentEvents WHERE number BETWEEN ? AND ?", numbers)
        run("COMMIT")
        return bool(some)

    def forget(self):
        """Returns whether anything was old enough."""
        run = self.run
        run("BEGIN IMMEDIATE")
        order = "id" if "lean" in self.design else "changed"
        old = run(f"""SELECT id, key FROM taps WHERE NOT isOpen AND changed <= ? ORDER BY {order} LIMIT 16""",
                  (self.time - self.keep,)).fetchall()
        for tap, key in old:
            # Nobody else pays: its events follow one another.
            last = tap * EVENTS
            run("DELETE FROM events WHERE number BETWEEN ? AND ?", (last - EVENTS + 1, last))
            if "append" in self.design:
                run("DELETE FROM eventsOfTap WHERE id BETWEEN ? AND ?", (tap << 32, (tap + 1 << 32) - 1))
            run("INSERT INTO spent VALUES (?)", (hashlib.sha256(key.encode()).digest()[:16],))
            if "late" in self.design:
                run("DELETE FROM found WHERE tap = ? AND hash IN (SELECT keyHash FROM taps WHERE id = ? UNION ALL "
                    "SELECT saleHash FROM taps WHERE id = ?)", (tap, tap, tap))
            run("DELETE FROM taps WHERE id = ?", (tap,))
        run("COMMIT")
        if old and "plain" not in self.design:
            run("PRAGMA incremental_vacuum(64)").fetchall()
        return bool(old)

    def day(self):
        for _ in range(300):
            self.pay()
        self.run("BEGIN IMMEDIATE")
        for found in self.late:
            self.run("INSERT OR IGNORE INTO found VALUES (?, ?)", found)
        self.run("COMMIT")
        self.late = []
        while self.move():
            pass
        for _ in range(40):
            if not self.forget():
                break
        self.run("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.frames = self.last_frame()


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--days", type=int, default=365)
    arguments.add_argument("design", nargs="*", default=ALL)
    options = arguments.parse_args()
    print("| design | pages a commit, median | most | commits above three times the median | kilobytes, median | MB |")
    print("|---|---|---|---|---|---|", flush=True)
    for design in options.design:
        with tempfile.TemporaryDirectory() as place:
            journal = Journal(place + "/journal.sqlite", set(design.split(",")), options.days)
            for _ in range(options.days):
                journal.day()
            sizes = sorted(journal.sizes.elements())
            median = sizes[len(sizes) // 2]
            # A commit writes a header and a page for each, and its stamp.
            over = sum(2 * size + 1 > 3 * (2 * median + 1) for size in sizes)
            print(f"| {design} | {median} | {sizes[-1]} | {over} | {median * journal.page // 1024} "
                  f"| {os.path.getsize(journal.path) / 1e6:.1f} |", flush=True)


if __name__ == "__main__":
    main()
