"""A word to the user when a command waits for the compiler."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

MESSAGE = "compiling parts of flexframe; this happens once after an installation and takes up to half a minute"
POLLED_EVERY = 0.05  # s
_COMPILATION = "numba:compile"


@contextmanager
def compilation_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell once if anything is compiled meanwhile; what was compiled earlier is loaded without a word.

    The compiler is a slow import that many cases do without, so its coming is watched rather than caused.
    """
    finished = Event()
    watch = Thread(target=_watch, args=(tell, finished), daemon=True)
    watch.start()
    try:
        yield
    finally:
        finished.set()
        watch.join()


def _watch(tell: Callable[[str], None], finished: Event) -> None:
    while not finished.wait(POLLED_EVERY):
        events = sys.modules.get("numba.core.event")
        if "numba" in sys.modules and hasattr(events, "install_listener"):
            with events.install_listener(_COMPILATION, _report_once(events, tell)):  # type: ignore[union-attr]
                finished.wait()
            return


def _report_once(events: Any, tell: Callable[[str], None]) -> Any:
    class Listener(events.Listener):  # type: ignore[misc] # the base is known at run time only
        """Numba calls it at the start and at the end of every compilation."""

        told = False

        def on_start(self, event: Any) -> None:  # noqa: ARG002 - which function does not matter
            if not self.told:
                self.told = True
                tell(MESSAGE)

        def on_end(self, event: Any) -> None:
            pass

    return Listener()
