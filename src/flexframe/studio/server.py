"""The studio as a program: a free port on the loopback interface, the page in the browser.

Connections that wait are bounded in time and number, so that half-open ones keep nobody out. One is idle while no
request of it is answered: before its first request has come whole, between requests, and while it sends what
nobody reads any more.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from flexframe.errors import AnalysisError, FlexframeError, InputError
from flexframe.studio import bounds
from flexframe.studio.app import Studio, studio_app
from flexframe.studio.security import Access
from flexframe.studio.workspace import KEPT, Workspace


class PatientProtocol(H11Protocol):
    """HTTP/1.1 whose requests must come, and whose answers must be taken, in time."""

    _arrival: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait; where too many do, the one that has waited longest is closed."""
        super().connection_made(transport)
        self._wait()
        idle = [found for found in self.connections if isinstance(found, PatientProtocol) and found._arrival]
        if len(idle) > bounds.IDLE_CONNECTIONS:
            min(idle, key=lambda found: cast(asyncio.TimerHandle, found._arrival).when()).give_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clocks."""
        self._stop_waiting()
        self._stop_stalling()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Stop waiting as soon as a request is there."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif not self.transport.is_closing():
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request; one that has come already is begun here."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._wait()

    def pause_writing(self) -> None:
        """The reader is slower than the answer."""
        super().pause_writing()
        self._stall = self._stall or self.loop.call_later(bounds.STALL_SECONDS, self.give_up)

    def resume_writing(self) -> None:
        """The reader has taken most of it."""
        super().resume_writing()
        self._stop_stalling()

    def give_up(self) -> None:
        """Close at once, without a word: there may be nobody who reads it."""
        self._stop_waiting()
        self.connections.discard(self)  # now, and not when the loop comes to it: others may come before that
        self.transport.abort()

    def _wait(self) -> None:
        """Start the clock, unless it runs."""
        self._arrival = self._arrival or self.loop.call_later(bounds.HEAD_SECONDS, self.give_up)

    def _stop_waiting(self) -> None:
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None

    def _stop_stalling(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None


LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8517
TOKEN = "FLEXFRAME_STUDIO_TOKEN"
_SHORTEST_TOKEN = 20
_TRIED = 20
_LEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>flexframe studio</title>
</head>
<body><a href="{address}">Open the studio</a></body>
</html>
"""


def serve(
    case: Path | None,
    *,
    workspace: Path | None = None,
    port: int | None = None,
    at_once: int = 1,
    open_browser: bool = True,
    say: Callable[[str], None],
) -> None:
    """Serve the page until interrupted; `say` gets its address."""
    opened = None
    if case is not None:
        if not case.is_file():
            raise InputError(f"{case}: there is no such file; give the path of a case file")
        workspace, opened = workspace or case.parent, case.name
    folder = Workspace.at(workspace or Path.cwd())
    if opened is not None:
        folder.read_case(opened)
    access = _access()
    listener = _listener(port)
    studio = Studio(folder, access, opened, at_once)

    def new_address() -> str:
        return f"http://{LOOPBACK}:{listener.getsockname()[1]}/?code={access.issue()}"

    say(f"studio: {new_address()}")
    say(f"workspace: {folder.folder} (runs are kept in {KEPT}/); end with Ctrl-C")
    minutes = bounds.CODE_SECONDS / 60
    say(f"the address opens the studio once, within {minutes:g} minutes; Enter gives another")
    _prepare_signals()
    threading.Thread(target=_answer_keys, args=[lambda: say(f"studio: {new_address()}")], daemon=True).start()
    with listener, suppress(KeyboardInterrupt), _browser(folder, new_address, open_browser):
        studio_server(studio).run([listener])


def studio_server(studio: Studio) -> uvicorn.Server:
    """The server; its log has no addresses of requests, and so no secrets."""
    settings = uvicorn.Config(
        studio_app(studio),
        http=PatientProtocol,
        log_level="error",
        ws="none",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=bounds.IDLE_SECONDS,
        limit_concurrency=bounds.CONNECTIONS,
        h11_max_incomplete_event_size=bounds.MAX_HEAD,
    )
    return uvicorn.Server(settings)


def _prepare_signals() -> None:
    """End in order when asked to, and do not stop when keys are read in the background."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    if sys.platform != "win32":
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)


def _access() -> Access:
    """Secrets of this studio; the token of scripts may come from the environment, and is not left there."""
    given = os.environ.pop(TOKEN, None)
    if given is None:
        return Access()
    if len(given) < _SHORTEST_TOKEN or not (given.isascii() and given.isprintable()) or " " in given:
        raise InputError(
            f"{TOKEN}: {_SHORTEST_TOKEN} or more letters and digits are needed, so that nobody guesses it; "
            "make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return Access(given)


def _answer_keys(answer: Callable[[], None]) -> None:
    """A new address for each line that is typed, as long as there is somebody to type."""
    with suppress(OSError, ValueError, AttributeError):  # no input, or one of another program in the foreground
        # by its number: a thread that waits in Python's own reader would hold its lock at the end of the program
        while os.read(sys.stdin.fileno(), 4096):
            answer()


@contextmanager
def _browser(folder: Workspace, new_address: Callable[[], str], wanted: bool) -> Iterator[None]:
    """Show the page in the browser, by a file that only its owner can read.

    An address on a command line is seen by every user of the machine in the list of processes.
    """
    if not wanted:
        yield
        return
    try:
        folder.kept.mkdir(exist_ok=True)
        handle, name = mkstemp(prefix="open-", suffix=".html", dir=folder.kept)  # for its owner alone
    except (OSError, FlexframeError):  # a folder that cannot be written: the printed address is left
        yield
        return
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(_LEAD.format(address=new_address()))
    start = threading.Timer(0.8, webbrowser.open, [Path(name).as_uri()])
    end = threading.Timer(bounds.CODE_SECONDS, Path(name).unlink, [True])
    start.daemon = end.daemon = True
    start.start()
    end.start()
    try:
        yield
    finally:
        start.cancel()
        end.cancel()
        Path(name).unlink(missing_ok=True)


def _listener(port: int | None) -> socket.socket:
    """A socket on the wanted port, or on the first free one from the usual on."""
    wanted = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + _TRIED), 0]
    for number in wanted:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, number))
        except (OSError, OverflowError):
            listener.close()
            continue
        listener.listen(128)
        return listener
    raise AnalysisError(f"port {port} is taken or not allowed; give another with --port")
