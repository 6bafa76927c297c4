"""Work that loads what loads slowly, where it is imported and whatever is forked from there.

It compiles what is compiled for these tables, too, if nobody has: not several processes at once.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.resources import Resources

with tempfile.TemporaryDirectory() as name:
    (source := Path(name) / "r.tsv").write_text("n\ta\tamod\tb\t4\nn\tc\tamod\tb\t4\n")
    (made := Path(name) / "made").mkdir()
    builder = ThesaurusBuilder(
        relations=(str(source),), word_tokens=1, tables=("cosine", "l1", "lin")
    )
    builder.build(Resources(cache=Path(name) / "cache"), made)
