"""Back-off models queried through KenLM."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError, needing
from lexsub.rankers.lm.bounds import AGAIN, check_model_file
from lexsub.rankers.lm.header import Header
from lexsub.rankers.lm.model import Window


class KenlmModel:
    """An ARPA or KenLM binary file.

    One joined string for each window is the fastest way into KenLM from Python.
    """

    def __init__(self, folder: Path, header: Header) -> None:
        self.header = header
        self.path = folder / header.file
        self._model = load_kenlm(self.path, header.order)
        self._score = self._model.score

    def log10(self, windows: Sequence[Window]) -> NDArray[np.float64]:
        """Return the log10 probability of each window."""
        return np.array([self._score(*window) for window in windows], np.float64)

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> NDArray[np.float64]:
        """Return the log10 probability of windows that begin and end alike."""
        scores = map(self._score, texts, repeat(bos), repeat(eos))
        return np.fromiter(scores, np.float64, len(texts))

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        return token in self._model


def load_kenlm(path: Path, order: int | None = None) -> Any:
    """Open ARPA text or a KenLM binary, of a given order or any.

    Raises:
        MissingExtraError: kenlm is not installed.
        FormatError: the file is damaged, not a model, or of another order.
    """
    with needing("kenlm", "lm", "asking a language model"):
        kenlm = import_module("kenlm")
    if not path.is_file() or not os.access(path, os.R_OK):
        raise FormatError(path, None, "no such model file, or not readable; train the model again")
    check_model_file(path)
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        model = kenlm.Model(str(path), config)
    except (OSError, RuntimeError, ValueError) as error:
        raise FormatError(path, None, f"KenLM cannot read it: {_reason(error)}") from error
    if order is not None and model.order != order:
        raise FormatError(
            path,
            None,
            f"is a model of order {model.order}, its header says {order}: the file was exchanged; "
            "import it again with 'lexsub lm import'",
        )
    return model


def _reason(error: Exception) -> str:
    # KenLM's messages are "Cannot read model 'x' (file.cc:12 in void f() threw T because `c'. …)".
    text = str(error)
    _, _, inner = text.partition("' (")
    text = inner.removesuffix(")") or text
    for mark in ("'. ", "because ", " threw "):
        _, found, rest = text.partition(mark)
        if found:
            text = rest
            break
    text = " ".join(text.split()).rstrip(" .")
    return f"{text}; {AGAIN}"
