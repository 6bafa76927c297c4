"""Text of many rows at once, against formatting each."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lexsub.rankers.lm.arpa_writer import Speller

WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)
FINITE = st.floats(-200, 1) | st.floats(allow_nan=False, allow_infinity=False)
SHORT = st.decimals(-99, 0, places=3).map(float)


@given(st.lists(st.tuples(FINITE | SHORT, WORDS, WORDS, SHORT), min_size=1), st.booleans())
def test_rows_are_those_of_formatting_each(
    rows: list[tuple[float, str, str, float]], highest: bool
) -> None:
    prob, backoff = (np.array([row[i] for row in rows]) for i in (0, 3))
    first, second = np.arange(2 * len(rows), dtype=np.int32).reshape(2, -1)
    file = BytesIO()
    speller = Speller([row[i] for i in (1, 2) for row in rows])
    speller.write(file, [first, second], prob, None if highest else backoff)
    line = "{:.7g}\t{} {}\n" if highest else "{:.7g}\t{} {}\t{:.7g}\n"
    assert file.getvalue().decode() == "".join(line.format(*row) for row in rows)
