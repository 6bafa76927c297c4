"""Texts, tables, models, data and results by address: the same bytes as from this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexsub import fetching
from lexsub.cli import main
from lexsub.errors import FileProblemError
from tests.caches import cache
from tests.distributional.test_thesaurus import everything
from tests.remote.servers import BUCKET, s3

pytestmark = pytest.mark.filterwarnings("ignore")  # boto's own

TEXT = "".join(
    f"the {a} {b} {c} the {d} .\n"
    for a in ("old", "new", "bright") for b in ("cup", "mug", "boy", "pot")
    for c in ("stands on", "falls from", "is under") for d in ("table", "shelf", "floor")
)  # fmt: skip
RELATIONS = "".join(
    f"n\t{noun}\tdobj-of\t{verb}\t{count}\n"
    for count, (noun, verb) in enumerate(
        [("cup", "fill"), ("mug", "fill"), ("cup", "wash"), ("mug", "wash"), ("pot", "wash")], 3
    )
)
ITEMS = "".join(
    json.dumps({"sentence": text, "pos": "a", "substitutes": given}) + "\n"
    for text, given in (("a *bright* boy", "clever 3; smart 2"), ("an *old* cup", "ancient 2"))
)
CONFIG = """\
name = "small"
data = "{place}/items.jsonl"
resources = {{ pool = "{place}/pool.txt" }}

[models.lm]
kind = "lm"
corpus = ["{place}/text.txt"]
order = 3
engine = "embedded"
binary = false

[[systems]]
name = "pool"
candidates = {{ name = "gold-pool", file = "pool" }}
ranker = {{ name = "lm", model = "lm" }}
"""
POOL = "bright.a:: clever;smart;new\nold.a:: ancient;new\n"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    monkeypatch.setenv("LEXSUB_CACHE", str(cache(tmp_path)))
    fetching._FETCHED.clear()
    with s3(monkeypatch) as found:
        for name, text in (("text.txt", TEXT), ("relations.tsv", RELATIONS),
                           ("items.jsonl", ITEMS), ("pool.txt", POOL)):  # fmt: skip
            (tmp_path / name).write_text(text)
            found.pipe_file(f"{BUCKET}/{name}", text.encode())
        yield found


def lexsub(*words: object) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert ended.value.code in (0, None), words


def held(store: Any, folder: str) -> dict[str, bytes]:
    base = f"{BUCKET}/{folder}/"
    return {name.removeprefix(base): store.cat_file(name) for name in store.find(base)}


def test_a_language_model(store: Any, tmp_path: Path) -> None:
    options = ("--order", 3, "--engine", "embedded", "--arpa")
    lexsub("lm", "train", tmp_path / "text.txt", "-o", tmp_path / "here", *options)
    lexsub("lm", "train", f"s3://{BUCKET}/text.txt", "-o", f"s3://{BUCKET}/there", *options)
    assert held(store, "there") == everything(tmp_path / "here")


def test_a_model_that_lies_there_is_asked(store: Any, tmp_path: Path, capsys: Any) -> None:
    there = f"s3://{BUCKET}/lm"
    lexsub("lm", "train", tmp_path / "text.txt", "-o", there, "--order", 3, "--engine", "embedded")
    capsys.readouterr()
    lexsub("lm", "score", there, f"s3://{BUCKET}/text.txt")
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(TEXT.splitlines())


def test_a_thesaurus(store: Any, tmp_path: Path, capsys: Any) -> None:
    options = ("--word-tokens", 1, "--lexicon", "relations", "--form-tokens", 1, "--measure", "lin")
    for place, out in ((tmp_path, tmp_path / "here"), (f"s3://{BUCKET}", f"s3://{BUCKET}/there")):
        lexsub("thesaurus", "build", "--relations", f"{place}/relations.tsv",
               "--text", f"{place}/text.txt", "--out", out, *options)  # fmt: skip
    assert held(store, "there") == everything(tmp_path / "here")
    capsys.readouterr()
    lexsub("thesaurus", "neighbours", "cup.n", "-t", f"s3://{BUCKET}/there")
    assert "mug" in capsys.readouterr().out


def test_a_run(store: Any, tmp_path: Path) -> None:
    here = tmp_path / "here.toml"
    here.write_text(CONFIG.format(place=tmp_path))
    there = tmp_path / "there.toml"
    there.write_text(CONFIG.format(place=f"s3://{BUCKET}"))
    lexsub("run", here, "-o", tmp_path / "run")
    store.pipe_file(f"{BUCKET}/run/tables/old.md", b"of an earlier run")
    store.pipe_file(f"{BUCKET}/run/own.txt", b"of the user")
    store.pipe_file(f"{BUCKET}/run/manifest.json", b'{"files": ["tables/old.md", "../text.txt"]}')
    lexsub("run", there, "-o", f"s3://{BUCKET}/run")
    mine, theirs = everything(tmp_path / "run"), held(store, "run")
    assert theirs.pop("own.txt") == b"of the user"
    assert mine.keys() == theirs.keys()
    # What says where things were, and when.
    differ = {name for name in mine if mine[name] != theirs[name]}
    assert differ <= {"manifest.json", "config.toml", "report.html"}
    lexsub("report", f"s3://{BUCKET}/run", "-o", tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 1000
    assert store.exists(f"{BUCKET}/text.txt")


def test_a_run_that_could_not_be_written_does_not_begin(
    store: Any, tmp_path: Path, capsys: Any
) -> None:
    config = tmp_path / "here.toml"
    config.write_text(CONFIG.format(place=tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["run", str(config), "-o", "s3://no-such-bucket/run"])
    assert ended.value.code == 2
    said = capsys.readouterr().err.splitlines()
    assert said == ["lexsub: s3://no-such-bucket/run: no such file, folder or bucket"]


def test_a_corpus_that_is_not_there(store: Any, tmp_path: Path) -> None:
    from lexsub.rankers.lm.training import LanguageModelBuilder
    from lexsub.resources import Resources

    builder = LanguageModelBuilder(corpus=(f"s3://{BUCKET}/none",), engine="embedded")
    with pytest.raises(FileProblemError, match="s3://texts/none: no such file, folder or bucket"):
        builder.build(Resources(), tmp_path)
