"""Causal language models: how probable a word, and what follows it, is behind what precedes it."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lexsub.errors import LexsubError
from lexsub.rankers.contextual.torch_models import check_length, open_torch
from lexsub.rankers.filling import Filled
from lexsub.resources import Resources

Precision = Literal["float32", "bfloat16"]


@dataclass(frozen=True)
class Tokens:
    """A text's tokens, by where they stand.

    Attributes:
        before: before the word.
        word: that touch the word, or the blank before it.
        behind: behind it.
    """

    before: tuple[int, ...]
    word: tuple[int, ...]
    behind: tuple[int, ...]


class CausalModel:
    """An opened model."""

    def __init__(self, tokenizer: Any, model: Any, place: str, batch: int) -> None:
        import torch

        self._torch, self._tokenizer, self._model, self.batch = torch, tokenizer, model, batch
        # transformers has renamed it.
        names = inspect.signature(model.forward).parameters
        self._state = "cache" if "cache" in names else "past_key_values"
        start = tokenizer.bos_token_id
        self._start = tokenizer.eos_token_id if start is None else start
        if not tokenizer.is_fast or self._start is None:
            raise LexsubError(
                f"{place}: its tokenizer says not where tokens stand in a text, or has no token "
                "for the beginning; expected a causal language model with a tokenizer.json"
            )

    def tokens(self, place: Filled) -> Tokens:
        """Return the tokens of a text: exactly those it has as a whole."""
        encoded = self._tokenizer(place.text, add_special_tokens=False, return_offsets_mapping=True)
        ids, spans = encoded["input_ids"], encoded["offset_mapping"]
        # A token that is a blank alone belongs to the word behind it.
        edge = len(place.text[: place.start].rstrip())
        first = sum(end <= edge for _, end in spans)
        last = max(sum(start < place.end for start, _ in spans), first)
        return Tokens(tuple(ids[:first]), tuple(ids[first:last]), tuple(ids[last:]))

    def log_probabilities(
        self, before: Sequence[int], continuations: Sequence[Sequence[int]]
    ) -> tuple[float, list[list[float]]]:
        """Return ln P of some tokens, and of each token of what may follow them.

        Args:
            before: evaluated once; its state is shared.
            continuations: each some tokens.

        Returns:
            The sum over the tokens before, and a value a token for each continuation.

        Raises:
            LexsubError: the model does not take so many tokens.
        """
        torch, prefix = self._torch, [self._start, *before]
        check_length(self._model, len(prefix) + max(map(len, continuations), default=0))
        found: list[list[float]] = []
        with torch.inference_mode():
            state = self._new_state()
            logits = self._logits([prefix], state)[0]
            sums = sum(self._picked(logits[:-1], before))
            for start in range(0, len(continuations), self.batch):
                some = continuations[start : start + self.batch]
                rest = max(max(map(len, some)) - 1, 0)
                rows = logits[-1].expand(len(some), 1, -1)
                if rest:
                    own = copy.deepcopy(state)
                    own.batch_repeat_interleave(len(some))
                    # Short rows are filled up at their ends, which earlier tokens never see.
                    padded = [[*one[:-1], *[self._start] * (rest + 1 - max(len(one), 1))]
                              for one in some]  # fmt: skip
                    rows = torch.cat([rows, self._logits(padded, own)], dim=1)
                found += [self._picked(row, one) for row, one in zip(rows, some, strict=True)]
        return sums, found

    def _new_state(self) -> Any:
        from transformers import DynamicCache

        return DynamicCache(config=self._model.config)

    def _logits(self, inputs: Sequence[Sequence[int]], state: Any) -> Any:
        ids = self._torch.tensor(inputs, dtype=self._torch.long, device=self._model.device)
        return self._model(input_ids=ids, **{self._state: state}, use_cache=True).logits.float()

    def _picked(self, logits: Any, tokens: Sequence[int]) -> list[float]:
        if not tokens:
            return []
        torch, rows = self._torch, logits[: len(tokens)]
        wanted = torch.tensor(list(tokens), device=rows.device)[:, None]
        picked = rows.gather(1, wanted)[:, 0] - rows.logsumexp(1)
        values: list[float] = picked.double().cpu().tolist()
        return values


def open_causal(
    resources: Resources, model: str, device: str, precision: Precision, batch: int
) -> CausalModel:
    """Open a causal language model; see :func:`open_torch`.

    Raises:
        MissingExtraError: a library is not installed.
        LexsubError: no such model or device, or a tokenizer that does not do.
    """
    tokenizer, opened, place = open_torch(resources, model, device, "causal")
    import torch

    return CausalModel(tokenizer, opened.to(getattr(torch, precision)), place, batch)
