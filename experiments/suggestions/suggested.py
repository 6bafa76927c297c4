"""What a model suggests, as candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexsub.candidates.of_model import OfModel
from lexsub.datasets import Item
from lexsub.experiments.suggestions.suggesting import Suggester, open_suggester
from lexsub.marked_sentences import Marked
from lexsub.parts.limits import Positive
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources


@dataclass(frozen=True)
class Suggested(OfModel):
    """What a model suggests, in the target's form and ranked by its scores.

    For golds of forms, as those of lexical simplification; ranker ``source-score`` keeps the
    model's order, and ``blend`` weighs it against others.

    Attributes:
        model: the model's name, or its folder (a/b).
        n: how many of its best candidates, each form once (1 or more).
    """

    model: str = "english"
    n: Positive = 30

    def open(self, resources: Resources) -> SuggestedForms:
        """Open the model.

        Raises:
            LexsubError: there is no such model, it is damaged, or of another version.
        """
        return SuggestedForms(open_suggester("", "", resources, self.model), self.n)


@dataclass(frozen=True, slots=True)
class SuggestedForms:
    """An opened model that is asked for forms."""

    suggester: Suggester
    n: int

    def candidates(self, item: Item) -> Sequence[Candidate]:
        """Return the best forms; where the part of speech leads to none, those of any."""
        found = self.suggester.suggest(Marked(item.text, item.start, item.end, item.pos), self.n)
        if not found.best:
            found = self.suggester.suggest(Marked(item.text, item.start, item.end), self.n)
        return [
            Candidate(one.form, (Origin("suggested", rank, one.substitute, one.score),))
            for rank, one in enumerate(found.best)
        ]
