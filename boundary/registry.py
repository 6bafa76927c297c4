"""The names under which config and command line find boundary strategies."""

from __future__ import annotations

from lexsub.contracts import follows
from lexsub.protocols import Boundary
from lexsub.registry import Registry

BOUNDARIES: Registry[type[Boundary]] = Registry(
    "boundary",
    {
        "boundary.expected_best": "expected-best",
        "boundary.expected_f": "expected-f",
        "boundary.oracle": "oracle",
        "boundary.thresholds": "score relative-score gap mass",
        "boundary.top_n": "top-n",
        "boundary.tuned": "tuned-top-n tuned",
    },
    check=follows(Boundary, "docs/how-to/boundary.md"),
)
