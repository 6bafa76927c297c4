"""Judging afterwards: sheets that hide who answered, verdicts that are checked, a second gold."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.cli.posthoc import command
from lexsub.datasets import Gold, GoldItem
from lexsub.errors import FormatError, LexsubError
from lexsub.evaluation.posthoc import (
    choose,
    decide,
    eligible,
    format_semdis_gold,
    mean_gold,
    pool_rows,
    shuffled,
    table_8,
)
from lexsub.formats.annotations import Rating
from lexsub.formats.judgements import PooledRow, SheetKey, format_key, parse_key, parse_sheet
from lexsub.formats.semeval_lines import parse_gold

HERE = Path("judge-1.tsv")


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ("ggg", "good"), ("ggr", "good"), ("ggb", "good"), ("rrg", "reasonable"),
        ("rrr", "reasonable"), ("rrb", "reasonable"), ("bbg", "bad"), ("bbr", "bad"),
        ("bbb", "bad"), ("grb", "reasonable"), ("gr", "reasonable"), ("gb", "undecided"),
        ("rb", "undecided"), ("ggrr", "reasonable"), ("ggbb", "undecided"), ("g", "good"),
        ("grbb", "reasonable"),
    ],
)  # fmt: skip
def test_the_majority_rule(verdicts: str, expected: str) -> None:
    words = {"g": "good", "r": "reasonable", "b": "bad"}
    for order in set(itertools.permutations(verdicts)):
        assert decide([words[letter] for letter in order]) == expected


def test_three_judges_always_decide() -> None:
    words = ("good", "reasonable", "bad")
    assert all(decide(three) != "undecided" for three in itertools.product(words, repeat=3))


GOLD = Gold(
    "mine",
    {
        item.id: item
        for item in (
            GoldItem("1", "loud.a", {"noisy": 3, "shrill": 2, "blaring": 1}),
            GoldItem("2", "glad.a", {"happy": 3, "very happy": 1, "merry": 1}),
            GoldItem("3", "take.v", {"grab": 3, "seize": 2, "get": 1}),
            GoldItem("4", "sad.a", {"blue": 3, "low": 2, "down": 1, "pn": 1}),
            GoldItem("5", "big.a", {"large": 3, "huge": 2, "vast": 1, "x": 0}),
        )
    },
    multiword_ids=frozenset({"3"}),
)
SYSTEMS = {"one": {"1": ("noisy", "deaf"), "5": ("deaf",)}, "two": {"1": ("noisy", "noisy")}}


def test_items_as_the_paper_drew_them() -> None:
    assert eligible(GOLD) == ["1", "5"]
    assert choose(eligible(GOLD), None, 1) == ["1", "5"]
    assert choose(eligible(GOLD), 1, 1) == choose(eligible(GOLD), 1, 1)
    with pytest.raises(LexsubError, match="3 items were asked for and 2 can be had"):
        choose(eligible(GOLD), 3, 1)


@given(st.integers(0, 30), st.integers(0, 5))
def test_a_draw_keeps_order(size: int, seed: int) -> None:
    ids = [str(number) for number in range(30)]
    drawn = choose(ids, size, seed)
    assert len(drawn) == size
    assert drawn == sorted(drawn, key=int)


def test_pooling_by_hand() -> None:
    rows = pool_rows([GOLD.items["1"], GOLD.items["5"]], SYSTEMS)
    assert [(row.item, row.substitute, row.origins) for row in rows] == [
        ("1", "noisy", ("annotators", "one", "two")),
        ("1", "shrill", ("annotators",)),
        ("1", "blaring", ("annotators",)),
        ("1", "deaf", ("one",)),
        ("5", "large", ("annotators",)),
        ("5", "huge", ("annotators",)),
        ("5", "vast", ("annotators",)),
        ("5", "deaf", ("one",)),
    ]
    with pytest.raises(LexsubError, match="item 1: 'a\\\\tb' is no substitute"):
        pool_rows([GOLD.items["1"]], {"one": {"1": ("a\tb",)}})


def test_orders_are_seeded_and_tell_nothing() -> None:
    rows = pool_rows([GOLD.items["1"], GOLD.items["5"]], SYSTEMS)
    orders = {
        tuple((row.item, row.substitute) for row in shuffled(rows, seed, judge))
        for seed in range(4)
        for judge in range(4)
    }
    assert len(orders) > 12
    for order in orders:
        assert Counter(order) == Counter((row.item, row.substitute) for row in rows)
        assert [item for item, _ in itertools.groupby(order, key=lambda pair: pair[0])] in (
            ["1", "5"], ["5", "1"]
        )  # fmt: skip
    # The same rows pooled in another order come out the same: nothing shines through.
    assert shuffled(rows[::-1], 1, 1) == shuffled(rows, 1, 1)
    # Over many seeds what annotators gave is first no more often than chance has it.
    firsts = Counter(shuffled(rows[:4], seed, 1)[0].substitute for seed in range(2000))
    assert all(420 < firsts[row.substitute] < 580 for row in rows[:4])


def test_table_8_by_hand() -> None:
    rows = pool_rows([GOLD.items["1"]], SYSTEMS)
    verdicts = dict.fromkeys([("1", row.substitute) for row in rows], "bad")
    verdicts |= {("1", "noisy"): "good", ("1", "shrill"): "reasonable"}
    table = {row.origin: row for row in table_8(rows, verdicts)}
    assert list(table) == ["annotators", "systems", "one", "two"]
    assert table["annotators"].counts == {"good": 1, "reasonable": 1, "bad": 1, "undecided": 0}
    # noisy was given by both systems and counts once for systems together.
    assert table["systems"].counts == {"good": 1, "reasonable": 0, "bad": 1, "undecided": 0}
    assert table["two"].total == 1
    assert table["annotators"].percent("good") == pytest.approx(100 / 3)


def test_a_second_gold_by_hand() -> None:
    ratings = [
        Rating("1", name, judge, value)
        for name, values in {"noisy": (3, 2, 2), "shrill": (0, 0, 0), "deaf": (1, 0, 1)}.items()
        for judge, value in zip("ABC", values, strict=True)
    ]
    gold = mean_gold(ratings, GOLD.items)
    text = format_semdis_gold(gold.values())
    assert text == "loud.a 1 ::  noisy 2.333333; deaf 0.666667;\n"
    back = parse_gold(text, HERE)
    assert back["1"].weights == pytest.approx({"noisy": 7 / 3, "deaf": 2 / 3}, abs=1e-6)


KEY = SheetKey(
    scale="words", seed=1, gold=("mine", ""), systems={"one": ""}, top=10,
    rows=pool_rows([GOLD.items["1"]], {"one": {"1": ("deaf",)}}),
)  # fmt: skip
HEAD = "item\tsentence\tsubstitute\tverdict\n"
FILLED = HEAD + "".join(
    f"1\tA >>loud<< bang .\t{name}\t{verdict}\n"
    for name, verdict in (
        ("deaf", "bad"), ("noisy", "Good "), ("blaring", "reasonable"), ("shrill", "good")
    )
)  # fmt: skip


def test_a_filled_sheet_is_read() -> None:
    ratings = parse_sheet(FILLED, HERE, KEY)
    assert {(rating.substitute, rating.rating) for rating in ratings} == {
        ("deaf", 0), ("noisy", 2), ("blaring", 1), ("shrill", 2)
    }  # fmt: skip
    assert {rating.annotator for rating in ratings} == {"judge-1"}
    saved = '\ufeff"verdict"\tsubstitute\titem\r\nbad\tdeaf\t1\r\ngood\t"noisy"\t1\r\n' + (
        "good\tblaring\t1\r\ngood\tshrill\t1\r\n\r\n"
    )
    assert len(parse_sheet(saved, HERE, KEY)) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tbad\n", "\t\n", "judge-1.tsv:2: has no verdict (1 of 4 rows have none); expected one"),
        ("\tbad\n", "\n", "judge-1.tsv:2: has no verdict"),
        ("\tbad\n", "\tbda\n", "judge-1.tsv:2: verdict 'bda'; did you mean bad?"),
        ("\tbad\n", "\t0\n", "judge-1.tsv:2: verdict '0' (known: bad, good, reasonable)"),
        ("deaf", "deft", "judge-1.tsv:2: item 1, substitute 'deft': not in the key's pool"),
        ("deaf", "noisy", "judge-1.tsv:3: item 1, substitute 'noisy' stands twice (first on lin"),
        ("1\tA >>loud<< bang .\tdeaf\tbad\n", "", "lacks 1 of 4 rows, among them item 1, subst"),
        ("verdict\n", "verdct\n", "judge-1.tsv:1: columns item, sentence, substitute, verdct;"),
    ],
)
def test_faults_of_a_sheet_are_named(old: str, new: str, message: str) -> None:
    assert old in FILLED
    with pytest.raises(FormatError) as caught:
        parse_sheet(FILLED.replace(old, new, 1), HERE, KEY)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_keys_come_back_and_faults_are_named() -> None:
    assert parse_key(format_key(KEY).encode(), HERE) == KEY
    for data, message in (
        (b"[]", "at the top"),
        (b'{"scale": "words"}', "at seed"),
        (format_key(KEY).replace('"words"', '"marks"').encode(), "at scale: found 'marks'"),
        (format_key(KEY).encode()[:40], "not JSON"),
    ):
        with pytest.raises(FormatError, match=message):
            parse_key(data, HERE)


XML = """<corpus><lexelt item="loud.a">
<instance id="1"><context>A	<head>loud</head> bang .</context></instance>
<instance id="2"><context>He sang <head>loud</head> .</context></instance></lexelt></corpus>
"""


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(entry) for entry in arguments], catch_exceptions=False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "mine.xml").write_text(XML)
    (tmp_path / "mine.gold").write_text(
        "loud.a 1 :: noisy 3;shrill 2;blaring 1;\nloud.a 2 :: loudly 2;\n"
    )
    (tmp_path / "one.oot").write_text("loud.a 1 ::: deaf;noisy\n")
    return tmp_path


def judge(sheet: Path, **verdicts: str) -> None:
    head, *rows = sheet.read_text().splitlines()
    filled = [row + verdicts[row.split("\t")[2]] for row in rows]
    sheet.write_text("\n".join([head, *filled]) + "\n")


def test_from_pool_to_second_gold(files: Path) -> None:
    call = ("make", files / "mine.gold", files / "one.oot", "--sentences", files / "mine.xml")
    assert invoke(*call, "--out", files / "a").exit_code == 0
    assert invoke(*call, "--out", files / "b").exit_code == 0
    sheets = sorted((files / "a").glob("judge-*.tsv"))
    assert len(sheets) == 3
    for sheet in sheets:
        text = sheet.read_text()
        assert text == (files / "b" / sheet.name).read_text()
        assert text.count("\tA >>loud<< bang .\t") == 4
        for word in ("annotators", "one.oot", "systems"):
            assert word not in text
    judge(sheets[0], noisy="good", deaf="bad", shrill="good", blaring="good")
    judge(sheets[1], noisy="good", deaf="bad", shrill="reasonable", blaring="bad")
    judge(sheets[2], noisy="good", deaf="good", shrill="bad", blaring="bad")
    gold, ratings = files / "second.gold", files / "ratings.tsv"
    result = invoke(
        "read", files / "a/key.json", *sheets, "--gold", gold, "--ratings", ratings, "--json"
    )
    report = json.loads(result.stdout)
    assert report["origins"]["annotators"] == {
        "good": 1, "reasonable": 1, "bad": 1, "undecided": 0
    }  # fmt: skip
    assert report["origins"]["systems"] == {"good": 1, "reasonable": 0, "bad": 1, "undecided": 0}
    assert report["labels"]["pooled"]["items"] == 12
    assert gold.read_text().startswith("loud.a 1 ::  noisy 2; shrill 1; ")
    shown = invoke("read", files / "a/key.json", *sheets)
    assert "Verdicts on 4 substitutes by origin" in shown.stdout
    from lexsub.cli.agreement import command as agreement

    compared = CliRunner().invoke(
        agreement, [str(ratings), "--against", str(files / "mine.gold"), "--json"]
    )
    assert json.loads(compared.stdout)["golds"]["substitutes"] == 4


def test_ratings_of_the_other_scale(files: Path) -> None:
    invoke(
        "make", files / "mine.gold", "--sentences", files / "mine.xml", "--out", files / "a",
        "--scale", "0-3", "--judges", "1", "--all-items",
    )  # fmt: skip
    sheet = files / "a/judge-1.tsv"
    judge(sheet, noisy="3", shrill="2", blaring="0", loudly="1")
    result = invoke("read", files / "a/key.json", sheet, "--gold", files / "second.gold")
    assert result.exit_code == 0
    other = files / "other.tsv"
    other.write_text(sheet.read_text().replace("shrill\t2", "shrill\t3"))
    both = invoke("read", files / "a/key.json", sheet, other, "--json")
    report = json.loads(both.stdout)
    assert report["origins"] == {}
    assert report["ratings"]["agreement"]["unanimity"] == 0.75
    assert report["ratings"]["agreement"]["mean_deviation"] == 0.125
    assert "standard deviation" in invoke("read", files / "a/key.json", sheet, other).stdout
    assert (files / "second.gold").read_text() == (
        "loud.a 1 ::  noisy 3; shrill 2;\nloud.a 2 ::  loudly 1;\n"
    )


def test_faults_are_one_line_and_status_2(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, xml, out = str(files / "mine.gold"), str(files / "mine.xml"), str(files / "a")
    invoke("make", gold, "--sentences", xml, "--out", out)
    empty = str(files / "a/judge-1.tsv")
    other = str(files / "other")
    for call, message in (
        (["make", gold, "--sentences", xml, "--out", out], "may hold verdicts: move it away"),
        (["make", gold, "--out", other], "mine.gold holds no sentences for judges to read"),
        (["make", gold, "--sentences", "semeval2007/tset", "--out", other], "did you mean test"),
        (["make", gold, "--sentences", xml, "--items", "9", "--out", other], "1 can be had"),
        (["make", "none.gold", "--out", other], "none.gold: no such file"),
        (["read", f"{out}/key.json", empty], "judge-1.tsv:2: has no verdict (3 of 3 rows"),
        (["read", f"{out}/key.json", empty, empty], "two sheets have the same file name"),
        (["read", empty, empty], "judge-1.tsv: not JSON"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(["posthoc", *call])
        error = capsys.readouterr().err
        assert caught.value.code == 2
        assert message in error
        assert len(error.splitlines()) == 1
    assert not Path(other).exists()


@pytest.mark.data
def test_a_hundred_items_of_the_test_set(data_dir: Path, tmp_path: Path) -> None:
    result = invoke(
        "make", "semeval2007/test", "--data", data_dir, "--items", "100", "--out", tmp_path / "a"
    )
    assert result.exit_code == 0
    key = parse_key((tmp_path / "a/key.json").read_bytes(), HERE)
    items = {row.item for row in key.rows}
    assert len(items) == 100
    assert all(row.origins == ("annotators",) for row in key.rows)
    assert isinstance(key.rows[0], PooledRow)
