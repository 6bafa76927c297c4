"""The names under which command line and API find measures."""

from __future__ import annotations

from evaluation.measure import Measure
from lexsub.registry import Registry

MEASURES: Registry[type[Measure]] = Registry("measure", "evaluation.measures")
