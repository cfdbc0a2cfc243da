# SPDX-License-Identifier: Apache-2.0
"""Firefox without a window, driven over WebDriver BiDi: a WebSocket of this machine, without a library. Its pages have
the methods of those of browser.py that checks of what is seen need.
"""

import base64
import json
import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import time

from browser import Failed, Unusable

NAMES = ("firefox-esr", "firefox")
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "End": "\ue010"}


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
            raise Unusable("firefox opens no session")

    def _more(self):
        self.connection.settimeout(60)
        data = self.connection.recv(1 << 16)
        if not data:
            raise Unusable("the firefox of this machine ends")
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


class Firefox:
    def __init__(self):
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if program is None:
            raise Unusable("no firefox here")
        self.folder = tempfile.mkdtemp(prefix="emv-look-")
        environment = dict(os.environ, HOME=self.folder, MOZ_HEADLESS="1", XDG_RUNTIME_DIR=self.folder)
        arguments = [program, "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0", "about:blank"]
        self.process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self.number, self.events = 0, []
        try:
            self.socket = Socket("127.0.0.1", self._port(), "/session")
            capabilities = self.call("session.new", capabilities={})["capabilities"]
            self.version = f"Firefox/{capabilities['browserVersion']}"
            self.call("session.subscribe", events=["log.entryAdded"])
        except (Unusable, Failed, OSError) as problem:
            self.close()
            raise Unusable(str(problem)) from None

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
        raise Unusable("the firefox of this machine does not start")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise Failed(f"{method}: {answer.get('message')}")
                return answer["result"]
            self.events.append(answer)

    def page(self, address, **_):
        return FirefoxPage(self, address)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def plain(value):
    """Of BiDi's notation of values."""
    if value["type"] == "array":
        return [plain(one) for one in value["value"]]
    if value["type"] == "object":
        return {key: plain(one) for key, one in value["value"]}
    return value.get("value")


class FirefoxPage:
    def __init__(self, browser, address):
        self.browser = browser
        self.context = browser.call("browsingContext.create", type="tab")["context"]
        browser.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, script):
        """The value of an expression, awaited."""
        answer = self.browser.call(
            "script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True
        )
        if answer["type"] == "exception":
            raise Failed(answer["exceptionDetails"]["text"])
        return plain(answer["result"])

    def wait(self, script, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except Failed:
                pass
            time.sleep(0.03)
        raise Failed(f"{what}: not seen within {seconds} s")

    def keys(self, *names):
        actions = [{"type": kind, "value": KEYS[name]} for name in names for kind in ("keyDown", "keyUp")]
        self.browser.call(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def complaints(self):
        found = [one["params"].get("text") or "" for one in self.browser.events if one["method"] == "log.entryAdded"]
        self.browser.events = []
        return found

    def requested(self):
        return []

    def close(self):
        self.browser.call("browsingContext.close", context=self.context)
