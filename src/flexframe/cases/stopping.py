"""Computations that end when they are asked to: by SIGTERM or Ctrl-C, or at a bound of time or memory.

Python hears a signal between two of its own steps; the loops of the core return to it ten times a second. One call
of LAPACK or PARDISO cannot be left, and some do not let any other thread of Python run: there a thread of the core
ends the process after some patience.
"""

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from types import FrameType
from typing import Any

from flexframe import _core
from flexframe.errors import InputError, StopRequest
from flexframe.maths.solver_settings import used_memory

PATIENCE = 0.7  # s from a signal until a process ends that does not hear it
BOUND_PATIENCE = 10.0  # s, the same beyond a bound: results that are there already would be lost
LOOK_EVERY = 0.1  # s between two looks at time and memory
_WORDS = {"SIGINT": "interrupted", "SIGTERM": "stopped by SIGTERM"}
_BOUND_CODE = 3
_LEFT = "{}; a call of the linear algebra was left"
_resorts: list[_core.LastResort] = []  # the one that listens, if one does


def _signal_codes() -> dict[int, str]:
    return {int(getattr(signal, name)): words for name, words in _WORDS.items() if hasattr(signal, name)}


def _request_of(number: int) -> StopRequest:
    return StopRequest(_signal_codes()[number], 128 + number)


def _on_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def stop_signals() -> Iterator[None]:
    """SIGTERM and Ctrl-C raise `StopRequest` inside.

    If that is not heard for `PATIENCE`, since the process is inside one call of a library, another thread says so,
    removes the lock files and ends the process there.
    """
    if not _on_main_thread():
        yield
        return

    def ask(number: int, _frame: FrameType | None) -> None:
        _set_heard(True)
        raise _request_of(number)

    before: dict[int, Any] = {}
    with _deaf_process_ended():
        try:
            for number in _signal_codes():
                before[number] = signal.signal(number, ask)
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _deaf_process_ended() -> Iterator[None]:
    """A thread of the core that knows of a signal at once and ends the process where nobody hears it."""
    if sys.platform == "win32":  # no pipes to wait for
        yield
        return
    here, there = os.pipe()
    os.set_blocking(there, False)
    resort = _core.LastResort(f"/dev/fd/{here}")
    _resorts.append(resort)
    for number in _signal_codes():
        _answer(number, _request_of(number), PATIENCE)
    earlier = signal.set_wakeup_fd(there, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(earlier)
        os.close(there)
        resort.join()
        _resorts.remove(resort)
        os.close(here)


def _answer(number: int, request: StopRequest, patience: float) -> None:
    """How a process ends that does not hear this signal."""
    for resort in _resorts:
        resort.answer(number, _LEFT.format(request.reason), request.exit_code, patience)


def _set_heard(heard: bool) -> None:
    for resort in _resorts:
        resort.set_heard(heard)


@dataclass(eq=False)
class Bounds:
    """Wall time [s] and memory of the process [bytes] that a computation may take; None is no bound."""

    max_time: float | None = None
    max_memory: float | None = None
    request: StopRequest | None = None  # what it was, when one is reached
    _began: float = field(default_factory=monotonic)
    _raised: bool = False
    _sent: bool = False  # a signal to the main thread is under way

    def __post_init__(self) -> None:
        for name, value in (("time", self.max_time), ("memory", self.max_memory)):
            if value is not None and not value > 0:
                raise InputError(f"a bound of {value:g} for the {name} leaves nothing; give more than zero")
        if self.max_memory is not None:
            used = used_memory()
            if used is None:
                raise InputError("the memory of a process is not known on this system; leave max_memory out")
            if used >= self.max_memory:
                raise InputError(
                    f"{self.max_memory / 1e9:g} GB of memory are too few: {used / 1e9:.2f} GB are in use before "
                    "anything is computed; give more"
                )

    def check(self) -> None:
        """Raise `StopRequest` beyond a bound."""
        if self.request is None:
            self.request = self._request()
        if self.request is not None:
            self._raised = True
            raise self.request

    def _request(self) -> StopRequest | None:
        if self.max_time is not None and monotonic() - self._began > self.max_time:
            words = f"the time of {self.max_time:g} s is used up"
        elif self.max_memory is not None and (used := used_memory()) is not None and used > self.max_memory:
            words = f"{used / 1e9:.2f} GB of memory are in use, more than the {self.max_memory / 1e9:g} GB allowed"
        else:
            return None
        return StopRequest(words, _BOUND_CODE, keeps_results=True)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Raise `StopRequest` inside when a bound is reached; on another than the main thread `check` does it."""
        if not _on_main_thread() or (self.max_time is None and self.max_memory is None):
            yield
            return
        over = threading.Event()
        _set_heard(False)
        earlier: Any = signal.getsignal(signal.SIGINT)

        def ask(number: int, frame: FrameType | None) -> None:
            _set_heard(True)
            if self._sent:
                self._sent = False
                if not self._raised:
                    self.check()
            elif callable(earlier):
                earlier(number, frame)

        def look() -> None:
            while self.request is None and not over.wait(LOOK_EVERY):
                self.request = self.request or self._request()
            if self.request is not None and not over.is_set():
                _answer(signal.SIGINT, self.request, BOUND_PATIENCE)
                self._sent = True
                _interrupt_main()

        signal.signal(signal.SIGINT, ask)
        threading.Thread(target=look, daemon=True).start()
        try:
            yield
        finally:
            over.set()
            _answer(signal.SIGINT, _request_of(signal.SIGINT), PATIENCE)
            signal.signal(signal.SIGINT, earlier)


def _interrupt_main() -> None:
    main = threading.main_thread().ident
    if sys.platform != "win32" and main is not None:
        signal.pthread_kill(main, signal.SIGINT)  # also out of waiting
    else:
        _thread.interrupt_main()
