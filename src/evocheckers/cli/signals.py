"""How the command stops on Ctrl-C (SIGINT) or SIGTERM: with one line and status 130 or 143.

Before the work begins and after it has ended, it exits at once. In between, the first signal is raised as
``KeyboardInterrupt``, so that cleanup can run; a second one exits at once. A thread listens too, for the times when the
main thread is inside code that is not Python's.
"""

import atexit
import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_GRACE_SECONDS = 3.0
"""Time for cleanup after SIGTERM."""
_MOMENT_SECONDS = 0.05


def leave_on_signal() -> None:
    """From now on, exit at once on a signal."""
    _handle(_leave)


def raise_on_signal() -> list[int]:
    """From now on, raise ``KeyboardInterrupt`` on a signal; returns a list to which the signal's number is added."""
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if received:
            _leave(number, frame)
        received.append(number)
        raise KeyboardInterrupt

    def not_raised(lost: "sys.UnraisableHookArgs") -> None:
        if received and lost.exc_type is KeyboardInterrupt:  # it came where Python cannot raise, in a destructor
            _leave(received[-1])
        sys.__unraisablehook__(lost)

    sys.unraisablehook = not_raised
    _listen()
    _handle(interrupt)
    return received


def end(number: int) -> NoReturn:
    """Exit at once after cleanup, since Python's own shutdown takes most of a second once Numba is loaded."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # it may be closed or missing
            stream.flush()
    atexit._run_exitfuncs()
    _leave(number)


def _leave(number: int, _: FrameType | None = None) -> NoReturn:
    with suppress(OSError):  # standard error may be closed
        os.write(2, f"evocheckers: {_WORDS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


def _handle(handler: "signal._HANDLER") -> None:
    for number in _WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # which nohup sets
            signal.signal(number, handler)


def _listen() -> None:
    """Exit when the main thread cannot: while it compiles, at the second signal, or after SIGTERM's grace period."""
    import socket
    import threading

    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)

    def listen(_: socket.socket) -> None:
        while (number := ear.recv(1)[0]) not in _WORDS:
            pass
        deadline = time.monotonic() + _GRACE_SECONDS
        ear.settimeout(_MOMENT_SECONDS)
        while True:
            try:
                again = ear.recv(1)[0] in _WORDS
            except TimeoutError:
                again = False
            late = number == signal.SIGTERM and time.monotonic() > deadline
            if late or _is_compiling():
                _leave(number)
            if again:
                time.sleep(_MOMENT_SECONDS)
                _leave(number)

    threading.Thread(target=listen, args=(mouth,), name="signals", daemon=True).start()  # keeps the socket open too


def _is_compiling() -> bool:
    """Whether machine code is being compiled: for seconds Python notices no signals, and nothing else happens."""
    module = sys.modules.get("evocheckers.native.compile")
    return bool(module and module.compiling.depth)
