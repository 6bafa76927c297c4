"""The routes: the page, the question, the health, the description."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from lexsub import __version__
from lexsub.errors import LexsubError, one_line
from lexsub.experiments.serving.describing import description
from lexsub.experiments.serving.guarding import Guard, problem
from lexsub.experiments.serving.messages import Health, Question, TextQuestion, problems
from lexsub.experiments.serving.workers import Asked, BusyError, Opened, TimeUpError, Workers

PAGE = Path(__file__).parent / "page"
FILES = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}

LARGEST = 1 << 17
"""Bytes of a question: the longest sentence, every character of it escaped."""

SENDING = 10.0
"""Seconds in which a question must have arrived."""

T = TypeVar("T")

Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    workers: Workers, opened: Opened, names: frozenset[str], origins: frozenset[str]
) -> Starlette:
    """Return the application.

    Args:
        workers: who answers; opened.
        opened: what they opened.
        names: host names that are answered; none for all.
        origins: origins of other pages that may ask.
    """

    async def answer(request: Request, read: Callable[[bytes], Asked]) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return problem(415, f"content type {kind[:100]!r}; expected application/json")
        try:
            async with asyncio.timeout(SENDING):
                body = await _body(request)
        except TimeoutError:
            return problem(408, f"the question did not arrive within {SENDING:g} s")
        if body is None:
            return problem(413, f"a question of more than {LARGEST} bytes; expected one sentence")
        try:
            asked = read(body)
        except ValidationError as error:
            broken = any(one["type"] == "json_invalid" for one in error.errors())
            return problem(400 if broken else 422, problems(error))
        except LexsubError as error:
            return problem(422, one_line(str(error)))
        try:
            answer = await _unless_gone(request, workers.ask(asked))
            return Response(answer, media_type="application/json")
        except ClientDisconnect:
            return problem(400, "nobody waits for the answer any more")
        except BusyError as error:
            return problem(503, str(error), **{"Retry-After": "1"})
        except TimeUpError as error:
            return problem(504, str(error))
        except LexsubError as error:
            return problem(500, one_line(str(error)))

    async def suggest(request: Request) -> Response:
        return await answer(request, _about_word)

    async def text(request: Request) -> Response:
        return await answer(request, _about_text)

    def health() -> Response:
        found = Health(version=__version__, answers=opened.name, language=opened.language,
                       workers=workers.count, waiting=workers.waiting)  # fmt: skip
        return Response(found.model_dump_json(), media_type="application/json")

    fixed: dict[str, Callable[[], Response]] = {
        "": partial(HTMLResponse, _page(opened)),
        "health": health,
        "openapi.json": partial(JSONResponse, description()),
        **{name: partial(FileResponse, PAGE / name, media_type=kind)
           for name, kind in FILES.items()},
    }  # fmt: skip
    routes = [
        Route("/suggest", suggest, methods=["POST"]),
        Route("/text", text, methods=["POST"]),
        *(Route(f"/{name}", _sending(make)) for name, make in fixed.items()),
    ]
    middleware = [Middleware(Guard, names=names, origins=origins)]
    if origins:
        middleware.append(
            Middleware(CORSMiddleware, allow_origins=sorted(origins),
                       allow_methods=["GET", "POST"], allow_headers=["content-type"])
        )  # fmt: skip
    return Starlette(routes=routes, middleware=middleware, exception_handlers={
        HTTPException: _refused, ClientDisconnect: _gone, Exception: _failed,
    })  # fmt: skip


def _about_word(body: bytes) -> Asked:
    question = Question.model_validate_json(body)
    return Asked(question.marked(), question.n, question.explain)


def _about_text(body: bytes) -> Asked:
    question = TextQuestion.model_validate_json(body)
    return Asked(question.text, question.n)


async def _body(request: Request) -> bytes | None:
    """Return what was sent, or None where it is too large."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > LARGEST:
        return None
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            return None
    return body


async def _unless_gone(request: Request, asking: Coroutine[Any, Any, T]) -> T:
    """Return what is asked for; give up as soon as who asks has hung up.

    A question that waits leaves the queue; one that a worker has is answered all the same.

    Raises:
        ClientDisconnect: who asked is gone.
    """

    async def leaves() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    work, gone = asyncio.create_task(asking), asyncio.create_task(leaves())
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise ClientDisconnect
    finally:
        work.cancel()
        gone.cancel()


def _page(opened: Opened) -> str:
    environment = Environment(
        loader=FileSystemLoader(PAGE), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    template = environment.get_template("index.html.jinja")
    return template.render(version=__version__, opened=opened)


def _sending(make: Callable[[], Response]) -> Handler:
    async def send(request: Request) -> Response:
        del request
        return make()

    return send


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    expected = {404: "expected /, /suggest, /text, /health or /openapi.json",
                405: "POST asks at /suggest and /text; everything else is got by GET"}  # fmt: skip
    text = f"{request.method} {request.url.path[:100]}: {error.detail.lower()}"
    said = expected.get(error.status_code, "")
    return problem(error.status_code, f"{text}; {said}" if said else text, **(error.headers or {}))


async def _gone(request: Request, error: Exception) -> Response:
    """Answer somebody who hung up while sending: nobody reads it, and nothing is logged."""
    del request, error
    return problem(400, "the question ended early")


async def _failed(request: Request, error: Exception) -> Response:
    del request
    return problem(500, f"a fault of the server ({type(error).__name__})")
