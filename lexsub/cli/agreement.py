"""``lexsub agreement``: how far annotators, judges and golds agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import COUNT, DATA, FOLDER, JSON, option, print_json
from lexsub.data.catalogue import DATASETS, load_gold
from lexsub.errors import LexsubError
from lexsub.evaluation.agreement import golds, labels, substitutes
from lexsub.evaluation.posthoc import mean_gold
from lexsub.formats.annotations import Annotations, parse_annotations
from lexsub.formats.outputs.catalogue import top_answers
from lexsub.frequency import FREQUENCIES
from lexsub.frequency.lists import FormCounts, read_form_list
from lexsub.resources import Resources
from lexsub.storage.compression import read_unpacked
from lexsub.storage.files import decode, read_text
from lexsub.storage.user_folders import data_folders
from lexsub.tables import Entry, Number, Table
from lexsub.tables.terminal import show


@click.command()
@click.argument("annotations", metavar="ANNOTATIONS")
@option("--against GOLD", "First gold; ANNOTATIONS is the second.")
@option(
    "--system OUT...",
    "A system whose answers were judged for the second gold (any format of convert).",
    into="systems",
    type=FOLDER,
)
@option("--top", "How many answers of a system were judged.", 10, type=COUNT)
@option("--frequencies LIST", "A frequency list's name, or a word-TAB-count file.")
@option(
    "--max-rating", "The highest rating there is.", 3.0, type=click.FloatRange(0, min_open=True)
)
@option("--deviation [population|sample]", "Which standard deviation of ratings.", "population")
@DATA
@option("--classes", "Compare labels such as business:travel by class alone.")
@JSON
def command(
    annotations: str,
    against: str | None,
    systems: tuple[Path, ...],
    top: int,
    frequencies: str | None,
    max_rating: float,
    deviation: labels.Deviation,
    data: Path | None,
    classes: bool,
    as_json: bool,
) -> None:
    """Say how far annotators, judges or golds agree.

    ANNOTATIONS is a table (TSV with a header, or JSON Lines) of what single annotators said:

    \b
      item annotator substitutes [multiword]   pairwise, with mode, one left out, multiwords
      item annotator label                     raw agreement, kappa, confusion
      item substitute annotator rating         unanimity, standard deviation

    With --against, ANNOTATIONS may also be a gold: scores are then correlated and broken
    down by who proposed a substitute.  A gold alone holds counts only and is refused.
    """  # noqa: D301
    folders = data_folders(data)
    found = _read(annotations)
    reports: list[Any] = []
    if found is None and against is None:
        raise LexsubError(
            f"{annotations} is a gold and holds counts only: {substitutes.NEEDS_ANNOTATORS}. "
            "Give a file of annotations, or compare two golds with --against"
        )
    if found is not None and found.responses:
        reports.append(substitutes.report_substitutes(found.responses))
    elif found is not None and found.labels:
        reports.append(
            labels.report_labels(labels.coarse(found.labels) if classes else found.labels)
        )
    elif found is not None:
        reports.append(labels.report_ratings(found.ratings, deviation))
    if against is not None:
        if found is not None and not found.ratings:
            raise LexsubError(
                f"{annotations} holds {found.kind}: --against needs ratings or a gold"
            )
        first = load_gold(against, folders).items
        second = mean_gold(found.ratings, first) if found else load_gold(annotations, folders).items
        runs = [top_answers(path, top) for path in systems]
        frequency = _frequency(frequencies, folders) if frequencies else None
        reports.append(golds.report_golds(first, second, runs, frequency, max_rating))
    elif systems or frequencies:
        raise LexsubError("--system and --frequencies belong to --against GOLD")
    if as_json:
        print_json({k: v for report in reports for k, v in plain(report).items()})
        return
    show(entry for report in reports for entry in tables(report))


def _read(reference: str) -> Annotations | None:
    """Return the annotations of a file, or None where it is no such file."""
    path = Path(reference)
    if reference.partition("/")[0] in DATASETS and not path.is_file():
        return None
    text = decode(read_unpacked(path), path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    if " :: " in first or first.startswith("<") or '"contexts"' in first:
        return None
    return parse_annotations(text, path)


def _frequency(
    name: str, folders: tuple[Path, ...]
) -> Callable[[golds.PooledSubstitute], float | None]:
    path = Path(name)
    if path.is_file():
        table = FormCounts(read_form_list(read_text(path), path))
        return lambda row: table.frequency(row.substitute, "") or None
    counts = FREQUENCIES[name].open(Resources(data=folders))
    return lambda row: counts.frequency(row.substitute, row.lexelt.rpartition(".")[2]) or None


def plain(report: Any) -> dict[str, Any]:
    """Return a report as JSON holds it, under the name of its kind."""
    return {_VIEWS[type(report)][0]: asdict(report)}


def tables(report: Any) -> list[Table]:
    """Return a report as tables for people."""
    return list(_VIEWS[type(report)][1](report))


def _substitute_tables(report: substitutes.SubstituteReport) -> list[Table]:
    everyone = {"all": report.everyone} | {f"without {k}": v for k, v in report.without.items()}
    tables = [
        Table(
            f"Agreement of {len(report.annotators)} annotators on {report.items} items, per cent",
            ("annotators", "pairwise [95 %]", "pairs", "with mode [95 %]", "answers"),
            [
                (name, *_share_cells(one.pairwise), *_share_cells(one.with_mode))
                for name, one in everyone.items()
            ],
        )
    ]
    if report.multiwords is not None:
        shares = {"detection": report.multiwords.detection, "form": report.multiwords.form}
        rows = [(name, *_share_cells(share), share.items) for name, share in shares.items()]
        columns = ("", "agreement [95 %]", "pairs", "items")
        tables.append(Table("Multiwords, per cent", columns, rows))
    return tables


def _share_cells(share: substitutes.Share) -> tuple[str, int]:
    if share.value is None:
        return "undefined", share.comparisons
    return f"{100 * share.value:.2f}" + _bounds(share.interval, 100, 1), share.comparisons


def _bounds(interval: tuple[float, float] | None, scale: float, digits: int) -> str:
    if interval is None:
        return ""
    low, high = (f"{scale * bound:.{digits}f}" for bound in interval)
    return f" [{low}, {high}]"


def _label_tables(report: labels.LabelReport) -> list[Table]:
    rows: list[tuple[Entry, ...]] = [
        (" and ".join(pair), *_label_cells(figures)) for pair, figures in report.pairs.items()
    ]
    rows.append(("all pairs (Scott's pi)", *_label_cells(report.pooled)))
    if report.fleiss is not None:
        rows.append(("everyone (Fleiss)", report.items, "", f"{report.fleiss:.3f}"))
    columns = ("annotators", "items", "raw, per cent [95 %]", "kappa [95 %]")
    main = Table("Agreement on labels", columns, rows)
    title, counts = "Labels of pairs, either way round", report.pooled.confusion
    if len(report.pairs) == 1:
        ((one, other), figures), *_ = report.pairs.items()
        title, counts = f"Labels of {one} (down) and {other} (across)", figures.confusion
    grid: list[tuple[Entry, ...]] = [
        (label, *(counts.get((label, to), 0) for to in report.labels)) for label in report.labels
    ]
    return [main, Table(title, ("", *report.labels), grid), *_class_tables(report)]


def _class_tables(report: labels.LabelReport) -> Iterator[Table]:
    classes: list[tuple[Entry, ...]] = []
    for row in report.classes:
        specific = "undefined" if row.specific is None else Number(100 * row.specific)
        classes.append((row.label, Number(100 * row.share), row.both, row.either, specific))
    columns = ("label", "of all labels, per cent", "both", "either", "specific, per cent")
    yield Table("Agreement on each label, all pairs", columns, classes)
    if report.confusions:
        rows = [(" and ".join(c.labels), c.count, Number(100 * c.share)) for c in report.confusions]
        names = ("labels", "pairs", "per cent of these")
        yield Table("Labels taken for one another", names, rows)


def _label_cells(figures: labels.LabelAgreement) -> tuple[int, str, str]:
    kappa = "undefined"
    if figures.kappa is not None:
        kappa = f"{figures.kappa:.3f}" + _bounds(figures.kappa_interval, 1, 3)
    return figures.items, f"{100 * figures.raw:.2f}" + _bounds(figures.raw_interval, 100, 1), kappa


def _rating_tables(report: labels.RatingReport) -> list[Table]:
    figures = report.agreement
    spread = f"{figures.mean_deviation:.3f}" + _bounds(figures.interval, 1, 3)
    rows: list[tuple[Entry, ...]] = [
        ("substitutes rated twice or more", figures.substitutes),
        ("rated once, left out", figures.single),
        ("unanimous, per cent", Number(100 * figures.unanimity)),
        (f"mean {figures.deviation} standard deviation [95 %]", spread),
    ]
    return [Table(f"Agreement of {len(report.annotators)} judges", ("", ""), rows)]


def _gold_tables(report: golds.GoldReport) -> Iterator[Table]:
    correlations = {
        "scores, substitutes of gold 1": report.in_gold1,
        "scores, whole pool (missing = 0)": report.whole_pool,
        "score 1 with log frequency": report.frequency1,
        "score 2 with log frequency": report.frequency2,
    }
    yield Table(
        f"Two golds: {report.items} items, {report.substitutes} substitutes "
        f"({report.only_in_one} items in one gold only, left out)",
        ("Spearman's rank correlation", "rho", "p", "pairs", "left out"),
        [(name, *_correlation_cells(one)) for name, one in correlations.items() if one is not None],
    )
    if report.origins is not None:
        yield _origin_table(report.origins)
    yield _box_table(report.boxes)
    if report.new_against_old is not None:
        yield _frequency_table(report.new_against_old)


def _origin_table(columns: Sequence[golds.OriginColumn]) -> Table:
    return Table(
        "Score 2 by origin, per cent of the column",
        ("score 2", *(f"{column.origin} ({column.count})" for column in columns)),
        [
            (row, *(Number(column.percent[place], digits=0) for column in columns))
            for place, row in enumerate(("lowest third", "middle third", "highest third", "top"))
        ],
    )


def _box_table(boxes: Iterable[golds.Box]) -> Table:
    columns = ("score 1", "count", "mean", "low", "q1", "median", "q3", "high", "outliers")
    rows: list[tuple[Entry, ...]] = []
    for box in boxes:
        values = (box.mean, box.low, box.quartile1, box.median, box.quartile3, box.high)
        rows.append((f"{box.score1:g}", box.count, *map(Number, values), box.outliers))
    return Table("Score 2 by score 1", columns, rows)


def _frequency_table(test: golds.RankSum) -> Table:
    rows = [
        ("old (gold 1)", test.old, f"{test.median_old:g}"),
        ("new (systems only, accepted)", test.new, f"{test.median_new:g}"),
    ]
    note = f"z = {test.z:.3f}, p = {test.p:.3g}; {test.skipped} without a frequency"
    title = "Frequency of new and old substitutes, rank-sum test"
    return Table(title, ("", "count", "median"), rows, (note,))


def _correlation_cells(figures: golds.Correlation) -> tuple[Entry, ...]:
    if figures.rho is None or figures.p is None:
        return "undefined", "", figures.pairs, figures.skipped
    return Number(figures.rho, digits=3), f"{figures.p:.3g}", figures.pairs, figures.skipped


_VIEWS: dict[type, tuple[str, Callable[[Any], Iterable[Table]]]] = {
    substitutes.SubstituteReport: ("substitutes", _substitute_tables),
    labels.LabelReport: ("labels", _label_tables),
    labels.RatingReport: ("ratings", _rating_tables),
    golds.GoldReport: ("golds", _gold_tables),
}
"""Kind of report: its name in JSON, and what makes tables of it."""
