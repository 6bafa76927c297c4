"""From a recipe, or from a finished run, to a model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import tomli_w

from lexsub import __version__
from lexsub.boundary.expected_f import ExpectedF
from lexsub.data.catalogue import load
from lexsub.errors import LexsubError, MissingResourceError, UnknownNameError
from lexsub.experiments.config.experiment import Experiment, System
from lexsub.experiments.config.files import named_resources
from lexsub.experiments.config.reading import find_config, read_experiment
from lexsub.experiments.packing.contents import pack_models, pack_resources, what_is_asked
from lexsub.experiments.pipeline.graph import Report
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.results.run_folder import (
    finished_experiment,
    finished_manifest,
    finished_models,
    finished_scores,
)
from lexsub.formats.jsonl import read_rankings
from lexsub.models.folder import (
    BOUNDARY,
    CONFIG,
    FILE,
    RECIPE,
    STAND_IN_BOUNDARY,
    Card,
    FigureNote,
    Model,
    ModelHeader,
    RecipeCard,
    open_model,
)
from lexsub.parts.base import BoundaryContext, Tuning
from lexsub.rankers.learned.model import FILE as LEARNED
from lexsub.rankers.learned.ranker import Learned
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.storage.files import read_bytes, write_bytes, write_folder, write_text

SHOWN = ("best-P", "best-mode-P", "oot-P", "oot-mode-P")
"""Figures of a run that the card shows, beside those that the config asks for."""


@dataclass(frozen=True)
class Made:
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
) -> Model:
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
        made = Made(finished_experiment(folder), folder, f"lexsub model build {recipe}")
    else:
        experiment = read_experiment(find_config(recipe)).with_run(workers, None)
        place = run or Path("runs") / experiment.table.name
        run_experiment(experiment, place, resources, report=report)
        made = Made(experiment, place, f"lexsub model build {Path(recipe).name}")
    return _pack(made, _chosen(made.experiment, system), out, resources)


def _chosen(experiment: Experiment, name: str) -> System:
    systems = {system.name: system for system in experiment.systems}
    if name and name not in systems:
        raise UnknownNameError("system of the recipe", name, systems)
    if name:
        return systems[name]
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


def _pack(made: Made, system: System, out: Path, resources: Resources) -> Model:
    if system.needs_gold:
        raise LexsubError(f"system {system.name} looks at the gold, which a sentence has not")
    if system.answers:
        raise LexsubError(f"system {system.name} is known by files of its answers alone")
    experiment, table = made.experiment, made.experiment.table
    manifest = finished_manifest(made.run)
    models = finished_models(made.run)
    gone = sorted(name for name, path in models.items() if not path.is_dir())
    if gone:
        raise MissingResourceError(
            f"{made.run}: its models {', '.join(gone)} are gone from the cache; run it again"
        )
    resources = replace(resources, paths=named_resources(experiment, resources), models=models)
    asked = what_is_asked(system, resources)
    with write_folder(out) as draft:
        pack_models(asked, draft)
        given = table.card or RecipeCard()
        packed = pack_resources(asked, draft, resources, given.language)
        recipe = experiment.resolved()
        own = next(one for one in recipe["systems"] if one["name"] == system.name)
        config = {
            "name": table.name, "title": table.title, "data": table.data, "resources": packed,
            "systems": [own],
        }  # fmt: skip
        write_text(draft / CONFIG, tomli_w.dumps(config))
        write_text(draft / RECIPE, tomli_w.dumps(recipe))
        for name, one in (BOUNDARY, system), (STAND_IN_BOUNDARY, _stand_in(system, experiment)):
            boundary = one and _learned_boundary(made, one, resources)
            if boundary:
                write_text(draft / name, json.dumps(boundary, indent=1) + "\n")
        for text in given.licences:
            place = experiment.folder / text
            write_bytes(draft / "licences" / place.name, read_bytes(place))
        name = given.name or table.name.lower()
        header = ModelHeader(name=name, card=_card(made, system, given, manifest, resources, draft))
        write_text(draft / FILE, header.model_dump_json(indent=1) + "\n")
        seal(draft, whole=True)
    return open_model(out)


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


def _learned_boundary(made: Made, system: System, resources: Resources) -> dict[str, Any] | None:
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
    rankings = read_rankings(made.run / "rankings" / f"{system.name}.tuning.jsonl")
    cutter = part.fit(BoundaryContext(tuning=Tuning(rankings, gold), seed=table.seed))
    return part.kept(cutter)


def _card(
    made: Made, system: System, given: RecipeCard, manifest: Mapping[str, Any],
    resources: Resources, draft: Path,
) -> Card:  # fmt: skip
    scores = next(s for s in finished_scores(made.run)[1] if s.name == system.name)
    table = made.experiment.table
    own = [
        FigureNote(data=table.data, measure=measure, value=round(100 * figure.value, 2))
        for measure in dict.fromkeys([*SHOWN, *table.measures])
        if (figure := scores.figures.get(measure)) and not math.isnan(figure.value)
    ]  # fmt: skip
    trained: dict[str, Any] = {}
    for path in sorted(draft.glob(f"models/*/{LEARNED}")):
        header = json.loads(path.read_text("utf-8"))
        trained[path.parent.name] = {
            "data": header["training"], "targets": len(header["targets"]),
            "columns": len(header["columns"]),
        }  # fmt: skip
    fields = given.model_dump()
    return Card(
        **fields | {"figures": [*own, *given.figures], "licences": tuple(
            Path(one).name for one in given.licences)},
        made_by=f"lexsub {__version__}",
        command=made.command,
        inputs=_named(manifest["inputs"], resources),
        trained=trained,
    )  # fmt: skip


def _named(inputs: Mapping[str, str], resources: Resources) -> dict[str, str]:
    """Return digests by names that say nothing of this machine's folders; no finished stages."""
    named: dict[str, str] = {}
    places = [*((path, name) for name, path in resources.paths.items()),
              *((folder, "") for folder in resources.data)]  # fmt: skip
    for text, digest in inputs.items():
        path = Path(text)
        if digest.startswith("model/"):
            continue
        name = next(
            ("/".join(filter(None, [of, path.relative_to(place).as_posix()])).removesuffix("/.")
             for place, of in places if path.is_relative_to(place)),
            "/".join(path.parts[-2:]),
        )  # fmt: skip
        named[name] = digest
    return dict(sorted(named.items()))
