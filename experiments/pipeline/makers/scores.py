"""The figures of a system."""

from __future__ import annotations

from lexsub.experiments.results.scoring import measures_of, read_figures, write_figures

FILE = "figures.json"

__all__ = ["FILE", "measures_of", "read_figures", "write_figures"]
