"""Checks that the packages that belong to lexsub are lexsub's own.

The stages live in top-level packages with everyday names (``evaluation``,
``rankers`` …).  A folder of the same name earlier on the path would be imported
in their place and fail far from the cause, so it is looked for up front.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from lexsub.errors import LexsubError

PACKAGES = ("candidates", "rankers", "boundary", "evaluation", "experiments")


def check_packages() -> None:
    """Make sure each stage package is found beside this one; imports none of them.

    Raises:
        LexsubError: a foreign package hides one of ours; names the package and its place.
    """
    home = Path(__file__).resolve().parent.parent
    for package in PACKAGES:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            raise LexsubError(f"lexsub's own package {package!r} is missing from {home}: reinstall")
        found = Path(spec.origin).resolve().parent
        if found.parent != home:
            raise LexsubError(
                f"another package named {package!r} at {found} hides lexsub's own at "
                f"{home / package}: rename it, or take its folder off PYTHONPATH "
                "(python -m puts the current folder on the path)"
            )
