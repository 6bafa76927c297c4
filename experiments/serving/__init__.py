"""Substitutes over HTTP: a page to try them on, and the same for programs (``lexsub serve``).

Here is the server: its socket, its workers, its end.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from lexsub.errors import LexsubError, needing, os_problem
from lexsub.experiments.serving.workers import Opened, Opener, Workers

CLOSING = 5
"""Seconds that answers under way have when the server is told to end."""


CONNECTIONS = 1000
"""As many can be open at the same time; more are sent away."""


def serve(
    opener: Opener,
    *,
    host: str,
    port: int,
    workers: int,
    seconds: float,
    queue: int,
    origins: Iterable[str] = (),
    ready: Callable[[str, bool, Opened], None],
) -> None:
    """Serve until a signal ends it.

    Args:
        opener: opens the system; pickled.
        host: name or address to listen at.
        port: port to listen at; 0 for any that is free.
        workers: processes.
        seconds: how long a question may wait, and then take.
        queue: how many questions may wait.
        origins: origins of other pages that may ask.
        ready: told the address, whether only this machine reaches it, and what answers.

    Raises:
        MissingExtraError: what serves is not installed.
        LexsubError: no such address, the port is taken, no such system.
    """
    with needing("fastapi and uvicorn", "serve", "lexsub serve"):
        import uvicorn

        from lexsub.experiments.serving.app import LOOPBACK, make_app

    allowed = frozenset(_origin(one) for one in origins)
    with _listening(host, port) as listener:
        address, number = listener.getsockname()[:2]
        local = ipaddress.ip_address(address).is_loopback
        names = LOOPBACK | {host.lower(), address} if local else frozenset[str]()
        crew = Workers(opener, workers, seconds=seconds, queue=queue)
        try:
            opened = crew.open()
            shown = f"[{address}]" if ":" in address else address
            ready(f"http://{shown}:{number}/", local, opened)
            config = uvicorn.Config(
                make_app(crew, opened, names, allowed),
                http="h11",
                ws="none",
                lifespan="off",
                access_log=False,
                log_level="error",
                server_header=False,
                limit_concurrency=CONNECTIONS + queue,
                timeout_graceful_shutdown=CLOSING,
            )
            uvicorn.Server(config).run(sockets=[listener])
        except KeyboardInterrupt:
            # The server has ended in good order and passes the signal on: that was its work.
            pass
        finally:
            crew.close()


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise LexsubError(f"--host {host}: {os_problem(error)}; expected an address") from error
    listener = socket.socket(family, kind)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise LexsubError(
            f"{host}:{port}: {os_problem(error)}; choose another port by --port, or 0 for any "
            "that is free"
        ) from error
    return listener


def _origin(text: str) -> str:
    """Return an origin as browsers write it."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise LexsubError(f"--origin {text}: expected one as http://localhost:3000")
    return f"{parts.scheme}://{parts.netloc}".lower()
