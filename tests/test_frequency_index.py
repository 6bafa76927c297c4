"""The index of a frequency list says what the list says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.errors import FileProblemError, FormatError
from lexsub.frequency import index
from lexsub.frequency.index import CountIndex, open_counts
from lexsub.frequency.lists import read_form_list

words = st.dictionaries(
    st.text("aBé '", min_size=1, max_size=3), st.integers(0, 1 << 40), min_size=1
)


@given(counts=words, few=st.sampled_from([0, 2, 4_000]))
def test_it_is_the_list(
    counts: dict[str, int], few: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whether it is asked for a few words, or has been read whole for many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "FEW", few)
        check_it_is_the_list(counts, tmp_path_factory)


def check_it_is_the_list(counts: dict[str, int], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("index")
    path = folder / "list"
    path.write_text("".join(f"{word}\t{count}\n" for word, count in counts.items()))
    opened = open_counts(path, read_form_list, folder)
    assert isinstance(opened, CountIndex)
    for word in [*counts, "none", *counts]:
        assert opened.get(word, -1) == counts.get(word, -1)


def test_it_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "list", tmp_path / "cache"
    path.write_text("".join(f"word{number}\t{number}\n" for number in range(2000)))
    assert open_counts(path, read_form_list, cache).get("word7", 0) == 7
    (file,) = (cache / "frequency").iterdir()
    written = file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(index, "read_text", None)
        index._open.cache_clear()
        assert open_counts(path, read_form_list, cache).get("word7", 0) == 7
    # A damaged one is made again, the same; a changed list gets one of its own.
    for damage in (b"", b"nonsense", written[:4096]):
        file.write_bytes(damage)
        index._open.cache_clear()
        assert open_counts(path, read_form_list, cache).get("word1999", 0) == 1999
        assert file.read_bytes() == written
    path.write_text("word7\t8\n")
    assert open_counts(path, read_form_list, cache).get("word7", 0) == 8
    assert len(list((cache / "frequency").iterdir())) == 2


def test_an_index_that_is_damaged_in_the_middle(tmp_path: Path) -> None:
    path, cache = tmp_path / "list", tmp_path / "cache"
    path.write_text("".join(f"word{number}\t{number}\n" for number in range(2000)))
    open_counts(path, read_form_list, cache)
    (file,) = (cache / "frequency").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-4096] + bytes(4096))
    index._open.cache_clear()
    opened = open_counts(path, read_form_list, cache)
    with pytest.raises(FileProblemError, match=r"is damaged .* delete it"):
        opened.get("word999", 0)


def test_lists_without_an_index(tmp_path: Path) -> None:
    path, cache = tmp_path / "list", tmp_path / "cache"
    cache.write_text("")
    path.write_text("bank\t5\n")
    assert open_counts(path, read_form_list, cache).get("bank", 0) == 5
    for line in ("bank", f"bank\t{10**30}"):
        path.write_text(f"{line}\n")
        with pytest.raises(FormatError, match="list:1: "):
            open_counts(path, read_form_list, tmp_path)
    with pytest.raises(FileProblemError):
        open_counts(tmp_path / "none", read_form_list, tmp_path)
