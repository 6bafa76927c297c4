"""The entrants' archive: whose file is which, and the tables made of it."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

from lexsub.data.install import unpack
from lexsub.data.semeval2007 import find_entrants, scan, system_and_task
from lexsub.errors import LexsubError, MissingResourceError
from lexsub.evaluation.official.report import official
from lexsub.experiments.config.published import published_tables
from lexsub.experiments.papers.reproduce.bench import Bench
from lexsub.experiments.papers.reproduce.page import MAKERS, missing, reproduce
from lexsub.resources import Resources
from tests.reproduce.data import gold_lines, semeval_release


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("KU.best", ("KU", "best")),
        ("ku/best.txt", ("KU", "best")),
        ("SWAG-1/swag1.oot", ("SWAG1", "oot")),
        ("IRST_2-outof10.out", ("IRST2", "oot")),
        ("oot/usyd", ("USYD", "oot")),
        ("hit_mw.txt", ("HIT", "mw")),
        ("Toronto.best", ("TOR", "best")),
        ("README", None),
        ("KU/notes.txt", None),
        ("best/someone", None),
    ],
)
def test_system_and_task_by_name(name: str, expected: object) -> None:
    assert system_and_task(tuple(name.split("/"))) == expected


def archive(folder: Path) -> None:
    """A tar file of made-up outputs in two manners of naming, unpacked where it belongs."""
    source = folder / "made"
    (source / "systems" / "SWAG1").mkdir(parents=True)
    gold = gold_lines(folder)
    best = "".join(f"{lexelt} {item} :: {names[0]}\n" for lexelt, item, names in gold)
    oot = "".join(f"{lexelt} {item} ::: {';'.join(names[:10])}\n" for lexelt, item, names in gold)
    (source / "systems" / "KU.best").write_text(best)
    (source / "systems" / "KU.oot").write_text(oot)
    # A blank answer: the official scorer lends it the answers of the line before.
    lines = [*oot.splitlines()[:-1], f"{gold[-1][0]} {gold[-1][1]} ::: "]
    (source / "systems" / "SWAG1" / "oot.txt").write_text("\n".join(lines) + "\n")
    (source / "systems" / "README").write_text("made up\n")
    mwgold = (folder / "semeval2007" / "scoring" / "mwgold").read_text().splitlines()
    answers = (line.partition(" :: ") for line in mwgold)
    (source / "systems" / "hit.mw").write_text(
        "".join(f"{h} :: {a.split(';')[0].rpartition(' ')[0]}\n" for h, _, a in answers)
    )
    packed = folder / "systems.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        tar.add(source / "systems", "systems")
    target = folder / "semeval2007-systems"
    target.mkdir()
    unpack(packed, target)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    semeval_release(tmp_path)
    archive(tmp_path)
    resources = Resources(data=(tmp_path,), cache=tmp_path / "cache")
    return Bench(resources, tmp_path / "runs", lambda line: None)


def test_archive_is_read_with_what_is_unknown(bench: Bench) -> None:
    found = find_entrants(bench.resources.data)
    assert {f"{system} {task}" for system, task in found.files} == {
        "KU best", "KU oot", "SWAG1 oot", "HIT mw"
    }  # fmt: skip
    assert found.unknown == ("systems/README",)


def test_two_files_for_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ku").mkdir()
    (tmp_path / "KU.best").write_text("a")
    (tmp_path / "ku" / "best.txt").write_text("a")
    assert len(scan(tmp_path).files) == 1, "the same bytes twice do no harm"
    (tmp_path / "ku" / "best.txt").write_text("b")
    with pytest.raises(LexsubError, match="both look like the best answers of KU"):
        scan(tmp_path)


def test_missing_archive_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingResourceError, match="lexsub data get semeval2007-systems"):
        find_entrants((tmp_path,))
    (tmp_path / "semeval2007-systems").mkdir()
    with pytest.raises(LexsubError, match="no file that names a system"):
        find_entrants((tmp_path,))


@pytest.mark.parametrize("number", [1, 3, 4, 6])
def test_tables_of_entrants(bench: Bench, number: int) -> None:
    name = f"mccarthy-navigli-2007/table{number}"
    table = reproduce(name, bench)
    ours = {row[0]: [cell and cell.value for cell in row[2:]]
            for row in table.rows if row[1] == "ours"}  # fmt: skip
    task = "best" if number in (1, 3) else "oot"
    assert set(ours) == ({"KU"} if task == "best" else {"KU", "SWAG1"})
    assert all(len(values) == 4 for values in ours.values())
    if task == "oot":
        assert ours["KU"][0] == 100, "every gold answer was given"
    differences = [row for row in table.rows if row[1] == "difference"]
    published = published_tables()[name].rows["KU"]
    shown = next(row for row in differences if row[0] == "KU")[2:]
    for cell, mine, theirs in zip(shown, ours["KU"], published, strict=True):
        assert cell is not None
        assert mine is not None
        assert cell.value == pytest.approx(mine - theirs)
    assert "systems/README" in table.notes[1]


def test_figures_are_those_of_the_official_print_out(bench: Bench) -> None:
    folder = bench.resources.data[0]
    system = (folder / "semeval2007-systems" / "systems" / "SWAG1" / "oot.txt").read_bytes()
    gold = (folder / "semeval2007" / "scoring" / "gold").read_bytes()
    printed = official(system, gold, "oot").stdout.decode()
    row = next(
        row
        for row in reproduce("mccarthy-navigli-2007/table4", bench).rows
        if row[0] == "SWAG1" and row[1] == "ours"
    )
    values = [f"{cell.value:.2f}" for cell in row[2:] if cell]
    assert values == re.findall(r"(?:precision|recall) = ([\d.]+)", printed)


def test_every_maker_makes_a_published_table(bench: Bench) -> None:
    tables = published_tables()
    assert set(MAKERS) <= set(tables)
    without = set(tables) - set(MAKERS)
    assert without == {"mccarthy-navigli-2007/table8"}
    for name in without:
        assert tables[name].needs, "what cannot be made says why"
        assert missing(tables[name], bench) == tables[name].needs
