"""What is written is read back the same; arbitrary bytes are refused, never a crash."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.data.catalogue import load
from lexsub.datasets import GoldItem, Item, Lexelt
from lexsub.errors import LexsubError
from lexsub.formats.findings import CODES, Finding, Reference
from lexsub.formats.semeval_lines import (
    PATTERNS,
    format_gold,
    format_submission,
    parse_gold,
    parse_submission,
)
from lexsub.formats.semeval_xml import parse_semeval_xml
from lexsub.formats.validation import validate_submission
from lexsub.rankings import TASKS, Answer, Task
from lexsub.storage.files import decode

FILE = Path("file")
# All of Unicode that a text file can hold, with much of what the formats give a meaning to.
any_letter = st.characters(exclude_categories=["Cs", "Cc"])
letters = st.one_of(st.sampled_from(list("abc -'.&<>\"#;:]")), any_letter)
texts = st.lists(letters, max_size=12).map("".join)
words = texts.map(str.strip).filter(bool)
answers = texts.map(lambda text: text.replace(";", "").strip()).filter(bool)
lemmas = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True)
pos = st.sampled_from("nvar")
lexelts = st.builds(Lexelt, lemmas, pos, pos)
ids = st.from_regex(r"[A-Za-z0-9._-]{1,6}", fullmatch=True)
numbers = st.integers(0, 10**6).map(str)


@st.composite
def items(draw: st.DrawFn) -> list[Item]:
    made = []
    for item_id in draw(st.lists(ids, min_size=1, max_size=5, unique=True)):
        # The reader turns every kind of blank into one and trims the ends.
        before, target, after = (re.sub(r"\s", " ", draw(part)) for part in (texts, words, texts))
        text, start = before.lstrip() + target + after.rstrip(), len(before.lstrip())
        made.append(Item(item_id, draw(lexelts), text, start, start + len(target)))
    return made


def as_xml(made: Iterable[Item]) -> bytes:
    corpus = Element("corpus", lang="english")
    for item in made:
        lexelt = SubElement(corpus, "lexelt", item=str(item.lexelt))
        context = SubElement(SubElement(lexelt, "instance", id=item.id), "context")
        context.text = item.text[: item.start]
        head = SubElement(context, "head")
        head.text, head.tail = item.target, item.text[item.end :]
    return tostring(corpus, "utf-8")


@given(items())
def test_sentences_are_read(made: list[Item]) -> None:
    assert list(parse_semeval_xml(as_xml(made), FILE)) == made


def test_the_sentences_of_the_tutorial_set_are_read_again() -> None:
    given_items = load("tutorial/all", ()).items
    assert parse_semeval_xml(as_xml(given_items), FILE) == given_items


@pytest.mark.data
def test_the_real_sentences_are_read_again(data_dir: Path) -> None:
    real = load("semeval2007/all", [data_dir]).items
    assert parse_semeval_xml(as_xml(real), FILE) == real


@given(
    st.lists(
        st.tuples(ids, lexelts, st.dictionaries(answers, st.integers(1, 999), min_size=1)),
        min_size=1,
        max_size=4,
        unique_by=lambda entry: entry[0],
    )
)
def test_golds_come_back(entries: list[tuple[str, Lexelt, dict[str, int]]]) -> None:
    gold = [GoldItem(item_id, str(lexelt), weights) for item_id, lexelt, weights in entries]
    read = parse_gold(format_gold(gold), FILE)
    assert list(read) == [item.id for item in gold]
    for item in gold:
        back = read[item.id]
        assert (back.lexelt, dict(back.weights)) == (item.lexelt, item.weights)
        counts = list(back.weights.values())
        assert counts == sorted(counts, reverse=True), "the official scorer needs them sorted"
        assert back.mode == item.mode


@given(
    st.sampled_from(("best", "oot")),
    st.lists(st.tuples(lexelts, ids, st.lists(answers, min_size=1, max_size=12)), min_size=1),
)
def test_submissions_come_back(task: Task, entries: list[tuple[Lexelt, str, list[str]]]) -> None:
    made = [
        Answer(str(lexelt), item_id, tuple(given_answers), line)
        for line, (lexelt, item_id, given_answers) in enumerate(entries, start=1)
    ]
    text = format_submission(made, task)
    assert parse_submission(text, FILE, task).answers == tuple(made)


@given(st.lists(st.tuples(lexelts, numbers, words), min_size=1))
def test_multiword_submissions_come_back(entries: list[tuple[Lexelt, str, str]]) -> None:
    made = [
        Answer(str(lexelt), item_id, (multiword,), line)
        for line, (lexelt, item_id, multiword) in enumerate(entries, start=1)
    ]
    assert parse_submission(format_submission(made, "mw"), FILE, "mw").answers == tuple(made)


# The official patterns as they stand in the scorer, to which ours add a look-behind for speed.
OFFICIAL = {
    "best": re.compile(r"([\w.]+) (\S+) :: (.*)", re.ASCII),
    "oot": re.compile(r"([\w.]+) (\S+) ::: (.*)", re.ASCII),
    "mw": re.compile(r"([\w.]+)\s+(\d+)\s*::\s*(.*)", re.ASCII),
}
line_like = st.text(st.sampled_from("a.b 12:;\té-"), max_size=25)


@given(st.sampled_from(TASKS), line_like)
def test_the_look_behind_changes_no_match(task: Task, line: str) -> None:
    ours, theirs = PATTERNS[task].search(line), OFFICIAL[task].search(line)
    assert (ours and (ours.span(), ours.groups())) == (theirs and (theirs.span(), theirs.groups()))


# Arbitrary bytes ---------------------------------------------------------------------

line_bytes = st.one_of(
    st.binary(max_size=200),
    st.lists(line_like, max_size=6).map(lambda lines: "\n".join(lines).encode()),
    st.lists(st.sampled_from([b"a.n 1 ::", b" ", b"b", b";", b" 2", b"\r", b"\n", b"\0", b"\xff"]))
    .map(b"".join),
)  # fmt: skip
GOLD = parse_gold("a.n 1 :: b-c 2;d 1;\n", FILE)


def complaint(read: Callable[[], object]) -> str:
    """Return the text of the error that a reader raises, "" where it raises none."""
    try:
        read()
    except LexsubError as error:
        return str(error)
    return ""


@given(line_bytes, st.sampled_from(TASKS))
def test_any_bytes_as_lines(data: bytes, task: Task) -> None:
    for read in (
        lambda: parse_gold(decode(data, FILE), FILE),
        lambda: parse_submission(decode(data, FILE), FILE, task),
    ):
        assert "\n" not in complaint(read)
    findings: list[Finding] = []

    def validate() -> None:
        reference = Reference.of_gold("gold", GOLD)
        findings.extend(validate_submission(data, FILE, task, reference).findings)

    assert "\n" not in complaint(validate)
    assert all(finding.code in CODES for finding in findings)
    assert all("\n" not in finding.message for finding in findings)


tags = st.sampled_from(
    ["<corpus>", "</corpus>", '<lexelt item="a.n">', "</lexelt>", '<instance id="1">',
     "</instance>", "<context>", "</context>", "<head>", "</head>", "a", "&amp;", "&#8221 ;",
     "&#x0;", "<!--", "-->", "<![CDATA[", "]]>", "<?p?>", "\x01", "\n"]
)  # fmt: skip


@given(st.one_of(st.binary(max_size=200), st.lists(tags, max_size=25).map("".join)))
def test_any_bytes_as_sentences(data: bytes | str) -> None:
    raw = data.encode() if isinstance(data, str) else data
    assert "\n" not in complaint(lambda: parse_semeval_xml(raw, FILE))
