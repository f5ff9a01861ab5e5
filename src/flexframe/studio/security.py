"""Who may talk to the studio: only the page that it served itself, to the person who started it.

The server listens on the loopback interface. Another page in the same browser could still send requests there, or
have its own name resolve to this machine, and another user of the machine could connect: so the Host and the
origin of every request are checked, and every request needs the cookie of the page or the token of scripts.

The printed address carries a code. It works once and for a few minutes; the browser gets a cookie for it, which no
script can read and no other site can use. Cookies are shared by all ports of a machine, and so with servers of
other users there: therefore the page lies under a path that cannot be guessed, and the cookie is sent only there.
"""

import asyncio
import json
import re
import threading
from dataclasses import dataclass, field
from html import escape
from secrets import compare_digest, token_urlsafe
from time import monotonic
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


UPLOADS = "/api/files/"
COOKIE = "flexframe-studio"
WELCOME = "/welcome"

_LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.ASCII)
_NOTICE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>flexframe studio</title>
<link rel="icon" href="data:,">
<style nonce="{nonce}">
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem }}
</style>
{head}</head>
<body>
<h1>flexframe studio</h1>
{text}
</body>
</html>
"""
_CLOSED = (
    "this address has been used already, or is too old",
    "An address that the studio prints opens it once, and for {minutes:g} minutes.",
    "Press Enter in the terminal in which <code>flexframe studio</code> runs: it prints a new address. "
    "If the studio has ended, start it again; its runs are kept.",
)


def content_policy(nonce: str) -> str:
    """The content security policy of the page: its own script and style, and no other place."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' 'nonce-{nonce}'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        )
    )


_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Lets through what may pass, and marks every answer; wraps the application."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            return
        nonce = token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                headers.update({**_HEADERS, "Content-Security-Policy": content_policy(nonce)})
            await send(message)

        headers = Headers(scope=scope)
        refused = self._foreign(scope, headers)
        if refused is not None:
            await _answer(marked, *refused)
        elif scope["path"] == "/" and not self._has_token(headers):
            await self._enter(scope, headers, nonce, marked)
        elif scope["path"] == self.access.path + WELCOME:
            await _answer_page(marked, 200, _welcome(nonce))
        elif not self._may_pass(scope, headers):
            await _closed(marked, headers, nonce)
        else:
            await self._pass(self._inside(scope), receive, marked)

    def _foreign(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Status and reason of a request that another page sent, or that was sent to another host."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not _LOOPBACK.fullmatch(hosts[0]):
            return 421, "the studio answers on 127.0.0.1 and localhost only; open the address that it printed"
        other = any(origin != f"http://{hosts[0]}" for origin in headers.getlist("origin"))
        # the way in may begin at a file that the browser was given; it shows nothing without a code
        entry = scope["path"] in ("/", self.access.path + WELCOME)
        if other or (not entry and headers.get("sec-fetch-site", "none") not in ("none", "same-origin")):
            return 403, "another page sent this request; the studio answers its own page only"
        return None

    async def _enter(self, scope: Scope, headers: Headers, nonce: str, send: Send) -> None:
        """Exchange a code for a cookie, and lead to an address without it."""
        query = scope["query_string"].decode("latin-1")
        code = parse_qs(query).get("code", [""])[0] if query.count("&") < 10 else ""
        # a browser that only guesses where its user may go must not use the code up
        guess = "prefetch" in headers.get("sec-purpose", "")
        session = self.access.redeem(code) if scope["method"] == "GET" and not guess else None
        if session is None:
            await _closed(send, headers, nonce)
            return
        # A browser does not send a strict cookie along a redirection that began at another site, or at a file: so
        # the first page leads on by itself.
        path = self.access.path
        cookie = f"{COOKIE}={session}; HttpOnly; SameSite=Strict; Path={path}/"
        moved = [(b"location", f"{path}{WELCOME}".encode()), (b"set-cookie", cookie.encode())]
        await _send(send, 303, b"", "text/plain", moved)

    def _has_token(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.access.is_token(given)

    def _may_pass(self, scope: Scope, headers: Headers) -> bool:
        below = scope["path"].startswith(f"{self.access.path}/")
        session = Request(scope).cookies.get(COOKIE) if below else None
        return self._has_token(headers) or (session is not None and self.access.is_open_to(session))

    def _inside(self, scope: Scope) -> Scope:
        """The request as the application knows it: without the path under which the page lies."""
        path = scope["path"]
        below = path.startswith(f"{self.access.path}/")
        return {**scope, "path": path.removeprefix(self.access.path)} if below else scope

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = bounds.MAX_UPLOAD if scope["path"].startswith(UPLOADS) else bounds.MAX_JSON
        if _announced_length(Headers(scope=scope)) > limit:
            await _answer(send, 413, _too_large(limit))
            return
        await self.app(scope, _bound_body(receive, limit), send)


def _too_large(limit: int) -> str:
    return f"this is more than the {limit / 1e6:g} MB that are allowed; send less"


def _announced_length(headers: Headers) -> int:
    """Length of the body as the request states it; of absurd numbers the first digits are enough."""
    text = headers.get("content-length", "0")
    return int(text[:18]) if re.fullmatch(r"[0-9]{1,4000}", text) else 0


def _bound_body(receive: Receive, limit: int) -> Receive:
    """The same body, which may neither go on beyond the limit nor fall silent."""
    total, more = 0, True

    async def counting() -> Message:
        nonlocal total, more
        if not more:  # only the end of the connection can come now
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), bounds.BODY_SECONDS)
        except TimeoutError:
            raise HTTPException(408, "the request stopped in the middle; send it again") from None
        total, more = total + len(message.get("body", b"")), message.get("more_body", False)
        if total > limit:
            raise HTTPException(413, _too_large(limit))
        return message

    return counting


def _welcome(nonce: str) -> str:
    head = '<meta http-equiv="refresh" content="0; url=./">\n'
    return _NOTICE.format(nonce=escape(nonce), head=head, text='<p><a href="./">Open the studio</a></p>')


async def _closed(send: Send, headers: Headers, nonce: str) -> None:
    """Say how to get in: as a page to a browser, in a word to everybody else."""
    reason, rule, way = _CLOSED
    if "text/html" not in headers.get("accept", ""):
        await _answer(send, 401, f"{reason}, or the token is missing; press Enter in the terminal of the studio")
        return
    told = rule.format(minutes=bounds.CODE_SECONDS / 60)
    text = f"<p><strong>{reason.capitalize()}.</strong> {told}</p>\n<p>{way}</p>"
    await _answer_page(send, 401, _NOTICE.format(nonce=escape(nonce), head="", text=text))


async def _answer(send: Send, status: int, detail: str) -> None:
    await _send(send, status, json.dumps({"detail": detail}).encode(), "application/json")


async def _answer_page(send: Send, status: int, page: str) -> None:
    await _send(send, status, page.encode(), "text/html; charset=utf-8")


async def _send(
    send: Send, status: int, body: bytes, kind: str, more: list[tuple[bytes, bytes]] | None = None
) -> None:
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode()), *(more or [])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
