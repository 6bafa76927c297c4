"""Texts again with words replaced: what stays, what is drawn, and the command on tables.

Numbers are issues of nlpaug and TextAttack whose cases stand here.
"""

from __future__ import annotations

import csv
import inspect
import io
import json
import re
from dataclasses import fields
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexsub
from lexsub.cli import main
from lexsub.cli.augment import command as augment
from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.augmenting import Augmented, Augmenter
from lexsub.experiments.suggestions.suggesting import Suggester

TEXT = (
    'Mr. Hill  didn\'t buy an old house , in London. THE END: He gave up, "quickly" — a large dog!'
)


@pytest.fixture(scope="module")
def suggest() -> Suggester:
    return lexsub.open_suggester("suggest")


def check(text: str, made: Augmented) -> None:
    """Hold a copy against its text: all is as it was but the words that it names."""
    at, pattern = 0, ""
    for one in made.replaced:
        assert text[one.start : one.end] == one.old
        assert one.old != one.new
        assert one.start >= at
        pattern += _unfitted(text[at : one.start]) + re.escape(one.new)
        at = one.end
    assert re.fullmatch(pattern + re.escape(text[at:]), made.text)


def _unfitted(piece: str) -> str:
    """Return a pattern of what stands before a word: its last article may have changed."""
    found = re.fullmatch(r"(.*\b|)(an?)(\s+)", piece, re.DOTALL | re.IGNORECASE)
    if not found:
        return re.escape(piece)
    return re.escape(found[1]) + "(?:a|an|A|An|AN)" + re.escape(found[3])


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.sampled_from(
        ["an", "a", "old", "large", "house", "dogs'", "gave up", "ran", "quickly", "\n", " ", ",",
         "London", "don't", "3.5", '"', ".", "in addition", "<b>"]), max_size=20),
    st.sampled_from([0.1, 0.2, 0.5, 1.0]), st.integers(0, 3),
)  # fmt: skip
def test_nothing_but_a_share_of_words_is_changed(
    pieces: list[str], share: float, seed: int
) -> None:
    suggester = lexsub.open_suggester("suggest")
    text = " ".join(pieces)
    copies = suggester.augment(text, share=share, n=2, seed=seed)
    words = len(re.findall(r"\w+(?:['’-]\w+)*", text))
    assert len({text, *(one.text for one in copies)}) == 1 + len(copies)
    for one in copies:
        check(text, one)
        assert 1 <= len(one.replaced) <= max(1, share * words)
    assert copies == suggester.augment(text, share=share, n=2, seed=seed)
    assert copies[:1] == suggester.augment(text, share=share, n=1, seed=seed)


def test_what_must_stay_stays(suggest: Suggester) -> None:
    # nlpaug 143, 272, 48: punctuation, blanks, numbers; 296: words and phrases never to touch.
    for one in suggest.augment(TEXT, share=1, n=20, seed=3):
        check(TEXT, one)
        for same in ("Mr. Hill  didn't ", " , in London. THE END: He ", ', "quickly" — '):
            assert same in one.text
    sentence = "The quick brown fox leapt over the 192.168.1.1 lazy dog , version 0.0.0.16 ?"
    kept = suggest.augment(sentence, share=1, n=20, keep=["FOX", "lazy dog", "leap"])
    assert kept
    for one in kept:
        assert "fox leapt over the 192.168.1.1 lazy dog , " in one.text
        assert one.text.endswith(" 0.0.0.16 ?")


def test_phrases_are_whole_and_two_beside_each_other_are_one(suggest: Suggester) -> None:
    # nlpaug 141: synonyms of two words, without underscores.
    text = "The large dog gave up early."
    copies = suggest.augment(text, share=1, n=60, least=0)
    news = {one.new for copy in copies for one in copy.replaced}
    assert any(" " in new for new in news)
    assert not any("_" in new for new in news)
    assert {one.old for copy in copies for one in copy.replaced} == {
        "gave up",
        "large",
        "dog",
        "early",
    }
    assert not any({"large", "dog"} <= {one.old for one in copy.replaced} for copy in copies)


def test_a_verb_is_not_parted_from_its_particle(suggest: Suggester) -> None:
    text = "He gave up the house and looked after it."
    notes = {word.text: word.note for word in suggest.text(text).words}
    assert notes["gave"] == "perhaps a phrasal verb"
    assert notes["looked after"] == ""
    for one in suggest.augment(text, share=1, n=10):
        assert " gave up the " in one.text


def test_articles_capitals_forms_and_parts_of_speech(suggest: Suggester) -> None:
    seen = set()
    for one in suggest.augment("Large dogs met an old house.", share=1, n=40, pos="a"):
        seen |= {old.old for old in one.replaced}
        assert not one.replaced or one.text[0].isupper()
        assert not re.search(r"\ban [bcdfgjklmnpqrstvwz]|\ba [aeio]", one.text)
    assert seen == {"Large", "old"}


def test_spans_are_kept_and_moved(suggest: Suggester) -> None:
    text = "A large dog met an old house."
    for one in suggest.augment(text, share=1, n=20, spans=[(0, 2), (8, 11), (16, 18)]):
        assert [one.text[a:b] for a, b in one.spans] == ["A ", "dog", "an"]
        check(text, one)


def test_draws_by_chance_and_says_when_there_are_fewer(suggest: Suggester) -> None:
    # TextAttack 800: no two copies alike, and none that is the text.
    likeliest = suggest.augment("It was large.", temperature=0, n=5)
    assert [one.line for one in likeliest] == ["large → big"]
    assert suggest.augment("It was in London.") == []
    assert suggest.augment("") == []
    many = suggest.augment("It was large.", n=50, temperature=5)
    assert 1 < len(many) <= 8
    first = [suggest.augment("It was large.", n=1, seed=seed)[0].text for seed in range(60)]
    assert 60 / 8 < first.count("It was big.") < 45
    for wrong in (
        {"share": 0}, {"share": 1.5}, {"n": 0}, {"temperature": -1}, {"least": 2}, {"pos": "x"},
        {"keep": [""]}, {"spans": [(0, 99)]},
    ):  # fmt: skip
        with pytest.raises(LexsubError):
            suggest.augment("It was large.", **wrong)  # type: ignore[arg-type]


def test_reports_of_others(suggest: Suggester) -> None:
    # nlpaug 10, 76: a letter, one word; TextAttack 368: nothing to replace, words that repeat.
    for text in ("I a", "hey derek", "1", "?!"):
        assert suggest.augment(text, least=0) == []
    assert {one.text for one in suggest.augment("large", n=20)} >= {"big", "great"}
    for one in suggest.augment("large large large", n=5, share=1):
        assert [new.start for new in one.replaced] in ([0], [6], [12], [0, 12])
    # nlpaug 14, 247: words to keep that stand before a stop, or in brackets.
    for one in suggest.augment("A large dog. [large] cats.", share=1, n=9, keep=["dog", "[large]"]):
        assert re.fullmatch(r"An? .+ dog\. \[large\] .+\.", one.text)
    # nlpaug 171, 287: capitals, quotation marks of their own, other scripts.
    text = "Many older U.S. adults `can't' buy a large house 汉汉 near New York"
    for one in suggest.augment(text, share=1, n=9):
        check(text, one)
        assert " U.S. " in one.text
        assert " `can't' " in one.text
        assert one.text.endswith(" 汉汉 near New York")
    # nlpaug 116, 214: answers and entities are found again.
    text = "A large dog met a man in the old town."
    spans = [(text.index(word), text.index(word) + len(word)) for word in ("man", "town")]
    for one in suggest.augment(text, share=1, n=9, spans=spans):
        assert [one.text[a:b] for a, b in one.spans] == ["man", "town"]
    # eda_nlp 6: function words are no names of groups or vitamins.
    for one in suggest.augment("let me start a task", share=1, n=20, least=0):
        assert re.search(r" me .+ an? ", one.text)


def test_a_model_gives_nothing_below_the_least_chance() -> None:
    english = lexsub.open_suggester()
    text = "The committee made an important decision about the large house."
    best = {word.start: {one.form: one.chance for one in word.best}
            for word in english.text(text, n=8)}  # fmt: skip
    copies = english.augment(text, share=1, n=4, least=0.5)
    assert copies
    for one in copies:
        check(text, one)
        for new in one.replaced:
            assert (best[new.start][new.new] or 0) >= 0.5


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["augment", *map(str, arguments), "--config", "suggest"])
    return int(ended.value.code or 0)


def test_columns_stay_beside_their_texts(tmp_path: Path) -> None:
    table, out = tmp_path / "in.csv", tmp_path / "out.csv"
    table.write_text(
        'label,text,note\npos,"A large dog, and a\n""big"" house.",x\n1.0,In London.,"a,b"\n'
    )
    assert run(table, "-n", 2, "-o", out, "--seed", 1) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert [(row["label"], row["copy"], row["note"]) for row in rows] == [
        ("pos", "0", "x"), ("pos", "1", "x"), ("pos", "2", "x"), ("1.0", "0", "a,b"),
    ]  # fmt: skip
    assert rows[0]["text"] == 'A large dog, and a\n"big" house.'
    assert all(row["text"] != rows[0]["text"] and " → " in row["replaced"] for row in rows[1:3])
    again = tmp_path / "again.csv"
    assert run(table, "-n", 2, "-o", again, "--seed", 1, "--workers", 2) == 0
    assert again.read_bytes() == out.read_bytes()


def test_spans_of_a_table_move_along(tmp_path: Path) -> None:
    table, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    row = {"body": "A large dog sat.", "tags": [[8, 11, "ANIMAL"]], "y": 1}
    table.write_text(json.dumps(row) + "\n")
    assert run(table, "--column", "body", "--spans", "tags", "-o", out, "--without-originals") == 0
    for made in map(json.loads, out.read_text().splitlines()):
        ((start, end, label),) = made["tags"]
        assert (made["body"][start:end], label, made["y"]) == ("dog", "ANIMAL", 1)


def test_names_in_capitals_and_rows_without_spans(tmp_path: Path) -> None:
    table, out = tmp_path / "IN.JSONL", tmp_path / "OUT.JSONL"
    table.write_text('{"text": "A large dog.", "tags": [[2, 7]]}\n{"text": "A large dog."}\n')
    assert run(table, "--spans", "tags", "-o", out, "-n", 9, "--without-originals") == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert {"large" in row["text"] for row in rows if "tags" in row} == {True}
    assert {"large" in row["text"] for row in rows if "tags" not in row} == {True, False}


def test_lines_of_a_text_file_and_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, out = tmp_path / "in.txt", tmp_path / "out.txt"
    lines.write_text("A large dog.\n\nIn London.\n")
    assert run(lines, "-n", 1, "-o", out) == 0
    assert (
        "2 texts, 1 new, 1 word replaced; nothing to replace in 1 text" in capsys.readouterr().err
    )
    assert len(out.read_text().splitlines()) == 3
    assert run(lines, "-n", 1, "-o", out, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"texts": 2, "new": 1, "replaced": 1, "unchanged": 1}
    table = tmp_path / "in.csv"
    for content, options, said in [
        ("txt,label\na,b\n", [], "has no column 'text'"),
        ("id,Text\n1,a\n", [], "did you mean Text? (it has 'id', 'Text'); name one with --column"),
        ("text,text\na,b\n", [], "'text' stands twice"),
        ("text,copy\na,b\n", [], "has a column 'copy' already"),
        ("text\n", [], "holds no row"),
        ("text,tags\na,x\n", ["--spans", "tags"], "expected a list as"),
        ('text,tags\na,"[[0,9]]"\n', ["--spans", "tags"], "span (0, 9)"),
        ("text\na\n", ["--share", "2"], "share is 2.0; expected at most 1"),
    ]:
        table.write_text(content)
        assert run(table, "-o", tmp_path / "new.csv", *options) == 2
        assert said in capsys.readouterr().err
        assert not (tmp_path / "new.csv").exists()
    assert run(table, "-o", tmp_path / "new.xyz") == 2
    assert run(table, "-o", tmp_path / "." / "in.csv") == 2  # the texts themselves
    assert table.read_text() == "text\na\n"


def test_the_command_and_the_call_have_the_same_defaults() -> None:
    call = inspect.signature(Suggester.augment).parameters
    asked = {one.name: one.default for one in augment.get_params(click.Context(augment))}
    for field in fields(Augmenter):
        expected = call[field.name].default
        assert field.default == expected, field.name
        if field.name != "keep":  # an option that repeats has no default
            assert asked[field.name] == expected, field.name
