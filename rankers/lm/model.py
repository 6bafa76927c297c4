"""The one interface behind which all language models are queried."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.rankers.lm.header import AGAIN, Header, read_header
from lexsub.storage.compression import open_stream
from lexsub.storage.digests import kept_open


class Window(NamedTuple):
    """A piece of a sentence.

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

    def log10_alike(self, texts: Sequence[str], bos: bool, eos: bool) -> NDArray[np.float64]:
        """Return the log10 probability of windows that begin and end alike, as of :meth:`log10`.

        The candidates of an item do; a window for each of them would cost as much as asking.
        """
        ...

    def knows(self, token: str) -> bool:
        """Return whether a token is in the vocabulary."""
        ...


@kept_open(2, AGAIN)
def open_model(folder: Path) -> LanguageModel:
    """Open a trained model, or return it where it was opened last and is still the same.

    Raises:
        LexsubError: no model there, or its files are damaged.
    """
    header = read_header(folder)
    if header.kind == "backoff":
        # Without KenLM, ARPA text is read by ourselves: slower, and the same figures.
        if asked_by(folder, header) == OURS:
            from lexsub.rankers.lm.arpa_model import ArpaModel

            return ArpaModel(folder, header)
        from lexsub.rankers.lm.kenlm_model import KenlmModel

        return KenlmModel(folder, header)
    if header.kind == "compact":
        from lexsub.rankers.lm.compact_model import open_compact

        return open_compact(folder, header)
    from lexsub.rankers.lm.counts_model import open_counts

    return open_counts(folder, header)


OURS = "lexsub"


def asked_by(folder: Path, header: Header) -> str:
    """Return what asks a model: ``KenLM`` (the module, whoever packed it), or lexsub itself."""
    if header.kind != "backoff":
        return OURS
    if find_spec("kenlm") is not None:
        return "KenLM"
    return OURS if is_arpa(folder / header.file) else "KenLM, which is not installed (extra lm)"


def is_arpa(path: Path) -> bool:
    """Say whether a file is an ARPA text, plain or compressed."""
    try:
        with open_stream(path) as stream:
            return b"\\data\\" in stream.read(1 << 12)
    except LexsubError:
        return False
