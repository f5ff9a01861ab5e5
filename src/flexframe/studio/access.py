"""Secrets of the studio: codes that open it once, what browsers get for them, and the token of scripts.

The printed address carries a code. It works once and for a few minutes; the browser gets a cookie for it, which no
script can read and no other site can use. Cookies are shared by all ports of a machine, and so with servers of
other users there: therefore the page lies under a path that cannot be guessed, and the cookie is sent only there.
"""

import threading
from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from time import monotonic

from flexframe.studio import bounds


@dataclass
class Access:
    """Who is let in; `token` is for scripts, `path` is where the page lies."""

    token: str = field(default_factory=lambda: token_urlsafe(32), repr=False)
    path: str = field(default_factory=lambda: f"/studio-{token_urlsafe(12)}", repr=False)
    _codes: dict[str, float] = field(default_factory=dict, repr=False)
    _sessions: list[str] = field(default_factory=list, repr=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def issue(self) -> str:
        """A new code."""
        code = token_urlsafe(24)
        with self._turn:
            now = monotonic()
            self._codes = {known: until for known, until in self._codes.items() if until > now}
            self._codes[code] = now + bounds.CODE_SECONDS
        return code

    def redeem(self, code: str) -> str | None:
        """The session of a browser for a code that is valid; the code is used up."""
        with self._turn:
            until = self._codes.pop(code, 0.0)
            if until <= monotonic():
                return None
            session = token_urlsafe(32)
            self._sessions = [*self._sessions[1 - bounds.SESSIONS :], session]
        return session

    def is_open_to(self, session: str) -> bool:
        """Whether a browser has a session."""
        with self._turn:
            return any(_same(session, known) for known in self._sessions)

    def is_token(self, given: str) -> bool:
        """Whether a script has the token."""
        return _same(given, self.token)


def _same(given: str, known: str) -> bool:
    return compare_digest(given.encode(), known.encode())
