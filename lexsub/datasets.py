"""What data sets are made of: items (a target word in a sentence), golds, and both as a split."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lexsub.tables import Table, Tabular

PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}

# A lemma may hold blanks and full stops inside (CoInCo: "fourth quarter", "a.m."), but
# neither begin nor end with a blank.
_LEXELT = re.compile(
    r"(?P<lemma>\S(?:[^\t\r\n]*?\S)??)\.(?P<pos>[nvar])(?:\.(?P<corrected>[nvar]))?"
)


@dataclass(frozen=True, slots=True)
class Lexelt:
    """A target word type: ``bright.a``, or ``bar.n.v`` where the part of speech was corrected.

    Attributes:
        lemma: the target lemma.
        original_pos: the part of speech under which the sentences were drawn.
        pos: the corrected part of speech, the one to use (the same where nothing was corrected).
    """

    lemma: str
    original_pos: str
    pos: str

    @classmethod
    def parse(cls, text: str) -> Lexelt:
        """Read ``lemma.pos`` or ``lemma.pos.corrected``.

        Raises:
            ValueError: anything else; the text says what was expected.
        """
        match = _LEXELT.fullmatch(text)
        if match is None:
            raise ValueError(
                f"{text!r} is not a lexelt; expected lemma.pos with pos one of n v a r, "
                "as in bright.a or bar.n.v"
            )
        return cls(match["lemma"], match["pos"], match["corrected"] or match["pos"])

    def __str__(self) -> str:
        if self.original_pos == self.pos:
            return f"{self.lemma}.{self.pos}"
        return f"{self.lemma}.{self.original_pos}.{self.pos}"


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence with one target word, the unit that systems answer and measures score.

    Attributes:
        id: the item's id, unique in its data set.
        lexelt: the target word type.
        text: the sentence, as in the data set.
        start: offset of the target's first character in ``text``.
        end: offset behind the target's last character.
        tag: Penn's tag of the target's form, where a tagger has told it.
    """

    id: str
    lexelt: Lexelt
    text: str
    start: int
    end: int
    tag: str = ""

    @property
    def lemma(self) -> str:
        """The target lemma."""
        return self.lexelt.lemma

    @property
    def pos(self) -> str:
        """The (corrected) part of speech: n, v, a or r."""
        return self.lexelt.pos

    @property
    def target(self) -> str:
        """The target's surface form, as it stands in the sentence."""
        return self.text[self.start : self.end]

    @property
    def left(self) -> list[str]:
        """The tokens before the target (blank-separated, as the data set has them)."""
        return self.text[: self.start].split()

    @property
    def right(self) -> list[str]:
        """The tokens after the target."""
        return self.text[self.end :].split()


@dataclass(frozen=True, slots=True)
class GoldItem:
    """The human answers to one item.

    Attributes:
        id: the item's id.
        lexelt: the target word type, as the gold file writes it.
        weights: substitute to weight, in file order; a count of annotators, a mean rating,
            or a share of favourable judgements (SWORDS), as the data set has it.  A weight of
            0 says "judged and refused": such a substitute belongs to the judged candidates
            but is no answer, so a measure asks for ``weight > 0``, never for membership
            (:attr:`positive` has the rest).
        source: the answers as the gold file writes them, for readings that depend on its
            bytes (the official scorer's); empty where the data set has another format.
        line: 1-based line in the gold file, 0 where there is none.
        judgements: substitute to (favourable, all) judgements where its weight is the ratio
            of the two, so that forms which a lemmatiser makes equal can be pooled; empty
            where weights are counts or ratings.
        target: the target as it stands in its sentence, where the gold says it; else empty.
    """

    id: str
    lexelt: str
    weights: Mapping[str, float]
    source: str = ""
    line: int = 0
    judgements: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    target: str = ""

    @property
    def positive(self) -> dict[str, float]:
        """The weights above 0: what counts as an answer, in file order."""
        return {substitute: weight for substitute, weight in self.weights.items() if weight > 0}

    @property
    def total(self) -> float:
        """The sum of the weights, |H| of McCarthy and Navigli (2007)."""
        return sum(self.weights.values())

    @property
    def mode(self) -> str | None:
        """The substitute of the greatest weight, None where two share it or none is above 0.

        As the gold stands: the mode that scores ask for is that of :mod:`lexsub.matching`.
        """
        return mode_of(self.positive)


def mode_of(weights: Mapping[str, float]) -> str | None:
    """Return the substitute of the greatest weight, None where two share it or there is none."""
    ranked = sorted(weights.items(), key=lambda entry: -entry[1])
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


@dataclass(frozen=True, slots=True, repr=False)
class Gold(Tabular):
    """A gold standard with what its data set says of its subsets.

    Attributes:
        name: data set and split, as ``semeval2007/test``, or a file name.
        items: the answers by item id, in file order.
        sha256: digest of the gold file, printed with every figure computed from it.
        multiwords: item id to the multiword the target is part of (the mw gold); the
            candidates with their counts, as the answers of an item.
        multiword_ids: ids of the items whose target is part of a multiword (subset NMWT
            leaves them out).
        manual_words: ``lemma.pos`` of the targets whose sentences were chosen by hand
            (subset MAN; the others are RAND).
        mapping: lexelt to (form as a system may give it to the form this gold uses), applied
            to answers before they are scored (SemDis ``mapping.txt``); empty elsewhere.
        normalisation: the policy under which answers are compared with it unless another is
            asked for (:mod:`lexsub.matching`): ``official`` where published figures are the
            official scorer's, else ``clean``.
        language: ISO 639-1 code of its words, which decides how ``lemma`` finds lemmas.
    """

    name: str
    items: Mapping[str, GoldItem]
    sha256: str = ""
    multiwords: Mapping[str, GoldItem] = field(default_factory=dict)
    multiword_ids: frozenset[str] = frozenset()
    manual_words: frozenset[str] = frozenset()
    mapping: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    normalisation: str = "clean"
    language: str = "en"

    def records(self) -> list[dict[str, Any]]:
        """Return a row an item and substitute."""
        return [
            {"id": item.id, "lexelt": item.lexelt, "substitute": substitute, "weight": weight}
            for item in self.items.values()
            for substitute, weight in item.weights.items()
        ]

    def view(self) -> Table:
        """Return the answers by item."""
        cells = [
            [item.id, item.lexelt, "; ".join(f"{s} {w:g}" for s, w in item.weights.items())]
            for item in self.items.values()
        ]
        return Table(f"{self.name}, {len(self.items)} items", ["id", "lexelt", "answers"], cells)


@dataclass(frozen=True, slots=True, repr=False)
class Dataset(Tabular):
    """Sentences and gold of one split.

    Attributes:
        name: ``dataset/split``, as ``semeval2007/test``; the split is part of the name.
        items: the items in file order, items without gold included.
        gold: the gold standard.
        files: every file that was read, with its sha256.
        language: ISO 639-1 code; the gold has the same.
    """

    name: str
    items: tuple[Item, ...]
    gold: Gold
    files: Mapping[Path, str] = field(default_factory=dict)
    language: str = "en"

    def __post_init__(self) -> None:
        if self.gold.language != self.language:
            object.__setattr__(self, "gold", replace(self.gold, language=self.language))

    def under(self, normalisation: str | None) -> Dataset:
        """Return the same with its gold under another policy; None changes nothing."""
        if normalisation is None:
            return self
        return replace(self, gold=replace(self.gold, normalisation=normalisation))

    def records(self) -> list[dict[str, Any]]:
        """Return a row an item."""
        columns = ("id", "lexelt", "text", "target", "start", "end")
        rows = [{name: getattr(item, name) for name in columns} for item in self.items]
        return [{**row, "lexelt": str(row["lexelt"])} for row in rows]

    def view(self) -> Table:
        """Return the sentences, their targets in brackets."""
        cells = [
            [one.id, str(one.lexelt), f"{one.text[: one.start]}[{one.target}]{one.text[one.end :]}"]
            for one in self.items
        ]
        title = f"{self.name}, {len(self.items)} items, {len(self.gold.items)} with gold"
        return Table(title, ["id", "lexelt", "sentence"], cells)
