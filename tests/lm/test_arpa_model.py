"""ARPA files read by ourselves: the very figures of KenLM, and its refusals."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexsub.rankers.lm.model as module
from lexsub.cli import main
from lexsub.errors import FormatError, MissingExtraError
from lexsub.rankers.lm.array_model import ArpaModel, is_arpa
from lexsub.rankers.lm.header import LmHeader, Window, read_header, write_header
from lexsub.rankers.lm.kenlm import KenlmModel
from lexsub.rankers.lm.model import asked_by, open_model
from tests.lm.test_bad_models import ARPA, model_with

HERE = Path(__file__).parent
WORDS = sorted({*(HERE / "village.txt").read_text().lower().split()[:60], "zebra", "<unk>", "mill"})
WINDOWS = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.booleans(),
              st.booleans()),
    max_size=6,
)  # fmt: skip


@pytest.mark.parametrize("name", ["order2", "order3", "order6", "pruned", "limited-pruned"])
def test_every_figure_is_kenlms_to_the_last_bit(name: str) -> None:
    pytest.importorskip("kenlm")
    order = {"order2": 2, "order3": 3, "order6": 6}.get(name, 4)
    header = LmHeader("backoff", order, f"{name}.arpa")
    ours, theirs = ArpaModel(HERE / "recorded", header), KenlmModel(HERE / "recorded", header)

    @settings(max_examples=60)
    @given(WINDOWS)
    def check(windows: list[tuple[str, bool, bool]]) -> None:
        windows += [(line, True, True) for line in ("", "the old mill", "zebra the the mill")]
        asked = [Window(*window) for window in windows]
        assert ours.log10(asked).tolist() == theirs.log10(asked).tolist()
        texts = [text for text, _, _ in windows]
        for bos in (False, True):
            alike = ours.log10_alike(texts, bos, not bos)
            assert alike.tolist() == theirs.log10_alike(texts, bos, not bos).tolist()

    check()
    assert [ours.knows(word) for word in WORDS] == [theirs.knows(word) for word in WORDS]


def test_without_kenlm_arpa_is_read_and_a_binary_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    text = model_with(tmp_path, ARPA)
    assert isinstance(open_model(text), ArpaModel)
    assert asked_by(text, read_header(text)) == "lexsub"
    monkeypatch.setitem(sys.modules, "kenlm", None)
    binary = model_with(tmp_path, b"mmap lm http://kheafield.com/code format version 5\n")
    assert "not installed" in asked_by(binary, read_header(binary))
    with pytest.raises(MissingExtraError, match=r"lexsub-toolkit\[lm\]"):
        open_model(binary)


def changed(old: str, new: str) -> bytes:
    assert old in ARPA.decode()
    return ARPA.decode().replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ":1: expected .data. at the beginning"),
        (b"\\data\\\n", ":1: expected ngram 1=COUNT"),
        (changed("ngram 2", "ngram 3"), ":3: expected ngram 2=COUNT"),
        (ARPA[: len(ARPA) // 2], r"(expected .2-grams:|perhaps a back-off)"),
        (changed("\\2-grams:", "\\3-grams:"), "expected .2-grams:"),
        (changed("-1", "-x"), "expected probability, 1 words"),
        (changed("\\end\\", ""), "expected .end. after the last n-gram"),
        (changed("\tmill\t", "\tmull\t"), "word 'mill' is not among the 1-grams"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=f"model.arpa.*{words}.*damaged"):
        ArpaModel(model_with(tmp_path, content), LmHeader("backoff", 2, "model.arpa"))


TEXT = """\\data\\
ngram 1=6
ngram 2=3

\\1-grams:
-3.3\t<unk>
-99\t<s>\t-0.5
-1.25\t</s>
-0.75\tmill\t-0.25
-0.5\told\t-0.125
-2.5\tcaf\u00e9\u00a0noir\t-0.0625

\\2-grams:
-0.3\t<s> old
-0.4\told mill
-0.6\tmill caf\u00e9\u00a0noir

\\end\\
"""
WRITTEN: dict[str, bytes] = {
    "as usual": TEXT.encode(),
    "carriage returns": TEXT.replace("\n", "\r\n").encode(),
    "blank lines": TEXT.replace("\n-", "\n\n-").replace("\\2", "\n \n\\2").encode(),
    "tabs between words": TEXT.replace("old mill", "old\tmill").encode(),
    "blanks before back-offs": TEXT.replace("mill\t-0.25", "mill\t-0.25\t").encode(),
    "UNK": TEXT.replace("<unk>", "<UNK>").encode(),
    "a word twice": TEXT.replace("1=6", "1=7").replace(
        "-0.5\told", "-3.5\tmill\t-0.875\n-0.5\told"
    ).encode(),
    "gzip": gzip.compress(TEXT.encode()),
    "bzip2": bz2.compress(TEXT.encode()),
    "xz": lzma.compress(TEXT.encode()),
    "no unk": TEXT.replace("1=6", "1=5").replace("-3.3\t<unk>\n", "").encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_what_kenlm_reads_is_read_the_same(name: str, tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    folder = model_with(tmp_path, WRITTEN[name])
    header = LmHeader("backoff", 2, "model.arpa")
    assert is_arpa(folder / "model.arpa")
    try:
        theirs = KenlmModel(folder, header)
    except FormatError:
        # Some are built without xz or refuse a tab behind the last number: nothing to compare.
        assert name in ("xz", "bzip2", "blanks before back-offs")
        ArpaModel(folder, header)
        return
    ours = ArpaModel(folder, header)
    words = ["old", "mill", "caf\u00e9\u00a0noir", "<unk>", "<UNK>", "zebra", "caf\u00e9"]
    asked = [
        Window(f"{one} {two}", bos, eos)
        for one in words for two in words for bos in (False, True) for eos in (False, True)
        if "\u00a0" not in one + two  # the window is split at blanks, whatever their kind
    ]  # fmt: skip
    assert ours.log10(asked).tolist() == theirs.log10(asked).tolist()
    assert [ours.knows(word) for word in words] == [theirs.knows(word) for word in words]


def test_an_n_gram_without_its_first_words_is_refused(tmp_path: Path) -> None:
    text = (
        "\\data\\\nngram 1=2\nngram 2=1\nngram 3=1\n\n\\1-grams:\n-1\ta\t0\n-1\tb\t0\n\n"
        "\\2-grams:\n-1\ta b\t0\n\n\\3-grams:\n-1\tb a b\n\n\\end\\\n"
    )
    with pytest.raises(FormatError, match=r"model\.arpa:14: its first words are no n-gram"):
        ArpaModel(model_with(tmp_path, text.encode(), 3), LmHeader("backoff", 3, "model.arpa"))


def test_a_file_of_another_order_is_refused(tmp_path: Path) -> None:
    header = LmHeader("backoff", 4, "model.arpa")
    (tmp_path / "model.arpa").write_bytes(ARPA)
    write_header(tmp_path, header)
    with pytest.raises(FormatError, match="of order 2, its header says 4"):
        ArpaModel(tmp_path, header)


def test_a_probability_above_one_is_refused(tmp_path: Path) -> None:
    from lexsub.rankers.lm.array_model import read_arpa

    text = "\\data\\\nngram 1=2\n\n\\1-grams:\n-1\t<unk>\n0.5\tmill\n\n\\end\\\n"
    (tmp_path / "m.arpa").write_text(text)
    with pytest.raises(FormatError, match=r"m.arpa:6: log10 probability 0.5 is above 0"):
        read_arpa(tmp_path / "m.arpa")


def test_a_perplexity_beyond_all_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = model_with(tmp_path, re.sub(rb"(?m)^\S+\tthe\b", b"-2147483648\tthe", ARPA))
    (tmp_path / "t.txt").write_text("the the\n")
    found = []
    for options in ((), ("--json",)):
        with pytest.raises(SystemExit) as stopped:
            main(["lm", "score", str(folder), str(tmp_path / "t.txt"), *options])
        out, err = capsys.readouterr()
        assert stopped.value.code == 0, err
        found.append(out)
    assert found[0].splitlines()[1].split("\t")[2] == "inf"
    assert json.loads(found[1])["perplexity"] is None
