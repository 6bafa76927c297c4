"""Fetching a file: resumed, checked by digest, patient with bad servers but not for ever.

The library made for data files, pooch 1.9, was tried in its place: it begins a broken download from
its start, asks again for what is refused for good, unpacks what a server sends packed, and waits
without end for a server that drips.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lexsub.data.sources import RemoteFile
from lexsub.errors import DownloadError
from lexsub.parts.limits import whole_number
from lexsub.progress import measured
from lexsub.storage.files import file_sha256, writing

if TYPE_CHECKING:
    import requests

_BLOCK = 1 << 16
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


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
    note: Callable[[str], None] | None = None,
) -> None:
    """Fetch a file to ``target``, which appears only once its digest is right.

    What has come stays beside it in a ``.part`` file, from which the next call goes on where
    the server knows Range requests.  A bar shows how far it is.  Proxies are taken from the
    environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).

    Args:
        file: address, digest and size.
        target: where to put it.
        patience: time limits and attempts.
        note: told in a line of every failed attempt.

    Raises:
        DownloadError: the server cannot be reached, refuses, stalls to the last attempt, or
            sends a file of another digest, which is removed.
        FileProblemError: the disk refuses.
    """
    import requests

    part = part_file(target, file)
    with writing(part):
        target.parent.mkdir(parents=True, exist_ok=True)
        with requests.Session() as session:
            session.headers.update({"User-Agent": "lexsub", "Accept-Encoding": "identity"})
            attempt = _Attempt(session, file, part, patience)
            pause = patience.pause
            for number in range(1, patience.attempts + 1):
                try:
                    attempt.make()
                    break
                except _PassingError as error:
                    if error.restart:
                        part.unlink(missing_ok=True)
                    if number == patience.attempts:
                        raise DownloadError(file.url, _given_up(error, number, part)) from error
                    wait = min(max(pause, error.wait), patience.longest_pause)
                    if note is not None:
                        note(f"{file.url}: {error}; trying again in {wait:g} s")
                    time.sleep(wait)
                    pause *= 2
        part.replace(target)


@dataclass(frozen=True)
class _Attempt:
    """One request and what it brings."""

    session: requests.Session
    file: RemoteFile
    part: Path
    patience: Patience

    def make(self) -> None:
        """Append what is missing, and check the whole; an error says whether to try again."""
        import requests

        offset, patience = _size(self.part), self.patience
        headers = {"Range": f"bytes={offset}-"} if offset else {}
        timeout = (patience.connect, patience.stall)
        try:
            # A part file that is complete, or too long, is not asked for again: its digest decides.
            if self.file.size is None or offset < self.file.size:
                with self.session.get(
                    self.file.url, headers=headers, timeout=timeout, stream=True
                ) as answer:
                    if not (offset and answer.status_code == 416):  # nothing beyond our end
                        self._receive(answer, self._start(answer, offset))
        except requests.ConnectTimeout as error:
            raise _PassingError(f"no connection within {patience.connect:g} s") from error
        except requests.Timeout as error:
            raise _PassingError(f"no answer within {patience.stall:g} s") from error
        except requests.ConnectionError as error:
            raise _PassingError(f"cannot be reached ({_root_cause(error)})") from error
        except requests.RequestException as error:
            raise DownloadError(self.file.url, f"cannot be fetched: {error}") from error
        self._check_digest(resumed=offset > 0)

    def _start(self, answer: requests.Response, offset: int) -> int:
        """Return where the answer's bytes begin; refuse what is not the file or the part."""
        status, size = answer.status_code, self.file.size
        if status == 206:
            given = answer.headers.get("Content-Range", "")
            match = _CONTENT_RANGE.fullmatch(given)
            if match and int(match[1]) == offset and (size is None or match[2] in ("*", str(size))):
                return offset
            raise _PassingError(
                f"the server sends range {given!r} where bytes {offset}- were asked for, "
                "so the file is fetched from its start",
                restart=True,
            )
        if status != 200:
            said = f"the server answers {status} {answer.reason}"
            if status in _RETRIED:
                after = answer.headers.get("Retry-After", "")
                raise _PassingError(said, float(after) if after.isdecimal() else 0)
            moved = f" for {answer.url}" if answer.url != self.file.url else ""
            raise DownloadError(self.file.url, f"{said}{moved}; expected the file")
        length = answer.headers.get("Content-Length", "")
        if size is not None and length.isdecimal() and whole_number(length) != size:
            raise DownloadError(
                self.file.url,
                f"offers a file of {length} bytes, expected one of {size} with "
                f"sha256 {self.file.sha256}",
            )
        return 0

    def _receive(self, answer: requests.Response, offset: int) -> None:
        """Append the body to the part file, raw as sent: a packed file must not be unpacked."""
        from urllib3.exceptions import HTTPError, ReadTimeoutError

        length = answer.headers.get("Content-Length", "")
        total = self.file.size
        if total is None and (known := whole_number(length)) is not None:
            total = offset + known
        limit = self.patience.largest if self.file.size is None else self.file.size
        done, since, before = offset, time.monotonic(), offset
        bar = measured(f"fetching {self.file.name}, MB", lambda: total and total / 1e6)
        with self.part.open("ab" if offset else "wb") as out, bar as advance:
            advance(offset / 1e6)
            try:
                while block := answer.raw.read1(_BLOCK, decode_content=False):
                    out.write(block)
                    done += len(block)
                    advance(len(block) / 1e6)
                    if done > limit:
                        raise _PassingError(f"sends more than {limit} bytes", restart=True)
                    if (now := time.monotonic()) - since >= self.patience.stall:
                        if done - before < self.patience.slowest:
                            raise _PassingError(f"stalled after {done} bytes")
                        since, before = now, done
            except ReadTimeoutError as error:
                raise _PassingError(f"stalled after {done} bytes") from error
            except HTTPError as error:
                raise _PassingError(f"the connection broke after {done} bytes") from error
        if total is not None and done < total:
            raise _PassingError(f"the connection ended after {done} of {total} bytes")

    def _check_digest(self, *, resumed: bool) -> None:
        """Check the whole file; remove a wrong one."""
        found, size = file_sha256(self.part), _size(self.part)
        if found == self.file.sha256:
            return
        self.part.unlink()
        if resumed:
            # The part kept from an earlier try may be bad: try once more from the start.
            raise _PassingError(f"the continued file has the wrong sha256 {found} and was removed")
        raise DownloadError(
            self.file.url,
            f"sends a file of {size} bytes with sha256 {found}, expected "
            f"{self.file.sha256}; it was removed",
        )


def _given_up(error: _PassingError, attempts: int, part: Path) -> str:
    kept = _size(part)
    rest = f"; {kept} bytes are kept, the same command goes on there" if kept else ""
    times = f"{attempts} attempts" if attempts > 1 else "one attempt"
    return f"{error} (gave up after {times}){rest}"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _root_cause(error: BaseException | None) -> str:
    """Return the innermost reason of a connection error, in a few words."""
    from urllib3.exceptions import NameResolutionError, ProxyError

    while error is not None:
        if isinstance(error, NameResolutionError):
            return "its name is not known here; is the network up?"
        if isinstance(error, ProxyError):
            return "the proxy does not answer or refuses; see HTTP_PROXY and HTTPS_PROXY"
        if isinstance(error, OSError) and error.strerror:
            return error.strerror.lower()
        wrapped = (getattr(error, "reason", None), *error.args, error.__cause__, error.__context__)
        error = next((inner for inner in wrapped if isinstance(inner, BaseException)), None)
    return "the connection failed"
