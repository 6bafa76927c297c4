"""A tagger: the Penn tag of a word, read off the states of an encoder by one linear map.

A folder of it holds ``tagger.json`` (:class:`TaggerHeader`), ``weights.npy`` of shape
(3 d + 1, tags) for an encoder of d dimensions, its last row added, and ``digests.json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lexsub.encoder import Encoder, Floats, open_encoder, unit
from lexsub.errors import FormatError, MissingExtraError
from lexsub.resources import Resources
from lexsub.storage.digests import cached_open
from lexsub.storage.headers import Closed, header_reader

FILE = "tagger.json"
WEIGHTS = "weights.npy"
AGAIN = "make the tagger again"

ROUNDED = 2
"""Decimals of a logarithm: states differ in the last bits between processors."""


class TaggerHeader(Closed):
    """``tagger.json``.

    Attributes:
        encoder: name of the model whose states it reads.
        tags: Penn's, ``NAME`` and ``OTHER``, in the order of the weights' columns.
        words: that it was trained on.
    """

    format: Literal["lexsub-tagger"] = "lexsub-tagger"
    version: Literal[1] = 1
    encoder: str
    tags: tuple[str, ...]
    words: int


def seen(word: Floats, mask: Floats) -> Floats:
    """Return what the tagger sees of words: their last two layers and the last of the mask.

    Args:
        word: states of shape (layers, …, d) of words in their own place.
        mask: the same of a mask there.

    Returns:
        Shape (…, 3 d).
    """
    return np.concatenate([unit(word[-2]), unit(word[-1]), unit(mask[-1])], axis=-1)


@dataclass(frozen=True)
class Tagger:
    """An opened tagger.

    Attributes:
        header: what it says of itself.
        weights: of shape (3 d + 1, tags).
        encoder: whose states it reads.
    """

    header: TaggerHeader
    weights: Floats
    encoder: Encoder

    def __call__(self, text: str, start: int, end: int) -> Mapping[str, float]:
        """Return the natural logarithm of each tag's probability for a word of a sentence.

        Args:
            text: the sentence.
            start: offset of the word's first character.
            end: offset behind its last.
        """
        read = self.encoder.read(text, start, end)
        logits = seen(read.word, read.mask) @ self.weights[:-1] + self.weights[-1]
        logarithms = logits - np.logaddexp.reduce(logits)
        return dict(zip(self.header.tags, np.round(logarithms, ROUNDED).tolist(), strict=True))


def tagger_of(resources: Resources) -> Tagger | None:
    """Open the tagger among some models; None where there is none, or no library to read with.

    Raises:
        FormatError: it is damaged, or its encoder is not there.
    """
    folder = next((one for one in resources.models.values() if (one / FILE).is_file()), None)
    if folder is None:
        return None
    encoder = resources.models.get(read_header(folder).encoder)
    if encoder is None:
        raise FormatError(folder / FILE, None, f"names an encoder that is not there: {AGAIN}")
    try:
        return open_tagger(folder, encoder)
    except MissingExtraError:
        return None


def open_tagger(folder: Path, encoder: Path) -> Tagger:
    """Open a tagger with the encoder that it was trained on.

    Raises:
        MissingExtraError: onnxruntime or tokenizers is not installed.
        LexsubError: one of them is not there, or damaged.
    """
    return Tagger(read_header(folder), _weights(folder), open_encoder(encoder))


read_header = header_reader(
    FILE, TaggerHeader, "tagger", 'make one with a model of kind "tagger"', AGAIN, sealed=False
)


@cached_open(2, AGAIN)
def _weights(folder: Path) -> Floats:
    path, tags = folder / WEIGHTS, len(read_header(folder).tags)
    try:
        weights: Any = np.load(path)
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is no array ({error}): {AGAIN}") from error
    if weights.ndim != 2 or weights.shape[1] != tags:
        problem = f"has shape {weights.shape}; expected {tags} columns: {AGAIN}"
        raise FormatError(path, None, problem)
    return np.asarray(weights, np.float32)
