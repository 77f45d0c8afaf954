"""A page to attack, and a minimal client: one connection, one request at a time."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def serving(data: Path, *options: str, cores: Collection[int] = ()) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server on a free port and yield it with its address; it runs only on ``cores``, if given."""
    command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--port", "0", "--data", str(data)]
    if cores:
        command = ["taskset", "--cpu-list", ",".join(map(str, cores)), *command]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        told = process.stdout.readline() if process.stdout is not None else ""
        yield process, re.findall(r"http://[0-9.:]+", told)[0]
    finally:
        process.kill()
        process.communicate()


class RefusedError(Exception):
    """A response other than success."""

    def __init__(self, status: int, detail: object) -> None:
        self.status = status
        super().__init__(f"{status}: {detail}")


class Connection:
    """One connection to a server, opened on first use; cheap enough to have hundreds."""

    def __init__(self, url: str) -> None:
        host, port = url.removeprefix("http://").rstrip("/").split(":")
        self._host, self._port = host, int(port)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The response's JSON; anything but success raises ``RefusedError``."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port, limit=1 << 22)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: {len(data)}\r\n"
        writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n" + data)
        try:
            answered = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = re.search(r"content-length: ([0-9]+)", answered)
            content = await reader.readexactly(int(length[1])) if length else b""
        except (asyncio.IncompleteReadError, ConnectionError):
            self.close()
            raise
        if "connection: close" in answered:
            self.close()
        status = int(answered.split()[1])
        told = json.loads(content) if "application/json" in answered else content
        if status >= 300:
            raise RefusedError(status, told)
        return told

    async def post(self, path: str, body: Any = None) -> Any:
        """Send a POST request."""
        return await self.ask("POST", path, {} if body is None else body)

    async def get(self, path: str) -> Any:
        """Send a GET request."""
        return await self.ask("GET", path)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
