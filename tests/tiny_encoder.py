"""An encoder of a few words with weights drawn by seed, as transformers would have saved it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.rankers.contextual.cutting import EncoderBuilder
from lexsub.resources import Resources

Kind = Literal["mpnet", "bert"]
Numbers = Literal["int8", "float32"]

SIZE, HEADS, LAYERS, INNER, POSITIONS = 16, 2, 3, 24, 64
SPECIAL = {"mpnet": ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"],
           "bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]}  # fmt: skip
WORDS = ["the", "wine", "was", "too", "strong", "to", "drink", ".", "powerful", "weak", "un",
         "##usual", "bright", "light", "boy", "a", "clever", "水", "[unused7]", "’"]  # fmt: skip


def write_weights(folder: Path, kind: Kind = "mpnet") -> Path:
    """Write the weights, their config and their tokenizer into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [*SPECIAL[kind], *WORDS]
    config = {
        "model_type": kind, "hidden_act": "gelu", "hidden_size": SIZE, "layer_norm_eps": 1e-5,
        "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    _write_safetensors(folder / "model.safetensors", _arrays(kind, len(words)))
    _write_tokenizer(folder / "tokenizer.json", kind, words)
    return folder


def write_encoder(
    folder: Path,
    kind: Kind = "mpnet",
    numbers: Numbers = "float32",
    kept: tuple[int, ...] = (0, 1, 2),
) -> Path:
    """Write weights, and the encoder cut from them, and return the latter's folder."""
    weights = write_weights(folder / "weights", kind)
    made = folder / "encoder"
    made.mkdir()
    EncoderBuilder(str(weights), 2, kept, numbers).build(Resources(), made)
    return made


def _arrays(kind: Kind, words: int) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(7)

    def linear(name: str, rows: int, columns: int) -> dict[str, tuple[int, ...]]:
        return {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}

    def norm(name: str) -> dict[str, tuple[int, ...]]:
        return {f"{name}.weight": (SIZE,), f"{name}.bias": (SIZE,)}

    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (words, SIZE),
        "embeddings.position_embeddings.weight": (POSITIONS, SIZE),
        **norm("embeddings.LayerNorm"),
    }
    if kind == "mpnet":
        shapes["encoder.relative_attention_bias.weight"] = (32, HEADS)
        parts = ["attn.q", "attn.k", "attn.v", "attn.o"]
    else:
        shapes["embeddings.token_type_embeddings.weight"] = (2, SIZE)
        parts = ["self.query", "self.key", "self.value", "output.dense"]
    for layer in range(LAYERS):
        place = f"encoder.layer.{layer}"
        for part in parts:
            shapes |= linear(f"{place}.attention.{part}", SIZE, SIZE)
        shapes |= norm(f"{place}.attention.{'' if kind == 'mpnet' else 'output.'}LayerNorm")
        shapes |= linear(f"{place}.intermediate.dense", INNER, SIZE)
        shapes |= linear(f"{place}.output.dense", SIZE, INNER)
        shapes |= norm(f"{place}.output.LayerNorm")
    found = {}
    for name, shape in shapes.items():
        drawn = random.normal(scale=0.6, size=shape).astype(np.float32)
        found[name] = drawn + 1 if name.endswith("LayerNorm.weight") else drawn
    return found


def _write_safetensors(path: Path, arrays: dict[str, NDArray[np.float32]]) -> None:
    table: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        offsets = [len(body), len(body) + array.nbytes]
        table[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        body += array.tobytes()
    header = json.dumps(table).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + body)


def _write_tokenizer(path: Path, kind: Kind, words: list[str]) -> None:
    import tokenizers

    made = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]")
    )
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(SPECIAL[kind])
    made.enable_truncation(5)
    made.save(str(path))
