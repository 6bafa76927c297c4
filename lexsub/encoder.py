"""A sentence encoder that reads a sentence once, and then any words in its target's place.

In a packed pass words stand one behind the other as slots: each has the position of the target,
sees the sentence without the target, and itself.  The sentence sees no slot, so that its keys and
values serve all slots that are filled later.  A state is the same, up to rounding, as that of the
word alone in the target's place under the same mask.

A folder of such an encoder holds::

    encoder.json      what it is made of, and the tokens it begins and ends a sentence with
    encoder.onnx      the graph; ``lexsub.rankers.contextual.cutting`` says its inputs
    tokenizer.json    of Hugging Face's tokenizers
    digests.json      of these files
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import FormatError, needing
from lexsub.storage.digests import cached_open
from lexsub.storage.headers import Closed, header_reader
from lexsub.storage.memory import BoundedCache

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

FILE = "encoder.json"
GRAPH = "encoder.onnx"
TOKENIZER = "tokenizer.json"
AGAIN = "make the encoder again"
NEEDS = ("onnx", "a sentence encoder")
EXTRAS = tuple((library, library, *NEEDS) for library in ("onnxruntime", "tokenizers"))
"""What its work imports; see :func:`lexsub.errors.look_for`."""

WINDOW = 12
"""Words kept on either side of the target."""
SIDE = 40
"""Tokens kept on either side: words may have many."""
SLOT = 8
"""Tokens kept of a word in a slot."""
PASSES = 8
"""Sentences that stay read: several targets of one, or a target asked about more than once."""


class EncoderHeader(Closed):
    """``encoder.json``.

    Attributes:
        layers: of the encoder.
        kept: layers whose states are given, rising; 0 is the embedding.
        heads: of attention.
        width: numbers a head.
        first: position of the first token.
        start: token before a sentence.
        end: token behind it.
        mask: token that stands for no word in particular.
        numbers: how weights are kept.
        weights: SHA-256 of the weights that it was cut from.
    """

    format: Literal["lexsub-encoder"] = "lexsub-encoder"
    version: Literal[1] = 1
    layers: int
    kept: tuple[int, ...]
    heads: int
    width: int
    first: int
    start: int
    end: int
    mask: int
    numbers: Literal["int8", "float32"]
    weights: str


@dataclass(frozen=True)
class Read:
    """A sentence that was read: what slots are filled into.

    Attributes:
        sentence: states of its tokens, shape (layers kept, tokens, dimensions).
        target: (first, last + 1) token of the target.
        mask: states of the mask in the target's place, shape (layers kept, dimensions).
        word: the same of the target itself, mean of its tokens.
        keys: what slots look at, shape (layers, heads, tokens, width).
        values: what they see there, of the same shape.
        positions: of the sentence's tokens, shape (tokens,).
    """

    sentence: Floats
    target: tuple[int, int]
    mask: Floats
    word: Floats
    keys: Floats
    values: Floats
    positions: Ids

    @property
    def context(self) -> NDArray[np.bool_]:
        """Which tokens slots see: all but the target's."""
        seen = np.ones(len(self.positions), dtype=bool)
        seen[slice(*self.target)] = False
        return seen


@dataclass
class Encoder:
    """An opened encoder.

    Attributes:
        header: what it says of itself.
        opening: gives onnxruntime's session, once the graph is read.
        tokenizer: of tokenizers.
    """

    header: EncoderHeader
    opening: Future[Any]
    tokenizer: Any
    _read: BoundedCache[tuple[str, str, str], Read] = field(
        default_factory=lambda: BoundedCache(PASSES)
    )
    _tokens: BoundedCache[str, tuple[int, ...]] = field(default_factory=BoundedCache)

    def read(self, text: str, start: int, end: int) -> Read:
        """Read a sentence, and the mask and the target in the target's place.

        Args:
            text: the sentence.
            start: offset of the target's first character.
            end: offset behind its last.
        """
        left = " ".join(text[:start].split()[-WINDOW:])
        right = " ".join(text[end:].split()[:WINDOW])
        key = (left, text[start:end], right)
        return self._read.once(key, lambda: self._passed(*key))

    def fill(self, read: Read, words: Sequence[str]) -> Floats:
        """Return the states of words in the target's place, mean of the tokens of each.

        Returns:
            Shape (layers kept, words, dimensions).
        """
        if not words:
            return np.zeros((len(self.header.kept), 0, read.word.shape[-1]), np.float32)
        slots = [self.tokens(word) for word in words]
        place = int(read.positions[read.target[0]])
        ids, positions, own = _slots(slots, [place] * len(slots))
        seen = np.concatenate([np.tile(read.context, (len(ids), 1)), own], axis=1)
        states = self._run(ids, positions, seen, (read.positions, read.keys, read.values))[0]
        return _means(states, slots)

    def words(self, text: str, spans: Sequence[tuple[int, int]]) -> tuple[Floats, Floats]:
        """Read a sentence whole, and each of some words of it and the mask in the word's place.

        Args:
            text: the sentence.
            spans: offsets of each word's first character and of the one behind its last, rising.

        Returns:
            States of the words and of the masks, each of shape (layers kept, words, dimensions).
        """
        header, at = self.header, 0
        sentence: list[int] = [header.start]
        slots: list[Sequence[int]] = []
        places: list[int] = []
        for start, end in spans:
            sentence += self._ids(text[at:start].strip())
            word = self.tokens(text[start:end])
            slots += [word, (header.mask,)]
            places += [len(sentence)] * 2
            sentence += word
            at = end
        sentence += [*self._ids(text[at:].strip()), header.end]
        length = len(sentence)
        positions = np.arange(header.first, header.first + length, dtype=np.int64)
        every = np.ones((length, length), dtype=bool)
        _, keys, values = self._run(np.array(sentence, np.int64), positions, every)
        ids, where, own = _slots(slots, [header.first + place for place in places])
        context = np.ones((len(slots), length), dtype=bool)
        for number, place in enumerate(places):
            context[number, place : place + len(slots[number - number % 2])] = False
        context = np.repeat(context, [len(slot) for slot in slots], axis=0)
        seen = np.concatenate([context, own], axis=1)
        states = self._run(ids, where, seen, (positions, keys, values))[0]
        means = _means(states, slots)
        return means[:, 0::2], means[:, 1::2]

    def tokens(self, word: str) -> tuple[int, ...]:
        """Return the tokens of a word in a slot; the mask for what the tokenizer drops."""
        return self._tokens.once(word, lambda: self._ids(word)[:SLOT] or (self.header.mask,))

    def _ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.encode(text, add_special_tokens=False).ids) if text else ()

    def _passed(self, left: str, word: str, right: str) -> Read:
        header, target = self.header, self.tokens(word)
        before, behind = self._ids(left)[-SIDE:], self._ids(right)[:SIDE]
        sentence = [header.start, *before, *target, *behind, header.end]
        length, place = len(sentence), 1 + len(before)
        span = place, place + len(target)
        positions = np.arange(header.first, header.first + length, dtype=np.int64)
        slots = [(header.mask,), target]
        ids, places, own = _slots(slots, [header.first + place] * 2)
        seen = np.zeros((length + len(ids), length + len(ids)), dtype=bool)
        seen[:, :length] = True
        seen[length:, slice(*span)] = False
        seen[length:, length:] = own
        states, keys, values = self._run(
            np.concatenate([sentence, ids]), np.concatenate([positions, places]), seen
        )
        mask, again = np.moveaxis(_means(states[:, length:], slots), 1, 0)
        sides = keys[:, :, :length], values[:, :, :length]
        return Read(states[:, :length], span, mask, again, *sides, positions)

    def _run(
        self,
        ids: Ids,
        positions: Ids,
        seen: NDArray[np.bool_],
        read: tuple[Ids, Floats, Floats] | None = None,
    ) -> tuple[Floats, Floats, Floats]:
        """Return states, keys and values of some tokens behind those that were read, or none."""
        header = self.header
        nothing = np.zeros((header.layers, header.heads, 0, header.width), np.float32)
        before, keys, values = read or (np.zeros(0, np.int64), nothing, nothing)
        given = {"ids": ids, "positions": positions, "seen": seen,
                 "before": before, "keys": keys, "values": values}  # fmt: skip
        states, new_keys, new_values = self.opening.result().run(None, given)
        return states, new_keys, new_values


def _slots(
    slots: Sequence[Sequence[int]], places: Sequence[int]
) -> tuple[Ids, Ids, NDArray[np.bool_]]:
    """Return ids and positions of the slots' tokens, and which of these see one another."""
    ids = np.array([token for slot in slots for token in slot], np.int64)
    each = zip(slots, places, strict=True)
    positions = np.concatenate([np.arange(place, place + len(slot)) for slot, place in each])
    number = np.repeat(np.arange(len(slots)), [len(slot) for slot in slots])
    return ids, positions.astype(np.int64), number[:, None] == number[None]


def _means(states: Floats, slots: Sequence[Sequence[int]]) -> Floats:
    """Return the mean state of each slot, shape (layers, slots, dimensions)."""
    sizes = np.array([len(slot) for slot in slots])
    starts = np.cumsum(sizes) - sizes
    sums = states[:, starts]
    # Token by token: most words have one or two, for which np.add.reduceat takes ten times as long.
    for place in range(1, int(sizes.max(initial=0))):
        longer = np.flatnonzero(sizes > place)
        sums[:, longer] += states[:, starts[longer] + place]
    return np.asarray(sums / sizes[:, None], np.float32)


def unit(vectors: Floats) -> Floats:
    """Return vectors of length 1 (or 0), along the last axis."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = vectors / np.maximum(lengths, 1e-9)
    return scaled


read_header = header_reader(
    FILE, EncoderHeader, "encoder", 'make one with a model of kind "encoder"', AGAIN, sealed=False
)


def open_encoder(folder: Path) -> Encoder:
    """Open an encoder; it works on one thread.

    Raises:
        MissingExtraError: onnxruntime or tokenizers is not installed.
        LexsubError: there is none, or it is damaged.
    """
    encoder = begin_encoder(folder)
    encoder.opening.result()
    return encoder


@cached_open(2, AGAIN)
def begin_encoder(folder: Path) -> Encoder:
    """Open an encoder whose graph is still being read, on a thread of its own.

    That takes as long as much else of a model, and onnxruntime leaves Python alone meanwhile.

    Raises:
        MissingExtraError: onnxruntime or tokenizers is not installed.
        LexsubError: there is none, or it is damaged; but of the graph :func:`open_encoder` says so.
    """
    header = read_header(folder)
    with needing("onnxruntime", *NEEDS):
        import onnxruntime  # noqa: F401  # here, not beside other imports
    beside = ThreadPoolExecutor(1)
    opening = beside.submit(_session, folder / GRAPH)
    beside.shutdown(wait=False)
    tokenizer = open_tokenizer(folder / TOKENIZER, f": {AGAIN}")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Encoder(header, opening, tokenizer)


def open_tokenizer(path: Path, way_out: str = "") -> Any:
    """Open a file of tokenizers; the way out is for one that is damaged.

    Raises:
        MissingExtraError: tokenizers is not installed.
        FormatError: it is no tokenizer.
    """
    with needing("tokenizers", *NEEDS):
        from tokenizers import Tokenizer
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:
        raise FormatError(path, None, f"is no tokenizer ({error}){way_out}") from error


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # What is left out is for pictures: the same bits, opened in half the time.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    return open_graph(path, options, "CPUExecutionProvider", f": {AGAIN}")


def open_graph(path: Path, options: Any, provider: str, way_out: str = "") -> Any:
    """Open a graph by onnxruntime, which is silent; the way out is for one that is damaged.

    Raises:
        FormatError: it is none.
    """
    from onnxruntime import InferenceSession

    options.log_severity_level = 3
    try:
        return InferenceSession(str(path), options, providers=[provider])
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise FormatError(path, None, f"onnxruntime cannot open it ({reason}){way_out}") from error
