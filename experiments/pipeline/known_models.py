"""Where the trained models of a config are: noted at the end of every run, so that asking is quick.

A run works out whether a model is still the right one from its code, text and candidates, which
takes seconds.  ``lexsub suggest`` takes the models that the last run of the same config had; a
model of another format is refused by whoever opens it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from lexsub.errors import well_formed
from lexsub.experiments.config.experiment import Experiment
from lexsub.storage.addresses import resolved
from lexsub.storage.files import parse_json, read_text, sha256, write_text

FOLDER = "models"
"""Folder of the notes in the cache."""


def note_models(cache: Path, experiment: Experiment, models: Mapping[str, Path]) -> None:
    """Remember the models of a finished run."""
    if models:
        places = {name: str(resolved(path)) for name, path in models.items()}
        note, text = _note(cache, experiment), json.dumps(places, indent=1) + "\n"
        # Nothing is written where the note is there already: the cache may be read-only.
        if not (note.is_file() and note.read_bytes() == text.encode()):
            write_text(note, text)


def has_notes(cache: Path) -> bool:
    """Return True if any config with models has been run."""
    return (cache / FOLDER).is_dir()


def noted_models(cache: Path, experiment: Experiment) -> dict[str, Path] | None:
    """Return the models of the last run of a config; None where there is none or one is gone."""
    if not experiment.models:
        return {}
    path = _note(cache, experiment)
    if not path.is_file():
        return None
    with well_formed(path, "is no note of models", "; run again"):
        places = {name: Path(place) for name, place in parse_json(read_text(path)).items()}
    whole = places.keys() >= experiment.models.keys()
    return places if whole and all(place.is_dir() for place in places.values()) else None


def _note(cache: Path, experiment: Experiment) -> Path:
    # Left out are the keys that change no model.
    table = experiment.resolved()
    for key in ("workers", "backend", "title", "notes"):
        table.pop(key, None)
    recipe = json.dumps(table, sort_keys=True, default=str)
    return cache / FOLDER / f"{sha256(recipe.encode())[:32]}.json"
