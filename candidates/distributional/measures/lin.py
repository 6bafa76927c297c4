"""Lin's similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from lexsub.candidates.distributional.measures.base import Formula, Number, itself


def information_of_both(x: Number, y: Number, _constant: float) -> Number:
    """Add what the context tells about either word."""
    return x + y


def share_of_all_information(
    total: Number, left: Number, right: Number, _constant: float
) -> Number:
    """Divide by all that is told about both words."""
    return total / (left + right)


@dataclass(frozen=True)
class Lin:
    """Information in shared contexts over information in all contexts of both words.

    Lin (1998, P98-2127), with I(f, w) = log P(f|w)/P(f) where positive, as Weeds, Weir and
    McCarthy (2004, Table 1) and McCarthy et al. (2007) use it.

    Attributes:
        marginals: ``word`` for P(f) over all contexts; ``relation`` for Lin's own, within
            the context's relation.
    """

    marginals: Literal["word", "relation"] = "word"

    higher_is_closer: ClassVar[bool] = True

    def formula(self) -> Formula:
        """Return the functions to use."""
        return Formula(
            weights="ppmi" if self.marginals == "word" else "ppmi-relation",
            size=itself,
            shared=information_of_both,
            value=share_of_all_information,
        )
