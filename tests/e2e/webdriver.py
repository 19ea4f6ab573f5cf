"""A headless Chromium, driven through chromedriver: W3C WebDriver (https://www.w3.org/TR/webdriver2/), and the DevTools
protocol where WebDriver has no command. Standard library only."""

import base64
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync")
START_SECONDS, CALL_SECONDS = 30, 30
TAB, ENTER = "\ue004", "\ue007"


def missing():
    """The programs that are needed and not installed."""
    return [name for name in ("chromedriver", "chromium") if not shutil.which(name)]


class BrowserError(Exception):
    """The browser refused a command, or did not answer in time."""


class Browser:
    """One session. A context manager, so that no process outlives it."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-browser-"))
        self.driver = self.session = None

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def _start(self):
        # It takes a free port itself; a group of its own, so that it can be ended with all it started.
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        self.address = f"http://127.0.0.1:{self._port()}"
        options = {"args": [*ARGUMENTS, f"--user-data-dir={self.folder / 'profile'}"],
                   "prefs": {"download.default_directory": str(self.downloads)}}
        self.downloads.mkdir()
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                        "timeouts": {"script": CALL_SECONDS * 1000, "pageLoad": CALL_SECONDS * 1000}}
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = "/session/" + made["sessionId"]
        self.scheme("light")
        self.open("about:blank")
        self.forget()

    def _port(self):
        lines = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in self.driver.stdout], daemon=True).start()
        end, said = time.monotonic() + START_SECONDS, ""
        while time.monotonic() < end and self.driver.poll() is None:
            try:
                said += lines.get(timeout=0.5)
            except queue.Empty:
                continue
            port = re.search(r"started successfully on port (\d+)", said)
            if port:
                return int(port[1])
        raise BrowserError(f"chromedriver did not start: {said}")

    @property
    def downloads(self):
        return self.folder / "downloads"

    def _call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=CALL_SECONDS + 5) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError(f"{path}: {value['error']}: {value['message']}") from None
        except OSError as error:
            raise BrowserError(f"{path}: {error}") from None

    # --- commands

    def open(self, url):
        self._call("POST", self.session + "/url", {"url": url})

    def run(self, script, *arguments):
        """What the body of a function returns that runs in the page; promises are waited for."""
        return self._call("POST", self.session + "/execute/sync", {"script": script, "args": arguments})

    def frame(self, number):
        """What `run` is asked of from now on: a frame of the page; None is the page itself."""
        self._call("POST", self.session + "/frame", {"id": number})

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self._call("GET", self.session + "/screenshot")))

    def devtools(self, command, **parameters):
        return self._call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def press(self, *keys):
        """Types keys one after the other, as on a keyboard."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": strokes}
        self._call("POST", self.session + "/actions", {"actions": [keyboard]})

    def scripts(self, allowed):
        """Whether pages that are opened from now on may run scripts; `run` always may."""
        self.devtools("Emulation.setScriptExecutionDisabled", value=not allowed)

    def width(self, pixels):
        self.devtools("Emulation.setDeviceMetricsOverride", width=pixels, height=900, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        """Light or dark; and without smooth scrolling, so that a link has led to its end when the page is asked."""
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name},
                                                              {"name": "prefers-reduced-motion", "value": "reduce"}])

    # --- what happened since it was asked last

    def complaints(self):
        """Messages of the console, uncaught exceptions, violations of the Content-Security-Policy."""
        log = self._call("POST", self.session + "/se/log", {"type": "browser"})
        return [f"{entry['level']} {entry.get('source', '')}: {entry['message']}" for entry in log]

    def requests(self, refused=True):
        """The addresses that pages asked for, with or without those that their Content-Security-Policy refused."""
        log = self._call("POST", self.session + "/se/log", {"type": "performance"})
        asked, blocked = [], set()
        for event in [json.loads(entry["message"])["message"] for entry in log]:
            parameters = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                asked.append((parameters["requestId"], parameters["request"]["url"]))
            elif event["method"] == "Network.loadingFailed" and parameters.get("blockedReason") == "csp":
                blocked.add(parameters["requestId"])
        return [url for id, url in asked if refused or id not in blocked]

    def forget(self):
        self.complaints()
        self.requests()

    # --- the end

    def close(self):
        if self.session:
            try:
                self._call("DELETE", self.session)
            except BrowserError:
                pass  # what is left of it is killed below
        if self.driver:
            kill_group(self.driver.pid)
            self.driver.wait()
            self.driver.stdout.close()
        for pid in self.left():
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def left(self):
        """Processes that still use this session's profile, whatever group they are in."""
        profile, found = str(self.folder).encode(), []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if profile in path.read_bytes():
                    found.append(int(path.parent.name))
            except OSError:
                continue  # it ended meanwhile
        return found


def kill_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass
