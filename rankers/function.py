"""A plain function of the user as a ranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias

from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError
from lexsub.parts.base import Explained, Ranker
from lexsub.parts.plugins import find_function, is_loaded
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources

RankingFunction: TypeAlias = Callable[[str, tuple[int, int], list[str]], Sequence[float]]
"""(sentence, (start, end) of the target, substitutes) to a score each, the higher the better."""


@dataclass(frozen=True)
class FunctionRanker(Ranker):
    """Order candidates by a function of your own.

    It is called with the sentence, the offsets of the target's first character and of the one
    behind its last, and the substitutes, and returns a number for each, the higher the better.

    Attributes:
        call: where it is: ``my_file.py:my_function`` (from the folder of the config), or
            ``my_module:my_function``.
    """

    call: str

    needs_gold: ClassVar[bool] = False

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the function's file: a changed one ranks anew."""
        return [path for _, path in [self._found(resources)] if path is not None]

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Import the function.

        Raises:
            LexsubError: there is no such file, module or function, or a folder from elsewhere
                names it.
        """
        function, _ = self._found(resources)
        return function_scorer(function, self.call)

    def _found(self, resources: Resources) -> tuple[RankingFunction, Path | None]:
        place = self.call.rpartition(":")[0]
        resources.refuse_code(
            f"ranker function, call = {self.call!r},",
            named=is_loaded(place),
            way=f"--plugin {place}",
        )
        return find_function(self.call)


def function_scorer(function: RankingFunction, name: str) -> ExplainedScorer:
    """Return what asks a function of the user for scores; it does not say what these are made of.

    What is returned raises LexsubError where the function fails; says on which item, and how.
    """

    def work(item: Item, candidates: Sequence[Candidate]) -> Explained:
        substitutes = [candidate.substitute for candidate in candidates]
        try:
            return function(item.text, (item.start, item.end), substitutes), {}
        except Exception as error:  # whatever the user's function does
            kind = type(error).__name__
            raise LexsubError(
                f"function {name} fails on item {item.id}: {kind}: {error}; expected "
                "(sentence, (start, end), substitutes) to a number for each"
            ) from error

    return ExplainedScorer(work)
