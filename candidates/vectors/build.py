"""From counts to vectors: positive PMI, factorised; model kind and candidate source ``vectors``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_types import Le
from numpy.typing import NDArray

from lexsub.candidates.distributional.model import Space, ThesaurusModel
from lexsub.candidates.distributional.weights import positive_pmi
from lexsub.candidates.opened import ByTarget
from lexsub.errors import look_for, needing
from lexsub.parts.base import CandidateSource, ModelBuilder
from lexsub.parts.limits import AboveZero, Natural, NotNegative, Positive, Share
from lexsub.rankings import Candidate, Origin
from lexsub.resources import Resources
from lexsub.vectors.files import Kind, convert, files_of
from lexsub.vectors.folder import ANY_POS, Numbers, write_vectors
from lexsub.vectors.vectors import open_vectors

NEEDS = ("scikit-learn", "learn", "building vectors")


@dataclass(frozen=True)
class VectorsBuilder(ModelBuilder):
    """Makes vectors from the counts of a thesaurus, or from a file of yours.

    From counts: positive pointwise mutual information of words and contexts, factorised to a
    few hundred dimensions (Levy, Goldberg and Dagan, 2015).

    Attributes:
        thesaurus: name of a model of kind ``thesaurus`` above this one, or the folder of one.
        file: instead, a file of vectors (word2vec, GloVe, numpy's npy), or its name in
            ``[resources]``; the options below up to ``format`` then play no role.
        dimensions: numbers a vector; fewer where the counts support no more.
        space: ``joint``: all words lie in one space, so that words of different parts of speech
            compare; ``by-pos``: each part of speech has one of its own.
        contexts: ``word``: a context is just the other word, whatever the relation, which brings
            together what different relations tell; ``relation``: the relation with the word.
        alpha: power of the contexts' counts in P(c); .75 is kinder to rare contexts.
        shift: what is taken off every PMI, in nats; more leaves only strong ties.
        power: weight of the dimensions: 0 all alike, 1 by their singular values.
        word_tokens: context tokens that a word needs at least.
        context_words: different words that a context needs at least; what one word alone has
            makes no two words alike.
        iterations: rounds of the randomised factorisation; more come closer to the exact one.
        format: of ``file``: ``auto`` tells by its beginning.
        limit: take the first so many words of ``file``; 0 takes all.
        numbers: what is written: ``float32``, or ``int8`` in a quarter of the place.
    """

    thesaurus: str = ""
    file: str = ""
    dimensions: Annotated[Positive, Le(100_000)] = 300
    space: Literal["joint", "by-pos"] = "joint"
    contexts: Literal["word", "relation"] = "word"
    alpha: Annotated[AboveZero, Le(1)] = 0.75
    shift: NotNegative = 0.0
    power: Share = 0.5
    word_tokens: Positive = 20
    context_words: Positive = 2
    iterations: Annotated[Natural, Le(10_000)] = 5
    format: Kind = "auto"
    limit: Natural = 0
    numbers: Numbers = "float32"

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.thesaurus) == bool(self.file):
            raise ValueError("expected either thesaurus or file")

    def check_extras(self) -> None:
        """Look for scikit-learn where vectors are made from counts."""
        if self.thesaurus:
            look_for("sklearn", *NEEDS)

    def inputs(self, resources: Resources) -> Sequence[Path]:
        """Return the thesaurus (its folder), or the file (and that of its words)."""
        if self.file:
            return files_of(resources.here(resources.paths.get(self.file, Path(self.file))))
        return [resources.model(self.thesaurus, "thesaurus")]

    def build(self, resources: Resources, folder: Path) -> None:
        """Write the vectors into a folder.

        Raises:
            LexsubError: the source is missing or not what it should be.
        """
        source = self.inputs(resources)[0]
        if self.file:
            convert(source, folder, self.format, self.limit, self.numbers)
            return
        build_vectors(source, folder, self, resources.seed)


def build_vectors(source: Path, folder: Path, options: VectorsBuilder, seed: int = 0) -> None:
    """Factorise the counts of the thesaurus ``source`` and write the vectors into ``folder``.

    Raises:
        LexsubError: no thesaurus there, or no word has enough tokens.
    """
    model = ThesaurusModel(source)
    spaces = {pos: model.space(pos) for pos in model.header.spaces}
    tokens: dict[str, int] = {}
    apart = [{pos: space} for pos, space in spaces.items()]
    groups = apart if options.space == "by-pos" else [spaces]
    hidden = ("thesaurus", "file", "format", "limit", "numbers")
    parameters = {k: v for k, v in asdict(options).items() if k not in hidden} | {"seed": seed}
    write_vectors(
        folder,
        _portions(groups, options, seed, tokens),
        origin="ppmi-svd",
        keys="form" if ANY_POS in spaces else "lexelt",
        joint=len(groups) == 1,
        parameters=parameters,
        sources=[{"kind": "thesaurus", "sha256": model.header.digest}],
        tokens=tokens,
        numbers=options.numbers,
    )


def _portions(
    groups: Sequence[dict[str, Space]], options: VectorsBuilder, seed: int, tokens: dict[str, int]
) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
    for group in groups:
        least = options.word_tokens, options.context_words
        words, seen, counts, _ = stacked(group, options.contexts, *least)
        tokens |= zip(words, seen, strict=True)
        if not counts.nnz:
            continue
        weights = ppmi(counts, options.alpha, options.shift)
        found = factorise(weights, options.dimensions, options.power, options.iterations, seed)
        # Rows keep one width over all groups.
        wide = np.zeros((len(words), options.dimensions), np.float32)
        wide[:, : found.shape[1]] = found
        yield words, wide


def stacked(
    spaces: Mapping[str, Space],
    of: Literal["word", "relation"],
    word_tokens: int,
    context_words: int,
) -> tuple[list[str], list[int], Any, list[str]]:
    """Put the words of parts of speech under each other, contexts of one name in one column.

    Args:
        spaces: by part of speech.
        of: what a context is; see :class:`VectorsBuilder`.
        word_tokens: context tokens that a word needs at least.
        context_words: different words that a context needs at least.

    Returns:
        The words, their context tokens, the counts, and the names of the columns.
    """
    from scipy.sparse import csr_array

    words: list[str] = []
    tokens: list[int] = []
    column: dict[str, int] = {}
    blocks = []
    for pos, space in spaces.items():
        stored = space.counts
        cells = stored.counts.astype(np.float64), stored.contexts, stored.starts
        counts = csr_array(cells, shape=(space.header.words, space.header.contexts))
        seen = np.asarray(counts.sum(1)).ravel()
        # Words come by falling number of tokens.
        last = int(np.count_nonzero(seen >= word_tokens))
        tokens += seen[:last].astype(np.int64).tolist()
        mark = "" if pos == ANY_POS else f".{pos}"
        words += [f"{space.words[i].replace(' ', '_')}{mark}" for i in range(last)]
        contexts = list(space.contexts)
        if of == "word":
            contexts = [context.partition("\t")[2] for context in contexts]
        to = np.array([column.setdefault(context, len(column)) for context in contexts], np.int64)
        rows = counts[:last]
        blocks.append((rows.data, to[rows.indices], np.diff(rows.indptr)))
    data, columns, lengths = map(np.concatenate, zip(*blocks, strict=True))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    whole = csr_array((data, columns, starts), shape=(len(words), len(column)))
    whole.sum_duplicates()
    users = np.bincount(whole.indices, minlength=len(column))
    kept = np.flatnonzero(users >= context_words)
    names = list(column)
    return words, tokens, whole[:, kept], [names[place] for place in kept.tolist()]


OVERSAMPLES = 20


def ppmi(counts: Any, alpha: float = 1.0, shift: float = 0.0) -> Any:
    """Return the positive PMI of words and contexts, sparse, of the same shape.

    max(0, ln P(w, c) / (P(w) P_α(c)) - shift), where P_α(c) is proportional to the count of
    the context to the power α (Levy, Goldberg and Dagan, 2015, sections 2.1 and 3.2).

    Args:
        counts: sparse (words, contexts), every stored count at least 1.
        alpha: 1 leaves the contexts' distribution as counted; .75 is kinder to rare ones.
        shift: ln k stands for k negative samples.
    """
    from scipy.sparse import csr_array

    counts = csr_array(counts, dtype=np.float64)
    of_word = np.asarray(counts.sum(1)).ravel()
    of_context = np.asarray(counts.sum(0)).ravel()
    smoothed = np.where(of_context > 0, of_context, 1.0) ** alpha * (of_context > 0)
    prior = smoothed / smoothed.sum() if smoothed.sum() else smoothed
    words = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    weights = positive_pmi(counts.data / (of_word[words] * prior[counts.indices]), shift)
    found = csr_array((weights, counts.indices, counts.indptr), shape=counts.shape).copy()
    found.eliminate_zeros()
    return found


def factorise(
    matrix: Any, dimensions: int, power: float, iterations: int, seed: int
) -> NDArray[np.float64]:
    """Return U Σ^power of the strongest ``dimensions`` singular values, one row a word.

    Words without weights get zeros, and fewer dimensions come out where the matrix has no
    more; see :func:`decompose`.
    """
    left, values, _ = decompose(matrix, dimensions, iterations, seed)
    return left * values**power


def decompose(
    matrix: Any, dimensions: int, iterations: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return U, Σ and V of the strongest ``dimensions`` singular values, a row a word or context.

    Randomised subspace iteration (Halko, Martinsson and Tropp, 2011, algorithms 4.4 and 5.1)
    as scikit-learn has it.  The bytes repeat: the start is seeded, the number of threads
    is one, and of each dimension the word's number furthest from 0 is positive.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    with needing(*NEEDS):
        from sklearn.utils.extmath import randomized_svd
        from threadpoolctl import threadpool_limits
    size = min(dimensions, *matrix.shape)
    with threadpool_limits(1):
        left, values, right = randomized_svd(
            matrix,
            size,
            n_oversamples=OVERSAMPLES,
            n_iter=iterations,
            power_iteration_normalizer="LU",
            flip_sign=False,
            random_state=seed,
        )
    kept = values > values[0] * 1e-10 if len(values) else values > 0
    left, values, right = left[:, kept], values[kept], right[kept].T
    signs = np.sign(left[np.abs(left).argmax(0), np.arange(left.shape[1])])
    left = left * signs
    # Words without weights come out near 0, in a direction that rounding decides.
    left[np.diff(matrix.indptr) == 0] = 0.0
    return left, values, right * signs


@dataclass(frozen=True)
class NearestVectors(CandidateSource):
    """The words whose vectors are nearest to the target's.

    The sentence plays no role; a target without a vector gets none.  Candidates come nearest
    first; the score of their origin is the cosine.  Vectors of forms know no parts of speech
    and bring inflected forms in, too.

    Attributes:
        vectors: name of a model in the config's ``[models]`` or a place in ``[resources]``,
            or a folder of vectors.
        k: how many neighbours.
    """

    vectors: str
    k: Positive = 50

    reads_models: ClassVar[dict[str, str]] = {"vectors": "vectors"}

    def open(self, resources: Resources) -> ByTarget:
        """Open the vectors."""
        vectors = open_vectors(resources, self.vectors)

        def candidates(lemma: str, pos: str) -> Iterator[Candidate]:
            found = vectors.nearest(lemma, pos, self.k)
            others = (near for near in found if near.word.lower() != lemma.lower())
            for rank, near in enumerate(others):
                yield Candidate(near.word, (Origin("vectors", rank, "", near.value),))

        return ByTarget(candidates)
