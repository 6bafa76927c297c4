"""The first layers of a sentence encoder as a graph for packed passes (``encoder``).

The weights are those that transformers saves (``model.safetensors`` with ``config.json`` and
``tokenizer.json``), of the kinds MPNet (Song et al., 2020) and BERT (Devlin et al., 2019).  The
graph is written node by node: nothing is traced, and neither torch nor transformers is needed.

Inputs of the graph, of n tokens behind m earlier ones, L layers of h heads of d numbers each::

    ids        int64 (n)
    positions  int64 (n)
    seen       bool (n, m + n)      whom each token sees
    before     int64 (m)            positions of the earlier ones
    keys       float (L, h, m, d)   what the pass of the earlier ones gave
    values     float (L, h, m, d)

Outputs: states (layers kept, n, h d), and the keys and values of the n tokens.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from unicodedata import category
from unicodedata import name as name_of

import numpy as np
from numpy.typing import NDArray

from lexsub.encoder import FILE, GRAPH, TOKENIZER, EncoderHeader
from lexsub.errors import FormatError, MissingResourceError, needing
from lexsub.parts.base import ModelBuilder
from lexsub.rankers.contextual.model_files import local_folder
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.storage.files import file_sha256, parse_json, read_text, write_bytes, write_text

Floats = NDArray[np.float32]

WEIGHTS = "model.safetensors"
CONFIG = "config.json"
FILES = (WEIGHTS, CONFIG, TOKENIZER)

FARTHEST = 200
"""Tokens apart; those farther apart count as these."""
POSITIONS = 100
"""That are kept: sentences are cut to ninety tokens. What stands later has the last one."""
UNSEEN = -1e4
"""Added to the attention to what is not seen: e to that is 0, and it is no infinity."""
OPSET = 17


@dataclass(frozen=True)
class EncoderBuilder(ModelBuilder):
    """Cuts the first layers of a sentence encoder out, for packed passes.

    Attributes:
        weights: folder with ``model.safetensors``, ``config.json`` and ``tokenizer.json`` of an
            MPNet or BERT, or its name in ``[resources]``.
        layers: how many of its layers.
        kept: the layers whose states are given, rising; 0 is the embedding.
        numbers: ``int8``: a quarter of the size, twice as fast, and nearly the same states;
            ``float32``: as they are.
        sha256: of ``model.safetensors``, where other weights would make another model; "" for any.
    """

    weights: str
    layers: int = 4
    kept: tuple[int, ...] = (0, 2, 3, 4)
    numbers: Literal["int8", "float32"] = "int8"
    sha256: str = ""

    def __post_init__(self) -> None:
        rising = list(self.kept) == sorted(set(self.kept))
        if self.layers < 1 or not self.kept or not rising or self.kept[0] < 0:
            raise ValueError("layers must be at least 1; kept names layers from 0, rising")
        if self.kept[-1] > self.layers:
            raise ValueError(f"kept names layer {self.kept[-1]} of {self.layers}")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of the weights."""
        folder = local_folder(resources, self.weights) or Path(self.weights)
        for name in FILES:
            if not (folder / name).is_file():
                raise MissingResourceError(
                    f"{folder}: holds no {name}; expected {', '.join(FILES)} of an MPNet or BERT, "
                    "as transformers saves them"
                )
        return [folder / name for name in FILES]

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the graph, its header and the tokenizer.

        Raises:
            MissingExtraError: onnx is not installed.
            FormatError: the weights are no MPNet's or BERT's, or not the ones expected.
        """
        path, config, tokenizer = self.inputs(resources)
        digest = file_sha256(path)
        if self.sha256 not in ("", digest):
            raise FormatError(path, None, f"has the sha256 {digest}; expected {self.sha256}")
        weights = Weights.read(path, config)
        if self.layers > weights.layers:
            raise FormatError(config, None, f"tells of {weights.layers} layers, not {self.layers}")
        weights = weights.without(*unread(tokenizer))
        graph = write_graph(weights, self.layers, self.kept, self.numbers)
        write_bytes(folder / GRAPH, graph)
        shutil.copyfile(tokenizer, folder / TOKENIZER)
        start, end, mask = special_tokens(tokenizer)
        header = EncoderHeader(
            layers=self.layers,
            kept=self.kept,
            heads=weights.heads,
            width=weights.size // weights.heads,
            first=weights.first,
            start=start,
            end=end,
            mask=mask,
            numbers=self.numbers,
            weights=digest,
        )
        write_text(folder / FILE, header.model_dump_json(indent=1) + "\n")
        seal(folder)


def unread(path: Path) -> tuple[list[int], int]:
    """Return the tokens that an English sentence has not, and the one that stands for the unknown.

    Those are tokens with a letter that is not Latin, and those that nobody has named yet.

    Raises:
        FormatError: it is no tokenizer.
    """
    try:
        model = parse_json(read_text(path))["model"]
        ids: dict[str, int] = dict(model["vocab"])
        found = [
            place
            for token, place in ids.items()
            if token.startswith("[unused") or any(map(_foreign, token))
        ]
        return sorted(found), ids[model["unk_token"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(path, None, f"is no tokenizer of word pieces ({error})") from error


def _foreign(letter: str) -> bool:
    if not letter.isalpha():
        return category(letter).startswith("M")  # vowel signs and the like
    return not name_of(letter, "").startswith(("LATIN", "MODIFIER"))


def special_tokens(path: Path) -> tuple[int, int, int]:
    """Return the tokens that begin and end a sentence, and the mask.

    Raises:
        FormatError: it is no tokenizer with these.
    """
    try:
        table = parse_json(read_text(path))
        ids = {one["content"]: int(one["id"]) for one in table["added_tokens"]}
        for start, end, mask in (("<s>", "</s>", "<mask>"), ("[CLS]", "[SEP]", "[MASK]")):
            if {start, end, mask} <= ids.keys():
                return ids[start], ids[end], ids[mask]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(path, None, f"is no tokenizer ({error})") from error
    raise FormatError(path, None, "has neither <s>, </s>, <mask> nor [CLS], [SEP], [MASK]")


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
        try:
            table = parse_json(read_text(config))
            kind = table["model_type"]
            if kind not in ("mpnet", "bert") or table.get("hidden_act", "gelu") != "gelu":
                raise ValueError(f"{kind} with {table.get('hidden_act')}")
            sizes = (
                int(table[name])
                for name in ("hidden_size", "num_attention_heads", "num_hidden_layers")
            )
            size, heads, layers = sizes
            epsilon = float(table["layer_norm_eps"])
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(
                config, None, f"tells of no MPNet or BERT with gelu ({error})"
            ) from error
        arrays = {name.removeprefix(f"{kind}."): array for name, array in _arrays(path).items()}
        return cls(path, kind, arrays, size, heads, layers, epsilon)

    def __getitem__(self, name: str) -> Floats:
        if name not in self.arrays:
            problem = (
                f"holds no {name} of 32 bits, as the {self.kind} that config.json tells of has"
            )
            raise FormatError(self.path, None, problem)
        return np.asarray(self.arrays[name], np.float32)

    def without(self, tokens: Sequence[int], unknown: int) -> Weights:
        """Return the same with all of some tokens read as the unknown one: they take no place."""
        place = "embeddings.word_embeddings.weight"
        words = self[place].copy()
        words[tokens] = words[unknown]
        return replace(self, arrays={**self.arrays, place: words})

    def linear(self, layer: int, name: str) -> tuple[Floats, Floats]:
        """Return (inputs, outputs) weights and (outputs,) biases of a layer's part."""
        place = f"encoder.layer.{layer}.{NAMES[self.kind].get(name, name)}"
        return self[f"{place}.weight"].T, self[f"{place}.bias"]

    def norm(self, name: str) -> tuple[Floats, Floats]:
        """Return scale and shift of a layer norm."""
        return self[f"{name}.weight"], self[f"{name}.bias"]

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


@dataclass
class _Graph:
    """A graph that grows node by node; what a node gives is called by its number."""

    onnx: Any
    int8: bool
    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def __call__(self, kind: str, *inputs: str, given: Sequence[str] = (), **options: Any) -> str:
        """Add a node and return the name of its first output."""
        outputs = list(given) or [f"{kind}{len(self.nodes)}"]
        node = self.onnx.helper.make_node(kind, list(inputs), outputs, **options)
        self.nodes.append(node)
        return outputs[0]

    def constant(self, array: Any) -> str:
        """Add an array and return its name."""
        name = f"constant{len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def numbers(self, *numbers: int) -> str:
        return self.constant(np.array(numbers, np.int64))

    def linear(self, x: str, weights: tuple[Floats, Floats]) -> str:
        """Multiply by weights, and add biases; of int8 by what each column's greatest allows."""
        matrix, bias = weights
        if not self.int8:
            product = self("MatMul", x, self.constant(matrix))
        else:
            small, scales = _small(matrix, 0)
            parts = [f"{part}{len(self.nodes)}" for part in ("small", "scale", "zero")]
            self("DynamicQuantizeLinear", x, given=parts)
            whole = self("MatMulInteger", parts[0], self.constant(small), parts[2])
            scale = self("Mul", parts[1], self.constant(scales))
            product = self("Mul", self("Cast", whole, to=self.onnx.TensorProto.FLOAT), scale)
        return self("Add", product, self.constant(bias))

    def words(self, table: Floats, ids: str) -> str:
        """Look words up."""
        if not self.int8:
            return self("Gather", self.constant(table), ids)
        small, scales = _small(table, 1)
        rows = self("Gather", self.constant(small), ids)
        scale = self("Gather", self.constant(scales[:, None]), ids)
        return self("Mul", self("Cast", rows, to=self.onnx.TensorProto.FLOAT), scale)

    def norm(self, x: str, weights: tuple[Floats, Floats], epsilon: float) -> str:
        scale, shift = map(self.constant, weights)
        return self("LayerNormalization", x, scale, shift, axis=-1, epsilon=epsilon)

    def gelu(self, x: str) -> str:
        one, half, root = (self.constant(np.float32(n)) for n in (1, 0.5, math.sqrt(2)))
        share = self("Add", self("Erf", self("Div", x, root)), one)
        return self("Mul", self("Mul", x, share), half)


def _small(matrix: Floats, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """Return whole numbers from -63 to 63, and what each column (or row) of them is worth.

    Seven bits: processors that add two products in 16 bits would cut off what eight come to.
    """
    most = np.abs(matrix).max(axis=axis)
    scales = np.where(most > 0, most, 1).astype(np.float32) / np.float32(63)
    whole = np.rint(matrix / np.expand_dims(scales, axis))
    return whole.astype(np.int8), scales


def write_graph(
    weights: Weights, layers: int, kept: Sequence[int], numbers: Literal["int8", "float32"]
) -> bytes:
    """Return a graph; see the head of this file.

    Raises:
        MissingExtraError: onnx is not installed.
        FormatError: a weight is missing.
    """
    with needing("onnx", "cut", "cutting an encoder"):
        import onnx
    g = _Graph(onnx, numbers == "int8")
    size, heads, width = weights.size, weights.heads, weights.size // weights.heads
    words = g.words(weights["embeddings.word_embeddings.weight"], "ids")
    table = weights.positions()
    within = [g.constant(np.int64(n)) for n in (0, len(table) - 1)]
    places = g("Gather", g.constant(table), g("Clip", "positions", *within))
    x = g.norm(g("Add", words, places), weights.norm("embeddings.LayerNorm"), weights.epsilon)
    bias = _attention_bias(g, weights)
    states, keys, values = [x], [], []
    for layer in range(layers):
        query, key, value = _split(g, x, weights, layer)
        keys.append(key)
        values.append(value)
        key, value = (
            g("Concat", g("Gather", before, g.constant(np.int64(layer))), own, axis=1)
            for before, own in (("keys", key), ("values", value))
        )
        scores = g("MatMul", query, g("Transpose", key, perm=[0, 2, 1]))
        shares = g("Softmax", g("Add", scores, bias), axis=-1)
        heard = g("Transpose", g("MatMul", shares, value), perm=[1, 0, 2])
        heard = g.linear(
            g("Reshape", heard, g.numbers(-1, size)), weights.linear(layer, "attended")
        )
        place = f"encoder.layer.{layer}"
        norm = weights.norm(f"{place}.{NAMES[weights.kind]['norm']}")
        x = g.norm(g("Add", heard, x), norm, weights.epsilon)
        inner = g.gelu(g.linear(x, weights.linear(layer, "intermediate.dense")))
        outer = g.linear(inner, weights.linear(layer, "output.dense"))
        x = g.norm(g("Add", outer, x), weights.norm(f"{place}.output.LayerNorm"), weights.epsilon)
        states.append(x)
    zero = g.numbers(0)
    for name, parts in (
        ("states", [states[one] for one in kept]),
        ("new_keys", keys),
        ("new_values", values),
    ):
        g("Concat", *(g("Unsqueeze", one, zero) for one in parts), axis=0, given=[name])
    kinds, made = onnx.TensorProto, onnx.helper.make_tensor_value_info
    inputs = [
        made("ids", kinds.INT64, ["n"]),
        made("positions", kinds.INT64, ["n"]),
        made("seen", kinds.BOOL, ["n", "all"]),
        made("before", kinds.INT64, ["m"]),
        made("keys", kinds.FLOAT, [layers, heads, "m", width]),
        made("values", kinds.FLOAT, [layers, heads, "m", width]),
    ]
    outputs = [
        made("states", kinds.FLOAT, [len(kept), "n", size]),
        made("new_keys", kinds.FLOAT, [layers, heads, "n", width]),
        made("new_values", kinds.FLOAT, [layers, heads, "n", width]),
    ]
    graph = onnx.helper.make_graph(g.nodes, "encoder", inputs, outputs, g.constants)
    version = onnx.helper.make_opsetid("", OPSET)
    model = onnx.helper.make_model(
        graph, opset_imports=[version], ir_version=8, producer_name="lexsub"
    )
    found: bytes = model.SerializeToString(deterministic=True)
    return found


def _attention_bias(g: _Graph, weights: Weights) -> str:
    """Add what distance and mask add to attention, shape (heads, n, m + n)."""
    everything = g("Concat", "before", "positions", axis=0)
    apart = g(
        "Sub", g("Unsqueeze", everything, g.numbers(0)), g("Unsqueeze", "positions", g.numbers(1))
    )
    far = [g.constant(np.int64(n)) for n in (-FARTHEST, FARTHEST)]
    places = g("Add", g("Clip", apart, *far), far[1])
    bias = g("Gather", g.constant(weights.distances()), places, axis=1)
    return g("Where", "seen", bias, g.constant(np.float32(UNSEEN)))


def _split(g: _Graph, x: str, weights: Weights, layer: int) -> tuple[str, str, str]:
    """Add queries, scaled as attention wants them, keys and values, each (heads, n, width)."""
    heads, width = weights.heads, weights.size // weights.heads
    query, key, value = (weights.linear(layer, name) for name in ("query", "key", "value"))
    query = (query[0] / np.float32(math.sqrt(width)), query[1] / np.float32(math.sqrt(width)))
    three = [np.concatenate(both, axis=-1) for both in zip(query, key, value, strict=True)]
    parts = g("Reshape", g.linear(x, (three[0], three[1])), g.numbers(-1, 3, heads, width))
    parts = g("Transpose", parts, perm=[1, 2, 0, 3])
    query_, key_, value_ = (g("Gather", parts, g.constant(np.int64(n))) for n in range(3))
    return query_, key_, value_
