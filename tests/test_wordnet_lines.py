"""Lines of the database files: whatever is written by the format is read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.wordnet.model import (
    RELATIONS,
    Pointer,
    Word,
    find_version,
    parse_index_line,
    parse_synset,
    sense_key,
    synset_key,
)

OFFSETS = st.integers(0, 99_999_999)
LEMMAS = st.from_regex(r"[A-Za-z0-9'][A-Za-z0-9'_./-]{0,12}", fullmatch=True)


@st.composite
def synset_lines(draw: st.DrawFn) -> tuple[str, tuple[Word, ...], tuple[Pointer, ...]]:
    """A line, written here by wndb(5WN), and the words and pointers that it holds."""
    kind = draw(st.sampled_from("nvasr"))
    markers = st.sampled_from(["", "a", "p", "ip"]) if kind in "as" else st.just("")
    lemmas = draw(st.lists(st.tuples(LEMMAS, markers, st.integers(0, 15)), min_size=1, max_size=30))
    numbers = st.integers(1, len(lemmas))
    frames = st.lists(st.tuples(st.integers(1, 35), numbers | st.just(0)), min_size=1, max_size=5)
    given_frames = draw(frames) if kind == "v" else []
    words = tuple(
        Word(lemma, marker, lex_id, 0,
             tuple(frame for frame, word in given_frames if word in (0, number)))
        for number, (lemma, marker, lex_id) in enumerate(lemmas, start=1)
    )  # fmt: skip
    ends = st.just((0, 0)) | st.tuples(numbers, st.integers(1, 255))
    signs = st.sampled_from(sorted(RELATIONS.values()))
    pointed = draw(st.lists(st.tuples(signs, OFFSETS, st.sampled_from("nvar"), ends), max_size=9))
    pointers = tuple(
        Pointer(sign, synset_key(pos, offset), *end) for sign, offset, pos, end in pointed
    )
    fields = [f"{draw(OFFSETS):08d}", f"{draw(st.integers(0, 44)):02d}", kind, f"{len(words):02x}"]
    fields += [f"{word.marked} {word.lex_id:x}" for word in words]
    fields += [f"{len(pointed):03d}"]
    fields += [f"{sign} {offset:08d} {pos} {a:02x}{b:02x}" for sign, offset, pos, (a, b) in pointed]
    if kind == "v":
        fields += [f"{len(given_frames):02d}"]
        fields += [f"+ {frame:02d} {word:02x}" for frame, word in given_frames]
    return f'{" ".join(fields)} | a gloss; "an example | with a bar"  ', words, pointers


@given(synset_lines())
def test_synset_lines(written: tuple[str, tuple[Word, ...], tuple[Pointer, ...]]) -> None:
    line, words, pointers = written
    synset = parse_synset(line)
    assert synset.words == words
    assert synset.pointers == pointers
    assert (f"{synset.offset:08d}", synset.kind) == (line[:8], line[12])
    counted = parse_synset(line, range(len(words)))
    assert [word.tagged for word in counted.words] == list(range(len(words)))


@given(LEMMAS, st.lists(OFFSETS, min_size=1), st.lists(st.sampled_from(["@", "~", "+"])))
def test_index_lines(lemma: str, offsets: list[int], signs: list[str]) -> None:
    senses = len(offsets)
    fields = [lemma, "n", senses, len(signs), *signs, senses, 0, *(f"{o:08d}" for o in offsets)]
    assert parse_index_line(" ".join(map(str, fields)) + "  ") == (lemma, "n", offsets)


@pytest.mark.parametrize("line", ["", "|", "00000100 05 n 02 animal 0 | short", "a b c d e f | g"])
def test_lines_that_are_no_synset(line: str) -> None:
    with pytest.raises((ValueError, LookupError)):
        parse_synset(line)


def test_sense_keys_are_those_of_the_count_files() -> None:
    satellite = parse_synset("00000200 00 s 01 Shiny(a) 2 001 & 00000100 a 0000 | gloss")
    head = Word("Bright", "", 3, 0, ())
    assert sense_key(satellite.words[0], satellite, head) == "shiny%5:00:02:bright:03"
    verb = parse_synset("00000100 32 v 01 bark 0 000 01 + 02 00 | gloss")
    assert sense_key(verb.words[0], verb, None) == "bark%2:32:00::"


@pytest.mark.parametrize(
    ("header", "version"),
    [
        ("  14 WordNet 3.0 Copyright 2006 by Princeton University.", "3.0"),
        ("  14 WordNet 2.1 Copyright 2005 by Princeton University.", "2.1"),
        ("00001740 03 n 01 entity 0 000 | WordNet is not named here", "unknown"),
    ],
)
def test_the_version_is_the_one_in_the_licence(header: str, version: str) -> None:
    assert find_version(header) == version
