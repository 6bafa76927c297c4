"""A local web server that serves a file well, or badly in every way we have met."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server(ThreadingHTTPServer):
    """Serves ``body`` under ``/HOW/anything``; HOW names a method of :class:`Handler`."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, body: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = body
        self.requests: list[tuple[str, str | None]] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def seen(self, how: str) -> int:
        return sum(path.startswith(f"/{how}/") for path, _ in self.requests)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is nothing to report."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.requests.append((self.path, self.headers.get("Range")))
        path = self.path
        if path.startswith("http://"):  # we are the proxy
            path = "/proxied/" + path.rsplit("/", 1)[-1]
            self.server.requests.append((path, None))
        how = path.split("/")[1].replace("-", "_")
        action: Callable[[], None] = getattr(self, how, self.missing)
        action()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the test output clean."""

    def first_time(self) -> bool:
        return self.server.seen(self.path.split("/")[1]) == 1

    def offset(self) -> int:
        given = self.headers.get("Range")
        return int(given.removeprefix("bytes=").rstrip("-")) if given else 0

    def send(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        if length != -1:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    # How to serve ----------------------------------------------------------

    def good(self) -> None:
        body, offset = self.server.body, self.offset()
        if not offset:
            self.send(200, body)
        elif offset >= len(body):
            self.send(416, b"")
        else:
            span = f"bytes {offset}-{len(body) - 1}/{len(body)}"
            self.send(206, body[offset:], Content_Range=span)

    proxied = good

    def norange(self) -> None:
        self.send(200, self.server.body)

    def broken(self) -> None:
        """Break off in the middle, the first time."""
        if self.first_time():
            self.half()
        else:
            self.good()

    def broken_norange(self) -> None:
        if self.first_time():
            self.half()
        else:
            self.norange()

    def half(self) -> None:
        """Break off in the middle, always."""
        body = self.server.body
        self.send(200, body[: len(body) // 2], length=len(body))

    def short(self) -> None:
        """Send half the file as if it were the whole."""
        body = self.server.body
        self.send(200, body[: len(body) // 2])

    def corrupt(self) -> None:
        self.send(200, self.server.body[:-1] + b"?")

    def toolong(self) -> None:
        self.send(200, self.server.body * 2)

    def endless(self) -> None:
        self.send(200, self.server.body * 2, length=-1)

    def unmeasured(self) -> None:
        """Send half without saying how much is to come."""
        body = self.server.body
        self.send(200, body[: len(body) // 2], length=-1)

    def stall(self) -> None:
        """Send half and then nothing more, the first time."""
        if not self.first_time():
            self.good()
            return
        self.stall_always()

    def stall_always(self) -> None:
        body = self.server.body
        self.send(200, body[: len(body) // 2], length=len(body))
        self.server.released.wait()

    def silent(self) -> None:
        """Take the request and never answer."""
        self.server.released.wait()

    def drip(self) -> None:
        """Send a byte now and then, for ever."""
        self.send(200, b"", length=len(self.server.body))
        while not self.server.released.is_set():
            self.wfile.write(b"x")
            time.sleep(0.02)

    def wrongrange(self) -> None:
        """Break off; then answer a range request with another range."""
        if self.first_time():
            self.half()
        elif self.offset():
            body = self.server.body
            self.send(206, body[10:], Content_Range=f"bytes 10-{len(body) - 1}/{len(body)}")
        else:
            self.good()

    def norangeheader(self) -> None:
        """As ``wrongrange``, without saying which range it is."""
        if self.first_time():
            self.half()
        elif self.offset():
            self.send(206, self.server.body[10:])
        else:
            self.good()

    def packed(self) -> None:
        """Label the archive's own compression as the transfer's, as some servers do."""
        self.send(200, self.server.body, Content_Encoding="gzip")

    def busy(self) -> None:
        if self.first_time():
            self.send(503, b"", Retry_After="0")
        else:
            self.good()

    def missing(self) -> None:
        self.send(404, b"<html>no such thing</html>")

    def forbidden(self) -> None:
        self.send(403, b"")

    def redirect(self) -> None:
        self.send(302, b"", Location="/good/" + self.path.rsplit("/", 1)[-1])

    def nowhere(self) -> None:
        self.send(302, b"", Location="/missing/file")

    def circle(self) -> None:
        self.send(302, b"", Location=self.path)

    def tofile(self) -> None:
        self.send(302, b"", Location="file:///etc/hostname")


@contextmanager
def serving(body: bytes) -> Iterator[Server]:
    server = Server(body)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
