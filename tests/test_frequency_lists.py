"""Frequency lists: how they are read, found, and refused."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from lexsub.errors import FormatError, MissingExtraError, MissingResourceError, UnknownNameError
from lexsub.frequency import FREQUENCIES
from lexsub.frequency.lists import FILMS, read_form_list, read_lemma_list, read_lexique
from lexsub.resources import Resources
from tests.tiny_wordnet import write_tiny

LEMMAS = "sort-order frequency word class\n5 900 Bank n\n6 700 bank v\n7 5 well adv\n8 3 by prep\n"
FORMS = "<TOTAL>\t99 \nbank\t40\t39\t2\nbank\t1\nBerlin\t7\n\n"


def test_every_list_is_registered_with_a_description() -> None:
    assert list(FREQUENCIES) == [
        "bnc-forms", "bnc-lemmas", "language", "lexique", "lexique-books", "lexique-films", "none",
        "own-forms", "semcor", "ukwac", "wordfreq",
    ]  # fmt: skip
    assert all(FREQUENCIES[name].description for name in FREQUENCIES)
    with pytest.raises(UnknownNameError, match="did you mean ukwac"):
        FREQUENCIES["ukwak"]


def test_lemmas_have_a_part_of_speech(tmp_path: Path) -> None:
    path = tmp_path / "lemma.al"
    path.write_text(LEMMAS)
    opened = FREQUENCIES["bnc-lemmas"].open(Resources(data=(), paths={"bnc-lemmas": path}))
    found = [opened.frequency(*word) for word in
             [("bank", "n"), ("BANK", "v"), ("well", "r"), ("by", "r"), ("bank", "a")]]  # fmt: skip
    assert found == [900, 700, 5, 0, 0]


@pytest.mark.parametrize("name", ["bnc-forms", "own-forms", "ukwac"])
def test_forms_have_none(tmp_path: Path, name: str) -> None:
    path = tmp_path / "forms"
    path.write_text(FORMS)
    opened = FREQUENCIES[name].open(Resources(data=(), paths={name: path}))
    assert [opened.frequency(word, "n") for word in ("bank", "Bank", "bank account")] == [40, 40, 0]
    assert opened.frequency("bank", "v") == 40


@pytest.mark.parametrize("line", ["bank", "bank\t", "bank\tmany", "bank 40"])
def test_a_form_list_of_another_shape(line: str) -> None:
    with pytest.raises(FormatError, match=r"list:2: .*expected 'word TAB count'"):
        read_form_list(f"good\t1\n{line}\n", Path("list"))


@pytest.mark.parametrize("line", ["7 5 well", "7 many well adv", "7 5 very well adv"])
def test_a_lemma_list_of_another_shape(line: str) -> None:
    with pytest.raises(FormatError, match=r"list:2: .*expected 'rank frequency word class'"):
        read_lemma_list(f"5 900 bank n\n{line}\n", Path("list"))


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingResourceError, match=r"none of .*: name yours .* as ukwac = "):
        FREQUENCIES["ukwac"].inputs(Resources(data=(tmp_path,)))
    way = r"run 'lexsub data get bnc_frequency', or .*bnc-lemmas=PATH.*frequency = \"semcor\""
    with pytest.raises(MissingResourceError, match=way):
        FREQUENCIES["bnc-lemmas"].inputs(Resources(data=(tmp_path,)))
    with pytest.raises(MissingResourceError, match="is no file"):
        FREQUENCIES["ukwac"].inputs(Resources(paths={"ukwac": tmp_path}))


def test_no_frequencies_at_all() -> None:
    opened = FREQUENCIES["none"].open(Resources(data=()))
    assert opened.frequency("bank", "n") == 0
    assert list(FREQUENCIES["none"].inputs(Resources(data=()))) == []


def test_semcor_counts_come_from_wordnet(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "dict")
    resources = Resources(paths={"wordnet": folder}, cache=tmp_path / "cache")
    opened = FREQUENCIES["semcor"].open(resources)
    assert [opened.frequency(*word) for word in [("dog", "n"), ("dog", "v"), ("cat", "n")]] == [
        42, 0, 0,
    ]  # fmt: skip
    assert folder / "cntlist.rev" in FREQUENCIES["semcor"].inputs(resources)


def test_wordfreq() -> None:
    wordfreq = pytest.importorskip("wordfreq")
    opened = FREQUENCIES["wordfreq"].open(Resources(data=()))
    assert opened.frequency("House", "n") == wordfreq.word_frequency("house", "en") > 0
    assert opened.frequency("take part", "v") == 0


def test_wordfreq_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "wordfreq", None)
    with pytest.raises(MissingExtraError, match=r"lexsub-toolkit\[wordfreq\]"):
        FREQUENCIES["wordfreq"].open(Resources(data=()))


@pytest.mark.data
def test_the_real_lists(data_dir: Path) -> None:
    resources = Resources(data=(data_dir,))
    lemmas = FREQUENCIES["bnc-lemmas"].open(resources)
    assert lemmas.frequency("abandon", "v") == 4249
    forms = FREQUENCIES["bnc-forms"].open(resources)
    assert forms.frequency("the", "r") == 6_057_853
    assert FREQUENCIES["ukwac"].open(resources).frequency("the", "r") > 100_000_000


LEXIQUE = f"ortho\tlemme\tcgram\t{FILMS}\n" + "".join(
    f"mot{n}\tmot{n}\tNOM\t{n},5\n" for n in range(500)
)


def test_every_stream_of_a_compressed_list_is_read(tmp_path: Path) -> None:
    path = tmp_path / "list.xz"
    path.write_bytes(b"".join(lzma.compress(half.encode()) for half in (LEXIQUE, "x\tx\tNOM\t7\n")))
    counts = read_lexique(path, (FILMS,))
    assert (len(counts), counts["mot499", "n"], counts["x", "n"]) == (501, 499.5, 7)


@pytest.mark.parametrize("part", [0.3, 0.5, 0.9, 0.99])
def test_no_part_of_a_compressed_list_is_taken_for_the_whole(part: float, tmp_path: Path) -> None:
    data = lzma.compress(LEXIQUE.encode())
    path = tmp_path / "list.xz"
    path.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(FormatError, match="the xz data are damaged or end early"):
        read_lexique(path, (FILMS,))


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", "-5", "-0,1"])
def test_frequencies_are_finite_and_not_below_0(number: str, tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text(f"{LEXIQUE}x\tx\tNOM\t{number}\n")
    with pytest.raises(FormatError, match=rf"list:502: frequency '{number}'; expected 12,34"):
        read_lexique(path, (FILMS,))


@pytest.mark.parametrize("number", ["-5", "1_000", "nan", "1e3", "\u0663"])
def test_counts_are_plain_digits(number: str) -> None:
    with pytest.raises(FormatError, match=r"list:2: .*; expected 'word TAB count'"):
        read_form_list(f"good\t1\nold\t{number}\n", Path("list"))


def test_an_empty_list_is_refused(tmp_path: Path) -> None:
    for read in (read_form_list, read_lemma_list):
        for text in ("", "\n\n"):
            with pytest.raises(FormatError, match="list: lists no words; expected lines"):
                read(text, Path("list"))
    path = tmp_path / "list"
    path.write_text(LEXIQUE.partition("\n")[0])
    with pytest.raises(FormatError, match="lists no words; expected Lexique's lines"):
        read_lexique(path, (FILMS,))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_kind(end: str) -> None:
    assert read_form_list(f"good\t1{end}old\t7{end}", Path("list")) == {"good": 1, "old": 7}
