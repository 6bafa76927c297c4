"""The index of a thesaurus says what the thesaurus says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import thesaurus_index
from candidates.features.votes import Votes
from candidates.thesaurus_formats import FORMATS
from candidates.thesaurus_index import open_index
from lexsub.errors import FileProblemError

MOBY = "big,large,Huge\nlarge,big,great\nhuge,large,enormous\nBig,vast\n"

words = st.lists(st.text("abC", min_size=1, max_size=2), min_size=2, max_size=5)


@given(lines=st.lists(words, min_size=1, max_size=6))
def test_it_is_the_file(lines: list[list[str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("index")
    path = folder / "moby.txt"
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    index = open_index(path, "moby", folder)
    entries = list(FORMATS["moby"](path))
    every = {text.lower() for line in lines for text in line} | {"zz"}
    numbers = {word: index.numbered(word).number for word in every}
    assert sorted(numbers.values()) == [-1, *range(len(every) - 1)]
    assert index.size == len(every) - 1
    for word in every:
        assert index.entries(word) == [e for e in entries if e.target.lower() == word]
        own = {s.lower() for e in entries if e.target.lower() == word for s in e.substitutes}
        assert index.numbered(word).listed.tolist() == sorted(numbers[one] for one in own)
        above = {e.target.lower() for e in entries if word in map(str.lower, e.substitutes)}
        assert index.numbered(word).lists.tolist() == sorted(numbers[one] for one in above)


def test_it_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "moby.txt", tmp_path / "cache"
    path.write_text(MOBY)
    first = open_index(path, "moby", cache)
    (file,) = (cache / "thesaurus-files").iterdir()
    written = file.read_bytes()
    monkeypatch.setattr(thesaurus_index, "FORMATS", {})
    assert open_index(path, "moby", cache).entries("big") == first.entries("big")
    monkeypatch.undo()
    # A damaged one is made again, the same; a changed thesaurus gets one of its own.
    for damage in (b"", b"nonsense", written[:4096]):
        file.write_bytes(damage)
        assert len(open_index(path, "moby", cache).numbered("large").lists) == 2
        assert file.read_bytes() == written
    path.write_text(MOBY + "small,little\n")
    assert len(open_index(path, "moby", cache).numbered("small").listed) == 1
    assert len(list((cache / "thesaurus-files").iterdir())) == 2


def test_a_cache_that_is_no_folder(tmp_path: Path) -> None:
    path, cache = tmp_path / "moby.txt", tmp_path / "cache"
    path.write_text(MOBY)
    cache.write_text("")
    with pytest.raises(FileProblemError, match="cannot be written"):
        open_index(path, "moby", cache)


def test_votes(tmp_path: Path) -> None:
    path = tmp_path / "moby.txt"
    path.write_text(MOBY)
    values = Votes(open_index(path, "moby", tmp_path))("large", "a", ("big", "enormous", "none"))
    # large is listed by big and huge, big by large, enormous by huge; big lists large, huge, vast.
    both, cosine = np.log1p([0, 1, 0]), [0, 1 / np.sqrt(2), 0]
    wanted = np.array([
        [1, 0, 0], [1, 0, 0], both, cosine, [0, 0, 0], np.log1p([1, 1, 0]), np.log1p([3, 0, 0]),
    ]).T  # fmt: skip
    assert values == pytest.approx(wanted, abs=1e-6)
