"""A measure of ranking in the manner of the LREC 2010 companion of Jabbari et al."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from lexsub.evaluation.gold_arrays import Floats
from lexsub.evaluation.measure import Measure, Reads, ratio
from lexsub.evaluation.registry import MEASURES
from lexsub.evaluation.sheets import Sheet


@MEASURES.register("rank-reconstruction")
@dataclass(frozen=True)
class RankReconstruction(Measure):
    """Mean of Σ_{j=1..|H|} |top_j(A)| / Σ_{j=1..|H|} |top_j(ideal)|: a reconstruction.

    The paper says that its measure compares a ranking with the ideal order; its formula could
    not be obtained.  This cumulative ratio is our own reading and must never be given as the
    paper's figure; for a documented measure of ranking use GAP.  j runs over the distinct human
    substitutes; a list that ends early adds what it has.
    """

    name: ClassVar[str] = "rank-reconstruction"
    reference: ClassVar[str] = (
        "reconstruction, not the formula of Jabbari, Hepple and Guthrie (LREC 2010)"
    )
    reads: ClassVar[Reads] = "ranking"
    unit: ClassVar[Literal["%", "1"]] = "1"
    criteria: ClassVar[tuple[str, ...]] = ("scored", "gold")

    def figures(self, sheet: Sheet) -> Floats:
        """Each item's figure."""
        answers, gold = sheet.unique, sheet.gold
        # An answer at place j is in every top_i with i >= j, so it counts |H| - j + 1 times.
        times = np.maximum(gold.sizes[answers.owner] - answers.rank + 1, 0)
        ideal = gold.sum(gold.weights * (gold.sizes[gold.owner] - gold.rank + 1))
        return ratio(answers.sum(answers.gains * times), ideal, 0.0)
