"""The trained bag-of-words model and its files, and the ranker ``bow``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lexsub.datasets import Dataset, Item
from lexsub.errors import FileProblemError, FormatError, LexsubError
from lexsub.parts.base import Explained, Ranker
from lexsub.parts.limits import AboveZero, NotNegative
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankers.lm.tokens import NAME, tokenise
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.arrays import map_array
from lexsub.storage.digests import cached_open, seal
from lexsub.storage.files import read_text, write_text
from lexsub.storage.memory import BoundedCache

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HEADER = "bow.json"
FORMAT = 1
AGAIN = "train the model again"


@dataclass(frozen=True, slots=True)
class BowHeader:
    """What a bag-of-words model says of itself.

    Attributes:
        window: content tokens counted on each side of a word.
        stop: how many of the most frequent words are no content words.
        minimum: words seen less often are no content words.
        lower: whether the text was lower-cased.
        language: ISO 639-1 code of the text.
        tokens: tokens of the text.
        tokenisation: name of its tokenisation.
    """

    window: int
    stop: int
    minimum: int
    lower: bool
    language: str
    tokens: int
    tokenisation: str = NAME


@dataclass(frozen=True)
class BowModel:
    """Counts of content words near words.

    Attributes:
        header: how it was made.
        words: the words counted, as ``substitute.pos``.
        seen: occurrences of each word, shape (words,).
        contexts: the content words.
        frequency: occurrences of each content word, shape (contexts,).
        near: sparse (words, contexts) counts.
    """

    header: BowHeader
    words: Sequence[str]
    seen: Ints
    contexts: Sequence[str]
    frequency: Ints
    near: Any
    _totals: dict[int, int] = field(init=False, repr=False, default_factory=dict)
    _fits: BoundedCache[tuple[str, bytes], Floats] = field(
        init=False, repr=False, default_factory=BoundedCache
    )

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def _columns(self) -> Mapping[str, int]:
        return {context: column for column, context in enumerate(self.contexts)}

    def context(self, left: str, right: str) -> Ints:
        """Return the columns of the content words around a slot, as they were counted."""
        window = self.header.window
        before = [c for t in self._tokens(left) if (c := self._columns.get(t)) is not None]
        behind = [c for t in self._tokens(right) if (c := self._columns.get(t)) is not None]
        return np.array(before[-window:] + behind[:window], dtype=np.int64)

    def fit(self, words: Sequence[str], context: Ints, mu: float) -> Floats:
        """Return Σ log10 P(c | w) / P(c) over the context for each word, 0 for one never seen.

        P(c | w) = (n(c, w) + μ P(c)) / (n(w) + μ), Dirichlet smoothing.  Dividing by P(c) is
        the same for all candidates and makes 0 mean "neither for nor against".  Kept, because
        several systems of a run ask for the same.
        """
        key = "\n".join((*words, str(mu))), context.tobytes()
        return self._fits.once(key, lambda: self._fit(words, context, mu)).copy()

    def _fit(self, words: Sequence[str], context: Ints, mu: float) -> Floats:
        fits = np.zeros(len(words))
        rows = [self._rows.get(word, -1) for word in words]
        met = [place for place, row in enumerate(rows) if row >= 0 and self._total(row)]
        if not met or not len(context):
            return fits
        prior = self.frequency[context] / int(self.frequency.sum())
        n = np.zeros((len(met), len(context)), dtype=np.int64)
        order = np.argsort(context)
        # Of the columns' type and in order, they are found without a copy and with few looks.
        wanted = context[order].astype(self.near.indices.dtype)
        for at, place in enumerate(met):
            begin, end = self.near.indptr[rows[place] : rows[place] + 2]
            columns = self.near.indices[begin:end]
            places = columns.searchsorted(wanted)
            there = columns.take(places, mode="clip") == wanted
            n[at, order] = self.near.data[begin:end].take(places, mode="clip") * there
        totals = np.array([self._total(rows[place]) for place in met])[:, None]
        fits[met] = np.log10((n + mu * prior) / (totals + mu) / prior).sum(axis=1)
        return fits

    def _total(self, row: int) -> int:
        """Return how many content words were counted near a word; summed once, as words recur."""
        if row not in self._totals:
            begin, end = self.near.indptr[row : row + 2]
            self._totals[row] = int(self.near.data[begin:end].sum())
        return self._totals[row]

    def log_prior(self, word: str) -> float:
        """Return log10 P(w): occurrences among all tokens, half of one for a word never seen."""
        row = self._rows.get(word)
        seen = 0 if row is None else int(self.seen[row])
        return float(np.log10(max(seen, 0.5) / self.header.tokens))

    def _tokens(self, text: str) -> list[str]:
        return tokenise(text, lower=self.header.lower)


ARRAYS = ("seen", "frequency", "indptr", "indices", "counts")


def write_bow(folder: Path, model: BowModel) -> None:
    """Write a model's files and seal them; raises OSError where the disk refuses."""
    near = model.near.tocsr()
    near.sort_indices()
    cells = near.indices.astype(np.int32), near.data.astype(np.int32)
    arrays = model.seen, model.frequency, near.indptr.astype(np.int64), *cells
    for name, array in zip(ARRAYS, arrays, strict=True):
        np.save(folder / f"{name}.npy", array)
    write_text(folder / "words.txt", "".join(f"{word}\n" for word in model.words))
    write_text(folder / "contexts.txt", "".join(f"{word}\n" for word in model.contexts))
    text = json.dumps({"format": FORMAT, **asdict(model.header)}, indent=1, sort_keys=True)
    write_text(folder / HEADER, text + "\n")
    seal(folder)


@cached_open(1, AGAIN)
def open_bow(folder: Path) -> BowModel:
    """Open a model; its counts are mapped, not read, and what was opened last is kept open.

    Raises:
        LexsubError: there is none, or it is damaged or of another version.
    """
    from scipy.sparse import csr_matrix

    path = folder / HEADER
    if folder.is_file() or not path.exists():
        raise FileProblemError(
            folder, f"is no bag-of-words model (it has no {HEADER}); a config's [models] makes one"
        )
    try:
        table = json.loads(read_text(path))
        version = table.pop("format")
        header = BowHeader(**table)
        arrays = [map_array(folder / f"{name}.npy", AGAIN, ("int32", "int64")) for name in ARRAYS]
        seen, frequency, indptr, indices, counts = arrays
        words = read_text(folder / "words.txt").split("\n")[:-1]
        contexts = read_text(folder / "contexts.txt").split("\n")[:-1]
        shape = (len(seen), len(frequency))
        if (len(words), len(contexts)) != shape or len(indices) != len(counts):
            raise ValueError("its files do not fit together")
        near = csr_matrix((counts, indices, indptr), shape=shape, copy=False)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError) as error:
        raise FormatError(path, None, f"the model is damaged ({error}); train it again") from error
    if version != FORMAT or header.tokenisation != NAME:
        raise FormatError(path, None, f"format {version}; expected {FORMAT}: train it again")
    return BowModel(header, words, np.asarray(seen), contexts, np.asarray(frequency), near)


MultiwordRule = Literal["own", "mean"]


@dataclass(frozen=True)
class BowRanker(Ranker):
    """Order candidates by how well the words of the sentence fit them.

    score(w) = Σ log10 P(c | w) / P(c) + λ log10 P(w) over the content words c around the
    target, with multinomials smoothed towards the text as a whole (Jabbari, Allison and
    Guthrie, 2008; Jabbari, Hepple and Guthrie, 2010; reconstructed).

    Attributes:
        model: name of a model in the config's ``[models]``, or a model's folder.
        mu: weight of the whole text in P(c | w), in context tokens.
        prior_weight: λ; 1 is the joint probability, 0 leaves the prior out.  The default
            makes up for the words of a sentence not being independent; it was tuned on the
            trial sentences.
        multiword: ``own``: multiwords have their own counts; ``mean``: they get the mean fit
            of the item's single words.
    """

    model: str = "bow"
    mu: AboveZero = 30_000.0
    prior_weight: NotNegative = 2.0
    multiword: MultiwordRule = "own"

    needs_gold: ClassVar[bool] = False

    reads_models: ClassVar[dict[str, str]] = {"model": "bow"}

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open the model.

        Raises:
            LexsubError: there is none, it is damaged, or of another language than the data.
        """
        model = open_model_for(resources, self.model, data)
        return ExplainedScorer(partial(self._explained, model))

    def _explained(self, model: BowModel, item: Item, candidates: Sequence[Candidate]) -> Explained:
        fit = context_fit(model, item, candidates, self.mu, self.multiword).tolist()
        prior = [model.log_prior(f"{c.substitute}.{item.pos}") for c in candidates]
        scores = [one + self.prior_weight * two for one, two in zip(fit, prior, strict=True)]
        return scores, {"context": fit, "prior": prior}


def open_model_for(resources: Resources, name: str, data: Dataset) -> BowModel:
    """Open a bag-of-words model for some data; see :class:`BowRanker`."""
    model = open_bow(resources.model(name, "bow"))
    if model.header.language != data.language:
        raise LexsubError(
            f"{data.name} is in language {data.language!r}, the bag-of-words model in "
            f"{model.header.language!r}: train one on text of the right language"
        )
    return model


def context_fit(
    model: BowModel, item: Item, candidates: Sequence[Candidate], mu: float, rule: MultiwordRule
) -> NDArray[np.float64]:
    """Return Σ log10 P(c | w) / P(c) for each candidate."""
    context = model.context(item.text[: item.start], item.text[item.end :])
    fit = model.fit([f"{c.substitute}.{item.pos}" for c in candidates], context, mu)
    if rule == "mean":
        multiword = np.array([c.is_multiword for c in candidates], dtype=bool)
        if multiword.any() and not multiword.all():
            fit[multiword] = fit[~multiword].mean()
    return fit
