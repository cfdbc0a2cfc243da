#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at emv.html in a headless Chromium, and in Firefox where there is one, opened from file://, as people use it:
decode, logs of every shape, replay, tap, two taps side by side, a trace that is saved and replays; that nothing is
connected to, stored or left over; keyboard, screen reader, contrast, widths. Each check says what it expected and what
it saw.

    look.py FILE.html [--pictures FOLDER] [--only WORD]

Exit status: 0 well, 1 something is wrong, 2 a mistake in the call, 77 no browser that works here (Debian: chromium).
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from browser import Chromium, Failed, Unusable, browsers  # noqa: E402

READY = "document.documentElement?.dataset.ready === 'true'"
PROMISE = "EMV: decode, replay, tap"
WIDTHS = (360, 768, 1280)
# A4 between its margins.
PAPER = 718

# What of the page's elements breaks the rules for eyes: text of too little contrast, boxes that leave the page.
HERE = os.path.dirname(os.path.abspath(__file__))
LOGS = os.path.join(HERE, "../../Tests/Vectors/logs")
INSPECTION = open(os.path.join(HERE, "inspection.js"), encoding="utf-8").read()


def shapes():
    """Names and texts of one dialogue in every shape of log."""
    for name in sorted(os.listdir(LOGS)):
        if name.endswith(".txt"):
            with open(f"{LOGS}/{name}", encoding="utf-8") as file:
                yield name[:-4], file.read()


class Look:
    def __init__(self, browser, file, pictures):
        self.browser, self.file, self.pictures = browser, os.path.abspath(file), pictures
        self.folder = tempfile.mkdtemp(prefix="emv-look-")
        self.bad, self.done = [], 0
        self.least, self.texts = 99.0, 0

    # MARK: What checks are made of

    def expect(self, what, seen, expected=True):
        self.done += 1
        if seen != expected:
            self.bad.append(f"{what}: expected {expected!r:.300}, saw {seen!r:.300}")
        return seen == expected

    def holds(self, what, value, seen=None):
        self.done += 1
        if not value:
            self.bad.append(what + ("" if seen is None else f": saw {seen!r:.300}"))

    def open(self, file=None, **options):
        page = self.browser.page("file://" + (file or self.file), **options)
        page.wait(READY, "the page is ready")
        return page

    def read(self, page, text):
        """As pasted: through the text area and its events."""
        page.run("byId('read-result').replaceChildren()")
        page.run(
            f"(() => {{ openView('read'); const t = byId('text'); t.value = {json.dumps(text)};"
            " t.dispatchEvent(new ClipboardEvent('paste')); })()"
        )
        page.wait("byId('read-result').childElementCount > 0", "something is shown of what was pasted")

    def quiet(self, page, what):
        complaints = page.complaints()
        self.expect(f"{what}: the console", complaints, [])

    def module(self):
        """The WebAssembly module of the page: seven bits a character, gzip."""
        html = open(self.file, encoding="utf-8", newline="").read()
        text = re.search(r'id="module">([^<]+)<', html).group(1)
        bits = "".join(f"{ord(letter) & 0x7F:07b}" for letter in text)
        return gzip.decompress(int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8, "big"))

    # MARK: Checks

    def connects_to_nothing(self):
        html = open(self.file, encoding="utf-8").read()
        page = self.open()
        self.quiet(page, "opened")
        asked = [one for one in page.requested() if not one.startswith("file://" + self.file)]
        self.expect("addresses that the page asks for", asked, [])
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html).group(1)
        for part in (
            "default-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        ):
            self.holds(f"policy: {part}", part in policy, policy)
        for word in ("unsafe-inline", "unsafe-eval'", "http", "connect-src", "data:", "*"):
            self.holds(f"policy: no {word}", word not in policy.replace("'wasm-unsafe-eval'", ""), policy)
        self.holds(
            "nothing of another address in the file",
            not re.search(r"""(src|href|action)\s*=\s*["']?(?!#)[a-z]+:""", html.split('id="module"')[0]),
        )
        attempt = "fetch('{}').then(() => 'connected', () => 'refused')"
        for address in ("https://example.com/", "http://127.0.0.1/", "data:text/plain,x", "file://" + self.file):
            self.expect(f"a fetch of {address[:24]}", page.run(attempt.format(address)), "refused")
        self.expect(
            "a fetch in the Worker",
            page.run(
                "new Promise(done => { const url = URL.createObjectURL(new Blob([`fetch('https://example.com/')"
                ".then(() => postMessage('connected'), () => postMessage('refused'))`]));"
                " const p = trustedTypes.createPolicy('emv', { createScriptURL: () => url });"
                " const w = new Worker(p.createScriptURL('')); w.onmessage = e => done(e.data); })"
                ".catch(problem => 'refused')"
            ),
            "refused",
        )
        self.expect(
            "XMLHttpRequest",
            page.run(
                "new Promise(done => { const x = new XMLHttpRequest(); x.onload = () => done('connected');"
                " x.onerror = () => done('refused'); x.open('GET', 'https://example.com/'); x.send(); })"
            ),
            "refused",
        )
        self.expect(
            "an image",
            page.run(
                "new Promise(done => { const i = new Image(); i.onload = () => done('loaded');"
                " i.onerror = () => done('refused'); i.src = 'https://example.com/x.png'; })"
            ),
            "refused",
        )
        self.expect(
            "a WebSocket",
            page.run(
                "new Promise(done => { try { const s = new WebSocket('wss://example.com/');"
                " s.onopen = () => done('connected');"
                " s.onerror = () => done('refused'); } catch { done('refused'); } })"
            ),
            "refused",
        )
        self.expect(
            "text as HTML",
            page.run(
                "(() => { try { byId('main').innerHTML = '<b>x</b>'; return 'taken'; } catch { return 'refused'; } })()"
            ),
            "refused",
        )
        complaints = page.complaints()
        self.holds(
            "what the console says of these attempts is the policy's",
            complaints
            and all(
                re.search("Content Security Policy|TrustedHTML|Failed to load|WebSocket", one) for one in complaints
            ),
            complaints,
        )
        gone = [one for one in page.requested() if one.startswith(("http", "ws"))]
        self.holds(
            "no attempt left the browser's policy",
            all("example.com" in one or "127.0.0.1" in one for one in gone),
            gone,
        )
        page.close()

    def imports_only_random(self):
        self.expect("imports of the module", imports(self.module()), ["page.random"])

    def decodes(self):
        page = self.open()
        record = (
            "70 2F 5A 08 4761739001010119 57 11 4761739001010119D3012201000001 2345 5F24 03 301231"
            " 95 05 8000008000 9F27 01 80"
        ).replace(" ", "")
        record = "70" + f"{(len(record) - 4) // 2:02X}" + record[4:]
        self.read(page, record + "9000")
        tags = page.run("[...document.querySelectorAll('#read-result [role=treeitem]')].map(i => i.dataset.tag)")
        self.expect("tags of a record", tags, ["70", "5A", "57", "5F24", "95", "9F27"])
        text = page.run("byId('read-result').innerText")
        for words in (
            "Application Primary Account Number",
            "offline data authentication was not performed",
            "ARQC",
            "9000",
        ):
            self.holds(f'a record shows "{words}"', words in text, text)
        self.holds(
            "the account number is masked",
            "4761739001010119" not in page.run("byId('read-result').innerHTML.replace(/[^0-9A-F*]/gi, '')"),
        )
        page.run("byId('shows-pan').click()")
        page.wait(
            "byId('read-result').innerText.replace(/ /g, '').includes('4761739001010119')",
            "the account number on request",
        )
        page.run("byId('shows-pan').click()")
        page.wait("!byId('read-result').innerText.replace(/ /g, '').includes('4761739001010119')", "masked again")
        # The tree by keyboard.
        page.run("document.querySelector('#read-result [role=treeitem]').focus()")
        page.keys("ArrowLeft")
        self.expect("ArrowLeft closes", page.run("document.activeElement.getAttribute('aria-expanded')"), "false")
        self.expect(
            "what is closed is hidden", page.run("document.querySelector('[data-tag=\"5A\"]').checkVisibility()"), False
        )
        page.keys("ArrowRight", "ArrowRight", "ArrowDown")
        self.expect(
            "ArrowRight opens and enters, ArrowDown goes on", page.run("document.activeElement.dataset.tag"), "57"
        )
        page.keys("End")
        self.expect("End", page.run("document.activeElement.dataset.tag"), "9F27")
        page.keys("ArrowLeft")
        self.expect("ArrowLeft leaves to the parent", page.run("document.activeElement.dataset.tag"), "70")
        self.expect(
            "one element of the tree has its turn in the order of Tab",
            page.run("document.querySelectorAll('#read-result [role=treeitem][tabindex=\"0\"]').length"),
            1,
        )
        buttons = "[...document.querySelectorAll('#read-result .treebuttons button')]"
        page.run("document.querySelector('#read-result [data-tag=\"70\"]').focus()")
        page.keys("ArrowRight", "ArrowDown")
        self.holds("ArrowDown enters", page.run("document.activeElement.dataset.tag") != "70")
        page.run(f"{buttons}[1].click()")
        self.expect(
            "Close all leaves an object that is seen in the order of Tab",
            page.run(
                "[...document.querySelectorAll('#read-result [role=treeitem][tabindex=\"0\"]')]"
                ".map(one => [one.dataset.tag, one.checkVisibility()])"
            ),
            [["70", True]],
        )
        page.run(f"{buttons}[0].click()")
        self.holds(
            "a masked value is not read out digit by digit",
            "masked" in page.run("document.querySelector('[data-tag=\"5A\"]').getAttribute('aria-label')"),
        )
        # Errors say where and what was expected.
        for text, words in (
            ("9F27018", "expected pairs"),
            ("6F10", "byte"),
            ("xyz", "expected"),
            ('{"format": "emv-trace/2"}', "expected"),
        ):
            self.read(page, text)
            self.holds(
                f"an error of {text!r} names what and where",
                words in (page.run("document.querySelector('#read-result [role=alert]')?.innerText") or ""),
                page.run("byId('read-result').innerText"),
            )
        # Typed: said without moving there.
        page.run(
            "(() => { const t = byId('text'); t.focus(); t.value = '9F270180'; say('Working');"
            " t.dispatchEvent(new InputEvent('input', { inputType: 'insertText' })); })()"
        )
        page.wait("byId('status').textContent === '1 data object'", "what is typed is said")
        self.expect("the text area keeps the focus", page.run("document.activeElement.id"), "text")
        self.quiet(page, "decode")
        page.close()

    def reads_logs(self):
        page = self.open()
        commands = dict(shapes())["alternating"].split()[::2]
        for name, text in shapes():
            self.read(page, text)
            page.run(
                "document.querySelectorAll('#read-result details').forEach(one => { one.fill(); one.open = true; })"
            )
            rows = page.run(
                "[...document.querySelectorAll('#read-result .step')]"
                ".map(step => [step.querySelector('strong').innerText,"
                " step.querySelector('.pill')?.innerText || '', step.querySelectorAll('[role=treeitem]').length > 0,"
                " [...step.querySelectorAll('.parts .hex')].map(one => one.innerText).join(' ').replace(/ /g, '')])"
            )
            expected = [
                ["SELECT directory", "9000", True, commands[0]],
                ["SELECT", "9000", True, commands[1]],
                ["GET PROCESSING OPTIONS", "9000", True, commands[2]],
            ]
            self.expect(f"log, {name}", rows, expected)
            self.expect(
                f"log, {name}: masked digits are said",
                "masked digits" in page.run("byId('read-result').innerText"),
                name == "emv-bench",
            )
        # The text's own line ends, and no end of the last line.
        self.read(page, dict(shapes())["double-arrows"].replace("\n", "\r\n"))
        self.expect(
            "log with the line ends of Windows", page.run("document.querySelectorAll('#read-result .step').length"), 3
        )
        # The examples of the empty page are of these shapes.
        count = page.run("examples.length")
        for at in range(count):
            page.run("readText('')")
            page.wait("!byId('read-examples').hidden", "examples on an empty page")
            page.run(f"document.querySelectorAll('.examples button')[{at}].click()")
            page.wait("document.querySelector('#read-result h2') !== null", f"example {at + 1}")
            self.holds(f"example {at + 1} is read", not page.run("document.querySelector('#read-result [role=alert]')"))
        self.quiet(page, "logs")
        page.close()

    def takes_files(self):
        """Chosen, dropped, dropped as text; a file that is too long."""
        page = self.open()
        record = "new File(['9F270180'], 'record.txt')"
        chosen = "(() => {{ const t = new DataTransfer(); t.items.add({0}); const i = byId('file');"
        chosen += " i.files = t.files; i.dispatchEvent(new Event('change')); }})()"
        dropped = "(() => {{ const dataTransfer = new DataTransfer(); {0};"
        dropped += " document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true }})); }})()"
        for what, script in (
            ("chosen", chosen.format(record)),
            ("dropped", dropped.format(f"dataTransfer.items.add({record})")),
            ("dropped as text", dropped.format("dataTransfer.setData('text/plain', '9F270180')")),
        ):
            page.run("readText(''); openView('tap')")
            page.run(script)
            page.wait("document.querySelector('#read-result [data-tag=\"9F27\"]') !== null", f"what is {what}")
            self.expect(f"{what}: the view", page.run("byId('view-read').hidden"), False)
        # A file is shown by its name: in the text area its digits would be seen.
        page.run("readText('')")
        page.run(chosen.format(record))
        page.wait("document.querySelector('#read-result [data-tag=\"9F27\"]') !== null", "a chosen file")
        self.expect(
            "a chosen file: text area and line",
            page.run("[byId('text').value, byId('from').innerText, byId('clear').hidden]"),
            ["", "record.txt, 8 bytes", False],
        )
        page.run("byId('clear').click()")
        self.expect("cleared", page.run("[byId('from').hidden, byId('read-result').childElementCount]"), [True, 0])
        # What was shown goes, and what is still asked for does not come afterwards.
        long = "new File([new Uint8Array(8000001)], 'long.txt')"
        for view in ("read", "tap", "compare"):
            page.run(f"readText('9F270180'); openView('{view}')")
            page.run(dropped.format(f"dataTransfer.items.add({long})"))
            page.wait("document.querySelector('#read-result [role=alert]') !== null", "a file that is too long")
            page.run("new Promise(done => setTimeout(done, 300))")
            self.expect(
                f"a file that is too long, dropped on {view}: seen, alone, with its size",
                page.run(
                    "[byId('read-result').checkVisibility(), byId('read-result').children.length,"
                    " byId('read-result').innerText.includes('expected at most 8,000,000'), shown.read]"
                ),
                [True, 1, True, None],
            )
        page.run("readText('9F270180')")
        page.run("readFile({ name: 'folder', size: 0, text: () => Promise.reject(new Error('cannot be opened')) })")
        page.wait("document.querySelector('#read-result [role=alert]') !== null", "a folder")
        self.expect(
            "a folder says so",
            page.run("byId('read-result').innerText.replace(/\\s+/g, ' ')"),
            "This file cannot be read folder: cannot be opened; expected a file, no folder",
        )
        self.quiet(page, "files")
        page.close()

    def trace(self):
        """The page's own example of a trace, as an object."""
        if not hasattr(self, "_trace"):
            page = self.open()
            self._trace = json.loads(page.run("examples.find(one => one.title === 'A trace').text"))
            page.close()
        return json.loads(json.dumps(self._trace))

    def replays(self):
        page = self.open()
        trace = self.trace()
        self.read(page, json.dumps(trace))
        self.expect(
            "how it ended", page.run("document.querySelector('#read-result .outcome')?.innerText"), "Goes online"
        )
        titles = page.run("[...document.querySelectorAll('#read-result .step strong')].map(one => one.innerText)")
        self.expect(
            "commands among the steps",
            [one for one in titles if one.isupper() or one.startswith("SELECT")],
            ["SELECT directory", "SELECT", "GET PROCESSING OPTIONS"],
        )
        text = page.run("byId('read-result').innerText")
        for words in (
            "12.50 EUR",
            "476173******0119",
            "Field 55",
            "9F26",
            "What the cryptogram covers",
            "Nothing suspicious",
        ):
            self.holds(f'a replay shows "{words}"', words in text, text)
        self.holds("no difference is shown", "Other than the trace expects" not in text)
        page.run("document.querySelectorAll('#read-result .step details').forEach(one => { one.open = true; })")
        page.wait(
            "document.querySelectorAll('#read-result .step [role=treeitem]').length > 10", "answers open as trees"
        )
        self.holds("the clause of a decision", "Kernel 3, 5." in page.run("byId('read-result').innerText"))
        english = page.run("document.querySelector('.screen .said').innerText")
        page.run("(() => { const s = byId('language'); s.value = 'ar'; s.dispatchEvent(new Event('change')); })()")
        page.wait("document.querySelector('.screen .said')?.lang === 'ar'", "prompts in Arabic")
        self.expect(
            "Arabic is written from the right",
            page.run("getComputedStyle(document.querySelector('.screen .said')).direction"),
            "rtl",
        )
        self.holds("the words are others", page.run("document.querySelector('.screen .said').innerText") != english)
        # Another setting makes the result anew, and it looks as before.
        page.run("document.querySelectorAll('#read-result .step details').forEach((o, at) => { o.open = at === 2; })")
        page.run("document.querySelector('#read-result .step details[open] [aria-expanded=true]').focus()")
        page.keys("ArrowLeft")
        state = (
            "[[...document.querySelectorAll('#read-result .step details')].map(one => one.open),"
            " [...document.querySelectorAll('#read-result .step [aria-expanded]')].map(one => one.ariaExpanded)]"
        )
        before = page.run(state)
        page.run("byId('status').textContent = ''; byId('shows-pan').click()")
        page.wait("byId('read-result').innerText.includes('4761739001010119')", "the account number on request")
        self.expect("open steps and closed objects stay so", page.run(state), before)
        self.expect("a result that is made anew is said", page.run("byId('status').textContent"), "Goes online")
        page.run("byId('shows-pan').click()")
        page.wait("!byId('read-result').innerText.includes('4761739001010119')", "masked again")
        trace["expect"] = {"tap": "declined", "apdus": 4}
        self.read(page, json.dumps(trace))
        table = page.run("document.querySelector('.notice table')?.innerText") or ""
        self.holds("differences name expected and found", "declined" in table and "4" in table and "3" in table, table)
        trace["redacted"] = True
        ended = page.run("document.querySelector('#read-result .outcome')?.innerText")
        self.read(page, json.dumps(trace))
        self.expect(
            "what a masked trace expects is not how it ended",
            page.run("document.querySelector('#read-result .outcome')?.innerText"),
            ended,
        )
        trace["recorded"] = {
            "tap": "unreadable",
            "differences": [{"place": "expect.tap", "expected": "declined", "found": "unreadable"}],
        }
        self.read(page, json.dumps(trace))
        self.expect(
            "a masked trace ends as recorded",
            page.run("document.querySelector('#read-result .outcome')?.innerText"),
            "Card not read",
        )
        text = page.run("byId('read-result').innerText")
        for words in (
            "As it was recorded",
            "were masked",
            "Other than the trace expects",
            "What differs here, with what is masked",
        ):
            self.holds(f'a masked trace says "{words}"', words in text, text)
        # What comes from elsewhere than the card has its tree, too.
        for name, title, tag in (
            ("ep-clause-issuer-update-after-2-faults", "Issuer’s answer", "8A"),
            ("k2-clause-det-terminal-type", "Terminal data", "9F35"),
        ):
            with open(f"{HERE}/../../Tests/Independent/{name[:2]}-clauses.taps", encoding="utf-8") as file:
                self.read(page, next(line for line in file if f'"name":"{name}"' in line))
            page.wait("document.querySelector('#read-result .outcome') !== null", name)
            step = f"[...document.querySelectorAll('#read-result .step')].find(o => o.innerText.includes('{title}'))"
            page.run(f"{step}?.querySelector('details')?.fill()")
            tags = page.run(f"[...({step}?.querySelectorAll('[role=treeitem]') || [])].map(one => one.dataset.tag)")
            self.holds(f"{title} as a tree", tag in tags, tags)
        del trace["recorded"]
        del trace["redacted"]
        trace["exchanges"][2]["c"] = "80A8" + trace["exchanges"][2]["c"][4:-4] + "0100"
        self.read(page, json.dumps(trace))
        self.holds(
            "a command other than the trace's is shown",
            page.run("document.querySelector('#read-result .notice.wrong') !== null"),
        )
        trace["configuration"]["combinations"][0]["kernel"] = 99
        self.read(page, json.dumps(trace))
        self.holds(
            "a trace that cannot be used says why",
            "kernel identifier" in (page.run("document.querySelector('#read-result [role=alert]')?.innerText") or ""),
            page.run("byId('read-result').innerText"),
        )
        self.quiet(page, "replay")
        page.close()

    def tap(self, page, card, amount="12.50", plan="none"):
        page.run("byId('tap-result').replaceChildren()")
        page.run(f"""(() => {{
            openView('tap');
            const one = catalog.profiles.find(other => other.name === '{card}');
            const set = (id, value) => {{ byId(id).value = value; byId(id).dispatchEvent(new Event('change')); }};
            set('tap-kernel', one.kernel); set('tap-profile', one.name);
            set('tap-amount', '{amount}'); set('tap-plan', '{plan}');
            byId('tap-now').click();
        }})()""")
        page.wait("byId('tap-result').childElementCount > 0", f"a tap of {card}")

    def taps(self):
        page = self.open()
        self.holds(
            "virtual cards of every kernel", page.run("new Set(catalog.profiles.map(one => one.kernel)).size") >= 2
        )
        self.tap(page, "online")
        self.expect("online", page.run("document.querySelector('#tap-result .outcome')?.innerText"), "Goes online")
        self.tap(page, "fdda")
        self.expect("fdda", page.run("document.querySelector('#tap-result .outcome')?.innerText"), "Approved offline")
        text = page.run("byId('tap-result').innerText")
        self.holds("its amount", "12.50 EUR" in text, text)
        # Cards of every kernel end.
        for kernel in page.run("[...new Set(catalog.profiles.map(one => one.kernel))]"):
            card = page.run(f"catalog.profiles.find(one => one.kernel === {json.dumps(kernel)}).name")
            self.tap(page, card)
            self.holds(
                f"{kernel}, {card}: a tap ends",
                page.run("document.querySelector('#tap-result .outcome') !== null"),
                page.run("byId('tap-result').innerText"),
            )
        # A fault by hand: the card never hears the third command.
        page.run("byId('tap-add-fault').click(); document.querySelector('#tap-form [name=at]').value = '3'")
        self.tap(page, "fdda")
        self.holds("a fault is seen", "timeout" in page.run("byId('tap-result').innerText"))
        page.run("document.querySelector('#tap-form .fault-row button').click()")
        self.expect("a fault is removed", page.run("document.querySelectorAll('#tap-form .fault-row').length"), 0)
        self.tap(page, "fdda", amount="many")
        self.holds(
            "an amount that is none",
            "expected" in (page.run("document.querySelector('#tap-result [role=alert]')?.innerText") or ""),
            page.run("byId('tap-result').innerText"),
        )
        self.quiet(page, "tap")
        page.close()

    def saves(self):
        """What is shown becomes a file, and the file replays as it was."""
        page = self.open()
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder)
        for card in ("fdda", "online"):
            self.tap(page, card)
            ended = page.run("document.querySelector('#tap-result .outcome')?.innerText")
            for name in os.listdir(self.folder):
                os.remove(f"{self.folder}/{name}")
            page.run(
                "[...document.querySelectorAll('#tap-result .actions button')]"
                ".find(b => b.innerText.startsWith('Save')).click()"
            )
            for _ in range(200):
                names = [name for name in os.listdir(self.folder) if name.endswith(".json")]
                if names:
                    break
                time.sleep(0.03)
            if not self.expect(f"{card}: one file is saved", len(names), 1):
                continue
            text = open(f"{self.folder}/{names[0]}", encoding="utf-8").read()
            self.expect(f"{card}: its format", json.loads(text).get("format"), "emv-trace/1")
            self.read(page, text)
            self.expect(
                f"{card}: the saved trace ends as the tap",
                page.run("document.querySelector('#read-result .outcome')?.innerText"),
                ended,
            )
            self.holds(
                f"{card}: and as it expects itself",
                page.run("document.querySelector('#read-result .notice.wrong')") is None,
                page.run("byId('read-result').innerText"),
            )
        self.quiet(page, "save")
        page.close()

    def compares(self):
        page = self.open()
        page.run("openView('compare'); byId('compare-now').click()")
        page.wait("document.querySelector('#compare-result h2') !== null", "two taps")
        self.expect(
            "two taps that differ",
            page.run("document.querySelector('#compare-result h2').innerText"),
            "First difference",
        )
        self.expect("one difference is the first", page.run("document.querySelectorAll('.pair.first').length"), 1)
        first = page.run("document.querySelector('.pair.first').innerText")
        self.holds("it says where", re.search(r"Step \d+, .+: (command|answer) differs from byte \d+", first), first)
        self.holds("its bytes are marked", page.run("document.querySelectorAll('.pair.first mark').length") > 0)
        self.holds(
            "what stands before is equal",
            page.run(
                "(() => { const all = [...document.querySelectorAll('.pair')];"
                " const at = all.findIndex(p => p.classList.contains('first'));"
                " return at > 0 && all.slice(1, at).every(p => /equal/.test(p.innerText)); })()"
            ),
        )
        ends = page.run("[...document.querySelectorAll('.pair.head .outcome')].map(one => one.innerText)")
        self.expect("how each ended", ends, ["Goes online", "Approved offline"])
        page.run(
            "(() => { const k = byId('side-b-profile'); k.value = 'online'; k.dispatchEvent(new Event('change'));"
            " byId('compare-now').click(); })()"
        )
        page.wait(
            "document.querySelector('#compare-result h2')?.innerText === 'No difference'",
            "the same tap twice has no difference",
        )
        # A tap that was shown, beside a trace.
        self.tap(page, "online")
        page.run(
            "[...document.querySelectorAll('#tap-result .actions button')]"
            ".find(b => b.innerText.startsWith('Compare')).click()"
        )
        self.expect("the kept tap is side A", page.run("byId('side-a-kind').value"), "kept")
        page.run(
            f"""(() => {{ byId('side-b-kind').value = 'trace'; byId('side-b-kind').dispatchEvent(new Event('change'));
            byId('side-b-text').value = {json.dumps(json.dumps(self.trace()))}; byId('compare-now').click(); }})()"""
        )
        page.wait("document.querySelector('#compare-result h2') !== null", "a tap beside a trace")
        self.holds("a tap and a trace side by side", page.run("document.querySelectorAll('.pair').length") > 2)
        self.expect(
            "both can be saved",
            page.run("[...document.querySelectorAll('#compare-result .actions button')].map(one => one.innerText)"),
            ["Save A as a trace", "Save B as a trace"],
        )
        text = page.run("byId('side-b-text').value")
        page.run("document.querySelector('#tap-result .actions button').click()")
        self.expect(
            "another tap for side A leaves side B as it was",
            page.run("[byId('side-b-kind').value, byId('side-b-text').value]"),
            ["trace", text],
        )
        for act, side in (
            ("byId('side-b-text').value = '{}'", "B"),
            (
                "(() => { const k = byId('side-a-kind'); k.value = 'card'; k.dispatchEvent(new Event('change'));"
                " byId('side-a-amount').value = 'many'; })()",
                "A",
            ),
        ):
            page.run(act)
            page.run("byId('compare-result').replaceChildren(); byId('compare-now').click()")
            page.wait("document.querySelector('#compare-result [role=alert]') !== null", "a side that cannot be used")
            said = page.run("document.querySelector('#compare-result [role=alert]').innerText")
            self.holds("it names the side", said.startswith(side + " cannot be used"), said)
        # A file on a side: chosen, dropped, too long, no file.
        page.run(
            f"""(() => {{ const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([{json.dumps(json.dumps(self.trace()))}], 'tap.json'));
            byId('side-a-kind').closest('fieldset').dispatchEvent(
                new DragEvent('drop', {{ dataTransfer, bubbles: true }})); }})()"""
        )
        page.wait("document.querySelector('#compare-form .from').innerText.startsWith('tap.json, ')", "a dropped file")
        self.expect(
            "a file dropped on a side stays there, by its name",
            page.run("[byId('view-compare').hidden, byId('side-a-kind').value, byId('side-a-text').value]"),
            [False, "trace", ""],
        )
        page.run(
            "byId('side-a-kind').closest('fieldset').dispatchEvent("
            "new DragEvent('drop', { dataTransfer: new DataTransfer(), bubbles: true }))"
        )
        self.compare(page, None, self.trace())
        self.expect(
            "and is compared", page.run("document.querySelector('#compare-result h2')?.innerText"), "No difference"
        )
        for file, words in (
            ("new File([new Uint8Array(8000001)], 'long')", "expected at most"),
            ("{ name: 'folder', size: 0, text: () => Promise.reject(new Error('closed')) }", "no folder"),
        ):
            page.run(f"compareSides[0].take({file})")
            page.run("byId('compare-result').replaceChildren(); byId('compare-now').click()")
            page.wait("document.querySelector('#compare-result [role=alert]') !== null", "a file that cannot be used")
            self.holds(
                f"a file on a side: {words}",
                words in page.run("document.querySelector('#compare-result [role=alert]').innerText"),
            )
        self.quiet(page, "compare")
        page.close()

    def compare(self, page, one, other):
        """Two traces, pasted; none: the side stays as it is."""
        page.run("openView('compare'); byId('compare-result').replaceChildren()")
        for side, trace in (("a", one), ("b", other)):
            if trace is not None:
                page.run(f"""(() => {{ const k = byId('side-{side}-kind'), t = byId('side-{side}-text');
                    k.value = 'trace'; k.dispatchEvent(new Event('change'));
                    t.value = {json.dumps(json.dumps(trace))}; t.dispatchEvent(new Event('input')); }})()""")
        page.run("byId('compare-now').click()")
        page.wait("byId('compare-result').childElementCount > 0", "two traces")

    def compares_what_is_masked(self):
        """Digits that are masked in both answers count."""
        page = self.open()
        trace, other = self.trace(), self.trace()
        # Another account number with the same digits at both ends, and a right check digit.
        answer = trace["exchanges"][2]["r"]
        self.holds("the trace has its account number", "4761739001010119" in answer)
        other["exchanges"][2]["r"] = answer.replace("4761739001010119", "4761739100010119")
        self.compare(page, trace, other)
        place = answer.index("4761739001010119") // 2 + 4
        said = page.run("document.querySelector('.first-difference').innerText")
        self.holds("masked digits that differ are the first difference", "GET PROCESSING OPTIONS: answer" in said, said)
        self.holds("by byte", said.endswith(f"differs from byte {place}, in what is masked here."), said)
        self.expect(
            "the step is marked, and the byte",
            page.run("[...document.querySelectorAll('.pair.first mark')].map(one => one.innerText)"),
            ["**", "**"],
        )
        page.run("byId('shows-pan').click()")
        page.wait("!document.querySelector('.first-difference')?.innerText.includes('masked')", "shown")
        said = page.run("document.querySelector('.first-difference').innerText")
        self.holds("with account numbers, the same byte", said.endswith(f"differs from byte {place}."), said)
        page.run("byId('shows-pan').click()")
        page.wait("document.querySelector('.first-difference')?.innerText.includes('masked')", "masked")
        self.compare(page, trace, trace)
        said = page.run("document.querySelector('#compare-result header').innerText")
        self.holds("the same trace twice", "No difference" in said and "masked" not in said, said)
        masked = dict(trace, redacted=True)
        self.compare(page, masked, masked)
        said = page.run("document.querySelector('#compare-result header').innerText")
        self.holds("what a recording masked is no equality", "apart from what was masked" in said, said)
        # Answers of extended length, which differ at both ends.
        for one, ends in ((trace, "C2"), (other, "C3")):
            one["exchanges"][2]["r"] = ends + "82FFEE" + "5A" * 65517 + ends + "9000"
        self.compare(page, trace, other)
        self.expect(
            "answers of extended length",
            page.run(
                "[document.querySelector('#compare-result h2')?.innerText,"
                " document.querySelectorAll('.pair.first mark').length,"
                " document.querySelector('.pair.first .hex').innerText.replace(/ /g, '').length]"
            ),
            ["First difference", 2, 2 * 65524],
        )
        self.quiet(page, "compare what is masked")
        page.close()

    def fails_aloud(self):
        """What goes wrong is said, and the page goes on."""
        page = self.open()
        alert = "document.querySelector('#read-result [role=alert]')"
        self.read(page, "9F270180")
        page.run("show(byId('read-result'), () => { throw new Error('planted'); })")
        page.wait(f"{alert} !== null", "what cannot be shown")
        self.expect(
            "it is said, and what was there is gone",
            page.run(f"[{alert}.innerText.includes('planted'), byId('read-result').children.length]"),
            [True, 1],
        )
        for script in ("setTimeout(() => { throw new Error('planted'); })", "Promise.reject(new Error('planted')); 0"):
            page.run("byId('trouble')?.remove()")
            page.run(script)
            page.wait("byId('trouble')?.innerText.includes('planted')", "what nobody has caught is said")
        page.complaints()
        # Hundreds of thousands of objects, thousands of exchanges, a very long value.
        for text, heading, words in (
            ("'9F36020015'.repeat(500000)", "500,000 data objects", "… and 498,000 more data objects"),
            ("'>> 00B2010C00\\n<< 6A83\\n'.repeat(2500)", "2,500 exchanges", "… and 500 more exchanges"),
            ("'C2830493E0' + '5A'.repeat(300000)", "1 data object", "… and 230,000 more bytes"),
        ):
            page.run("readText('')")
            page.run(f"(() => {{ const text = {text}; readText(text); }})()")
            page.wait("byId('read-result').childElementCount > 0", heading, 120)
            self.expect(heading, page.run("document.querySelector('#read-result h2')?.innerText"), heading)
            self.holds(words, words in page.run("byId('read-result').innerText"))
            self.holds("not all are shown", page.run("byId('read-result').querySelectorAll('*').length") < 60000)
        page.run("readText('F'.repeat(8000001))")
        page.wait(f"{alert} !== null", "a text that is too long")
        said = page.run(f"{alert}.innerText")
        self.holds("its length is said", "8,000,001 characters; expected at most 8,000,000" in said, said)
        # A call that does not end.
        hang = """(() => { const post = engine.post; engine.post = message => {
            if (!message.request) return post(message);
            engine.post = post;
            window.hangs = true;
            return new Promise((resolve, reject) => { engine.wait = { resolve, reject }; }); }; })()"""
        for what, act in (("Clear", "byId('clear').click()"), ("another text", "readText('9F36020015')")):
            page.run(hang)
            page.run("window.hangs = false; readText('9F270180'); 0")
            page.wait("window.hangs", "a call that does not end")
            page.run(act)
            self.read(page, "9F270180")
            self.expect(
                f"{what} ends a call that does not",
                page.run("document.querySelector('#read-result [role=treeitem]')?.dataset.tag"),
                "9F27",
            )
        page.run(hang)
        page.run("engine.limit = 200; readText('9F270180'); 0")
        page.wait(f"{alert} !== null", "a call that takes too long")
        said = page.run(f"{alert}.innerText")
        self.holds("it is said", "nothing within 0.2 s" in said, said)
        page.run("engine.limit = 60000")
        # A Worker that ends, while it works and while it waits.
        event = "engine.worker.dispatchEvent(new ErrorEvent('error', { message: 'planted', cancelable: true }))"
        page.run(hang)
        page.run("window.hangs = false; readText('9F270180'); 0")
        page.wait("window.hangs", "a call that does not end")
        page.run(event)
        page.wait(f"{alert}?.innerText.includes('planted')", "a Worker that ends")
        self.read(page, "9F270180")
        self.holds("the next call works", page.run(f"{alert} === null"))
        page.run(event)
        self.read(page, "9F36020015")
        self.holds("and the one after a Worker that ended between", page.run(f"{alert} === null"))
        # A trap says that the browser is right and the data are too much.
        page.run("engine.post = () => Promise.reject(Object.assign(new Error('unreachable'), { trapped: true }))")
        page.run("readText('9F270180'); 0")
        page.wait(f"{alert} !== null", "a trap")
        said = page.run(f"{alert}.innerText")
        self.holds("a trap", "more than it can hold" in said and "DecompressionStream" not in said, said)
        self.quiet(page, "failures")
        page.close()

    def forgets_when_left(self):
        """A page in the browser's cache for "back" holds nothing of before."""
        page = self.open()
        self.read(page, json.dumps(self.trace()))
        self.tap(page, "online")
        self.compare(page, self.trace(), self.trace())
        page.run("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        self.expect(
            "results, texts and what is held",
            page.run(
                "[document.querySelectorAll('main article').length, byId('text').value, byId('side-a-text').value,"
                " byId('side-b-text').value, shown.read, shown.tap, shown.compare]"
            ),
            [0, "", "", "", None, None, None],
        )
        page.run("window.before = true; dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        page.wait(f"window.before === undefined && {READY}", "a page that comes back begins anew")
        self.quiet(page, "left")
        page.close()

    def leaves_nothing(self):
        page = self.open()
        before = page.run("[location.href, history.length, document.title]")
        self.read(page, json.dumps(self.trace()))
        self.tap(page, "online")
        page.run("byId('shows-pan').click()")
        page.wait("byId('tap-result').childElementCount > 0", "a tap")
        self.expect("address, history, title", page.run("[location.href, history.length, document.title]"), before)
        self.expect("the title is the page's name", before[2], PROMISE)
        self.expect(
            "local storage", page.run("(() => { try { return localStorage.length; } catch { return 0; } })()"), 0
        )
        self.expect(
            "session storage", page.run("(() => { try { return sessionStorage.length; } catch { return 0; } })()"), 0
        )
        self.expect("cookies", page.run("(() => { try { return document.cookie; } catch { return ''; } })()"), "")
        self.expect(
            "databases",
            page.run("(async () => { try { return (await indexedDB.databases()).length; } catch { return 0; } })()"),
            0,
        )
        self.expect(
            "caches",
            page.run("(async () => { try { return (await caches.keys()).length; } catch { return 0; } })()"),
            0,
        )
        source = open(self.file, encoding="utf-8").read().split('id="module"')
        # What stores; then what goes elsewhere in a way that a policy does not govern.
        for name in (
            *("localStorage", "sessionStorage", "indexedDB", "pushState", "replaceState", "document.cookie"),
            *("window.open", "location.href", "location.assign", "location.replace", "RTCPeerConnection"),
        ):
            self.holds(f"the page's source has no {name}", name not in source[0] + source[1].split("<script>")[-1])
        page.call("Page.reload")
        time.sleep(0.3)
        page.wait(READY, "the page is ready again")
        self.expect("the text after a reload", page.run("byId('text').value"), "")
        self.expect("results after a reload", page.run("document.querySelectorAll('main article').length"), 0)
        self.expect(
            "what remembers text is off",
            page.run(
                "[...document.querySelectorAll('textarea')].every(t => t.autocomplete === 'off' && !t.spellcheck)"
            ),
            True,
        )
        page.close()

    def runs_the_article(self):
        """The snippets of the article for pages of others, run as they stand there."""
        article = open(f"{HERE}/../../Sources/EMVDecoder/EMVDecoder.docc/OwnPage.md", encoding="utf-8").read()
        snippets = re.findall(r"```js\n(.*?)```", article, re.DOTALL)
        module = base64.b64encode(self.module()).decode()
        page = self.open()
        page.run(f"""(async () => {{ const bytes = Uint8Array.from(atob("{module}"), letter => letter.charCodeAt(0));
            {"".join(snippets)} }})()""")
        said = re.search(r"console\.log\(.*\); +// (.*)", article).group(1)
        self.expect("the article's snippet says what it says", " ".join(page.complaints()), said)
        page.close()

    def is_a_report(self):
        html = open(self.file, encoding="utf-8").read()
        place = '<script type="application/json" id="tap">'
        self.expect("the place for a report", html.count(place + "</script>"), 1)
        trace = self.trace()
        trace["name"] = "</script><b>report</b>"
        path = self.report(trace)
        with open(f"{HERE}/../../README.md", encoding="utf-8") as file:
            command = re.search(r"^perl .* report\.html \| sha256sum$", file.read(), re.MULTILINE).group(0)
        found = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True, check=True)
        with open(self.file, "rb") as file:
            page_hash = hashlib.sha256(file.read()).hexdigest()
        self.expect("a report without its tap has the page's hash", found.stdout.split()[0], page_hash)
        page = self.open(path)
        self.expect(
            "a report opens on its tap",
            page.run("document.querySelector('#read-result .outcome')?.innerText"),
            "Goes online",
        )
        self.expect("without the input", page.run("byId('read-input').checkVisibility()"), False)
        self.holds("its name is text", page.run("document.querySelector('#read-result b')") is None)
        page.run("(() => { const s = byId('language'); s.value = 'de'; s.dispatchEvent(new Event('change')); })()")
        page.wait("document.querySelector('.screen .said')?.lang === 'de'", "a report in another language")
        page.run("document.querySelector('.reported button').click()")
        self.expect("and leads to the input", page.run("byId('read-input').checkVisibility()"), True)
        self.quiet(page, "report")
        page.close()
        page = self.open(path)
        page.run("readFile(new File(['9F270180'], 'other.txt'))")
        page.wait("document.querySelector('#read-result [data-tag=\"9F27\"]') !== null", "another file")
        self.expect(
            "another file is no report",
            page.run("[byId('reported').checkVisibility(), byId('read-input').checkVisibility()]"),
            [False, True],
        )
        page.close()

    def report(self, trace):
        """The path of a page with a tap inside."""
        html = open(self.file, encoding="utf-8", newline="").read()
        place = '<script type="application/json" id="tap">'
        path = f"{self.folder}/report.html"
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(html.replace(place, place + json.dumps(trace).replace("<", "\\u003c"), 1))
        return path

    def works_without_a_worker(self):
        page = self.open(before="window.Worker = function () { throw new Error('none'); };")
        self.read(page, "9F270180")
        self.expect(
            "without a Worker", page.run("document.querySelector('#read-result [role=treeitem]')?.dataset.tag"), "9F27"
        )
        self.quiet(page, "without a Worker")
        page.close()

    def shows_progress(self):
        page = self.open()
        page.run("""(() => { const post = engine.post; window.slow = 0;
            engine.post = async message => {
                await new Promise(done => setTimeout(done, slow)); return post(message); }; })()""")
        seen = (
            "new Promise(done => {{ slow = {0}; let shown = false; const look = setInterval(() => {{"
            " shown ||= !byId('progress').hidden; }}, 5);"
            " engine.call({{ call: 'decode', text: '9F270180', showsPAN: false }})"
            ".then(() => setTimeout(() => {{ clearInterval(look);"
            " done([shown, byId('progress').hidden, byId('status').textContent]); }}, 20)); }})"
        )
        self.expect("a bar where it takes long, and nothing after", page.run(seen.format(400)), [True, True, ""])
        self.expect("no bar where it is quick", page.run(seen.format(0)), [False, True, ""])
        page.close()

    def is_for_all_eyes(self):
        """Every view at three widths, light and dark; on paper."""
        other = self.trace()
        other["exchanges"][2]["r"] = other["exchanges"][2]["r"].replace("4761739001010119", "4761739100010119")
        traces = [json.dumps(json.dumps(one)) for one in (self.trace(), other)]
        sides = "".join(
            f"byId('side-{side}-kind').value = 'trace'; byId('side-{side}-kind').dispatchEvent(new Event('change'));"
            f" byId('side-{side}-text').value = {text};"
            for side, text in zip("ab", traces)
        )
        states = {
            "empty": "",
            "data": "document.querySelectorAll('.examples button')[0].click()",
            "log": "document.querySelectorAll('.examples button')[1].click()",
            "replay": "document.querySelectorAll('.examples button')[4].click()",
            "tap": "openView('tap'); byId('tap-add-fault').click(); byId('tap-now').click()",
            "compare": "openView('compare'); byId('compare-now').click()",
            "compare-traces": f"openView('compare'); {sides} byId('compare-now').click()",
            "report": "0",
            "file": "readFile(new File(['9F270180'], 'a-long-name-of-a-file-of-a-log-that-somebody-has-kept.txt'))",
            "error": "byId('text').value = 'xyz'; readText('xyz')",
        }
        report = self.report(self.trace())
        for name, act in states.items():
            for dark in (False, True):
                page = self.open(report if name == "report" else None, dark=dark)
                if act:
                    page.run(act)
                    page.wait("document.querySelector('main article, main [role=alert]') !== null", name)
                page.run("document.querySelectorAll('main details').forEach(one => { one.fill(); one.open = true; })")
                for width in WIDTHS:
                    page.size(width)
                    self.inspect(page, f"{name}, {'dark' if dark else 'light'}, {width} pixels")
                    if width == WIDTHS[0]:
                        self.expect(f"{name}: controls without a name at {width} pixels", page.unnamed(), [])
                    if self.pictures:
                        page.run("scrollTo(0, 0)")
                        page.picture(f"{self.pictures}/{name}-{'dark' if dark else 'light'}-{width}.png")
                page.close()
        # On paper, whatever the screen's colours are.
        for name, dark in (("replay", False), ("replay", True), ("compare-traces", False), ("report", False)):
            page = self.open(report if name == "report" else None)
            page.run(states[name])
            page.wait("document.querySelector('main article') !== null", name)
            page.run("dispatchEvent(new Event('beforeprint'))")
            page.dark(dark, media="print")
            self.holds(
                "everything is open on paper",
                page.run("[...document.querySelectorAll('main details')].every(one => one.open)"),
            )
            self.expect("no input on paper", page.run("byId('read-input').checkVisibility()"), False)
            page.size(PAPER)
            self.inspect(page, f"{name}, {'dark' if dark else 'light'}, on paper")
            if self.pictures:
                page.picture(f"{self.pictures}/{name}-{'dark' if dark else 'light'}-paper.png")
            page.close()

    def inspect(self, page, what):
        seen = page.run(INSPECTION)
        self.least, self.texts = min(self.least, seen["least"]), self.texts + seen["texts"]
        self.expect(what, seen["found"], [])

    CHECKS = (
        connects_to_nothing,
        imports_only_random,
        decodes,
        reads_logs,
        takes_files,
        replays,
        taps,
        saves,
        compares,
        compares_what_is_masked,
        fails_aloud,
        forgets_when_left,
        leaves_nothing,
        is_a_report,
        runs_the_article,
        works_without_a_worker,
        shows_progress,
        is_for_all_eyes,
    )
    # What is asked of another browser: that everything works there.
    ELSEWHERE = (
        decodes,
        reads_logs,
        takes_files,
        replays,
        taps,
        compares,
        compares_what_is_masked,
        fails_aloud,
        forgets_when_left,
        is_a_report,
    )


def imports(module):
    """Names of what a WebAssembly module imports."""

    def number(at):
        value = shift = 0
        while True:
            byte = module[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value, at

    found, at = [], 8
    while at < len(module):
        section = module[at]
        size, at = number(at + 1)
        if section == 2:
            count, place = number(at)
            for _ in range(count):
                names = []
                for _ in range(2):
                    length, place = number(place)
                    names.append(module[place : place + length].decode())
                    place += length
                found.append(".".join(names))
                if module[place] != 0:
                    return found + ["something else than functions"]
                _, place = number(place + 1)
        at += size
    return found


def main():
    parser = argparse.ArgumentParser(usage="look.py FILE.html [--pictures FOLDER] [--only WORD]")
    parser.add_argument("file")
    parser.add_argument("--pictures")
    parser.add_argument("--only", default="")
    call = parser.parse_args()
    if not os.path.isfile(call.file):
        print(f"{call.file}: no such file; Scripts/web makes it", file=sys.stderr)
        return 2
    if call.pictures:
        os.makedirs(call.pictures, exist_ok=True)
    well = True
    try:
        for browser in browsers():
            is_first = isinstance(browser, Chromium)
            look = Look(browser, call.file, call.pictures if is_first else None)
            well = everything(look, Look.CHECKS if is_first else Look.ELSEWHERE, call.only) and well
    except Unusable as problem:
        print(f"web: not looked at, {problem}", file=sys.stderr)
        return 77
    return 0 if well else 1


def everything(look, checks, only):
    """Whether all is well in one browser."""
    for check in checks:
        if only not in check.__name__:
            continue
        try:
            check(look)
        except Failed as problem:
            look.bad.append(f"{check.__name__}: {problem}")
    for line in look.bad:
        print(f"web: {look.browser.version}: {line}", file=sys.stderr)
    if look.bad:
        print(f"web: {len(look.bad)} of {look.done} checks failed", file=sys.stderr)
        return False
    contrast = f", least contrast {look.least:.2f} of {look.texts} texts" if look.texts else ""
    print(f"web: {look.done} checks in {look.browser.version}{contrast}")
    return True


if __name__ == "__main__":
    sys.exit(main())
