"""Hostile files given to commands: one line that names file and place, status 2, no output."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lexsub.cli import main
from lexsub.data.catalogue import BUNDLED
from tests.caches import cache
from tests.conftest import ROOT
from tests.hostile import (
    GOOD_INSTANCE,
    GZIP_CUT,
    GZIP_GARBAGE,
    LAUGHS,
    LONG_LINE,
    OUTSIDE,
    instance,
    xml,
)

SENTENCES = "sets/semeval2007/test/lexsub_test.xml"
GOLD = "sets/semeval2007/scoring/gold"
MWGOLD = "sets/semeval2007/scoring/mwgold"
MWIDS = "sets/semeval2007/scoring/mwids"
MANUAL = "sets/semeval2007/scoring/MRsamples"

CONFIG = """\
name = "x"
data = "semeval2007/test"

[[systems]]
name = "wordnet"
candidates = { name = "wordnet", frequency = "none" }
"""
RUN = "run good.toml --data sets --out out"
VALIDATE = "validate hostile --task best --data semeval2007/test --data-dir sets"
OFFICIAL = f"official hostile {GOLD}"
SCORE = f"score {GOLD} hostile"
AGAINST = "score hostile good.best"
COMPARE = f"compare {GOLD} good.best hostile"
CONVERT = "convert hostile out/x.oot"


@dataclass(frozen=True)
class Case:
    """One hostile file.

    Attributes:
        file: where it goes, relative to the test's folder.
        content: its bytes; a function makes something else than a file there.
        call: the command.
        place: how the message begins behind ``lexsub: ``.
        problem: what it must say.
    """

    file: str
    content: bytes | Callable[[Path], None]
    call: str
    place: str
    problem: str


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def nothing(path: Path) -> None:
    """Leave the place empty."""


def unreadable(path: Path) -> None:
    # Reading a process's memory from address 0 is refused to everyone, root included.
    path.symlink_to("/proc/self/mem")


def data(file: str, content: bytes | Callable[[Path], None], line: str, problem: str) -> Case:
    return Case(file, content, RUN, f"{file}{line}: ", problem)


def toml(content: str, line: str, problem: str) -> Case:
    return Case("bad.toml", content.encode(), "run bad.toml --data sets --out out",
                f"bad.toml{line}: ", problem)  # fmt: skip


CASES: dict[str, Case] = {
    # Data sets, through run.
    "truncated XML": data(SENTENCES, xml(GOOD_INSTANCE)[:-30], ":4", "not well-formed XML"),
    "billion laughs": data(SENTENCES, LAUGHS, ":3", "declares entities"),
    "external entity": data(SENTENCES, OUTSIDE, ":2", "declares entities"),
    "UTF-16 XML": data(SENTENCES, "<corpus/>".encode("utf-16"), "", "is UTF-16 text"),
    "Latin-1 XML": data(SENTENCES, b"<corpus>\xe9", ":1", "byte 0xe9 is not utf-8"),
    "NUL in XML": data(SENTENCES, b"<corpus>\n\0", ":2", "NUL byte"),
    "no head": data(SENTENCES, xml(instance("A day")), ":6", "has 0 <head> tags"),
    "two heads": data(
        SENTENCES, xml(instance("<head>a</head><head>b</head>")), ":6", "has 2 <head> tags"
    ),
    "repeated instance": data(
        SENTENCES, xml(f"{GOOD_INSTANCE}\n{GOOD_INSTANCE}"), ":5", "id 1 stands twice"
    ),
    "bad lexelt": data(SENTENCES, xml(GOOD_INSTANCE, "bright"), ":3", "is not a lexelt"),
    "empty XML": data(SENTENCES, b"", "", "is empty"),
    "deep XML": data(SENTENCES, b"<corpus>" * 100_000, ":1", "<corpus> inside <corpus>"),
    "100 MB word in XML": data(
        SENTENCES, xml(instance("LONG <head>a</head>")), ":5", "more than 1000000 characters"
    ),
    "gold for sentences": data(SENTENCES, b"a.n 1 :: b 2;\n", ":1", "not well-formed XML"),
    "unreadable sentences": data(SENTENCES, unreadable, "", "input/output error"),
    "counts missing": data(GOLD, b"a.n 1 :: b 2;\na.n 2 :: c;\n", ":2", "has no count"),
    "submission for a gold": data(GOLD, b"a.n 1 ::: b;c\n", ":1", "':::' is that of oot"),
    "repeated gold id": data(GOLD, b"a.n 1 :: b 2;\na.n 1 :: b 2;\n", ":2", "stands twice"),
    "empty gold": data(GOLD, b"", "", "holds no gold line"),
    "gold is a folder": data(GOLD, folder, "", "is a folder, expected a file"),
    "gold is a loop": data(GOLD, loop, "", "too many levels of symbolic links"),
    "gold is missing": data(GOLD, nothing, "", "no such file"),
    "gold is gzip garbage": data(GOLD, GZIP_GARBAGE, "", "is gzip data"),
    "100 MB gold line": data(GOLD, b"a.n 1 :: LONG 1;\n", ":1", "expected lines of at most"),
    "Latin-1 gold": data(GOLD, b"a.n 1 :: b 2;\na.n 2 :: \xe9 2;\n", ":2", "byte 0xe9"),
    "mwgold of nonsense": data(MWGOLD, b"nonsense\n", ":1", "expected 'lexelt id"),
    "mwids of nonsense": data(MWIDS, b"1  of it\nof it\n", ":2", "expected 'id multiword'"),
    "NUL in mwids": data(MWIDS, b"1  of\0it\n", ":1", "NUL byte"),
    "manual words of nonsense": data(MANUAL, b"a;n.man\nb;n\n", ":2", "'word;pos.man'"),
    # Configs.
    "no TOML": toml("name = \n", ":1", "not valid TOML"),
    "unclosed TOML": toml(CONFIG + 'title = "', ":7", "not valid TOML"),
    "repeated key": toml('name = "a"\nname = "b"\n', ":2", "not valid TOML"),
    "empty config": toml("", "", "name"),
    "misspelt key": toml(CONFIG.replace("data =", "dta ="), "", "dta"),
    "wrong type": toml("workers = 'two'\n" + CONFIG, "", "workers"),
    "no systems": toml('name = "a"\ndata = "tutorial/test"\nsystems = []\n', "", "systems"),
    "unknown source": toml(CONFIG.replace('"wordnet", f', '"wordnt", f'), "", "wordnet"),
    "unknown option": toml(CONFIG.replace("frequency", "freqency"), "", "freqency"),
    "unknown data set": toml(CONFIG.replace("semeval2007/", "semeval/"), "", "semeval2007"),
    "unknown split": toml(CONFIG.replace("2007/test", "2007/tset"), "", "did you mean test"),
    "name with a slash": toml(CONFIG.replace('"x"', '"../x"'), "", "name"),
    "deep TOML": toml("a = " + "[" * 100_000, "", "nested too deeply"),
    "100 MB config": toml("a = 'LONG'", "", "characters; expected an experiment's TOML"),
    "config is a folder": Case("bad.toml", folder, "run bad.toml --out out",
                               "bad.toml: ", "is a folder"),
    "config is missing": Case("bad.toml", nothing, "run bad.toml --out out",
                              "bad.toml: ", "no such file"),
    "Latin-1 config": Case("bad.toml", b"name = '\xe9'", "run bad.toml --out out",
                           "bad.toml:1: ", "byte 0xe9"),
    "NUL in config": Case("bad.toml", b"name = '\0'", "run bad.toml --out out",
                          "bad.toml:1: ", "NUL byte"),
    # Submissions.
    "validate: empty": Case("hostile", b"", VALIDATE, "hostile: ", "is empty"),
    "validate: folder": Case("hostile", folder, VALIDATE, "hostile: ", "is a folder"),
    "validate: missing": Case("hostile", nothing, VALIDATE, "hostile: ", "no such file"),
    "validate: loop": Case("hostile", loop, VALIDATE, "hostile: ", "symbolic links"),
    "validate: unreadable": Case("hostile", unreadable, VALIDATE, "hostile: ", "input/output"),
    "validate: gzip": Case("hostile", GZIP_CUT, VALIDATE, "hostile: ", "is gzip data"),
    "validate: another task": Case("hostile", b"a.n 1 ::: b\n", VALIDATE, "hostile: ",
                                   "--task oot"),
    "validate: sentences": Case("hostile", xml(GOOD_INSTANCE), VALIDATE, "hostile: ",
                                "holds no best answer"),
    "validate: 100 MB line": Case("hostile", b"LONG", VALIDATE, "hostile: ",
                                  "holds no best answer"),
    "validate: bad gold": Case("hostile", b"a.n 1 :: b\n",
                               "validate good.best --task best --data hostile",
                               "hostile:1: ", "has no count"),
    "official: folder": Case("hostile", folder, OFFICIAL, "hostile: ", "is a folder"),
    "official: missing": Case("hostile", nothing, OFFICIAL, "hostile: ", "no such file"),
    "official: 100 MB line": Case("hostile", b"a.n 1 :: LONG\n", OFFICIAL, "hostile:1: ",
                                  "expected lines of at most"),
    "official: gold a loop": Case("hostile", loop, "official good.best hostile",
                                  "hostile: ", "symbolic links"),
    "score: empty": Case("hostile", b"", SCORE, "hostile: ", ""),
    "score: folder": Case("hostile", folder, SCORE, "hostile: ", "is a folder"),
    "score: missing": Case("hostile", nothing, SCORE, "hostile: ", "no such file"),
    "score: UTF-16": Case("hostile", "a.n 1 :: b".encode("utf-16"), SCORE, "hostile: ",
                          "is UTF-16 text"),
    "score: NUL": Case("hostile", b"a.n 1 :: b\0\n", SCORE, "hostile:1: ", "NUL byte"),
    "score: gzip garbage": Case("hostile", GZIP_GARBAGE, SCORE, "hostile: ", "gzip"),
    "score: 100 MB line": Case("hostile", b"a.n 1 :: LONG\n", SCORE, "hostile:1: ",
                               "expected lines of at most"),
    "score: gold without counts": Case("hostile", b"a.n 1 :: b\n", AGAINST, "hostile:1: ",
                                       "has no count"),
    "score: gold empty": Case("hostile", b"", AGAINST, "hostile: ", "holds no gold line"),
    "score: gold a folder": Case("hostile", folder, AGAINST, "hostile: ", "is a folder"),
    "convert: empty": Case("hostile", b"", CONVERT, "hostile: ", ""),
    "convert: folder": Case("hostile", folder, CONVERT, "hostile: ", "is a folder"),
    "convert: a gold": Case("hostile", b"a.n 1 :: b 2;\n", CONVERT, "hostile: ", "is a gold"),
    "convert: Latin-1": Case("hostile", b"a.n 1 :: \xe9\n", CONVERT, "hostile:1: ", "0xe9"),
    "convert: gzip cut short": Case("hostile", GZIP_CUT, CONVERT, "hostile: ", "gzip"),
    "convert: 100 MB line": Case("hostile", b"a.n 1 :: LONG\n", CONVERT, "hostile:1: ",
                                 "expected lines of at most"),
    "convert: broken JSON": Case("hostile", b'{"id": "1", "substitutes": [\n', CONVERT,
                                 "hostile: ", "not JSON"),
    "convert: to a folder": Case("hostile", folder, "convert good.best hostile --to oot",
                                 "hostile: ", "is a folder"),
    "convert: below a file": Case("hostile", b"", "convert good.best hostile/x --to oot",
                                  "hostile/x: ", "cannot be written"),
    "compare: NUL": Case("hostile", b"a.n 1 :: b\0\n", COMPARE, "hostile:1: ", "NUL byte"),
    "compare: folder": Case("hostile", folder, COMPARE, "hostile: ", "is a folder"),
    "compare: empty": Case("hostile", b"", COMPARE, "hostile: ", "is empty"),
    "agreement: missing": Case("hostile", nothing, "agreement hostile", "hostile: ",
                               "no such file"),
    "agreement: folder": Case("hostile", folder, "agreement hostile", "hostile: ", "is a folder"),
    "agreement: Latin-1": Case("hostile", b"item\n\xe9\n", "agreement hostile", "hostile:2: ",
                               "byte 0xe9"),
    "agreement: empty": Case("hostile", b"", "agreement hostile", "hostile: ", "no annotation"),
    # Corpora and models.
    "lm: gzip garbage": Case("hostile.gz", GZIP_GARBAGE, "lm train hostile.gz -o out/m",
                             "hostile.gz: ", "gzip data are damaged"),
    "lm: empty corpus": Case("hostile.txt", b"", "lm train hostile.txt -o out/m", "",
                             "the corpus holds no words"),
    "lm: loop": Case("hostile", loop, "lm train hostile -o out/m", "hostile: ", ""),
    "lm: folder without text": Case("hostile", folder, "lm train hostile -o out/m", "hostile: ",
                                    "holds no corpus file"),
    "lm: no model": Case("hostile", folder, "lm show hostile", "hostile: ",
                         "is no language model folder"),
    # Archives.
    "get: garbage": Case("hostile", GZIP_GARBAGE, "data get semeval2007 --from hostile --to out",
                         "hostile: ", "expected 8a2b206a"),
    "get: folder": Case("hostile", folder, "data get semeval2007 --from hostile --to out",
                        "hostile: ", "holds none of task10data.tar.gz"),
    "get: loop": Case("hostile", loop, "data get semeval2007 --from hostile --to out",
                      "hostile: ", "symbolic links"),
}  # fmt: skip


# All faults of a config are told at once, a line each.
SEVERAL_FAULTS = {"empty config", "misspelt key"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an honest data set, config and submission, and an empty cache."""
    release = tmp_path / "sets" / "semeval2007"
    shutil.copytree(BUNDLED / "tutorial", release)
    for split in ("test", "trial"):
        (release / split / f"tutorial_{split}.xml").rename(release / split / f"lexsub_{split}.xml")
    (tmp_path / "good.toml").write_text(CONFIG)
    (tmp_path / "good.best").write_text("draft.n 101 :: version\n")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEXSUB_CACHE", str(cache(tmp_path)))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LEXSUB_DATA", raising=False)
    return tmp_path


def put(case: Case, place: Path) -> None:
    path = place / case.file
    path.unlink(missing_ok=True)
    if isinstance(case.content, bytes):
        path.write_bytes(case.content.replace(b"LONG", LONG_LINE))
    else:
        case.content(path)


@pytest.mark.parametrize("name", CASES)
def test_one_line_and_status_2(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    put(case, place)
    with pytest.raises(SystemExit) as stopped:
        main(case.call.split())
    out, err = capsys.readouterr()
    assert stopped.value.code == 2, err
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("semeval2007: ")]
    if name in SEVERAL_FAULTS:
        assert all("bad.toml: " in line for line in lines)
    else:
        assert len(lines) == 1, err
    assert lines[0].startswith("lexsub: ")
    assert case.place in lines[0], lines[0]
    assert case.problem in err
    assert len(lines[0]) < 1000
    assert list((place / "out").iterdir()) == [], "something was written"


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"", "neither a folder nor"), (GZIP_GARBAGE, "hostile"), (folder, "holds no WordNet"),
     (loop, "does not exist"), (nothing, "does not exist")],
)  # fmt: skip
def test_no_wordnet(
    content: bytes | Callable[[Path], None],
    problem: str,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    put(Case("hostile", content, "", "", ""), place)
    monkeypatch.setenv("LEXSUB_WORDNET", str(place / "hostile"))
    with pytest.raises(SystemExit) as stopped:
        main(["wordnet", "info"])
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert str(place / "hostile") in err
    assert problem in err


def test_all_faults_of_a_config_at_once(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "bad.toml").write_text(CONFIG.replace('wordnet"', 'wordnt"').replace("test", "tst"))
    with pytest.raises(SystemExit):
        main(["run", "bad.toml"])
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 2, err
    assert all("bad.toml: " in line for line in err.splitlines())


def limited(place: Path, call: str, limit: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own under a limit of the system's."""
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"{limit}; from lexsub.cli import main; main(sys.argv[1:])"
    )
    return subprocess.run(
        [sys.executable, "-B", "-c", program, *call.split()],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "call", ["convert big.best out/x.jsonl", "run big.toml --data sets --out out"]
)
def test_full_disk(place: Path, call: str) -> None:
    """A quota on file size stands in for a full disk; no half file may be left."""
    (place / "big.best").write_text("".join(f"a.n {n} :: word\n" for n in range(5000)))
    (place / "big.toml").write_text(f'title = "{"x" * 20_000}"\n' + CONFIG)
    done = limited(place, call, "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))")
    assert done.returncode == 2, done.stderr
    assert "cannot be written: file too large" in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) == 1
    assert list((place / "out").iterdir()) == []


def test_long_lines_cost_no_more_than_a_few_copies(place: Path) -> None:
    """Reading a line of 100 MB is refused within a gigabyte of memory."""
    for name in ("validate: 100 MB line", "100 MB gold line", "100 MB word in XML"):
        put(CASES[name], place)
        done = limited(
            place, CASES[name].call, "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))"
        )
        assert done.returncode == 2, done.stderr
        assert "MemoryError" not in done.stderr
        shutil.copytree(BUNDLED / "tutorial" / "scoring", place / "sets/semeval2007/scoring",
                        dirs_exist_ok=True)  # fmt: skip


def test_the_honest_files_work(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the hostile cases differ from: without a fault the same calls do their work."""
    with pytest.raises(SystemExit) as stopped:
        main(["score", GOLD, "good.best", "--format", "json"])
    assert stopped.value.code in (0, None)
    assert json.loads(capsys.readouterr().out)
    with pytest.raises(SystemExit) as stopped:
        main(["convert", "good.best", "out/x.oot"])
    assert stopped.value.code in (0, None)
    assert (place / "out" / "x.oot").read_text() == "draft.n 101 ::: version\n"


def test_there_are_at_least_forty() -> None:
    assert len(CASES) >= 40
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
