"""The public API; ``import lexsub`` offers these names and the docs import nothing else."""

from __future__ import annotations

from lexsub.datasets import Dataset
from lexsub.errors import ConfigError, FormatError, LexsubError, UnknownNameError
from lexsub.golds import Gold, GoldItem
from lexsub.items import Item, Lexelt
from lexsub.rankings import Candidate, Origin, Ranked, Ranking
from lexsub.resources import Resources
from lexsub.rooms import check_rooms
from lexsub.submissions import Answer, Submission

check_rooms()

__all__ = [
    "Answer",
    "Candidate",
    "ConfigError",
    "Dataset",
    "FormatError",
    "Gold",
    "GoldItem",
    "Item",
    "Lexelt",
    "LexsubError",
    "Origin",
    "Ranked",
    "Ranking",
    "Resources",
    "Submission",
    "UnknownNameError",
]
