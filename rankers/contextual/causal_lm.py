"""The ranker ``causal-lm``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset
from lexsub.items import Item
from lexsub.parts.base import RANKERS, Explained, Scorer
from lexsub.parts.build import inner
from lexsub.rankers.contextual.causal import CausalModel, Precision, Tokens, open_causal
from lexsub.rankers.contextual.encoder import Device
from lexsub.rankers.contextual.model_files import model_files
from lexsub.rankers.contextual.torch_models import check_torch
from lexsub.rankers.filling import fill_all, original
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
class CausalLm:
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
    first: int = 30
    ranker: str | dict[str, Any] = "order"
    inflected: bool = True
    window: int = 60
    behind: int = 8
    device: Device = "cpu"
    precision: Precision = "float32"
    batch: int = 32

    cheaper = inner(RANKERS, "ranker")

    needs_gold: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.batch < 1 or min(self.window, self.behind, self.first) < 0:
            raise ValueError("batch must be at least 1, window, behind and first at least 0")
        if self.cheaper().needs_gold:
            raise ValueError("ranker looks at the gold")

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of the model (none for one on the hub) and of the cheaper ranker."""
        return [*model_files(resources, self.model), *self.cheaper().inputs(resources)]

    def open(self, resources: Resources, data: Dataset) -> CausalScorer:
        """Get ready; the model itself is opened when something is not kept yet.

        Raises:
            LexsubError: libraries or files are missing, or there is no such device.
        """
        libraries = check_torch(self.device, "causal")
        made_by = f"{self.model} {self.device} {self.precision} {self.batch} {libraries}"
        kept = kept_folder(resources.cache, model_files(resources, self.model), made_by)
        return CausalScorer(self, resources, self.cheaper().open(resources, data), kept)


@dataclass
class CausalScorer:
    """The working ranker."""

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
        options = self.options
        return open_causal(
            self.resources, options.model, options.device, options.precision, options.batch
        )

    def scores(self, item: Item, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Return the score of each candidate."""
        return self.explained(item, candidates)[0]

    def parts(self, item: Item, candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
        """Return what is known of each candidate, as in the feature family ``causal-lm``."""
        return self.explained(item, candidates)[1]

    def explained(self, item: Item, candidates: Sequence[Candidate]) -> Explained:
        """Return scores and parts."""
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
            columns = [word, word / np.maximum(pieces, 1), behind, before + word + behind,
                       (before + word + behind) / np.maximum(tokens, 1)]  # fmt: skip
            found[asked, :5] = np.stack([(one - one[0])[1:] for one in columns], axis=1)
            found[asked, 5] = pieces[1:]
        return order, np.round(found, DECIMALS)

    def _table(self, item: Item, substitutes: Sequence[str]) -> Table:
        """Return :data:`COLUMNS` of the target and some substitutes."""
        options = self.options
        filled = fill_all(item, substitutes, inflected=options.inflected)
        places = [
            place.around(options.window, options.behind) for place in (original(item), *filled)
        ]
        given = repr([(place.text, place.start, place.end) for place in places])
        shape = (len(places), len(COLUMNS))

        def make() -> Table:
            return self._computed([self.model.tokens(place) for place in places])

        return kept_table(self.kept, given, shape, make)

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
                table[row] = (total, sum(values[:cut]), sum(values[cut:]), cut,
                              len(before) + len(values))  # fmt: skip
        return table


def kept_folder(cache: Path, files: Sequence[Path], made_by: str) -> Path:
    """Return where tables are kept that some files (of a model) and options have made.

    Work that was stopped goes on with them; the folder can be deleted at any time.
    """
    digests = [known_sha256(file, cache / "digests") for file in files]
    return cache / "causal-lm" / sha256("\n".join([made_by, *digests]).encode())[:32]


def kept_table(
    folder: Path, given: str, shape: tuple[int, int], make: Callable[[], Table]
) -> Table:
    """Return what was made from a text before, or make it and keep it."""
    path = folder / f"{sha256(given.encode())[:32]}.npy"
    try:
        found: Table = np.load(path, allow_pickle=False)
        if found.shape == shape:
            return found
    except BAD_HEADER:
        pass
    found = make()
    with atomic_write(path) as file:
        np.save(file, found)
    return found
