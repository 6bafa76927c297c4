"""How many candidates each system of a finished run has, and how far a perfect ranker gets.

    lexsub run semeval2007-ceilings
    python benchmarks/ceilings.py runs/semeval2007-ceilings

Prints, for every system of the run: the mean number of candidates over all items that have
gold, the share of those with any, and the recall of best and oot, and of their modes, of
the oracle over these candidates, as the run's scores.json has them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lexsub.data.catalogue import load
from lexsub.formats.jsonl import read_rankings
from lexsub.storage.user_folders import data_folders

MEASURES = ("best-R", "best-mode-R", "oot-R", "oot-mode-R")


def main(run: Path, data: Path | None) -> None:
    document = json.loads((run / "scores.json").read_text())
    scored = set(load(document["data"], data_folders(data)).gold.items)
    print("system\tmean candidates\titems with any\tbest R\tmode R\toot R\tmode R")
    for ceiling in document["ceilings"]:
        name = ceiling["system"].removesuffix(".ceiling")
        rankings = read_rankings(run / "rankings" / f"{name}.jsonl")
        sizes = [len(ranking.ranked) for ranking in rankings if ranking.id in scored]
        values = {
            figure["measure"]: 100 * figure["value"]
            for figure in ceiling["figures"]
            if figure["subset"] == "ALL" and figure["pos"] == "all" and figure["value"] is not None
        }
        print(
            name,
            f"{sum(sizes) / len(scored):.1f}",
            f"{sum(size > 0 for size in sizes)} of {len(scored)}",
            *(f"{values[measure]:.2f}" for measure in MEASURES),
            sep="\t",
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
