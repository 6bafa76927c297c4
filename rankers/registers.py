"""Registers: which one a text is of, and a ranker for each, weighted by how well the sentence fits.

Guthrie, Walker and Guthrie (1994): a vocabulary falls into the distinguishing words of each class
and the rest; a document goes to the class under whose shares of these sets its tokens are the
most likely.
A model is trained on a text for each register and kept as one JSON file.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from lexsub.corpus.reader import Corpus
from lexsub.datasets import Dataset, Item
from lexsub.errors import LexsubError, well_formed
from lexsub.parts.base import Explained, ModelBuilder, Ranker, Scorer
from lexsub.parts.limits import Positive
from lexsub.rankers.explained import ExplainedScorer
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage.digests import check_sealed, seal
from lexsub.storage.files import read_text, write_text

FILE = "registers.json"

_WORD = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Return the alphabetic tokens of a text, lower-cased."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class RegisterBuilder(ModelBuilder):
    """Finds the distinguishing words of registers.

    Attributes:
        texts: register to its files, globs and folders of text, or names from
            ``[resources]``; two registers or more.
        frequent: a distinguishing word is among so many most frequent words of its register …
        excluded: … and not among so many of any other.
    """

    texts: Annotated[dict[str, Annotated[tuple[str, ...], MinLen(1)]], MinLen(2)]
    frequent: Positive = 300
    excluded: Positive = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frequent > self.excluded:
            raise ValueError(
                f"frequent is {self.frequent}; expected at most excluded, {self.excluded}"
            )

    def _corpora(self, resources: Resources) -> dict[str, Corpus]:
        return {
            register: Corpus(tuple(resources.paths.get(name, name) for name in sources))
            for register, sources in self.texts.items()
        }

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the files of all registers."""
        return [path for corpus in self._corpora(resources).values() for path in corpus.files()]

    def build(self, resources: Resources, folder: Path) -> None:
        """Count the texts and write the model.

        Raises:
            LexsubError: a register without words, or none that distinguishes it.
        """
        counts = {
            register: Counter(chain.from_iterable(map(words_of, corpus.lines())))
            for register, corpus in self._corpora(resources).items()
        }
        vocabulary = sorted(set().union(*counts.values()))
        totals = np.array([[c[word] for word in vocabulary] for c in counts.values()], float)
        totals = totals.reshape(len(counts), len(vocabulary))
        sets = word_sets(totals, self.frequent, self.excluded)
        words: dict[str, list[str]] = {}
        for register, columns in zip(counts, sets, strict=True):
            if not len(columns):
                raise LexsubError(
                    f"no word distinguishes register {register!r}: its text is too small or too "
                    "like another's; give other text, or a smaller excluded"
                )
            words[register] = [vocabulary[column] for column in columns]
        document = {"words": words, "shares": set_shares(totals, sets).tolist()}
        write_text(folder / FILE, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        seal(folder)


@dataclass(frozen=True, slots=True)
class RegisterModel:
    """An opened register model.

    Attributes:
        places: distinguishing words to the index of their register.
        registers: the registers in order.
        shares: p_ij, shape (registers, registers + 1).
    """

    places: Mapping[str, int]
    registers: tuple[str, ...]
    shares: Floats

    def posterior(self, text: str) -> Floats:
        """Return the probability of each register for a text, shape (registers,).

        All are equally likely for a text without a distinguishing word.
        """
        words = words_of(text)
        told = [self.places[word] for word in words if word in self.places]
        inside = np.bincount(told, minlength=len(self.registers)).astype(np.float64)
        tokens = np.array([float(len(words))])
        result: Floats = posterior(joint_log(inside[None], tokens, self.shares))[0]
        return result


def open_registers(folder: Path) -> RegisterModel:
    """Open a register model.

    Raises:
        FormatError: it is damaged, or no such model.
    """
    check_sealed(folder, "train the model again")
    path = folder / FILE
    with well_formed(path, "is no register model", "; train again"):
        document = json.loads(read_text(path))
        words: dict[str, list[str]] = document["words"]
        shares = np.array(document["shares"], dtype=np.float64)
        if shares.shape != (len(words), len(words) + 1) or not (shares > 0).all():
            raise ValueError("the shares do not fit the words")
        places = {word: k for k, register in enumerate(words) for word in words[register]}
    return RegisterModel(places, tuple(words), shares)


Floats = NDArray[np.float64]
Columns = NDArray[np.int64]


def word_sets(totals: Floats, frequent: int, excluded: int) -> list[Columns]:
    """Return for each class the columns of its distinguishing words, most frequent first.

    They are among the ``frequent`` most frequent words of the class and not among the
    ``excluded`` most frequent ones of any other; equal frequencies rank in column order.

    Args:
        totals: counts, shape (classes, words).
        frequent: 1 or more.
        excluded: no less than ``frequent``, so that no word distinguishes two classes.

    Raises:
        ValueError: limits out of order.
    """
    if not 1 <= frequent <= excluded:
        raise ValueError(
            f"frequent is {frequent}, excluded {excluded}; expected 1 <= frequent <= excluded"
        )
    # Of each class the words that it has.
    orders = [np.argsort(-row, kind="stable")[: np.count_nonzero(row)] for row in totals]
    sets = []
    for k, order in enumerate(orders):
        others = [other[:excluded] for j, other in enumerate(orders) if j != k]
        sets.append(order[:frequent][~np.isin(order[:frequent], np.concatenate(others))])
    return sets


def set_shares(totals: Floats, sets: Sequence[Columns]) -> Floats:
    """Return p_ij, shape (classes, sets + 1): the last column is the rest of the vocabulary.

    A share of 0 counts as half a token.
    """
    tokens = np.maximum(totals.sum(axis=1), 1.0)
    inside = np.stack([totals[:, columns].sum(axis=1) for columns in sets], axis=1)
    rest = totals.sum(axis=1) - inside.sum(axis=1)
    shares: Floats = np.column_stack([inside, rest]) / tokens[:, None]
    floored: Floats = np.maximum(shares, 0.5 / tokens[:, None])
    return floored


def joint_log(inside: Floats, tokens: Floats, shares: Floats) -> Floats:
    """Return Σ_j n_j ln p_ij, shape (documents, classes).

    Without a distinguishing word there is nothing to go by: all classes are level at 0.

    Args:
        inside: n_j, tokens of each document in each set, shape (documents, sets).
        tokens: length of each document, shape (documents,).
        shares: p_ij.
    """
    scores: Floats = np.column_stack([inside, tokens - inside.sum(axis=1)]) @ np.log(shares).T
    scores[inside.sum(axis=1) == 0] = 0.0
    return scores


def posterior(scores: Floats) -> Floats:
    """Return the probability of each class, all equally likely before, same shape."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Floats = odds / odds.sum(axis=1, keepdims=True)
    return result


@dataclass(frozen=True)
class RegisterRanker(Ranker):
    """Order candidates by log10 Σ_r P(r | sentence) 10^score_r, a mixture over registers r.

    The scores of each register's ranker are log10 probabilities (``lm``, ``bow``, ``cmlc``,
    ``ku``), made with models of text of that register.

    Attributes:
        rankers: register to its ranker, a name or a table.
        model: the register model, by its name in ``[models]`` or its folder.
        weights: ``posterior`` weighs registers by the classifier of distinguishing words on
            the sentence; ``equal`` is the same mixture without looking at it.
    """

    rankers: dict[str, Ranker]
    model: str = "registers"
    weights: Literal["posterior", "equal"] = "posterior"

    needs_gold: ClassVar[bool] = False
    reads_models: ClassVar = {"model": "registers"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(part.needs_gold for part in self.rankers.values()):
            raise ValueError("rankers: one looks at the gold; expected models of registers")

    def open(self, resources: Resources, data: Dataset) -> ExplainedScorer:
        """Open all models.

        Raises:
            LexsubError: a model is missing or damaged, or knows other registers.
        """
        registers = open_registers(resources.model(self.model, "registers"))
        if set(registers.registers) != set(self.rankers):
            raise LexsubError(
                f"ranker registers has rankers for {', '.join(sorted(self.rankers))}; model "
                f"{self.model!r} knows {', '.join(sorted(registers.registers))}"
            )
        scorers = [self.rankers[name].open(resources, data) for name in registers.registers]
        return ExplainedScorer(partial(self._explained, registers, scorers))

    def _explained(
        self,
        registers: RegisterModel,
        scorers: Sequence[Scorer],
        item: Item,
        candidates: Sequence[Candidate],
    ) -> Explained:
        """Return the mixture, and the weight of each register and its ranker's score."""
        names = registers.registers
        equal = np.full(len(names), 1 / len(names))
        weights = registers.posterior(item.text) if self.weights == "posterior" else equal
        own = np.array([scorer.scores(item, candidates) for scorer in scorers], np.float64)
        parts: dict[str, Sequence[float]] = {}
        for name, weight, scores in zip(names, weights.tolist(), own.tolist(), strict=True):
            parts |= {f"P({name})": [weight] * len(candidates), name: scores}
        if not candidates:
            return [], parts
        # Registers that are out of the question must not take part, however good their score.
        with np.errstate(divide="ignore"):
            shares = own + np.log10(weights)[:, None]
        top = shares.max(axis=0)
        return (top + np.log10((10.0 ** (shares - top)).sum(axis=0))).tolist(), parts
