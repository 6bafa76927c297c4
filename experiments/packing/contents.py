"""What a system reads when it works, and how a model keeps it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lexsub.candidates.thesaurus_index import open_index
from lexsub.candidates.thesaurus_index import write_packed as pack_thesaurus
from lexsub.errors import LexsubError
from lexsub.experiments.config.experiment import System
from lexsub.experiments.config.files import NamedPlaces
from lexsub.experiments.pipeline.store import NOTE
from lexsub.frequency import FREQUENCIES
from lexsub.frequency.index import write_packed as pack_counts
from lexsub.frequency.lists import FormList, read_form_list
from lexsub.languages.english.forms import write_forms
from lexsub.languages.english.inflection import known_forms
from lexsub.languages.english.lemminflect_adapter import make_lazy
from lexsub.models import FORMS
from lexsub.parts.base import RANKERS, SOURCES
from lexsub.parts.build import describe_part
from lexsub.rankers.learned.model import FILE as LEARNED
from lexsub.rankers.learned.model import write_whole_part
from lexsub.resources import Resources
from lexsub.storage.files import write_text
from lexsub.tagger import FILE as TAGGER
from lexsub.tagger import read_header as tagger_header
from lexsub.wordnet import open_wordnet
from lexsub.wordnet.opening import licence
from lexsub.wordnet.opening import write_packed as pack_wordnet


@dataclass(frozen=True)
class Asked:
    """What the parts of a system asked for.

    Attributes:
        models: folders of trained models by name.
        resources: places of resources by name.
        formats: of the resources that are thesauri.
    """

    models: Mapping[str, Path]
    resources: Mapping[str, Path]
    formats: Mapping[str, str]


def what_is_asked(system: System, resources: Resources) -> Asked:
    """Return the models and resources that a system reads.

    Raises:
        LexsubError: it reads a file that the config names by its path, or names code.
    """
    models, places = NamedPlaces(resources.models), NamedPlaces(resources.paths)
    asking = replace(resources, models=models, paths=places, code="none")
    system.candidates.inputs(asking)
    system.ranker.inputs(asking)
    found = {name: Path(places[name]) for name in sorted(places.asked) if name in places}
    for name in sorted(places.asked - places.keys()):
        # Found where it always is: below a data folder, or on this machine.
        if name in FREQUENCIES:
            found[name] = FREQUENCIES[name].inputs(resources)[0]
        elif name == "wordnet":
            found[name] = Path()
    strays = (models.asked | places.asked) - models.keys() - found.keys()
    for name in sorted(strays):
        if Path(name).exists():
            raise LexsubError(
                f"system {system.name} reads {name} by its path; name it in [models] or "
                "[resources], so that a model can hold it"
            )
    tables = [describe_part(SOURCES, system.candidates), describe_part(RANKERS, system.ranker)]
    families = getattr(system.ranker, "families", None)
    if families is not None:
        tables += [vars(one) for one in families(resources).values()]
    formats = {
        one["file"]: one["format"] for one in _tables(tables) if {"file", "format"} <= one.keys()
    }
    asked = {name: resources.models[name] for name in sorted(models.asked) if name in models}
    # The language of the sentences asks the tagger, which reads the states of its encoder.
    taggers = [name for name, path in resources.models.items() if (path / TAGGER).is_file()]
    for name in taggers:
        encoder = tagger_header(resources.models[name]).encoder
        asked |= {one: resources.models[one] for one in (name, encoder)}
    return Asked(asked, found, formats)


def _tables(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for one in value:
        yield from _tables(one)


def pack_models(asked: Asked, draft: Path) -> None:
    """Copy the models, learned ones without the parts that no sentence needs."""
    for name, folder in asked.models.items():
        place = draft / "models" / name
        if (folder / LEARNED).is_file():
            write_whole_part(folder, place)
        else:
            shutil.copytree(folder, place, ignore=shutil.ignore_patterns(NOTE))


def pack_resources(
    asked: Asked, draft: Path, resources: Resources, language: str
) -> dict[str, str]:
    """Write the resources, and return their places in the model by name.

    Raises:
        MissingExtraError: LemmInflect is not installed, which makes the forms of English words.
    """
    packed = {}
    for name, path in asked.resources.items():
        place = draft / "resources" / name
        place.parent.mkdir(exist_ok=True)
        part = FREQUENCIES.get(name) if name in FREQUENCIES else None
        if name == "wordnet":
            pack_wordnet(resources, place)
            if text := licence(resources):
                write_text(draft / "licences" / "WordNet.txt", text)
        elif name in asked.formats:
            pack_thesaurus(path, asked.formats[name], place)
        elif isinstance(part, FormList):
            pack_counts(path, read_form_list, place)
        elif path.is_dir():
            shutil.copytree(path, place, ignore=shutil.ignore_patterns(NOTE))
        else:
            shutil.copyfile(path, place)
        packed[name] = f"resources/{name}"
    if language == "en":
        packed[FORMS] = f"resources/{FORMS}"
        _pack_forms(asked, draft / "resources", resources)
    return packed


def _pack_forms(asked: Asked, folder: Path, resources: Resources) -> None:
    """Write the forms of all that the system may answer, for where LemmInflect is not installed."""
    folder.mkdir(exist_ok=True)
    words: dict[str, set[str]] = {}
    for word, pos in open_wordnet(resources).all_words():
        words.setdefault(word, set()).add(pos)
    for name, kind in asked.formats.items():
        index = open_index(asked.resources[name], kind, resources.cache)
        words |= {word: set() for word in index.words() if word not in words}

    def forms(word: str, tag: str) -> tuple[str, ...]:
        pos = {"N": "n", "V": "v", "J": "a", "R": "r"}[tag[0]]
        return known_forms(word, tag, guess=pos in words[word])

    make_lazy()
    single = (word for word in words if word.isalpha() and word == word.lower())
    write_forms(folder / FORMS, single, forms)
