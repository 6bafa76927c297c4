"""The classifier of distinguishing words as a scikit-learn estimator.

This module imports scikit-learn (extra ``registers``) and is imported where it is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from lexsub.rankers.registers import Floats, joint_log, posterior, set_shares, word_sets


class GuthrieWalker(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Tell classes of documents apart by words that are frequent in one class alone.

    The vocabulary falls into k + 1 sets: for each of k classes the words among its
    ``frequent`` most frequent ones that are not among the ``excluded`` most frequent ones of
    any other class, and all the rest.  A document with n_j tokens in set j goes to the class
    with the greatest Π_j p_ij ^ n_j, p_ij being the share of the training tokens of class i
    in set j.  There is no prior; documents without a distinguishing word, and ties, go to the
    largest class.  (Guthrie, Walker and Guthrie, 1994; for k classes, Guthrie and Guthrie,
    1996.)  A share of 0 counts as half a token.

    Rows of X are documents, columns words, values counts: as CountVectorizer and
    DictVectorizer make them.

    Attributes:
        classes_: the classes in order.
        word_sets_: for each class the columns of its distinguishing words, most frequent first.
        shares_: p_ij, shape (classes, classes + 1); the last column is the rest.
        largest_: index of the class with the most training documents.
    """

    def __init__(self, frequent: int = 300, excluded: int = 500) -> None:
        self.frequent = frequent
        self.excluded = excluded

    def fit(self, X: Any, y: Any) -> GuthrieWalker:  # noqa: N803
        """Find the distinguishing words and their shares.

        Raises:
            ValueError: a single class, negative counts, or limits out of order.
        """
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)  # noqa: N806
        check_classification_targets(y)
        _refuse_negative(X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"the data have one class, {self.classes_[0]!r}; expected two or more")
        totals = np.stack([_sum(X[codes == k]) for k in range(len(self.classes_))])
        self.word_sets_ = word_sets(totals, self.frequent, self.excluded)
        self.shares_ = set_shares(totals, self.word_sets_)
        self.largest_ = int(np.argmax(np.bincount(codes)))
        return self

    def predict_joint_log_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return Σ_j n_j log p_ij, shape (documents, classes)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)  # noqa: N806
        _refuse_negative(X)
        inside = np.stack([_sum(X[:, columns].T) for columns in self.word_sets_], axis=1)
        return joint_log(inside, _sum(X.T), self.shares_)

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return the posterior of each class, all equally likely before: (documents, classes)."""
        return posterior(self.predict_joint_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the class of each document, shape (documents,)."""
        scores = self.predict_joint_log_proba(X)
        best = scores.max(axis=1)
        tied = (scores == best[:, None]).sum(axis=1) > 1
        chosen = np.where(tied, self.largest_, scores.argmax(axis=1))
        result: NDArray[Any] = self.classes_[chosen]
        return result

    def __sklearn_tags__(self) -> Any:
        """Say that counts are not negative, and that few words tell nothing apart."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        return tags


def _sum(rows: Any) -> Floats:
    """Return the sum over the first axis, of a dense or a sparse matrix."""
    return np.asarray(rows.sum(axis=0), dtype=np.float64).ravel()


def _refuse_negative(X: Any) -> None:  # noqa: N803
    values = X.data if hasattr(X, "tocsr") else X
    if values.size and values.min() < 0:
        raise ValueError("Negative values in data passed to GuthrieWalker; expected counts")
