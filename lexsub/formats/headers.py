"""Headers of the folders that models live in: JSON with a format, a version and parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from lexsub.addresses import is_file
from lexsub.errors import FormatError, MissingResourceError
from lexsub.files import read_text
from lexsub.formats.json_text import parse_json

H = TypeVar("H", bound=BaseModel)


def read_header_file(path: Path, model: type[H], missing: str, again: str) -> H:
    """Read and check a header.

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
        raise FormatError(
            path,
            None,
            f"is format {found[0]!r}, version {found[1]!r}; expected {expected[0]!r}, version "
            f"{expected[1]}: {again} with this version of lexsub",
        )
    return parse_json(model, text, path)
