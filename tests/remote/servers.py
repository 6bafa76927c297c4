"""Stores on this machine: one of S3's kind, and a web server that gives parts of files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

KEYS = {"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_DEFAULT_REGION": "us-east-1"}  # fmt: skip
BUCKET = "texts"


@contextmanager
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Serve an empty bucket; give out s3fs's view of it."""
    server_module = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    for name, value in (KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}).items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    store = s3fs.S3FileSystem(use_listings_cache=False)
    requests.post(f"http://127.0.0.1:{port}/moto-api/reset", timeout=20)  # of an earlier server
    store.mkdir(BUCKET)
    try:
        yield store
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        server.stop()


class _Parts(SimpleHTTPRequestHandler):
    """Python's own server, with parts of files where ``ranges`` is set."""

    ranges = True
    asked: list[str | None]

    def do_GET(self) -> None:
        given = self.headers.get("Range")
        self.asked.append(given)
        path = Path(self.translate_path(self.path))
        if not (given and self.ranges and path.is_file()):
            super().do_GET()
            return
        data = path.read_bytes()
        first, last = given.removeprefix("bytes=").split("-")
        part = data[int(first) : int(last or len(data) - 1) + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
        self.end_headers()
        self.wfile.write(part)

    def end_headers(self) -> None:
        self.send_header("Accept-Ranges", "bytes" if self.ranges else "none")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the test output clean."""


@contextmanager
def web(folder: Path, *, ranges: bool = True) -> Iterator[tuple[str, list[str | None]]]:
    """Serve a folder; give out its address and the ranges that were asked for."""
    asked: list[str | None] = []
    kind = type("Served", (_Parts,), {"ranges": ranges, "asked": asked})
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *given: kind(*given, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
