"""``evocheckers play``: the page in the browser."""

import socket
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer

from evocheckers.cli.options import RepetitionOption, ThreadsOption
from evocheckers.cli.output import announce_compilation, console
from evocheckers.errors import EvocheckersError

PORT = 8650
BACKLOG = 1024
WORKER_SECONDS = 3.0
"""Delay after the page is up before the worker is started."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""Addresses that mean all of the machine's own."""


class PortError(EvocheckersError):
    """A port or address that is not available."""


def play(
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but this machine's own lets others connect.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(help="Another host name of this server, such as a proxy's; may be repeated."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help=f"Port; {PORT} or another free one by default.")
    ] = None,
    runs: Annotated[Path, typer.Option(help="Folder of run files to watch and to play against.")] = Path("runs"),
    data: Annotated[
        Path | None, typer.Option(help="Folder for games and networks; the user's data folder by default.")
    ] = None,
    repetition: RepetitionOption = True,
    threads: ThreadsOption = 1,
    evolve: Annotated[
        bool,
        typer.Option("--evolve/--no-evolve", help="Let the page start evolutions, unless it is open to others."),
    ] = True,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
) -> None:
    """Play, analyse and watch evolutions in the browser. Ctrl-C ends it; games are kept."""
    from evocheckers.endgames.files import ready_folder
    from evocheckers.page.app import ServerSettings, create_app
    from evocheckers.page.server import serve

    listening = _listen(host, port)
    bound, number = listening.getsockname()[:2]
    is_everywhere = bound in EVERYWHERE
    address = f"http://{'127.0.0.1' if is_everywhere else _written(host)}:{number}/"
    announce_compilation()
    hosts = _names(host, bound, name or [])
    settings = ServerSettings(
        ready_folder(data),
        runs,
        hosts=hosts,
        any_address=is_everywhere,
        repetition=repetition,
        threads=threads,
        evolves=evolve and ip_address(bound).is_loopback and not name,
        worker_after_seconds=WORKER_SECONDS,
    )
    app = create_app(settings)
    out = console()
    out.print(f"evocheckers is at {address} (Ctrl-C ends it; games are kept)", soft_wrap=True)
    out.print(f"games: {settings.data}; network files: {settings.networks}; runs: {runs}", soft_wrap=True)
    if browser:
        _open_soon(address)
    serve(app, listening)


def _written(host: str) -> str:
    """A host as written in a URL."""
    return f"[{host}]" if ":" in host else host


def _names(host: str, bound: str, others: list[str]) -> list[str]:
    """The host names that browsers may use for the server; others are refused, so that no other site can pose as it."""
    from evocheckers.page.app import LOCAL_HOSTS

    own = [_written(host), _written(bound)]
    if bound in EVERYWHERE:
        machine = socket.gethostname()
        own += [machine, f"{machine}.local", socket.getfqdn()]
    return [*LOCAL_HOSTS, *own, *others]


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the given port, or else on the usual one or any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    fault: OSError | None = None
    for number in (PORT, 0) if port is None else (port,):
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so that asyncio sets TCP_NODELAY
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            fault = error
            continue
        return listening
    raise PortError(f"cannot listen on {host} port {port or PORT}: {fault.strerror if fault else ''}")


def _open_soon(address: str) -> None:
    import threading
    import webbrowser

    timer = threading.Timer(0.7, webbrowser.open, (address,))
    timer.daemon = True
    timer.start()
