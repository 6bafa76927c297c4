"""A sentence encoder as transformers saves it: its weights, and what its tokenizer knows.

They are ``model.safetensors`` with ``config.json`` and ``tokenizer.json``, of the kinds MPNet (Song
et al., 2020) and BERT (Devlin et al., 2019).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from unicodedata import category
from unicodedata import name as name_of

import numpy as np
from numpy.typing import NDArray

from lexsub.encoder import TOKENIZER
from lexsub.errors import FormatError, well_formed
from lexsub.storage.files import parse_json, read_text

Floats = NDArray[np.float32]

WEIGHTS = "model.safetensors"
CONFIG = "config.json"
FILES = (WEIGHTS, CONFIG, TOKENIZER)

FARTHEST = 200
"""Tokens apart; those farther apart count as these."""
POSITIONS = 100
"""That are kept: sentences are cut to ninety tokens. What stands later has the last one."""


def read_tokenizer(path: Path) -> tuple[list[int], int, list[int]]:
    """Return what of a tokenizer's tokens an encoder of English sentences has to know.

    Returns:
        The tokens that such a sentence has not (those with a letter that is not Latin, and those
        that nobody has named yet), the one that stands for the unknown, and those that begin and
        end a sentence, and the mask.

    Raises:
        FormatError: it is no tokenizer of word pieces, or lacks one of these.
    """
    with well_formed(path, "is no tokenizer of word pieces"):
        table = parse_json(read_text(path))
        ids: dict[str, int] = dict(table["model"]["vocab"])
        found = [
            place
            for token, place in ids.items()
            if token.startswith("[unused") or any(map(_foreign, token))
        ]
        unknown = ids[table["model"]["unk_token"]]
        special = {one["content"]: int(one["id"]) for one in table["added_tokens"]}
    for names in (("<s>", "</s>", "<mask>"), ("[CLS]", "[SEP]", "[MASK]")):
        if special.keys() >= set(names):
            return sorted(found), unknown, [special[name] for name in names]
    raise FormatError(path, None, "has neither <s>, </s>, <mask> nor [CLS], [SEP], [MASK]")


def _foreign(letter: str) -> bool:
    if not letter.isalpha():
        return category(letter).startswith("M")  # vowel signs and the like
    return not name_of(letter, "").startswith(("LATIN", "MODIFIER"))


@dataclass(frozen=True)
class Weights:
    """The weights of an MPNet or BERT.

    Attributes:
        path: their file.
        kind: ``mpnet`` or ``bert``.
        arrays: by name, without a prefix.
        size: numbers a state.
        heads: of attention.
        layers: there are.
        epsilon: of the layer norms.
    """

    path: Path
    kind: Literal["mpnet", "bert"]
    arrays: Mapping[str, Floats]
    size: int
    heads: int
    layers: int
    epsilon: float

    @property
    def first(self) -> int:
        """Position of the first token: MPNet's count begins behind its padding."""
        return 2 if self.kind == "mpnet" else 0

    @classmethod
    def read(cls, path: Path, config: Path) -> Weights:
        """Read weights as transformers saves them.

        Raises:
            FormatError: they are none, or of another kind.
        """
        with well_formed(config, "tells of no MPNet or BERT with gelu"):
            table = parse_json(read_text(config))
            kind, gate = table["model_type"], table.get("hidden_act", "gelu")
            if kind not in NAMES or gate != "gelu":
                raise ValueError(f"{kind} with {gate}")
            names = "hidden_size", "num_attention_heads", "num_hidden_layers"
            size, heads, layers = (int(table[name]) for name in names)
            epsilon = float(table["layer_norm_eps"])
        arrays = {name.removeprefix(f"{kind}."): array for name, array in _arrays(path).items()}
        return cls(path, kind, arrays, size, heads, layers, epsilon)

    def __getitem__(self, name: str) -> Floats:
        if name not in self.arrays:
            expected = f"as the {self.kind} that config.json tells of has"
            raise FormatError(self.path, None, f"holds no {name} of 32 bits, {expected}")
        return np.asarray(self.arrays[name], np.float32)

    def without(self, tokens: Sequence[int], unknown: int) -> Weights:
        """Return the same with all of some tokens read as the unknown one: they take no place."""
        place = "embeddings.word_embeddings.weight"
        words = self[place].copy()
        words[tokens] = words[unknown]
        return replace(self, arrays={**self.arrays, place: words})

    def linear(self, layer: int, name: str) -> tuple[Floats, Floats]:
        """Return (inputs, outputs) weights and (outputs,) biases of a layer's part."""
        weights, biases = self.norm(self.place(layer, name))
        return weights.T, biases

    def norm(self, place: str) -> tuple[Floats, Floats]:
        """Return scale and shift of a layer norm."""
        return self[f"{place}.weight"], self[f"{place}.bias"]

    def place(self, layer: int, name: str) -> str:
        """Return where a part of a layer stands."""
        return f"encoder.layer.{layer}.{NAMES[self.kind].get(name, name)}"

    def positions(self) -> Floats:
        """Return what each position adds to a word, (positions, size)."""
        table = self["embeddings.position_embeddings.weight"][:POSITIONS]
        if self.kind == "bert":
            table = table + self["embeddings.token_type_embeddings.weight"][0]
        return table

    def distances(self) -> Floats:
        """Return what a distance adds to attention, (heads, 2 FARTHEST + 1); 0 for BERT."""
        if self.kind == "bert":
            return np.zeros((self.heads, 2 * FARTHEST + 1), np.float32)
        table = self["encoder.relative_attention_bias.weight"]
        return np.ascontiguousarray(table[buckets(len(table))].T)


NAMES: Mapping[str, Mapping[str, str]] = {
    "mpnet": {
        "query": "attention.attn.q",
        "key": "attention.attn.k",
        "value": "attention.attn.v",
        "attended": "attention.attn.o",
        "norm": "attention.LayerNorm",
    },
    "bert": {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "attended": "attention.output.dense",
        "norm": "attention.output.LayerNorm",
    },
}
"""Where the parts of a layer stand; the others are named alike."""


def buckets(number: int, most: int = 128) -> NDArray[np.int64]:
    """Return the bucket of each distance from -FARTHEST to FARTHEST.

    Half of them are for words behind; near ones have one each, from a quarter on they widen with
    the logarithm (Raffel et al., 2020, section 2.1, as MPNet has it).
    """
    distance = np.arange(-FARTHEST, FARTHEST + 1)
    half, away = number // 2, np.abs(distance)
    exact = half // 2
    with np.errstate(divide="ignore"):
        ratio = np.log(away.astype(np.float32) / np.float32(exact)) / np.float32(
            math.log(most / exact)
        )
    wide = exact + np.where(away > 0, ratio * (half - exact), 0).astype(np.int64)
    return np.where(distance > 0, half, 0) + np.where(
        away < exact, away, np.minimum(wide, half - 1)
    )


def _arrays(path: Path) -> dict[str, Floats]:
    """Map the arrays of a safetensors file: a length, a table in JSON, then the numbers."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            table = json.loads(file.read(length))
        numbers = np.memmap(path, np.uint8, "r", 8 + length)
        found = {}
        for name, one in table.items():
            if name != "__metadata__" and one["dtype"] == "F32":
                begin, end = one["data_offsets"]
                found[name] = numbers[begin:end].view("<f4").reshape(one["shape"])
    except (ValueError, KeyError, TypeError, OverflowError, MemoryError) as error:
        raise FormatError(path, None, f"is no file of safetensors ({error})") from error
    return found
