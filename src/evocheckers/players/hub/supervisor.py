"""A small program between this one and an engine, so that nothing the engine starts outlives it.

``python supervisor.py LIFE STATUS COMMAND...`` runs a command on its own standard input and output. It ends the command
on a signal, or when the pipe LIFE is closed, which also happens when the process at its other end is killed. If the
command cannot be started, the error number is written to the pipe STATUS. When the command has ended, all processes
that it left behind are killed, and the supervisor ends as the command did. On Linux these are all its descendants, in
whatever session and however often they forked, since a process that loses its parent becomes a child of the supervisor.
Elsewhere they are those of its process group. This module imports nothing from the package, so that it starts quickly.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

QUIT_SECONDS = 1.0
"""How long an engine may take to end, first when asked, then after a signal."""
KILL_SECONDS = 5.0
"""How long to try to kill processes that start others faster than they are killed, or that we may not kill."""
LOOK_SECONDS = 0.02
_PR_SET_CHILD_SUBREAPER = 36


class Supervisor:
    """A command, its processes and the signs that they should end."""

    def __init__(self, life: int, command: list[str]) -> None:
        self._life = life
        self._must_end = False
        self._status: int | None = None
        self._wake, wake_write = os.pipe()
        for end in (self._wake, wake_write):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(sign, self._ask_to_end)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._engine = subprocess.Popen(command, start_new_session=True).pid  # noqa: S603 - the user names the program

    def watch(self) -> int:
        """Wait for the command to end, or end it; kill everything it started. Return its status, as ``wait`` gives
        it."""
        while self._reap() and self._status is None and not self._must_end:
            self._look(None)
        if self._status is None:
            self._signal_group(signal.SIGTERM)
            self._reap_for(QUIT_SECONDS, until_engine_ends=True)
        self._signal_group(signal.SIGKILL)
        self._reap_for(KILL_SECONDS, until_engine_ends=sys.platform != "linux")
        return self._status if self._status is not None else signal.SIGKILL

    def _ask_to_end(self, *_: object) -> None:
        self._must_end = True

    def _look(self, seconds: float | None) -> None:
        """Wait for a child to end or for a sign."""
        watched = [self._wake] if self._must_end else [self._wake, self._life]
        ready = select.select(watched, [], [], seconds)[0]
        if self._wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, 4096)
        self._must_end |= self._life in ready

    def _reap(self) -> bool:
        """Collect the children that have ended; return whether others remain."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self._engine:
                    self._status = status
        return False

    def _reap_for(self, seconds: float, *, until_engine_ends: bool) -> None:
        deadline = time.monotonic() + seconds
        while self._reap() and time.monotonic() < deadline:
            if until_engine_ends:
                if self._status is not None:
                    return
            else:
                for pid in children(os.getpid()):  # their children become ours, and are killed the next time
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
            self._look(LOOK_SECONDS)

    def _signal_group(self, sign: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._engine, sign)


def children(parent: int) -> list[int]:
    """The child processes of ``parent``, from what Linux reports of every process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            after_name = (folder / "stat").read_text(errors="replace").rpartition(")")[2]
            if int(after_name.split()[1]) == parent:
                found.append(int(folder.name))
    return found


def _end_like(status: int) -> NoReturn:
    """End with the same exit status, or by the same signal."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sign = os.WTERMSIG(status)
        if sign not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(sign, signal.SIG_DFL)
        os.kill(os.getpid(), sign)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def main() -> NoReturn:
    """Run a command to its end."""
    life, status, *command = sys.argv[1:]
    try:
        supervisor = Supervisor(int(life), command)
    except OSError as error:
        os.write(int(status), str(error.errno).encode())
        os._exit(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for end in (0, 1):  # only the engine uses these
        os.dup2(nothing, end)
    os.close(int(status))
    _end_like(supervisor.watch())


if __name__ == "__main__":
    main()
