"""The routes: the page, the questions, the health; FastAPI describes them as OpenAPI.

Every request must pass: whose page asks, under which name, and how much it sends.  A server on this
machine alone can still be asked by any web page that is open in its browser. Such a page cannot
read the answers (no cross-origin headers are sent), but a name of its own that points here (DNS
rebinding) would make it the same origin: so only names of this machine are answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from fastapi import Body, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import StrictUndefined, Template
from pydantic_core import from_json
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from lexsub import __version__
from lexsub.errors import LexsubError, one_line
from lexsub.experiments.serving import messages
from lexsub.experiments.serving.workers import Asked, BusyError, Opened, TimeUpError, Workers

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
    body = messages.Problem(error=text).model_dump_json()
    return Response(body, status, headers, "application/json")


@dataclass(frozen=True)
class Guard:
    """Refuses what other pages send, and puts the policy into every response.

    TrustedHostMiddleware knows names, too, but refuses in plain text, where every other error is
    JSON, and sends callers on to ``www.``.

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


PAGE = Path(__file__).parent / "page"
FILES = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}

LARGEST = 1 << 17
"""Bytes of a question: the longest sentence, every character of it escaped."""

SENDING = 10.0
"""Seconds in which a question must have arrived."""

EXAMPLES: Any = {
    "sentence": {"value": {"sentence": "The wine was too *strong* to drink."}},
    "span": {
        "value": {"text": "The wine was too strong to drink.", "start": 17, "end": 23, "n": 3}
    },
    "tokens": {"value": {"tokens": ["He", "ran", "home"], "index": 1, "pos": "v"}},
}

FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": messages.Problem, "description": text}
    for status, text in {
        400: "not JSON",
        403: "asked under a foreign name, or by a page of another origin",
        408: "the question did not arrive in time",
        413: "far too large",
        415: "not application/json",
        422: "JSON, but no question: the line says why",
        500: "the answer failed",
        503: "too many questions at once; ask again after Retry-After seconds",
        504: "no answer in time",
    }.items()
}

T = TypeVar("T")


class BoundedRequest(Request):
    """A request whose body is JSON, of bounded length, and arrives in a bounded time."""

    async def body(self) -> bytes:
        """Return what was sent.

        Raises:
            HTTPException: too much, too slowly, nothing, or of another kind.
        """
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise HTTPException(415, f"content type {kind[:100]!r}; expected application/json")
        length = self.headers.get("content-length", "")
        too_large = HTTPException(
            413, f"a question of more than {LARGEST} bytes; expected one sentence"
        )
        if length.isdecimal() and int(length) > LARGEST:
            raise too_large
        body = b""
        try:
            async with asyncio.timeout(SENDING):
                async for chunk in self.stream():
                    body += chunk
                    if len(body) > LARGEST:
                        raise too_large
        except TimeoutError:
            raise HTTPException(408, f"the question did not arrive within {SENDING:g} s") from None
        if not body:
            raise HTTPException(400, "found nothing; expected JSON")
        self._body = body
        return body

    async def json(self) -> Any:
        """Return what was sent, parsed.

        Raises:
            HTTPException: not JSON.
        """
        try:
            return from_json(self._body)
        except ValueError as error:
            raise HTTPException(400, one_line(str(error))) from None


class BoundedRoute(APIRoute):
    """A route that reads its body as :class:`BoundedRequest` does."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of requests."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(BoundedRequest(request.scope, request.receive))

        return handle


def make_app(
    workers: Workers, opened: Opened, names: frozenset[str], origins: frozenset[str]
) -> FastAPI:
    """Return the application.

    Args:
        workers: who answers; opened.
        opened: what they opened.
        names: host names that are answered; none for all.
        origins: origins of other pages that may ask.
    """
    app = FastAPI(
        title="lexsub",
        version=__version__,
        summary="Substitutes for a word in a sentence.",
        servers=[{"url": "/"}],
        docs_url=None,
        redoc_url=None,
        exception_handlers={
            HTTPException: _refused,
            RequestValidationError: _misunderstood,
            **dict.fromkeys([LexsubError, ClientDisconnect, Exception], _failed),
        },
    )
    app.router.route_class = BoundedRoute
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(origins),
            allow_methods=["GET", "POST"],
            allow_headers=["content-type"],
        )
    app.add_middleware(Guard, names=names, origins=origins)

    async def answer(request: Request, asked: Asked) -> Response:
        found = await _unless_gone(request, workers.ask(asked))
        return Response(found, media_type="application/json")

    @app.post(
        "/suggest", operation_id="suggest", response_model=messages.Answer, responses=FAILURES
    )
    async def suggest(
        question: Annotated[messages.Question, Body(openapi_examples=EXAMPLES)], request: Request
    ) -> Response:
        """Substitutes for a word in a sentence, best first."""
        try:
            marked = question.marked()
        except LexsubError as error:
            raise HTTPException(422, one_line(str(error))) from None
        return await answer(request, Asked(marked, question.n, question.explain))

    @app.post("/text", operation_id="text", response_model=messages.TextAnswer, responses=FAILURES)
    async def text(question: messages.TextQuestion, request: Request) -> Response:
        """Substitutes for every word of a text, or why it has none."""
        return await answer(request, Asked(question.text, question.n))

    @app.get("/health", operation_id="health")
    @app.head("/health", include_in_schema=False)
    async def health() -> messages.Health:
        """Whether the server answers, and with what."""
        return messages.Health(
            version=__version__,
            answers=opened.name,
            language=opened.language,
            workers=workers.count,
            waiting=workers.waiting,
        )

    page = _page(opened)
    shown = partial(_sent, lambda: HTMLResponse(page))
    app.add_route("/", shown, include_in_schema=False)
    for name, kind in FILES.items():
        file = partial(FileResponse, PAGE / name, media_type=kind)
        app.add_route(f"/{name}", partial(_sent, file), include_in_schema=False)
    return app


async def _unless_gone(request: Request, asking: Coroutine[Any, Any, T]) -> T:
    """Return what is asked for; give up as soon as the client has hung up.

    A question that waits leaves the queue; one that a worker has is answered all the same.

    Raises:
        ClientDisconnect: the client is gone.
    """

    async def leaves() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    work, gone = asyncio.create_task(asking), asyncio.create_task(leaves())
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise ClientDisconnect("the client has hung up")
    finally:
        work.cancel()
        gone.cancel()


def _page(opened: Opened) -> str:
    source = (PAGE / "index.html.jinja").read_text("utf-8")
    template = Template(
        source, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return str(template.render(version=__version__, opened=opened))


async def _sent(answer: Callable[[], Response], request: Request) -> Response:
    del request
    return answer()


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    expected = {
        404: "expected /, /suggest, /text, /health or /openapi.json",
        405: "POST asks at /suggest and /text; everything else is got by GET",
    }
    text = error.detail
    if error.status_code in expected:
        where = f"{request.method} {request.url.path[:100]}"
        text = f"{where}: {text.lower()}; {expected[error.status_code]}"
    return problem(error.status_code, text, **(error.headers or {}))


async def _misunderstood(request: Request, error: Exception) -> Response:
    del request
    assert isinstance(error, RequestValidationError)
    return problem(422, messages.problems(error.errors()))


async def _failed(request: Request, error: Exception) -> Response:
    del request
    if isinstance(error, BusyError):
        return problem(503, one_line(str(error)), **{"Retry-After": "1"})
    for kind, status in ((TimeUpError, 504), (LexsubError, 500), (ClientDisconnect, 400)):
        if isinstance(error, kind):
            return problem(status, one_line(str(error)))
    return problem(500, f"a fault of the server ({type(error).__name__})")
