"""Models as one thing: a system of an experiment with all that it reads, in one folder.

``lexsub model build`` writes one (:mod:`lexsub.experiments.packing`); this room says what such a
folder is, checks it, and knows which there are.

::

    model.json        format, version, name, and the card
    config.toml       an experiment with one system; its resources are in the folder
    recipe.toml       the experiment that it was made from, every option with its value
    models/NAME/      the trained models that the system reads
    resources/NAME…   the word lists, thesauri and WordNet that it reads
    boundary.json     how many substitutes are good, where that was learned; beside it the same,
                      boundary.otherwise.json, for where a library is not installed
    licences/…        texts of licences
    digests.json      of all these files (:mod:`lexsub.storage.digests`)

Everything is a plain format: JSON, TOML, arrays of numpy, SQLite, text.  Nothing that is read can
run code, and no part of the system may name code outside of lexsub (``Resources.code``).
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from lexsub.errors import FormatError, LexsubError, UnknownNameError, well_formed
from lexsub.parts.base import RANKERS, SOURCES, CandidateSource, Ranker
from lexsub.parts.build import build_part
from lexsub.resources import Resources
from lexsub.storage.digests import FILE as DIGESTS
from lexsub.storage.digests import check_sealed, known_sha256
from lexsub.storage.files import PART, draft_prefix, is_draft, read_text, write_text, writing
from lexsub.storage.headers import Closed, read_header_file
from lexsub.storage.user_folders import user_data

FILE = "model.json"
CONFIG = "config.toml"
RECIPE = "recipe.toml"
BOUNDARY = "boundary.json"
STAND_IN_BOUNDARY = "boundary.otherwise.json"
NAME = r"[a-z0-9][a-z0-9._+-]{0,99}"
"""What a model may be called: a folder has its name."""
FORMS = "forms"
"""Name of the resource with inflected forms."""
AGAIN = "install it again, or build it again with 'lexsub model build'"


class MadeFrom(Closed):
    """Something that a model was made from."""

    name: str
    """What it is."""
    licence: str
    """Its licence, as CC BY 4.0."""
    note: str = ""
    """What else there is to know."""


class FigureNote(Closed):
    """What a model reaches."""

    data: str
    """The data set and split, as ``semeval2007/test``."""
    measure: str
    """The measure, as ``best-P``."""
    value: float
    """The value as it is printed, mostly in percent."""
    note: str = ""
    """How it was measured; "" by the run that made the model."""


class RecipeCard(Closed):
    """``[card]``: what a model made from this file says of itself."""

    name: str = Field(default="", pattern=r"^([a-z0-9][a-z0-9._-]{0,60})?$")
    """What it is called; by default as the experiment."""
    language: str = "en"
    """ISO 639-1 code of the sentences that it is for."""
    about: str = ""
    """What it is, in a sentence or two."""
    licence: str = ""
    """Under which licence it may be passed on, as CC BY-SA 4.0."""
    sources: tuple[MadeFrom, ...] = ()
    """What it was made from."""
    figures: tuple[FigureNote, ...] = ()
    """What it reaches elsewhere; the figures of the run itself are added."""
    licences: tuple[str, ...] = ()
    """Files with texts of licences, copied into the model."""


class Card(RecipeCard):
    """What a model says of itself.

    Attributes:
        made_by: version of lexsub.
        command: that makes it.
        inputs: digests of the files that it was made from, by name.
        trained: what its learned ranker learned from: splits with digests, number of targets.
    """

    made_by: str = ""
    command: str = ""
    inputs: dict[str, str] = Field(default_factory=dict)
    trained: dict[str, Any] = Field(default_factory=dict)


class ModelHeader(Closed):
    """``model.json``."""

    format: Literal["lexsub-model"] = "lexsub-model"
    version: Literal[1] = 1
    name: str = Field(pattern=f"^{NAME}$")
    card: Card


@dataclass(frozen=True)
class Model:
    """A model that was found whole.

    Attributes:
        folder: where it is.
        name: what it is called.
        card: what it says of itself.
        config: its experiment's table.
    """

    folder: Path
    name: str
    card: Card
    config: Mapping[str, Any]

    @property
    def called(self) -> str:
        """The name under which it was taken in, with its own where that is another."""
        taken = self.folder.parent == user_data() / "models" and self.folder.name != self.name
        return f"{self.folder.name} (calls itself {self.name})" if taken else self.name

    @property
    def system(self) -> Mapping[str, Any]:
        """The table of its system, as in ``[[systems]]`` of a config."""
        system: Mapping[str, Any] = self.config["systems"][0]
        return system

    @property
    def digest(self) -> str:
        """The digest of the digests of its files: another one, another model."""
        return known_sha256(self.folder / DIGESTS)

    def resources(self, given: Resources) -> Resources:
        """Return what its parts may reach for: what is in the folder, and nothing else."""
        places = {name: self.folder / path for name, path in self.config["resources"].items()}
        below = self.folder / "models"
        models = {path.name: path for path in below.iterdir()} if below.is_dir() else {}
        inside = replace(given, paths=places, models=models, data=(), features={}, code="none")
        return replace(inside, language=self.card.language)


def open_model(folder: Path) -> Model:
    """Read what a model says of itself, and check its files against their digests.

    Raises:
        MissingResourceError: there is none at that place.
        FormatError: it is of another version of the format, a file is missing or is not as it was
            written.
    """
    header = read_header_file(
        folder / FILE,
        ModelHeader,
        f"no model here (a folder with {FILE}): build one with 'lexsub model build', or see "
        "'lexsub model list'",
        "take a model that was made for it, or build it again",
    )
    if not (folder / DIGESTS).is_file():
        raise FormatError(folder / DIGESTS, None, f"is missing: {AGAIN}")
    check_sealed(folder, AGAIN)
    with well_formed(folder / CONFIG, "is no model's configuration", f": {AGAIN}"):
        config = tomllib.loads(read_text(folder / CONFIG))
        _ = config["systems"][0]["ranker"]
        for name, path in config["resources"].items():
            if Path(path).is_absolute() or ".." in Path(path).parts:
                raise ValueError(f"resource {name} is {path!r}, outside of the model")
        if config.get("plugins"):
            raise ValueError("it names plugins, and a model can name no code")
    return Model(folder, header.name, header.card, config)


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
        raise LexsubError(
            f"{reference!r} is no known model; a folder is named ./{reference} "
            f"(known: {', '.join(sorted(known)) or 'none'})"
        )
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


def model_parts(model: Model, given: Resources) -> tuple[CandidateSource, Ranker]:
    """Make the parts of a model's system; nothing is opened.

    Raises:
        LexsubError: they are not as declared, lack something, or name code outside of lexsub.
    """
    inside, where = model.resources(given), str(model.folder)
    source: CandidateSource = build_part(
        SOURCES, model.system["candidates"], f"{where}: candidates"
    )
    ranker: Ranker = build_part(RANKERS, model.system["ranker"], f"{where}: ranker")
    for part in (source, ranker):
        try:
            part.inputs(inside)
        except LexsubError as error:
            raise LexsubError(f"{where}: {error}") from error
    return source, ranker
