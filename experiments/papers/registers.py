"""Registers: which kind of text a document is, after Guthrie and Walker (1994).

Labelled documents, what the classifier reaches on them (split, train, classify, tabulate), and what
it should reach, computed exactly: Guthrie, Walker and Guthrie (1994), "Document classification by
machine: theory and practice", table 1: with known shares of distinguishing words, how often is a
document of n tokens classified right?
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lexsub.errors import FormatError, LexsubError, needing
from lexsub.rankers.registers import words_of
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode


@dataclass(frozen=True, slots=True)
class Document:
    """A document.

    Attributes:
        label: its class.
        counts: words, lower case, to how often they occur.
    """

    label: str
    counts: Mapping[str, int]


def read_documents(path: Path, labels: tuple[str, ...] = ()) -> list[Document]:
    """Read JSON Lines with ``label`` and either ``counts`` (word to number) or ``text``.

    Args:
        path: the file, plain or compressed.
        labels: the classes to keep; all where empty.

    Raises:
        FormatError: a line of another shape, or no document of a class asked for.
    """
    documents = []
    for number, line in enumerate(decode(read_unpacked(path), path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(path, number, f"is no JSON ({error}); expected JSON Lines") from error
        row = row if isinstance(row, dict) else {}
        label, counts, text = map(row.get, ("label", "counts", "text"))
        if not isinstance(label, str) or not (isinstance(text, str) or _are_counts(counts)):
            raise FormatError(
                path, number, "expected an object with label and text, or label and counts"
            )
        if not labels or label in labels:
            words = Counter(words_of(text)) if isinstance(text, str) else counts or {}
            documents.append(Document(label, words))
    found = {document.label for document in documents}
    missing = [label for label in labels if label not in found]
    if missing or not documents:
        raise FormatError(
            path, None, f"has no document labelled {' or '.join(missing) or 'at all'}"
        )
    return documents


def _are_counts(counts: object) -> bool:
    return isinstance(counts, dict) and all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in counts.values()
    )


Split = Literal["half", "folds"]


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A row of the table of Jabbari et al. (2006); shares in [0, 1].

    Attributes:
        label: the class.
        documents: how many of it were classified.
        recall: share of them that were found; the paper's "accuracy" of a class, too.
        precision: share of those called so that are of it (0 where none was).
        f: harmonic mean of the two (0 where both are).
    """

    label: str
    documents: int
    recall: float
    precision: float
    f: float


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """The table, with the paper's odd averages under their own names.

    Attributes:
        rows: one a class.
        mean_recall: "AVERAGE" recall: unweighted mean of the rows.
        mean_precision: "AVERAGE" precision: unweighted mean of the rows.
        mean_f: "AVERAGE" F: mean of the rows' F, not the F of the two means.
        overall_accuracy: "AVERAGE" accuracy: share of all documents classified right (the
            mean of the rows' "accuracy" would be ``mean_recall``).
    """

    rows: tuple[ClassRow, ...]
    mean_recall: float
    mean_precision: float
    mean_f: float
    overall_accuracy: float


@dataclass(frozen=True, slots=True)
class Trial:
    """A finished trial.

    Attributes:
        table: figures over all classified documents.
        words: for each class its distinguishing words, most frequent first (of the model
            trained on all documents).
    """

    table: ClassFigures
    words: dict[str, tuple[str, ...]]


def tabulate(true: Sequence[str], found: Sequence[str]) -> ClassFigures:
    """Return the table of true and found classes of the same documents.

    Raises:
        ValueError: no document, or lists of different lengths.
    """
    if not true or len(true) != len(found):
        raise ValueError(f"{len(true)} true and {len(found)} found classes")
    rows = []
    for label in sorted({*true, *found}):
        hits = sum(t == f == label for t, f in zip(true, found, strict=True))
        have, called = true.count(label), list(found).count(label)
        recall = hits / have if have else 0.0
        precision = hits / called if called else 0.0
        f = 2 * recall * precision / (recall + precision) if hits else 0.0
        rows.append(ClassRow(label, have, recall, precision, f))
    size = len(rows)
    return ClassFigures(
        tuple(rows),
        sum(row.recall for row in rows) / size,
        sum(row.precision for row in rows) / size,
        sum(row.f for row in rows) / size,
        sum(t == f for t, f in zip(true, found, strict=True)) / len(true),
    )


def run_trial(
    documents: Sequence[Document],
    *,
    split: Split = "half",
    folds: int = 10,
    frequent: int = 300,
    excluded: int = 500,
    seed: int = 0,
) -> Trial:
    """Train and classify.

    The papers do not say how mail was split: ``half`` trains on half the documents of each
    class and classifies the others (Guthrie and Walker); ``folds`` classifies every document
    by a model trained on the other folds.

    Raises:
        LexsubError: fewer than two classes, or a class too small for the split.
        MissingExtraError: scikit-learn is not installed.
    """
    with needing("scikit-learn", "registers", "classifying registers"):
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.model_selection import StratifiedKFold, train_test_split

        from lexsub.experiments.papers.registers_classifier import GuthrieWalker
    if frequent > excluded:
        raise LexsubError(
            f"frequent is {frequent}, excluded {excluded}; expected excluded to be no smaller, or "
            "one word could distinguish two classes"
        )
    labels = [document.label for document in documents]
    sizes = {label: labels.count(label) for label in sorted(set(labels))}
    least = 2 if split == "half" else folds
    if len(sizes) < 2 or min(sizes.values()) < least:
        shown = ", ".join(f"{label} {size}" for label, size in sizes.items()) or "none"
        raise LexsubError(
            f"documents by class: {shown}; expected two classes, each with at least "
            f"{least} documents"
        )
    vectorizer = DictVectorizer()
    X: Any = vectorizer.fit_transform([document.counts for document in documents])  # noqa: N806
    names = vectorizer.get_feature_names_out()
    places = range(len(labels))
    if split == "half":
        parts = [train_test_split(places, test_size=0.5, stratify=labels, random_state=seed)]
    else:
        folder = StratifiedKFold(folds, shuffle=True, random_state=seed)
        parts = list(folder.split(places, labels))
    true: list[str] = []
    found: list[str] = []
    for train, test in parts:
        model = GuthrieWalker(frequent, excluded)
        model.fit(X[list(train)], [labels[i] for i in train])
        true += [labels[i] for i in test]
        found += map(str, model.predict(X[list(test)]))
    whole = GuthrieWalker(frequent, excluded).fit(X, labels)
    words = {
        str(label): tuple(map(str, names[columns]))
        for label, columns in zip(whole.classes_, whole.word_sets_, strict=True)
    }
    return Trial(tabulate(true, found), words)


def share_correct(shares: Sequence[Sequence[float]], true: int, tokens: int) -> float:
    """Return the probability that a document of one class is classified as that class.

    Sums the multinomial probabilities of all ways in which the tokens of the document may
    fall into the word sets and for which the true class is strictly the likeliest.

    Args:
        shares: for each class the share of its tokens in each word set; rows sum to 1.
        true: index of the class the document is drawn from.
        tokens: its length.

    Raises:
        LexsubError: shares that are no distribution, or not positive.
    """
    for row in shares:
        if len(row) != len(shares[0]) or min(row) <= 0 or abs(sum(row) - 1) > 1e-9:
            raise LexsubError(
                f"shares {list(row)} are no distribution over {len(shares[0])} word sets; expected "
                "positive numbers that sum to 1"
            )
    logs = [[math.log(share) for share in row] for row in shares]
    total = 0.0
    for counts in _compositions(tokens, len(shares[0])):
        scores = [sum(n * log for n, log in zip(counts, row, strict=True)) for row in logs]
        if all(scores[true] > score for k, score in enumerate(scores) if k != true):
            ways = math.lgamma(tokens + 1) - sum(math.lgamma(n + 1) for n in counts)
            total += math.exp(ways + scores[true])
    return total


def _compositions(tokens: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (tokens,)
        return
    for first in range(tokens + 1):
        for rest in _compositions(tokens - first, parts - 1):
            yield (first, *rest)
