"""Results in notebooks: tables, data frames, and never a wall of text."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

import lexsub
from lexsub.evaluation.agreement.labels import report_labels
from lexsub.formats.annotations import LabelChoice
from lexsub.printable import printable
from lexsub.rankings import Ranked, Ranking
from lexsub.tables import Table, Tabular
from lexsub.tables.writers import SHOWN
from tests.conftest import PATIENCE, ROOT

GOLD = lexsub.Gold(
    "gold",
    {
        "1": lexsub.GoldItem("1", "calm.a", {"still": 3, "quiet": 2}),
        "2": lexsub.GoldItem("2", "calm.a", {"still": 2, "mild": 2}),
    },
)
HOSTILE = '<script>alert("1")</script> | `x` *b* $y$ \u202e\U0001f600\nline'


MINI = """
name = "mini"
data = "tutorial/test"

[[systems]]
name = "wordnet"
candidates = "wordnet"
"""


class Cells(HTMLParser):
    """The cells of a table, read by a parser that is not ours, and every tag seen."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def scores() -> lexsub.Scores:
    systems = {"a": {"1": ["still"], "2": ["mild"]}, "b": {"1": ["quiet"]}}
    return lexsub.evaluate(GOLD, systems, "best", interval=None)


def everything() -> list[Tabular]:
    systems = {"a": {"1": ["still"], "2": ["mild"]}, "b": {"1": ["quiet"], "2": ["x"]}}
    choices = [LabelChoice(str(n), who, "xyz"[n % 3]) for n in range(9) for who in "AB"]
    return [
        scores(),
        lexsub.compare(GOLD, systems, "best-R"),
        Ranking("1", "calm.a", (Ranked("still", 2.0, ("wordnet",)), Ranked("at rest", 1.0))),
        GOLD,
        lexsub.load("tutorial/test"),
        report_labels(choices),
    ]


@pytest.mark.parametrize("thing", everything(), ids=lambda thing: type(thing).__name__)
def test_all_show_as_tables_and_become_frames(thing: Tabular) -> None:
    shown = Cells(thing._repr_html_())
    view = thing.view()
    assert shown.cells[: len(view.columns)] == list(view.columns)
    width = len(view.columns)
    assert len(shown.cells) == width * (1 + min(len(view.rows), SHOWN))
    assert len(repr(thing)) < 200
    assert "\n" not in repr(thing)
    assert thing.to_pandas().shape == thing.to_polars().shape == (
        len(thing.records()), len(thing.records()[0]),
    )  # fmt: skip


def test_figures_are_those_of_the_scores() -> None:
    shown = Cells(scores()._repr_html_()).cells
    place = shown.index("best-R")
    assert shown[place : place + 4] == ["best-R", "2", "55.00", "20.00"]
    frame = scores().to_pandas().set_index(["system", "measure"])["value"]
    assert frame["a", "best-R"] == pytest.approx((3 / 5 + 2 / 4) / 2)


class Hostile(Tabular):
    def records(self) -> list[dict[str, object]]:
        return [{HOSTILE: HOSTILE}]

    def view(self) -> Table:
        return Table(HOSTILE, [HOSTILE, "b"], [[HOSTILE, "1"]] * (SHOWN + 7), [HOSTILE])


def test_hostile_text_stays_text() -> None:
    from markdown_it import MarkdownIt

    shown = Cells(Hostile()._repr_html_())
    assert shown.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    assert printable(HOSTILE) in shown.cells
    assert "7 more rows; to_pandas() has all." in Hostile()._repr_html_()
    rendered = Cells(MarkdownIt("commonmark").enable("table").render(Hostile()._repr_markdown_()))
    assert rendered.tags == {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert printable(HOSTILE) in map(str.strip, rendered.cells)


def test_answers_of_other_items_are_not_zeros_without_a_word() -> None:
    scores = lexsub.evaluate(GOLD, {"a": {"71": ["still"]}}, "best-R", interval=None)
    assert "a attempted 0 of " in str(scores)
    assert "a: answers to items without gold (best, oot, ranking): 1" in str(scores)


def test_a_notebook_runs(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    (tmp_path / "mini.toml").write_text(MINI)
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(text)
            for text in (
                "import lexsub\nresult = lexsub.run('mini.toml', 'runs/mini')\nresult",
                "gold = lexsub.load_gold('tutorial/test')\n"
                "lexsub.evaluate(gold, {'x': lexsub.read_output('runs/mini/wordnet.oot')},"
                " 'oot', interval=None)",
                "[result, gold]",
            )
        ]
    )
    # The kernel is a process of its own and finds the package by its path.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    try:
        NotebookClient(
            notebook, timeout=PATIENCE, kernel_name="python3",
            resources={"metadata": {"path": str(tmp_path)}},
        ).execute()  # fmt: skip
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
    run, figures, both = (cell.outputs[-1].data for cell in notebook.cells)
    assert "best-P" in Cells(run["text/html"]).cells
    assert "oot-mode-R" in Cells(figures["text/html"]).cells
    assert run["text/markdown"].startswith("**")
    assert len(both["text/plain"]) < 400
