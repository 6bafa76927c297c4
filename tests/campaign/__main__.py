"""The command: ``python -m tests.campaign --inputs 3000``."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path


def main() -> int:
    """Run it; the status is 1 if anything was answered badly."""
    # Before numpy is imported: threads do not survive a fork.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    from tests.caches import cache
    from tests.campaign.engine import OUTCOMES, campaign
    from tests.campaign.rooms import ROOMS

    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1500, help="damaged inputs a room [1500]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--room", choices=sorted(ROOMS), action="append", help="default: all")
    parser.add_argument("--only", default="", metavar="NAME", help="subjects with this in the name")
    given = parser.parse_args()
    start = time.monotonic()
    total: Counter[str] = Counter()
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["LEXSUB_CACHE"] = str(cache(Path(scratch)))
        print(f"{'':32}" + "".join(f"{outcome:>13}" for outcome in OUTCOMES))
        for room in given.room or ROOMS:
            subjects = [
                one
                for one in ROOMS[room]
                if given.only in one.name and all(map(find_spec, one.libraries))
            ]
            for subject, result in campaign(subjects, given.inputs, given.seed, Path(scratch)):
                counts = "".join(f"{result.counts[outcome]:>13}" for outcome in OUTCOMES)
                print(f"{subject.name:32}{counts}", flush=True)
                total += result.counts
                faults += result.faults
    print(f"{'all':32}" + "".join(f"{total[outcome]:>13}" for outcome in OUTCOMES))
    print("\n".join(faults[:200]))
    print(
        f"{total.total()} inputs, {len(faults)} faults, {time.monotonic() - start:.0f} s",
        file=sys.stderr,
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
