"""When two substitutes are the same: named policies for reading golds and answers.

A figure's signature names the policy.  ``official`` reads as the official scorer does (its
stale answers left out); ``clean`` applies one rule to both sides; ``lemma`` adds lower case
and lemmas, as SWORDS and LexSubGen do; ``tsar`` and ``exact`` compare letter by letter, as the
scripts of lexical simplification do.
"""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from lexsub.datasets import Gold, GoldItem, mode_of
from lexsub.errors import LexsubError, look_up
from lexsub.languages import language_of
from lexsub.matching.script import Subset, normalised, read_official_gold
from lexsub.resources import Resources

Lemmatise = Callable[[str, str], str]
"""Form and part of speech (n v a r, or "") → lemma."""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One item's gold under a policy.

    Attributes:
        weights: substitute to weight above 0.
        lookup: every spelling an answer may have, to its weight.
        judged: spellings that were judged at all (those of weight 0 too).
        total: |H|, the sum of the weights.
        mode: the spelling an answer must have to hit the mode, or None.
        scored: whether the item has the two responses that best and oot ask for.
        answerable: whether answers are looked at; the official scorer passes over those to items
            of whose gold it can read nothing, though it counts the items.
        target: the spelling of an answer that is the target itself, where the gold knows it.
    """

    weights: Mapping[str, float]
    lookup: Mapping[str, float]
    judged: frozenset[str]
    total: float
    mode: str | None
    scored: bool
    answerable: bool = True
    target: str = ""


class Normalisation(ABC):
    """A policy for reading golds and answers.

    Attributes:
        name: the policy as the signature has it.
        merges: whether answers that become the same are given once.
    """

    __slots__ = ()

    name: str
    merges: ClassVar[bool] = False

    @abstractmethod
    def rows(self, gold: Gold, *, single_words: bool = False) -> list[GoldRow]:
        """Read every item of a gold, in its order.

        Args:
            gold: the gold.
            single_words: drop multiword substitutes first (subset NMWS).
        """

    @abstractmethod
    def answers(
        self, item: GoldItem, answers: Sequence[str], *, single_words: bool = False
    ) -> list[str]:
        """Read a system's answers to an item, best first; [] for no answer."""


@dataclass(frozen=True, slots=True)
class Official(Normalisation):
    """Golds and answers as the official scorer reads them (:mod:`lexsub.matching.script`).

    Answers: ``non-x`` is joined, hyphens become blanks, the first apostrophe goes; nothing is
    trimmed, duplicates and inner blanks stay.  A blank answer is no answer: the defect that
    lends it the previous item's answers is left to ``lexsub official``.
    """

    name: str = "official"

    def rows(self, gold: Gold, *, single_words: bool = False) -> list[GoldRow]:
        """Read a gold of counts as the script does.

        Raises:
            LexsubError: a weight that is no whole number.
        """
        text = "".join(
            f"x.n {number} :: {_source(item)}\n" for number, item in enumerate(gold.items.values())
        )
        read = read_official_gold(text, subset=Subset("NMWS" if single_words else "ALL"))
        scored = set(read.scored)
        rows = []
        for number in map(str, range(len(gold.items))):
            entry = read.entries.get(number)
            if entry is None:
                rows.append(GoldRow({}, {}, frozenset(), 0.0, None, number in scored, False))
                continue
            counts = {substitute: float(count) for substitute, count in entry.counts.items()}
            spaced = {s.replace("-", " "): count for s, count in counts.items() if "-" in s}
            lookup = spaced | counts
            positive = {s: count for s, count in counts.items() if count > 0}
            rows.append(
                GoldRow(positive, lookup, frozenset(lookup), float(entry.total), entry.mode, True)
            )
        return rows

    def answers(
        self, item: GoldItem, answers: Sequence[str], *, single_words: bool = False
    ) -> list[str]:
        """Normalise as the script does; nothing but blanks is no answer."""
        if len(answers) < 2 and not any(answer.strip() for answer in answers):
            return []
        return normalised(answers, single_words_only=single_words)


class _Weighing(Normalisation):
    """Reads a gold item by item, each substitute's weight by its spelling."""

    __slots__ = ()

    merges: ClassVar[bool] = True

    def rows(self, gold: Gold, *, single_words: bool = False) -> list[GoldRow]:
        """Read a gold; items scored by best and oot have two responses, where it counts them."""
        counts = counts_only(gold.items.values())
        return [self._row(item, counts, single_words) for item in gold.items.values()]

    def _row(self, item: GoldItem, counts: bool, single_words: bool) -> GoldRow:
        weights = self.weights(item, single_words=single_words)
        positive = {form: weight for form, weight in weights.items() if weight > 0}
        total = sum(positive.values())
        scored = total >= 2 if counts else bool(positive)
        mode = mode_of(positive) if scored else None
        judged = frozenset(weights)
        return GoldRow(positive, weights, judged, total, mode, scored, target=self.target(item))

    @abstractmethod
    def weights(self, item: GoldItem, *, single_words: bool) -> dict[str, float]:
        """Return the weight of each spelling in an item's gold, 0 included."""

    def target(self, item: GoldItem) -> str:
        """Return the spelling of an answer that is the target itself; "" where none is known."""
        return item.target


def _answers(forms: Iterable[str], dropped: str | None, single_words: bool) -> list[str]:
    """Return answers without blank and repeated ones, and without one that is the target."""
    left = (form for form in dict.fromkeys(forms) if form and form != dropped)
    return [form for form in left if " " not in form] if single_words else list(left)


@dataclass(frozen=True, slots=True)
class Clean(_Weighing):
    """One reading for both sides.

    Blanks are trimmed and runs of them made one, hyphens read as blanks, ``non x`` as
    ``nonx``, apostrophes dropped, ligatures (œ) parted, accents composed; case counts.
    Answers that become equal are given once (the first place), gold answers that become equal
    are summed (ratios: pooled); a blank answer is no answer.  The mark ``pn`` (proper name)
    is no substitute.

    Attributes:
        lemmatise: turns answers and gold substitutes, put into lower case, into lemmas; the target
            is then taken out of both.  None leaves them as they are.
        name: the policy's name, with what was changed.
    """

    lemmatise: Lemmatise | None = field(default=None, repr=False, compare=False)
    name: str = "clean"

    def answers(
        self, item: GoldItem, answers: Sequence[str], *, single_words: bool = False
    ) -> list[str]:
        """Normalise, drop blanks and repeated answers."""
        dropped = self._lemma(item) if self.lemmatise else None
        return _answers(self._forms(item, answers), dropped, single_words)

    def weights(self, item: GoldItem, *, single_words: bool) -> dict[str, float]:
        """Return the weight of each spelling in an item's gold, 0 included."""
        weights: dict[str, float] = {}
        labels: dict[str, tuple[int, int]] = {}
        for substitute, form in zip(item.weights, self._forms(item, item.weights), strict=True):
            if form in ("", "pn") or (single_words and " " in form):
                continue
            if item.judgements:
                yes, all_ = item.judgements[substitute]
                before = labels.get(form, (0, 0))
                labels[form] = (before[0] + yes, before[1] + all_)
                weights[form] = labels[form][0] / labels[form][1]
            else:
                weights[form] = weights.get(form, 0.0) + item.weights[substitute]
        if self.lemmatise:
            weights.pop(self._lemma(item), None)
        return weights

    def target(self, item: GoldItem) -> str:
        """Return the spelling of an answer that is the target itself; "" where none is known."""
        return self._forms(item, [item.target])[0] if item.target else ""

    def _forms(self, item: GoldItem, substitutes: Iterable[str]) -> list[str]:
        forms = [clean(substitute) for substitute in substitutes]
        if self.lemmatise:
            pos = _pos(item.lexelt)
            forms = [self.lemmatise(form.lower(), pos) for form in forms]
        return forms

    def _lemma(self, item: GoldItem) -> str:
        return self._forms(item, [item.lexelt.partition(".")[0]])[0]


@dataclass(frozen=True, slots=True)
class Exact(_Weighing):
    """Spellings letter by letter, case included; blanks around them are trimmed.

    Gold answers that are the same are summed; repeated and blank answers are left out.

    Attributes:
        name: the policy's name.
        drops_target: whether the target, as it stands in the sentence, is taken out of answers and
            gold, as ``tsar_eval.py`` does.
    """

    name: str = "exact"
    drops_target: bool = False

    def answers(
        self, item: GoldItem, answers: Sequence[str], *, single_words: bool = False
    ) -> list[str]:
        """Trim, and drop blank and repeated answers."""
        dropped = item.target if self.drops_target else None
        return _answers(map(str.strip, answers), dropped, single_words)

    def weights(self, item: GoldItem, *, single_words: bool) -> dict[str, float]:
        """Return the weight of each spelling in an item's gold, 0 included."""
        weights: dict[str, float] = {}
        for substitute, weight in item.weights.items():
            for form in self.answers(item, [substitute], single_words=single_words):
                weights[form] = weights.get(form, 0.0) + weight
        return weights


# French golds and thesauri differ in these (manoeuvrer, manœuvrer; l'eau, l’eau).
_ONE_SPELLING = str.maketrans(
    {"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "’": "'", "ʼ": "'", "‐": "-", "‑": "-"}
)


@lru_cache(maxsize=1 << 17)
def clean(substitute: str) -> str:
    """Return the one spelling under which ``Clean`` compares a substitute."""
    if not substitute.isascii():
        substitute = unicodedata.normalize("NFC", substitute).translate(_ONE_SPELLING)
    form = " ".join(substitute.replace("-", " ").replace("'", "").split())
    return "non" + form[4:] if form.startswith("non ") else form


NORMALISATIONS: dict[str, Callable[[str], Normalisation]] = {
    "official": lambda _: Official(),
    "clean": lambda _: Clean(),
    "lemma": lambda language: lemma(language),
    "tsar": lambda _: Exact("tsar", drops_target=True),
    "exact": lambda _: Exact(),
}
"""Policy by name, for a gold of a language."""


def lemma(language: str = "en") -> Clean:
    """Lower case, lemmas, and the target taken out: as SWORDS and LexSubGen compare.

    Both lemmatise as NLTK's ``WordNetLemmatizer`` does: the shortest base form that WordNet knows,
    and single words alone.

    Args:
        language: ISO 639-1 code of the lemmatiser (of English, WordNet's as NLTK applies them).

    Raises:
        LexsubError: the language's lemmatiser is not found.
    """
    lemmatiser = language_of(language).lemmatiser(Resources())
    return Clean(lemmatiser.lemma, f"lemma({lemmatiser.name})")


def policy_for(gold: Gold, policy: str | Normalisation | None) -> Normalisation:
    """Return the policy asked for; None stands for the gold's own.

    Raises:
        UnknownNameError: no policy of that name.
    """
    policy = gold.normalisation if policy is None else policy
    if not isinstance(policy, str):
        return policy
    return look_up("normalisation", policy, NORMALISATIONS)(gold.language)


def _pos(lexelt: str) -> str:
    pos = lexelt.rpartition(".")[2]
    return pos if pos in ("n", "v", "a", "r") else ""


def counts_only(items: Iterable[GoldItem]) -> bool:
    """Return whether all weights are whole numbers, as the official scorer needs them."""
    return all(float(weight).is_integer() for item in items for weight in item.weights.values())


def check_counts(items: Iterable[GoldItem]) -> None:
    """Make sure that a gold can be read as the official scorer reads it.

    Raises:
        LexsubError: a weight is no whole number.
    """
    for item in items:
        for substitute, weight in item.weights.items():
            if not float(weight).is_integer():
                raise LexsubError(
                    f"item {item.id}: weight {weight:g} of {substitute!r}; the official "
                    "normalisation reads whole counts, so use --normalisation clean for this gold "
                    '(in a config, normalisation = "clean")'
                )


def official_reading(substitute: str) -> str | None:
    """Return what the official scorer reads of a gold substitute, None for nothing."""
    entry = read_official_gold(f"x.n 1 :: {substitute} 2;\n").entries.get("1")
    return next(iter(entry.counts)) if entry else None


def _source(item: GoldItem) -> str:
    check_counts([item])
    if item.source:
        return item.source.lstrip()
    # The script takes the first answer for the mode: its files are sorted by count.
    ranked = sorted(item.positive.items(), key=lambda entry: -entry[1])
    return "".join(f"{substitute} {weight:.0f};" for substitute, weight in ranked)
