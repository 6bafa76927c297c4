"""Trying the classifier on labelled documents: split, train, classify, tabulate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lexsub.errors import LexsubError, needing
from lexsub.experiments.papers.registers.documents import Document

Split = Literal["half", "folds"]


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A row of the table of Jabbari et al. (2006); shares in [0, 1].

    Attributes:
        label: the class.
        documents: how many of it were classified.
        recall: share of them that were found.
        precision: share of those called so that are of it (0 where none was).
        f: harmonic mean of the two (0 where both are).
    """

    label: str
    documents: int
    recall: float
    precision: float
    f: float

    @property
    def accuracy(self) -> float:
        """The paper's class "accuracy": the same as recall."""
        return self.recall


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

        from lexsub.experiments.papers.registers.classifier import GuthrieWalker
    if frequent > excluded:
        raise LexsubError(
            f"frequent is {frequent}, excluded {excluded}; expected excluded to be no smaller, or "
            "one word could distinguish two classes"
        )
    labels = [document.label for document in documents]
    sizes = {label: labels.count(label) for label in sorted(set(labels))}
    smallest = min(sizes.values(), default=0)
    if len(sizes) < 2 or smallest < (2 if split == "half" else folds):
        shown = ", ".join(f"{label} {size}" for label, size in sizes.items()) or "none"
        raise LexsubError(
            f"documents by class: {shown}; expected two classes, each with at least "
            f"{2 if split == 'half' else folds} documents"
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
