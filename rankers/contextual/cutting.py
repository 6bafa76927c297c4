"""The first layers of a sentence encoder as a graph for packed passes (``encoder``).

It is written node by node: nothing is traced, and neither torch nor transformers is needed.

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

import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from lexsub.encoder import FILE, GRAPH, TOKENIZER, EncoderHeader
from lexsub.errors import FormatError, MissingResourceError, needing
from lexsub.parts.base import ModelBuilder
from lexsub.parts.limits import Natural, Positive
from lexsub.rankers.contextual.model_files import local_folder
from lexsub.rankers.contextual.saved_encoder import FARTHEST, FILES, Floats, Weights, read_tokenizer
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.storage.files import file_sha256, write_bytes, write_text

NEEDS = ("onnx", "cut", "cutting an encoder")
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
    layers: Positive = 4
    kept: Annotated[tuple[Natural, ...], MinLen(1)] = (0, 2, 3, 4)
    numbers: Literal["int8", "float32"] = "int8"
    sha256: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.kept) != sorted(set(self.kept)):
            raise ValueError("kept names layers from 0, rising")
        if self.kept[-1] > self.layers:
            raise ValueError(f"kept names layer {self.kept[-1]} of {self.layers}")

    extras = (("onnx", *NEEDS),)

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
        unread, unknown, (start, end, mask) = read_tokenizer(tokenizer)
        weights = weights.without(unread, unknown)
        graph = write_graph(weights, self.layers, self.kept, self.numbers)
        write_bytes(folder / GRAPH, graph)
        shutil.copyfile(tokenizer, folder / TOKENIZER)
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

    def number(self, number: int) -> str:
        return self.constant(np.int64(number))

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

    def norm(self, x: str, weights: Weights, place: str) -> str:
        scale, shift = map(self.constant, weights.norm(place))
        return self("LayerNormalization", x, scale, shift, axis=-1, epsilon=weights.epsilon)

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
    with needing(*NEEDS):
        import onnx
    g = _Graph(onnx, numbers == "int8")
    size, heads, width = weights.size, weights.heads, weights.size // weights.heads
    words = g.words(weights["embeddings.word_embeddings.weight"], "ids")
    table = weights.positions()
    within = [g.number(n) for n in (0, len(table) - 1)]
    places = g("Gather", g.constant(table), g("Clip", "positions", *within))
    x = g.norm(g("Add", words, places), weights, "embeddings.LayerNorm")
    bias = _attention_bias(g, weights)
    states, keys, values = [x], [], []
    for layer in range(layers):
        query, key, value = _split(g, x, weights, layer)
        keys.append(key)
        values.append(value)
        key, value = (
            g("Concat", g("Gather", before, g.number(layer)), own, axis=1)
            for before, own in (("keys", key), ("values", value))
        )
        scores = g("MatMul", query, g("Transpose", key, perm=[0, 2, 1]))
        shares = g("Softmax", g("Add", scores, bias), axis=-1)
        heard = g("Transpose", g("MatMul", shares, value), perm=[1, 0, 2])
        heard = g("Reshape", heard, g.numbers(-1, size))
        heard = g.linear(heard, weights.linear(layer, "attended"))
        x = g.norm(g("Add", heard, x), weights, weights.place(layer, "norm"))
        inner = g.gelu(g.linear(x, weights.linear(layer, "intermediate.dense")))
        outer = g.linear(inner, weights.linear(layer, "output.dense"))
        x = g.norm(g("Add", outer, x), weights, weights.place(layer, "output.LayerNorm"))
        states.append(x)
    zero = g.numbers(0)
    results = {"states": [states[one] for one in kept], "new_keys": keys, "new_values": values}
    for name, parts in results.items():
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
    far = [g.number(n) for n in (-FARTHEST, FARTHEST)]
    places = g("Add", g("Clip", apart, *far), far[1])
    bias = g("Gather", g.constant(weights.distances()), places, axis=1)
    return g("Where", "seen", bias, g.constant(np.float32(UNSEEN)))


def _split(g: _Graph, x: str, weights: Weights, layer: int) -> Sequence[str]:
    """Add queries, scaled as attention wants them, keys and values, each (heads, n, width)."""
    heads, width = weights.heads, weights.size // weights.heads
    query, key, value = (weights.linear(layer, name) for name in ("query", "key", "value"))
    root = np.float32(math.sqrt(width))
    matrix, bias = (
        np.concatenate([q / root, k, v], axis=-1) for q, k, v in zip(query, key, value, strict=True)
    )
    parts = g("Reshape", g.linear(x, (matrix, bias)), g.numbers(-1, 3, heads, width))
    parts = g("Transpose", parts, perm=[1, 2, 0, 3])
    return [g("Gather", parts, g.number(n)) for n in range(3)]
