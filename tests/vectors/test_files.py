"""Files of vectors: word2vec's text and binary, GloVe's text, and what may be wrong with them."""

from __future__ import annotations

import gzip
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.errors import FormatError, LexsubError
from lexsub.vectors.files import Kind, convert
from lexsub.vectors.vectors import Vectors
from tests.vectors import similarity

WORDS = {"wine": [3.0, 4.0], "New_York": [0.0, -2.0], "café": [1.0, 0.0]}


def text(words: dict[str, list[float]]) -> bytes:
    return "".join(f"{w} {' '.join(map(str, v))}\n" for w, v in words.items()).encode()


def head(words: dict[str, list[float]]) -> bytes:
    return f"{len(words)} {len(next(iter(words.values())))}\n".encode()


def binary(words: dict[str, list[float]], end: bytes = b"\n") -> bytes:
    """As word2vec.c writes it; others leave the line ends out."""
    rows = (w.encode() + b" " + struct.pack(f"<{len(v)}f", *v) + end for w, v in words.items())
    return head(words) + b"".join(rows)


WHOLE = {
    "word2vec-text": head(WORDS) + text(WORDS),
    "word2vec-binary": binary(WORDS),
    "glove": text(WORDS),
}


def taken_in(data: bytes, folder: Path, kind: Kind = "auto", limit: int = 0) -> Vectors:
    source, out = folder / "file", folder / "out"
    source.write_bytes(data)
    out.mkdir()
    convert(source, out, kind, limit)
    return Vectors(out)


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_formats(name: Kind, told: bool, packed: bool, tmp_path: Path) -> None:
    data = gzip.compress(WHOLE[name]) if packed else WHOLE[name]
    found = taken_in(data, tmp_path, name if told else "auto")
    assert (found.header.origin, found.header.keys, found.header.words) == (name, "form", 3)
    assert found.all.tolist() == [[np.float32(0.6), np.float32(0.8)], [0.0, -1.0], [1.0, 0.0]]
    assert [found.word(row) for row in range(3)] == ["wine", "New York", "café"]
    assert similarity(found, "New York", "wine") == pytest.approx(-0.8, abs=1e-6)


def test_binary_without_line_ends(tmp_path: Path) -> None:
    assert taken_in(binary(WORDS, b""), tmp_path).header.words == 3


@given(
    words=st.dictionaries(
        st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8),
        st.lists(st.floats(-9, 9, width=32), min_size=3, max_size=3).filter(
            lambda v: sum(x * x for x in v) > 1e-6
        ),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=30)
def test_any_words_come_back(
    words: dict[str, list[float]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    texts = {"word2vec-text": head(words) + text(words), "word2vec-binary": binary(words)}
    for kind, data in texts.items():
        found = taken_in(data, tmp_path_factory.mktemp("any"), kind)  # type: ignore[arg-type]
        for row, (word, vector) in enumerate(words.items()):
            wanted = np.array(vector) / np.sqrt(sum(x * x for x in vector))
            assert found.row(word) == row or found.header.keys == "lexelt"
            if found.header.keys == "form":
                assert found.all[row] == pytest.approx(wanted, abs=1e-6)


def test_words_with_their_part_of_speech(tmp_path: Path) -> None:
    data = b"run.v 1 0\nrun.n 0 1\ngo.v 1 1\nwalk.v 1 0\n"
    found = taken_in(data, tmp_path)
    assert found.header.keys == "lexelt"
    assert found.header.blocks == {"v": (0, 3), "n": (3, 4)}
    assert [near.word for near in found.nearest("run", "v", 5)] == ["walk", "go"]
    assert found.nearest("run", "a", 5) == []


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    data = b"a 1 2\nb 0 0\na 3 4\n\xff\xfe\xff 1 1\nc 1 1\n"
    found = taken_in(data, tmp_path)
    assert found.header.left_out == {"twice": 1, "zero": 1, "not UTF-8": 1}
    assert found.header.words == 2


@pytest.mark.parametrize("first", [b"3 2\n", b""])
def test_a_word_that_is_a_blank_is_left_out_and_counted(first: bytes, tmp_path: Path) -> None:
    found = taken_in(first + b"wine 1 2\n  3 4\nbeer 5 6\n", tmp_path)
    assert found.header.left_out == {"blank words": 1}
    assert [found.word(row) for row in range(2)] == ["wine", "beer"]


def test_words_of_several_pieces(tmp_path: Path) -> None:
    # GloVe's largest file has such.
    found = taken_in(b"the 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\n", tmp_path)
    assert [found.word(row) for row in range(3)] == ["the", ". . .", "at name@domain.com"]


ODD = {
    "tab behind the word": b"bright\t0.5 0.25\nclever\t1 2\n",
    "tabs": b"bright\t0.5\t0.25\nclever\t1\t2\n",
    "two blanks": b"bright  0.5 0.25\nclever 1  2\n",
    "blank at the end": b"bright 0.5 0.25 \nclever 1 2 \n",
    "carriage returns": b"bright 0.5 0.25\r\nclever 1 2\r\n",
    "byte order mark": b"\xef\xbb\xbfbright 0.5 0.25\nclever 1 2\n",
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("first", [b"", b"2 2\n", b"2\t2 \r\n"])
def test_white_space_and_marks_are_no_part_of_words(
    name: str, first: bytes, tmp_path: Path
) -> None:
    data = ODD[name]
    if first and data.startswith(b"\xef"):
        first, data = b"\xef\xbb\xbf" + first, data[3:]
    found = taken_in(first + data, tmp_path)
    assert found.header.dimensions == 2
    assert (found.row("bright"), found.row("clever")) == (0, 1)


def test_a_head_says_where_numbers_begin(tmp_path: Path) -> None:
    found = taken_in(b"2 2\nR$ 0.000 0.5 0.25\n1.5 1 2\n", tmp_path)
    assert (found.row("R$ 0.000"), found.row("1.5")) == (0, 1)


def test_words_with_blanks_can_be_asked(tmp_path: Path) -> None:
    found = taken_in(b"the 1 2 3\nNew York 4 5 6\n. . . 7 8 9\n", tmp_path)
    assert [found.row(found.word(row)) for row in range(3)] == [0, 1, 2]
    assert found.row("New_York") == 1


def test_marks_are_no_forms(tmp_path: Path) -> None:
    data = b"</s> 1 1\nrun.v 1 0\nrun.n 0 1\n<unk> 2 1\n"
    found = taken_in(data, tmp_path)
    assert (found.header.keys, found.header.words) == ("lexelt", 2)
    assert found.header.left_out == {"marks": 2}
    (tmp_path / "forms").mkdir()
    forms = taken_in(b"</s> 1 1\nrun 1 0\n", tmp_path / "forms")
    assert forms.row("</s>") == 0


def test_limit(tmp_path: Path) -> None:
    assert taken_in(WHOLE["word2vec-text"], tmp_path, limit=2).header.words == 2


def cut(data: bytes, size: int) -> bytes:
    return data[:size]


BINARY = WHOLE["word2vec-binary"]
BAD: dict[str, tuple[bytes, Kind, str]] = {
    "text cut": (head(WORDS) + b"wine 3 4\n", "auto", ":2: ends after 1 words; expected 3"),
    "too few numbers": (text(WORDS) + b"x 1\n", "auto", ":4: 1 numbers; expected a word and 2"),
    "too many numbers": (text(WORDS) + b"x 0.5 1 2\n", "auto", ":4: more than 2 numbers"),
    "no number": (b"2 2\na 1 2\nb 1 x\n", "word2vec-text", ":3: could not convert"),
    "infinite": (b"a 1 2\nb inf 1\n", "auto", ":2: the vector of 'b' holds inf"),
    "nan in binary": (binary({"a": [1.0, float("nan")]}), "auto", "at byte 4: the vector of 'a'"),
    "no head": (text(WORDS), "word2vec-text", ":1: 'wine 3.0 4.0'; expected the number of words"),
    "huge head": (b"99999999999999999 300\n", "word2vec-binary", ":1: "),
    "prose": (b"This is no file of vectors.\n", "auto", ":1: 'This is no file"),
    "empty": (b"", "auto", "holds no vectors"),
    "binary cut in a vector": (BINARY[:-3], "auto", f"byte {len(BINARY) - 3} inside word 3"),
    "binary cut in a word": (BINARY[:6], "word2vec-binary", "ends at byte 6 inside word 1"),
    "binary goes on": (BINARY + b"more", "auto", f"goes on at byte {len(BINARY) - 1}"),
    "binary without blanks": (b"2 2\n" + b"x" * 5000, "word2vec-binary", "at byte 4: no blank"),
    "zip": (b"PK\x03\x04" + b"\x01\x80" * 50, "auto", "is a zip archive; unpack it first"),
    "fastText": (struct.pack("<ii", 793712314, 12) + bytes(50), "auto", "of fastText; save"),
    "pickle": (b"\x80\x04\x95\x9c" + bytes(50), "auto", "is a pickle; expected"),
    "binary without head": (bytes(range(50)), "auto", "holds NUL bytes and no head; expected"),
    "long numbers in the head": (b"9" * 5000 + b" 3\n", "word2vec-text", ":1: '999"),
    "gzip cut": (gzip.compress(BINARY)[:-9], "auto", "damaged or end early"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name: str, tmp_path: Path) -> None:
    data, kind, message = BAD[name]
    with pytest.raises(FormatError) as caught:
        taken_in(data, tmp_path, kind)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "file"))


def array(folder: Path, rows: object, words: str = "wine\nNew_York\ncafé\n") -> Path:
    np.save(folder / "some.npy", rows)  # type: ignore[arg-type]
    (folder / "some.txt").write_text(words)
    return folder / "some.npy"


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("number", ["<f2", "<f4", ">f8"])
@pytest.mark.parametrize("kind", ["auto", "npy"])
def test_arrays(order: str, number: str, kind: Kind, tmp_path: Path) -> None:
    source = array(tmp_path, np.array(list(WORDS.values()), number, order=order))  # type: ignore[call-overload]
    out = tmp_path / "out"
    out.mkdir()
    header = convert(source, out, kind)
    found = Vectors(out)
    assert found.all == pytest.approx(np.array([[0.6, 0.8], [0, -1], [1, 0]]), abs=1e-3)
    assert [found.word(row) for row in range(3)] == ["wine", "New York", "café"]
    assert [entry["file"] for entry in header.sources] == ["some.npy", "some.txt"]


@pytest.mark.parametrize(
    ("rows", "words", "message"),
    [
        (np.ones((2, 3)), "a\nb\nc\n", "of shape (2, 3); expected one row"),
        (np.ones(3), "a\nb\nc\n", "of shape (3,)"),
        (np.ones((3, 2), int), "a\nb\nc\n", "int64"),
        (np.ones((3, 2)), "a\n\nc\n", "some.txt:2: an empty line"),
        (np.array([[1, 2], [np.inf, 1]]), "a\nb\n", "some.npy:2: the vector of 'b' holds inf"),
        (np.array([["a"]], object), "a\n", "is no whole array"),
    ],
)
def test_bad_arrays(rows: object, words: str, message: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(FormatError, match=re.escape(message)):
        convert(array(tmp_path, rows, words), out)


def test_an_array_wants_its_words(tmp_path: Path) -> None:
    source = array(tmp_path, np.ones((1, 2)))
    source.with_suffix(".txt").unlink()
    with pytest.raises(LexsubError, match=r"some\.txt"):
        convert(source, tmp_path / "out")


def test_nothing_but_zeros(tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match="no word with a vector is left"):
        taken_in(b"a 0 0\n", tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"(2, 2)", b"(2, 2 "), (b"{", b"("), (b"'descr'", b"'desc(("), (b"(2, 2)", b"(2, x)")],
)
def test_a_damaged_header_is_one_line(old: bytes, new: bytes, tmp_path: Path) -> None:
    """numpy reads it as Python text, which may go wrong in every way."""
    np.save(tmp_path / "some.npy", np.ones((2, 2), np.float32))
    (tmp_path / "some.txt").write_text("a\nb\n")
    whole = (tmp_path / "some.npy").read_bytes()
    assert old in whole
    (tmp_path / "some.npy").write_bytes(whole.replace(old, new, 1))
    with pytest.raises(FormatError, match="is no whole array of numpy") as caught:
        convert(tmp_path / "some.npy", tmp_path / "v")
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("error")
def test_a_number_beyond_single_precision_is_refused_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("a 1e308 1\nb 1 2\n")
    with pytest.raises(FormatError, match=r"some.txt:1: the vector of 'a' holds inf"):
        convert(tmp_path / "some.txt", tmp_path / "v")
