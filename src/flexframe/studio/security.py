"""Who may talk to the studio: only the page that it served itself, to the person who started it.

The server listens on the loopback interface. Another page in the same browser could still send requests there, or
have its own name resolve to this machine, and another user of the machine could connect: so the Host and the
origin of every request are checked, and everything but the scripts of the page needs the token of the address.
"""

import json
import re
from collections.abc import Iterable
from secrets import compare_digest, token_urlsafe
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN = ("/assets/", "/downloads/")
"""Paths without a token: the page's own scripts hold nothing of the user's; a download has a secret of its own."""

MAX_JSON = 3_000_000
MAX_UPLOAD = 100_000_000
UPLOADS = "/api/files/"

_LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.ASCII)


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


class _TooLargeError(Exception):
    """More came in than was announced or is allowed."""


class Guard:
    """Lets through what may pass, and marks every answer; wraps the application."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

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

        refused = self._refusal(scope)
        if refused is not None:
            await _answer(marked, *refused)
            return
        limit = MAX_UPLOAD if scope["path"].startswith(UPLOADS) else MAX_JSON
        if _announce(Headers(scope=scope)) > limit:
            await _answer(marked, 413, f"this is more than the {limit / 1e6:g} MB that are allowed; send less")
            return
        try:
            await self.app(scope, _counted(receive, limit), marked)
        except _TooLargeError:
            await _answer(marked, 413, f"this is more than the {limit / 1e6:g} MB that are allowed; send less")

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason, or None for a request that may pass."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not _LOOPBACK.fullmatch(hosts[0]):
            return 421, "the studio answers on 127.0.0.1 and localhost only; open the address that it printed"
        origins = headers.getlist("origin")
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return 403, "another page sent this request; the studio answers its own page only"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "another page sent this request; the studio answers its own page only"
        if scope["path"].startswith(OPEN):
            return None
        if not any(_same(given, self.token) for given in _given_tokens(scope, headers)):
            return 401, "the token of the address is missing or wrong; open the address that the studio printed"
        return None


def _given_tokens(scope: Scope, headers: Headers) -> Iterable[str]:
    """From the address for the page itself, from a header for everything else."""
    if scope["path"] == "/":
        query = scope["query_string"].decode("latin-1")
        return parse_qs(query, max_num_fields=10).get("token", []) if query.count("&") < 10 else []
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return [given] if scheme.lower() == "bearer" else []


def _same(given: str, token: str) -> bool:
    return compare_digest(given.encode(), token.encode())


def _announce(headers: Headers) -> int:
    """Length of the body as the request states it; of absurd numbers the first digits are enough."""
    text = headers.get("content-length", "0")
    return int(text[:18]) if re.fullmatch(r"[0-9]{1,4000}", text) else 0


def _counted(receive: Receive, limit: int) -> Receive:
    """The same body, which may not go on beyond the limit."""
    total = 0

    async def counting() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > limit:
            raise _TooLargeError
        return message

    return counting


async def _answer(send: Send, status: int, detail: str) -> None:
    body = json.dumps({"detail": detail}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
