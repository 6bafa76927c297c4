"""Vectors from counts, the folder they lie in, and asking them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.candidates.vectors.build import NearestVectors, VectorsBuilder, factorise, ppmi
from lexsub.cli import main
from lexsub.datasets import Item, Lexelt
from lexsub.errors import FormatError, MissingResourceError
from lexsub.resources import Resources
from lexsub.storage.digests import seal
from lexsub.vectors.folder import ROWS as ROWS_OF
from lexsub.vectors.folder import write_vectors
from lexsub.vectors.vectors import Vectors
from tests.vectors import similarity

ROWS = [
    ("n", "wine", {"drink": 8, "red": 4, "glass": 2}),
    ("n", "beer", {"drink": 6, "red": 1, "glass": 3}),
    ("n", "brick", {"red": 5, "lay": 9}),
    ("v", "drink", {"wine": 8, "beer": 6, "glass": 3}),
    ("v", "lay", {"brick": 9, "glass": 1}),
]


@pytest.fixture
def thesaurus(tmp_path: Path) -> Path:
    source, folder = tmp_path / "counts.tsv", tmp_path / "thesaurus"
    lines = (
        f"{pos}\t{word}\tof-{pos}\t{other}\t{count}\n"
        for pos, word, contexts in ROWS
        for other, count in contexts.items()
    )
    source.write_text("".join(lines))
    folder.mkdir()
    builder = ThesaurusBuilder(relations=(str(source),), inventory="all", word_tokens=1)
    builder.build(Resources(cache=tmp_path / "cache"), folder)
    return folder


def build(thesaurus: Path, name: str = "vectors", **options: object) -> Vectors:
    out = thesaurus.parent / name
    out.mkdir()
    settings: dict[str, object] = {
        "space": "by-pos", "contexts": "relation", "dimensions": 3, "word_tokens": 1,
        "context_words": 1, "iterations": 20, **options,
    }  # fmt: skip
    VectorsBuilder(thesaurus=str(thesaurus), **settings).build(Resources(), out)  # type: ignore[arg-type]
    return Vectors(out)


def dense(rows: list[tuple[str, str, dict[str, int]]], columns: list[str]) -> NDArray[np.float64]:
    return np.array([[contexts.get(c, 0) for c in columns] for _, _, contexts in rows], float)


def information(counts: NDArray[np.float64], alpha: float, shift: float) -> NDArray[np.float64]:
    """The formula of the paper, cell by cell."""
    found = np.zeros(counts.shape)
    smooth = sum(counts[:, j].sum() ** alpha for j in range(counts.shape[1]))
    for i, j in np.argwhere(counts > 0):
        joint = counts[i, j] / counts.sum()
        word = counts[i].sum() / counts.sum()
        context = counts[:, j].sum() ** alpha / smooth
        found[i, j] = max(0.0, np.log(joint / (word * context)) - shift)
    return found


@pytest.mark.parametrize(("alpha", "shift"), [(1.0, 0.0), (0.75, 0.0), (0.75, 0.5)])
def test_information(alpha: float, shift: float) -> None:
    counts = np.random.default_rng(0).poisson(1.0, (9, 7)).astype(float)
    found = ppmi(counts, alpha, shift)
    assert found.toarray() == pytest.approx(information(counts, alpha, shift), abs=1e-12)
    assert (found.data > 0).all()


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_factors_are_those_of_the_full_decomposition(power: float) -> None:
    from scipy.sparse import csr_array

    matrix = np.random.default_rng(1).random((40, 60)) ** 8
    left, values, _ = np.linalg.svd(matrix, full_matrices=False)
    found = factorise(csr_array(matrix), 5, power, 30, seed=3)
    wanted = left[:, :5] * values[:5] ** power
    # Signs are free in a decomposition; ours make the largest number of a column positive.
    assert np.abs(found) == pytest.approx(np.abs(wanted), abs=1e-6)
    assert (found[np.abs(found).argmax(0), range(5)] > 0).all()
    assert found @ found.T == pytest.approx(wanted @ wanted.T, abs=1e-6)


def test_cosines_are_those_of_the_weights(thesaurus: Path) -> None:
    found = build(thesaurus, power=1.0, alpha=1.0)
    assert found.header.blocks == {"n": (0, 3), "v": (3, 5)}
    # With all dimensions and full power, factorising changes no cosine.
    for pos in "nv":
        rows = [row for row in ROWS if row[0] == pos]
        weights = information(dense(rows, sorted({c for row in rows for c in row[2]})), 1.0, 0.0)
        for i, one in enumerate(rows):
            for j, other in enumerate(rows):
                product = weights[i] @ weights[j]
                cosine = product / np.linalg.norm(weights[i]) / np.linalg.norm(weights[j])
                assert similarity(found, one[1], other[1], pos) == pytest.approx(cosine, abs=1e-5)
    assert similarity(found, "wine", "drink", "n", "v") is None


def test_one_space_for_all_compares_parts_of_speech(thesaurus: Path) -> None:
    found = build(thesaurus, space="joint", contexts="word", power=1.0, dimensions=5)
    columns = sorted({c for row in ROWS for c in row[2]})
    weights = information(dense(ROWS, columns), 0.75, 0.0)
    here, there = weights[1], weights[4]  # beer and lay share the glass
    cosine = here @ there / np.linalg.norm(here) / np.linalg.norm(there)
    assert similarity(found, "beer", "lay", "n", "v") == pytest.approx(cosine, abs=1e-5)
    rows = np.array([found.row("beer", "n"), -1])
    table = found.cosines(rows, np.array([found.row("lay", "v")]))
    assert table[0, 0] == pytest.approx(cosine, abs=1e-5)
    assert np.isnan(table[1, 0])


def test_bytes_repeat(thesaurus: Path) -> None:
    one, two = build(thesaurus, "one"), build(thesaurus, "two")
    for path in one.folder.iterdir():
        assert path.read_bytes() == (two.folder / path.name).read_bytes(), path.name


def test_rare_words_and_contexts_of_one_word_go(thesaurus: Path) -> None:
    found = build(thesaurus, context_words=2)
    # What the two verbs share is all they have left, so it says nothing of either.
    assert (found.header.blocks, found.header.left_out) == ({"n": (0, 3)}, {"zero": 2})
    assert found.tokens[found.row("wine", "n")] == 14
    assert build(thesaurus, "frequent", word_tokens=11).row("beer", "n") == -1


def write(folder: Path, words: dict[str, list[float]], **options: object) -> Vectors:
    folder.mkdir()
    settings: dict[str, object] = {
        "origin": "test", "keys": "form", "joint": True, "parameters": {}, "sources": (), **options,
    }  # fmt: skip
    array = np.array(list(words.values()), np.float32)
    write_vectors(folder, [(list(words), array)], **settings)  # type: ignore[arg-type]
    return Vectors(folder)


def test_neighbours_by_brute_force_and_ties_by_row(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    # Few different vectors, so that many neighbours are equally near.
    choice = random.integers(-1, 2, (300, 3)).astype(float)
    words = {f"w{i}": row.tolist() for i, row in enumerate(choice) if row.any()}
    found = write(tmp_path / "v", words)
    names = list(words)
    unit = np.array([np.array(v) / np.linalg.norm(v) for v in words.values()])
    for k in (1, 7, 299, 1000):
        values = np.round(unit @ unit[4], 6)
        order = sorted((i for i in range(len(names)) if i != 4), key=lambda i: (-values[i], i))
        near = found.nearest(names[4], k=k)
        assert [n.word for n in near] == [names[i] for i in order[:k]]
        assert [n.value for n in near] == pytest.approx(values[order[:k]], abs=2e-6)


def test_rows_of_bytes_point_where_those_of_numbers_did(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    words = {f"w{i}": row.tolist() for i, row in enumerate(random.normal(size=(500, 50)))}
    whole = write(tmp_path / "v", words)
    small = write(tmp_path / "w", words, numbers="int8")
    sizes = [(one.folder / ROWS_OF[one.header.numbers]).stat().st_size for one in (whole, small)]
    assert sizes == [500 * 50 * 4, 500 * 50]
    assert np.linalg.norm(small.all, axis=1) == pytest.approx(np.ones(500), abs=1e-6)
    rows = np.arange(500)
    apart = np.abs(small.cosines(rows, rows) - whole.cosines(rows, rows))
    assert 0 < apart.max() < 0.01
    assert [near.word for near in small.nearest("w3", k=1)] == [
        near.word for near in whole.nearest("w3", k=1)
    ]
    path = small.folder / ROWS_OF["int8"]
    path.write_bytes(path.read_bytes()[:-1])
    seal(small.folder)
    with pytest.raises(FormatError, match="expected 500 vectors of 50"):
        Vectors(small.folder)


def test_words_are_found(tmp_path: Path) -> None:
    words = {"New_York": [1.0, 0.0], "wine": [0.0, 1.0], "_": [1.0, 1.0]}
    found = write(tmp_path / "v", words)
    assert found.rows(["New York", "Wine", "wine", "_", "?"], "n").tolist() == [0, 1, 1, 2, -1]
    assert similarity(found, "?", "wine") is None
    assert found.nearest("?") == []
    assert found.word(2) == "_"
    lexelts = {"run.n": [1.0, 0.0], "sun.n": [1.0, 0.1], "run.v": [0.0, 1.0]}
    other = write(tmp_path / "w", lexelts, keys="lexelt", tokens={"run.n": 3, "run.v": 5})
    assert other.row("run", "n") == 0
    assert other.row("run") == 2, "the one with more tokens"
    assert [near.word for near in other.nearest("run")] == []
    assert [near.word for near in other.nearest("run", "n")] == ["sun"]


def test_words_are_the_same_searched_and_read_at_once(tmp_path: Path) -> None:
    words = {f"w{i}": [1.0, float(i)] for i in range(200)}
    found = write(tmp_path / "v", words)
    for asked in range(20):
        assert found.row(f"w{7 * asked}") == 7 * asked
        assert found.row(f"x{asked}") == -1
        assert found.row(f"W{asked}") == asked
    assert found._words._ids is not None


def test_candidates(thesaurus: Path) -> None:
    vectors = build(thesaurus, power=1.0)
    resources = Resources(models={"svd": vectors.folder})
    source = NearestVectors("svd", k=1).open(resources)
    item = Item("1", Lexelt.parse("wine.n"), "wine", 0, 4)
    (candidate,) = source.candidates(item)
    assert candidate.substitute == "beer"
    assert candidate.origins[0].score == similarity(vectors, "wine", "beer", "n")
    assert source.candidates(Item("2", Lexelt.parse("tea.n"), "tea", 0, 3)) == ()
    with pytest.raises(MissingResourceError, match="'no' of kind vectors is neither"):
        NearestVectors("no").open(resources)
    with pytest.raises(ValueError, match="k is 0"):
        NearestVectors("svd", k=0)


@pytest.mark.parametrize(
    "options",
    [{}, {"file": "a", "thesaurus": "b"}, {"file": "a", "dimensions": 0},
     {"file": "a", "alpha": 0.0}, {"file": "a", "power": 2.0}],
)  # fmt: skip
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        VectorsBuilder(**options)  # type: ignore[arg-type]


def damage(folder: Path, name: str) -> None:
    header = json.loads((folder / "header.json").read_text())
    if name == "version":
        header["version"] = 9
    elif name == "blocks":
        header["blocks"] = {"*": [0, 1]}
    elif name == "field":
        del header["words"]
    elif name == "short":
        (folder / "vectors.f32").write_bytes(b"123")
    elif name == "words":
        (folder / "words.ends.npy").write_bytes(b"nonsense")
    (folder / "header.json").write_text("{" if name == "json" else json.dumps(header))


@pytest.mark.parametrize("name", ["version", "blocks", "field", "short", "words", "json"])
def test_damaged_folders(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "v", {"a": [1.0, 0.0], "b": [0.0, 1.0]}).folder
    damage(folder, name)
    with pytest.raises(FormatError) as caught:
        Vectors(folder)
    assert str(caught.value).startswith(str(folder / "header.json"))


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(["vectors", *map(str, arguments)])
    out, err = capsys.readouterr()
    return int(exit_.value.code or 0), out, err


def test_command(thesaurus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = thesaurus.parent / "built"
    status, _, err = call(
        capsys, "build", thesaurus, "-o", out, "-d", 2, "--space", "by-pos",
        "--contexts", "relation", "--word-tokens", 1, "--context-words", 1,
    )  # fmt: skip
    assert (status, err.count("5 words (n 3, v 2) of 2 dimensions")) == (0, 1)
    status, text, _ = call(capsys, "neighbours", "wine.n", "-v", out, "-k", 1)
    head, row = text.splitlines()
    assert (status, head.split("\t")[2], row.split("\t")[2], row.split("\t")[4]) == (
        0, "neighbour", "beer", "10",
    )  # fmt: skip
    status, text, _ = call(capsys, "neighbours", "wine.n", "-v", out, "-k", 1, "--json")
    assert json.loads(text)["word"] == "beer"
    assert call(capsys, "info", out)[1].startswith(f"{out}: lexsub-vectors, version 1, ppmi-svd")
    assert json.loads(call(capsys, "info", out, "--json")[1])["words"] == 5
    status, _, err = call(capsys, "neighbours", "tea.n", "-v", out)
    assert (status, len(err.splitlines())) == (2, 1)
    rows = (out / "vectors.f32").read_bytes()
    (out / "vectors.f32").write_bytes(rows[:-4] + b"\1\0\0\0")
    status, _, err = call(capsys, "info", out)
    assert (status, "vectors.f32: is damaged" in err) == (2, True)


def test_convert_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "glove.txt"
    source.write_text("wine 1 0\nbeer 1 .5\nbrick -1 0\n")
    status, _, err = call(capsys, "convert", source, "-o", tmp_path / "v")
    assert (status, "3 words (* 3) of 2 dimensions, one space" in err) == (0, True)
    alone = tmp_path / "alone.txt"
    alone.write_text("wine.n 1 0\nrun.v 1 0\n")
    assert call(capsys, "convert", alone, "-o", tmp_path / "alone")[0] == 0
    status, text, err = call(capsys, "neighbours", "wine.n", "-v", tmp_path / "alone")
    assert (status, text, err) == (0, "", "wine.n is the only word of its part of speech\n")
    status, text, _ = call(capsys, "neighbours", "wine", "-v", tmp_path / "v", "-k", 1)
    assert text.splitlines()[1:] == ["wine\tcosine (similarity)\tbeer\t0.8944\t0"]
    status, _, err = call(capsys, "convert", source, "-o", tmp_path / "v")
    assert (status, "is there already" in err) == (2, True)
