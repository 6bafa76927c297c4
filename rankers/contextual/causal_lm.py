"""The ranker ``causal-lm``: how probable a word, and what follows it, is behind what is before."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError
from lexsub.parts.base import Explained, Ranker, Scorer
from lexsub.parts.limits import Batch, Natural
from lexsub.rankers.baselines import Order
from lexsub.rankers.contextual.encoder import Device
from lexsub.rankers.contextual.model_files import (
    CAUSAL,
    OverModel,
    check_length,
    check_torch,
    model_files,
    open_torch,
)
from lexsub.rankers.explained import JointScorer
from lexsub.rankers.filling import Filled, fill_all, original
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.arrays import BAD_HEADER
from lexsub.storage.digests import known_sha256
from lexsub.storage.files import atomic_write, sha256

DECIMALS = 4
"""Log probabilities are rounded to these: the last bits differ between processors."""

COLUMNS = ("before", "word", "behind", "word tokens", "tokens")
"""What is kept of a text: three sums of ln P, and two numbers of tokens."""


Table = NDArray[np.float64]


@dataclass(frozen=True)
class CausalLm(OverModel, Ranker):
    """Order candidates by the probability of the sentence that they make, left to right.

    ln P of the words before, of the candidate in the target's form and case, and of the words
    behind it, less the same of the target itself.  The words before are evaluated once for all
    candidates.  Values are kept in the cache, so that a run that was stopped goes on; each process
    has one thread, so give it workers.

    Attributes:
        model: folder of a causal language model as transformers saves it, a GGUF file, a name of
            one in ``[resources]``, or on the Hugging Face hub (``HuggingFaceTB/SmolLM2-135M``).
        score: ln P of the whole ``sentence``, of the ``word`` behind the words before it, or of
            the words ``behind``, given the word.
        length_rule: ``sum`` of a candidate's ln P, or the ``mean`` of its tokens.
        first: so many candidates are scored, the others stay behind them as they were; 0 for all.
        ranker: the cheaper ranker by which they are the first, a name or a table.
        inflected: whether candidates take the target's form and a, an fit them (English).
        window: words kept before the target.
        behind: words kept behind it; each takes time for every candidate.
        device: ``cpu`` or ``cuda``.
        precision: of the model's numbers; ``bfloat16`` is fast on processors that have it, and
            rounds probabilities.
        batch: sentences at a time; more need more memory.
    """

    model: str
    score: Literal["sentence", "word", "behind"] = "sentence"
    length_rule: Literal["sum", "mean"] = "sum"
    first: Natural = 30
    ranker: Ranker = field(default_factory=Order)
    inflected: bool = True
    window: Natural = 60
    behind: Natural = 8
    device: Device = "cpu"
    precision: Precision = "float32"
    batch: Batch = 32

    needs_gold: ClassVar[bool] = False
    extras = CAUSAL

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranker.needs_gold:
            raise ValueError("ranker looks at the gold")

    def open(self, resources: Resources, data: Dataset) -> CausalScorer:
        """Get ready; the model itself is opened when something is not kept yet.

        Raises:
            LexsubError: libraries or files are missing, or there is no such device.
        """
        libraries = check_torch(self.device, "causal")
        made_by = f"{self.model} {self.device} {self.precision} {self.batch} {libraries}"
        files = model_files(resources, self.model)
        digests = [known_sha256(file, resources.cache / "digests") for file in files]
        kept = resources.cache / "causal-lm" / sha256("\n".join([made_by, *digests]).encode())[:32]
        return CausalScorer(self, resources, self.ranker.open(resources, data), kept)


@dataclass
class CausalScorer(JointScorer):
    """The working ranker.

    Attributes:
        options: the ranker.
        resources: with which the model is opened.
        cheaper: the ranker by which candidates are the first.
        kept: where the tables are that this model has made, with the same options: work that was
            stopped goes on with them, and the folder can be deleted at any time.
    """

    options: CausalLm
    resources: Resources
    cheaper: Scorer
    kept: Path

    @cached_property
    def model(self) -> CausalModel:
        """The model.

        Raises:
            LexsubError: it cannot be opened.
        """
        of = self.options
        return open_causal(self.resources, of.model, of.device, of.precision, of.batch)

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return scores, and what the feature family ``causal-lm`` says of each candidate."""
        order, measured = self.measured(item, candidates)
        names = ("word", "word-mean", "behind", "sentence", "sentence-mean", "pieces")
        parts = dict(zip(names, measured.T.tolist(), strict=True))
        name = self.options.score
        # The mean over the words behind ranks as their sum does: their number is the same for all.
        mean = self.options.length_rule == "mean" and name != "behind"
        scores = measured[:, names.index(f"{name}-mean" if mean else name)].copy()
        unasked = order[np.isnan(scores[order])]
        scores[unasked] = np.nanmin(scores, initial=0.0) - 1 - np.arange(len(unasked))
        return scores.tolist(), parts

    def measured(
        self, item: Item, candidates: Sequence[Candidate]
    ) -> tuple[NDArray[np.int64], Table]:
        """Return the cheaper ranker's order, and what is known of each candidate.

        Shapes (candidates,) and (candidates, 6): ln P of the word, the mean of its tokens, ln P
        of the words behind, of the sentence, and the mean of its tokens, each less the target's;
        and the word's tokens.  NaN for all candidates but the first of the order.
        """
        cheap = np.array(self.cheaper.scores(item, candidates), np.float64)
        order = np.argsort(-cheap, kind="stable")
        found = np.full((len(candidates), 6), np.nan)
        asked = order[: self.options.first or None]
        if len(asked):
            table = self._table(item, [candidates[place].substitute for place in asked])
            before, word, behind, pieces, tokens = table.T
            whole = before + word + behind
            columns = [word, word / np.maximum(pieces, 1), behind, whole]
            columns.append(whole / np.maximum(tokens, 1))
            found[asked, :5] = np.stack([(one - one[0])[1:] for one in columns], axis=1)
            found[asked, 5] = pieces[1:]
        return order, np.round(found, DECIMALS)

    def _table(self, item: Item, substitutes: Sequence[str]) -> Table:
        """Return :data:`COLUMNS` of the target and some substitutes, as kept, or made and kept."""
        options = self.options
        filled = fill_all(item, substitutes, inflected=options.inflected)
        places = [one.around(options.window, options.behind) for one in (original(item), *filled)]
        given = repr([(place.text, place.start, place.end) for place in places])
        path = self.kept / f"{sha256(given.encode())[:32]}.npy"
        with suppress(*BAD_HEADER):
            found: Table = np.load(path, allow_pickle=False)
            if found.shape == (len(places), len(COLUMNS)):
                return found
        made = self._computed([self.model.tokens(place) for place in places])
        with atomic_write(path) as file:
            np.save(file, made)
        return made

    def _computed(self, texts: Sequence[Tokens]) -> Table:
        table = np.empty((len(texts), len(COLUMNS)))
        # Where a/an is fitted to a candidate, the words before it differ.
        for before in dict.fromkeys(text.before for text in texts):
            rows = [row for row, text in enumerate(texts) if text.before == before]
            total, logs = self.model.log_probabilities(
                before, [(*texts[row].word, *texts[row].behind) for row in rows]
            )
            for row, values in zip(rows, logs, strict=True):
                cut = len(texts[row].word)
                sums = total, sum(values[:cut]), sum(values[cut:])
                table[row] = (*sums, cut, len(before) + len(values))
        return table


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
                    padded = [
                        [*one[:-1], *[self._start] * (rest + 1 - max(len(one), 1))] for one in some
                    ]
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
