"""Which models there are: those that come with lexsub, and the user's own."""

from __future__ import annotations

import os
from pathlib import Path

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.files import read_text, write_text
from lexsub.models.folder import FILE
from lexsub.resources import user_data

ENGLISH = "english"
"""The model that is taken where none is named and none was chosen."""

CHOSEN = "model.txt"
"""File beside the user's models that names the one to take."""

SHIPPED = Path(__file__).parent
"""Folder of the models that come with lexsub."""


def user_models() -> Path:
    """Return the folder of the user's own models."""
    return user_data() / "models"


def known_models() -> dict[str, Path]:
    """Return the folders of the models that have a name; of two of a name the user's own."""
    found: dict[str, Path] = {}
    for place in (SHIPPED, user_models()):
        if place.is_dir():
            found |= {path.parent.name: path.parent for path in sorted(place.glob(f"*/{FILE}"))}
    return found


def find_model(reference: str) -> Path:
    """Return the folder of a model: a bare name is a known one, all else (a/b) a folder.

    Raises:
        LexsubError: there is none.
    """
    known = known_models()
    if reference in known:
        return known[reference]
    path = Path(reference)
    if "/" in reference or os.sep in reference or path.is_absolute():
        return path
    if (path / FILE).is_file():
        raise LexsubError(f"{reference!r} is no known model; a folder is named ./{reference} "
                          f"(known: {', '.join(sorted(known)) or 'none'})")  # fmt: skip
    raise UnknownNameError("model", reference, known)


def chosen_model() -> str:
    """Return the model that the user has chosen, by name or folder; "" for none.

    Raises:
        FileProblemError: the note of it cannot be read.
    """
    note = user_models() / CHOSEN
    return read_text(note).strip() if note.is_file() else ""


def choose_model(reference: str) -> None:
    """Note the model to take where none is named; "" for none in particular.

    Raises:
        FileProblemError: the note cannot be written.
    """
    write_text(user_models() / CHOSEN, f"{reference}\n")


def preferred_model() -> str:
    """Return the model to take where none is named: the chosen one, or the one that is there.

    ``""`` where lexsub came without one.
    """
    return chosen_model() or (ENGLISH if ENGLISH in known_models() else "")
