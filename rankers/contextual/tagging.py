"""Training of a tagger on a treebank: the model kind ``tagger``."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexsub.encoder import EXTRAS, WINDOW, Encoder, open_encoder
from lexsub.errors import FormatError, LexsubError
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import AboveZero, Positive, Seed
from lexsub.progress import track
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.storage.files import file_sha256, read_text, write_text
from lexsub.tagger import FILE, WEIGHTS, TaggerHeader, seen

Floats = NDArray[np.float32]

_TAGS = "NN NNS VB VBP VBD VBN VBG VBZ JJ JJR JJS RB RBR RBS NAME OTHER"
TAGS = tuple(_TAGS.split())
"""Penn's of words that have a meaning of their own, names, and all the rest."""

_BASES = {"NOUN": "NN", "VERB": "VB", "ADJ": "JJ", "ADV": "RB"}
_REST = 0.25
"""Share of the function words that is learned from: they are many and easy."""
_BATCH = 64
_DECAY = 1e-4


class Word(NamedTuple):
    """A word of a treebank.

    Attributes:
        start: offset of its first character in the sentence.
        end: offset behind its last.
        tag: one of ``TAGS``.
    """

    start: int
    end: int
    tag: str


@dataclass(frozen=True)
class TaggerBuilder(ModelBuilder):
    """Learns Penn tags from a treebank, as a linear map of the states of an encoder.

    Of whole sentences that the encoder sees whole, every content word and some of the rest is
    learned from, by logistic regression (AdamW); it runs on one thread.

    Attributes:
        treebank: a file in CoNLL-U with Universal Dependencies' and Penn's tags, or its name in
            ``[resources]``.
        encoder: model of kind ``encoder``, by its name in ``[models]``.
        words: how many to learn from.
        epochs: passes over them.
        rate: learning rate at the beginning; it falls to 0.
        seed: of what is drawn.
        sha256: of the treebank, where another one would make another tagger; "" for any.
    """

    treebank: str
    encoder: str = "encoder"
    words: Positive = 16_000
    epochs: Positive = 5
    rate: AboveZero = 0.02
    seed: Seed = 0
    sha256: str = ""

    extras = EXTRAS

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the treebank and the encoder.

        Raises:
            MissingResourceError: one of them is not there.
        """
        way = "name a file in CoNLL-U under [resources]"
        treebank = resources.file(self.treebank, f"treebank {self.treebank!r} is not there", way)
        return [treebank, resources.model(self.encoder, "encoder")]

    def build(self, resources: Resources, folder: Path) -> None:
        """Train into a folder.

        Raises:
            MissingExtraError: onnxruntime or tokenizers is not installed.
            LexsubError: the treebank is not the one expected, or none.
        """
        treebank, place = self.inputs(resources)
        digest = file_sha256(treebank)
        if self.sha256 not in ("", digest):
            raise FormatError(treebank, None, f"has the sha256 {digest}; expected {self.sha256}")
        states, tags = self._drawn(treebank, open_encoder(place))
        weights = fitted(states, tags, self.epochs, self.rate, self.seed)
        np.save(folder / WEIGHTS, weights.astype(np.float16))
        header = TaggerHeader(encoder=self.encoder, tags=TAGS, words=len(tags))
        write_text(folder / FILE, header.model_dump_json(indent=1) + "\n")
        seal(folder)

    def _drawn(self, treebank: Path, encoder: Encoder) -> tuple[Floats, NDArray[np.int64]]:
        """Return what is seen of the words to learn from, and the numbers of their tags."""
        rng = random.Random(self.seed)
        sizes = range(4, 2 * WINDOW + 2)
        whole = [one for one in sentences(treebank) if len(one[0].split()) in sizes]
        rng.shuffle(whole)
        states: list[Floats] = []
        tags: list[int] = []
        for text, words in track(whole, "sentences read"):
            few = [one for one in words if one.tag != "OTHER" or rng.random() < _REST]
            if few:
                read = encoder.words(text, [(one.start, one.end) for one in few])
                states.append(seen(*read))
                tags += [TAGS.index(one.tag) for one in few]
            if len(tags) >= self.words:
                break
        if not tags:
            raise LexsubError(f"{treebank}: no sentence of it is short enough to learn from")
        return np.concatenate(states), np.array(tags)


def sentences(path: Path) -> Iterator[tuple[str, list[Word]]]:
    """Yield the sentences of a treebank with their words, those written as one left out.

    Raises:
        FormatError: it is no CoNLL-U; names the line.
    """
    text, at, joined, words = "", 0, 0, list[Word]()
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.startswith("# text = "):
            text = line[9:]
        elif not line:
            if words:
                yield text, words
            text, at, joined, words = "", 0, 0, []
        elif line[0] != "#":
            fields = line.split("\t")
            if len(fields) != 10 or not fields[0][:1].isdigit():
                expected = "expected a word's ten fields, parted by tabs (CoNLL-U)"
                raise FormatError(path, number, f"{line[:40]!r}; {expected}")
            place, form = fields[:2]
            _, _, last = place.partition("-")
            if "." in place or (not last and int(place) <= joined):
                continue  # an empty node, or a part of a word
            start = text.find(form, at)
            if start < 0:
                raise FormatError(path, number, f"{form!r} is not in the sentence's # text line")
            at = start + len(form)
            if last:
                joined = int(last)
            elif any(map(str.isalpha, form)):
                words.append(Word(start, at, _tag(fields[3], fields[4])))


def _tag(universal: str, penn: str) -> str:
    if universal == "PROPN":
        return "NAME"
    base = _BASES.get(universal)
    if base is None:
        return "OTHER"
    return penn if penn in TAGS and penn.startswith(base) else base


def fitted(states: Floats, tags: NDArray[np.int64], epochs: int, rate: float, seed: int) -> Floats:
    """Return the weights of a multinomial logistic regression, the last row added.

    Loshchilov and Hutter (2019), "Decoupled weight decay regularization", with a rate that falls
    to 0.

    Args:
        states: of shape (words, dimensions).
        tags: numbers of their tags, shape (words,).
        epochs: passes over them.
        rate: learning rate at the beginning.
        seed: of their order.
    """
    from threadpoolctl import threadpool_limits

    rng = np.random.default_rng(seed)
    given = np.concatenate([states, np.ones((len(states), 1), np.float32)], axis=1)
    weights = np.zeros((given.shape[1], len(TAGS)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    steps = epochs * -(-len(given) // _BATCH)
    with threadpool_limits(1):
        for step, some in enumerate(islice(_batches(rng, len(given)), steps), start=1):
            logits = given[some] @ weights
            errors = np.exp(logits - logits.max(axis=1, keepdims=True))
            errors /= errors.sum(axis=1, keepdims=True)
            errors[np.arange(len(some)), tags[some]] -= 1
            slope = given[some].T @ (errors / len(some))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            change = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            change[:-1] += _DECAY * weights[:-1]
            weights -= rate * (1 - step / (steps + 1)) * change
    return weights


def _batches(rng: np.random.Generator, count: int) -> Iterator[NDArray[Any]]:
    while True:
        order = rng.permutation(count)
        yield from (order[at : at + _BATCH] for at in range(0, count, _BATCH))
