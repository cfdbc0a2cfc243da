# SPDX-License-Identifier: Apache-2.0
"""Drives headless browsers without a library and without a network: Chromium through two pipes with its DevTools
protocol, Firefox through a local WebSocket with WebDriver BiDi.

The driver knows nothing of the pages that it opens. Pages of both browsers have `run`, `wait`, `keys`, `size`,
`complaints` and `close`; those of Chromium have more.
"""

import base64
import fcntl
import json
import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import time

WIDE = (1280, 900)


class Unusable(Exception):
    """No browser that works here."""


class Failed(Exception):
    """The browser ended or refused a command, or a script in the page threw."""


def browsers():
    """Chromium, then Firefox where there is one; each is closed when the next is asked for.

    Raises Unusable where there is no Chromium.
    """
    for kind in (Chromium, Firefox):
        try:
            browser = kind()
        except Unusable as problem:
            if kind is Chromium:
                raise
            print(f"in Chromium alone, {problem}")
            return
        try:
            yield browser
        finally:
            browser.close()


class Browser:
    """What both have in common: a process with a folder of its own, numbered commands and their answers."""

    names = ()

    def __init__(self):
        program = next((path for path in map(shutil.which, self.names) if path), None)
        if program is None:
            raise Unusable(f"no {self.names[0]} here")
        self.folder = tempfile.mkdtemp(prefix="emv-look-")
        self.number, self.events, self.process = 0, [], None
        try:
            self.version = self.start(program)
        except (Failed, OSError) as problem:
            self.close()
            raise Unusable(str(problem)) from None

    def call(self, method, envelope=None, **parameters):
        """The result of a command; events that come before it are kept."""
        self.number += 1
        try:
            self.send(json.dumps({"id": self.number, "method": method, "params": parameters} | (envelope or {})))
            answer = self.answer()
        except OSError as problem:
            raise Failed(f"{method}: the browser of this machine ends: {problem}") from None
        if "error" in answer:
            raise Failed(f"{method}: {answer.get('message') or answer['error']['message']}")
        return answer["result"]

    def answer(self):
        """The answer to the last command."""
        while True:
            message = json.loads(self.receive())
            if message.get("id") == self.number:
                return message
            self.events.append(message)

    def end(self):
        """Asks the process to end."""
        self.process.terminate()

    def close(self):
        if self.process:
            try:
                if self.process.poll() is None:
                    self.end()
                self.process.wait(20)
            except (Failed, OSError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """One tab."""

    def wait(self, script, what, seconds=20):
        """Until the expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except Failed:
                pass
            time.sleep(0.03)
        raise Failed(f"{what}: not seen within {seconds} s")


class Chromium(Browser):
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

    def start(self, program):
        ends = os.pipe() + os.pipe()
        # Above those that the browser wants.
        theirs, self.commands, self.answers, ours = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
        for end in ends:
            os.close(end)
        arguments = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
            "--remote-debugging-pipe",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={self.folder}/profile",
        ]
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        shell = ["bash", "-c", f'exec 3<&{theirs} 4>&{ours} {theirs}<&- {ours}>&-; exec "$@"', "_"]
        with open(f"{self.folder}/log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                shell + arguments, pass_fds=(theirs, ours), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        os.close(theirs)
        os.close(ours)
        self.rest = b""
        return self.call("Browser.getVersion")["product"]

    def send(self, text):
        os.write(self.commands, text.encode() + b"\0")

    def receive(self, timeout=60):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.answers], [], [], timeout)
            data = os.read(self.answers, 1 << 16) if ready else b""
            if not data:
                raise Failed("the browser of this machine ends or says nothing")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return message

    def page(self, address, **options):
        return ChromiumPage(self, address, **options)

    def end(self):
        self.call("Browser.close")


class ChromiumPage(Page):
    """`before`: a script that runs before the page's own."""

    def __init__(self, browser, address, size=WIDE, dark=False, before=None):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.envelope = {"sessionId": session}
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(*size)
        self.dark(dark)
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.call("Page.navigate", url=address)

    def call(self, method, **parameters):
        return self.browser.call(method, self.envelope, **parameters)

    def size(self, width, height=WIDE[1]):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def dark(self, dark, media=""):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, script):
        """The value of an expression, awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failed(details.get("exception", {}).get("description", details["text"]).split("\n")[0])
        return result["result"].get("value")

    def keys(self, *names):
        for name in names:
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def unnamed(self):
        """Controls that a screen reader has no name for, as the browser tells it."""
        kinds = ("button", "checkbox", "combobox", "link", "listbox", "radio", "spinbutton", "switch", "tab", "textbox")
        found = []
        for node in self.call("Accessibility.getFullAXTree")["nodes"]:
            role, name = (node.get(key, {}).get("value") for key in ("role", "name"))
            if not node["ignored"] and str(role).lower() in kinds and not (name or "").strip():
                found.append(role)
        return found

    def picture(self, path, height=None):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height or min(size["height"], 8000), "scale": 1}
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the console holds of this page and its workers since the last time."""
        found = []
        for event in self.browser.events:
            parameters = event.get("params", {})
            if event["method"] == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        self.browser.events = [one for one in self.browser.events if one["method"].startswith("Network.")]
        return found

    def requested(self):
        """Addresses that were asked for since the last time, without the page's own memory."""
        found = [
            one["params"]["request"]["url"]
            for one in self.browser.events
            if one["method"] == "Network.requestWillBeSent"
        ]
        self.browser.events = [one for one in self.browser.events if not one["method"].startswith("Network.")]
        return [address for address in found if not address.startswith("blob:")]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


class Socket:
    """A WebSocket (RFC 6455) that sends and receives texts."""

    def __init__(self, host, port, path):
        self.connection = socket.create_connection((host, port), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.connection.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self._more()
        answer, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise Failed("firefox opens no session")

    def _more(self):
        self.connection.settimeout(60)
        data = self.connection.recv(1 << 16)
        if not data:
            raise Failed("the firefox of this machine ends")
        self.rest += data

    def _take(self, count):
        while len(self.rest) < count:
            self._more()
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        if size < 126:
            head = bytes([0x81, 0x80 | size])
        elif size < 1 << 16:
            head = b"\x81\xfe" + size.to_bytes(2, "big")
        else:
            head = b"\x81\xff" + size.to_bytes(8, "big")
        pad = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(pad, "big")).to_bytes(size, "big")
        self.connection.sendall(head + mask + masked)

    def receive(self):
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size > 125:
                size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
            data = self._take(size)
            if first & 0x0F <= 2:
                text += data
                if first & 0x80:
                    return text.decode()


class Firefox(Browser):
    names = ("firefox-esr", "firefox")

    def start(self, program):
        environment = dict(os.environ, HOME=self.folder, MOZ_HEADLESS="1", XDG_RUNTIME_DIR=self.folder)
        arguments = [program, "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0", "about:blank"]
        self.process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self.socket = Socket("127.0.0.1", self._port(), "/session")
        self.send, self.receive = self.socket.send, self.socket.receive
        capabilities = self.call("session.new", capabilities={})["capabilities"]
        self.call("session.subscribe", events=["log.entryAdded"])
        return f"Firefox/{capabilities['browserVersion']}"

    def _port(self):
        said, end = b"", time.monotonic() + 60
        while time.monotonic() < end:
            ready, _, _ = select.select([self.process.stderr], [], [], 1)
            data = os.read(self.process.stderr.fileno(), 4096) if ready else None
            if data == b"":
                break
            said += data or b""
            found = re.search(rb"ws://127\.0\.0\.1:(\d+)", said)
            if found:
                return int(found.group(1))
        raise Failed("the firefox of this machine does not start")

    def page(self, address, **_):
        return FirefoxPage(self, address)


def plain(value):
    """Of BiDi's notation of values."""
    if value["type"] == "array":
        return [plain(one) for one in value["value"]]
    if value["type"] == "object":
        return {key: plain(one) for key, one in value["value"]}
    return value.get("value")


class FirefoxPage(Page):
    CODES = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "End": "\ue010"}

    def __init__(self, browser, address):
        self.browser = browser
        self.context = browser.call("browsingContext.create", type="tab")["context"]
        browser.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def size(self, width, height=WIDE[1]):
        viewport = {"width": width, "height": height}
        self.browser.call("browsingContext.setViewport", context=self.context, viewport=viewport)

    def run(self, script):
        """The value of an expression, awaited."""
        answer = self.browser.call(
            "script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True
        )
        if answer["type"] == "exception":
            raise Failed(answer["exceptionDetails"]["text"])
        return plain(answer["result"])

    def keys(self, *names):
        actions = [{"type": kind, "value": self.CODES[name]} for name in names for kind in ("keyDown", "keyUp")]
        self.browser.call(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def complaints(self):
        found = [one["params"].get("text") or "" for one in self.browser.events if one["method"] == "log.entryAdded"]
        self.browser.events = []
        return found

    def close(self):
        self.browser.call("browsingContext.close", context=self.context)
