"""Damage a folder in one place, read it in a forked process, and say what came of it."""

from __future__ import annotations

import gc
import hashlib
import os
import random
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lexsub.errors import LexsubError

MEMORY = 1 << 30
"""Bytes that a reading may take beyond what the process has already."""
SECONDS = 10
"""Of processor time."""
PATIENCE = 120
"""Seconds by the clock, on however busy a machine."""
LONGEST = 2000
"""Characters of a message."""


@dataclass(frozen=True)
class Subject:
    """Something that is read.

    Attributes:
        name: as it is printed.
        make: writes it whole into an empty folder.
        ask: reads it from there and returns an answer with a telling ``repr``.
        guarded: whether every damage must be noticed; if not, another answer is no fault (a text
            may well say something else).
        libraries: modules without which there is nothing to try.
    """

    name: str
    make: Callable[[Path], object]
    ask: Callable[[Path], object]
    guarded: bool = True
    libraries: tuple[str, ...] = ()


GOOD = ("error", "same answer")
OUTCOMES = (*GOOD, "other answer", "trace", "memory", "crash", "hang", "left files")


@dataclass
class Result:
    """What came of a subject.

    Attributes:
        counts: how many inputs had which outcome.
        faults: a line about each that should not have had it.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


# --- damage ----------------------------------------------------------------------------------


def _span(data: bytearray, chance: random.Random) -> slice:
    start = chance.randrange(len(data) or 1)
    return slice(start, min(len(data), start + chance.choice((1, 2, 4, 8, 64, 512))))


def truncate(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    return data[: chance.choice((0, chance.randrange(len(data) or 1), max(0, len(data) - 1)))]


def flip(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    if data:
        # Headers stand at the beginning and matter most.
        place = chance.randrange(chance.choice((min(160, len(data)), len(data))))
        data[place] ^= 1 << chance.randrange(8)
    return data


def zero(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    span = _span(data, chance)
    data[span] = bytes(len(data[span]))
    return data


def ones(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    span = _span(data, chance)
    data[span] = b"\xff" * len(data[span])
    return data


def swap(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    if others and chance.random() < 0.5:
        return bytearray(chance.choice(others))
    one, two = _span(data, chance), _span(data, chance)
    moved = data[one]
    data[one] = data[two]
    data[two] = moved
    return data


def grow(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    more = data[_span(data, chance)] if chance.random() < 0.5 else chance.randbytes(8)
    place = chance.choice((len(data), chance.randrange(len(data) + 1)))
    return data[:place] + more + data[place:]


def digits(data: bytearray, chance: random.Random, others: Sequence[bytes]) -> bytearray:
    places = [place for place, byte in enumerate(data[:100_000]) if 48 <= byte < 58]
    if not places:
        return flip(data, chance, others)
    place = chance.choice(places)
    number = chance.choice((b"0", b"-1", b"9" * 19, b"9" * 5000, b"1e400", b"nan", b".5"))
    return data[:place] + number + data[place + 1 :]


KINDS = (truncate, flip, zero, ones, swap, grow, digits)
REMOVE = "remove"


def damage(folder: Path, whole: dict[str, bytes], chance: random.Random) -> tuple[str, str]:
    """Damage one file of a folder; return its name and the kind of damage."""
    name = chance.choice(sorted(whole))
    others = [data for other, data in whole.items() if other != name]
    kind = chance.choice((*KINDS, flip, REMOVE))
    if kind is REMOVE:
        (folder / name).unlink()
        return name, REMOVE
    assert callable(kind)
    (folder / name).write_bytes(kind(bytearray(whole[name]), chance, others))
    return name, kind.__name__


# --- reading ---------------------------------------------------------------------------------


def read_apart(ask: Callable[[Path], object], folder: Path) -> tuple[str, str]:
    """Read a folder in a forked process; return what came of it, and the answer or message."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _be_child(ask, folder, writing)
    os.close(writing)
    deadline = time.monotonic() + PATIENCE
    told = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([reading], [], [], left)[0]:
            break
        block = os.read(reading, 1 << 16)
        if not block:
            break
        told += block
    else:
        left = 0
    os.close(reading)
    if left <= 0:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if left <= 0 or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return "hang", ""
    if os.WIFSIGNALED(status):
        return "crash", signal.Signals(os.WTERMSIG(status)).name
    outcome, _, text = told.decode(errors="replace").partition("\n")
    return outcome or "crash", text


def _be_child(ask: Callable[[Path], object], folder: Path, writing: int) -> None:
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        outcome, text = "answer", repr(ask(folder))
    except LexsubError as error:
        text = str(error)
        outcome = "error" if "\n" not in text and len(text) < LONGEST else "trace"
    except MemoryError:
        outcome, text = "memory", ""
    except BaseException:
        outcome, text = "trace", traceback.format_exc()
    if outcome == "answer":
        text = hashlib.sha256(text.encode(errors="replace")).hexdigest()
    data = f"{outcome}\n{text[:10_000]}".encode(errors="replace")
    while data:
        data = data[os.write(writing, data) :]
    os._exit(0)


# --- a subject -------------------------------------------------------------------------------


def content(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _restore(folder: Path, whole: dict[str, bytes]) -> list[str]:
    """Make a folder what it was; return the names of files that should not have been there."""
    odd = []
    found = content(folder)
    for name in found.keys() - whole.keys():
        odd.append(name)
        (folder / name).unlink()
    for name, data in whole.items():
        if found.get(name) != data:
            (folder / name).write_bytes(data)
    return odd


def try_subject(subject: Subject, inputs: int, seed: int, scratch: Path) -> Result:
    """Damage a subject so many times.

    Raises:
        AssertionError: it cannot be read when it is whole.
    """
    folder = scratch / subject.name.replace(" ", "-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subject.make(folder)
    whole = content(folder)
    right = read_apart(subject.ask, folder)
    assert right[0] == "answer", (subject.name, right)
    assert read_apart(subject.ask, folder) == right, f"{subject.name}: never the same answer"
    gc.freeze()
    result = Result()
    for number in range(inputs):
        chance = random.Random(f"{seed} {subject.name} {number}")
        name, kind = damage(folder, whole, chance)
        outcome, text = read_apart(subject.ask, folder)
        if outcome == "answer":
            outcome = "same answer" if text == right[1] else "other answer"
        changed = (folder / name).read_bytes() if (folder / name).is_file() else None
        odd = _restore(folder, whole)
        if outcome in GOOD and odd:
            outcome, text = "left files", ", ".join(odd)
        # Nothing was damaged where the file came out as it was.
        if outcome == "other answer" and changed == whole[name]:
            outcome, text = "trace", "two answers to the same"
        result.counts[outcome] += 1
        if outcome not in GOOD and (subject.guarded or outcome != "other answer"):
            last = text.strip().splitlines()[-1:] or [""]
            result.faults.append(f"{subject.name} #{number}: {kind} {name}: {outcome} {last[0]}")
    return result


def campaign(
    subjects: Sequence[Subject], inputs: int, seed: int, scratch: Path
) -> Iterator[tuple[Subject, Result]]:
    """Damage several subjects, so many times altogether."""
    for place, subject in enumerate(subjects):
        share = (place + 1) * inputs // len(subjects) - place * inputs // len(subjects)
        yield subject, try_subject(subject, share, seed, scratch)
