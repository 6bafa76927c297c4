"""Sentences of a data set found in a corpus."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.corpus import overlap
from lexsub.corpus.overlap import find_overlap, words_of
from lexsub.corpus.reader import Corpus
from lexsub.datasets import Item, Lexelt


def items(*texts: str) -> list[Item]:
    return [Item(str(i), Lexelt.parse("a.n"), t, 0, 1) for i, t in enumerate(texts, start=1)]


def brute_force(corpus: list[str], sentence: list[str], n: int) -> set[int]:
    there = {tuple(corpus[i : i + n]) for i in range(len(corpus) - n + 1)}
    return {i for i in range(len(sentence) - n + 1) if tuple(sentence[i : i + n]) in there}


letters = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)


@given(
    text=letters,
    sentences=st.lists(letters, min_size=1, max_size=4),
    n=st.integers(1, 5),
    block=st.integers(1, 12),
    width=st.integers(1, 6),
)
def test_all_n_grams_are_found_however_the_text_is_cut(
    text: list[str],
    sentences: list[list[str]],
    n: int,
    block: int,
    width: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.getbasetemp() / "overlap.txt"
    path.write_text("\n".join(" ".join(text[i : i + width]) for i in range(0, len(text), width)))
    given_items = items(*(" ".join(sentence) for sentence in sentences))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "BLOCK", block)
        found = find_overlap(Corpus((path,)), given_items, n)
    assert found.words == len(text)
    places = {one.text: set(one.places) for one in found.shared}
    for sentence in sentences:
        wanted = brute_force(text, sentence, n)
        assert places.get(" ".join(sentence), set()) == wanted
        for start in wanted:
            one = next(one for one in found.shared if one.text == " ".join(sentence))
            line = one.places[start][1]
            first = brute_force(sentence[start : start + n], text, n)
            assert line == min(first) // width + 1, "where it is met first"
    assert found.short == len({tuple(s) for s in sentences if len(s) < n})


def test_words_are_compared_without_signs() -> None:
    assert words_of("Do n't you “see” the well-known dog 's tail ?") == words_of(
        'don\'t you "see" the well known dog’s tail?'
    )


def test_files_are_apart_and_hash_collisions_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("one two")
    (tmp_path / "b.txt").write_text("three four")
    given_items = items("one two three four")
    assert not find_overlap(Corpus((tmp_path,)), given_items, 3).shared
    # All n-grams of the same words, in whatever order, then have one hash.
    monkeypatch.setattr(overlap, "_FACTOR", 1)
    (tmp_path / "b.txt").write_text("three two one four")
    assert not find_overlap(Corpus((tmp_path,)), given_items, 3).shared


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(["corpus", "overlap", *map(str, arguments)])
    out, err = capsys.readouterr()
    return int(exit_.value.code or 0), out, err


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from lexsub.data.catalogue import load

    sentence = load("tutorial/test", ()).items[0]
    words = sentence.text.split()
    clean = tmp_path / "clean.txt"
    clean.write_text("Nothing of the kind has ever been written down by anybody before .\n")
    status, out, _ = call(capsys, clean, "tutorial/test")
    assert (status, out[:5]) == (0, "0 of ")
    leak = tmp_path / "leak.txt.gz"
    half = len(words) // 2
    leaked = f"before\n\n{' '.join(words[:half])}\n{' '.join(words[half:]).upper()} behind\n"
    leak.write_bytes(gzip.compress(leaked.encode()))
    status, out, _ = call(capsys, clean, leak, "tutorial/test", "-n", 4)
    assert status == 1
    assert out.startswith(f"{sentence.id}: ")
    assert f"first at {leak}:3: {' '.join(words_of(sentence.text))}" in out
    status, out, _ = call(capsys, clean, leak, "tutorial/test", "-n", 4, "--json")
    (one,) = json.loads(out)["shared"]
    assert (status, one["line"], one["shared_ngrams"]) == (1, 3, one["ngrams"])
    (tmp_path / "empty.txt").write_text("\n\n")
    empty = (tmp_path / "empty.txt", "tutorial/test")
    for wrong in (empty, ("missing.txt", "tutorial/test"), (clean, "tutorial/tset"), (clean, "x")):
        status, out, err = call(capsys, *wrong)
        assert (status, out, len(err.splitlines())) == (2, "", 1)
