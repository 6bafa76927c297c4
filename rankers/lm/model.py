"""The one interface behind which all language models are queried."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rankers.lm.header import Header, read_header


class Window(NamedTuple):
    """A piece of a sentence; a tuple, because every candidate of every item has one.

    Attributes:
        text: tokens joined by blanks, as the model's tokenisation makes them.
        bos: whether the sentence begins here.
        eos: whether the sentence ends here.
    """

    text: str
    bos: bool = False
    eos: bool = False


class LanguageModel(Protocol):
    """An opened model."""

    header: Header

    def log10(self, windows: Sequence[Window]) -> NDArray[np.float64]:
        """Return the log10 probability of each window, shape (windows,).

        It is the sum over the window's tokens (and ``</s>``, where it has one) of the
        probability of each given the tokens before it in the window, at most order - 1.
        """
        ...

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        ...


def open_model(folder: Path) -> LanguageModel:
    """Open a trained model.

    Raises:
        LexsubError: no model there, or its files are damaged.
    """
    header = read_header(folder)
    if header.kind == "backoff":
        from rankers.lm.kenlm_model import KenlmModel

        return KenlmModel(folder, header)
    from rankers.lm.counts_model import open_counts

    return open_counts(folder, header)
