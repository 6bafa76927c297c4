"""Fetching a file: resumed, checked by digest, patient with bad servers but not for ever."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lexsub.data.sources import RemoteFile
from lexsub.errors import DownloadError, FileProblemError, os_problem
from lexsub.files import file_sha256

if TYPE_CHECKING:
    import requests

Progress = Callable[[int, int | None], None]
"""Called with bytes so far and bytes in all (None where unknown)."""

_BLOCK = 1 << 16
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a download tries.

    Attributes:
        connect: seconds to wait for a connection.
        stall: seconds without a byte, and the time in which at least ``slowest`` must come.
        slowest: bytes; fewer than this within ``stall`` seconds count as a stall.
        attempts: how often a request is made in all.
        pause: seconds before the second attempt, doubled before each further one.
        longest_pause: seconds a server may make us wait by Retry-After.
        largest: bytes; a file of unknown size that grows beyond this is refused.
    """

    connect: float = 10
    stall: float = 30
    slowest: int = 1024
    attempts: int = 4
    pause: float = 1
    longest_pause: float = 60
    largest: int = 1 << 30


class _PassingError(Exception):
    """Something that another attempt may mend."""

    def __init__(self, problem: str, wait: float = 0, *, restart: bool = False) -> None:
        super().__init__(problem)
        self.wait, self.restart = wait, restart


def part_file(target: Path, file: RemoteFile) -> Path:
    """Return where the bytes gather; an interrupted download goes on there."""
    return target.with_name(f"{target.name}.{file.sha256[:8]}.part")


def download(
    file: RemoteFile,
    target: Path,
    *,
    patience: Patience = Patience(),
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
) -> None:
    """Fetch a file to ``target``, which appears only once its digest is right.

    What has come stays beside it in a ``.part`` file, from which the next call goes on where
    the server knows Range requests.  Proxies are taken from the environment (HTTP_PROXY,
    HTTPS_PROXY, NO_PROXY).

    Args:
        file: address, digest and size.
        target: where to put it.
        patience: time limits and attempts.
        progress: told how far it is.
        note: told in a line of every failed attempt.

    Raises:
        DownloadError: the server cannot be reached, refuses, stalls to the last attempt, or
            sends a file of another digest, which is removed.
        FileProblemError: the disk refuses.
    """
    import requests

    part = part_file(target, file)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with requests.Session() as session:
            session.headers.update({"User-Agent": "lexsub", "Accept-Encoding": "identity"})
            _try_repeatedly(session, file, part, patience, progress, note)
        part.replace(target)
    except requests.RequestException:
        raise  # an OSError by descent; every one of them is dealt with below
    except OSError as error:
        raise FileProblemError(part, f"cannot be written: {os_problem(error)}") from error


def _try_repeatedly(
    session: requests.Session,
    file: RemoteFile,
    part: Path,
    patience: Patience,
    progress: Progress | None,
    note: Callable[[str], None] | None,
) -> None:
    pause = patience.pause
    for attempt in range(1, patience.attempts + 1):
        resumed = _size(part)
        try:
            _attempt(session, file, part, patience, progress)
            _check_digest(file, part, resumed)
        except _PassingError as error:
            if error.restart:
                part.unlink(missing_ok=True)
            if attempt == patience.attempts:
                kept = _size(part)
                rest = f"; {kept} bytes are kept, the same command goes on there" if kept else ""
                times = f"{attempt} attempts" if attempt > 1 else "one attempt"
                raise DownloadError(file.url, f"{error} (gave up after {times}){rest}") from error
            wait = min(max(pause, error.wait), patience.longest_pause)
            if note is not None:
                note(f"{file.url}: {error}; trying again in {wait:g} s")
            time.sleep(wait)
            pause *= 2
        else:
            return


def _attempt(
    session: requests.Session,
    file: RemoteFile,
    part: Path,
    patience: Patience,
    progress: Progress | None,
) -> None:
    """Make one request and append what it brings."""
    import requests

    offset = _size(part)
    if file.size is not None and offset >= file.size:
        return  # complete, or too long: the digest tells
    headers = {"Range": f"bytes={offset}-"} if offset else {}
    timeout = (patience.connect, patience.stall)
    try:
        with session.get(file.url, headers=headers, timeout=timeout, stream=True) as answer:
            if (
                offset and answer.status_code == 416
            ):  # asked beyond the end: complete, the digest tells
                return
            _check_status(file, answer)
            goes_on = answer.status_code == 206
            if goes_on:
                _check_range(file, answer, offset)
            else:
                _check_length(file, answer)
            _receive(file, answer, part, offset if goes_on else 0, patience, progress)
    except requests.ConnectTimeout as error:
        raise _PassingError(f"no connection within {patience.connect:g} s") from error
    except requests.Timeout as error:
        raise _PassingError(f"no answer within {patience.stall:g} s") from error
    except requests.ConnectionError as error:
        raise _PassingError(f"cannot be reached ({_root_cause(error)})") from error
    except requests.RequestException as error:
        raise DownloadError(file.url, f"cannot be fetched: {error}") from error


def _check_status(file: RemoteFile, answer: requests.Response) -> None:
    status = answer.status_code
    if status in (200, 206):
        return
    said = f"the server answers {status} {answer.reason}"
    if status in _RETRIED:
        after = answer.headers.get("Retry-After", "")
        raise _PassingError(said, float(after) if after.isdecimal() else 0)
    moved = f" for {answer.url}" if answer.url != file.url else ""
    raise DownloadError(file.url, f"{said}{moved}; expected the file")


def _check_range(file: RemoteFile, answer: requests.Response, offset: int) -> None:
    """Make sure that a partial answer is the part that was asked for."""
    given = answer.headers.get("Content-Range", "")
    match = _CONTENT_RANGE.fullmatch(given)
    if (
        match is None
        or int(match[1]) != offset
        or (file.size is not None and match[3] not in ("*", str(file.size)))
    ):
        raise _PassingError(
            f"the server sends range {given!r} where bytes {offset}- were asked for, "
            "so the file is fetched from its start",
            restart=True,
        )


def _check_length(file: RemoteFile, answer: requests.Response) -> None:
    """Make sure that a whole answer is as long as the file."""
    length = answer.headers.get("Content-Length", "")
    if file.size is not None and length.isdecimal() and int(length) != file.size:
        raise DownloadError(
            file.url,
            f"offers a file of {length} bytes, expected one of {file.size} with "
            f"sha256 {file.sha256}",
        )


def _receive(
    file: RemoteFile,
    answer: requests.Response,
    part: Path,
    offset: int,
    patience: Patience,
    progress: Progress | None,
) -> None:
    """Append the body to the part file, raw as sent: a packed file must not be unpacked."""
    from urllib3.exceptions import HTTPError, ReadTimeoutError

    total = file.size
    length = answer.headers.get("Content-Length", "")
    if total is None and length.isdecimal():
        total = offset + int(length)
    limit = file.size if file.size is not None else patience.largest
    with part.open("ab" if offset else "wb") as out:
        done = offset
        since, before = time.monotonic(), done
        try:
            while block := answer.raw.read1(_BLOCK, decode_content=False):
                out.write(block)
                done += len(block)
                if progress is not None:
                    progress(done, total)
                if done > limit:
                    raise _PassingError(f"sends more than {limit} bytes", restart=True)
                now = time.monotonic()
                if now - since >= patience.stall:
                    if done - before < patience.slowest:
                        raise _PassingError(f"stalled after {done} bytes")
                    since, before = now, done
        except ReadTimeoutError as error:
            raise _PassingError(f"stalled after {done} bytes") from error
        except HTTPError as error:
            raise _PassingError(f"the connection broke after {done} bytes") from error
    if total is not None and done < total:
        raise _PassingError(f"the connection ended after {done} of {total} bytes")


def _check_digest(file: RemoteFile, part: Path, resumed: int) -> None:
    """Check the whole file; remove a wrong one."""
    found = file_sha256(part)
    if found == file.sha256:
        return
    size = _size(part)
    part.unlink()
    if resumed:
        # Perhaps only the old beginning was bad: once more from the start.
        raise _PassingError(f"the continued file has the wrong sha256 {found} and was removed")
    raise DownloadError(
        file.url,
        f"sends a file of {size} bytes with sha256 {found}, expected {file.sha256}; it was removed",
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _root_cause(error: BaseException) -> str:
    """Return the innermost reason of a connection error, in a few words."""
    from urllib3.exceptions import MaxRetryError, NameResolutionError, ProxyError

    inner: object = error.args[0] if error.args else error
    if isinstance(inner, MaxRetryError) and inner.reason is not None:
        inner = inner.reason
    if isinstance(inner, NameResolutionError):
        return "its name is not known here; is the network up?"
    if isinstance(inner, ProxyError):
        return "the proxy does not answer or refuses; see HTTP_PROXY and HTTPS_PROXY"
    cause: BaseException | None = inner if isinstance(inner, BaseException) else error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror.lower()
        cause = cause.__cause__ or cause.__context__
    return "the connection failed"
