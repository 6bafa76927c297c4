"""Which models there are: those that come with lexsub, and the user's own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from lexsub.errors import LexsubError, UnknownNameError
from lexsub.models.folder import FILE
from lexsub.storage.files import PART, draft_prefix, is_draft, read_text, write_text, writing
from lexsub.storage.user_folders import user_data

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


def remove_model(name: str) -> Path:
    """Remove one of the user's own models, and return where it was.

    Raises:
        LexsubError: the user has none of that name.
        FileProblemError: the disk refuses.
    """
    places = user_models()
    own = {path.name: path for path in places.glob("*") if path.is_dir() and not is_draft(path)}
    if name not in own:
        if name in known_models():
            raise LexsubError(f"model {name!r} comes with lexsub; only your own can be removed")
        raise UnknownNameError("model of your own", name, own)
    path = own[name]
    with writing(path):
        if path.is_symlink():
            path.unlink()
            return path
        # Under another name first, so that half of it never stands for the whole.
        gone = path.with_name(f"{draft_prefix(path)}gone{PART}")
        path.rename(gone)
        shutil.rmtree(gone)
    return path


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
