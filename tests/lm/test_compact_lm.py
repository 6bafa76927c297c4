"""Models in little place: what the ARPA file answers, but for what rounding takes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lexsub.errors import FormatError, LexsubError
from lexsub.rankers.lm.array_model import ArpaModel, Followers, SortedModel
from lexsub.rankers.lm.compact_model import CompactLmBuilder, quantised
from lexsub.rankers.lm.header import LmHeader, Window, write_header
from lexsub.rankers.lm.model import open_model
from lexsub.resources import Resources
from lexsub.storage.digests import seal

HERE = Path(__file__).parent
LINES = [line.lower() for line in (HERE / "held_out.txt").read_text().splitlines() if line]
WINDOWS = [
    Window(line, bos, eos) for line in LINES for bos in (True, False) for eos in (True, False)
]


def arpa(folder: Path, order: int, name: str) -> Path:
    folder.mkdir()
    shutil.copyfile(HERE / "recorded" / name, folder / name)
    write_header(folder, LmHeader("backoff", order, name))
    return folder


def compact(source: Path, folder: Path, **options: int) -> SortedModel:
    folder.mkdir()
    CompactLmBuilder(str(source), **options).build(Resources(), folder)
    found = open_model(folder)
    assert isinstance(found, SortedModel)
    assert not isinstance(found, ArpaModel)
    return found


@given(
    grams=st.sets(st.tuples(st.integers(0, 8), st.integers(0, 12)), max_size=60),
    asked=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 12)), max_size=20),
)
def test_followers_are_found_where_they_stand(
    grams: set[tuple[int, int]], asked: list[tuple[int, int]]
) -> None:
    ordered = sorted(grams)
    sizes = [sum(first == row for first, _ in ordered) for row in range(9)]
    followers = Followers(
        np.cumsum([0, *sizes]).astype(np.uint32), np.array([w for _, w in ordered], np.uint16)
    )
    first, words = np.array(asked, np.int64).reshape(-1, 2).T
    found = followers.rows(first, words).tolist()
    assert found == [ordered.index(gram) if gram in grams else -1 for gram in asked]


@pytest.mark.parametrize(("order", "name"), [(2, "order2"), (3, "order3"), (4, "pruned")])
def test_answers_are_those_of_the_arpa_file(tmp_path: Path, order: int, name: str) -> None:
    source = arpa(tmp_path / "arpa", order, f"{name}.arpa")
    theirs = ArpaModel(source, LmHeader("backoff", order, f"{name}.arpa"))
    expected = theirs.log10(WINDOWS)
    apart = {}
    for bits in (8, 3):
        found = compact(source, tmp_path / str(bits), bits=bits)
        apart[bits] = np.abs(found.log10(WINDOWS) - expected) / [len(w.text) for w in WINDOWS]
        assert [found.knows(word) for word in ("mill", "zebra", "<unk>", "<s>")] == [
            theirs.knows(word) for word in ("mill", "zebra", "<unk>", "<s>")
        ]
    assert apart[8].max() < 0.01
    assert apart[8].mean() < apart[3].mean()


def test_a_word_left_out_is_unknown(tmp_path: Path) -> None:
    source = arpa(tmp_path / "arpa", 3, "order3.arpa")
    lines = (source / "order3.arpa").read_text().splitlines()
    # By hand: of the file go the least probable words and every line that holds one.
    unigrams = lines[lines.index("\\1-grams:") + 1 : lines.index("\\2-grams:") - 1]
    words = {line.split("\t")[1]: float(line.split("\t")[0]) for line in unigrams}
    usual = sorted((w for w in words if w[0] != "<"), key=lambda w: (-np.float32(words[w]), w))
    gone = {*usual[30:]}
    left = [line for line in lines if not {*line.split("\t")[1:2][:1]} & gone]
    left = [line for line in left
            if not ("\t" in line and {*line.split("\t")[1].split()} & gone)]  # fmt: skip
    for n in (1, 2, 3):
        here = left.index(f"\\{n}-grams:") + 1
        size = left[here:].index("")
        place = next(i for i, line in enumerate(left) if line.startswith(f"ngram {n}="))
        left[place] = f"ngram {n}={size}"
    by_hand = tmp_path / "by-hand"
    by_hand.mkdir()
    (by_hand / "m.arpa").write_text("\n".join(left) + "\n")
    theirs = ArpaModel(by_hand, LmHeader("backoff", 3, "m.arpa"))
    found = compact(source, tmp_path / "small", words=30, bits=8)
    assert found.header.types == 33
    assert not any(map(found.knows, gone))
    assert all(map(found.knows, usual[:30]))
    whole = ArpaModel(source, LmHeader("backoff", 3, "order3.arpa"))
    near = np.abs(found.log10(WINDOWS) - theirs.log10(WINDOWS))
    assert near.max() < 0.5 < np.abs(found.log10(WINDOWS) - whole.log10(WINDOWS)).max()


@given(
    arrays(np.float32, st.integers(0, 60), elements=st.floats(-99, 9, width=32)), st.integers(2, 8)
)
def test_numbers_stay_in_order_and_bins_keep_their_mean(values: np.ndarray, bits: int) -> None:
    codes, table = quantised(values, bits)
    assert len({*codes.tolist()} - {0}) < 1 << bits
    assert ((codes == 0) == (values == 0)).all()
    for code in np.unique(codes):
        assert table[code] == pytest.approx(values[codes == code].mean(dtype=float), abs=1e-4)
    others = values != 0
    order = np.argsort(values[others], kind="stable")
    assert (np.diff(codes[others][order].astype(int)) >= 0).all()
    if len(np.unique(values)) == len(values) < 1 << bits:
        assert table[codes] == pytest.approx(values)


def test_bytes_repeat(tmp_path: Path) -> None:
    source = arpa(tmp_path / "arpa", 3, "order3.arpa")
    for name in ("one", "two"):
        compact(source, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_what_is_no_arpa_file_or_does_not_fit(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.mkdir()
    shutil.copyfile(HERE / "recorded" / "order2.binary", binary / "model.binary")
    write_header(binary, LmHeader("backoff", 2, "model.binary"))
    with pytest.raises(LexsubError, match=r"no ARPA file .*binary = false"):
        CompactLmBuilder(str(binary)).build(Resources(), tmp_path)
    source = arpa(tmp_path / "arpa", 3, "order3.arpa")
    compact(source, tmp_path / "good")
    damage = {
        "2.sizes": lambda a: a[::-1] + np.arange(len(a), dtype=a.dtype),
        "3.probs": lambda a: a[:-1],
        "2.words": lambda a: a[:, ::-1],
        "1.tables": lambda a: a[:1],
    }
    for name, change in damage.items():
        bad = tmp_path / name
        shutil.copytree(tmp_path / "good", bad)
        np.save(bad / f"{name}.npy", change(np.load(bad / f"{name}.npy")))
        seal(bad)
        with pytest.raises(FormatError, match="make the model again"):
            open_model(bad)
    for options in ({"words": 0}, {"words": 65_536}, {"bits": 1}, {"bits": 9}):
        with pytest.raises(ValueError, match="expected"):
            replace(CompactLmBuilder(), **options)
