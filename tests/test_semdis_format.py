"""SemDis files: mapping, submissions, both golds."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexsub.data.catalogue import load
from lexsub.errors import FormatError, MissingResourceError
from lexsub.formats.outputs.plain import read_lines
from lexsub.formats.variants import map_answers, parse_mapping

HERE = Path("mine.txt")
RULES = "# a comment\n\ncuire(pain.n)-->cuit\nse lever(pain.n)-->lever\n"


def test_mapping_is_per_lexelt() -> None:
    mapping = parse_mapping(RULES, HERE)
    assert mapping == {"pain.n": {"cuire": "cuit", "se lever": "lever"}}
    assert map_answers("pain.n", ["cuire", "miche", "cuit", "miche"], mapping) == ("cuit", "miche")
    assert map_answers("sel.n", ["cuire", "cuire"], mapping) == ("cuire", "cuire")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cuire(pain.n)->cuit", "mine.txt:1: .*expected 'form\\(lexelt\\)-->form'"),
        ("cuire-->cuit", "mine.txt:1"),
        ("a(b.n)-->c\na(b.n)-->d", "mine.txt:2: 'a' of b.n is mapped to 'c' already"),
    ],
)
def test_bad_rules_are_named(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_mapping(line, HERE)


def test_submissions_are_trimmed() -> None:
    text = "été.n 3 :: saison ; beaux jours ; \naisé.a 4 ::\n"
    rankings = read_lines(text, HERE, "::")
    assert [ranking.top(9) for ranking in rankings] == [("saison", "beaux jours"), ()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("été.n 3 ; saison", "mine.txt:1: 'été.n 3 ; saison'; expected"),
        ("été.n 3 :: a\nété.n 3 :: b", "mine.txt:2: id 3 stands twice \\(first on line 1\\)"),
        ("\n", "holds no answers"),
    ],
)
def test_bad_submissions_are_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_lines(text, HERE, "::")


@pytest.mark.data
def test_the_release_has_its_counts(data_dir: Path) -> None:
    data = load("semdis2014/test", [data_dir])
    gold = data.gold.items
    assert data.language == "fr"
    assert len(data.items) == len(gold) == 300
    lexelts = {str(item.lexelt) for item in data.items}
    assert len(lexelts) == 30
    assert {pos: sum(name.endswith(pos) for name in lexelts) for pos in "nav"} == dict.fromkeys(
        "nav", 10
    )
    assert sum(len(item.weights) for item in gold.values()) == 2152
    assert sum(item.total for item in gold.values()) == 3961
    assert sum(" " in name for item in gold.values() for name in item.weights) == 66
    assert sum(len(item.weights) for item in gold.values() if item.lexelt == "compris.a") == 66
    # Tanguy et al. (2016): 77 % of the items have a mode.
    assert sum(item.mode is not None for item in gold.values()) == 233
    assert all(gold[item.id].lexelt == str(item.lexelt) for item in data.items)
    assert sum(map(len, data.gold.mapping.values())) == 158
    assert set(data.gold.mapping) <= lexelts


@pytest.mark.data
def test_the_subset_of_the_published_figures(data_dir: Path) -> None:
    gold = load("semdis2014/test-290", [data_dir]).gold.items
    assert len(gold) == 290
    assert sum(len(item.weights) for item in gold.values()) == 2022
    assert sum(item.mode is not None for item in gold.values()) == 225


@pytest.mark.data
def test_the_baseline_reads(data_dir: Path) -> None:
    path = data_dir / "semdis2014/baseline_dicosyn.txt"
    sizes = [len(one.ranked) for one in read_lines(path.read_text(), path, "::")]
    assert {size: sizes.count(size) for size in set(sizes)} == {
        10: 210, 9: 40, 8: 20, 7: 10, 6: 10, 5: 10
    }  # fmt: skip


@pytest.mark.data
def test_gold_2_is_asked_for_and_read_when_there(data_dir: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingResourceError, match="gold 2 is not part of the 2014 release"):
        load("semdis2014/test-gold2", [data_dir])
    for name in ("lexsubfr_semdis2014_test.xml", "mapping.txt"):
        (tmp_path / name).write_bytes((data_dir / "semdis2014" / name).read_bytes())
    (tmp_path / "semdis2014_lexsub_gold2.txt").write_text("aisé.a 2 ::  riche 2.25; nanti 1.5;\n")
    gold = load("semdis2014/test-gold2", [tmp_path]).gold
    assert gold.items["2"].weights == {"riche": 2.25, "nanti": 1.5}
