"""Plots of coverage by cut-off."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from experiments.results.boundaries import Curve, Row
from lexsub.errors import MissingExtraError
from lexsub.files import write_bytes


def plot_curves(
    folder: Path, curves: Sequence[Curve], rows: Sequence[Row], title: str
) -> list[Path]:
    """Write F against n and precision against recall, each as SVG and PNG.

    The strategies of ``rows`` stand as points in both (at their mean n in the first).

    Raises:
        MissingExtraError: matplotlib is not installed.
        FileProblemError: the disk refuses.
    """
    try:
        figures = import_module("matplotlib.figure")
        settings = import_module("matplotlib").rcParams
    except ImportError:
        raise MissingExtraError("matplotlib", "plot", "plotting curves") from None
    # The same run gives the same bytes.
    settings["svg.hashsalt"] = "lexsub"
    plots = {"f-by-n": figures.Figure((6.4, 4.2)), "precision-recall": figures.Figure((6.4, 4.2))}
    by_n, pr = (figure.subplots() for figure in plots.values())
    for number, curve in enumerate(curves):
        colour = f"C{number}"
        by_n.plot(range(1, len(curve.f) + 1), curve.f, "o-", ms=3, color=colour, label=curve.system)
        pr.plot(curve.recall, curve.precision, "o-", ms=3, color=colour, label=curve.system)
        chosen = [row for row in rows if row.system == curve.system and row.difference > 0]
        best = max(
            (row for row in chosen if row.strategy != "oracle"), key=lambda r: r.f, default=None
        )
        if best is not None:
            label = f"{curve.system}: {best.strategy}"
            by_n.plot([best.mean_n], [best.f], "*", ms=11, color=colour, label=label)
            pr.plot([best.recall], [best.precision], "*", ms=11, color=colour, label=label)
    _finish(by_n, "n, answers kept", "coverage F", title)
    _finish(pr, "coverage recall", "coverage precision", title)
    written = []
    for name, figure in plots.items():
        figure.tight_layout()
        for kind in ("svg", "png"):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=kind, dpi=150, metadata=_metadata(kind))
            write_bytes(folder / f"{name}.{kind}", buffer.getvalue())
            written.append(folder / f"{name}.{kind}")
    return written


def _finish(axes: Any, x: str, y: str, title: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def _metadata(kind: str) -> dict[str, Any]:
    return {"Date": None} if kind == "svg" else {"Software": None}
