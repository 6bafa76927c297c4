"""The ranker ``masked-lm``: how probable a candidate is in the slot, by transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_types import Lt
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError
from lexsub.parts.base import Explained, Ranker
from lexsub.parts.limits import Batch, Natural, NotNegative
from lexsub.rankers.contextual.encoder import Device
from lexsub.rankers.contextual.model_files import MASKED, OverModel, check_length, open_torch
from lexsub.rankers.explained import JointScorer
from lexsub.rankers.filling import Filled, fill_all, original
from lexsub.rankings import Candidate
from lexsub.resources import Resources

DECIMALS = 6
"""Scores are rounded to these: the last bits differ between processors and must not decide."""


@dataclass(frozen=True)
class MaskedLm(OverModel, Ranker):
    """Order candidates by their log probability in a masked language model.

    A candidate of k word pieces gets k masks, and the log probability of its pieces, each at
    its place with the others masked.

    Attributes:
        model: folder of a masked language model as transformers saves it, its name in
            ``[resources]``, or on the Hugging Face hub (``bert-base-uncased``).
        mode: ``masked``: the target gives way to masks; ``concatenated``: the same, with the
            sentence as it is before it, so that the target is known (Qiang et al., 2020,
            "Lexical simplification with pretrained encoders"); ``dropout``: the target stays,
            part of its embedding zeroed, and all pieces are asked for at its place (the proposal
            score of Zhou et al., 2019, "BERT-based lexical substitution", for a given dropout).
        length_rule: of a candidate's pieces: ``mean`` log probability, or their ``sum``.
        relative: take off the score of the target itself (it orders no item differently, and
            makes a better feature).
        dropout: share of the target's embedding that ``dropout`` zeroes, drawn by the seed.
        inflected: whether candidates take the target's form, and words before it fit them.
        window: words kept on either side of the target; longer sentences are cut.
        device: ``cpu`` or ``cuda``.
        batch: sentences at a time; more need more memory.
    """

    model: str
    mode: Mode = "concatenated"
    length_rule: Literal["mean", "sum"] = "mean"
    relative: bool = False
    dropout: Annotated[NotNegative, Lt(1)] = 0.3
    inflected: bool = True
    window: Natural = 60
    device: Device = "cpu"
    batch: Batch = 16

    needs_gold: ClassVar[bool] = False
    extras = MASKED

    def open(self, resources: Resources, data: Dataset) -> MaskedScorer:
        """Open the model.

        Raises:
            LexsubError: libraries or files are missing, or not what they should be.
        """
        model = open_masked(resources, self.model, self.device, self.batch)
        return MaskedScorer(self, model, resources.seed, data.language)


@dataclass(frozen=True)
class MaskedScorer(JointScorer):
    """The working ranker."""

    options: MaskedLm
    model: MaskedModel
    seed: int
    language: str = "en"

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return the log probability of each candidate, and its number of word pieces beside."""
        if not candidates:
            return [], {"log": [], "pieces": []}
        options, words = self.options, [candidate.substitute for candidate in candidates]
        filled = fill_all(item, words, inflected=options.inflected, language=self.language)
        pieces = [self.model.pieces(word) for word in (item.target, *(f.word for f in filled))]
        place = original(item).around(options.window)
        if options.mode == "dropout":
            table = self.model.with_dropout(place, options.dropout, self.seed)
            by_piece = [table[np.array(one)].tolist() for one in pieces]
        else:
            by_piece = self._by_masks(place, pieces)
        target, *logs = [
            sum(one) / (len(one) if options.length_rule == "mean" else 1) for one in by_piece
        ]
        base = target if options.relative else 0.0
        scores = [round(log - base, DECIMALS) for log in logs]
        return scores, {"log": scores, "pieces": [float(len(one)) for one in pieces[1:]]}

    def _by_masks(self, place: Filled, pieces: Sequence[list[int]]) -> list[list[float]]:
        """Return the log probabilities of each candidate's pieces; one sentence a length."""
        lengths = sorted({len(one) for one in pieces})
        twice = self.options.mode == "concatenated"
        slots = [self.model.slot(place, [self.model.mask] * k, twice=twice) for k in lengths]
        tables = self.model.log_probabilities(
            [tokens for tokens, _ in slots],
            [list(range(start, start + k)) for (_, start), k in zip(slots, lengths, strict=True)],
        )
        by_length = dict(zip(lengths, tables, strict=True))
        return [by_length[len(one)][np.arange(len(one)), np.array(one)].tolist() for one in pieces]


Mode = Literal["masked", "concatenated", "dropout"]

MOST_PIECES = 6
"""A candidate of more pieces is scored by its first ones."""


class MaskedModel:
    """An opened model."""

    def __init__(self, tokenizer: Any, model: Any, device: str, batch: int) -> None:
        import torch

        self._torch, self._tokenizer = torch, tokenizer
        self.device, self.batch = device, batch
        self._model = model
        self.mask = tokenizer.mask_token_id
        self._single = self._frame("x")
        self._double = self._frame("x", "x")

    def pieces(self, form: str) -> list[int]:
        """Return the word pieces of a candidate, at most ``MOST_PIECES``."""
        # A blank before it, because byte-pair vocabularies tell where words begin.
        found: list[int] = self._tokenizer(f" {form}", add_special_tokens=False)["input_ids"]
        return found[:MOST_PIECES] or [self._tokenizer.unk_token_id]

    def slot(self, place: Filled, filling: Sequence[int], *, twice: bool) -> tuple[list[int], int]:
        """Return the tokens of a sentence with some in the word's place, and where these begin.

        With ``twice`` the sentence as it is stands before it.
        """
        left = self._plain(place.text[: place.start])
        right = self._plain(place.text[place.end :])
        if twice:
            opening, between, closing = self._double
            whole = [*left, *self._plain(f" {place.word}"), *right]
            opening = [*opening, *whole, *between]
        else:
            opening, _, closing = self._single
        before = [*opening, *left]
        return [*before, *filling, *right, *closing], len(before)

    def log_probabilities(
        self, inputs: Sequence[list[int]], places: Sequence[list[int]]
    ) -> list[NDArray[np.float64]]:
        """Return natural log probabilities of the vocabulary, for each input (places, words)."""
        found: list[NDArray[np.float64]] = []
        for start in range(0, len(inputs), self.batch):
            some = slice(start, start + self.batch)
            ids, attention = self._padded(inputs[some])
            found += self._outputs(places[some], input_ids=ids, attention_mask=attention)
        return found

    def with_dropout(self, place: Filled, rate: float, seed: int) -> NDArray[np.float64]:
        """Return log probabilities at the word's first piece, part of its embedding dropped.

        Shape (words of the vocabulary,).
        """
        torch = self._torch
        pieces = self._plain(f" {place.word}") or [self._tokenizer.unk_token_id]
        tokens, start = self.slot(place, pieces, twice=False)
        ids, attention = self._padded([tokens])
        with torch.no_grad():
            embedded = self._model.get_input_embeddings()(ids)
            # Drawn by numpy, so that it is the same on every device.
            random = np.random.default_rng(seed)
            kept = random.random((len(pieces), embedded.shape[-1])) >= rate
            mask = torch.from_numpy(kept.astype(np.float32)).to(self.device)
            embedded[0, start : start + len(pieces)] *= mask / (1 - rate)
        (found,) = self._outputs([[start]], inputs_embeds=embedded, attention_mask=attention)
        row: NDArray[np.float64] = found[0]
        return row

    def _frame(self, *texts: str) -> tuple[list[int], list[int], list[int]]:
        """Return the special tokens before, between and behind texts, whatever the model's."""
        whole: list[int] = self._tokenizer(*texts)["input_ids"]
        inner = self._plain(texts[0])
        size = len(inner)
        at = [i for i in range(len(whole) - size + 1) if whole[i : i + size] == inner]
        first, last = at[0], at[-1]
        return whole[:first], whole[first + size : last], whole[last + size :]

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _padded(self, inputs: Sequence[list[int]]) -> tuple[Any, Any]:
        check_length(self._model, max(map(len, inputs)))
        pad, join = self._tokenizer.pad_token_id or 0, self._torch.nn.utils.rnn.pad_sequence
        rows = list(map(self._torch.tensor, inputs))
        ids = join(rows, batch_first=True, padding_value=pad)
        attention = join(list(map(self._torch.ones_like, rows)), batch_first=True)
        return ids.to(self.device), attention.to(self.device)

    def _outputs(self, places: Sequence[list[int]], **inputs: Any) -> list[NDArray[np.float64]]:
        with self._torch.no_grad():
            logits = self._model(**inputs).logits
            return [
                logits[row, wanted].double().log_softmax(-1).cpu().numpy()
                for row, wanted in enumerate(places)
            ]


def open_masked(resources: Resources, model: str, device: str, batch: int) -> MaskedModel:
    """Open a masked language model by its folder, name in ``[resources]``, or on the hub.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        LexsubError: no such model or device, or a model without a mask token.
    """
    tokenizer, opened, place = open_torch(resources, model, device, "masked")
    if tokenizer.mask_token_id is None:
        raise LexsubError(f"{place}: the tokenizer has no mask; expected a masked language model")
    return MaskedModel(tokenizer, opened, device, batch)
