"""What runs did, as one page to look at: figures, curves, comparisons, and every item."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.datasets import Dataset
from lexsub.experiments.report.page import report_page
from lexsub.experiments.report.runs import read_runs
from lexsub.storage.files import write_text


def write_report(
    runs: Sequence[Path], path: Path, data_folders: Sequence[Path], data: Dataset | None = None
) -> None:
    """Write the report of some finished runs as one HTML file that needs nothing else.

    Args:
        runs: their folders.
        path: the file to write.
        data_folders: where data sets are looked for.
        data: the runs' data set, where it has been read already.

    Raises:
        LexsubError: a folder is no run's, or the runs do not fit together.
    """
    write_text(path, report_page(read_runs(runs, data_folders, data)))
