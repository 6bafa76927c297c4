"""Masked language models of transformers: how probable a candidate is in the slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.errors import LexsubError
from lexsub.rankers.contextual.torch_models import check_length, open_torch
from lexsub.rankers.filling import Filled
from lexsub.resources import Resources

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
            some = inputs[start : start + self.batch]
            ids, attention = self._padded(some)
            found += self._outputs(places[start : start + self.batch],
                                   input_ids=ids, attention_mask=attention)  # fmt: skip
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
        longest = max(map(len, inputs))
        check_length(self._model, longest)
        pad = self._tokenizer.pad_token_id or 0
        ids = np.full((len(inputs), longest), pad, np.int64)
        attention = np.zeros((len(inputs), longest), np.int64)
        for row, tokens in enumerate(inputs):
            ids[row, : len(tokens)] = tokens
            attention[row, : len(tokens)] = 1
        torch = self._torch
        return torch.from_numpy(ids).to(self.device), torch.from_numpy(attention).to(self.device)

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
