"""A headless Chromium driven over its own protocol, without a driver program: open, run, click, type.

    with Browser.start() as browser:
        browser.open(path.as_uri())
        browser.run("document.title")

Every browser has a profile of its own, asks no network, and is ended with its process group.
"""

import asyncio
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import aiohttp

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
    *("--remote-debugging-port=0", "--window-size=1280,900", "about:blank"),
)

START_SECONDS = 60
"""A cold start of Chromium on a busy machine takes ten."""


def chromium() -> str | None:
    """The program, where there is one (Debian: apt-get install chromium)."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page in one browser."""

    def __init__(self, process: subprocess.Popen, profile: Path) -> None:
        self._process = process
        self._profile = profile
        self._loop = asyncio.new_event_loop()
        self._number = 0
        self.events: list[dict] = []

    @classmethod
    def start(cls) -> "Browser":
        profile = Path(tempfile.mkdtemp(prefix="report-browser-"))
        program = chromium()
        assert program
        process = subprocess.Popen(
            [program, f"--user-data-dir={profile}", *FLAGS],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        browser = cls(process, profile)
        try:
            browser._loop.run_until_complete(asyncio.wait_for(browser._connect(), START_SECONDS))
        except BaseException:
            browser.close()
            raise
        return browser

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def open(self, url: str) -> None:
        """Go there and wait until the page has loaded."""
        self.events.clear()
        self.command("Page.navigate", url="about:blank")  # a change of the fragment alone would load nothing
        self.wait("location.href === 'about:blank' && document.readyState === 'complete'")
        self.command("Page.navigate", url=url)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'")

    def run(self, script: str) -> object:
        """The value of a JavaScript expression; a promise is awaited. Raises AssertionError for an error."""
        reply = self.command(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    def wait(self, script: str, seconds: float = 30) -> None:
        """Until the expression is true; raises AssertionError after `seconds`."""
        end = time.monotonic() + seconds
        while not self.command("Runtime.evaluate", expression=script)["result"].get("value"):
            assert time.monotonic() < end, f"never became true: {script}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """A real click, by the mouse, in the middle of the element."""
        place = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect(); "
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        assert isinstance(place, list)
        for kind in ("mousePressed", "mouseReleased"):
            self.command(
                "Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1
            )

    def type(self, text: str) -> None:
        """Type into the focused element."""
        self.command("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press one key."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        codes = {"Enter": 13, "Escape": 27, "Tab": 9}
        more = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, **more)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def screenshot(self, path: Path) -> None:
        """The visible part as PNG."""
        path.write_bytes(base64.b64decode(self.command("Page.captureScreenshot")["data"]))

    def command(self, method: str, **parameters: object) -> dict:
        """One command of the protocol."""
        return self._loop.run_until_complete(asyncio.wait_for(self._command(method, **parameters), 60))

    def close(self) -> None:
        """End the browser and forget its profile."""
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if hasattr(self, "_session"):
            self._loop.run_until_complete(self._session.close())
        self._loop.close()
        shutil.rmtree(self._profile, ignore_errors=True)

    async def _connect(self) -> None:
        ports = self._profile / "DevToolsActivePort"
        while not (ports.exists() and "\n" in ports.read_text()):
            assert self._process.poll() is None, "the browser ended while it started"
            await asyncio.sleep(0.05)
        port = ports.read_text().split("\n")[0]
        self._session = aiohttp.ClientSession()
        async with self._session.get(f"http://127.0.0.1:{port}/json/list") as reply:
            pages = [entry for entry in await reply.json() if entry["type"] == "page"]
        self._socket = await self._session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await self._command(f"{domain}.enable")
        # A click must not aim at what a smooth scroll still carries along.
        still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        await self._command("Emulation.setEmulatedMedia", features=still)

    async def _command(self, method: str, **parameters: object) -> dict:
        self._number += 1
        number = self._number
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            message = json.loads((await self._socket.receive()).data)
            if message.get("id") == number:
                assert "error" not in message, message["error"]
                return message["result"]
            self.events.append(message)
