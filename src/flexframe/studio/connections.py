"""Connections that wait: bounded in time and number, so that half-open ones keep nobody out.

A connection is idle while no request of it is answered: before its first request has come whole, between requests,
and while it sends what nobody reads any more.
"""

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from flexframe.studio import bounds


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
