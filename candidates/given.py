"""Candidates that are given: by a file, item by item, or by the gold of all sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

from lexsub.candidates.opened import ByItem
from lexsub.data.catalogue import SplitName, load
from lexsub.datasets import Item
from lexsub.errors import LexsubError
from lexsub.formats.outputs.catalogue import as_rankings, read_answers, read_kind
from lexsub.formats.variants import parse_candidate_pool, pool_candidates, pool_key
from lexsub.parts.base import CandidateSource
from lexsub.rankings import Candidate, Origin, Ranking
from lexsub.resources import Resources
from lexsub.storage.files import read_text


@dataclass(frozen=True)
class Given(CandidateSource):
    """What a file lists for each item, in its order and with its scores; nothing for others.

    Attributes:
        file: path of the file, or its name in ``[resources]``: rankings, or a submission (any
            format that ``lexsub convert --list`` prints).
        kind: what it holds: ``ranking``, ``oot``, ``best`` or ``mw`` (which lists nothing); told
            by its content if empty.
    """

    file: str
    kind: Literal["", "best", "oot", "mw", "ranking"] = ""

    def path(self, resources: Resources) -> Path:
        """Return the place of the file.

        Raises:
            MissingResourceError: it is not there.
        """
        hint = f"correct the path, or add {self.file} to [resources]"
        return resources.file(self.file, f"candidates {self.file!r} are not there", hint)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the file."""
        return (self.path(resources),)

    def open(self, resources: Resources) -> ByItem:
        """Read the file.

        Raises:
            LexsubError: it cannot be read, or is not what it should be; names the line.
        """
        rankings: Mapping[str, Ranking] = {}
        if self.kind != "mw":
            path = self.path(resources)
            found = read_kind(path, self.kind) if self.kind else read_answers(path)[1]
            rankings = as_rankings(found)

        def candidates(item: Item) -> Sequence[Candidate]:
            ranking = rankings.get(item.id)
            return tuple(
                Candidate(entry.substitute, (Origin("given", place, "", float(entry.score)),))
                for place, entry in enumerate(ranking.ranked if ranking else ())
            )

        return ByItem(candidates)


@dataclass(frozen=True)
class GoldPool(CandidateSource):
    """The substitutes that people gave for a target in any of its sentences.

    For the ranking task alone: every right answer is among the candidates, so nothing that
    is found this way says how well a system *finds* substitutes.  Candidates come in
    alphabetical order, which knows nothing of the gold's counts.

    Source: Thater, Fürstenau and Pinkal (2010), section 4.2; Melamud, Levy and Dagan (2015),
    whose ``lst.gold.candidates`` equals the pool of ``semeval2007/all`` once it is cleaned.

    Attributes:
        gold: the data set split whose gold is pooled; not looked at when ``file`` is given.
        file: name of a candidates file under ``[resources]`` (lines ``target.pos::a;b``).
        multiwords: ``drop`` candidates with a blank or hyphen, as in published figures, or
            ``keep`` them.
    """

    gold: str = "semeval2007/all"
    file: str = ""
    multiwords: Literal["drop", "keep"] = "drop"

    needs_gold: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.file:
            SplitName.parse(self.gold)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the candidates file, or the files of the data set split."""
        if self.file:
            return (self._path(resources),)
        return tuple(load(self.gold, resources.data).files)

    def open(self, resources: Resources) -> ByItem:
        """Read the file, or pool the gold.

        Raises:
            LexsubError: a file that is not there or not what it should be.
        """
        if self.file:
            path = self._path(resources)
            pool = parse_candidate_pool(read_text(path), path)
        else:
            pool = pool_candidates(load(self.gold, resources.data).gold.items.values())
        return ByItem(partial(self._candidates, pool))

    def _candidates(self, pool: Mapping[str, Sequence[str]], item: Item) -> Sequence[Candidate]:
        words = sorted(
            word
            for word in pool.get(pool_key(str(item.lexelt)), ())
            if word != item.lemma and (self.multiwords == "keep" or not {" ", "-"} & set(word))
        )
        return [Candidate(word, (Origin("gold-pool", rank),)) for rank, word in enumerate(words)]

    def _path(self, resources: Resources) -> Path:
        if self.file not in resources.paths:
            raise LexsubError(
                f"candidate source gold-pool: [resources] names no {self.file}; add "
                f"{self.file} = the path of a candidates file"
            )
        return resources.here(resources.paths[self.file])
