"""Readers of tagged corpora."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lexsub.corpus.tagged import TagFormat, read_tagged, spacy_tagger
from lexsub.errors import FormatError, LexsubError, MissingExtraError
from tests.spacy_pipeline import ANNOTATIONS, pipeline

CONLLU = (
    "# text = the dog's bone\n"
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    "2-3\tdog's\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tdog\tdog\tNOUN\tNN\t_\t4\tnmod\t_\t_\n"
    "3\t's\t's\tPART\tPOS\t_\t2\tcase\t_\t_\n"
    "3.1\tx\tx\tX\tX\t_\t_\t_\t_\t_\n"
    "4\tbone\tbone\tNOUN\tNN\t_\t0\troot\t_\t_\n"
)


def test_brown_lines(tmp_path: Path) -> None:
    (tmp_path / "ca01").write_text("\n\n\tThe/at 1/2/cd loaf/nn\r\n\nIt/pps\n")
    (tmp_path / "README").write_text("no tags here")
    first, second = read_tagged([tmp_path], "brown")
    assert first.words == ("The", "1/2", "loaf")
    assert first.tags == ("AT", "CD", "NN")
    assert second.words == ("It",)


def test_conllu_leaves_ranges_and_empty_nodes_out(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(CONLLU.encode()))
    (sentence,) = read_tagged([tmp_path], "conllu")
    assert sentence.words == ("the", "dog", "'s", "bone")
    assert sentence.tags == ("DT", "NN", "POS", "NN")
    (sentence,) = read_tagged([path], "conllu", universal=True)
    assert sentence.tags[1] == "NOUN"


@pytest.mark.parametrize(
    ("text", "layout", "message"),
    [
        ("a house/nn\n", "brown", "x.txt:1: 'a'; expected word/tag"),
        ("a/at\n/nn\n", "brown", "x.txt:2"),
        ("1\ta\tb\n", "conllu", "x.txt:1: .* has 3 columns"),
        (CONLLU.replace("\tDT\t", "\t_\t"), "conllu", "x.txt:2: column 5 holds no tag"),
    ],
)
def test_other_lines_are_named(tmp_path: Path, text: str, layout: TagFormat, message: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        list(read_tagged([path], layout))


def test_latin_1_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes("a/at\nthé/nn\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"x.txt:2: byte 0xe9 is not utf-8.*iconv"):
        list(read_tagged([path], "brown"))


def test_endless_lines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(b"a/at\n" + b"a/at " * (1 << 22)))
    with pytest.raises(FormatError, match=r"x.txt.gz:2: is a line of more than"):
        list(read_tagged([path], "brown"))


def test_text_wants_a_tagger(tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match="name a tagger"):
        list(read_tagged([tmp_path], "text"))


def test_missing_spacy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"lexsub-toolkit\[parse\]"):
        spacy_tagger("en_core_web_sm")


def test_spacy_tags_running_text(tmp_path: Path) -> None:
    text = tmp_path / "x.txt"
    text.write_text("".join(f"{line}\n" for line in ANNOTATIONS))
    tagger = spacy_tagger(pipeline(tmp_path / "by-hand"))
    sentences = list(read_tagged([text], "text", tagger=tagger))
    assert len(sentences) == len(ANNOTATIONS)
    assert sentences[0].words[:3] == ("The", "old", "cook")
    for sentence, rows in zip(sentences, ANNOTATIONS.values(), strict=True):
        # White space that spaCy makes a token of is none.
        assert sentence.tags == tuple(tag for _, pos, tag, _, _ in rows if pos != "SPACE")


def test_a_spacy_model_that_is_not_there_is_named() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(LexsubError, match="no model 'no_such_model': install it"):
        spacy_tagger("no_such_model")
