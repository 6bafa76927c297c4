"""Models as one file: written to hand them on, and taken in without trusting them."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from lexsub.data.install import Limits, unpack
from lexsub.errors import FormatError, LexsubError
from lexsub.models import FILE, Model, known_models, model_parts, open_model, user_models
from lexsub.resources import Resources
from lexsub.storage.files import atomic_write, folder_beside

LIMITS = Limits(bytes=1 << 32, members=20_000)
"""How much a model may unpack to."""

_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def export_model(model: Model, path: Path) -> None:
    """Write a model as a zip archive; the same model gives the same bytes.

    Raises:
        FileProblemError: the disk refuses.
    """
    files = sorted(one for one in model.folder.rglob("*") if one.is_file())
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(model.folder).as_posix(), _LONG_AGO)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as target, file.open("rb") as source:
                shutil.copyfileobj(source, target, 1 << 20)


def import_model(path: Path, name: str = "") -> Model:
    """Take a model from an archive into the user's own, if it is whole.

    Args:
        path: the archive.
        name: what to call it; "" for what it calls itself.

    Raises:
        LexsubError: it is no archive of a model, damaged, of another version, holds what would
            leave the folder, names code outside of lexsub, or another model of that name is
            there already.
    """
    places = user_models()
    with folder_beside(places / path.name) as folder:
        draft = folder / "model"
        draft.mkdir()
        unpack(path, draft, LIMITS)
        found = _checked(path, draft)
        place = places / (name or found.name)
        if not _is(place, found):
            _refuse_taken(path, place)
            draft.rename(place)
    return open_model(place)


def _is(folder: Path, model: Model) -> bool:
    """Return True if a folder holds this model, complete."""
    try:
        return folder.exists() and open_model(folder).digest == model.digest
    except LexsubError:
        return False


def _refuse_taken(path: Path, place: Path) -> None:
    """Refuse the name of another model: this one would answer in its place."""
    way = "take this one in under another name (lexsub model import --name NAME)"
    if place.exists():
        raise LexsubError(
            f"{place}: another model of that name is there already; {way}, or remove that one "
            f"first (lexsub model remove {place.name})"
        )
    if place.name in known_models():
        raise LexsubError(
            f"{path}: calls itself {place.name!r}, as the model that comes with lexsub; {way}"
        )


def _checked(path: Path, draft: Path) -> Model:
    if not (draft / FILE).is_file():
        raise FormatError(
            path, None, f"holds no {FILE}; expected an archive that 'lexsub model export' wrote"
        )
    try:
        model = open_model(draft)
        model_parts(model, Resources())
        return model
    except LexsubError as error:
        told = str(error).replace(f"{draft}: ", "").replace(f"{draft}/", "")
        raise FormatError(path, None, told) from error
