"""``lexsub suggest``: marks, guesses, forms, and the command on sentences of one's own."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexsub
from lexsub.candidates.wordnet import CRITERIA
from lexsub.cli import main
from lexsub.errors import LexsubError, UnknownNameError
from lexsub.experiments.config.reading import read_experiment
from lexsub.experiments.pipeline.known_models import noted_models
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.experiments.suggestions import of_configs
from lexsub.experiments.suggestions.answers import reason
from lexsub.experiments.suggestions.sentences import falling
from lexsub.experiments.suggestions.suggesting import open_suggester
from lexsub.languages.english.guessing import guess_lexelt
from lexsub.marked_sentences import LONGEST, Marked, parse_marked, parse_targets
from lexsub.rankings import Origin
from lexsub.resources import Resources
from lexsub.wordnet import open_wordnet
from tests.caches import cache
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("line", "text", "target", "pos"),
    [
        ("The wine was too *strong* to drink.", "The wine was too strong to drink.", "strong", ""),
        ("It was *strong*.a", "It was strong", "strong", "a"),
        ("It was *strong*.a, he said", "It was strong, he said", "strong", "a"),
        ("It was *strong*.", "It was strong.", "strong", ""),
        ("He was *fast*.and gone", "He was fast.and gone", "fast", ""),
        ("5 \\* 3 is a *big* \\\\ number", "5 * 3 is a big \\ number", "big", ""),
        ("a back\\slash *stays*", "a back\\slash stays", "stays", ""),
        ("* spaced * out", " spaced  out", "spaced", ""),
        ("He *gave up* early", "He gave up early", "gave up", ""),
        ("*Ça* va", "Ça va", "Ça", ""),
    ],
)
def test_marks(line: str, text: str, target: str, pos: str) -> None:
    marked = parse_marked(line)
    assert (marked.text, marked.target, marked.pos) == (text, target, pos)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "an empty sentence"),
        ("   ", "an empty sentence"),
        ("No word is marked.", "no word of 'No word is marked.' is marked"),
        ("*two* words *marked*", "4 stars"),
        ("*half marked", "1 star in"),
        ("nothing ** inside", "enclose no word"),
        ("signs *?!* inside", "enclose no word"),
        ("\\*escaped\\*", "no word of"),
        ("x" * (LONGEST + 1), f"a line of {LONGEST + 1} characters"),
    ],
)
def test_bad_marks(line: str, message: str) -> None:
    with pytest.raises(LexsubError) as caught:
        parse_marked(line)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


texts = st.text(st.sampled_from("ab*\\ ."), max_size=12)


@given(left=texts, word=st.sampled_from(["x", "x y", "*x", "x\\"]), right=texts)
def test_what_is_escaped_comes_back(left: str, word: str, right: str) -> None:
    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace("*", "\\*")

    # A blank keeps ".a" of the text from being read as a part of speech.
    marked = parse_marked(f"{escaped(left)}*{escaped(word)}* {escaped(right)}")
    assert marked == Marked(f"{left}{word} {right}", len(left), len(left) + len(word))


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    """A cache of its own, so that no model is in it."""
    return Resources(data=(), cache=cache(tmp_path_factory.mktemp("own")))


@pytest.mark.parametrize(
    ("line", "lexelt"),
    [
        ("The wine was too *strong* to drink.", "strong.a"),
        ("They *run* every day.", "run.v"),
        ("It was a long *run* .", "run.n"),
        ("She *left* early.", "leave.v"),
        ("the *left*.n of the party", "left.n"),
        ("He came *quickly* .", "quickly.r"),
        ("Two *mice* slept.", "mouse.n"),
        ("I have to *book* a room.", "book.v"),
        ("the *poor* man", "poor.a"),
        ("a *xyzzyed* thing", "xyzzyed.n"),
        ("She *gave up*.v early.", "give up.v"),
        ("She *gave up* early.", "give up.v"),
        ("two *high schools*", "high school.n"),
        ("a *xyzzyed*.v thing", "xyzzyed.v"),
        ("The firm *sacked* him.", "sack.v"),
        ("They *may* come.", "may.v"),
        ("Students *may* come.", "may.v"),
        ("in *May* and June", "may.n"),
        ("*Must* you leave?", "must.v"),
        ("the *can* fell", "can.n"),
        ("We *can* the fruit.", "can.v"),
        ("There will be *issues* with the plan.", "issue.n"),
        # What is cut down to a letter or two is no lemma, but for what people write.
        ("He came early *lest* he be late.", "lest.n"),
        ("She saw *its*.n point.", "its.n"),
        ("a *lest*.a boy", "lest.a"),
        ("They read the *ads*.", "ad.n"),
        ("They bought *CDs*.", "cd.n"),
        ("They are *doing* it.", "do.v"),
        # A lemma is no irregular form of a rare word.
        ("She has great *stamina*.", "stamina.n"),
        ("She likes *cola*.", "cola.n"),
        ("the *teeth* of it", "tooth.n"),
        ("She *found* it.", "find.v"),
        ("the *chips*", "chip.n"),
    ],
)
def test_guesses(line: str, lexelt: str, resources: Resources) -> None:
    assert str(guess_lexelt(parse_marked(line), open_wordnet(resources))) == lexelt


def test_guesses_agree_with_the_data_set(data_dir: Path, resources: Resources) -> None:
    from lexsub.data.catalogue import load

    items = load("semeval2007/trial", (data_dir,)).items
    wordnet = open_wordnet(resources)
    guessed = [guess_lexelt(Marked(i.text, i.start, i.end), wordnet) for i in items]
    told = [guess_lexelt(Marked(i.text, i.start, i.end, i.pos), wordnet) for i in items]
    right = sum(g.pos == i.pos for g, i in zip(guessed, items, strict=True)) / len(items)
    # A baseline that calls everything a noun is right for 3 in 10.
    assert right > 0.85
    assert all(g.lemma == i.lemma for g, i in zip(told, items, strict=True))


@pytest.mark.parametrize(
    ("line", "lexelt", "substitute", "form", "sentence"),
    [
        ("The *dog's* tail", "dog.n", "hound", "hound's", "The hound's tail"),
        ("The *dogs'* tails", "dog.n", "hound", "hounds'", "The hounds' tails"),
        ("The *children’s* room", "child.n", "kid", "kids’", "The kids’ room"),
        ("The *kids'* room", "kid.n", "child", "children's", "The children's room"),
        ("The *boss's* car", "boss.n", "chief", "chief's", "The chief's car"),
        ("A *chief's* car", "chief.n", "boss", "boss's", "A boss's car"),
        ("A *kid's* room", "kid.n", "child", "child's", "A child's room"),
        ("THE *KIDS'* ROOM", "kid.n", "child", "CHILDREN'S", "THE CHILDREN'S ROOM"),
        ("The *children*'s room", "child.n", "kid", "kids", "The kids' room"),
        ("The 'noisy *kids*' ran", "kid.n", "child", "children", "The 'noisy children' ran"),
    ],
)
def test_the_ending_of_a_possessive_is_not_the_word(
    line: str, lexelt: str, substitute: str, form: str, sentence: str, resources: Resources
) -> None:
    found = open_suggester("suggest", "", resources).suggest(parse_marked(line), 1000)
    assert (found.target, str(found.lexelt)) == (parse_marked(line).target, lexelt)
    one = next(one for one in found if one.substitute == substitute)
    assert (one.form, one.sentence) == (form, sentence)


NOR = "nor a word of which that is a form"


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("*It's* late.", f"looked for it's.n; WordNet has no \"it's\", {NOR}"),
        ("Two *747s* landed.", f"looked for 747s.n; WordNet has no '747s', {NOR}"),
        ("an *apple hat*", f"looked for apple hat.n; WordNet has no 'apple hat', {NOR}"),
        ("a *quickly*.n told tale", "looked for quickly.n; WordNet has 'quickly' as adverb"),
        ("the *Thursday*.v of it", "looked for thursday.v; WordNet has 'thursday' as noun"),
    ],
)  # fmt: skip
def test_what_was_looked_for_is_said(line: str, note: str, resources: Resources) -> None:
    found = open_suggester("suggest", "", resources).suggest(parse_marked(line))
    assert (len(found), found.note) == (0, note)
    assert open_suggester("suggest", "", resources)("a *large* dog").note == ""


def test_a_lemma_that_is_written_so_stays(resources: Resources) -> None:
    found = open_suggester("suggest", "", resources)("She has *Alzheimer's*.")
    assert str(found.lexelt) == "alzheimer's.n"


def test_substitutes_are_ready_to_paste(resources: Resources) -> None:
    suggester = open_suggester("suggest", "", resources)
    found = suggester.suggest(parse_marked("A *large* dog ran."), 40)
    by_lemma = {one.substitute: one for one in found.best}
    assert by_lemma["ample"].sentence == "An ample dog ran."
    assert by_lemma["big"].sentence == "A big dog ran."
    found = suggester.suggest(parse_marked("He *helped* us, and HE \\* won."), 40)
    assert str(found.lexelt) == "help.v"
    by_lemma = {one.substitute: one for one in found.best}
    assert by_lemma["assist"].sentence == "He assisted us, and HE * won."
    assert by_lemma["assist"].origins[0].source == "wordnet"
    upper = suggester.suggest(parse_marked("HE *HELPED*"), 3).best[0].form
    assert upper == upper.upper()
    assert suggester.suggest(parse_marked("*Helped* by all"), 1).best[0].form[0].isupper()
    assert len(suggester.suggest(parse_marked("He *helped* us"), 2).best) == 2
    nothing = suggester.suggest(parse_marked("a *xyzzyed* thing"))
    assert (nothing.candidates, nothing.best) == (0, ())


CONFIG = """
name = "tiny"
data = "tutorial/test"
[models.lm]
kind = "lm"
corpus = ["{corpus}"]
order = 2
[[systems]]
name = "order"
candidates = "wordnet"
[[systems]]
name = "lm"
candidates = "wordnet"
ranker = "lm"
"""


def test_it_ranks_as_a_run_does(
    resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentences of the tutorial set get the rankings that a run writes."""
    from lexsub.formats.jsonl import read_rankings

    config = tmp_path / "tiny.toml"
    config.write_text(CONFIG.format(corpus=ROOT / "tests" / "lm" / "village.txt"))
    experiment = read_experiment(config)
    monkeypatch.setattr(of_configs, "PREFERRED", ((str(config), "lm"),))
    with pytest.raises(LexsubError, match=f"train them with 'lexsub run {config}'"):
        open_suggester(str(config), "", resources)
    # As if lexsub had come without a model.
    monkeypatch.setattr("lexsub.models.SHIPPED", tmp_path / "none")
    assert open_suggester("", "", resources).config == "suggest"
    result = run_experiment(experiment, tmp_path / "run", resources)
    assert open_suggester(str(config), "", resources).system == "order"
    # The note that is there already is left alone: the cache may be one that only can be read.
    (note,) = (resources.cache / "models").glob("*.json")
    before = note.stat()
    run_experiment(experiment, tmp_path / "run", resources)
    assert (note.stat().st_ino, note.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    # Trained now, so it is what is taken where nothing is asked for.
    suggester = open_suggester("", "", resources)
    assert (suggester.config, suggester.system) == (str(config), "lm")
    rankings = {r.id: r for r in read_rankings(tmp_path / "run/rankings/lm.jsonl")}
    for item in result.data.items:
        marked = Marked(item.text, item.start, item.end, item.pos)
        found = suggester.suggest(marked, 5, explain=True)
        assert [one.substitute for one in found.best] == list(rankings[item.id].top(5))
        scores = [entry.score for entry in rankings[item.id].ranked[:5]]
        assert [one.score for one in found.best] == pytest.approx(scores)
        assert all(set(one.parts) == {"log10", "n-grams", "known"} for one in found.best)
    with pytest.raises(UnknownNameError, match="did you mean lm"):
        open_suggester(str(config), "ml", resources)
    (header,) = (resources.cache / "stages" / "model").glob("*/model.json")
    header.write_text("{}")
    with pytest.raises(LexsubError, match=r"model\.json: is damaged"):
        open_suggester(str(config), "lm", resources)
    assert open_suggester("", "", resources).config == "suggest"
    shutil.rmtree(resources.cache / "stages" / "model")
    assert noted_models(resources.cache, experiment) is None


def test_a_system_that_looks_at_the_gold_is_refused(tmp_path: Path, resources: Resources) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        'name = "c"\ndata = "tutorial/test"\n[[systems]]\nname = "o"\ncandidates = "wordnet"\n'
        'ranker = "oracle"\n'
    )
    with pytest.raises(LexsubError, match="system o looks at the gold"):
        open_suggester(str(config), "", resources)


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(["suggest", *map(str, arguments)])
    out, err = capsys.readouterr()
    return int(exit_.value.code or 0), out, err


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("A *bright* boy.\n\nShe *ran*.v home.\n")
    status, out, err = call(capsys, "-f", sentences, "-n", 2, "--json", "--config", "suggest")
    records = [json.loads(line) for line in out.splitlines()]
    assert (status, err, [r["lexelt"] for r in records]) == (0, "", ["bright.a", "run.v"])
    assert [len(r["suggestions"]) for r in records] == [2, 2]
    assert "parts" not in records[0]["suggestions"][0]
    status, out, err = call(capsys, "A *bright* boy", "-n", 3, "--explain", "--config", "suggest")
    same = "the same words in every sentence, which decides their form alone"
    assert (status, err) == (0, f"suggest, system wordnet: {same}\n")
    assert out.startswith("bright (bright.a): A bright boy\n")
    assert re.search(r"^part( +[a-z ]+){3}$", out, re.MULTILINE)
    assert re.search(r"^place +1 +2 +3$", out, re.MULTILINE)
    status, out, _ = call(capsys, "A *xyzzyed* boy", "--config", "suggest")
    none = f"no candidate: looked for xyzzyed.n; WordNet has no 'xyzzyed', {NOR}"
    assert out == f"xyzzyed (xyzzyed.n): A xyzzyed boy\n{none}\n"
    _, out, _ = call(capsys, "A \x1b[31m *bright* boy", "-n", 1, "--config", "suggest")
    assert out.startswith("bright (bright.a): A \ufffd[31m bright boy\n")
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    sentences.write_text("\nno mark\n")
    for wrong, message in [
        ((), "expected one sentence, or --file"),
        (("A *b* c", "-f", sentences), "expected one sentence, or --file"),
        (("-f", empty), "holds no sentence"),
        (("-f", tmp_path / "none"), "no such file"),
        (("A *b* c", "--config", "nonsense"), "unknown experiment"),
        (("*x* *",), "3 stars"),
        (("-f", sentences), f"{sentences}:2: no word of 'no mark' is marked"),
    ]:
        status, out, err = call(capsys, *wrong)
        assert (status, out, len(err.splitlines())) == (2, "", 1)
        assert message in err


def test_standard_input() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "lexsub", "suggest", "-f", "-", "--json", "--config", "suggest"],
        input="A *bright* boy.\n", cwd=ROOT, env=os.environ | {}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["target"] == "bright"


def test_a_stream_is_answered_line_by_line() -> None:
    """The second sentence is sent when the first answer is there."""
    command = [
        sys.executable,
        "-m",
        "lexsub",
        "suggest",
        "-f",
        "-",
        "--json",
        "--config",
        "suggest",
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for sentence, target in ((b"A *bright* boy.\n", "bright"), (b"He *ran*.\n", "ran")):
            process.stdin.write(sentence)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["target"] == target
        process.stdin.write(b"\xff *word*\n")
        process.stdin.close()
        problem = json.loads(process.stdout.readline())
        assert process.wait() == 1
        error = process.stderr.read().decode()
    told = "-:3: byte 0xff is not utf-8; expected utf-8 text"
    assert problem["line"] == 3
    assert problem["error"].startswith(told)
    assert error.startswith(f"lexsub: {told}")


def test_a_bad_line_is_named_and_the_others_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "sentences.txt"
    file.write_bytes(b"A *bright* boy.\r\nno mark\n\ncaf\xe9 *owner*\nA *big*.a, *noisy* dog.\n")
    status, out, err = call(capsys, "-f", file, "-n", 1, "--config", "suggest", "--json")
    records = [json.loads(line) for line in out.splitlines()]
    assert (status, len(err.splitlines())) == (1, 2)
    assert [(one["line"], one.get("target", "")) for one in records] == [
        (1, "bright"), (2, ""), (4, ""), (5, "big"), (5, "noisy"),
    ]  # fmt: skip
    assert [one["start"] for one in records[3:]] == [2, 7]
    assert records[1]["error"] in err
    assert f"{file}:4: byte 0xe9 is not utf-8" in err
    status, out, err = call(capsys, "-f", file, "-n", 1, "--config", "suggest")
    assert [line.partition(":")[0] for line in out.splitlines() if ":" in line] == [
        "bright (bright.a)", "big (big.a)", "noisy (noisy.a)",
    ]  # fmt: skip
    assert (status, len(err.splitlines())) == (1, 3)


TABLES = {
    "a.csv": """sentence,pos,lemma
A *bright* boy.,a,bright
A bright boy.,a,bright
The *owner* left.,n
The *owner* left.,q,owner
"A big, *noisy* dog.",a,noisy
""",
    "a.jsonl": """{"sentence": "A *bright* boy.", "pos": "a"}
{"sentence": "A bright boy.", "pos": "a"}
["The *owner* left."]
{"sentence":
{"sentence": "A big, *noisy* dog.", "pos": "a"}
""",
}


@pytest.mark.parametrize("name", TABLES)
def test_a_bad_row_of_a_table_is_named_and_the_others_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    file.write_text(TABLES[name])
    status, out, err = call(capsys, "-f", file, "-n", 1, "--config", "suggest", "--json")
    records = [json.loads(line) for line in out.splitlines()]
    first = 3 if name == "a.csv" else 2
    assert (status, len(err.splitlines())) == (1, 3)
    assert [one["line"] for one in records[:3]] == [first, first + 1, first + 2]
    # An id is the row's number, bad rows counted.
    assert [(one["id"], one["target"]) for one in records[3:]] == [("1", "bright"), ("5", "noisy")]
    assert [f"{file}:{first + more}" in err for more in range(3)] == [True] * 3


def test_words_come_first_and_reasons_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    question = ("A *bright* boy", "-n", 1, "--config", "suggest")
    _, out, _ = call(capsys, *question)
    assert out.splitlines()[1].split() == ["substitute", "score"]
    _, out, _ = call(capsys, *question, "--why")
    assert out.splitlines()[1].split() == ["substitute", "score", "why"]
    assert "WordNet: " in out
    assert "part" not in out
    _, out, _ = call(capsys, *question, "--why", "--json")
    (row,) = json.loads(out)["suggestions"]
    assert row["reasons"][0].startswith("WordNet: ")
    assert "parts" not in row


def test_every_marked_word_is_a_target() -> None:
    marked = parse_targets("A *big*.a and *noisy* dog \\* *ran*.v")
    assert [(one.target, one.pos) for one in marked] == [("big", "a"), ("noisy", ""), ("ran", "v")]
    assert {one.text for one in marked} == {"A big and noisy dog * ran"}


def test_many_answers_are_joined_to_what_was_asked(resources: Resources) -> None:
    """By the number of the sentence, or the id of the item; by one process as by two."""
    suggester = open_suggester("suggest", "", resources)
    items = lexsub.load("tutorial/test").items[:2]
    asked = ["A *big*, *noisy* dog.", lexsub.mark("He ran.", span=(3, 6)), *items]
    alone = list(suggester.pipe(asked, n=2))
    assert [(one.number, one.id) for one in alone] == [
        (1, ""), (1, ""), (2, ""), (3, items[0].id), (4, items[1].id),
    ]  # fmt: skip
    assert list(suggester.pipe(asked, n=2, workers=2)) == alone
    frame = pandas.concat([answer.to_pandas() for answer in alone])
    assert list(frame.columns[:3]) == ["number", "id", "start"]
    joined = frame.merge(pandas.DataFrame({"number": [1, 2, 3, 4], "mine": list("abcd")}))
    assert list(joined["mine"]) == list("aaaabbccdd")
    assert str(suggester(items[0]).lexelt.pos) == items[0].pos
    with pytest.raises(LexsubError, match="sentence 2 is a int; expected text with its target"):
        list(suggester.pipe(["a *b*", 7]))  # type: ignore[list-item]
    with pytest.raises(LexsubError, match=r"4 stars in .* by pipe"):
        suggester("A *big*, *noisy* dog.")


def test_sentences_from_python(resources: Resources) -> None:
    suggester = open_suggester("suggest", "", resources)
    marked = suggester("The wine was too *strong* to drink.", n=3)
    text = "The wine was too strong to drink."
    assert suggester(text, span=(17, 23), n=3) == marked
    assert suggester(text.split(), index=4, n=3) == marked
    assert suggester(lexsub.mark(text.split(), index=4, pos="a"), n=3) == marked
    assert [one.form for one in marked] == [row["form"] for row in marked.records()]
    assert len(marked) == len(marked.to_pandas()) == 3
    assert repr(marked).startswith("<Suggestions: strong (strong.a): ")
    assert suggester("a *run*", pos="v").lexelt.pos == "v"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sentence": "a dog", "span": (2, 6)}, r"span \(2, 6\) of a sentence of 5 characters"),
        ({"sentence": "a dog", "span": (1, 2)}, "encloses ' '; expected a word"),
        ({"sentence": "a dog", "index": 1}, "expected a list of them"),
        ({"sentence": ["a", "dog"], "index": 2}, "index 2 of 2 tokens"),
        ({"sentence": ["a", "dog"]}, "index None of 2 tokens"),
        ({"sentence": ["a", ""], "index": 1}, "expected 0 <= start < end"),
        ({"sentence": "a *dog*", "pos": "x"}, "part of speech 'x'; expected one of n, v, a, r"),
        ({"sentence": "x" * (LONGEST + 1), "span": (0, 1)}, "expected one of at most"),
    ],
)
def test_bad_targets_from_python(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(LexsubError, match=message):
        lexsub.mark(**arguments)


words = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=6)


@given(tokens=st.lists(words, min_size=1, max_size=8), data=st.data())
def test_spans_and_tokens_mark_the_same(tokens: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(tokens) - 1))
    marked = lexsub.mark(tokens, index=index)
    assert marked.target == tokens[index]
    assert lexsub.mark(marked.text, span=(marked.start, marked.end)) == marked


def test_items_are_answered_as_their_data_set_has_them(resources: Resources) -> None:
    """The lemma is the item's, not a guess."""
    suggester = open_suggester("suggest", "", resources)
    items = lexsub.load("tutorial/test").items[:12]
    answers = list(suggester.pipe(items, n=3))
    assert [one.lexelt for one in answers] == [item.lexelt for item in items]
    assert [(one.text, one.target) for one in answers] == [(i.text, i.target) for i in items]
    assert list(suggester.pipe(items, n=3, workers=2)) == answers
    assert suggester(items[0], n=3) == answers[0]


@pytest.mark.parametrize("given", [5, None, b"a *b*", {"text": "a *b*"}, [1, 2]])
def test_what_is_no_sentence_is_one_line(given: Any, resources: Resources) -> None:
    suggester = open_suggester("suggest", "", resources)
    with pytest.raises(LexsubError, match=r"found a \w+ in place of a sentence; expected text"):
        suggester(given)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--resource mobby: model english brings all that it reads"),
        (["--config", "suggest"], "--resource mobby: no part of system wordnet asks for it"),
    ],
)
def test_a_resource_that_nobody_takes_is_said(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["suggest", "A *bright* boy.", "--resource", "mobby=/x", *options])
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert said in err


def test_a_pipe_reads_no_further_than_it_must(resources: Resources) -> None:
    """An endless stream is answered in order, by one process as by two."""
    suggester = open_suggester("suggest", "", resources)
    taken = itertools.count()
    sentences = (f"A *large* dog ran {next(taken)} miles." for _ in itertools.repeat(None))
    answers = list(itertools.islice(suggester.pipe(sentences, n=2), 5))
    assert [one.text for one in answers] == [f"A large dog ran {n} miles." for n in range(5)]
    assert next(taken) == 5
    many = [f"A *large* dog ran {n} miles." for n in range(100)]
    alone = list(suggester.pipe(many, n=2))
    assert list(suggester.pipe(iter(many), n=2, workers=2)) == alone
    with pytest.raises(LexsubError, match="no word of 'unmarked' is marked"):
        list(suggester.pipe([*many, "unmarked"], workers=2))


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Origin("wordnet", 3, CRITERIA[1], 1.0), "WordNet: synonym in the usual sense"),
        (Origin("hyponyms", 3, CRITERIA[4], 1.0), "WordNet: a narrower word"),
        (Origin("mine", 3, CRITERIA[3]), "WordNet (mine): synonym in another sense"),
        (Origin("moby", 41), "stands in Moby's thesaurus"),
        (Origin("thesaurus-file", 1, "boats"), "stands in the thesaurus, boats"),
        (Origin("distributional", 1, "lin", 0.5), "used in the same contexts, lin (number 2)"),
        (Origin("my-source", 0), "my-source (number 1)"),
    ],
)
def test_origins_are_told_in_words(origin: Origin, words: str) -> None:
    assert reason(origin) == words


@given(st.lists(st.floats(0, 1), max_size=12))
def test_chances_fall_as_isotonic_regression_has_them(chances: list[float]) -> None:
    regression = pytest.importorskip("sklearn.isotonic").IsotonicRegression(increasing=False)
    expected = regression.fit_transform(range(len(chances)), chances) if chances else []
    assert falling(chances) == pytest.approx(list(expected), abs=1e-9)
    assert falling([0.59, 0.61, 0.2]) == pytest.approx([0.6, 0.6, 0.2])
