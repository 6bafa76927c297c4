"""Packed passes: every state against a forward pass in numpy of that word alone."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lexsub.encoder import GRAPH, Encoder, begin_encoder, open_encoder, unit
from lexsub.errors import FormatError, MissingResourceError
from lexsub.rankers.contextual.cutting import EncoderBuilder
from lexsub.rankers.contextual.saved_encoder import Weights
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from tests.tiny_encoder import SPECIAL, WORDS, Kind, write_encoder, write_weights

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

Floats = NDArray[np.float64]
TEXT = "The wine was too strong to drink ."
START, END = 17, 23
SUBSTITUTES = ["powerful", "unusual", "weak", "strong", "not known", "unusual wine"]


def ids(kind: Kind, *words: str) -> list[int]:
    return [[*SPECIAL[kind], *WORDS].index(word) for word in words]


def softmax(rows: Floats) -> Floats:
    shifted = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def normed(x: Floats, weights: Weights, name: str) -> Floats:
    scale, shift = weights.norm(name)
    centred = x - x.mean(-1, keepdims=True)
    return np.asarray(
        centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale + shift
    )


def bucket(distance: int) -> int:
    """T5's buckets, one distance at a time, in whole numbers but for the logarithm."""
    away = abs(distance)
    near = away if away < 8 else min(15, 8 + int(math.log(away / 8) / math.log(16) * 8))
    return near + (16 if distance > 0 else 0)


def forward(
    weights: Weights, tokens: Sequence[int], positions: Sequence[int], seen: NDArray[np.bool_]
) -> list[Floats]:
    """The states after the embedding and after each of two layers, one head at a time."""
    table = weights["embeddings.word_embeddings.weight"]
    places = weights["embeddings.position_embeddings.weight"][list(positions)].astype(float)
    if weights.kind == "bert":
        places = places + weights["embeddings.token_type_embeddings.weight"][0]
    x = normed(table[list(tokens)] + places, weights, "embeddings.LayerNorm")
    states = [x]
    for layer in range(2):
        q, k, v = (x @ w + b for w, b in (weights.linear(layer, name)
                   for name in ("query", "key", "value")))  # fmt: skip
        heard = []
        for head in range(weights.heads):
            cut = slice(head * 8, head * 8 + 8)
            scores = q[:, cut] @ k[:, cut].T / math.sqrt(8)
            if weights.kind == "mpnet":
                bias = weights["encoder.relative_attention_bias.weight"][:, head]
                scores = scores + [[bias[bucket(b - a)] for b in positions] for a in positions]
            heard.append(softmax(np.where(seen, scores, -np.inf)) @ v[:, cut])
        w, b = weights.linear(layer, "attended")
        name = "attention" if weights.kind == "mpnet" else "attention.output"
        place = f"encoder.layer.{layer}"
        x = normed(np.concatenate(heard, 1) @ w + b + x, weights, f"{place}.{name}.LayerNorm")
        w, b = weights.linear(layer, "intermediate.dense")
        inner = x @ w + b
        inner = inner * 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        w, b = weights.linear(layer, "output.dense")
        x = normed(inner @ w + b + x, weights, f"{place}.output.LayerNorm")
        states.append(x)
    return states


def alone(weights: Weights, kind: Kind, word: Sequence[int]) -> Floats:
    """The mean states of one word in the target's place, nothing else packed beside it."""
    first, _, last = SPECIAL[kind][0 if kind == "mpnet" else 2], "", "</s>"
    last = last if kind == "mpnet" else "[SEP]"
    sentence = ids(kind, first, "the", "wine", "was", "too", "strong", "to", "drink", ".", last)
    tokens = [*sentence, *word]
    places = [*range(len(sentence)), *range(5, 5 + len(word))]
    seen = np.ones((len(tokens), len(tokens)), bool)
    seen[:10, 10:] = False
    seen[10:, 5] = False
    states = forward(weights, tokens, [weights.first + p for p in places], seen)
    return np.stack([one[10:].mean(0) for one in states])


def opened(folder: Path, kind: Kind) -> tuple[Encoder, Weights]:
    weights = folder / "weights"
    return (
        open_encoder(folder / "encoder"),
        Weights.read(weights / "model.safetensors", weights / "config.json"),
    )


@pytest.mark.parametrize("kind", ["mpnet", "bert"])
def test_packed_states_are_those_of_each_word_alone(tmp_path: Path, kind: Kind) -> None:
    write_encoder(tmp_path, kind)
    encoder, weights = opened(tmp_path, kind)
    read = encoder.read(TEXT, START, END)
    states = encoder.fill(read, SUBSTITUTES)
    unknown = ids(kind, "[UNK]")
    slots = [ids(kind, "powerful"), ids(kind, "un", "##usual"), ids(kind, "weak"),
             ids(kind, "strong"), unknown * 2, ids(kind, "un", "##usual", "wine")]  # fmt: skip
    for number, slot in enumerate(slots):
        np.testing.assert_allclose(states[:, number], alone(weights, kind, slot), atol=2e-5)
    np.testing.assert_allclose(read.word, alone(weights, kind, ids(kind, "strong")), atol=2e-5)
    mask = ids(kind, "<mask>" if kind == "mpnet" else "[MASK]")
    np.testing.assert_allclose(read.mask, alone(weights, kind, mask), atol=2e-5)
    assert read.target == (5, 6)
    assert read.sentence.shape == (3, 10, 16)


def test_letters_of_other_scripts_are_read_as_unknown(tmp_path: Path) -> None:
    encoder = open_encoder(write_encoder(tmp_path))
    read = encoder.read(TEXT, START, END)
    water, unknown, quote = (encoder.fill(read, [one]) for one in ("水", "nowhere", "’"))
    assert encoder.tokens("水") != encoder.tokens("nowhere")
    np.testing.assert_array_equal(water, unknown)
    assert not np.array_equal(quote, unknown)


def test_small_numbers_give_nearly_the_same_states(tmp_path: Path) -> None:
    write_encoder(tmp_path, numbers="int8")
    encoder, weights = opened(tmp_path, "mpnet")
    states = encoder.fill(encoder.read(TEXT, START, END), ["powerful", "weak"])
    for number, word in enumerate(("powerful", "weak")):
        expected = alone(weights, "mpnet", ids("mpnet", word))
        cosines = (unit(states[:, number]) * unit(expected.astype(np.float32))).sum(-1)
        assert cosines.min() > 0.995


def test_what_stands_in_other_slots_changes_no_state(tmp_path: Path) -> None:
    encoder = open_encoder(write_encoder(tmp_path))
    read = encoder.read(TEXT, START, END)
    both = encoder.fill(read, ["weak", "unusual"])
    np.testing.assert_allclose(both[:, :1], encoder.fill(read, ["weak"]), atol=1e-5)
    assert encoder.fill(read, []).shape == (3, 0, 16)
    # Read once: the same object comes again.
    assert encoder.read(TEXT, START, END) is read


def test_what_was_begun_is_what_is_opened(tmp_path: Path) -> None:
    folder = write_encoder(tmp_path)
    seal(folder)
    begun = begin_encoder(folder)
    assert open_encoder(folder) is begun
    assert begun.opening.done()


def test_only_near_words_and_so_many_tokens_are_read(tmp_path: Path) -> None:
    encoder = open_encoder(write_encoder(tmp_path))
    far = "weak " * 5 + "the " * 12
    text = far + "strong" + " to" * 30
    read = encoder.read(text, len(far), len(far) + 6)
    assert len(read.positions) == 1 + 12 + 1 + 12 + 1
    assert len(encoder.tokens("un" * 50 + " " + "wine " * 20)) == 8
    # What the tokenizer drops stands as a mask.
    assert list(encoder.tokens(" ")) == ids("mpnet", "<mask>")


def test_a_changed_byte_is_refused(tmp_path: Path) -> None:
    folder = write_encoder(tmp_path)
    graph = bytearray((folder / GRAPH).read_bytes())
    graph[len(graph) // 2] ^= 1
    (folder / GRAPH).write_bytes(graph)
    with pytest.raises(FormatError, match=r"encoder\.onnx.*is damaged"):
        open_encoder(folder)
    (folder / "digests.json").unlink()
    (folder / GRAPH).write_bytes(graph[: len(graph) // 2])
    with pytest.raises(FormatError, match=r"encoder\.onnx.*onnxruntime cannot open it"):
        open_encoder(folder)


def test_the_same_weights_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = (write_encoder(tmp_path / name, numbers="int8") for name in "ab")
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()


def test_what_is_no_encoder_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()

    def built(folder: Path, **options: object) -> None:
        EncoderBuilder(str(folder), **options).build(Resources(), out)  # type: ignore[arg-type]

    with pytest.raises(MissingResourceError, match=r"holds no model\.safetensors"):
        built(tmp_path / "nowhere")
    weights = write_weights(tmp_path / "weights")
    with pytest.raises(FormatError, match=r"has the sha256 [0-9a-f]{64}; expected 00"):
        built(weights, sha256="00")
    with pytest.raises(FormatError, match="tells of 3 layers, not 4"):
        built(weights)
    path = weights / "model.safetensors"
    whole = path.read_bytes()
    for damaged in (b"", whole[:100], whole[: len(whole) - 50]):
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"is no file of safetensors"):
            built(weights, layers=2, kept=(0, 2))
    path.write_bytes(whole.replace(b"word_embeddings", b"word_embeddingz"))
    with pytest.raises(FormatError, match=r"holds no embeddings\.word_embeddings\.weight"):
        built(weights, layers=2, kept=(0, 2))
    config = json.loads((weights / "config.json").read_text())
    (weights / "config.json").write_text(json.dumps(config | {"model_type": "gpt2"}))
    with pytest.raises(FormatError, match=r"tells of no MPNet or BERT with gelu"):
        built(weights)
    assert not any(out.iterdir())


@pytest.mark.parametrize(
    "options", [{"kept": ()}, {"kept": (2, 0)}, {"layers": 0}, {"kept": (0, 5)}, {"kept": (-1, 2)}]
)
def test_layers_that_there_are_not(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"layer|kept"):
        EncoderBuilder("x", **options)  # type: ignore[arg-type]
