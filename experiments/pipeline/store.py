"""A content-addressed store of finished stages.

A stage is a folder of files under ``stages/NAME/KEY``, where the key is a digest of
everything that decides its content (:mod:`experiments.pipeline.keys`).  A folder appears by one
rename when it is complete, so a kill at any moment loses the stage under way and nothing else.

joblib.Memory was the alternative; it keys by one function's source and pickles results,
where files can be read by people and keys should cover all the code below a stage.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexsub.digests import known_sha256
from lexsub.errors import FileProblemError, os_problem
from lexsub.files import sha256, write_text


@dataclass(frozen=True, slots=True)
class Stage:
    """A finished stage.

    Attributes:
        name: what was done, as ``candidates``.
        key: digest of everything that decided the content.
        folder: where its files are.
        reused: whether it was there already.
        seconds: wall time it took, now or (reused) when it was made.
        label: whose it is, as ``wordnet best``: the system that wanted it first.
    """

    name: str
    key: str
    folder: Path
    reused: bool
    seconds: float
    label: str = ""


@dataclass
class Store:
    """Finished stages below one folder.

    Attributes:
        folder: the cache folder.
        force: recompute every stage once, whatever is there.
    """

    folder: Path
    force: bool = False
    _made: set[str] = field(default_factory=set)

    def has(self, name: str, ingredients: Mapping[str, Any]) -> bool:
        """Say whether a stage is there, so that :meth:`stage` would not make it."""
        return self._seconds(*self._place(name, ingredients)) is not None

    def stage(
        self, name: str, ingredients: Mapping[str, Any], make: Callable[[Path], float | None]
    ) -> Stage:
        """Return a stage, made now unless it is there.

        Args:
            name: the kind of stage; a folder name.
            ingredients: everything that decides the content, as plain JSON values.
            make: writes the stage's files into the (empty) folder it is given, and returns the
                seconds of work in them, None for those of the call.

        Raises:
            FileProblemError: the disk refuses.
        """
        key, place = self._place(name, ingredients)
        seconds = self._seconds(key, place)
        if seconds is not None:
            return Stage(name, key, place, key not in self._made, seconds)
        start = time.perf_counter()
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            _sweep(place.parent)
            prefix = f".{key}.{socket.gethostname()}.{os.getpid()}."
            draft = Path(tempfile.mkdtemp(prefix=prefix, suffix=".part", dir=place.parent))
        except OSError as error:
            raise FileProblemError(place, f"cannot be written: {os_problem(error)}") from error
        try:
            told = make(draft)
            seconds = time.perf_counter() - start if told is None else told
            note = {"stage": name, "seconds": seconds, "bytes": _sizes(draft),
                    "ingredients": ingredients}  # fmt: skip
            write_text(draft / "stage.json", json.dumps(note, indent=1, default=str) + "\n")
            _swap(draft, place)
        except OSError as error:
            raise FileProblemError(place, f"cannot be written: {os_problem(error)}") from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        self._made.add(key)
        return Stage(name, key, place, False, seconds)

    def _place(self, name: str, ingredients: Mapping[str, Any]) -> tuple[str, Path]:
        recipe = json.dumps(ingredients, sort_keys=True, default=str)
        key = sha256(f"{name}\n{recipe}".encode())[:32]
        return key, self.folder / "stages" / name / key

    def _seconds(self, key: str, place: Path) -> float | None:
        fresh = key in self._made or not self.force
        return _seconds_of(place) if fresh else None

    def digest(self, path: Path) -> str:
        """Return the digest of an input: a file's sha256, or a folder's files in order.

        A stage's own folder is named by its key already.  A large file that has not changed
        is not read again (:mod:`lexsub.digests`).

        Raises:
            FileProblemError: the input cannot be read.
        """
        if path.is_dir():
            if (path / "stage.json").is_file() and path.parent.parent == self.folder / "stages":
                return f"{path.parent.name}/{path.name}"
            files = sorted(entry for entry in path.rglob("*") if entry.is_file())
            return sha256(
                "".join(f"{f.relative_to(path)} {self.digest(f)}\n" for f in files).encode()
            )
        return known_sha256(path, self.folder / "digests")


def folder_digest(folder: Path) -> str:
    """Return a digest of the files of a folder, by name and content."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = (f"{path.relative_to(folder)} {sha256(path.read_bytes())}" for path in files)
    return sha256("\n".join(lines).encode())[:32]


def _seconds_of(place: Path) -> float | None:
    """Return how long a finished stage took; None if it is not there, or not as it was left.

    A file that a crash of the machine or a hand has cut short would otherwise stop every
    later run, or worse, be scored.
    """
    try:
        note = json.loads((place / "stage.json").read_text())
        whole = note["bytes"] == _sizes(place)
        return float(note["seconds"]) if whole else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sizes(folder: Path) -> dict[str, int]:
    """Return the sizes of a stage's files by name, its stamp left out."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
    return {name: size for name, size in sizes.items() if name != "stage.json"}


def _swap(draft: Path, place: Path) -> None:
    """Put a finished draft in its place; another process's equal result may be there."""
    old = draft.with_suffix(".old.part")
    if place.exists():
        place.rename(old)
    try:
        draft.rename(place)
    except OSError:
        if not (place / "stage.json").is_file():
            raise
    shutil.rmtree(old, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove the drafts of processes of this machine that are no longer alive."""
    host = socket.gethostname()
    for draft in folder.glob(f".*.{host}.*.part"):
        pid = draft.name.removesuffix(".part").split(f".{host}.", 1)[1].split(".")[0]
        if pid.isdecimal() and not _alive(int(pid)):
            shutil.rmtree(draft, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
