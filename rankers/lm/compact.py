"""A trained model in little place: the model kind ``compact-lm``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.files import writing
from lexsub.parts import model_folder
from lexsub.rankers.lm.arpa_model import Order, read_arpa
from lexsub.rankers.lm.compact_model import MOST_WORDS, write_compact
from lexsub.rankers.lm.header import read_header, write_header
from lexsub.rankers.lm.model import is_arpa
from lexsub.rankers.registry import BUILDERS
from lexsub.resources import Resources

SPECIAL = ("<unk>", "<s>", "</s>")


@BUILDERS.register("compact-lm")
@dataclass(frozen=True)
class CompactLmBuilder:
    """Takes the most probable words of an n-gram model, and a byte for each of its numbers.

    It is asked without KenLM.  Which n-grams there are is the model's own ``prune``; those with
    a word that is left out go, and their context keeps its weight for the lower order.

    Attributes:
        lm: model of kind ``lm`` with ``binary = false``, by its name in ``[models]`` or its folder.
        words: how many words, the most probable first, beside the three special ones; at most
            65,533.
        bits: of each probability and weight, 2 to 8: 2 to the power of so many different values.
    """

    lm: str = "lm"
    words: int = MOST_WORDS - len(SPECIAL)
    bits: int = 6

    def __post_init__(self) -> None:
        if not 1 <= self.words <= MOST_WORDS - len(SPECIAL):
            raise ValueError(f"words is {self.words}; expected 1 to {MOST_WORDS - len(SPECIAL)}")
        if not 2 <= self.bits <= 8:
            raise ValueError(f"bits is {self.bits}; expected 2 to 8")

    inputs = model_folder("lm", "lm")

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the smaller model into a folder.

        Raises:
            LexsubError: there is no such model, it is no ARPA file, or the disk refuses.
        """
        (source,) = self.inputs(resources)
        header = read_header(source)
        if header.kind != "backoff" or not is_arpa(source / header.file):
            raise LexsubError(
                f"model {self.lm} is no ARPA file ({header.file or header.kind}): train it with "
                "smoothing kneser-ney and binary = false"
            )
        ids, orders = fewer_words(*read_arpa(source / header.file), self.words)
        settings = {**header.settings, "kept": self.words, "bits": self.bits}
        made = replace(header, kind="compact", file="", types=len(ids), settings=settings)
        with writing(folder):
            write_compact(folder, ids, orders, self.bits)
            write_header(folder, made)


def fewer_words(
    ids: dict[str, int], orders: Sequence[Order], words: int
) -> tuple[dict[str, int], list[Order]]:
    """Return a model of the most probable words beside the special ones, and their n-grams.

    Of equally probable words the first by name is kept.
    """
    prob = orders[0].prob
    rest = sorted((word for word in ids if word not in SPECIAL),
                  key=lambda word: (-float(prob[ids[word]]), word))  # fmt: skip
    kept = [*(word for word in SPECIAL if word in ids), *rest[:words]]
    types = len(ids)
    # New row of each n-gram of the order before, -1 for those that go; words are their own rows.
    moved = np.full(len(prob), -1, np.int64)
    rows = np.array([ids[word] for word in kept], np.int64)
    moved[rows] = np.arange(len(kept))
    found = [Order(np.arange(len(kept), dtype=np.int64), prob[rows], orders[0].backoff[rows])]
    number: NDArray[np.int64] = moved
    for order in orders[1:]:
        first, last = np.divmod(order.keys, types)
        first, last = moved[first], number[last]
        there = np.flatnonzero((first >= 0) & (last >= 0))
        keys = first[there] * len(kept) + last[there]
        sort = np.argsort(keys, kind="stable")
        rows = there[sort]
        found.append(Order(keys[sort], order.prob[rows], order.backoff[rows]))
        moved = np.full(len(order.keys), -1, np.int64)
        moved[rows] = np.arange(len(rows))
    return {word: place for place, word in enumerate(kept)}, found
