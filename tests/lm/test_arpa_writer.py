"""Text of many rows at once, against formatting each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.rankers.lm.arpa_writer import ODD, Column, join, number_cells, word_cells

WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)
FINITE = st.floats(-200, 1) | st.floats(allow_nan=False, allow_infinity=False)
SHORT = st.decimals(-99, 0, places=3).map(float)


@given(st.lists(st.tuples(FINITE | SHORT, WORDS, SHORT), min_size=1))
def test_rows_are_those_of_formatting_each(rows: list[tuple[float, str, float]]) -> None:
    numbers, backoffs = (np.array([row[i] for row in rows]) for i in (0, 2))
    words = [word.encode() for _, word, _ in rows]
    columns = [
        Column(number_cells(numbers, b"\t"), lambda row: b"%.7g\t" % numbers[row]),
        Column(word_cells(words, b"\t"), lambda row: words[row] + b"\t"),
        Column(number_cells(backoffs, b"\n"), lambda row: b"%.7g\n" % backoffs[row]),
    ]
    assert join(columns).decode() == "".join("{:.7g}\t{}\t{:.7g}\n".format(*row) for row in rows)


@pytest.mark.parametrize("power", range(-4, 2))
def test_logarithms_fit_a_cell_and_read_as_formatted(power: int) -> None:
    values = -(10.0**power) * np.random.default_rng(power + 4).uniform(1, 10, 20_000)
    values[:2000] = values[:2000].round(3 - power)
    cells = number_cells(values, b"\t")
    fitting = cells != ODD
    assert fitting.mean() > 0.99
    texts = [cell.replace(b"\0", b"") for cell in cells[fitting].tolist()]
    assert texts == [b"%.7g\t" % value for value in values[fitting]]
