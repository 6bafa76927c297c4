"""The page: figures, charts and items put into the templates.

What was run is told without a path of the machine it ran on.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from lexsub import __version__
from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.evaluation.comparison import ALPHA, marks
from lexsub.experiments.report import breakdown
from lexsub.experiments.report.browser import PARTS, browser_data
from lexsub.experiments.report.charts import dashes, draw, interval_bar, scatter_grid
from lexsub.experiments.report.curves import calibration_charts, coverage_charts, sweep_charts
from lexsub.experiments.report.item_scores import ITEM_MEASURES, ItemScores, agreement, pair_tests
from lexsub.experiments.report.runs import ReportedRuns, Run, RunSystem
from lexsub.experiments.results.config_tables import TESTED
from lexsub.experiments.results.tables import ceilings as bounds_of
from lexsub.experiments.results.tables import lettered, result_tables, with_pairs_marked
from lexsub.parts.build import describe_part
from lexsub.tables import Number, Table


def _versions(run: Run) -> list[tuple[str, object]]:
    """Return what ran an experiment, and of which version."""
    given = run.manifest
    told = {"lexsub": "lexsub", "git revision": "git_revision", "Python": "python"}
    told |= {"platform": "platform"}
    versions = [(shown, given.get(key) or "") for shown, key in told.items()]
    known = [(shown, version) for shown, version in versions if version or shown != "git revision"]
    return known + list(given.get("libraries", {}).items())


def _known(about: object) -> str:
    if not isinstance(about, Mapping):
        return str(about)
    places = ("path", "index")
    return ", ".join(f"{key} {value}" for key, value in about.items() if key not in places)


def _file_name(path: str) -> str:
    """Return the last two parts of a path: which file it was, not where it lay."""
    return "/".join(PurePath(path).parts[-2:]).lstrip("/")


def parts_in_words(system: RunSystem) -> dict[str, str]:
    """Return the parts of a system as one line each: name and the options that are not usual."""
    part = system.part
    given = {kind: PurePath(file).name for kind, file in part.answers.items()}
    ranked = given.get("ranking", "–")
    return {
        "candidates": ranked if given else _line(part.candidates),
        "ranker": ranked if given else _line(part.ranker),
        "best": given.get("best", "–"),
        "oot": given.get("oot", "–"),
        **{task: _line(one) for task, one in part.boundaries.items()},
    }


def _line(part: Any) -> str:
    table = describe_part(part)
    usual = {
        one.name: one.default if one.default_factory is MISSING else one.default_factory()
        for one in fields(part)
    }
    options = ", ".join(
        f"{key} {_value(value)}"
        for key, value in table.items()
        if key != "name" and getattr(part, key) != usual[key]
    )
    return f"{table['name']} ({options})" if options else str(table["name"])


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        if "name" not in value:
            return " ".join(f"{key} {_value(one)}" for key, one in value.items())
        # Of a union its sources are shown: its own name says little.
        inner = "".join(f" of {_value(value[key])}" for key in ("sources",) if key in value)
        return str(value.get("label", value["name"])) + inner
    if isinstance(value, list):
        return " ".join(map(_value, value))
    return str(value)


def score_tables(reported: ReportedRuns, marks: Mapping[tuple[str, str], str]) -> list[Table]:
    """Return the tables of all runs, those of one task as one table.

    A row begins with the system's letter ("" for another's figures), its name, and the kind.

    Args:
        reported: the runs.
        marks: see :func:`lexsub.evaluation.comparison.marks`.
    """
    found: dict[tuple[str, tuple[str, ...]], Table] = {}
    for run in reported.runs:
        for table in _tables(run, marks):
            key = (table.name, tuple(table.columns))
            before = found.get(key)
            if before is not None:
                notes = tuple(dict.fromkeys((*before.notes, *table.notes)))
                table = replace(before, rows=(*before.rows, *table.rows), notes=notes)
            found[key] = table
    return list(map(with_pairs_marked, found.values()))


def _tables(run: Run, marks: Mapping[tuple[str, str], str]) -> Iterator[Table]:
    scores, ceilings = ([getattr(s, kind) for s in run.systems] for kind in ("scores", "ceiling"))
    resources = run.manifest.get("resources", {})
    systems = {system.part.name: (system.letter, system.name) for system in run.systems}
    for table in (*result_tables(run.experiment, scores, ceilings, resources), *run.tables):
        yield lettered(_with_ceilings_once(table), systems, marks)


def _with_ceilings_once(table: Table) -> Table:
    bounds = bounds_of([tuple(row) for row in table.rows if row[1] == "ceiling"])
    named = [(name or "all systems", *cells) for name, *cells in bounds]
    return replace(table, rows=(*(row for row in table.rows if row[1] != "ceiling"), *named))


TEMPLATES = Path(__file__).parent / "templates"

SCRIPTS = ("core.js", "sorting.js", "comparing.js", "filters.js", "item.js", "browser.js")
"""The page's scripts in the order in which they stand."""

LONG = 40
"""Tables of more rows are folded."""

MANY = 6
"""Of more systems, what is long for each of them is folded."""


@cache
def _template() -> Template:
    """Return the page's template, compiled once for all reports of a process."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    own = (_figure, _versions, _known, _file_name, _p, _count, _minus, _tops, _error)
    environment.filters |= {one.__name__.strip("_"): one for one in (draw, dashes, *own)}
    return environment.get_template("report.html.jinja")


def report_page(reported: ReportedRuns) -> str:
    """Return the report of some runs as one HTML file that needs nothing else.

    Whatever comes from data is text: the template engine escapes it, scripts set it as text
    only, and the page's policy lets no script run but its own.
    """
    item_scores = ItemScores.of(reported)
    comparison = pair_tests(reported)
    letters = {system.name: system.letter for system in reported.systems}
    beaten = marks(comparison, letters) if comparison else {}
    data, listed = browser_data(item_scores)
    script = "\n".join((TEMPLATES / name).read_text("utf-8") for name in SCRIPTS)
    answering = reported.answering
    page = _template().render(
        title=" and ".join(dict.fromkeys(run.title for run in reported.runs)),
        version=__version__,
        reported=reported,
        systems=[(system, parts_in_words(system)) for system in reported.systems],
        tables=score_tables(reported, beaten),
        marks=beaten,
        comparison=comparison,
        comparisons=[one for run in reported.runs for one in run.comparisons],
        tested=TESTED,
        alpha=ALPHA,
        coverage=breakdown.coverage(item_scores),
        ceilings=breakdown.ceiling_chart(item_scores),
        curves=coverage_charts(item_scores),
        sweeps=sweep_charts(item_scores),
        calibration=calibration_charts(item_scores),
        scatter=_scatter(item_scores) if len(answering) > 1 else "",
        matrices=agreement(item_scores),
        pos_chart=breakdown.pos_chart(item_scores),
        groups=_groups(item_scores),
        origins=breakdown.by_origin(item_scores),
        measure=breakdown.MEASURE,
        item_measures=ITEM_MEASURES,
        parts_of_speech=PARTS_OF_SPEECH,
        listed=listed,
        cut=listed
        < max((len(r.ranked) for s in answering for r in s.rankings.values()), default=0),
        parts=PARTS,
        more_parts=any(
            len(one.parts) > PARTS for system in answering for one in system.details.values()
        ),
        no_parts=not all(system.details for system in answering),
        long=LONG,
        many=len(answering) > MANY,
        data=_json(data),
        style=Markup((TEMPLATES / "style.css").read_text("utf-8")),
        script=Markup(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    # JSON can hold a lone surrogate, which cannot be encoded as UTF-8.
    return page.encode("utf-8", "replace").decode()


def _groups(item_scores: ItemScores) -> list[tuple[str, str, Sequence[Any]]]:
    named = [
        ("part of speech", "pos", breakdown.by_pos(item_scores)),
        ("number of different gold answers", "gold", breakdown.by_gold_size(item_scores)),
        ("target", "target", breakdown.by_target(item_scores)),
    ]
    return [(title, key, groups) for title, key, groups in named if groups]


def _scatter(item_scores: ItemScores) -> Markup:
    values = item_scores.values[ITEM_MEASURES[0]]
    return scatter_grid(values[0], values[1], "Each item's figure under two systems, as bubbles")


def _json(text: str) -> Markup:
    """Escape JSON so that nothing in it ends the element it stands in, or a line of script."""
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _figure(value: float, digits: int = 1) -> str:
    return "–" if math.isnan(value) else _minus(f"{value:.{digits}f}")


def _tops(table: Table) -> list[float]:
    """Return the greatest figure or bound of each column."""
    columns = zip(*(row[table.names :] for row in table.rows), strict=True)
    return [
        max((one.high or one.value for one in column if isinstance(one, Number)), default=0.0)
        for column in columns
    ]


def _error(cell: Number, most: float) -> Markup:
    if cell.low is None or cell.high is None or not most > 0 or cell.low < 0:
        return Markup()
    return interval_bar(cell.value, cell.low, cell.high, most)


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _count(value: int) -> str:
    return f"{value:,}".replace(",", "\u202f")
