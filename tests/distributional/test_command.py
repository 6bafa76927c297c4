"""``lexsub thesaurus`` as people call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lexsub.candidates.thesaurus_formats import read_mythes, read_tsv
from lexsub.cli import main
from tests.distributional.test_thesaurus import TOY


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(["thesaurus", *map(str, arguments)])
    out, err = capsys.readouterr()
    return int(exit_.value.code or 0), out, err


@pytest.fixture
def toy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    source, folder = tmp_path / "toy.tsv", tmp_path / "toy"
    source.write_text(TOY)
    status, out, err = call(
        capsys, "build", "-o", folder, "--relations", source, "--word-tokens", 4,
        "--measure", "cosine",
    )  # fmt: skip
    assert (status, out) == (0, ""), err
    assert "n: 3 words, 3 contexts, 7 pairs, 12 tokens, 1 relations" in err
    assert err.endswith("tables: cosine\n")
    monkeypatch.setenv("LEXSUB_THESAURUS", str(folder))
    return folder


def test_neighbours(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "neighbours", "t.n", "-k", 10, "--measure", "lin")[1] == (
        "word\tmeasure\tneighbour\tvalue\ttokens\nt.n\tlin (similarity)\tn\t0.5000\t4\n"
    )
    status, out, _ = call(capsys, "neighbours", "t.n", "-m", "alpha-skew", "--json", "-t", toy)
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [row["word"] for row in rows] == ["n", "m"]
    assert (rows[0]["of"], rows[0]["measure"], rows[0]["kind"]) == (
        "t.n", "alpha-skew", "distance",
    )  # fmt: skip
    assert rows[0]["value"] == pytest.approx(0.8091, abs=5e-5)


def test_neighbours_of_several_words_by_several_measures(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("neighbours", "t.n", "m.n", "-m", "cosine", "-m", "l1", "-k", 1)
    rows = [line.split("\t") for line in call(capsys, *arguments)[1].splitlines()[1:]]
    assert [(row[0], row[1]) for row in rows] == [
        (word, measure) for word in ("t.n", "m.n") for measure in ("cosine (similarity)",
                                                                   "l1 (distance)")
    ]  # fmt: skip
    for row in rows:
        measure = row[1].partition(" ")[0]
        alone = call(capsys, "neighbours", row[0], "-m", measure, "-k", 1)[1].splitlines()[1]
        assert alone.split("\t") == row
    status, out, err = call(capsys, "neighbours", "t.n", "no.n", "nor.n")
    assert (status, out) == (2, "")
    assert "knows no 'no.n', 'nor.n'" in err


def test_explain(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "explain", "t.n", "n.n", "--measure", "cosine", "-k", 1)
    assert status == 0
    assert err == "cosine 0.5164; neighbour 2 of t.n; 2 shared of 2 and 3 contexts\n"
    assert out.splitlines()[1:] == ["dobj-of\ta\t3\t1\t0.7500\t0.2500\t0.1875"]
    found = json.loads(call(capsys, "explain", "t.n", "n.n", "--json")[1])
    assert found["value"] == pytest.approx(0.5)


def test_info(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "from relations: toy.tsv (sha256" in call(capsys, "info", toy)[1]
    assert json.loads(call(capsys, "info", toy, "--json")[1])["format"] == "lexsub-thesaurus"


def test_table(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "table", toy, "-m", "l1", "--top", 2)
    assert status == 0
    assert err.endswith("tables: cosine, l1\n")


def test_exports_are_read_back(
    toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tsv, mythes, vectors = tmp_path / "x.tsv", tmp_path / "x.dat", tmp_path / "x.vec"
    assert call(capsys, "export", toy, "-o", tsv, "-m", "cosine", "-k", 2)[0] == 0
    rows = [(e.targets[0], e.pos, *e.substitutes, round(e.scores[0], 4)) for e in read_tsv(tsv)]
    assert [row for row in rows if row[0] == "t"] == [
        ("t", "n", "m", 0.6708), ("t", "n", "n", 0.5164)]  # fmt: skip
    options = ("--format", "mythes", "-m", "cosine", "-k", 2)
    assert call(capsys, "export", toy, "-o", mythes, *options)[0] == 0
    senses = {entry.targets[0]: entry.substitutes for entry in read_mythes(mythes)}
    assert senses["t"] == ("m", "n")
    options = ("--format", "vectors", "-m", "cosine", "-k", 9)
    assert call(capsys, "export", toy, "-o", vectors, *options)[0] == 0
    head, *lines = vectors.read_text().splitlines()
    assert head == "6 5"
    table = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines}
    product = sum(a * b for a, b in zip(table["t.n"], table["n.n"], strict=True))
    assert product == pytest.approx(0.5164, abs=5e-4)


def test_a_known_word_without_neighbours(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = call(capsys, "neighbours", "lift.v", "-t", toy)
    assert found == (0, "", "lift.v shares no context with another word\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("neighbours", "zzz.n"), "knows no 'zzz.n'"),
        (("neighbours", "t.q"), "is not a lexelt; expected lemma.pos"),
        (("neighbours", "t.a"), "no words of part of speech 'a'"),
        (("neighbours", "t.n", "-m", "cosin"), "did you mean cosine"),
        (("explain", "t.n", "eat.v"), "different parts of speech"),
        (("explain", "t.n", "zzz.n"), "knows not both"),
        (("neighbours", "t.n", "-t", "/nowhere"), "no thesaurus here"),
        (("build", "-o", "x"), "no source is given"),
        (("build", "-o", "x", "--relations", "gone.tsv"), "gone.tsv: no such file"),
        (("build", "-o", "x", "--text", "y", "--backend", "lokky"), "y: no such file"),
    ],
)
def test_mistakes_are_one_line(
    toy: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert not Path("x").exists()


def test_an_unknown_backend_is_named(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "table", toy, "-m", "jaccard", "--backend", "lokky")
    assert status == 2
    assert "did you mean loky" in err
