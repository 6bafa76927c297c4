"""Candidates, ranked and put into the sentence, for sentences that no data set has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from lexsub.checked import checked
from lexsub.data.catalogue import language_named
from lexsub.datasets import Dataset
from lexsub.errors import LexsubError, MissingExtraError, UnknownNameError
from lexsub.experiments.config.experiment import Experiment, System
from lexsub.experiments.config.places import named_resources
from lexsub.experiments.config.reading import find_config, read_experiment
from lexsub.experiments.pipeline.known_models import has_notes, noted_models, require_models
from lexsub.garbage import seldom_collected
from lexsub.golds import Gold
from lexsub.items import Item, Lexelt
from lexsub.languages import Language, Lemmatiser, language_of
from lexsub.marks import Marked, mark
from lexsub.protocols import Generator, Scorer, needs_gold
from lexsub.rankers.filling import fill_all
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.tables import Table, Tabular

PREFERRED = (("learned", "learned"), ("jabbari2010", "cmlc"), ("quickstart", "cmlc"))
"""Ready configs and their systems, the best first; the first whose models are trained is taken."""

PLAIN = ("suggest", "wordnet")
"""What works without any model."""

DATA = "sentences"
"""Name of the data set that one's own sentences make up."""

SHOWN = 8
"""Substitutes of a sentence, where nothing else is asked for."""

BATCH = 32
"""Sentences that travel to a worker together."""


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


@dataclass(frozen=True, slots=True, repr=False)
class Suggestions(Tabular):
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

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.best)

    def __len__(self) -> int:
        return len(self.best)

    def records(self) -> list[dict[str, Any]]:
        """Return a row a substitute."""
        return [
            {"target": self.target, "lexelt": str(self.lexelt), "rank": place,
             "substitute": one.substitute, "form": one.form, "score": one.score,
             "sentence": one.sentence}
            for place, one in enumerate(self.best, start=1)
        ]  # fmt: skip

    def view(self) -> Table:
        """Return the substitutes, best first."""
        cells = [[one.form, f"{one.score:.4g}", one.sentence] for one in self.best]
        best = ", ".join(one.form for one in self.best[:3]) or "nothing"
        return Table(f"{self.target} ({self.lexelt}): {best}", ["form", "score", "sentence"], cells)


@dataclass(frozen=True)
class Suggester:
    """An opened system, to be asked for substitutes one sentence after the other.

    Attributes:
        config: name or path of its config.
        system: its name there.
        language: of its sentences.
        lemmatiser: says what a marked word may stand for.
        source: its candidates.
        scorer: its ranker.
        inflected: whether substitutes can be put into the form of the target.
        resources: what it was opened with; workers open it again with them.
    """

    config: str
    system: str
    language: Language
    lemmatiser: Lemmatiser
    source: Generator
    scorer: Scorer
    inflected: bool
    resources: Resources

    def __repr__(self) -> str:
        return f"<Suggester: {self.config}, system {self.system}>"

    def __call__(
        self,
        sentence: str | Sequence[str] | Marked,
        *,
        span: tuple[int, int] | None = None,
        index: int | None = None,
        pos: str = "",
        n: int = SHOWN,
        explain: bool = False,
    ) -> Suggestions:
        """Return the best substitutes for a word of a sentence.

        Args:
            sentence: text with the target in stars, text and ``span``, tokens and ``index``
                (see :func:`lexsub.mark`), or what that returns.
            span: offsets of the target in the text.
            index: place of the target among the tokens.
            pos: part of speech (n, v, a or r); guessed where it is not given.
            n: at most so many substitutes.
            explain: say what the scores are made of, too.

        Raises:
            LexsubError: no target, or no such one in the sentence.
        """
        if not isinstance(sentence, Marked):
            sentence = mark(sentence, span=span, index=index, pos=pos)
        return self.suggest(sentence, n, explain=explain)

    def pipe(
        self, sentences: Iterable[str | Marked], *, n: int = SHOWN, workers: int = 1
    ) -> Iterator[Suggestions]:
        """Yield the answers to many sentences, in their order and as they come.

        Sentences are read a few batches ahead of the answers and no further, so that a stream
        without end is answered in bounded memory.

        Args:
            sentences: each with its target in stars, or marked by :func:`lexsub.mark`.
            n: at most so many substitutes a sentence.
            workers: processes; each opens the system for itself.

        Raises:
            LexsubError: a sentence without a target; those before it have been answered.
        """
        if workers == 1:
            for sentence in sentences:
                yield self(sentence, n=n)
            return
        from joblib import Parallel, delayed

        stream = iter(sentences)
        batches = iter(lambda: list(islice(stream, BATCH)), [])
        answer = delayed(_answered)
        system = (self.config, self.system, self.resources)
        found = Parallel(n_jobs=workers, return_as="generator", batch_size=1)(
            answer(system, batch, n) for batch in batches
        )
        for answers in found:
            yield from answers

    @seldom_collected()
    def suggest(self, marked: Marked, n: int = SHOWN, *, explain: bool = False) -> Suggestions:
        """Return the ``n`` best substitutes for the marked word."""
        item, candidates = self._candidates(marked)
        scores = list(self.scorer.scores(item, candidates)) if candidates else []
        # The one tie rule of every ranking: the source's order.
        order = sorted(range(len(candidates)), key=lambda i: -scores[i])[:n]
        parts: Mapping[str, Sequence[float]] = {}
        if explain and candidates:
            parts = self.scorer.parts(item, candidates)
        chosen = [candidates[place] for place in order]
        filled = fill_all(
            item, [c.substitute for c in chosen],
            inflected=self.inflected, language=self.language.code,
        )  # fmt: skip
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
        return Suggestions(item.text, item.target, item.lexelt, len(candidates), tuple(best))

    def _candidates(self, marked: Marked) -> tuple[Item, list[Candidate]]:
        """Return the likeliest item with its candidates: of those that have some, where any has."""
        items = [
            Item("1", lexelt, marked.text, marked.start, marked.end)
            for lexelt in self.language.lexelts(marked, self.lemmatiser)
        ]
        for item in items:
            if candidates := list(self.source.candidates(item)):
                return item, candidates
        return items[0], []


def _answered(
    system: tuple[str, str, Resources], sentences: Sequence[str | Marked], n: int
) -> list[Suggestions]:
    key = repr(system)
    if key not in _in_this_worker:
        _in_this_worker[key] = open_suggester(*system)
    return [_in_this_worker[key](sentence, n=n) for sentence in sentences]


_in_this_worker: dict[str, Suggester] = {}
"""Systems that this process has opened to answer batches, by what they were opened with."""


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
    language = experiment.table.language or language_named(experiment.table.data)
    given = resources
    named = named_resources(experiment, resources)
    resources = Resources(
        data=resources.data, cache=resources.cache, paths=named, models=models,
        language=language, seed=experiment.table.seed,
    )  # fmt: skip
    data = Dataset(DATA, (), Gold(DATA, {}), language=language)
    spoken = language_of(language)
    return Suggester(
        config=config,
        system=chosen.name,
        language=spoken,
        lemmatiser=spoken.lemmatiser(resources),
        source=chosen.candidates.open(resources),
        scorer=checked(chosen.ranker, chosen.name).open(resources, data),
        inflected=_can_inflect(spoken),
        resources=given,
    )


def _system(experiment: Experiment, name: str) -> System:
    systems = {system.name: system for system in experiment.systems}
    if name and name not in systems:
        raise UnknownNameError("system of the config", name, systems)
    chosen = systems[name] if name else experiment.systems[0]
    # Boundaries play no role here: the n best are shown.
    looks = needs_gold(chosen.candidates) or needs_gold(chosen.ranker)
    if looks:
        raise LexsubError(
            f"system {chosen.name} looks at the gold, and a sentence of yours has none; "
            "choose another with --system"
        )
    return chosen


def _can_inflect(language: Language) -> bool:
    """Say whether forms can be made, and load what makes them."""
    try:
        language.prepare()
    except MissingExtraError:
        return False
    return True
