"""System outputs of other people: read, told apart, written, read back."""

from __future__ import annotations

import json
import math
import string
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.cli.convert import command
from lexsub.data.catalogue import load_gold
from lexsub.errors import FormatError, LexsubError, UnknownNameError
from lexsub.formats.outputs.catalogue import OUTPUT_FORMATS, detect, format_of_name
from lexsub.formats.semeval_lines import parse_submission
from lexsub.rankings import Ranked, Ranking
from lexsub.storage.files import decode

HERE = Path("mine.out")


def ranking(item_id: str, lexelt: str, *pairs: tuple[str, float]) -> Ranking:
    return Ranking(item_id, lexelt, tuple(Ranked(name, score) for name, score in pairs))


EXAMPLES = {
    "best": "loud.a 7 :: noisy\nfourth quarter.n 8 :: last quarter\n",
    "oot": "loud.a 7 ::: noisy;shrill\nfourth quarter.n 8 ::: last quarter\n",
    "gap": "loud.a 7 :::: noisy;shrill\nfourth quarter.n 8 :::: last quarter\n",
    "semdis": "loud.a 7 :: noisy ; shrill\nfourth quarter.n 8 :: last quarter\n",
    "ranked": "RANKED\tloud.a 7\tnoisy 2.5\tshrill 0.25\n"
    "RANKED\tfourth quarter.n 8\tlast quarter 1\n",
    "swords": json.dumps(
        {
            "substitutes_lemmatized": False,
            "substitutes": {"7": [["shrill", 0.25], ["noisy", 2.5]], "8": ["last quarter"]},
        }
    ),
    "tsv": "id\tsubstitute\tscore\n7\tshrill\t0.25\n7\tnoisy\t2.5\n8\tlast quarter\t1\n",
    "jsonl": '{"id": 7, "substitutes": ["shrill", "noisy"], "scores": [0.25, 2.5]}\n'
    '{"id": "8", "lexelt": "fourth quarter.n", "substitutes": ["last quarter"]}\n',
    "tsar": "A loud noise .\tloud\tnoisy\tshrill\nIn the fourth quarter .\tquarter\tlast quarter\n",
    "trec": "7 Q0 shrill 2 0.25 mine\n7 Q0 noisy 1 2.5 mine\n8 Q0 last_quarter 1 1 mine\n",
}
ALONE = [name for name, one in OUTPUT_FORMATS.items() if one.write_for is None]
"""Formats that are written from rankings alone; the sentences of ``tsar`` come from the data."""


def test_every_format_has_an_example() -> None:
    assert set(EXAMPLES) == set(OUTPUT_FORMATS)


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_examples_are_told_by_their_content_and_read(name: str) -> None:
    found = detect(EXAMPLES[name], HERE)
    assert found.name == name
    first, second = found.read(EXAMPLES[name], HERE)
    assert (first.id.partition("-")[0], first.top(1)) == (
        "loud" if name == "tsar" else "7", ("noisy",)
    )  # fmt: skip
    assert first.top(2)[1:] == (() if name == "best" else ("shrill",))
    assert second.top(5) == ("last quarter",)
    if name not in ("swords", "tsar", "tsv", "trec"):
        assert second.lexelt == "fourth quarter.n"
    if name in ("ranked", "swords", "tsv", "jsonl", "trec"):
        assert [entry.score for entry in first.ranked] == [2.5, 0.25]
    else:
        assert [entry.score for entry in first.ranked] == [0, -1][: len(first.ranked)]


WORD = st.text(string.ascii_letters + "éß'-", min_size=1, max_size=6)
PHRASE = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
ITEMS = st.lists(
    st.tuples(st.lists(st.tuples(PHRASE, SCORES), min_size=1, max_size=12), WORD),
    min_size=1,
    max_size=4,
)


@given(st.sampled_from(sorted(ALONE)), ITEMS)
def test_what_is_written_reads_back(
    name: str, items: Sequence[tuple[Sequence[tuple[str, float]], str]]
) -> None:
    rankings = [
        ranking(str(number), f"{lemma}.n", *sorted(pairs, key=lambda pair: -pair[1]))
        for number, (pairs, lemma) in enumerate(items)
    ]
    chosen = OUTPUT_FORMATS[name]
    back = chosen.read(chosen.write(rankings, chosen.top), HERE)
    assert [entry.id for entry in back] == [entry.id for entry in rankings]
    for before, after in zip(rankings, back, strict=True):
        keep = chosen.top or len(before.ranked)
        assert after.top(keep) == before.top(keep)
        if name in ("ranked", "swords", "tsv", "jsonl"):
            assert [e.score for e in after.ranked] == [e.score for e in before.ranked]
        if name not in ("swords", "trec"):
            assert after.lexelt == before.lexelt


@given(ITEMS, st.sampled_from(["best", "oot"]))
def test_submissions_are_what_the_task_reader_reads(
    items: Sequence[tuple[Sequence[tuple[str, float]], str]], name: str
) -> None:
    rankings = [ranking(str(number), "loud.a", *pairs) for number, (pairs, _) in enumerate(items)]
    text = OUTPUT_FORMATS[name].write(rankings, OUTPUT_FORMATS[name].top)
    task = parse_submission(text, HERE, "best" if name == "best" else "oot")
    assert [answer.substitutes for answer in task.answers] == [
        entry.top(1 if name == "best" else 10) for entry in rankings
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("best", "loud.a 7 ::: noisy", "mine.out:1: 'loud.a 7 ::: noisy'; expected 'lexelt id :: "),
        ("oot", "loud.a 7 ::: a\nloud.a 7 ::: b", ":2: id 7 stands twice (first on line 1)"),
        ("oot", "\n", "holds no answers; expected 'lexelt id ::: answer;answer'"),
        ("ranked", "RANKED\tloud.a 7\tnoisy loud", "mine.out:1: score 'loud'; expected a number"),
        ("ranked", "RANKED\tloud.a 7\tnoisy nan", "mine.out:1: item 7: 'noisy' has score NaN"),
        ("ranked", "RANKED\tloud.a7\tnoisy 1", "mine.out:1: "),
        ("ranked", "loud.a 7\tnoisy 1", "mine.out:1: "),
        ("swords", '{"substitutes": {"t": []}}', "at substitutes_lemmatized: "),
        ("swords", '{"substitutes_lemmatized": true, "substitutes": []}', "substitutes: found []"),
        ("swords", "{", "mine.out: not JSON"),
        ("tsv", "id\tsubstitut\n7\ta", "unknown column 'substitut'; did you mean substitute?"),
        ("tsv", "id\tscore\n7\t1", "columns id, score; expected id and substitute"),
        ("tsv", "7\ta\t1\n7\tb", "mine.out:2: 2 columns; expected 3: id, substitute, score"),
        ("tsv", "7\ta\tb\tc", "4 columns and no header"),
        ("tsv", "7\ta\tx", "mine.out:1: score 'x'; expected a number"),
        ("jsonl", '{"id": "7"}', "mine.out:1: at substitutes"),
        ("jsonl", '{"id": "7", "substitutes": ["a"], "scores": []}', "1 substitutes and 0 scores"),
        ("jsonl", "[]", "mine.out:1: at the top"),
    ],
)  # fmt: skip
def test_faults_are_one_line(name: str, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        OUTPUT_FORMATS[name].read(text, HERE)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_blank_answer_is_an_item_without_answers() -> None:
    first, second = OUTPUT_FORMATS["oot"].read("a.n 1 ::: \na.n 2 ::: x\n", HERE)
    assert (first.ranked, second.top(1)) == ((), ("x",))
    assert OUTPUT_FORMATS["oot"].write([first, second], 10) == "a.n 2 ::: x\n"


def test_ranks_order_a_table() -> None:
    text = "id\trank\tsubstitute\n7\t2\tb\n7\t1\ta\n"
    assert OUTPUT_FORMATS["tsv"].read(text, HERE)[0].top(2) == ("a", "b")


def test_a_gold_is_no_output() -> None:
    with pytest.raises(FormatError, match="is a gold"):
        detect("loud.a 7 :: noisy 3;shrill 1;\n", HERE)
    with pytest.raises(FormatError, match="like none of best"):
        detect("once upon a time", HERE)


def test_what_a_format_cannot_hold_is_refused() -> None:
    with pytest.raises(LexsubError, match="item '7': substitute 'a;b' holds ';'"):
        OUTPUT_FORMATS["oot"].write([ranking("7", "x.n", ("a;b", 1))], 10)
    with pytest.raises(LexsubError, match="item 7 has no lexelt"):
        OUTPUT_FORMATS["ranked"].write([ranking("7", "", ("a", 1))], None)


HOSTILE = st.lists(
    st.sampled_from(
        [*"a;:7{}[]|,'\"\\ \t\n\r\0", "::", ":::", " :: ", "\x85", "\u2028", "\ufeff", "\ud800",
         "é", "id", "RANKED", "catch 22", "b.n"]
    ),
    max_size=4,
).map("".join)  # fmt: skip


@given(
    st.sampled_from(sorted(ALONE)),
    st.sampled_from(sorted(ALONE)),
    st.lists(
        st.tuples(
            st.one_of(HOSTILE, WORD),
            st.one_of(HOSTILE, WORD),
            st.lists(st.tuples(st.one_of(HOSTILE, PHRASE), st.floats()), min_size=1, max_size=3),
        ),
        min_size=1, max_size=3,
    ),
)  # fmt: skip
@settings(max_examples=300)
def test_hostile_rankings_come_back_or_are_refused(
    first: str, second: str, items: list[tuple[str, str, list[tuple[str, float]]]]
) -> None:
    """Through every pair of formats: what is written reads back as it was."""
    rankings = [
        ranking(item_id, lexelt, *sorted(pairs, key=lambda pair: -pair[1]))
        for item_id, lexelt, pairs in items
    ]
    for name in (first, second):
        chosen = OUTPUT_FORMATS[name]
        try:
            text = chosen.write(rankings, chosen.top)
        except LexsubError:
            return
        back = chosen.read(decode(text.encode(), HERE), HERE)
        kept = [replace(one, ranked=one.ranked[: chosen.top]) for one in rankings]
        assert [said(one, name) for one in back] == [said(one, name) for one in kept]
        try:
            told = detect(text, HERE)
        except FormatError:
            pass  # answers that all end in a number look like a gold
        else:
            assert told.read(text, HERE) == back
        rankings = back


def said(one: Ranking, name: str) -> tuple[object, ...]:
    """What a format says of a ranking."""
    scores = [entry.score for entry in one.ranked]
    return (
        one.id,
        "" if name in ("swords", "trec") else one.lexelt,
        one.top(100),
        scores if name in ("ranked", "swords", "tsv", "jsonl") else [],
    )


def test_formats_are_told_by_their_top_keys() -> None:
    """SWORDS has a substitute "id", and its files stand on one line as ours do."""
    made = [ranking("t:1", "", ("id", 2.0), ("substitutes", 1.0))]
    text = OUTPUT_FORMATS["swords"].write(made, None)
    assert detect(text, HERE).name == "swords"
    text = '{"substitutes": ["id"], "x": {"id": 1}, "id": "7"}'
    assert detect(text, HERE).name == "jsonl"
    assert detect('{"substitutes": {"id": []}', HERE).name == "swords"


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize(
    ("made", "message"),
    [
        ([], "there is no answer to write"),
        ([ranking("7", "x.n")], "there is no answer to write"),
        ([ranking("7", "x.n", ("a", 1.0))] * 2, "id '7' stands twice"),
        ([ranking("", "x.n", ("a", 1.0))], "the id is empty"),
        ([ranking("7", "x.n", (" ", 1.0))], "begins or ends with a blank"),
        ([ranking("7", "x.n", ("a\0", 1.0))], "holds"),
        ([ranking("7", "x.n", ("\ud800", 1.0))], "holds half a character"),
    ],
)
def test_what_no_format_can_say(name: str, made: list[Ranking], message: str) -> None:
    with pytest.raises(LexsubError, match=message):
        OUTPUT_FORMATS[name].write(made, None)


@pytest.mark.parametrize("name", ["best", "oot", "gap", "semdis", "ranked"])
@pytest.mark.parametrize(
    ("item_id", "lexelt"),
    [("1 2", "x.n"), ("1\t2", "x.n"), ("::", "x.n"), ("7", "x  y.n"), ("7", "x ::: y.n"),
     ("7\n", "x.n"), ("7", "\ufeffx.n"), ("7", " x.n")],
)  # fmt: skip
def test_what_lines_cannot_say(name: str, item_id: str, lexelt: str) -> None:
    with pytest.raises(LexsubError, match="cannot say"):
        OUTPUT_FORMATS[name].write([ranking(item_id, lexelt, ("a", 1.0))], None)


@pytest.mark.parametrize("name", ["ranked", "swords", "tsv", "jsonl"])
def test_scores_that_would_come_back_in_another_order(name: str) -> None:
    for pairs in ([("a", 1.0), ("b", 2.0)], [("a", math.nan)]):
        with pytest.raises(LexsubError, match="do not fall"):
            OUTPUT_FORMATS[name].write([ranking("7", "x.n", *pairs)], None)


@pytest.mark.parametrize("name", ["oot", "ranked", "jsonl", "tsv"])
def test_lines_longer_than_readers_take(name: str) -> None:
    made = [ranking("7", "x.n", ("a" * 1_000_001, 1.0))]
    with pytest.raises(LexsubError, match="expected at most 1000000"):
        OUTPUT_FORMATS[name].write(made, None)


def test_names_are_suggested() -> None:
    with pytest.raises(UnknownNameError, match="did you mean swords"):
        OUTPUT_FORMATS["sword"]
    assert format_of_name(Path("x.generated.oot")).name == "oot"
    with pytest.raises(LexsubError, match=r"did you mean \.jsonl"):
        format_of_name(Path("x.json2l"))


def run(tmp_path: Path, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_the_command_converts(tmp_path: Path) -> None:
    source, target, gold = tmp_path / "in.json", tmp_path / "out.oot", tmp_path / "mine.gold"
    source.write_text(EXAMPLES["swords"])
    gold.write_text("loud.a 7 :: noisy 2;\nfourth quarter.n 8 :: end 1;\n")
    status, output = run(tmp_path, str(source), str(target), "--gold", str(gold))
    assert status == 0
    assert "2 items, swords to oot, the first 10 of each" in output
    assert target.read_text() == EXAMPLES["oot"]


def test_the_command_writes_nothing_when_it_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target, gold = tmp_path / "in.json", tmp_path / "out.oot", tmp_path / "mine.gold"
    source.write_text(EXAMPLES["swords"])
    gold.write_text("loud.a 7 :: noisy 2;\n")
    for arguments, message in (
        ([], "item 7 has no lexelt"),
        (["--gold", str(gold)], "item 8 is not in the gold (1 of 2 are not)"),
        (["--from", "swrods"], "unknown format 'swrods'; did you mean swords?"),
        (["--gold", "semeval2007/tset"], "did you mean test"),
        (["--gold", str(tmp_path / "none.gold")], "none.gold: no such file"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(["convert", str(source), str(target), *arguments])
        assert caught.value.code == 2
        error = capsys.readouterr().err
        assert message in error
        assert len(error.splitlines()) == 1
        assert not target.exists()


def test_golds_by_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.gold"
    path.write_text("loud.a 7 :: noisy 2;\n")
    gold = load_gold(str(path), [])
    assert (gold.name, len(gold.sha256), gold.items["7"].weights) == ("mine.gold", 64, {"noisy": 2})


@pytest.mark.data
@pytest.mark.parametrize(
    "reference",
    ["swords/swords-v1.1_dev.json.gz", "coinco/coinco_dev.xml.gz", "semeval2007/scoring/gold"],
)
def test_golds_by_file_of_any_format(reference: str, data_dir: Path) -> None:
    count = {"swords": 370, "coinco": 10179, "semeval2007": 1703}[reference.partition("/")[0]]
    assert len(load_gold(str(data_dir / reference), [data_dir]).items) == count


@pytest.mark.data
def test_the_french_baseline_is_told_and_read(data_dir: Path) -> None:
    text = (data_dir / "semdis2014/baseline_dicosyn.txt").read_text()
    found = detect(text, HERE)
    rankings = found.read(text, HERE)
    assert (found.name, len(rankings)) == ("semdis", 300)
    assert rankings[0].lexelt == "arrêter.v"


def test_places_score_from_zero_down() -> None:
    for name in ("oot", "swords", "tsv"):
        text = {
            "oot": "a.n 7 ::: x;y\n",
            "swords": '{"substitutes_lemmatized": true, "substitutes": {"7": ["x", "y"]}}',
            "tsv": "7\tx\n7\ty\n",
        }[name]
        rankings = OUTPUT_FORMATS[name].read(text, HERE)
        assert OUTPUT_FORMATS["tsv"].write(rankings, None).endswith("\tx\t0.0\n7\t" + (
            "a.n\ty\t-1.0\n" if name == "oot" else "\ty\t-1.0\n"
        ))  # fmt: skip


def test_the_public_api_scores_other_peoples_files(tmp_path: Path) -> None:
    import lexsub

    (tmp_path / "mine.gold").write_text("loud.a 7 :: noisy 3;shrill 1;\n")
    (tmp_path / "out.json").write_text(EXAMPLES["swords"])
    gold = lexsub.load_gold(str(tmp_path / "mine.gold"))
    rankings = lexsub.read_output(tmp_path / "out.json")
    assert lexsub.read_output(tmp_path / "out.json", "swords") == rankings
    scores = lexsub.evaluate(gold, {"them": rankings}, "best-R", interval=None)
    assert scores.value("them", "best-R") == pytest.approx(0.75)
