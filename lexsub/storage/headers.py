"""JSON checked against a model of its shape, the headers of models' folders above all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from lexsub.errors import FormatError, MissingResourceError, Place, cut, expected_of, key_path
from lexsub.storage.addresses import is_file
from lexsub.storage.digests import check_sealed
from lexsub.storage.files import read_text

T = TypeVar("T", bound=BaseModel)


class Closed(BaseModel):
    """A table that has the keys declared in its class and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def parse_json_as(model: type[T], data: bytes | str, path: Path, line: int | None = None) -> T:
    """Read JSON of a given shape.

    Args:
        model: the shape, as a pydantic model.
        data: the JSON text.
        path: the file it comes from, for messages.
        line: the line it stands on, for files with one object a line.

    Raises:
        FormatError: not JSON, or of another shape; names the place inside it.
    """
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "json_invalid":
            raise FormatError(path, line, f"not JSON: {first['msg']}") from error
        place = key_path(first["loc"]) or "the top"
        if first["type"] == "missing":
            raise FormatError(path, line, f"at {place}: missing; this key is required") from error
        found, expected = cut(repr(first["input"])), expected_of(first, "an object")
        verb = "" if first["type"] == "value_error" else "expected "
        raise FormatError(path, line, f"at {place}: found {found}; {verb}{expected}") from error


def read_header_file(path: Path, model: type[T], missing: str, again: str) -> T:
    """Read and check the header of a folder that a model lives in.

    Args:
        path: the file.
        model: what it must hold; the defaults of its ``format`` and ``version`` are expected.
        missing: what to say, after the folder's name, when there is none.
        again: how to make the model again, as ``train the model again``.

    Raises:
        MissingResourceError: there is none at that place.
        FormatError: it is another format or version, or damaged.
    """
    if not is_file(path):
        raise MissingResourceError(f"{path.parent}: {missing}")
    text = read_text(path)
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, None, f"is not JSON ({error})") from error
    names = ("format", "version")
    expected = [model.model_fields[name].default for name in names]
    found = [raw.get(name) if isinstance(raw, dict) else None for name in names]
    if found != expected:
        raise Place(path).fault(
            f"is format {found[0]!r}, version {found[1]!r}; expected {expected[0]!r}, version "
            f"{expected[1]}: {again} with this version of lexsub"
        )
    return parse_json_as(model, text, path)


def header_reader(
    file: str, model: type[T], what: str, way: str, again: str, *, sealed: bool = True
) -> Callable[[Path], T]:
    """Return what reads the header of a folder, and checks the folder's files.

    Args:
        file: name of the header's file.
        model: what it must hold.
        what: what such a folder is, as ``encoder``, for the message where there is none.
        way: how one is made.
        again: how to make it again.
        sealed: check the files against their digests; else the caller has done so.

    Raises:
        MissingResourceError: (what is returned) there is no such folder.
        FormatError: (what is returned) it is damaged, or of another format or version.
    """

    def read_header(folder: Path) -> T:
        if sealed:
            check_sealed(folder, again)
        missing = f"no {what} here (a folder with {file}): {way}"
        return read_header_file(folder / file, model, missing, again)

    return read_header
