"""Every way of computing neighbours against the papers' formulas over full vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

from lexsub.candidates.distributional import kernel
from lexsub.candidates.distributional.kernel import (
    Neighbours,
    compiled_kernel,
    prepare,
    scan,
    word_sizes,
)
from lexsub.candidates.distributional.measures import MEASURES, measure_name, parse_measure
from lexsub.candidates.distributional.weights import Counts, ln, weigh
from lexsub.errors import ConfigError, MissingExtraError
from tests.distributional import dense

ALL = tuple(dense.MEASURES)


def sparse(counts: NDArray[np.int64], relations: NDArray[np.int16] | None = None) -> Counts:
    rows, contexts = np.nonzero(counts)
    starts = np.searchsorted(rows, np.arange(len(counts) + 1)).astype(np.int64)
    if relations is None:
        relations = np.zeros(counts.shape[1], np.int16)
    return Counts(
        starts, contexts.astype(np.int32), counts[rows, contexts].astype(np.uint32), relations
    )


def all_ways(counts: Counts, measure: str, k: int) -> dict[str, Neighbours]:
    similarity = parse_measure(measure)
    formula, higher = similarity.formula(), similarity.higher_is_closer
    matrix = prepare(counts, formula)
    words = len(counts.starts) - 1
    weighted = weigh(counts, formula.weights)
    sizes = word_sizes(weighted, formula)
    single = [scan(weighted, sizes, formula, higher, word, k) for word in range(words)]
    return {
        "compiled": compiled_kernel(formula, higher)(matrix, 0, words, k),
        "single": Neighbours(
            np.concatenate([entry.ids for entry in single]),
            np.concatenate([entry.values for entry in single]),
        ),
    }


# --- the worked example of the specification -------------------------------------------------

TOY = np.array([[3, 1, 0], [1, 1, 2], [2, 0, 2]])  # t, n, m over a, b, c
TOY_MARGINALS = np.array([0.5, 1 / 6, 1 / 3])


@pytest.mark.parametrize(
    ("measure", "with_n", "with_m"),
    [
        ("cosine", 0.5164, 0.6708),
        ("l1", 1.0, 1.0),
        ("jaccard", 0.6667, 0.3333),
        ("jaccard(contexts=ppmi)", 0.3333, None),
        ("lin", 0.5, None),
        ("alpha-skew", 0.8091, 1.4517),
        ("alpha-skew(direction=candidate)", 2.0296, 2.1015),
    ],
)
def test_worked_example_to_four_digits(measure: str, with_n: float, with_m: float | None) -> None:
    """Counts t{a3,b1}, n{a1,b1,c2}, m{a2,c2}; P(f) = .5, 1/6, 1/3 comes from these counts."""
    np.testing.assert_allclose(TOY.sum(axis=0) / TOY.sum(), TOY_MARGINALS)
    for way, found in all_ways(sparse(TOY), measure, 2).items():
        values = dict(zip(found.ids[0].tolist(), found.values[0].tolist(), strict=True))
        assert values.get(1) == pytest.approx(with_n, abs=5e-5), way
        if with_m is None:
            assert 2 not in values, way
        else:
            assert values.get(2) == pytest.approx(with_m, abs=5e-5), way


# --- random matrices -------------------------------------------------------------------------

matrices = st.tuples(st.integers(1, 9), st.integers(1, 8)).flatmap(
    lambda shape: npst.arrays(
        np.int64, shape, elements=st.sampled_from([0, 0, 0, 0, 1, 1, 2, 3, 17])
    )
)


@pytest.mark.parametrize("measure", ALL)
@settings(max_examples=40)
@example(counts=np.zeros((3, 2), np.int64))  # empty rows
@example(counts=np.array([[5], [5], [1]]))  # a single context
@example(counts=np.array([[2, 1, 0], [2, 1, 0], [4, 2, 0], [0, 0, 1]]))  # identical words
@given(counts=matrices)
def test_all_ways_agree_with_the_formulas(measure: str, counts: NDArray[np.int64]) -> None:
    relations = (np.arange(counts.shape[1]) % 2).astype(np.int16)
    expected = dense.neighbours(counts, relations, measure)
    ways = all_ways(sparse(counts, relations), measure, len(counts))
    for way, found in ways.items():
        for target, values in enumerate(expected):
            ids = [i for i in found.ids[target].tolist() if i >= 0]
            assert sorted(ids) == sorted(values), way
            got = found.values[target, : len(ids)]
            np.testing.assert_allclose(got, [values[i] for i in ids], rtol=1e-9, atol=1e-9)
            assert np.isnan(found.values[target, len(ids) :]).all()
    assert len({(f.ids.tobytes(), f.values.tobytes()) for f in ways.values()}) == 1


@pytest.mark.parametrize("measure", ALL)
@given(counts=matrices, k=st.integers(1, 4))
@settings(max_examples=20)
def test_fewer_neighbours_are_the_first_ones_best_first_ties_by_id(
    measure: str, counts: NDArray[np.int64], k: int
) -> None:
    higher = parse_measure(measure).higher_is_closer
    assert higher == dense.MEASURES[measure][2]
    whole = all_ways(sparse(counts), measure, len(counts))["single"]
    for way, found in all_ways(sparse(counts), measure, k).items():
        width = min(k, len(counts))
        assert found.ids[:, :width].tobytes() == whole.ids[:, :width].tobytes(), way
    for ids, values in zip(*whole, strict=True):
        pairs = [(-v if higher else v, i) for i, v in zip(ids, values, strict=True) if i >= 0]
        assert pairs == sorted(pairs)


def test_many_words_overflow_the_compiled_buffer_with_ties() -> None:
    """More candidates than the buffer holds, most of them tied: the cut must keep low ids."""
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 3, (900, 12))
    for measure in ("jaccard", "l1", "alpha-skew"):
        ways = all_ways(sparse(counts), measure, 7)
        assert len({(f.ids.tobytes(), f.values.tobytes()) for f in ways.values()}) == 1


@pytest.mark.parametrize("measure", ["cosine", "l1", "jaccard"])
def test_against_scikit_learn(measure: str) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    counts = rng.poisson(0.4, (60, 90)).astype(np.int64)
    counts[:, 0] += 1
    p = dense.probabilities(counts)
    theirs = sklearn.pairwise_distances(
        p > 0 if measure == "jaccard" else p,
        metric={"cosine": "cosine", "l1": "manhattan", "jaccard": "jaccard"}[measure],
    )
    theirs = theirs if measure == "l1" else 1 - theirs
    found = all_ways(sparse(counts), measure, 59)["compiled"]
    for target in range(60):
        np.testing.assert_allclose(
            found.values[target], theirs[target, found.ids[target]], rtol=1e-9
        )


# --- measures as values ----------------------------------------------------------------------


@pytest.mark.parametrize("measure", ALL)
def test_a_measure_prints_as_it_is_read(measure: str) -> None:
    assert measure_name(parse_measure(measure)) == measure


def test_every_registered_measure_is_tested() -> None:
    assert {name.partition("(")[0] for name in ALL} == set(MEASURES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cosin", "did you mean cosine"),
        ("alpha-skew(alpha=2)", "alpha: found 2.0; expected less than 1"),
        ("alpha-skew(alpha)", "write name=value"),
        ("alpha-skew(beta=1)", "unknown key"),
        ("lin(marginals=rows)", "'word' or 'relation'"),
        ("", "expected a measure such as lin"),
    ],
)
def test_mistakes_in_a_measure_are_named(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words.replace("(", r"\(")):
        parse_measure(text)


def test_a_table_wants_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    kernel._compiled.cache_clear()  # what was compiled before needs numba no more
    similarity = parse_measure("lin")
    with pytest.raises(MissingExtraError, match="thesaurus"):
        compiled_kernel(similarity.formula(), similarity.higher_is_closer)


# --- the logarithm ---------------------------------------------------------------------------


@given(st.floats(1e-300, 1e300))
def test_ln_is_within_one_unit_in_the_last_place(x: float) -> None:
    found = float(ln(np.float64(x)))
    assert abs(found - np.log(x)) <= np.spacing(abs(np.log(x))) if x != 1 else found == 0


def test_ln_of_an_array_is_ln_of_its_numbers() -> None:
    numbers = np.exp(np.random.default_rng(0).uniform(-30, 30, 1000))
    assert ln(numbers).tolist() == [float(ln(np.float64(x))) for x in numbers]


def test_equal_but_for_noise_is_a_tie() -> None:
    """7/10 twice, but not in floating point: the word that comes first stays first."""
    counts = np.array([
        [1, 3, 0, 3, 0, 0, 3], [1, 1, 0, 1, 1, 1, 3], [1, 3, 1, 1, 1, 0, 1],
    ])  # fmt: skip
    for order in ([0, 1, 2], [0, 2, 1]):
        for way, found in all_ways(sparse(counts[order]), "l1", 2).items():
            assert found.ids[0].tolist() == [1, 2], way
            assert found.values[0, 0] == found.values[0, 1] == pytest.approx(0.7, abs=1e-9), way
