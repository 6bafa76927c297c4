"""Sentence encoders in ONNX, texts to vectors, and the ranker ``sentence-encoder``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.encoder import EXTRAS, NEEDS, TOKENIZER, open_graph, open_tokenizer
from lexsub.errors import FormatError, LexsubError, MissingResourceError, needing
from lexsub.parts.base import Explained, Ranker
from lexsub.parts.limits import Batch, Natural
from lexsub.rankers.contextual.model_files import OverModel, from_hub, local_folder
from lexsub.rankers.explained import JointScorer
from lexsub.rankers.filling import Filled, fill_all, original
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.files import parse_json, read_text

Pooling = Literal["auto", "mean", "cls"]
Device = Literal["cpu", "cuda"]

MODEL_PLACES = ("model.onnx", "onnx/model.onnx")
POOLING = "1_Pooling/config.json"
LONGEST = 512
"""Tokens of a text; what is beyond is cut off."""


class Encoder:
    """An opened encoder.

    The model's inputs are ``input_ids`` and, where it has them, ``attention_mask`` and
    ``token_type_ids``; its first output is (texts, tokens, dimensions), or (texts,
    dimensions) where it pools by itself.
    """

    def __init__(self, folder: Path, pooling: Pooling, device: Device, batch: int, threads: int):
        self.folder, self.batch = folder, batch
        self._pooling = _pooling(folder) if pooling == "auto" else pooling
        self._tokenizer = _tokenizer(folder)
        self._session = _session(_model(folder), device, threads)
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        unknown = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            expected = "a sentence encoder, with input_ids, attention_mask and token_type_ids"
            problem = f"wants inputs {', '.join(sorted(unknown))}; expected {expected}"
            raise FormatError(_model(folder), None, problem)

    def sentences(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of whole texts, shape (texts, dimensions), length 1."""
        return _unit(np.concatenate([self._pooled(*run) for run in self._runs(texts)]))

    def both(self, places: Sequence[Filled]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the vectors of sentences and of the words in them, from one look at each.

        A word's is the mean of the output over its tokens.

        Raises:
            LexsubError: the model gives whole texts only.
        """
        sentences: list[NDArray[np.float32]] = []
        words: list[NDArray[np.float32]] = []
        for encoded, output in self._runs([place.text for place in places]):
            sentences.append(self._pooled(encoded, output))
            words += self._words(places[len(words) :], encoded, output)
        return _unit(np.concatenate(sentences)), _unit(np.stack(words))

    def _runs(self, texts: Sequence[str]) -> Iterator[tuple[list[Any], NDArray[np.float32]]]:
        """Yield the tokens of some texts, and what the model gives for them, batch by batch."""
        for start in range(0, len(texts), self.batch):
            encoded = self._tokenizer.encode_batch(list(texts[start : start + self.batch]))
            arrays = {
                "input_ids": [entry.ids for entry in encoded],
                "attention_mask": [entry.attention_mask for entry in encoded],
                "token_type_ids": [entry.type_ids for entry in encoded],
            }
            feed = {name: np.array(arrays[name], np.int64) for name in self._inputs}
            yield encoded, self._session.run(None, feed)[0]

    def _pooled(self, encoded: list[Any], output: NDArray[np.float32]) -> NDArray[np.float32]:
        if output.ndim != 3:
            return output
        if self._pooling == "cls":
            return output[:, 0]
        mask = np.array([entry.attention_mask for entry in encoded], np.float32)
        mean: NDArray[np.float32] = (output * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        return mean

    def _words(
        self, places: Sequence[Filled], encoded: list[Any], output: NDArray[np.float32]
    ) -> list[NDArray[np.float32]]:
        if output.ndim != 3:
            raise LexsubError(
                f"{self.folder}: the model gives vectors of texts, not of tokens: set compare "
                "= 'sentence'"
            )
        found = []
        for place, entry, row in zip(places, encoded, output, strict=False):
            tokens = [
                index
                for index, (first, last) in enumerate(entry.offsets)
                if first < place.end and last > place.start and last > first
            ]
            # A word that the tokenizer drops or cuts off: the whole text stands for it.
            kept = tokens or np.flatnonzero(entry.attention_mask).tolist()
            found.append(row[kept].mean(0))
        return found


def open_encoder(
    resources: Resources, model: str, pooling: Pooling, device: Device, batch: int
) -> Encoder:
    """Open an encoder by its folder, its name in ``[resources]``, or its name on the hub.

    Raises:
        LexsubError: libraries or files are missing, or not what they should be.
    """
    files = [*MODEL_PLACES, TOKENIZER, POOLING]
    folder = local_folder(resources, model) or from_hub(model, files)
    # Stages that run in several processes share the processors.
    return Encoder(folder, pooling, device, batch, 1 if resources.workers > 1 else 0)


def _model(folder: Path) -> Path:
    for place in MODEL_PLACES:
        if (folder / place).is_file():
            return folder / place
    raise MissingResourceError(
        f"{folder}: holds no {' and no '.join(MODEL_PLACES)}; expected a sentence encoder in ONNX, "
        "with its tokenizer.json"
    )


def _pooling(folder: Path) -> Pooling:
    """Return how a sentence-transformers model pools; the mean where it says nothing."""
    path = folder / POOLING
    if not path.is_file():
        return "mean"
    try:
        table = parse_json(read_text(path))
        return "cls" if table.get("pooling_mode_cls_token") else "mean"
    except (ValueError, AttributeError) as error:
        raise FormatError(path, None, f"is not JSON ({error})") from error


def _tokenizer(folder: Path) -> Any:
    path = folder / TOKENIZER
    if not path.is_file():
        raise MissingResourceError(f"{folder}: holds no {TOKENIZER}, which its model needs")
    tokenizer = open_tokenizer(path)
    tokenizer.enable_truncation(LONGEST)
    padding = tokenizer.padding or {}
    tokenizer.enable_padding(
        pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]")
    )
    return tokenizer


def _session(path: Path, device: Device, threads: int) -> Any:
    with needing("onnxruntime", *NEEDS):
        import onnxruntime
    wanted = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}[device]
    known = onnxruntime.get_available_providers()
    if wanted not in known:
        raise LexsubError(
            f"device {device!r}: this onnxruntime has no {wanted} (it has {', '.join(known)}): "
            "install onnxruntime-gpu, or set device = 'cpu'"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return open_graph(path, options, wanted)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


DECIMALS = 6
"""Cosines are rounded to these: the last bits differ between processors and must not decide."""


@dataclass(frozen=True)
class SentenceEncoder(OverModel, Ranker):
    """Order candidates by how little they change what a sentence encoder sees.

    The cosine of the sentence with the candidate in it and the sentence as it is (the contextual
    similarity of Zhou et al., 2019, without its weights of attention).

    Attributes:
        model: folder of an encoder in ONNX (``model.onnx`` or ``onnx/model.onnx``, with
            ``tokenizer.json``), its name in ``[resources]``, or on the Hugging Face hub.
        compare: ``sentence``: vectors of the whole text; ``word``: the output over the tokens of
            the candidate and of the target, each in its sentence.
        pooling: how token vectors become one: ``mean``, ``cls`` (the first), or ``auto``: as
            the model's folder says, else ``mean``.
        inflected: whether candidates take the target's form, and words before it fit them.
        window: words kept on either side of the target; longer sentences are cut.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time; more need more memory.
    """

    model: str
    compare: Literal["sentence", "word"] = "sentence"
    pooling: Pooling = "auto"
    inflected: bool = True
    window: Natural = 100
    device: Device = "cpu"
    batch: Batch = 64

    needs_gold: ClassVar[bool] = False
    extras = EXTRAS

    def open(self, resources: Resources, data: Dataset) -> EncoderScorer:
        """Open the model.

        Raises:
            LexsubError: libraries or files are missing, or not what they should be.
        """
        encoder = open_encoder(resources, self.model, self.pooling, self.device, self.batch)
        return EncoderScorer(self, encoder, data.language)


@dataclass(frozen=True)
class EncoderScorer(JointScorer):
    """The working ranker."""

    options: SentenceEncoder
    encoder: Encoder
    language: str = "en"

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return the cosine of each candidate's sentence, or word, with the original's."""
        if not candidates:
            return [], {"cosine": []}
        places = self._places(item, candidates)
        if self.options.compare == "word":
            scores = _cosines(self.encoder.both(places)[1])
        else:
            scores = _cosines(self.encoder.sentences([place.text for place in places]))
        return scores, {"cosine": scores}

    def both(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return the cosines of the sentences, and those of the words."""
        if not candidates:
            return [], []
        sentences, words = self.encoder.both(self._places(item, candidates))
        return _cosines(sentences), _cosines(words)

    def _places(self, item: Item, candidates: Sequence[Candidate]) -> list[Filled]:
        options = self.options
        words = [candidate.substitute for candidate in candidates]
        filled = fill_all(item, words, inflected=options.inflected, language=self.language)
        return [place.around(options.window) for place in (original(item), *filled)]


def _cosines(vectors: NDArray[np.float32]) -> list[float]:
    """Return the cosine of each vector but the first with the first."""
    result: list[float] = np.round(vectors[1:] @ vectors[0], DECIMALS).tolist()
    return result
