"""Connections that wait keep nobody out.

The names of tests begin with the line of `docs/reference/studio-security.md` that they show.
"""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from tests.studio.conftest import PATIENCE, TOKEN
from tests.studio.live import asked, eventually, listening

from flexframe.studio import bounds
from flexframe.studio.app import Studio

MANY = 3 * bounds.CONNECTIONS
HEAD = f"Host: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"


@contextmanager
def _connected(port: int, sent: str = "", count: int = 1) -> Iterator[list[socket.socket]]:
    with ExitStack() as held:
        made = []
        for _ in range(count):
            made.append(held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)))
            made[-1].sendall(sent.encode())
        yield made


def _end(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection, which it must."""
    received = b""
    try:
        while part := connection.recv(1 << 16):
            received += part
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize(
    "sent",
    ["", "GET /api/about HTT", f"GET /api/about HTTP/1.1\r\n{HEAD}", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
)
def test_u5_many_connections_that_wait_leave_room_for_others(studio: Studio, sent: str) -> None:
    """Three times as many as there may be, none of them too old; those of the last kind were answered."""
    with listening(studio) as port, _connected(port, sent, MANY) as connections:
        for connection in connections if sent.endswith("\r\n\r\n") else ():
            with suppress(ConnectionResetError):
                connection.recv(1)  # it is answered: while it is being answered, it does not wait
        for _ in range(5):
            assert asked(port, "GET", "/api/about")[0] == 200


@pytest.mark.parametrize("sent", ["", "GET /api/about HTT", f"GET /api/about HTTP/1.1\r\n{HEAD}"])
def test_u5_a_request_that_does_not_come_is_given_up(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    monkeypatch.setattr(bounds, "HEAD_SECONDS", 0.3)
    with listening(studio) as port, _connected(port, sent, 5) as connections:
        assert [_end(connection) for connection in connections] == 5 * [b""]


def test_u5_a_request_that_drips_is_given_up(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then does not start the clock anew, not even after a request that was answered."""
    monkeypatch.setattr(bounds, "HEAD_SECONDS", 1.0)
    whole = f"GET /api/about HTTP/1.1\r\n{HEAD}\r\n"
    with listening(studio) as port, _connected(port, whole) as (connection,):
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
        connection.settimeout(0.1)
        closed = False

        def drip() -> bool:
            nonlocal closed
            try:
                connection.sendall(b"G")
                closed = connection.recv(1 << 16) == b""
            except TimeoutError:
                pass
            except OSError:
                closed = True
            return closed

        assert eventually(drip)


def test_u5_a_body_that_stops_is_given_up(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(bounds, "HEAD_SECONDS", 0.3)
    for path, method in (("/api/check", "POST"), ("/api/files/a.inp", "PUT")):
        sent = f"{method} {path} HTTP/1.1\r\n{HEAD}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
        with listening(studio) as port, _connected(port, sent) as (connection,):
            answer = _end(connection)
            assert answer.startswith(b"HTTP/1.1 408")
            assert "stopped in the middle" in json.loads(answer.partition(b"\r\n\r\n")[2])["detail"]


def test_u5_the_body_of_a_stranger_is_not_awaited(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "HEAD_SECONDS", 0.3)
    sent = "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n{"
    with listening(studio) as port, _connected(port, sent) as (connection,):
        assert _end(connection).startswith(b"HTTP/1.1 401")


def test_u5_an_answer_that_nobody_takes_is_given_up(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than the buffers of any system hold, and not a byte of it is read before the server gives up."""
    monkeypatch.setattr(bounds, "STALL_SECONDS", 0.3)
    count = 60
    with listening(studio) as port:
        size = len(asked(port, "GET", "/assets/studio.js")[1])
        assert count * size > 50_000_000
        with _connected(port, count * f"GET /assets/studio.js HTTP/1.1\r\n{HEAD}\r\n") as (connection,):

            def is_reset() -> bool:
                return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0 or _is_closed(connection)

            assert eventually(is_reset)
            connection.settimeout(PATIENCE)
            assert len(_end(connection)) < count * size
        assert asked(port, "GET", "/api/about")[0] == 200


def _is_closed(connection: socket.socket) -> bool:
    """Whether nothing can be sent any more."""
    try:
        connection.sendall(b"\r\n")
    except OSError:
        return True
    return False


def test_a_head_without_end_is_refused(studio: Studio) -> None:
    sent = f"GET /api/about HTTP/1.1\r\n{HEAD}X-Long: {'x' * (2 * bounds.MAX_HEAD)}"
    with listening(studio) as port, _connected(port, sent) as (connection,):
        assert _end(connection)[:12] in (b"HTTP/1.1 400", b"")
