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
OFFICE_SECONDS = 3.0
"""When the page is there, what else it may need is made ready."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""The addresses that mean all of a machine's."""


class PortError(EvocheckersError):
    """A port or address that cannot be had."""


def play(
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's own open it to all.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(help="Another name that browsers ask for this server by, such as a proxy's; may be repeated."),
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
    breed: Annotated[
        bool,
        typer.Option("--breed/--no-breed", help="Let the page start evolutions, unless the server is open to others."),
    ] = True,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
) -> None:
    """Play, analyse and watch evolutions in the browser. Ctrl-C ends it; games are kept."""
    from evocheckers.endgames.files import ready_folder
    from evocheckers.web.app import ServerSettings, create_app
    from evocheckers.web.server import serve

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
        breeds=breed and ip_address(bound).is_loopback and not name,
        office_after_seconds=OFFICE_SECONDS,
    )
    app = create_app(settings)
    out = console()
    out.print(f"evocheckers is at {address} (Ctrl-C ends it; games are kept)", soft_wrap=True)
    out.print(f"games and networks: {settings.data}; runs: {runs}", soft_wrap=True)
    if browser:
        _open_soon(address)
    serve(app, listening)


def _written(host: str) -> str:
    """A host as it is written in an address."""
    return f"[{host}]" if ":" in host else host


def _names(host: str, bound: str, others: list[str]) -> list[str]:
    """The names that browsers may ask for the server by; so no other site can lead them here under its own."""
    from evocheckers.web.app import LOCAL_HOSTS

    own = [_written(host), _written(bound)]
    if bound in EVERYWHERE:
        machine = socket.gethostname()
        own += [machine, f"{machine}.local", socket.getfqdn()]
    return [*LOCAL_HOSTS, *own, *others]


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: the port asked for, or the usual one, or any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    fault: OSError | None = None
    for number in (PORT, 0) if port is None else (port,):
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends TCP's at once
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
