"""The index of a thesaurus says what the thesaurus says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.candidates import thesaurus_index
from lexsub.candidates.features.votes import Votes
from lexsub.candidates.thesaurus_formats import FORMATS
from lexsub.candidates.thesaurus_index import ThesaurusIndex, open_index

MOBY = "big,large,Huge\nlarge,big,great\nhuge,large,enormous\nBig,vast\n"

words = st.lists(st.text("abC", min_size=1, max_size=2), min_size=2, max_size=5)


@given(lines=st.lists(words, min_size=1, max_size=6), few=st.sampled_from([0, 5, 1000]))
def test_it_is_the_file(
    lines: list[list[str]], few: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whether its lists are looked through, or have been turned round for many targets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lexsub.candidates.thesaurus_index.FEW", few)
        check_it_is_the_file(lines, tmp_path_factory)


def check_it_is_the_file(lines: list[list[str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("index")
    path = folder / "moby.txt"
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    index = open_index(path, "moby", folder)
    entries = list(FORMATS["moby"](path))
    every = {text.lower() for line in lines for text in line} | {"zz"}
    words = sorted(every)
    numbers = dict(zip(words, index.numbers(words).tolist(), strict=True))
    listed, listing = (held(index, words, which) for which in ("listed", "listing"))
    assert sorted(numbers.values()) == [-1, *range(len(every) - 1)]
    assert index.size == len(every) - 1
    for word in every:
        ours = [e for e in entries if e.targets[0].lower() == word]
        assert index.entries(word) == tuple(e._replace(targets=(word,)) for e in ours)
        own = {s.lower() for e in ours for s in e.substitutes}
        assert listed[word] == sorted(numbers[one] for one in own)
        above = {e.targets[0].lower() for e in entries if word in map(str.lower, e.substitutes)}
        assert listing[word] == sorted(numbers[one] for one in above)


def held(index: ThesaurusIndex, words: Sequence[str], which: str) -> dict[str, list[int]]:
    """What the index says of each word, by word."""
    found, owners = getattr(index, which)(index.numbers(words))
    return {word: found[owners == place].tolist() for place, word in enumerate(words)}


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
        assert len(held(open_index(path, "moby", cache), ["large"], "listing")["large"]) == 2
        assert file.read_bytes() == written
    path.write_text(MOBY + "small,little\n")
    assert len(held(open_index(path, "moby", cache), ["small"], "listed")["small"]) == 1
    assert len(list((cache / "thesaurus-files").iterdir())) == 2


def test_a_cache_that_is_no_folder(tmp_path: Path) -> None:
    path, cache = tmp_path / "moby.txt", tmp_path / "cache"
    path.write_text(MOBY)
    cache.write_text("")
    # Nothing needs writing: the index is held in memory.
    kept, held = open_index(path, "moby", tmp_path / "kept"), open_index(path, "moby", cache)
    assert held.size == kept.size
    assert held.entries("large") == kept.entries("large")
    assert cache.read_text() == ""


def test_a_category_is_kept_once(tmp_path: Path) -> None:
    """What is written grows with a category, not with its square."""

    def written(words: int) -> int:
        path, cache = tmp_path / f"roget{words}.txt", tmp_path / str(words)
        path.write_text("; ".join(f"word{number}" for number in range(words)) + "\n")
        index = open_index(path, "roget", cache)
        assert len(held(index, ["word7"], "listed")["word7"]) == words
        assert len(held(index, ["word7"], "listing")["word7"]) == words
        (file,) = (cache / "thesaurus-files").iterdir()
        return file.stat().st_size

    assert written(8000) < 2.2 * written(4000)


@pytest.mark.parametrize("few", [0, 20])
def test_antonyms_do_not_vote(few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexsub.candidates.thesaurus_index.FEW", few)
    path = tmp_path / "thesaurus.dat"
    path.write_text("UTF-8\nbright|1\n(adj)|shiny|dull (antonym)|clear\n")
    index = open_index(path, "mythes", tmp_path)
    words = ["bright", "shiny", "dull", "clear"]
    numbers = dict(zip(index.numbers(words).tolist(), words, strict=True))
    assert {numbers[n] for n in held(index, words, "listed")["bright"]} == {"shiny", "clear"}
    assert held(index, words, "listing")["dull"] == []


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%20b", "ä b"])
def test_names_of_folders_are_no_addresses(tmp_path: Path, name: str) -> None:
    path = tmp_path / "moby.txt"
    path.write_text(MOBY)
    assert open_index(path, "moby", tmp_path / name).size == 6
    assert {file.name for file in tmp_path.iterdir()} == {"moby.txt", name}


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
