"""Charts of the page: where things stand, read from the drawing by a parser that is not ours."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.experiments.report.charts import LETTER, Chart, Series, draw
from lexsub.experiments.report.page import TEMPLATES
from lexsub.experiments.report.plots import COLOURS

SVG = "{http://www.w3.org/2000/svg}"
VALUES = st.floats(-1e4, 1e4).map(lambda value: round(value, 3))


def numbers(text: str) -> list[float]:
    return [float(one) for one in re.findall(r"-?[\d.]+", text)]


@st.composite
def charts(draw_: st.DrawFn) -> Chart:
    number = draw_(st.integers(1, 14))
    points = st.lists(st.tuples(VALUES, VALUES | st.just(math.nan)), min_size=1, max_size=6)
    series = tuple(Series(f"<{n}>", chr(65 + n), tuple(draw_(points))) for n in range(number))
    return Chart("key", "a & b", "x", "y", series, diagonal=draw_(st.booleans()))


@given(charts())
def test_lines_keep_their_points_in_order_and_their_letters_apart(chart: Chart) -> None:
    tree = ElementTree.fromstring(str(draw(chart)))
    assert tree.get("aria-label") == "a & b"
    width, height = numbers(tree.get("viewBox") or "")[2:]
    shown = [group for group in tree.iter(f"{SVG}g") if group.find(f"{SVG}circle") is not None]
    known = [one for one in chart.series if one.known]
    places: list[tuple[float, float]] = []
    for group, one in zip(shown, known, strict=True):
        dots = [
            (float(c.get("cx", "")), float(c.get("cy", ""))) for c in group.iter(f"{SVG}circle")
        ]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in dots)
        assert len(dots) == len(one.known)
        titles = [title.text or "" for title in group.iter(f"{SVG}title")]
        assert all(title.startswith(f"{one.name}, ") for title in titles)
        places += dots
    values = [point for one in known for point in one.known]
    for (x, y), (p, q) in zip(values, places, strict=True):
        for (a, b), (c, d) in zip(values, places, strict=True):
            assert x >= a or p <= c + 0.1, "from left to right"
            assert y >= b or q >= d - 0.1, "from bottom to top"
    letters = [
        float(text.get("y", "")) for text in tree.iter(f"{SVG}text") if text.get("class") == "label"
    ]
    assert len(letters) == len(known)
    assert all(b - a >= LETTER - 0.11 for a, b in pairwise(sorted(letters)))


def test_bars_have_whole_names_and_lengths_in_proportion() -> None:
    names = ("a name of thirty-two characters.", "b")
    reached = Series("reached", "", ((0.0, 10.0), (1.0, 20.0)))
    ceiling = Series("ceiling", "", ((0.0, 40.0), (1.0, math.nan)), 0, "outline")
    chart = Chart("k", "t", "", "recall", (reached, ceiling), "bars", names)
    tree = ElementTree.fromstring(str(draw(chart)))
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert set(names) < set(texts)
    assert "10.0 of 40.0" in texts
    widths = [float(bar.get("width", "")) for bar in tree.iter(f"{SVG}rect")]
    assert [w / widths[0] for w in widths] == pytest.approx([1, 2, 4], rel=0.01)
    outline = tree.findall(f".//{SVG}rect[@class='outline']")
    assert outline[0].get("y") == tree.findall(f".//{SVG}rect")[0].get("y")


def test_no_two_lines_look_alike() -> None:
    chart = Chart("k", "t", "x", "y", tuple(Series(str(n), "", ((0.0, 0.0),)) for n in range(48)))
    assert len({chart.style(number) for number in range(48)}) == 48
    assert len({chart.style(number)[0] for number in range(12)}) == 12
    style = (TEMPLATES / "style.css").read_text()
    light, dark = (
        re.findall(r"--c\d+: (#\w+)", part) for part in style.split("color-scheme: dark")[:2]
    )
    for colours in (light, dark[:12], COLOURS):
        assert len(set(colours)) == 12


def test_lines_that_are_one_are_said_to_be() -> None:
    line, other = ((1.0, 0.5), (2.0, math.nan), (3.0, 0.7)), ((1.0, 0.5), (3.0, 0.8))
    series = (Series("a", "A", line), Series("b", "B", other), Series("c", "C", line[::2]),
              Series("gap", "g", ()), Series("mass", "m", ()))  # fmt: skip
    assert Chart("k", "t", "x", "y", series).together() == ["A a, C c"]
    assert Chart("k", "t", "x", "y", series, "bars").together() == []


def test_a_name_that_is_too_long_for_its_room_is_there_in_whole() -> None:
    name = "A " + "a-name-" * 20
    chart = Chart("c", "c", "system", "recall", (Series("s", "", ((0.0, 3.0),)),), "bars", (name,))
    drawn = str(draw(chart))
    assert f"<title>{name}</title>" in drawn
    assert f"{name[:43]}…" in drawn
    short = replace(chart, categories=("A " + "n" * 42,))
    assert "…" not in str(draw(short))
