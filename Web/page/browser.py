# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, driven over its DevTools protocol through two pipes: no port, no library, no network.

Knows nothing of the page that is looked at.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Unusable(Exception):
    """No browser that works here."""


class Failed(Exception):
    """The browser refused a command, or a script in the page threw."""


class Browser:
    def __init__(self):
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if program is None:
            raise Unusable("no chromium here")
        self.folder = tempfile.mkdtemp(prefix="emv-look-")
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
        self.log = open(f"{self.folder}/log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            shell + arguments, pass_fds=(theirs, ours), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log
        )
        os.close(theirs)
        os.close(ours)
        self.rest, self.number, self.events = b"", 0, []
        try:
            self.version = self.call("Browser.getVersion")["product"]
        except Unusable:
            self.close()
            raise

    def _message(self, timeout=60):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.answers], [], [], timeout)
            data = os.read(self.answers, 1 << 16) if ready else b""
            if not data:
                raise Unusable("the browser of this machine ends or says nothing")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        try:
            os.write(self.commands, json.dumps(message).encode() + b"\0")
        except BrokenPipeError:
            raise Unusable("the browser of this machine does not start") from None
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)

    def page(self, address, **options):
        return Page(self, address, **options)

    def close(self):
        try:
            if self.process.poll() is None:
                self.call("Browser.close")
                self.process.wait(20)
        except (Unusable, Failed, subprocess.TimeoutExpired):
            self.process.kill()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """One tab. `before`: a script that runs before the page's own."""

    def __init__(self, browser, address, width=1280, height=900, dark=False, before=None):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.dark(dark)
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.call("Page.navigate", url=address)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def size(self, width, height=900):
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
