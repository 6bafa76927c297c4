"""ARPA files read by ourselves: the very figures of KenLM, and its refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankers.lm.model as module
from lexsub.errors import FormatError, MissingExtraError
from rankers.lm.arpa_model import ArpaModel
from rankers.lm.header import Header, write_header
from rankers.lm.kenlm_model import KenlmModel
from rankers.lm.model import Window, open_model
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
    header = Header("backoff", order, f"{name}.arpa")
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
    assert isinstance(open_model(model_with(tmp_path, ARPA)), ArpaModel)
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(MissingExtraError, match=r"lexsub-toolkit\[lm\]"):
        open_model(model_with(tmp_path, b"mmap lm http://kheafield.com/code format version 5\n"))


def changed(old: str, new: str) -> bytes:
    assert old in ARPA.decode()
    return ARPA.decode().replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ":1: expected .data. at the beginning"),
        (b"\\data\\\n", ":2: expected ngram 1=COUNT"),
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
        ArpaModel(model_with(tmp_path, content), Header("backoff", 2, "model.arpa"))


def test_an_n_gram_without_its_first_words_is_refused(tmp_path: Path) -> None:
    text = (
        "\\data\\\nngram 1=2\nngram 2=1\nngram 3=1\n\n\\1-grams:\n-1\ta\t0\n-1\tb\t0\n\n"
        "\\2-grams:\n-1\ta b\t0\n\n\\3-grams:\n-1\tb a b\n\n\\end\\\n"
    )
    with pytest.raises(FormatError, match=r"model\.arpa:14: its first words are no n-gram"):
        ArpaModel(model_with(tmp_path, text.encode(), 3), Header("backoff", 3, "model.arpa"))


def test_a_file_of_another_order_is_refused(tmp_path: Path) -> None:
    header = Header("backoff", 4, "model.arpa")
    (tmp_path / "model.arpa").write_bytes(ARPA)
    write_header(tmp_path, header)
    with pytest.raises(FormatError, match="of order 2, its header says 4"):
        ArpaModel(tmp_path, header)
