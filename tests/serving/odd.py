"""A suggester that does what the sentence says: for what a good one never does."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Any, cast

from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.answers import Suggestions
from lexsub.experiments.suggestions.suggesting import Suggester, open_suggester
from lexsub.marked_sentences import Marked
from lexsub.resources import Resources

SECRET = "what somebody wrote"


class Odd:
    def __init__(self) -> None:
        self.usual = open_suggester("suggest", "", Resources())
        self.config, self.system, self.name, self.inflected = "odd", "odd", "odd", True
        self.model, self.language = None, self.usual.language

    def suggest(self, marked: Marked, n: int | None, *, explain: bool = False) -> Suggestions:
        if marked.target == "sleep":
            time.sleep(3600)
        if marked.target == "die":
            os._exit(9)
        if marked.target == "refuse":
            raise LexsubError("a file of the model is damaged")
        if marked.target == "fail":
            raise ValueError(SECRET)
        found = self.usual.suggest(marked, n, explain=explain)
        if marked.target == "endless":
            return replace(found, best=(replace(_one(found), score=float("-inf")),))
        return found


def _one(found: Suggestions) -> Any:
    from lexsub.experiments.suggestions.answers import Suggestion

    return Suggestion("x", "x", found.text, 0.0, (), {})


def open_odd() -> Suggester:
    return cast(Suggester, Odd())


def open_nothing() -> Suggester:
    raise LexsubError("no such model")
