"""From a recipe, or a finished run, to a model; what a system reads, and how a model keeps it."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomli_w

from lexsub import __version__, models
from lexsub.boundary.expected_f import ExpectedF
from lexsub.candidates.thesaurus_index import open_index
from lexsub.candidates.thesaurus_index import write_packed as pack_thesaurus
from lexsub.data.catalogue import load
from lexsub.errors import LexsubError, MissingResourceError, look_up
from lexsub.experiments.config.experiment import Experiment, System
from lexsub.experiments.config.files import NamedPlaces, named_resources
from lexsub.experiments.config.reading import find_config, read_experiment
from lexsub.experiments.pipeline.graph import Report
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.pipeline.store import NOTE
from lexsub.experiments.results import run_folder
from lexsub.formats.jsonl import read_rankings
from lexsub.frequency import FREQUENCIES
from lexsub.frequency.index import write_packed as pack_counts
from lexsub.frequency.lists import FormList, read_form_list
from lexsub.languages.english.forms import write_forms
from lexsub.languages.english.inflection import known_forms
from lexsub.languages.english.lemminflect_adapter import make_lazy
from lexsub.parts.base import BoundaryContext, Tuning
from lexsub.parts.build import describe_part
from lexsub.rankers.learned.model import FILE as LEARNED
from lexsub.rankers.learned.model import write_whole_part
from lexsub.rankers.learned.ranker import Learned
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.storage.files import read_bytes, write_bytes, write_folder, write_text
from lexsub.tagger import FILE as TAGGER
from lexsub.tagger import read_header as tagger_header
from lexsub.wordnet import open_wordnet
from lexsub.wordnet.opening import licence
from lexsub.wordnet.opening import write_packed as pack_wordnet


@dataclass(frozen=True)
class ReadFiles:
    """What the parts of a system asked for.

    Attributes:
        models: folders of trained models by name.
        resources: places of resources by name.
        formats: of the resources that are thesauri.
    """

    models: Mapping[str, Path]
    resources: Mapping[str, Path]
    formats: Mapping[str, str]


def what_is_asked(system: System, resources: Resources) -> ReadFiles:
    """Return the models and resources that a system reads.

    Raises:
        LexsubError: it reads a file that the config names by its path, or names code.
    """
    trained, places = NamedPlaces(resources.models), NamedPlaces(resources.paths)
    asking = replace(resources, models=trained, paths=places, code="none")
    system.candidates.inputs(asking)
    system.ranker.inputs(asking)
    found = {name: Path(places[name]) for name in sorted(places.asked) if name in places}
    for name in sorted(places.asked - places.keys()):
        # Found where it always is: below a data folder, or on this machine.
        if name in FREQUENCIES:
            found[name] = FREQUENCIES[name].inputs(resources)[0]
        elif name == "wordnet":
            found[name] = Path()
    strays = (trained.asked | places.asked) - trained.keys() - found.keys()
    for name in sorted(strays):
        if Path(name).exists():
            raise LexsubError(
                f"system {system.name} reads {name} by its path; name it in [models] or "
                "[resources], so that a model can hold it"
            )
    parts = system.candidates, system.ranker, *system.ranker.families(resources).values()
    tables = _tables(list(map(describe_part, parts)))
    named = [one for one in tables if {"file", "format"} <= one.keys()]
    formats = {one["file"]: one["format"] for one in named}
    asked = {name: resources.models[name] for name in sorted(trained.asked) if name in trained}
    # The language of the sentences asks the tagger, which reads the states of its encoder.
    taggers = [name for name, path in resources.models.items() if (path / TAGGER).is_file()]
    for name in taggers:
        encoder = tagger_header(resources.models[name]).encoder
        asked |= {one: resources.models[one] for one in (name, encoder)}
    return ReadFiles(asked, found, formats)


def _tables(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for one in value:
        yield from _tables(one)


def pack_models(asked: ReadFiles, draft: Path) -> None:
    """Copy the models, learned ones without the parts that no sentence needs."""
    for name, folder in asked.models.items():
        place = draft / "models" / name
        if (folder / LEARNED).is_file():
            write_whole_part(folder, place)
        else:
            shutil.copytree(folder, place, ignore=shutil.ignore_patterns(NOTE))


def pack_resources(
    asked: ReadFiles, draft: Path, resources: Resources, language: str
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
        packed[models.FORMS] = f"resources/{models.FORMS}"
        _pack_forms(asked, draft / "resources", resources)
    return packed


def _pack_forms(asked: ReadFiles, folder: Path, resources: Resources) -> None:
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
    write_forms(folder / models.FORMS, single, forms)


SHOWN = ("best-P", "best-mode-P", "oot-P", "oot-mode-P")
"""Figures of a run that the card shows, beside those that the config asks for."""


@dataclass(frozen=True)
class FinishedRun:
    """A finished run, ready to be packed.

    Attributes:
        experiment: its checked configuration.
        run: its folder.
        command: that made it.
    """

    experiment: Experiment
    run: Path
    command: str


def build_model(
    recipe: str,
    out: Path,
    resources: Resources,
    *,
    system: str = "",
    run: Path | None = None,
    workers: int | None = None,
    report: Report | None = None,
) -> models.Model:
    """Make a model of a system.

    Args:
        recipe: a config (a file, or the name of a ready one), which is run first, its finished
            stages reused; or the folder of a finished run.
        out: the model's folder, which must not be there.
        resources: where data sets, word lists and the cache are.
        system: the system; "" for the only one, or the only one that ranks with a learned model.
        run: folder of the run that makes it; by default ``runs/NAME``.
        workers: processes, in place of the config's number.
        report: told of each finished stage.

    Raises:
        LexsubError: a fault of the config, an input that is missing, a model of the run that is
            gone, or a system that cannot be handed on.
    """
    if out.exists():
        raise LexsubError(f"{out}: is there already; remove it, or name another folder by --out")
    folder = Path(recipe)
    if (folder / "manifest.json").is_file():
        experiment = run_folder.finished_experiment(folder)
        made = FinishedRun(experiment, folder, f"lexsub model build {recipe}")
    else:
        experiment = read_experiment(find_config(recipe)).with_run(workers, None)
        place = run or Path("runs") / experiment.table.name
        run_experiment(experiment, place, resources, report=report)
        made = FinishedRun(experiment, place, f"lexsub model build {Path(recipe).name}")
    return _pack(made, _chosen(made.experiment, system), out, resources)


def _chosen(experiment: Experiment, name: str) -> System:
    systems = {system.name: system for system in experiment.systems}
    if name:
        return look_up("system of the recipe", name, systems)
    rankers = [s.ranker for s in experiment.systems if isinstance(s.ranker, Learned)]
    stand_ins = [ranker.stand_in() for ranker in rankers if ranker.otherwise]
    main = [ranker for ranker in rankers if ranker not in stand_ins]
    learned = [s for s in experiment.systems if s.ranker in main]
    found = learned if len(learned) == 1 else experiment.systems
    if len(found) != 1:
        raise LexsubError(
            f"{experiment.table.name} has {len(found)} systems; name the one to make a model of by "
            f"--system ({', '.join(one.name for one in found)})"
        )
    return found[0]


def _pack(made: FinishedRun, system: System, out: Path, resources: Resources) -> models.Model:
    if system.needs_gold:
        raise LexsubError(f"system {system.name} looks at the gold, which a sentence has not")
    if system.answers:
        raise LexsubError(f"system {system.name} is known by files of its answers alone")
    experiment, table = made.experiment, made.experiment.table
    manifest = run_folder.finished_manifest(made.run)
    trained = run_folder.finished_models(made.run)
    gone = sorted(name for name, path in trained.items() if not path.is_dir())
    if gone:
        raise MissingResourceError(
            f"{made.run}: its models {', '.join(gone)} are gone from the cache; run it again"
        )
    resources = replace(resources, paths=named_resources(experiment, resources), models=trained)
    asked = what_is_asked(system, resources)
    with write_folder(out) as draft:
        pack_models(asked, draft)
        given = table.card or models.RecipeCard()
        packed = pack_resources(asked, draft, resources, given.language)
        recipe = experiment.resolved()
        own = next(one for one in recipe["systems"] if one["name"] == system.name)
        config: dict[str, Any] = {"name": table.name, "title": table.title, "data": table.data}
        config |= {"resources": packed, "systems": [own]}
        write_text(draft / models.CONFIG, tomli_w.dumps(config))
        write_text(draft / models.RECIPE, tomli_w.dumps(recipe))
        stand_in = _stand_in(system, experiment)
        for name, one in (models.BOUNDARY, system), (models.STAND_IN_BOUNDARY, stand_in):
            boundary = one and _learned_boundary(made, one, resources)
            if boundary:
                write_text(draft / name, json.dumps(boundary, indent=1) + "\n")
        for text in given.licences:
            place = experiment.folder / text
            write_bytes(draft / "licences" / place.name, read_bytes(place))
        name = given.name or table.name.lower()
        card = _card(made, system, given, manifest, resources, draft)
        header = models.ModelHeader(name=name, card=card)
        write_text(draft / models.FILE, header.model_dump_json(indent=1) + "\n")
        seal(draft, whole=True)
    return models.open_model(out)


def _stand_in(system: System, experiment: Experiment) -> System | None:
    """Return the system that answers where a library is missing; None for none.

    Raises:
        LexsubError: the recipe has none whose scores a boundary could learn from.
    """
    if not isinstance(system.ranker, Learned) or not system.ranker.otherwise:
        return None
    ranker = system.ranker.stand_in()
    for one in experiment.systems:
        if (one.ranker, one.candidates, one.oot) == (ranker, system.candidates, system.oot):
            return one
    raise LexsubError(
        f"system {system.name}: {ranker.model} stands in where a library is not installed; "
        "expected a system with the same candidates and oot that ranks with it"
    )


def _learned_boundary(
    made: FinishedRun, system: System, resources: Resources
) -> dict[str, Any] | None:
    """Return what the boundary of the system's oot answers has learned of the tuning split."""
    table, part = made.experiment.table, system.oot
    if part is None or not part.needs_tuning:
        return None
    if not isinstance(part, ExpectedF) or part.others:
        raise LexsubError(
            f"system {system.name}: its oot answers are cut by {part!r}, which cannot be handed "
            "on; expected expected-f without others, or a boundary that learns nothing"
        )
    assert table.tuning is not None
    gold = load(table.tuning, resources.data).under(table.normalisation).gold
    rankings = read_rankings(run_folder.rankings_file(made.run, system.name, tuning=True))
    cutter = part.fit(BoundaryContext(tuning=Tuning(rankings, gold), seed=table.seed))
    return part.kept(cutter)


def _card(
    made: FinishedRun,
    system: System,
    given: models.RecipeCard,
    manifest: Mapping[str, Any],
    resources: Resources,
    draft: Path,
) -> models.Card:
    scores = next(s for s in run_folder.finished_scores(made.run)[1] if s.name == system.name)
    table = made.experiment.table
    own = [
        models.FigureNote(data=table.data, measure=measure, value=round(100 * figure.value, 2))
        for measure in dict.fromkeys([*SHOWN, *table.measures])
        if (figure := scores.figures.get(measure)) and not math.isnan(figure.value)
    ]
    trained: dict[str, Any] = {}
    for path in sorted(draft.glob(f"models/*/{LEARNED}")):
        header = json.loads(path.read_text("utf-8"))
        sizes = {key: len(header[key]) for key in ("targets", "columns")}
        trained[path.parent.name] = {"data": header["training"], **sizes}
    licences = tuple(Path(one).name for one in given.licences)
    fields = given.model_dump() | {"figures": [*own, *given.figures], "licences": licences}
    return models.Card(
        **fields,
        made_by=f"lexsub {__version__}",
        command=made.command,
        inputs=_named(manifest["inputs"], resources),
        trained=trained,
    )


def _named(inputs: Mapping[str, str], resources: Resources) -> dict[str, str]:
    """Return digests by names that say nothing of this machine's folders; no finished stages."""
    named: dict[str, str] = {}
    places = [(path, name) for name, path in resources.paths.items()]
    places += [(folder, "") for folder in resources.data]
    for text, digest in inputs.items():
        path = Path(text)
        if digest.startswith("model/"):
            continue
        name = "/".join(path.parts[-2:])
        for place, of in places:
            if path.is_relative_to(place):
                inside = path.relative_to(place).as_posix()
                name = "/".join(filter(None, [of, inside])).removesuffix("/.")
                break
        named[name] = digest
    return dict(sorted(named.items()))
