"""The studio as a program: a free port on the loopback interface, the page in the browser."""

import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe

import uvicorn

from flexframe.errors import AnalysisError, InputError
from flexframe.studio.app import Studio, studio_app
from flexframe.studio.workspace import KEPT, Workspace

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8517
_TRIED = 20


def serve(
    case: Path | None,
    *,
    workspace: Path | None = None,
    port: int | None = None,
    at_once: int = 1,
    open_browser: bool = True,
    say: Callable[[str], None],
) -> None:
    """Serve the page until interrupted; `say` is told its address."""
    opened = None
    if case is not None:
        if not case.is_file():
            raise InputError(f"{case}: there is no such file; give the path of a case file")
        workspace, opened = workspace or case.parent, case.name
    folder = Workspace.at(workspace or Path.cwd())
    if opened is not None:
        folder.read_case(opened)
    listener = _listener(port)
    token = token_urlsafe(24)
    address = f"http://{LOOPBACK}:{listener.getsockname()[1]}/?token={token}"
    studio = Studio(folder, token, opened, at_once)
    settings = uvicorn.Config(
        studio_app(studio),
        log_level="error",
        ws="none",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=64,
        h11_max_incomplete_event_size=65536,
    )
    say(f"studio: {address}")
    say(f"workspace: {folder.folder} (runs are kept in {KEPT}/); end with Ctrl-C")
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    with listener, suppress(KeyboardInterrupt):  # the way to end it
        uvicorn.Server(settings).run([listener])


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
