"""Texts, tables, models, data and results by address: the same bytes as from this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fsspec.core import url_to_fs

from lexsub.cli import main
from lexsub.errors import FileProblemError
from lexsub.storage import user_folders
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


@dataclass(frozen=True)
class Store:
    """A folder elsewhere: what fsspec has of it, its address and its name there."""

    system: Any
    address: str
    name: str

    def put(self, name: str, data: bytes) -> None:
        self.system.pipe_file(f"{self.name}/{name}", data)


@contextmanager
def opened(request: Any, folder: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    if request.param == "s3":
        with s3(monkeypatch) as system:
            yield Store(system, f"s3://{BUCKET}", BUCKET)
        return
    address = f"{getattr(request.getfixturevalue('served'), request.param)}/{folder}"
    if request.param == "hdfs":
        pytest.importorskip("hdfs_native")
    yield Store(url_to_fs(address)[0], address, f"/{folder}")


@pytest.fixture(params=["s3", "hdfs", "webhdfs"])
def store(request: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Store]:
    monkeypatch.setenv("LEXSUB_CACHE", str(cache(tmp_path)))
    user_folders._fetch.cache_clear()
    with opened(request, tmp_path.name, monkeypatch) as found:
        for name, text in (("text.txt", TEXT), ("relations.tsv", RELATIONS),
                           ("items.jsonl", ITEMS), ("pool.txt", POOL)):  # fmt: skip
            (tmp_path / name).write_text(text)
            found.put(name, text.encode())
        yield found


def lexsub(*words: object) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert ended.value.code in (0, None), words


def held(store: Store, folder: str) -> dict[str, bytes]:
    base = f"{store.name}/{folder}/"
    system = store.system
    return {name.removeprefix(base): system.cat_file(name) for name in system.find(base)}


def test_a_language_model(store: Store, tmp_path: Path) -> None:
    options = ("--order", 3, "--engine", "embedded", "--arpa")
    lexsub("lm", "train", tmp_path / "text.txt", "-o", tmp_path / "here", *options)
    lexsub("lm", "train", f"{store.address}/text.txt", "-o", f"{store.address}/there", *options)
    assert held(store, "there") == everything(tmp_path / "here")


def test_a_model_that_lies_there_is_asked(store: Store, tmp_path: Path, capsys: Any) -> None:
    there = f"{store.address}/lm"
    lexsub("lm", "train", tmp_path / "text.txt", "-o", there, "--order", 3, "--engine", "embedded")
    assert f"\n{there}: backoff model" in f"\n{capsys.readouterr().err}"
    lexsub("lm", "score", there, f"{store.address}/text.txt")
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(TEXT.splitlines())


def test_a_thesaurus(store: Store, tmp_path: Path, capsys: Any) -> None:
    options = ("--word-tokens", 1, "--lexicon", "relations", "--form-tokens", 1, "--measure", "lin")
    for place, name in ((tmp_path, "here"), (store.address, "there")):
        lexsub("thesaurus", "build", "--relations", f"{place}/relations.tsv",
               "--text", f"{place}/text.txt", "--out", f"{place}/{name}", *options)  # fmt: skip
    assert held(store, "there") == everything(tmp_path / "here")
    capsys.readouterr()
    lexsub("thesaurus", "neighbours", "cup.n", "-t", f"{store.address}/there")
    assert "mug" in capsys.readouterr().out


def test_a_run(store: Store, tmp_path: Path) -> None:
    here = tmp_path / "here.toml"
    here.write_text(CONFIG.format(place=tmp_path))
    there = tmp_path / "there.toml"
    there.write_text(CONFIG.format(place=store.address))
    lexsub("run", here, "-o", tmp_path / "run")
    store.put("run/tables/old.md", b"of an earlier run")
    store.put("run/own.txt", b"of the user")
    store.put("run/manifest.json", b'{"files": ["tables/old.md", "../text.txt"]}')
    lexsub("run", there, "-o", f"{store.address}/run")
    mine, theirs = everything(tmp_path / "run"), held(store, "run")
    assert theirs.pop("own.txt") == b"of the user"
    assert mine.keys() == theirs.keys()
    # What says where things were, and when.
    differ = {name for name in mine if mine[name] != theirs[name]}
    assert differ <= {"manifest.json", "config.toml", "report.html"}
    lexsub("report", f"{store.address}/run", "-o", tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 1000
    lexsub("report", f"{store.address}/run", "-o", f"{store.address}/pages/page.html")
    assert held(store, "pages")["page.html"] == (tmp_path / "page.html").read_bytes()
    assert store.system.exists(f"{store.name}/text.txt")


@pytest.mark.parametrize("store", ["s3"], indirect=True)
def test_a_run_that_could_not_be_written_does_not_begin(
    store: Store, tmp_path: Path, capsys: Any
) -> None:
    config = tmp_path / "here.toml"
    config.write_text(CONFIG.format(place=tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["run", str(config), "-o", "s3://no-such-bucket/run"])
    assert ended.value.code == 2
    said = capsys.readouterr().err.splitlines()
    assert said == ["lexsub: s3://no-such-bucket/run: no such file, folder or bucket"]


def test_a_corpus_that_is_not_there(store: Store, tmp_path: Path) -> None:
    from lexsub.rankers.lm.training import LanguageModelBuilder
    from lexsub.resources import Resources

    builder = LanguageModelBuilder(corpus=(f"{store.address}/none",), engine="embedded")
    with pytest.raises(
        FileProblemError, match=f"{store.address}/none: no such file, folder or bucket"
    ):
        builder.build(Resources(), tmp_path)
