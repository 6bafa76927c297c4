"""Whole texts: sentences, what is left alone and why, offsets, phrases; and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexsub
from lexsub.cli import main
from lexsub.errors import LexsubError
from lexsub.experiments.suggestions.suggesting import Suggester
from lexsub.experiments.suggestions.texts import LONGEST, sentences

TEXT = """Dr. Smith didn't buy the old house in London. He gave up, "because it leaked", and left.

A large dog's owner made ice cream for 20 dogs' parties, three of them big. See https://x.org/a_b
or <b>nothing</b> good. Stone is honest. In general Stone walks, e.g. in May, with NASA."""


@pytest.fixture(scope="module")
def suggest() -> Suggester:
    return lexsub.open_suggester("suggest")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Mr. Brown met J. Smith at No. 5. He left.", ["Mr. Brown met J. Smith at No. 5.",
                                                     "He left."]),
        ("“Stop!” he said. “Why?” He left.", ["“Stop!” he said.", "“Why?”", "He left."]),
        ("A title\n\nA text that\ngoes on. More", ["A title", "A text that\ngoes on.", "More"]),
        ("We need:\n- bread\n- old wine\n2. tea", ["We need:", "- bread", "- old wine", "2. tea"]),
        ("It was 3.5 m... or so.  Fine.", ["It was 3.5 m... or so.", "Fine."]),
        ("  \n ", []),
    ],
)  # fmt: skip
def test_sentences(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == parts


def test_a_text_without_stops_is_cut(suggest: Suggester) -> None:
    text = "word " * 1000
    assert max(end - start for start, end in sentences(text)) <= LONGEST
    assert "".join(text[start:end] for start, end in sentences(text)).count("word") == 1000
    assert len(list(sentences("x" * 3 * LONGEST))) == 3


def test_what_is_left_alone_is_said(suggest: Suggester) -> None:
    found = {word.text: word for word in suggest.text(TEXT).words}
    notes = {text: word.note for text, word in found.items() if not word.best}
    for kind, words in {
        "a name": ["Smith", "London", "Stone", "May", "NASA"],
        "a contraction": ["didn't"],
        "a quotation": ['"because it leaked"'],
        "a number": ["20", "three"],
        "a function word": ["the", "in", "is", "He", "for", "or", "them"],
        "markup, an address or an abbreviation": ["https://x.org/a_b", "<b>", "</b>", "e.g."],
    }.items():
        assert {word: notes.get(word) for word in words} == dict.fromkeys(words, kind)
    assert {"old", "house", "gave up", "large", "ice cream", "parties", "good"} <= found.keys()
    assert not {"gave", "up", "ice", "cream", "leaked"} & found.keys()
    assert found["dog's"].best[0].form.endswith("'s")
    assert found["dogs'"].best[0].form == "domestic dogs'"


def test_numbers_in_words_and_placeholders_are_left_alone(suggest: Suggester) -> None:
    # nlpaug 247: names in brackets stand for what is filled in.
    text = (
        "The third man, [year], and [MASK] took the twenty-first, %s and %(name)s or {town}: a [big"
        " house] of half a dozen, plan c."
    )
    notes = {word.text: word.note for word in suggest.text(text).words}
    markup = "markup, an address or an abbreviation"
    for word in ("[year]", "[MASK]", "%s", "%(name)s", "{town}", "c"):
        assert notes[word] == markup, word
    for word in ("third", "twenty-first", "half a dozen"):
        assert notes[word] == "a number", word
    assert notes["man"] == notes["big"] == notes["house"] == ""


@pytest.mark.parametrize(
    ("text", "alone", "answered"),
    [
        ("He used to work, and has got to go, for he is going to buy it.", "used got going", "buy"),
        ("A knife was going to the city, and got wet.", "", "going got"),
        ("Two days later, aged 45, he bought 10 kg of apples.", "days later aged kg", "apples"),
        ("It fell 3 per cent last week, an hour ago.", "cent last week hour ago", "fell"),
        ("He put up with noise and ran out of money.", "put+up ran+out", "noise money"),
        ("He gave it up, turned the light off.", "gave turned", "light"),
        ("He walked the dog up the hill.", "", "walked dog hill"),
        ("I look forward to it; she looks good.", "look+forward", "looks good"),
        ("It took place and made sense; he kicked the bucket.", "",
         "took+place made+sense kicked+the+bucket"),
        ("They are no longer able to pay.", "able", "no+longer pay"),
        ("I'm gonna go at five o'clock.", "gonna o'clock", "go"),
        ("He walked in new york, rock 'n' roll, for $2.5m.", "new+york n $2.5m", "walked roll"),
        ("Two weeks passed.", "Two+weeks", "passed"),
        ("The old man drank a cup of tea, quite a hot one.", "", "old man cup tea hot"),
        ("A great many people care less.", "great care", "people"),
    ],
)  # fmt: skip
def test_what_is_bound_is_left_alone(
    suggest: Suggester, text: str, alone: str, answered: str
) -> None:
    words = {word.text.replace(" ", "+"): word for word in suggest.text(text, n=1).words}
    assert [name for name in alone.split() if words[name].best] == []
    assert [name for name in answered.split() if not words[name].best] == []


def test_what_has_no_degrees_is_not_compared(suggest: Suggester) -> None:
    for sentence in ("He worked *harder*.", "It came *closer*.", "He came *earlier*."):
        found = [one.form for one in suggest(sentence, n=50).best]
        assert len(found) > 10
        assert not [form for form in found if form.endswith(("inger", "eder"))]
        assert not {"nexter", "formerer", "paster", "otherer", "more other"} & {*found}
    further = [one.form for one in lexsub.open_suggester()("He ran *further*.", n=50).best]
    assert further
    assert not [form for form in further if form.startswith("more ") and form.count(" ") > 1]


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("It is *hot* in here.", {"cool", "cold"}),
        ("They had *dinner* at home.", {"breakfast", "lunch"}),
        ("She ate *apple pie* at home.", {"pie"}),
    ],
)
def test_what_is_something_else_or_less_stands_for_nothing(sentence: str, wrong: set[str]) -> None:
    found = {one.form for one in lexsub.open_suggester()(sentence, n=50).best}
    assert found
    assert not wrong & found


def test_names_that_biologists_give_stand_for_nothing(suggest: Suggester) -> None:
    found = {one.form for one in suggest("Two lazy *dogs* sat.", n=20).best}
    assert "canines" in found
    assert not any("familiaris" in form for form in found)


def test_later_is_not_compared_and_unable_keeps_its_to() -> None:
    model = lexsub.open_suggester()
    later = [one.form for one in model("He came *later*.").best]
    assert later
    assert not any(form.startswith("more ") for form in later)
    unable = model("He was *unable* to open it.", n=20).best
    assert {"incapable", "powerless"} & {one.form for one in unable} == {"powerless"}
    hour = model("He came an *hour* later.", n=20).best
    assert "minute" not in {one.form for one in hour}


def test_words_are_answered_as_alone(suggest: Suggester) -> None:
    text = "It rained. The old house was large."
    (word,) = [word for word in suggest.text(text, n=3).words if word.text == "large"]
    alone = suggest("The old house was *large*.", n=3)
    assert word.best == alone.best
    assert word.found is not None
    assert word.found.text == "The old house was large."


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(
    ["a", "an", "old", "dogs'", "gave up", "\n\n", "  ", '"', "“", "”", "'", "‘", "’", "don't",
     "London", "3.5", "x_y", "<b", ">", "U.S.", "ice", "cream", "in", "addition", ".", "!", "…",
     "É́", "\t", "Ran", "{", "}", "`", "-", "—", "&amp;", "@me"]), max_size=25))  # fmt: skip
def test_offsets_are_right_and_rise(pieces: list[str]) -> None:
    text = " ".join(pieces)
    answer = lexsub.open_suggester("suggest").text(text, n=1)
    at = 0
    for word in answer.words:
        assert text[word.start : word.end] == word.text
        assert at <= word.start < word.end
        assert bool(word.note) != bool(word.best)
        at = word.end


def test_rows_and_workers(suggest: Suggester) -> None:
    texts = ["A large dog.", "", "He gave up."]
    answers = list(suggest.texts(texts, n=2))
    assert [len(answer.words) for answer in answers] == [3, 0, 2]
    assert list(suggest.texts(texts, n=2, workers=2)) == answers
    rows = answers[0].to_pandas()
    assert rows[["start", "word", "rank"]].values.tolist() == [
        [0, "A", 0], [2, "large", 1], [2, "large", 2], [8, "dog", 1], [8, "dog", 2],
    ]  # fmt: skip
    assert rows["note"][0] == "a function word"
    with pytest.raises(LexsubError, match="a text is a int"):
        suggest.text(5)  # type: ignore[arg-type]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["suggest", "--all", *arguments])
    return int(ended.value.code or 0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "text.txt"
    file.write_text("A large *dog*.\nIt ran.\n")
    assert run("-f", str(file), "--json", "-n", "2", "--config", "suggest") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["start"], row["word"], len(row["suggestions"])) for row in rows] == [
        (0, "A", 0), (2, "large", 2), (9, "dog", 2), (15, "It", 0), (18, "ran", 2),
    ]  # fmt: skip
    assert run("A large dog.", "--config", "suggest") == 0
    assert "(a function word)" in capsys.readouterr().out
    for wrong, said in [
        (["A", "-f", str(file)], "expected one text, or --file"),
        ([], "expected one text, or --file"),
        ([" "], "holds no word"),
        (["A dog.", "--why"], "answers without reasons"),
        (["-f", "some.csv"], "is a table"),
        (["-f", str(tmp_path / "none.txt")], "none.txt"),
    ]:
        assert run(*wrong) == 2
        assert said in capsys.readouterr().err
