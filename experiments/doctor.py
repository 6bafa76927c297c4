"""What is on this machine, what each missing thing would enable, and how to get it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from lexsub.candidates.distributional.model import read_header as read_thesaurus
from lexsub.data.catalogue import BUNDLED, DATASETS, SplitName, load, locate
from lexsub.data.sources import SOURCES
from lexsub.errors import LexsubError
from lexsub.experiments.config import reading
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.files import named_resources, place_of
from lexsub.frequency import FREQUENCIES
from lexsub.rankers.lm.header import read_header as read_model
from lexsub.rankers.lm.kenlm import find_tools
from lexsub.resources import Resources
from lexsub.wordnet import describe

PACKAGE = "lexsub-toolkit"

EXTRAS = {
    "quickstart": "the quickstart: all rankers and boundaries, no compiler",
    "frames": "to_pandas and to_polars of results",
    "ranx": "gold and answers for ranx (Scores.to_ranx)",
    "wordfreq": "the frequency list wordfreq",
    "languages": "lemmas, forms and frequencies of languages other than English",
    "zstd": "corpora compressed with zstd",
    "inflect": "candidates in the form of the target",
    "lm": "asking language models faster, by KenLM",
    "thesaurus": "building distributional thesauri",
    "spacy": "substitutes in a spaCy pipeline",
    "parse": "relations from running text (bring a spaCy model)",
    "dask": "parallel stages on a cluster",
    "remote": "texts, tables and results by address: s3, http and other stores",
    "learn": "boundaries that learn",
    "lightgbm": "the ranker that learns",
    "onnx": "ranking by a sentence encoder (bring a model in ONNX)",
    "cut": "cutting the first layers of a sentence encoder out",
    "causal": "ranking by a causal language model (bring one)",
    "transformers": "ranking by a masked language model (bring one)",
    "plot": "plots as files",
    "serve": "a page to try it on, and the same for programs",
    "registers": "the classifier of registers",
    "docs": "building the documentation",
    "test": "running the tests",
}
"""Extra to what it enables; one that is not here is listed without a word."""

ENABLES = {
    "relations": "the thesauri of the published baselines",
    "corpus": "language models and window thesauri",
}


Kind = Literal[
    "wordnet",
    "data set",
    "frequency list",
    "resource",
    "model",
    "extra",
    "program",
    "experiment",
    "cache",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for.

    Attributes:
        kind: what sort of thing.
        name: its name.
        place: where it is; None where it is not here.
        detail: version, digest, size and the like.
        enables: what it is for.
        get: the command that gets it, or where it is to be put; "" where it is here.
    """

    kind: Kind
    name: str
    place: str | None = None
    detail: str = ""
    enables: str = ""
    get: str = ""


def examine(resources: Resources) -> list[Finding]:
    """Look for everything that any part can use; fetches nothing.

    (The index of a WordNet that is used for the first time is built.)
    """
    return [
        _wordnet(resources),
        *_data_sets(resources),
        *_frequency_lists(resources),
        *_named_resources(resources),
        *_models(resources),
        _lmplz(),
        *_extras(),
        *_experiments(resources),
        _cache(resources.cache),
    ]


def _wordnet(resources: Resources) -> Finding:
    enables = "WordNet candidates, multiwords, frequencies from SemCor"
    try:
        found = describe(resources)
    except LexsubError as error:
        way = "leave LEXSUB_WORDNET unset: WordNet 3.0 comes with lexsub"
        return Finding("wordnet", "WordNet", None, str(error), enables, way)
    detail = f"version {found.version}, {found.origin}, sha256 {found.sha256[:12]}"
    return Finding("wordnet", "WordNet", found.path, detail, enables)


def _data_sets(resources: Resources) -> Iterator[Finding]:
    for name in sorted({*DATASETS, *SOURCES}):
        enables = "; ".join(DATASETS[name].splits.values()) if name in DATASETS else "its files"
        try:
            place = locate(name, resources.data) if name in DATASETS else resources.find(name, "")
        except LexsubError:
            get = f"put its files into a folder {name} of a data folder (lexsub data info {name})"
            get = f"lexsub data get {name}" if name in SOURCES else get
            yield Finding("data set", name, enables=enables, get=get)
            continue
        golds, absent = _splits(name, resources)
        detail = ("comes with lexsub; " if BUNDLED in place.parents else "") + "; ".join(golds)
        yield Finding("data set", name, str(place), detail, enables)
        for get, splits in absent.items():
            names = ", ".join(f"{name}/{split}" for split in splits)
            yield Finding("data set", names, enables="; ".join(splits.values()), get=get)


def _splits(name: str, resources: Resources) -> tuple[list[str], dict[str, dict[str, str]]]:
    """Return what the splits hold; and those whose files are not there, by what would mend it."""
    golds: list[str] = []
    absent: dict[str, dict[str, str]] = {}
    for split, about in DATASETS[name].splits.items() if name in DATASETS else ():
        try:
            data = load(f"{name}/{split}", resources.data)
        except LexsubError as error:
            way = str(error).partition(": split ")[2].partition(": ")[2] or str(error)
            absent.setdefault(way.partition(": ")[2] or way, {})[split] = about
        else:
            golds.append(f"{split} {len(data.items)} items, gold {data.gold.sha256[:12]}")
    return golds, absent


def _frequency_lists(resources: Resources) -> Iterator[Finding]:
    for name, entry in FREQUENCIES.items():
        where, get = None, ""
        try:
            if all(map(_version, extras().get(name, ()))):
                paths = entry.inputs(resources)
                where = str(paths[0]) if paths else "built in"
            else:  # part of a library
                get = _pip(name)
        except LexsubError as error:
            # "X is in none of FOLDERS: the way to get it": only the way stands under "get".
            get = str(error).partition(": ")[2] or str(error)
        yield Finding("frequency list", name, where, "", entry.description, get)


def _pip(extra: str) -> str:
    return f"pip install '{PACKAGE}[{extra}]'"


def _named_resources(resources: Resources) -> Iterator[Finding]:
    """Look for what the ready experiments name under ``[resources]``."""
    wanted: dict[str, tuple[str, Path, list[str]]] = {}
    offered = reading.offered_configs()
    for config in reading.ready_configs().values():
        for name, path in reading.read_table(config).get("resources", {}).items():
            wanted.setdefault(name, (str(path), config.parent, []))[2].append(config.stem)
    for name, (path, folder, users) in sorted(wanted.items()):
        place = resources.paths.get(name) or place_of(path, (folder, *resources.data))
        shown = [user for user in users if user in offered] or users
        enables = f"{ENABLES.get(name, 'resource')}: lexsub run {', '.join(shown)}"
        if place.exists():
            yield Finding("resource", name, str(place), "", enables)
        else:
            get = f"name yours: lexsub run … --resource {name}=PATH"
            yield Finding("resource", name, enables=enables, get=get)


def _models(resources: Resources) -> Iterator[Finding]:
    """Yield the models of the cache, the newest first, and what kinds there are none of."""
    folders = list((resources.cache / "stages/model").glob("[!.]*"))
    folders.sort(key=lambda folder: (-folder.stat().st_mtime, folder.name))
    if variable := os.environ.get("LEXSUB_THESAURUS"):
        folders.insert(0, Path(variable))
    found = [one for folder in folders if (one := _model(folder)) is not None]
    yield from found
    for name, get in (
        ("language model", "lexsub lm train TEXT -o FOLDER"),
        ("thesaurus", "lexsub thesaurus build --text TEXT -o FOLDER"),
    ):
        if not any(one.name == name for one in found):
            yield Finding("model", name, enables=f"everything that asks a {name}", get=get)


def _model(folder: Path) -> Finding | None:
    try:
        lm = read_model(folder)
        detail = f"{lm.kind} of order {lm.order}, {lm.tokens:,} tokens, {lm.language}"
        return Finding("model", "language model", str(folder), detail, "ranker lm")
    except (LexsubError, OSError):
        pass
    try:
        thesaurus = read_thesaurus(folder)
    except (LexsubError, OSError):
        return None
    words = ", ".join(f"{pos} {space.words:,} words" for pos, space in thesaurus.spaces.items())
    return Finding("model", "thesaurus", str(folder), words, "candidates distributional")


def _lmplz() -> Finding:
    tool = find_tools().lmplz
    enables = "language models of more text than memory holds"
    get = "" if tool else "put KenLM's lmplz on PATH (docs/how-to/language-model.md says how)"
    return Finding("program", "lmplz", str(tool) if tool else None, "", enables, get)


def _extras() -> Iterator[Finding]:
    for extra, libraries in sorted(extras().items()):
        versions = {library: _version(library) for library in libraries}
        missing = [library for library, found in versions.items() if found is None]
        detail = ", ".join(f"{name} {found}" for name, found in versions.items() if found)
        if missing and detail:
            detail += "; without " + ", ".join(missing)
        where, get = (None, _pip(extra)) if missing else ("installed", "")
        yield Finding("extra", extra, where, detail, EXTRAS.get(extra, ""), get)


def extras() -> dict[str, list[str]]:
    """Return the libraries of each extra, as the installed package or its source declares them."""
    found: dict[str, list[str]] = {}
    for text in _requirements():
        match = re.match(r"([\w.-]+).*;.*extra == ['\"]([\w-]+)['\"]", text)
        if match and not match[1].lower().startswith("lexsub"):
            found.setdefault(match[2], []).append(match[1])
    return found


def _requirements() -> Sequence[str]:
    try:
        return requires(PACKAGE) or ()
    except PackageNotFoundError:
        source = Path(__file__).parent.parent / "pyproject.toml"
        if not source.is_file():
            return ()
        table = tomllib.loads(source.read_text(encoding="utf-8"))["project"]
        pairs = table["optional-dependencies"].items()
        return [f"{text}; extra == '{extra}'" for extra, texts in pairs for text in texts]


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _experiments(resources: Resources) -> Iterator[Finding]:
    """Yield each experiment on offer, and whether its data, lists and resources are here."""
    for name, path in reading.offered_configs().items():
        experiment = reading.read_experiment(path)
        title = experiment.table.title or name
        named = named_resources(experiment, resources)
        lacking = dict.fromkeys(_lacking(experiment, replace(resources, paths=named)))
        call = None if lacking else f"lexsub run {name}"
        yield Finding("experiment", name, call, "", title, "; ".join(lacking))


def _lacking(experiment: Experiment, resources: Resources) -> Iterator[str]:
    """Yield the ways to what an experiment lacks; models are left out, as it trains its own."""
    for split in filter(None, (experiment.table.data, experiment.table.tuning)):
        try:
            locate(SplitName.parse(split).dataset, resources.data)
        except LexsubError as error:
            yield _way(error)
    for name, place in resources.paths.items():
        if not place.exists():
            yield f"lexsub run … --resource {name}=PATH"
    for system in experiment.systems:
        try:
            system.candidates.inputs(resources)
        except LexsubError as error:
            if not any(name in str(error) for name in experiment.models):
                yield _way(error)


def _way(error: LexsubError) -> str:
    """Return what a message says of getting something: its command, where it names one."""
    command = re.search(r"'(lexsub [^']+ get [^']+)'", str(error))
    return command[1] if command else str(error)


def _cache(folder: Path) -> Finding:
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 1e6
    detail = f"{len(files):,} files, {size:,.0f} MB; can be deleted, what is needed is made again"
    return Finding("cache", "cache", str(folder), detail, "finished stages, models, indexes")
