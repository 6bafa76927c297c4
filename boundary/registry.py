"""The names under which config and command line find boundary strategies."""

from __future__ import annotations

from lexsub.parts.base import Boundary
from lexsub.parts.contracts import follows
from lexsub.parts.registry import Registry

BOUNDARIES: Registry[type[Boundary]] = Registry(
    "boundary",
    {
        "lexsub.boundary.expected_best": "expected-best",
        "lexsub.boundary.expected_f": "expected-f",
        "lexsub.boundary.oracle": "oracle",
        "lexsub.boundary.thresholds": "score relative-score gap mass",
        "lexsub.boundary.top_n": "top-n",
        "lexsub.boundary.tuned": "tuned-top-n tuned",
    },
    check=follows(Boundary, "docs/how-to/boundary.md"),
)
