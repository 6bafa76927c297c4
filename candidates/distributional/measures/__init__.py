"""Similarity and distance measures, one per file, registered by name in ``MEASURES``."""

from lexsub.candidates.distributional.measures.base import (
    MEASURES,
    Formula,
    Similarity,
    measure_name,
    parse_measure,
)

__all__ = ["MEASURES", "Formula", "Similarity", "measure_name", "parse_measure"]
