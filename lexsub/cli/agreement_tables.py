"""How ``lexsub agreement`` prints its reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from evaluation.agreement.golds import Box, Correlation, OriginColumn, RankSum
from evaluation.agreement.labels import LabelAgreement
from evaluation.agreement.reports import (
    GoldReport,
    LabelReport,
    RatingReport,
    SubstituteReport,
)
from evaluation.agreement.shares import Share
from lexsub.cli.tables import table

if TYPE_CHECKING:
    from rich.table import Table


def plain(report: Any) -> dict[str, Any]:
    """Return a report as JSON holds it, under the name of its kind."""
    names = {SubstituteReport: "substitutes", LabelReport: "labels", RatingReport: "ratings"}
    return {names.get(type(report), "golds"): _simple(report)}


def _simple(value: Any) -> Any:
    """Turn dataclasses into what JSON holds; a pair of names as a key becomes ``a | b``."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: _simple(entry) for key, entry in asdict(value).items()}
    if isinstance(value, dict):
        return {
            " | ".join(key) if isinstance(key, tuple) else key: _simple(entry)
            for key, entry in value.items()
        }
    if isinstance(value, list | tuple):
        return [_simple(entry) for entry in value]
    return value


def tables(report: Any) -> list[Table]:
    """Return a report as tables for people."""
    if isinstance(report, SubstituteReport):
        return _substitute_tables(report)
    if isinstance(report, LabelReport):
        return _label_tables(report)
    if isinstance(report, RatingReport):
        return [_rating_table(report)]
    return list(_gold_tables(report))


def _substitute_tables(report: SubstituteReport) -> list[Table]:
    main = table(
        f"Agreement of {len(report.annotators)} annotators on {report.items} items, per cent",
        "annotators", "pairwise [95 %]", "pairs", "with mode [95 %]", "answers",
    )  # fmt: skip
    rows = {"all": report.everyone} | {f"without {k}": v for k, v in report.without.items()}
    for name, figures in rows.items():
        pairwise, mode = figures.pairwise, figures.with_mode
        main.add_row(
            name, _percent(pairwise), str(pairwise.comparisons), _percent(mode),
            str(mode.comparisons),
        )  # fmt: skip
    if report.multiwords is None:
        return [main]
    extra = table("Multiwords, per cent", "", "agreement [95 %]", "pairs", "items")
    for name, share in (
        ("detection", report.multiwords.detection),
        ("form", report.multiwords.form),
    ):
        extra.add_row(name, _percent(share), str(share.comparisons), str(share.items))
    return [main, extra]


def _percent(share: Share) -> str:
    if share.value is None:
        return "undefined"
    return f"{100 * share.value:.2f}" + _bounds(share.interval, 100, 1)


def _bounds(interval: tuple[float, float] | None, scale: float, digits: int) -> str:
    if interval is None:
        return ""
    low, high = (f"{scale * bound:.{digits}f}" for bound in interval)
    return f" [{low}, {high}]"


def _label_tables(report: LabelReport) -> list[Table]:
    main = table(
        "Agreement on labels", "annotators", "items", "raw, per cent [95 %]", "kappa [95 %]"
    )
    for pair, figures in report.pairs.items():
        main.add_row(" and ".join(pair), *_label_cells(figures))
    main.add_row("all pairs (Scott's pi)", *_label_cells(report.pooled))
    if report.fleiss is not None:
        main.add_row("everyone (Fleiss)", str(report.items), "", f"{report.fleiss:.3f}")
    title, counts = "Labels of pairs, either way round", report.pooled.confusion
    if len(report.pairs) == 1:
        ((one, other), figures), *_ = report.pairs.items()
        title, counts = f"Labels of {one} (down) and {other} (across)", figures.confusion
    confusion = table(title, "", *report.labels)
    for label in report.labels:
        confusion.add_row(label, *(str(counts.get((label, to), 0)) for to in report.labels))
    return [main, confusion, *_class_tables(report)]


def _class_tables(report: LabelReport) -> list[Table]:
    classes = table(
        "Agreement on each label, all pairs", "label", "of all labels, per cent", "both", "either",
        "specific, per cent",
    )  # fmt: skip
    for row in report.classes:
        specific = "undefined" if row.specific is None else f"{100 * row.specific:.2f}"
        share = f"{100 * row.share:.2f}"
        classes.add_row(row.label, share, str(row.both), str(row.either), specific)
    confusions = table("Labels taken for one another", "labels", "pairs", "per cent of these")
    for entry in report.confusions:
        name = " and ".join(entry.labels)
        confusions.add_row(name, str(entry.count), f"{100 * entry.share:.2f}")
    return [classes, confusions] if report.confusions else [classes]


def _label_cells(figures: LabelAgreement) -> tuple[str, str, str]:
    kappa = "undefined"
    if figures.kappa is not None:
        kappa = f"{figures.kappa:.3f}" + _bounds(figures.kappa_interval, 1, 3)
    raw = f"{100 * figures.raw:.2f}" + _bounds(figures.raw_interval, 100, 1)
    return str(figures.items), raw, kappa


def _rating_table(report: RatingReport) -> Table:
    figures = report.agreement
    main = table(f"Agreement of {len(report.annotators)} judges", "", "")
    main.show_header = False
    main.add_row("substitutes rated twice or more", str(figures.substitutes))
    main.add_row("rated once, left out", str(figures.single))
    main.add_row("unanimous, per cent", f"{100 * figures.unanimity:.2f}")
    spread = f"{figures.mean_deviation:.3f}"
    if figures.interval is not None:
        spread += " [{:.3f}, {:.3f}]".format(*figures.interval)
    main.add_row(f"mean {figures.deviation} standard deviation [95 %]", spread)
    return main


def _gold_tables(report: GoldReport) -> Iterator[Table]:
    main = table(
        f"Two golds: {report.items} items, {report.substitutes} substitutes "
        f"({report.only_in_one} items in one gold only, left out)",
        "Spearman's rank correlation", "rho", "p", "pairs", "left out",
    )  # fmt: skip
    for name, figures in (
        ("scores, substitutes of gold 1", report.in_gold1),
        ("scores, whole pool (missing = 0)", report.whole_pool),
        ("score 1 with log frequency", report.frequency1),
        ("score 2 with log frequency", report.frequency2),
    ):
        if figures is not None:
            main.add_row(name, *_correlation_cells(figures))
    yield main
    if report.origins is not None:
        yield _origin_table(report.origins)
    yield _box_table(report.boxes)
    if report.new_against_old is not None:
        yield _frequency_table(report.new_against_old)


def _origin_table(columns: Iterable[OriginColumn]) -> Table:
    shown = list(columns)
    main = table(
        "Score 2 by origin, per cent of the column",
        "score 2", *(f"{column.origin} ({column.count})" for column in shown),
    )  # fmt: skip
    for number, row in enumerate(("lowest third", "middle third", "highest third", "top")):
        main.add_row(row, *(f"{column.percent[number]:.0f}" for column in shown))
    return main


def _box_table(boxes: Iterable[Box]) -> Table:
    main = table(
        "Score 2 by score 1", "score 1", "count", "mean", "low", "q1", "median", "q3", "high",
        "outliers",
    )  # fmt: skip
    for box in boxes:
        values = (box.mean, box.low, box.quartile1, box.median, box.quartile3, box.high)
        shown = (f"{value:.2f}" for value in values)
        main.add_row(f"{box.score1:g}", str(box.count), *shown, str(box.outliers))
    return main


def _frequency_table(test: RankSum) -> Table:
    main = table("Frequency of new and old substitutes, rank-sum test", "", "count", "median")
    main.add_row("old (gold 1)", str(test.old), f"{test.median_old:g}")
    main.add_row("new (systems only, accepted)", str(test.new), f"{test.median_new:g}")
    main.caption = f"z = {test.z:.3f}, p = {test.p:.3g}; {test.skipped} without a frequency"
    return main


def _correlation_cells(figures: Correlation) -> tuple[str, str, str, str]:
    if figures.rho is None or figures.p is None:
        return "undefined", "", str(figures.pairs), str(figures.skipped)
    return f"{figures.rho:.3f}", f"{figures.p:.3g}", str(figures.pairs), str(figures.skipped)
