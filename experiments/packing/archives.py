"""Models as one file: written to hand them on, and taken in without trusting them."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path

from lexsub.data.archives import Limits, unpack
from lexsub.errors import FormatError, LexsubError
from lexsub.files import PART, atomic_write, draft_prefix, sweep_once, writing
from lexsub.models import FILE, Model, open_model, user_models

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


def import_model(path: Path) -> Model:
    """Take a model from an archive into the user's own, if it is whole.

    Raises:
        LexsubError: it is no archive of a model, damaged, of another version, holds what would
            leave the folder, or a model of that name is there already.
    """
    places = user_models()
    with writing(places):
        places.mkdir(parents=True, exist_ok=True)
        sweep_once(places)
        # Unpacked beside its place, so that moving it there is a rename on one file system.
        with tempfile.TemporaryDirectory(
            prefix=draft_prefix(path), suffix=PART, dir=places
        ) as folder:
            draft = Path(folder) / "model"
            draft.mkdir()
            unpack(path, draft, LIMITS)
            place = places / _checked(path, draft).name
            if place.exists():
                raise LexsubError(
                    f"{place}: a model of that name is there already; remove it first"
                )
            draft.rename(place)
    return open_model(place)


def _checked(path: Path, draft: Path) -> Model:
    if not (draft / FILE).is_file():
        raise FormatError(
            path, None, f"holds no {FILE}; expected an archive that 'lexsub model export' wrote"
        )
    try:
        return open_model(draft)
    except LexsubError as error:
        raise FormatError(path, None, str(error).replace(f"{draft}/", "")) from error
