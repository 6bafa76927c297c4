"""Candidates, ranked and put into the sentence, for sentences that no data set has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.config.experiment import Experiment, System, find_config, read_experiment
from experiments.pipeline.checked import checked
from experiments.pipeline.known_models import has_notes, noted_models, require_models
from experiments.pipeline.places import named_resources
from experiments.suggestions.guessing import guess_lexelt
from experiments.suggestions.marks import Marked
from lexsub.datasets import Dataset
from lexsub.errors import LexsubError, MissingExtraError, UnknownNameError
from lexsub.garbage import seldom_collected
from lexsub.golds import Gold
from lexsub.items import Item, Lexelt
from lexsub.protocols import Generator, Scorer
from lexsub.rankings import Origin
from lexsub.resources import Resources
from lexsub.wordnet import WordNet, open_wordnet
from rankers.filling import fill_all
from rankers.inflection import inflect
from rankers.inflection_tables import make_lazy

PREFERRED = (("learned", "learned"), ("jabbari2010", "cmlc"), ("quickstart", "cmlc"))
"""Ready configs and their systems, the best first; the first whose models are trained is taken."""

PLAIN = ("suggest", "wordnet")
"""What works without any model."""

DATA = "sentences"
"""Name of the data set that one's own sentences make up."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A substitute for the target of a sentence.

    Attributes:
        substitute: the lemma.
        form: in the form of the target, its case included.
        sentence: the whole sentence with it, a and an fitted.
        score: the ranker's, comparable within the sentence alone.
        origins: who proposed it.
        parts: what the score is made of, where that was asked for.
    """

    substitute: str
    form: str
    sentence: str
    score: float
    origins: tuple[Origin, ...]
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The answer to one sentence.

    Attributes:
        text: the sentence without marks.
        target: the marked word.
        lexelt: the lemma and part of speech it was taken for.
        candidates: how many candidates there were.
        best: the first of them, best first.
    """

    text: str
    target: str
    lexelt: Lexelt
    candidates: int
    best: tuple[Suggestion, ...]


@dataclass(frozen=True)
class Suggester:
    """An opened system.

    Attributes:
        config: name or path of its config.
        system: its name there.
        wordnet: for lemmas and parts of speech.
        source: its candidates.
        scorer: its ranker.
        inflected: whether substitutes can be put into the form of the target.
    """

    config: str
    system: str
    wordnet: WordNet
    source: Generator
    scorer: Scorer
    inflected: bool

    @seldom_collected()
    def suggest(self, marked: Marked, n: int = 8, *, explain: bool = False) -> Suggestions:
        """Return the ``n`` best substitutes for the marked word."""
        lexelt = guess_lexelt(marked, self.wordnet)
        item = Item("1", lexelt, marked.text, marked.start, marked.end)
        candidates = list(self.source.candidates(item))
        scores = list(self.scorer.scores(item, candidates)) if candidates else []
        # The one tie rule of every ranking: the source's order.
        order = sorted(range(len(candidates)), key=lambda i: -scores[i])[:n]
        parts: Mapping[str, Sequence[float]] = {}
        if explain and candidates:
            parts = self.scorer.parts(item, candidates)
        chosen = [candidates[place] for place in order]
        filled = fill_all(item, [c.substitute for c in chosen], inflected=self.inflected)
        best = [
            Suggestion(
                candidate.substitute,
                whole.word,
                whole.text,
                float(scores[place]),
                candidate.origins,
                {name: float(values[place]) for name, values in parts.items()},
            )
            for place, candidate, whole in zip(order, chosen, filled, strict=True)
        ]
        return Suggestions(item.text, item.target, lexelt, len(candidates), tuple(best))


@seldom_collected()
def open_suggester(config: str, system: str, resources: Resources) -> Suggester:
    """Open a system for sentences.

    Args:
        config: path of a config file or name of a ready one; ``""`` for the best ready one
            whose models are trained.
        system: name of one of its systems; ``""`` for its first (of the ready ones, the best).
        resources: where data, cached models and WordNet are.

    Raises:
        LexsubError: no such config or system, models that are not trained, or a system that
            looks at a gold.
    """
    if config:
        experiment = read_experiment(find_config(config))
        models = require_models(resources.cache, experiment, config)
        return _open(experiment, config, system, resources, models)
    for name, best in PREFERRED if has_notes(resources.cache) else ():
        try:
            experiment = read_experiment(find_config(name))
            found = noted_models(resources.cache, experiment)
            if found is not None:
                return _open(experiment, name, system or best, resources, found)
        except LexsubError:
            # An extra is not installed, or a model is of an earlier format: the next one may do.
            if system:
                raise
    name, best = PLAIN
    return _open(read_experiment(find_config(name)), name, system or best, resources, {})


def _open(
    experiment: Experiment, config: str, system: str, resources: Resources, models: dict[str, Path]
) -> Suggester:
    chosen = _system(experiment, system)
    named = named_resources(experiment, resources)
    resources = Resources(
        data=resources.data, cache=resources.cache, paths=named, models=models,
        seed=experiment.table.seed,
    )  # fmt: skip
    data = Dataset(DATA, (), Gold(DATA, {}))
    return Suggester(
        config=config,
        system=chosen.name,
        wordnet=open_wordnet(resources),
        source=chosen.candidates.open(resources),
        scorer=checked(chosen.ranker, chosen.name).open(resources, data),
        inflected=_can_inflect(),
    )


def _system(experiment: Experiment, name: str) -> System:
    systems = {system.name: system for system in experiment.systems}
    if name and name not in systems:
        raise UnknownNameError("system of the config", name, systems)
    chosen = systems[name] if name else experiment.systems[0]
    # Boundaries play no role here: the n best are shown.
    looks = bool(getattr(chosen.candidates, "needs_gold", False)) or chosen.ranker.needs_gold
    if looks:
        raise LexsubError(
            f"system {chosen.name} looks at the gold, and a sentence of yours has none; "
            "choose another with --system"
        )
    return chosen


def _can_inflect() -> bool:
    """Say whether forms can be made, and load what makes them: the first form is the slow one."""
    try:
        make_lazy()
        inflect("walk", "v", "VBD")
    except MissingExtraError:
        return False
    return True
