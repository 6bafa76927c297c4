"""Gold standards: what people answered for each item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexsub.tables import Table, Tabular


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
