"""Candidates, ranked and put into the sentence, for sentences that no data set has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from lexsub.datasets import Item
from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.answers import SHOWN, Suggestion, Suggestions, reason
from lexsub.languages import Language, Lemmatiser
from lexsub.marked_sentences import Marked, mark, parse_targets
from lexsub.parts.base import Cutter, Generator, Scorer
from lexsub.rankers.filling import Filled, fill_readably
from lexsub.rankings import Candidate, Origin, Ranked, Ranking
from lexsub.storage.memory import seldom_collected

if TYPE_CHECKING:
    from lexsub.models import Model

UNSURE = 0.5
"""Chance below which the first substitute is not offered without a word of warning.

Of SWORDS dev, each target ranked by trees that have not seen its lemma, the English model has 50 of
370 targets below: 44 % of their first substitutes are right, of the others' 77 %.
"""

BATCH = 8
"""Sentences that travel to a worker together: few, so that all workers end at about once."""


@dataclass(frozen=True)
class SentenceSuggester:
    """An opened system, to be asked for substitutes one sentence after the other.

    Attributes:
        config: name or path of its config, or of its model.
        system: its name there.
        language: of its sentences.
        lemmatiser: says what a marked word may stand for.
        source: its candidates.
        scorer: its ranker.
        inflected: whether substitutes can be put into the form of the target.
        again: opens it, in another process.
        model: the model it is, None for a system of a config.
        boundary: says how many substitutes are good, where the model has learned that.
        blind: whether the sentence decides lemma and form alone, and all sentences of a word get
            the same substitutes.
    """

    config: str
    system: str
    language: Language
    lemmatiser: Lemmatiser
    source: Generator
    scorer: Scorer
    inflected: bool
    again: Callable[[], SentenceSuggester]
    model: Model | None = None
    boundary: Cutter | None = None
    blind: bool = False

    def __repr__(self) -> str:
        return f"<Suggester: {self.name}>"

    @property
    def name(self) -> str:
        """What answers, in a few words."""
        return f"model {self.config}" if self.model else f"{self.config}, system {self.system}"

    def __call__(
        self,
        sentence: str | Sequence[str] | Marked | Item,
        *,
        span: tuple[int, int] | None = None,
        index: int | None = None,
        pos: str = "",
        n: int | None = None,
        explain: bool = False,
    ) -> Suggestions:
        """Return the best substitutes for a word of a sentence.

        Args:
            sentence: text with the target in stars, text and ``span``, tokens and ``index``
                (see :func:`lexsub.mark`), what that returns, or an item of a data set, whose
                lemma is taken as it is there.
            span: offsets of the target in the text.
            index: place of the target among the tokens.
            pos: part of speech (n, v, a or r); guessed where it is not given.
            n: so many substitutes; by default as many as are good, of a model that has learned
                how many those are, and at most eight.
            explain: say what the scores are made of, too.

        Raises:
            LexsubError: no target, or no such one in the sentence.
        """
        if isinstance(sentence, Item):
            (answer,) = self.each(sentence, n=n, explain=explain)
            return answer
        if not isinstance(sentence, Marked):
            sentence = mark(sentence, span=span, index=index, pos=pos)
        return self.suggest(sentence, n, explain=explain)

    def each(
        self, sentence: str | Marked | Item, *,
        n: int | None = None, explain: bool = False, number: int = 1,
    ) -> list[Suggestions]:  # fmt: skip
        """Return the answers for each of the targets of a sentence; see :meth:`__call__`.

        Args:
            sentence: text with one target or several, each in stars; what :func:`lexsub.mark`
                returns, or an item of a data set.
            n: so many substitutes of each.
            explain: say what the scores are made of, too.
            number: the sentence's.

        Raises:
            LexsubError: no target.
        """
        key = sentence.id if isinstance(sentence, Item) else ""
        targets: Sequence[Marked | Item]
        if isinstance(sentence, str):
            targets = parse_targets(sentence)
        elif isinstance(sentence, Marked | Item):
            targets = (sentence,)
        else:
            raise LexsubError(
                f"sentence {number} is a {type(sentence).__name__}; expected text with its target "
                "in stars, what lexsub.mark returns, or an item of a data set"
            )
        return [
            replace(self.suggest(one, n, explain=explain), number=number, id=key) for one in targets
        ]

    def pipe(
        self, sentences: Iterable[str | Marked | Item], *, n: int | None = None, workers: int = 1
    ) -> Iterator[Suggestions]:
        """Yield the answers to many sentences, in their order and as they come.

        Sentences are read a few batches ahead of the answers and no further, so that a stream
        without end is answered in bounded memory.  A sentence with several targets has an answer
        for each, and every answer the number of its sentence.

        Args:
            sentences: each with its target in stars, or marked by :func:`lexsub.mark`, or an item
                of a data set.
            n: so many substitutes a target; see :meth:`__call__`.
            workers: processes; each opens the system for itself.

        Raises:
            LexsubError: a sentence without a target; those before it have been answered.
        """
        for answers in self._spread(partial(_each, n=n), enumerate(sentences, start=1), workers):
            yield from answers

    def _spread(
        self, work: Callable[[Any, Any], Any], stream: Iterable[Any], workers: int
    ) -> Iterator[Any]:
        """Yield what some work makes of each of a stream, in order, by processes."""
        stream = iter(stream)
        if workers == 1:
            yield from (work(self, one) for one in stream)
            return
        from joblib import Parallel, delayed

        batches = iter(lambda: list(islice(stream, BATCH)), [])
        answer = delayed(_worked)
        answered = Parallel(n_jobs=workers, return_as="generator", batch_size=1)(
            answer(self.again, work, batch) for batch in batches
        )
        for answers in answered:
            yield from answers

    @seldom_collected()
    def suggest(
        self, marked: Marked | Item, n: int | None = None, *, explain: bool = False
    ) -> Suggestions:
        """Return the ``n`` best substitutes for the marked word; see :meth:`__call__`."""
        phrase = None
        if isinstance(marked, Marked):
            phrase = self.language.phrase(marked, self.lemmatiser)
            nothing = "" if phrase else self.language.no_target(marked, self.lemmatiser)
            if nothing:
                lexelt = self.language.lexelts(marked, self.lemmatiser)[0]
                note = (
                    f"{nothing}, no target of a substitution (asked for by its part of speech "
                    "alone)"
                )
                return Suggestions(
                    marked.text, marked.target, lexelt, 0, (), note=note, start=marked.start
                )
        marked, item, candidates, note = self._candidates(marked, phrase)
        scores = list(self.scorer.scores(item, candidates)) if candidates else []
        # Equal scores keep the source's order, as in every ranking.
        order = sorted(range(len(candidates)), key=scores.__getitem__, reverse=True)
        ranked = [candidates[i] for i in order]
        number, given = self._good(item, ranked, (scores[i] for i in order))
        chances = falling(given)
        shown = self._shown(item, (one.substitute for one in ranked), number, n)
        parts: Mapping[str, Sequence[float]] = {}
        if explain and candidates:
            parts = self.scorer.parts(item, candidates)
        chosen = [ranked[rank] for rank, _ in shown]
        reasons = self._reasons(item, chosen) if explain else [()] * len(chosen)
        best = [
            Suggestion(
                candidate.substitute,
                _marked_part(whole, item, marked),
                whole.text,
                float(scores[order[rank]]),
                candidate.origins,
                {name: float(values[order[rank]]) for name, values in parts.items()},
                round(chances[rank], 3) if rank < len(chances) else None,
                tuple(why),
                whole.lemma,
            )
            for (rank, whole), candidate, why in zip(shown, chosen, reasons, strict=True)
        ]
        unsure = any(given[rank] < UNSURE for rank, _ in shown[:1] if rank < len(given))
        return Suggestions(
            item.text, marked.target, item.lexelt, len(candidates), tuple(best), unsure,
            note, start=marked.start,
        )  # fmt: skip

    def _candidates(
        self, marked: Marked | Item, phrase: Marked | None
    ) -> tuple[Marked | Item, Item, list[Candidate], str]:
        """Return what is taken for the target, as an item, its candidates, and a note.

        That is the phrase that the word stands in, if there are candidates for it, or the likeliest
        of what the word may be: of those that have candidates, where any has.  Where none has, the
        note says what was looked for.
        """
        if isinstance(marked, Item):  # its data set says what it is
            candidates = self._proposed(marked)
            return marked, marked, candidates, "" if candidates else f"looked for {marked.lexelt}"
        looked = []
        for target in (marked,) if phrase is None else (phrase, marked):
            word = self.language.word(target, self.lemmatiser)
            for lexelt in self.language.lexelts(word, self.lemmatiser):
                item = Item("1", lexelt, word.text, word.start, word.end)
                if tag := self.language.tag(item, self.lemmatiser):
                    item = replace(item, tag=tag)
                if candidates := self._proposed(item):
                    return target, item, candidates, ""
                looked.append(item)
        told = "looked for " + ", ".join(str(item.lexelt) for item in looked)
        known = self.language.unknown(looked[-1].lexelt, self.lemmatiser)
        return marked, looked[-1], [], "; ".join(filter(None, (told, known)))

    def _proposed(self, item: Item) -> list[Candidate]:
        """Return the source's candidates; where it has none, those of the language's phrases."""
        phrases = enumerate(self.language.phrases(item))
        return list(self.source.candidates(item)) or [
            Candidate(text, (Origin("phrases", rank),)) for rank, text in phrases
        ]

    def _shown(
        self, item: Item, ranked: Iterable[str], number: int, n: int | None
    ) -> list[tuple[int, Filled]]:
        """Return the substitutes to show, by their place in the ranking, each form once.

        Those are ``n``, or of the first ``number`` at most eight; one where there is any.
        """
        shown: list[tuple[int, Filled]] = []
        filled = fill_readably(
            item, ranked, self.lemmatiser, inflected=self.inflected, language=self.language.code
        )
        for rank, whole in enumerate(filled):
            if shown and n is None and rank >= number:
                break
            if whole is not None:
                shown.append((rank, whole))
            if len(shown) == (SHOWN if n is None else n):
                break
        return shown

    def _reasons(self, item: Item, chosen: Sequence[Candidate]) -> Sequence[Sequence[str]]:
        reasons_of = [list(dict.fromkeys(map(reason, candidate.origins))) for candidate in chosen]
        for reasons, more in zip(reasons_of, self.scorer.reasons(item, chosen), strict=True):
            reasons += more
        return reasons_of

    def _good(
        self, item: Item, ranked: Sequence[Candidate], scores: Iterable[float]
    ) -> tuple[int, list[float]]:
        """Return how many of the first candidates are good, and what chance each has."""
        if self.boundary is None or not ranked:
            return len(ranked), []
        entries = tuple(
            Ranked(candidate.substitute, float(score))
            for candidate, score in zip(ranked, scores, strict=True)
        )
        ranking = Ranking(item.id, str(item.lexelt), entries)
        # Not every boundary knows chances.
        chances = getattr(self.boundary, "chances", None)
        return self.boundary.cut(ranking), chances(ranking).tolist() if chances else []


def _marked_part(whole: Filled, item: Item, marked: Marked | Item) -> str:
    """Return what stands in the place of all that was marked: *puppy's* in that of *dog's*."""
    before = marked.text[: marked.start]
    own = item.start == marked.start or not whole.text.startswith(before)
    behind = len(whole.text) - (len(marked.text) - marked.end)
    end = whole.end if item.end == marked.end else behind
    return whole.text[whole.start if own else marked.start : end]


def falling(chances: Sequence[float]) -> list[float]:
    """Return the nearest chances that never rise: neighbours that would share their mean.

    Chance and order are learned from different things; where one is shown beside the other, the
    best first, the second best is no likelier than the best.  Least squares by pooling adjacent
    violators (Ayer et al., 1955).
    """
    pools: list[tuple[float, int]] = []  # mean and number
    for chance in chances:
        pools.append((chance, 1))
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            (a, m), (b, n) = pools[-2:]
            pools[-2:] = [((a * m + b * n) / (m + n), m + n)]
    return [mean for mean, number in pools for _ in range(number)]


def _each(
    suggester: SentenceSuggester, sentence: tuple[int, str | Marked | Item], n: int | None
) -> list[Suggestions]:
    return suggester.each(sentence[1], n=n, number=sentence[0])


def _worked(
    again: Callable[[], SentenceSuggester], work: Callable[[Any, Any], Any], batch: Sequence[Any]
) -> list[Any]:
    key = repr(again)
    if key not in _in_this_worker:
        _in_this_worker[key] = again()
    with seldom_collected():
        return [work(_in_this_worker[key], one) for one in batch]


_in_this_worker: dict[str, SentenceSuggester] = {}
"""Systems that this process has opened to answer batches, by what opens them."""
