"""What every request must pass: whose page asks, under which name, and how much it sends.

A server on this machine alone can still be asked by any web page that is open in its browser.
Such a page cannot read the answers (no cross-origin headers are sent), but a name of its own that
points here (DNS rebinding) would make it the same origin: so only names of this machine are
answered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from lexsub.experiments.serving.messages import Problem

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LOOPBACK = frozenset(["localhost", "127.0.0.1", "::1"])
"""Names under which a browser knows its own machine."""

HEADERS = {
    # The page has its own scripts and styles, and asks here: nothing else, from nowhere else.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def problem(status: int, text: str, **headers: str) -> Response:
    """Return an error as JSON."""
    body = Problem(error=text).model_dump_json()
    return Response(body, status, headers, "application/json")


@dataclass(frozen=True)
class Guard:
    """Refuses what other pages send, and puts the policy into every response.

    Attributes:
        app: what is guarded.
        names: host names that are answered; none for all.
        origins: origins of other pages that may ask.
    """

    app: App
    names: frozenset[str]
    origins: frozenset[str]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refused(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refused or self.app)(scope, receive, send_with_policy)

    def _refused(self, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if self.names and _name(host) not in self.names:
            return problem(403, f"host {host[:100]!r}; expected {' or '.join(sorted(self.names))}")
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return None
        if origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower()):
            return None
        return problem(
            403, f"a page of {origin[:100]} asks; expected one of this server, or of an --origin"
        )


def _name(host: str) -> str:
    """Return a Host header without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
