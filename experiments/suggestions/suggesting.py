"""Opened systems that are asked about sentences and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lexsub.datasets import Dataset, Gold
from lexsub.errors import LexsubError, MissingExtraError
from lexsub.experiments.suggestions.answers import LEAST
from lexsub.experiments.suggestions.sentences import SentenceSuggester
from lexsub.languages import Language, language_of
from lexsub.parts.base import CandidateSource, Ranker
from lexsub.parts.checked import open_checked
from lexsub.resources import Resources
from lexsub.storage.memory import seldom_collected

# Texts and copies take long to import, and a sentence asks for neither.
if TYPE_CHECKING:
    from lexsub.experiments.suggestions.augmenting import Augmented, Augmenter
    from lexsub.experiments.suggestions.texts import WholeText
    from lexsub.models import Model

Parts = tuple[CandidateSource, Ranker]
"""What proposes candidates, and what orders them."""

DATA = "sentences"
"""Name of the data set that the user's own sentences make up."""


@dataclass(frozen=True, repr=False)
class Suggester(SentenceSuggester):
    """An opened system, to be asked for substitutes one sentence or text after the other."""

    def text(self, text: str, *, n: int | None = None) -> WholeText:
        """Return every word and phrase of a text with its substitutes, or why it has none.

        Sentences are found, and the parts of speech of their words.  Function words, names,
        numbers and quotations are left alone.

        Args:
            text: of any length.
            n: so many substitutes a word; see :meth:`__call__`.
        """
        from lexsub.experiments.suggestions.texts import answer_text

        return answer_text(self, text, n)

    def texts(
        self, texts: Iterable[str], *, n: int | None = None, workers: int = 1
    ) -> Iterator[WholeText]:
        """Yield the answers to many texts, in their order and as they come; see :meth:`text`.

        Args:
            texts: any number of them.
            n: so many substitutes a word.
            workers: processes; each opens the system for itself.
        """
        yield from self._spread(partial(Suggester.text, n=n), texts, workers)

    def augment(
        self, text: str, *, share: float = 0.2, n: int = 3, seed: int = 0, temperature: float = 1.0,
        least: float = LEAST, pos: str = "nvar", keep: Sequence[str] = (),
        spans: Sequence[tuple[int, int]] = (),
    ) -> list[Augmented]:  # fmt: skip
        """Return a text again, some of its words replaced by substitutes that are drawn.

        Of two words that stand beside each other one at most is replaced.  Where a text has no
        ``n`` different copies, there are fewer; where nothing can be replaced, none.

        Args:
            text: what :meth:`text` leaves alone stays.
            share: of all its words; one word at least is replaced, where one can be.
            n: copies.
            seed: the same one draws the same.
            temperature: above 1 draws more of the less likely; 0 takes the likeliest.
            least: chance that a substitute must have.  A system that knows no chances draws the
                first with weight 1, the second with 1/2, and so on.
            pos: parts of speech that are replaced.
            keep: words, lemmas and phrases never to touch, in any case.
            spans: offsets in the text that must stay; each copy says where they are in it.

        Raises:
            LexsubError: an option is not as expected.
        """
        from lexsub.experiments.suggestions.augmenting import Augmenter

        keeping = tuple(keep) if not isinstance(keep, str) else (keep,)
        return Augmenter(n, share, seed, temperature, least, pos, keeping)(self, text, spans)

    def augmented(
        self, texts: Iterable[tuple[str, Sequence[tuple[int, int]]]], augmenter: Augmenter,
        workers: int = 1,
    ) -> Iterator[list[Augmented]]:  # fmt: skip
        """Yield the copies of many texts, each with spans that must stay, in their order."""
        yield from self._spread(partial(_again, augmenter=augmenter), texts, workers)


def _again(
    suggester: Suggester, text: tuple[str, Sequence[tuple[int, int]]], augmenter: Augmenter
) -> list[Augmented]:
    return augmenter(suggester, *text)


@seldom_collected()
def open_suggester(config: str, system: str, resources: Resources, model: str = "") -> Suggester:
    """Open a model, or a system of a config, for sentences.

    Args:
        config: path of a config file or name of a ready one; ``""`` for a model, or, where there
            is none, for the best ready one whose models are trained.
        system: name of one of its systems; ``""`` for its first (of the ready ones, the best).
        resources: where data, cached models and WordNet are; their language chooses the config
            where none is named.
        model: a model's name or folder; ``""`` for the one that the user has chosen, or the one
            that comes with lexsub.

    Raises:
        LexsubError: no such model, config or system, models that are not trained, or a system
            that looks at a gold.
    """
    if model and (config or system):
        raise LexsubError("a model has one system and no config: give either, not both")
    # What reads models and what reads configs takes as long to import as a system to open.
    if model or not (config or system or resources.language != "en"):
        from lexsub.experiments.suggestions.of_models import open_of_model
        from lexsub.models import preferred_model

        def opened_model(model: Model, parts: Parts, inside: Resources) -> Suggester:
            again = partial(open_suggester, "", "", resources, str(model.folder.absolute()))
            return _open(model.called, model.system["name"], parts, inside, again)

        if model := model or preferred_model():
            return open_of_model(model, resources, opened_model)
    from lexsub.experiments.suggestions.of_configs import Chosen, open_of_config

    def opened_anew(chosen: Chosen) -> Suggester:
        again = partial(open_suggester, chosen.config, chosen.system, resources)
        return _open(*chosen, again)

    return open_of_config(config, system, resources, opened_anew)


def _open(
    config: str, system: str, parts: Parts, resources: Resources,
    again: Callable[[], Suggester],
) -> Suggester:  # fmt: skip
    """Open a source and a ranker for sentences.

    Args:
        config: name or path of their config, or of their model.
        system: what they are called there.
        parts: what proposes the candidates, and what orders them.
        resources: what they are opened with; their language is that of the sentences.
        again: opens the same in another process.
    """
    source, ranker = parts
    spoken = language_of(resources.language)
    data = Dataset(DATA, (), Gold(DATA, {}), language=resources.language)
    return Suggester(
        config, system, spoken, spoken.lemmatiser(resources), source.open(resources),
        open_checked(ranker, system, resources, data), can_inflect(spoken), again,
        blind=source.blind and ranker.blind,
    )  # fmt: skip


def can_inflect(language: Language) -> bool:
    """Return True if forms can be made, and load what makes them."""
    try:
        language.prepare()
    except MissingExtraError:
        return False
    return True
