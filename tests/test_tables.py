"""One table value: what its renderers print, read back by others' readers."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lexsub.printable import printable
from lexsub.tables import Entry, Number, Table
from lexsub.tables.terminal import to_text
from lexsub.tables.writers import to_csv, to_html, to_latex, to_markdown

HOSTILE = (
    "[red]a[/b] \x1b]0;owned\x07\x1b[31m \x9b1m \\input{x} $5 & 7% _#{}~^ \u202e|\n% \r"
    "\\end{tabular} <b>"
)

NUMBERS = st.builds(
    Number,
    st.floats(-1e6, 1e6) | st.just(math.nan),
    low=st.none() | st.floats(-10, 0),
    high=st.none() | st.floats(0, 10),
    digits=st.integers(0, 4),
    kind=st.sampled_from(["figure", "difference", "p"]),
    best=st.booleans(),
    marks=st.sampled_from(["", "A", "A B"]),
)
ENTRIES = st.text() | st.integers() | NUMBERS | st.none()


@st.composite
def tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 4))
    row = st.lists(ENTRIES, min_size=width, max_size=width)
    columns = draw(st.lists(st.text(), min_size=width, max_size=width))
    rows = draw(st.lists(row, min_size=1, max_size=4))
    return Table(draw(st.text()), columns, rows, draw(st.lists(st.text(), max_size=2)), 1)


class Reader(HTMLParser):
    """Rows of a table, by a parser that is not ours."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(text.partition("</table>")[0])

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def squeezed(rows: list[list[str]]) -> list[list[str]]:
    return [[" ".join(cell.split()) for cell in row] for row in rows]


@given(tables())
def test_html_and_markdown_give_the_same_cells(table: Table) -> None:
    expected = [list(map(printable, table.columns)), *table.texts()]
    assert squeezed(Reader(to_html(table)).rows) == squeezed(expected)
    page = MarkdownIt("commonmark").enable("table").render(to_markdown(table))
    header, *body = squeezed(Reader(page).rows)
    assert body == squeezed(table.texts())
    assert all(header)


@given(tables())
def test_json_gives_the_table_back(table: Table) -> None:
    again = Table.of_json(json.loads(json.dumps(table.as_json())))
    assert repr(again.as_json()) == repr(table.as_json())
    assert again.texts() == table.texts()


@pytest.mark.parametrize("damage", [{"rows": [[1, 2, 3]]}, {"rows": [[[]]]}, {"columns": 3}])
def test_json_of_something_else_is_refused(damage: dict[str, object]) -> None:
    whole = Table("t", ["a"], [["x"]]).as_json()
    with pytest.raises((TypeError, ValueError)):
        Table.of_json(whole | damage)


@given(tables())
def test_csv_keeps_the_figures(table: Table) -> None:
    header, *body = list(csv.reader(io.StringIO(to_csv(table), newline="")))
    bounded = any(isinstance(c, Number) and c.low is not None for row in table.rows for c in row)
    step = 3 if bounded else 1
    assert len(header) == table.names + step * (len(table.columns) - table.names)
    if len(header) > 1:  # a line of one empty cell is no line
        for line, row in zip(body, table.rows, strict=True):
            for place, cell in enumerate(row[table.names :]):
                if isinstance(cell, Number) and not math.isnan(cell.value):
                    shown = float(line[table.names + step * place])
                    assert shown == pytest.approx(cell.value, abs=5e-5)


@pytest.mark.parametrize("place", ["title", "column", "name", "cell", "note"])
def test_nothing_from_a_file_is_obeyed(place: str) -> None:
    text = {key: HOSTILE if key == place else key for key in
            ("title", "column", "name", "cell", "note")}  # fmt: skip
    table = Table(text["title"], ["n", text["column"]], [[text["name"], text["cell"]]],
                  [text["note"]])  # fmt: skip
    shown = to_text(table)
    assert "[red]a[/b]" in shown
    for rendered in (shown, to_markdown(table), to_latex(table), to_html(table)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", rendered)
    tex = to_latex(table).splitlines()
    assert tex.index(r"\end{tabular}") == next(
        i for i, line in enumerate(tex) if r"\end{tabular}" in line and line[0] != "%"
    )
    assert all(line[0] in "%\\n" or line.endswith(r"\\") for line in tex)


def test_a_number_prints_by_its_scale() -> None:
    assert str(Number(9.3, 1.04, 20.06)) == "9.30 [1.0, 20.1]"
    assert str(Number(0.0938, 0.0214, 0.1751, 4)) == "0.0938 [0.021, 0.175]"
    assert str(Number(1.2, -0.3, 2.7, kind="difference")) == "+1.20 [-0.3, +2.7]"
    assert [str(Number(p, digits=4, kind="p")) for p in (0.00001, 0.0001)] == ["<0.0001", "0.0001"]
    assert str(Number(math.nan)) == "–"


def test_the_best_is_bold_in_latex_with_the_letters_of_those_it_beats() -> None:
    rows: list[list[Entry]] = [
        ["A", Number(1.0), Number(-3.0)],
        ["B", Number(2.0, marks="A C"), None],
    ]
    tex = to_latex(Table("t", ["system", "x", "y"], rows).best(range(2)))
    assert r"A & 1.00 & \textbf{$-$3.00} \\" in tex
    assert r"B & \textbf{2.00}$^{\mathrm{AC}}$ &  \\" in tex


def test_words_stand_left_and_figures_right() -> None:
    rows = [["a", "0.5", "one"], ["b", "12.5", "three words here"]]
    lines = to_text(Table("", ["system", "x", "why"], rows)).splitlines()
    assert [line.rstrip() for line in lines] == [
        "system     x  why", "a        0.5  one", "b       12.5  three words here",
    ]  # fmt: skip


def test_figures_are_never_cut_off() -> None:
    names = [f"coverage-F@{n}" for n in range(1, 11)]
    table = Table("t", ["system", *names], [["a", *(Number(n / 7) for n in range(10))]])
    lines = to_text(table, 80).split("\n")
    assert max(map(len, lines)) <= 80
    # In parts, each with the names.
    heads, figures = [], []
    for one in " ".join(lines[1:]).split():
        (heads if one.startswith("coverage") else figures).append(one)
    assert heads == names
    shown = [f"{n / 7:.2f}" for n in range(10)]
    assert [one for one in figures if one not in ("system", "a")] == shown
    assert figures.count("a") == figures.count("system") == 2
    # A column that is wider alone runs over the edge.
    assert "coverage-F@1" in to_text(table, 5)


def test_intervals_go_where_a_terminal_is_too_narrow() -> None:
    table = Table("t", ["system", "x"], [["name", Number(1, 0, 2)]])
    assert "1.00 [0.0, 2.0]" in to_text(table, 40)
    narrow = to_text(table, 12)
    assert "[" not in narrow
    assert "intervals do\nnot fit" in narrow
