"""A content-addressed store of finished stages.

A stage is a folder of files under ``stages/NAME/KEY``, where the key is a digest of
everything that decides its content (:mod:`lexsub.experiments.pipeline.keys`).  A folder appears by
one rename when it is complete, so a kill at any moment loses the stage under way and nothing else.
Beside its files stands ``stage.json``: their digests, checked when a stage is wanted for the first
time in a run, and what the key was made from.

joblib.Memory was the alternative; it keys by one function's source and pickles results,
where files can be read by people and keys should cover all the code below a stage.
"""

from __future__ import annotations

import json
import logging
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexsub.errors import LexsubError
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import file_sha256, folder_beside, sha256, write_text
from lexsub.storage.locks import locked

_log = logging.getLogger(__name__)

NOTE = "stage.json"
MODEL = "model"
"""The kind of stage that takes long."""
SEAL = "sha256"
"""Of the rest of the note."""


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
    _checked: dict[str, float | None] = field(default_factory=dict)

    def has(self, name: str, ingredients: Mapping[str, Any]) -> bool:
        """Return True if a stage is there, so that :meth:`stage` would not make it."""
        return self._seconds(*self._place(name, ingredients)) is not None

    def stage(
        self,
        name: str,
        ingredients: Mapping[str, Any],
        make: Callable[[Path], float | None],
        inputs: Mapping[Path, str] | None = None,
    ) -> Stage:
        """Return a stage, made now unless it is there.

        Args:
            name: the kind of stage; a folder name.
            ingredients: everything that decides the content, as plain JSON values.
            make: writes the stage's files into the (empty) folder it is given, and returns the
                seconds of work in them, None for those of the call.
            inputs: files that ``make`` reads, with the digests (:meth:`digest`) that stand among
                the ingredients.

        Raises:
            FileProblemError: the disk refuses.
            LexsubError: an input has changed since its digest was taken; nothing is kept.
        """
        key, place = self._place(name, ingredients)
        seconds = self._seconds(key, place)
        # Of two runs at once, one trains a model and the other waits, as they do for features
        # (:meth:`Graph.features`); other stages are quick and are not locked.
        several = locked(place, "training this model") if name == MODEL else nullcontext()
        if seconds is None:
            with several as waited:
                seconds = self._seconds(key, place) if waited else None
                if seconds is None:
                    seconds = self._make(name, place, ingredients, make, inputs or {})
                    self._made.add(key)
                    self._checked[key] = seconds
        return Stage(name, key, place, key not in self._made, seconds)

    def _make(
        self,
        name: str,
        place: Path,
        ingredients: Mapping[str, Any],
        make: Callable[[Path], float | None],
        inputs: Mapping[Path, str],
    ) -> float:
        start = time.perf_counter()
        with folder_beside(place) as draft:
            told = make(draft)
            seconds = time.perf_counter() - start if told is None else told
            self._check_inputs(inputs)
            files = {path: file_sha256(draft / path) for path in _files(draft)}
            note = {"stage": name, "seconds": seconds, "files": files,
                    "ingredients": ingredients}  # fmt: skip
            write_text(draft / NOTE, _sealed(note))
            _swap(draft, place)
        return seconds

    def _place(self, name: str, ingredients: Mapping[str, Any]) -> tuple[str, Path]:
        recipe = json.dumps(ingredients, sort_keys=True, default=str)
        key = sha256(f"{name}\n{recipe}".encode())[:32]
        return key, self.folder / "stages" / name / key

    def _seconds(self, key: str, place: Path) -> float | None:
        """Return how long a finished stage took; None if it is not there or not to be used."""
        if self.force and key not in self._made:
            return None
        if self._checked.get(key) is None:
            self._checked[key] = self._check(place)
        return self._checked[key]

    def _check(self, place: Path) -> float | None:
        """Look whether a stage is as it was written, and return how long it took.

        A file that a crash of the machine, a dying disk or a hand has changed would otherwise
        stop every later run, or worse, be scored.
        """
        note = _read_note(place / NOTE)
        if note is None:
            if (place / NOTE).exists():
                _log.warning("lexsub: %s is damaged: the stage is made again", place / NOTE)
            return None
        found = {path: known_sha256(place / path, self._notes) for path in _files(place)}
        wrong = sorted(dict(found.items() ^ note["files"].items()))
        if wrong:
            _log.warning(
                "lexsub: %s is not as it was written: the stage is made again", place / wrong[0]
            )
            return None
        return float(note["seconds"])

    def _check_inputs(self, inputs: Mapping[Path, str]) -> None:
        for path, digest in inputs.items():
            if self.digest(path) != digest:
                raise LexsubError(
                    f"{path}: was changed while it was read, so that nothing is kept of what was "
                    "made from it; run again"
                )

    @property
    def _notes(self) -> Path:
        return self.folder / "digests"

    def digest(self, path: Path) -> str:
        """Return the digest of an input: a file's sha256, or a folder's files in order.

        A stage's own folder is named by its key already.  A large file that has not changed
        is not read again (:mod:`lexsub.storage.digests`).

        Raises:
            FileProblemError: the input cannot be read.
        """
        if path.is_dir():
            if (path / NOTE).is_file() and path.parent.parent == self.folder / "stages":
                return f"{path.parent.name}/{path.name}"
            files = sorted(entry for entry in path.rglob("*") if entry.is_file())
            return sha256(
                "".join(f"{f.relative_to(path)} {self.digest(f)}\n" for f in files).encode()
            )
        return known_sha256(path, self._notes)


def _files(folder: Path) -> list[str]:
    """Return the names of a stage's files, its note left out."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [name for path in files if (name := path.relative_to(folder).as_posix()) != NOTE]


def _sealed(note: Mapping[str, Any]) -> str:
    """Return the text of a note, which tells by itself whether it is damaged."""
    plain = json.loads(json.dumps(note, default=str))
    return json.dumps({**plain, SEAL: sha256(json.dumps(plain).encode())}, indent=1) + "\n"


def _read_note(path: Path) -> dict[str, Any] | None:
    """Read what stands beside a stage's files; None where there is nothing or it is damaged."""
    try:
        text = path.read_text("utf-8")
        note: dict[str, Any] = json.loads(text)
        del note[SEAL]
        # Every byte counts: two numbers of many digits can be the same float.
        return note if text == _sealed(note) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _swap(draft: Path, place: Path) -> None:
    """Put a finished draft in its place; another process's equal result may be there."""
    old = draft.with_suffix(".old.part")
    if place.exists():
        place.rename(old)
    try:
        draft.rename(place)
    except OSError:
        if not (place / NOTE).is_file():
            raise
    shutil.rmtree(old, ignore_errors=True)
