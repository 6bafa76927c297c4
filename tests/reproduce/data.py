"""Small stand-ins for data that cannot be shipped, laid out as the originals."""

from __future__ import annotations

import shutil
from pathlib import Path

from lexsub.data.catalogue import BUNDLED


def semeval_release(folder: Path) -> Path:
    """Lay the tutorial set out as the SemEval-2007 release; return the data folder."""
    release = folder / "semeval2007"
    shutil.copytree(BUNDLED / "tutorial", release)
    for split in ("test", "trial"):
        (release / split / f"tutorial_{split}.xml").rename(release / split / f"lexsub_{split}.xml")
    return folder


def gold_lines(folder: Path) -> list[tuple[str, str, list[str]]]:
    """Return (lexelt, id, substitutes) of the release's gold."""
    lines = []
    for line in (folder / "semeval2007" / "scoring" / "gold").read_text().splitlines():
        head, _, answers = line.partition(" :: ")
        lexelt, item = head.split()
        names = [answer.rpartition(" ")[0] for answer in answers.split(";") if answer.strip()]
        lines.append((lexelt, item, names))
    return lines
