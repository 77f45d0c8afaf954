"""Firefox as it is installed, driven by WebDriver BiDi over its own socket: Playwright drives patched builds only.

Small on purpose: a WebSocket of text frames, a command at a time, and what the tests need of a page.
"""

import base64
import itertools
import json
import os
import re
import secrets
import shutil
import socket
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
START_SECONDS, ANSWER_SECONDS = 60.0, 30.0


class Socket:
    """A WebSocket of texts, as a client."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), ANSWER_SECONDS)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._socket.sendall(
            f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._file = self._socket.makefile("rb")
        if b" 101 " not in self._file.readline():
            raise ConnectionError("Firefox does not speak WebSocket")
        while self._file.readline() != b"\r\n":
            pass

    def send(self, text: str) -> None:
        data, mask = text.encode(), secrets.token_bytes(4)
        if len(data) < 126:
            head = struct.pack("!BB", 0x81, 0x80 | len(data))
        elif len(data) < 1 << 16:
            head = struct.pack("!BBH", 0x81, 0xFE, len(data))
        else:
            head = struct.pack("!BBQ", 0x81, 0xFF, len(data))
        repeated = mask * (len(data) // 4 + 1)
        self._socket.sendall(head + mask + bytes(a ^ b for a, b in zip(data, repeated, strict=False)))

    def receive(self) -> str:
        whole = b""
        while True:
            first, size = self._file.read(2)
            if size > 125:
                size = struct.unpack("!H" if size == 126 else "!Q", self._file.read(2 if size == 126 else 8))[0]
            data = self._file.read(size)
            if first & 0x0F in (0, 1):
                whole += data
                if first & 0x80:
                    return whole.decode()

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Firefox:
    """A headless Firefox with one page, and its complaints."""

    def __init__(self, profile: Path) -> None:
        assert FIREFOX is not None
        (profile / "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n')
        command = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(profile)]
        self._log = profile / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "HOME": str(profile)})
        self._numbers = itertools.count(1)
        self.faults: list[str] = []
        try:
            self._socket = Socket(self._port())
            self._ask("session.new", capabilities={})
            self._ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
            self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        except BaseException:
            self.close()
            raise

    def _port(self) -> int:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if found := re.search(r"BiDi listening on ws://127\.0\.0\.1:(\d+)", self._log.read_text(errors="replace")):
                return int(found[1])
            time.sleep(0.1)
        raise TimeoutError(f"Firefox does not listen: {self._log.read_text(errors='replace')[-500:]}")

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.receive())
            if answer.get("type") == "event":
                self._note(answer["method"], answer["params"])
            elif answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def _note(self, method: str, event: Any) -> None:
        if method == "log.entryAdded" and event["level"] == "error":
            self.faults.append(event["text"])
        if method == "network.beforeRequestSent" and not re.match(
            r"http://127\.0\.0\.1:|data:|about:", event["request"]["url"]
        ):
            self.faults.append(event["request"]["url"])

    def size(self, width: int, height: int) -> None:
        self._ask("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def open(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def run(self, expression: str) -> Any:
        """The value of an expression of the page, by way of JSON."""
        target, code = {"context": self._context}, f"Promise.resolve({expression}).then(JSON.stringify)"
        answer = self._ask("script.evaluate", expression=code, target=target, awaitPromise=True)
        if answer["type"] != "success":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def wait(self, expression: str) -> None:
        """Until an expression of the page is true."""
        end = time.monotonic() + ANSWER_SECONDS
        while not self.run(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{expression}; the page says {self.run('document.body.innerText')[:300]!r}")
            time.sleep(0.05)

    def pointer(self, path: list[tuple[float, float]], kind: str = "mouse") -> None:
        """Press at the first place, go along, let go at the last."""
        (x, y), *rest = [(round(x), round(y)) for x, y in path]
        actions: list[dict[str, Any]] = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        actions += [{"type": "pointerMove", "x": x, "y": y, "duration": 50} for x, y in rest]
        actions.append({"type": "pointerUp", "button": 0})
        source = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}
        self._ask("input.performActions", context=self._context, actions=[source])

    def says(self, selector: str, text: str) -> None:
        """Until an element that is there holds a text."""
        self.wait(f"[...document.querySelectorAll({selector!r})].some((one) => one.textContent.includes({text!r}))")

    def click(self, selector: str) -> None:
        """Press the middle of the first such element, once it is there and can be pressed."""
        self.wait(f"document.querySelector({selector!r}) && !document.querySelector({selector!r}).disabled")
        x, y = self.run(
            f"((one) => {{ one.scrollIntoView({{block: 'center'}}); const box = one.getBoundingClientRect();"
            f" return [box.x + box.width / 2, box.y + box.height / 2]; }})(document.querySelector({selector!r}))"
        )
        self.pointer([(x, y)])

    def keys(self, *keys: str) -> None:
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._ask(
            "input.performActions", context=self._context, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self._context)["data"])

    def close(self) -> None:
        if hasattr(self, "_socket"):
            self._socket.close()
        self._process.kill()
        self._process.wait()
