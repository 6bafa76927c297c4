"""Systems of configs, opened for sentences: those whose models a run has trained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from lexsub.data.catalogue import language_named
from lexsub.errors import LexsubError, look_up, suggest
from lexsub.experiments.config.experiment import Experiment, System
from lexsub.experiments.config.files import NamedPlaces, named_resources
from lexsub.experiments.config.reading import find_config, read_experiment, ready_configs
from lexsub.experiments.pipeline.known_models import has_notes, noted_models
from lexsub.parts.base import CandidateSource, Ranker
from lexsub.resources import Resources

PREFERRED = (("learned", "learned"), ("jabbari2010", "cmlc"), ("quickstart", "cmlc"))
"""Ready configs and their systems, the best first; the first whose models are trained is taken."""

PLAIN = ("suggest", "wordnet")
"""What works without any model."""


T = TypeVar("T")


class Chosen(NamedTuple):
    """A system of a config, not opened yet.

    Attributes:
        config: name or path of the config.
        system: name of the system.
        parts: what proposes candidates, and what orders them.
        inside: what they are opened with.
    """

    config: str
    system: str
    parts: tuple[CandidateSource, Ranker]
    inside: Resources


def open_of_config(
    config: str, system: str, resources: Resources, opened: Callable[[Chosen], T]
) -> T:
    """Open a system of a config.

    Args:
        config: path of a config file or name of a ready one; ``""`` for the best ready one whose
            models are trained.
        system: name of one of its systems; ``""`` for its first (of the ready ones, the best).
        resources: where data, cached models and WordNet are.
        opened: opens what was chosen.

    Raises:
        LexsubError: no such config or system, models that are not trained, or a system that
            looks at a gold.
    """
    if resources.language != "en" and not config:
        config = _plain_config(resources.language)
    if config:
        experiment = read_experiment(find_config(config))
        models = noted_models(resources.cache, experiment)
        if models is None:
            raise LexsubError(
                f"the models of {config} ({', '.join(experiment.models)}) are not in the cache "
                f"{resources.cache}: train them with 'lexsub run {config}', then ask again"
            )
        return opened(_chosen(experiment, config, system, resources, models))
    for name, best in PREFERRED if has_notes(resources.cache) else ():
        try:
            experiment = read_experiment(find_config(name))
            found = noted_models(resources.cache, experiment)
            if found is not None:
                return opened(_chosen(experiment, name, system or best, resources, found))
        except LexsubError:
            # An extra is not installed, or a model is of an earlier format: the next one may do.
            if system:
                raise
    name, best = PLAIN
    return opened(_chosen(read_experiment(find_config(name)), name, system or best, resources, {}))


def _plain_config(language: str) -> str:
    """Return the name of the ready config for sentences of a language."""
    name = f"{PLAIN[0]}-{language}"
    if name not in ready_configs():
        raise LexsubError(
            f"no ready config is for language {language!r}: name one of yours with --config (it "
            f'says language = "{language}"; see docs/how-to/language.md)'
        )
    return name


def _chosen(
    experiment: Experiment, config: str, system: str, resources: Resources, models: dict[str, Path]
) -> Chosen:
    chosen = _system(experiment, system)
    places = named_resources(experiment, resources)
    inside = Resources(
        data=resources.data,
        cache=resources.cache,
        paths=places,
        models=models,
        language=experiment.table.language or language_named(experiment.table.data),
        seed=experiment.table.seed,
    )
    if resources.paths:
        _refuse_idle(resources.paths, places, inside, chosen)
    return Chosen(config, chosen.name, (chosen.candidates, chosen.ranker), inside)


def _refuse_idle(
    given: Iterable[str], places: NamedPlaces, inside: Resources, system: System
) -> None:
    """Refuse a resource that no part of the system asks for: its name may be misspelt."""
    for part in (system.candidates, system.ranker):
        part.inputs(inside)
    for name in sorted(set(given) - places.asked):
        raise LexsubError(
            f"--resource {name}: no part of system {system.name} asks for it"
            f"{suggest(name, places.asked)}"
        )


def _system(experiment: Experiment, name: str) -> System:
    systems = {system.name: system for system in experiment.systems}
    chosen = look_up("system of the config", name, systems) if name else experiment.systems[0]
    if chosen.answers:
        raise LexsubError(
            f"system {chosen.name} is known by files of its answers alone, and these have none to "
            "a sentence of yours; choose another with --system"
        )
    # Boundaries play no role here: the n best are shown.
    if chosen.candidates.needs_gold or chosen.ranker.needs_gold:
        raise LexsubError(
            f"system {chosen.name} looks at the gold, and a sentence of yours has none; "
            "choose another with --system"
        )
    return chosen
