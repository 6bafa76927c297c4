"""Sphinx configuration: ``sphinx-build -W docs site`` builds the site, without network."""

from __future__ import annotations

import gc
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from generate import write_reference  # noqa: E402

from lexsub import __version__  # noqa: E402

# The nodes of all pages stay; looking through them for garbage takes a fifth of the time.
gc.set_threshold(100_000, 50, 100)

project, author, copyright = "lexsub", "the authors of lexsub", "the authors of lexsub"  # noqa: A001
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "lexsub"
html_show_sourcelink = False
pygments_style = "friendly"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_use_ivar = True
# The classes are named where they live; not all of those modules have pages here.
nitpicky = False

write_reference(HERE / "reference")


def escape_bars(*given: object) -> None:
    """Keep |H| of a formula from being taken for a substitution."""
    lines = given[-1]
    assert isinstance(lines, list)
    lines[:] = [line if "`" in line else line.replace("|", r"\|") for line in lines]


FILE_BLOCK = re.compile(r"^<!-- file: (\S+) -->\n```(\w+)\n", re.MULTILINE)


def name_files(app: object, page: str, source: list[str]) -> None:
    """Show the names of files above their blocks, which readers of the bare page see as remarks."""
    del app, page
    source[0] = FILE_BLOCK.sub(r"```{code-block} \2\n:caption: \1\n\n", source[0])


def setup(app: object) -> None:
    """Connect the hooks."""
    app.connect("source-read", name_files)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", escape_bars)  # type: ignore[attr-defined]
