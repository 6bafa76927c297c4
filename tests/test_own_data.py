"""Files of one's own in place of a data set's name."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexsub
from lexsub.cli import main
from lexsub.errors import LexsubError, MissingResourceError
from lexsub.formats.own_data import parse_own_data

CSV = """id,sentence,pos,substitutes
a1,"The *bright* boy, ten, answered.",a,clever 3; intelligent 2; very clever 1
,She *ran* home.,v,hurry 2; sprint 1
a3,They *ran* a shop.,v,
"""


def test_a_table_becomes_a_data_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(CSV)
    data = lexsub.load(str(path))
    assert data.name == data.gold.name == "mine.csv"
    assert [(item.id, str(item.lexelt), item.target) for item in data.items] == [
        ("a1", "bright.a", "bright"),
        ("2", "run.v", "ran"),
        ("a3", "run.v", "ran"),
    ]
    assert data.items[0].text == "The bright boy, ten, answered."
    assert {key: dict(one.weights) for key, one in data.gold.items.items()} == {
        "a1": {"clever": 3, "intelligent": 2, "very clever": 1},
        "2": {"hurry": 2, "sprint": 1},
    }
    assert lexsub.load_gold(str(path)).sha256 == data.gold.sha256


def test_the_same_items_in_each_format(tmp_path: Path) -> None:
    rows = [
        {"sentence": "He ran up and ran down.", "start": 14, "end": 17, "lemma": "run", "pos": "v",
         "substitutes": {"sprint": 2, "hurry": 1}},
        {"sentence": "A bright boy.", "target": "bright", "lemma": "bright", "pos": "a",
         "substitutes": {"clever": 2}},
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n\n" for row in rows))
    rows[1]["substitutes"] = ["clever", "clever"]
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows[0]["substitutes"], rows[1]["substitutes"] = "sprint 2;hurry 1;", " clever 2"
    columns = ["sentence", "target", "start", "end", "lemma", "pos", "substitutes"]
    for name, separator in (("c.csv", ","), ("d.tsv", "\t")):
        table = io.StringIO(newline="")
        writer = csv.DictWriter(table, columns, delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + table.getvalue().encode())
    read = [lexsub.load(str(path)) for path in sorted(tmp_path.iterdir())]
    assert [item.start for item in read[0].items] == [14, 2]
    for data in read[1:]:
        assert data.items == read[0].items
        assert [one.weights for one in data.gold.items.values()] == [
            one.weights for one in read[0].gold.items.values()
        ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "", "1: no column 'sentence'"),
        ("x.csv", "sentence,pos\n", "holds no row"),
        ("x.csv", "sentence,pso\n", "1: unknown column 'pso'; did you mean pos"),
        ("x.csv", "sentence,pos,pos\n", "1: column 'pos' stands twice"),
        ("x.csv", "sentence\nA *dog*.\n", "1: no column 'pos'"),
        ("x.csv", "sentence,pos\nA *dog*, ran,n\n", "2: 3 cells; expected 2"),
        ("x.csv", 'sentence,pos\n"A *dog*,n\n', "unexpected end of data"),
        ("x.csv", "sentence,pos\nA dog.,n\n", "2: no word of 'A dog.' is marked"),
        ("x.csv", "sentence,pos\n\nA *dog*.,noun\n", "3: pos 'noun'; expected one of n, v, a, r"),
        ("x.csv", "sentence,pos,target\nA dog or dog,n,dog\n", "2: the target 'dog' stands 2"),
        ("x.csv", "sentence,pos,start,end\nA dog,n,2,9\n", r"2: span (2, 9) of a sentence"),
        ("x.csv", "sentence,pos,start,end\nA dog,n,2,\n", "2: start '2' and end ''"),
        ("x.csv", "sentence,pos,id\nA *dog*,n,a\nA *dog*,n,a\n", "3: id a stands twice"),
        ("x.csv", "sentence,pos,id\nA *dog*,n,a b\n", "2: id 'a b'; expected one without blanks"),
        ("x.csv", "sentence,pos,substitutes\nA *dog*,n,hound\n", "2: answer 'hound' has no count"),
        ("x.csv", "sentence;pos\nA *dog*;n\n", "with a ',' between them, not ';'"),
        ("x.csv", "The bright boy won .,bright,clever\n", "1: is no header: 'The bright boy won ."),
        (
            "x.tsv",
            'sentence\tpos\n"So," it *ran*.\tv\n',
            r"2: a cell begins with a quotation mark that does not enclose it ('\t' expected",
        ),
        (
            "x.csv",
            "sentence,pos,start,end\nA bright boy,a,2,6\n",
            "2: the target 'brig' is a part of 'bright'",
        ),
        (
            "x.csv",
            "sentence,pos,start,end\nA bright boy,a,4,8\n",
            "2: the target 'ight' is a part of 'bright'",
        ),
        ("x.csv", "sentence,pos\nA *bri*ght boy,a\n", "2: the target 'bri' is a part of 'bright'"),
        (
            "x.csv",
            "sentence,pos,start,end\nA *bright* boy,n,11,14\n",
            "2: start and end enclose 'boy', but the stars 'bright'",
        ),
        (
            "x.csv",
            "sentence,pos,lemma,start,end\nA bright boy,a,bright,9,12\n",
            "2: the target is 'boy', but the lemma 'bright', of which 'bright'",
        ),
        (
            "x.csv",
            "sentence,pos,lemma\nHe went *there* early,v,go\n",
            "2: the target is 'there', but the lemma 'go', of which 'went'",
        ),
        ("x.tsv", "sentence,pos\nA *dog*,n\n", r"with a '\t' between them, not ','"),
        ("x.tsv", "sentence\tpos\tsubstitutes\nA *dog*\tn\thound 1, pup 2\tx\n", "2: 4 cells"),
        ("x.jsonl", "[1]\n", "1: a list; expected an object a line"),
        ("x.jsonl", "{\n", "1: no JSON"),
        ("x.jsonl", "[" * 100_000, "1: no JSON"),
        ("x.jsonl", '{"sentence": 1.5, "pos": "n"}', "1: sentence is a float; expected text"),
        ("x.jsonl", '{"sentence": "A *d*", "pos": "n", "substitutes": 3}', "1: substitutes are no"),
        ("x.jsonl", '{"sentence": "A *d*", "pos": "n", "substitutes": {"a": -1}}', "the count -1"),
        (
            "x.jsonl",
            '{"sentence": "A *d*", "pos": "n", "substitutes": {"a": NaN}}',
            "the count nan",
        ),
        ("x.jsonl", '{"sentence": "A *d*", "pos": "n", "substitutes": ["a;b"]}', "semicolons"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(LexsubError) as caught:
        lexsub.load(str(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("row", "target", "lexelt"),
    [
        # Stars may repeat what start and end say, of the text with them or without.
        ("A *bright* boy,a,bright,3,9", "bright", "bright.a"),
        ("A *bright* boy,a,bright,2,8", "bright", "bright.a"),
        ("2 * 3 * 4 is big,a,big,13,16", "big", "big.a"),
        # Words that are written as one, and forms that are not like their lemma.
        ("I don't know,v,do,2,4", "do", "do.v"),
        ("I cannot know,v,can,2,5", "can", "can.v"),
        ("She went home,v,go,4,8", "went", "go.v"),
        ("The people left,n,person,4,10", "people", "person.n"),
        ("The dog's tail,n,,4,9", "dog", "dog.n"),
        ("The dog's tail,n,dog,4,9", "dog", "dog.n"),
        ("She has Alzheimer's,n,Alzheimer's,8,19", "Alzheimer's", "Alzheimer's.n"),
        ("她很聪明,a,聪明,2,4", "聪明", "聪明.a"),
    ],
)
def test_targets_that_are_what_they_say(tmp_path: Path, row: str, target: str, lexelt: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"sentence,pos,lemma,start,end\n{row}\n", encoding="utf-8")
    (item,) = lexsub.load(str(path)).items
    assert (item.target, str(item.lexelt)) == (target, lexelt)
    assert item.text == row.partition(",")[0].replace("*bright*", "bright")


def test_a_target_of_another_word_than_the_lemma_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("sentence,pos,lemma\nA *clever* boy,a,bright\nA *bright* boy,a,bright\n")
    assert len(lexsub.load(str(path)).items) == 2
    assert "of 1 rows the target is no known form of the lemma (first: line 2, 'clever'" in (
        caplog.text
    )


words = st.text(st.characters(categories=("L",)), min_size=1, max_size=5)
answers = st.dictionaries(words, st.integers(1, 9), min_size=1, max_size=4)


@given(st.lists(st.tuples(words, words, answers), min_size=1, max_size=5))
def test_what_is_written_is_read(rows: list[tuple[str, str, dict[str, int]]]) -> None:
    table = io.StringIO(newline="")
    writer = csv.writer(table, delimiter="\t")
    writer.writerow(["sentence", "pos", "lemma", "substitutes"])
    for left, target, given_answers in rows:
        listed = ";".join(f"{answer} {count}" for answer, count in given_answers.items())
        writer.writerow([f"{left} *{target}*", "n", target, listed])
    read = parse_own_data(table.getvalue(), Path("x.tsv"))
    assert [(row.marked.target, row.lemma, dict(row.weights)) for row in read] == [
        (target, target, given_answers) for _, target, given_answers in rows
    ]


def test_a_run_and_a_score_take_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.csv").write_text(CSV)
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\ndata = "mine.csv"\n[[systems]]\nname = "wn"\ncandidates = "wordnet"\n'
    )
    out = tmp_path / "run"
    lexsub.run(tmp_path / "mine.toml", out)
    for call in (
        ["score", str(tmp_path / "mine.csv"), str(out / "wn.oot"), "--measures", "oot-R"],
        ["explain", str(out), "a1"],
        ["data", "check", str(tmp_path / "mine.csv")],
        ["suggest", "--file", str(tmp_path / "mine.csv"), "--config", "suggest", "-n", "1"],
    ):
        with pytest.raises(SystemExit) as status:
            main(call)
        assert status.value.code in (0, None)
    printed = capsys.readouterr().out
    assert "3 items of 2 targets (0 nouns, 2 verbs, 1 adjectives, 0 adverbs)" in printed
    assert "a1 bright.a [bright]: clever 3; intelligent 2; very clever 1" in printed
    assert "data:mine.csv" in printed
    assert "and 1 more" not in printed
    (tmp_path / "mine.tsv").write_text("sentence\tpos\n" + 4 * "A *dog* ran.\tn\n")
    with pytest.raises(SystemExit):
        main(["data", "check", str(tmp_path / "mine.tsv")])
    assert capsys.readouterr().out.endswith("]: no gold\n  and 1 more\n")
    (tmp_path / "mine.toml").write_text('name = "m"\ndata = "none.csv"\n[[systems]]\nname = "w"\n'
                                        'candidates = "wordnet"\n')  # fmt: skip
    with pytest.raises(LexsubError, match=r"data: .*none\.csv: no such file"):
        lexsub.run(tmp_path / "mine.toml", out)


def test_without_a_gold_answers_are_written_and_nothing_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.csv").write_text("sentence,pos\nA *dog* ran.,n\n")
    (tmp_path / "mine.toml").write_text('name = "m"\ndata = "mine.csv"\n[[systems]]\nname = "w"\n'
                                        'candidates = "wordnet"\n')  # fmt: skip
    out = tmp_path / "run"
    printed = []
    for call in (
        ["run", str(tmp_path / "mine.toml"), "--out", str(out)],
        ["score", str(tmp_path / "mine.csv"), str(out / "w.oot")],
    ):
        with pytest.raises(SystemExit):
            main(call)
        printed.append(capsys.readouterr())
    assert printed[0].err.endswith(
        "mine.csv has no gold: answers are written, and nothing is scored\n"
    )
    assert "best" not in printed[0].out
    assert (out / "w.oot").read_text().startswith("dog.n 1 ::: ")
    assert printed[1].err == "lexsub: mine.csv has no gold: there is nothing to score against\n"


def test_a_folder_that_is_there_is_not_passed_over(tmp_path: Path) -> None:
    """Another folder's data under the same name would give figures of what nobody named."""
    (tmp_path / "tutorial").mkdir()
    with pytest.raises(MissingResourceError, match="is no folder of tutorial: it holds no"):
        lexsub.load("tutorial/test", tmp_path)
