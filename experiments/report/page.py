"""The page: figures, charts and items put into the templates."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lexsub import __version__
from lexsub.evaluation.comparison import ALPHA, marks
from lexsub.experiments.report.breakdown import (
    MEASURE,
    by_gold_size,
    by_origin,
    by_pos,
    by_target,
    ceiling_chart,
    coverage,
    pos_chart,
)
from lexsub.experiments.report.browser import PARTS, browser_data
from lexsub.experiments.report.comparing import agreement, pair_tests
from lexsub.experiments.report.curves import calibration_charts, coverage_charts, sweep_charts
from lexsub.experiments.report.facts import facts, parts_in_words
from lexsub.experiments.report.judged import ITEM_MEASURES, Judged
from lexsub.experiments.report.material import Material
from lexsub.experiments.report.score_tables import score_tables
from lexsub.experiments.report.svg import dashes, draw, interval_bar, scatter_grid
from lexsub.experiments.results.asked_tables import TESTED
from lexsub.items import PARTS_OF_SPEECH
from lexsub.tables import Number, Table

TEMPLATES = Path(__file__).parent / "templates"

SCRIPTS = ("core.js", "sorting.js", "comparing.js", "filters.js", "item.js", "browser.js")
"""The page's scripts in the order in which they stand."""

LONG = 40
"""Tables of more rows are folded."""

MANY = 6
"""Of more systems, what is long for each of them is folded."""


def report_page(material: Material) -> str:
    """Return the report of some runs as one HTML file that needs nothing else.

    Whatever comes from data is text: the template engine escapes it, scripts set it as text
    only, and the page's policy lets no script run but its own.
    """
    judged = Judged.of(material)
    comparison = pair_tests(material)
    letters = {system.name: system.letter for system in material.systems}
    beaten = marks(comparison, letters) if comparison else {}
    data, listed = browser_data(judged)
    script = "\n".join((TEMPLATES / name).read_text("utf-8") for name in SCRIPTS)
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {
        "figure": _figure,
        "draw": draw,
        "dashes": dashes,
        "p": _p,
        "count": _count,
        "minus": _minus,
        "tops": _tops,
        "error": _error,
    }
    answering = material.answering
    page = environment.get_template("report.html.jinja").render(
        title=" and ".join(dict.fromkeys(run.title for run in material.runs)),
        version=__version__,
        material=material,
        facts=[facts(run) for run in material.runs],
        systems=[(system, parts_in_words(system)) for system in material.systems],
        tables=score_tables(material, beaten),
        marks=beaten,
        comparison=comparison,
        asked=[one for run in material.runs for one in run.asked],
        tested=TESTED,
        alpha=ALPHA,
        coverage=coverage(judged),
        ceilings=ceiling_chart(judged),
        curves=coverage_charts(judged),
        sweeps=sweep_charts(judged),
        calibration=calibration_charts(judged),
        scatter=_scatter(judged) if len(answering) > 1 else "",
        matrices=agreement(judged),
        pos_chart=pos_chart(judged),
        groups=_groups(judged),
        origins=by_origin(judged),
        measure=MEASURE,
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
        style=_source("style.css"),
        script=Markup(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    # JSON can hold a lone surrogate, which cannot be encoded as UTF-8.
    return page.encode("utf-8", "replace").decode()


def _groups(judged: Judged) -> list[tuple[str, str, Sequence[Any]]]:
    named = [
        ("part of speech", "pos", by_pos(judged)),
        ("number of different gold answers", "gold", by_gold_size(judged)),
        ("target", "target", by_target(judged)),
    ]
    return [(title, key, groups) for title, key, groups in named if groups]


def _scatter(judged: Judged) -> Markup:
    values = judged.values[ITEM_MEASURES[0]]
    return scatter_grid(values[0], values[1], "Each item's figure under two systems, as bubbles")


def _source(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text("utf-8"))


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
