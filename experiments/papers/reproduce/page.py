"""The published tables rebuilt, and the page with all results.

The page shows published tables, ready experiments, and measurements that were made once and
written down.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import Field

from lexsub import __version__
from lexsub.errors import LexsubError, UnknownNameError, look_up
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.published import PublishedTable, published_tables
from lexsub.experiments.config.reading import read_experiment, ready_configs
from lexsub.experiments.papers.reproduce import shared_tasks, texts
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker
from lexsub.experiments.results.tables import Row, difference, result_table
from lexsub.storage.addresses import resolved
from lexsub.storage.files import write_text
from lexsub.storage.headers import Closed
from lexsub.storage.user_folders import user_data
from lexsub.tables import Number, Table
from lexsub.tables.writers import aligned, to_markdown

MAKERS: dict[str, Maker] = {**shared_tasks.MAKERS, **texts.MAKERS}


def missing(table: PublishedTable, bench: Bench) -> str:
    """Return what a table needs that is not here; "" for nothing."""
    if table.name not in MAKERS:
        return table.needs
    try:
        MAKERS[table.name].check(bench)
    except LexsubError as error:
        return str(error)
    return ""


def reproduce(name: str, bench: Bench) -> Table:
    """Rebuild a table: published, ours, difference, and why they differ.

    Raises:
        UnknownNameError: no such table.
        LexsubError: an input is missing.
    """
    table = look_up("table", name, published_tables())
    needs = missing(table, bench)
    if needs:
        raise LexsubError(f"{name} cannot be rebuilt here: {needs}")
    return compare(table, MAKERS[name].make(bench))


def compare(table: PublishedTable, made: Made) -> Table:
    """Put our figures beside the published ones, row by row."""
    rows: list[Row] = []
    for label, figures in table.rows.items():
        published = _row(label, "published", figures, table)
        rows.append(published)
        if label in made.rows:
            ours = _row(label, "ours", made.rows[label], table)
            rows += [ours, difference(ours, published)]
    others = [label for label in made.rows if label not in table.rows]
    rows += [_row(label, "ours", made.rows[label], table) for label in others]
    title = f"{table.name}: {table.title} ({table.source}; {table.data})"
    return result_table(table.name, title, table.columns, rows, made.notes)


def _row(label: str, kind: str, values: Sequence[float | None], table: PublishedTable) -> Row:
    cells = (
        None if value is None else Number(value, digits=places)
        for value, places in zip(values, table.digits, strict=True)
    )
    return (label, kind, *cells)


class Recorded(Closed):
    """``[[measurements]]``: figures with all that is needed to make them again."""

    title: str
    """Heads it."""
    commands: tuple[str, ...] = Field(min_length=1)
    """What printed the figures; DIR is the folder of data sets."""
    date: date
    """When."""
    needs: str
    """What goes in, in words; "" for nothing."""
    machine: str = ""
    """On what, where speed matters."""
    columns: tuple[str, ...] = ()
    """Headers of the figures' table, that of its rows first."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Its rows, as printed."""
    notes: tuple[str, ...] = ()
    """Paragraphs below it."""


def read_recorded() -> tuple[Recorded, ...]:
    """Return the recorded measurements in the order of their file."""
    with (Path(__file__).parent / "recorded.toml").open("rb") as file:
        return tuple(Recorded(**entry) for entry in tomllib.load(file)["measurements"])


def as_section(recorded: Recorded) -> str:
    """Return a measurement as a section of Markdown."""
    commands = "; ".join(f"`{command}`" for command in recorded.commands)
    about = f"Recorded on {recorded.date}: {commands}"
    about += f"; from {recorded.needs}." if recorded.needs else "."
    about += f" {recorded.machine}" if recorded.machine else ""
    table = (aligned(recorded.columns, recorded.rows, 1),) if recorded.rows else ()
    return "\n\n".join([f"### {recorded.title}", about, *table, *recorded.notes]) + "\n"


LEFT_OUT = ("alone", "english-model", "learned", "semeval2007-windows", "suggest-")
"""How the names begin of ready experiments that take longer than all the rest (their figures are
recorded ones), or are for the user's own sentences."""

NOT_MADE = "not here"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page.

    Attributes:
        state: what the overview says of it.
        text: its Markdown, heading included.
    """

    state: str
    text: str


def make_page(bench: Bench, day: date, without: Sequence[str] = ()) -> str:
    """Make all tables (or most) and return the page in Markdown.

    What lacks an input, or fails on the way, stands with the published figures, if any, and the
    reason.  The same inputs, code and day give the same page.

    Args:
        bench: the inputs.
        day: what to date the page with.
        without: tables and experiments that are left out.

    Raises:
        UnknownNameError: there is none of a name left out.
    """
    wanted = [*published_tables(), *shown_experiments()]
    for name in without:
        if name not in wanted:
            raise UnknownNameError("table or experiment", name, wanted)
    sections = {name: _section(name, bench, day) for name in wanted if name not in without}
    tables = [section for name, section in sections.items() if name in published_tables()]
    runs = [section for name, section in sections.items() if name not in published_tables()]
    options = "".join(f" --resource {name}=…" for name in sorted(bench.resources.paths))
    options += "".join(f" --without {name}" for name in without)
    header = ["table or experiment", "here"]
    overview = [[name, section.state] for name, section in sections.items()]
    text = "\n".join(
        [
            "# Results\n",
            f"Made on {day} by `lexsub reproduce --all --data DIR{options}` (lexsub "
            f"{__version__}), where DIR is the folder of data sets; not to be edited. First the "
            "published tables with ours beside them and why they differ, then the tables of the "
            "ready experiments, then measurements that this command does not make: speeds, and "
            "sweeps that take long.\n",
            aligned(header, overview, 2),
            "\n## Published tables\n",
            *(section.text for section in tables),
            "## Ready experiments\n",
            *(section.text for section in runs),
            "## Recorded measurements\n",
            "Not made again with this page. Each was printed by its command on the day named, and "
            "kept in `experiments/papers/reproduce/recorded.toml`.\n",
            *map(as_section, read_recorded()),
        ]
    )
    return _without_places(text, bench)


def shown_experiments() -> dict[str, Experiment]:
    """Return the ready experiments of the page: all but those on the tutorial set, and LEFT_OUT."""
    shown = {
        n: read_experiment(p) for n, p in ready_configs().items() if not n.startswith(LEFT_OUT)
    }
    return {n: one for n, one in shown.items() if not one.table.data.startswith("tutorial/")}


def write_page(path: Path, text: str) -> tuple[Path, Path]:
    """Write a page as Markdown (``path``) and as HTML beside it.

    Raises:
        FileProblemError: the disk refuses.
    """
    html = path.with_suffix(".html")
    write_text(path, text)
    write_text(html, as_html(text))
    return path, html


def as_html(text: str) -> str:
    """Return a Markdown page as a page of HTML."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        "<title>Results of lexsub</title>\n"
        "<style>body{font:16px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
        "table{border-collapse:collapse}th,td{padding:.1em .6em}"
        "th{border-bottom:1px solid}</style>\n"
        f"{body}</html>\n"
    )


def _section(name: str, bench: Bench, day: date) -> Section:
    start = time.perf_counter()
    bench.report(f"{name} …")
    make = _published if name in published_tables() else _experiment
    section = make(name, bench, day)
    bench.report(f"{name}: {section.state}, {time.perf_counter() - start:.0f} s")
    return section


def _published(name: str, bench: Bench, day: date) -> Section:
    table = published_tables()[name]
    needs = missing(table, bench)
    if not needs:
        try:
            made = compare(table, MAKERS[name].make(bench))
        except LexsubError as error:
            needs = str(error)
        else:
            about = f"`lexsub reproduce {name} --data DIR`, {day}; from {MAKERS[name].inputs}."
            return Section("rebuilt", f"### {name}\n\n{about}\n\n{to_markdown(made)}")
    alone = compare(table, Made({}, (f"Not rebuilt here. Needs: {needs}",)))
    return Section(NOT_MADE, f"### {name}\n\n{to_markdown(alone)}")


def _experiment(name: str, bench: Bench, day: date) -> Section:
    experiment = read_experiment(ready_configs()[name])
    inputs = ", ".join([experiment.table.data, *experiment.table.resources])
    about = f"`lexsub run {name} --data DIR`, {day}; from {inputs}."
    try:
        bench.check_experiment(name)
        tables = bench.run(name).tables
    except LexsubError as error:
        return Section(NOT_MADE, f"### {name}\n\nNot run here. Needs: {error}\n")
    return Section("run", f"### {name}\n\n{about}\n\n{tables}")


def _without_places(text: str, bench: Bench) -> str:
    """Name folders as a reader elsewhere would: the page should not depend on the machine."""
    folders = [folder for folder in bench.resources.data if folder != user_data()]
    places = {str(folder): "DIR" for folder in folders}
    places |= {str(resolved(folder)): "DIR" for folder in folders}
    places |= {str(Path.home()): "~"}
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(place, places[place])
    return text
