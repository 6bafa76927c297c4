"""README and documentation: every block works as shown, the site builds, the reference is whole."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import click
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests import forked
from tests.conftest import ROOT
from tests.pages import blocks_of, difference

PAGES = sorted(
    path for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    if "reference" not in path.relative_to(ROOT).parts
)  # fmt: skip
BLOCKS = {path: blocks_of(path.read_text()) for path in PAGES}
LANGUAGES = {"console", "sh", "python", "toml", "text", "js", ""}


def read_page(page: Path, folder: Path, *options: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    if "--data" not in options:  # as a reader has it who has just begun
        environment |= {"LEXSUB_DATA": "", "XDG_DATA_HOME": str(folder / "none")}
    done = forked.python_m(
        "tests.pages", str(page), str(folder), *options, cwd=ROOT, environment=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr


QUICKSTART = [path for path in PAGES if "lexsub run quickstart\n" in path.read_text()]


def test_pages_with_the_quickstart_work_as_shown(tmp_path: Path) -> None:
    """One after the other, so that its models are trained once."""
    assert len(QUICKSTART) >= 2
    for page in QUICKSTART:
        folder = tmp_path / page.stem
        folder.mkdir()
        read_page(page, folder)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in QUICKSTART],
    ids=lambda page: str(page.relative_to(ROOT)),
)  # fmt: skip
def test_every_block_works_as_shown(page: Path, tmp_path: Path) -> None:
    read_page(page, tmp_path)


@pytest.mark.data
@pytest.mark.parametrize(
    "page", [p for p in PAGES if any(b.mark == "data" for b in BLOCKS[p])],
    ids=lambda page: str(page.relative_to(ROOT)),
)  # fmt: skip
def test_blocks_that_need_data_work_as_shown(
    page: Path, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXSUB_DATA", str(data_dir))
    read_page(page, tmp_path, "--data")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_block_is_left_out_without_a_reason(page: Path) -> None:
    for block in BLOCKS[page]:
        assert block.language in LANGUAGES, f"{page}:{block.line}"
        known = ("", "data", "prints", "file: ", "not run: ", "command: ")
        assert block.mark.startswith(known[1:]) or block.mark == "", f"{page}:{block.line}"
    # A fence that the pattern does not see would not be run either.
    assert page.read_text().count("\n```") == 2 * len(BLOCKS[page])


def rendered(page: Path) -> list[Token]:
    """The pieces of a page as Markdown, inline ones behind what they stand in; no fenced blocks."""
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text())
    return [inner for token in tokens for inner in [token, *(token.children or ())]]


@cache
def anchors(page: Path) -> set[str]:
    """What ``#…`` can name on a page, as GitHub and the site make it of the headings."""
    tokens = rendered(page)
    found: Counter[str] = Counter()
    names = set()
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            plain = "".join(
                one.content for one in token.children or () if one.type in ("text", "code_inline")
            )
            slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            names.add(f"{slug}-{found[slug]}" if found[slug] else slug)
            found[slug] += 1
    return names


def dead_links(page: Path, known: set[Path]) -> list[str]:
    """The links and pictures of a page that lead nowhere among the files of the repository."""
    dead = []
    for token in rendered(page):
        link = str(token.attrGet("href") or token.attrGet("src") or "")
        if not link or re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / unquote(name)).resolve() if name else page
        inside = target in known or any(target in one.parents for one in known)
        if not inside or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            dead.append(link)
    return dead


def test_no_link_is_dead() -> None:
    """Read as Markdown, before any site is built: pages that are generated are not there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("no git checkout, so that made files cannot be told from others")
    files = {ROOT / name for name in listed.stdout.decode().split("\0") if name}
    pages = [path for path in files if path.suffix == ".md"]
    assert len(pages) > 30
    dead = {page.name: found for page in pages if (found := dead_links(page, files))}
    assert dead == {}


def test_dead_links_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two`, three\n\n[a](#one-two-three) [b](#one) ![c](none.svg)\n\n"
        "| a | b |\n|---|---|\n| [d](none.md) | [e](page.md#four) [f](https://x.y) |\n"
    )
    assert dead_links(page, {page}) == ["#one", "none.svg", "none.md", "page.md#four"]


def test_ellipses_stand_for_anything_and_nothing_else() -> None:
    assert difference("a … c\n", "a b c\n") == ""
    assert difference("a\n…\nc\n", "a\nb\nb\nc\n") == ""
    assert difference("a\n", "a\nb\n") != ""
    assert difference("a … c\n", "a b d\n") != ""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as strictly as it goes."""
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-d", str(out / "trees"), "docs", str(out)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_the_site_asks_nobody_for_anything(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not re.search(r'<(script|link|img)[^>]*(src|href)="https?:', page.read_text()), page


def test_the_reference_has_everything(site: Path) -> None:
    from tests.test_manners import LEAVES

    commands = (site / "reference/commands.html").read_text()
    for name, command in LEAVES.items():
        assert f">lexsub {name}<" in commands
        parameters = command.get_params(click.Context(command))
        for parameter in (one for one in parameters if "--help" not in one.opts):
            for option in parameter.opts if parameter.param_type_name == "option" else ():
                assert f">{option}<" in commands
    from docs.generate import field_docs
    from lexsub.evaluation.measure import MEASURES
    from lexsub.experiments.config.schema import ExperimentTable, SystemTable
    from lexsub.parts.base import RANKERS

    measures = (site / "reference/measures.html").read_text()
    assert all(f"<h2>{name}<" in measures for name in MEASURES)
    parts = (site / "reference/parts.html").read_text()
    assert all(f"<h3>{name}<" in parts for name in RANKERS)
    api = (site / "reference/api.html").read_text()
    # What a measure of one's own asks for, wherever the class has it from.
    for member in ("owner", "rank", "sizes", "sum", "any", "best_of", "running"):
        assert f'id="lexsub.evaluation.sheets.Sheet.{member}"' in api
    keys = (site / "reference/config.html").read_text()
    for model in (ExperimentTable, SystemTable):
        about = field_docs(model)
        for name in model.model_fields:
            assert f">{name}<" in keys
            assert about[name]
