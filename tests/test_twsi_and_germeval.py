"""TWSI-style golds and GermEval-style releases (neither is at hand; the texts are made up)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.errors import FileProblemError, FormatError, MissingResourceError
from lexsub.formats.variants import parse_twsi_gold

HERE = Path("mine.gold")
XML = """<?xml version="1.0" encoding="UTF-8"?>
<corpus lang="german"><lexelt item="{lexelt}">
<instance id="{id}"><context>{context}</context></instance></lexelt></corpus>
"""


def test_semicolons_stay_inside_substitutes() -> None:
    gold = parse_twsi_gold("cat.n 12 :: pet; tame 2;tom cat 11;pet; tame 1;\ncat.n 13 ::\n", HERE)
    assert gold["12"].weights == {"pet; tame": 3, "tom cat": 11}
    assert gold["12"].source == ""
    assert gold["13"].weights == {}
    plain = parse_twsi_gold("cat.n 12 :: pet 2;tom 1;\r\n", HERE)
    assert plain["12"].source == "pet 2;tom 1;"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cat.n :: pet 2;", "mine.gold:1: 'cat.n :: pet 2;'; expected"),
        ("cat.n 1 :: pet;", "mine.gold:1: answer 'pet;' has no count"),
        ("cat.n 1 :: a 1;\ncat.n 1 :: b 1;", "mine.gold:2: id 1 stands twice"),
        ("", "holds no gold line"),
    ],
)
def test_bad_golds_are_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_twsi_gold(text, HERE)


def test_a_twsi_folder_reads(tmp_path: Path) -> None:
    folder = tmp_path / "twsi2"
    folder.mkdir()
    text = XML.format(lexelt="cat.n", id="12", context="The <head>cat</head> slept .")
    (folder / "twsi2.xml").write_text(text)
    (folder / "twsi2.gold").write_text("cat.n 12 :: pet 2;\n")
    data = load("twsi2/all", [tmp_path])
    assert (data.language, data.items[0].target) == ("en", "cat")
    assert data.gold.items["12"].weights == {"pet": 2}
    (folder / "twsi2.gold").unlink()
    with pytest.raises(FileProblemError, match=r"twsi2\.gold: no such file"):
        load("twsi2/all", [tmp_path])


def test_a_germeval_folder_reads(tmp_path: Path) -> None:
    folder = tmp_path / "germeval2015"
    folder.mkdir()
    for part, number in (("train", 1), ("test", 2)):
        context = "Die <head>Straße</head> war naß ."
        (folder / f"{part}-dataset.xml").write_text(
            XML.format(lexelt="Straße.n", id=number, context=context)
        )
        (folder / f"{part}-dataset.gold").write_text(f"Straße.n {number} :: Gasse 2;Weg 1;\n")
    data = load("germeval2015/all", [tmp_path])
    assert data.language == "de"
    assert [item.id for item in data.items] == ["1", "2"]
    assert data.items[0].target == "Straße"
    assert str(data.items[0].lexelt) == data.gold.items["1"].lexelt == "Straße.n"
    assert len(load("germeval2015/test", [tmp_path]).items) == 1


def test_missing_folders_say_how_to_get_them() -> None:
    with pytest.raises(MissingResourceError, match=r"is in none of .* get its files by hand"):
        load("germeval2015/train", [])
