"""Sources from thesaurus files, and several sources as one."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from candidates.registry import SOURCES
from candidates.thesaurus_file import ThesaurusFile
from candidates.thesaurus_formats import read_moby, read_mythes
from candidates.union import Union
from lexsub.errors import ConfigError, FormatError, LexsubError, MissingResourceError
from lexsub.items import Item, Lexelt
from lexsub.parts import build_part, describe_part
from lexsub.rankings import Candidate
from lexsub.resources import Resources

MYTHES = """\
UTF-8
bright|2
(adj)|shiny|luminous (similar term)|bright
(noun)|lustre
cup|1
(noun)|mug|beaker|coffee cup (related term)
"""
MOBY = "bright,clever,shiny,sunny\ncup,beaker,mug\n"
ROGET = """\
# Light
adj. bright, shiny, luminous; sunny, clear; glowing
n. light, glow; sunshine
# Mind
adj. clever, bright; quick
"""
TSV = "bright.a\tshiny\t0.5\nbright\tclever\t0.25\nbright.n\tlustre\t0.1\n"


def item(text: str) -> Item:
    return Item("1", Lexelt.parse(text), "x", 0, 1)


def source(tmp_path: Path, kind: str, text: str, **options: object) -> ThesaurusFile:
    path = tmp_path / f"given.{kind}"
    path.write_bytes(gzip.compress(text.encode()))  # compressed ones are read like plain ones
    table = {"name": "thesaurus-file", "file": str(path), "format": kind, **options}
    made: ThesaurusFile = build_part(SOURCES, table, "candidates")
    return made


def texts(candidates: object) -> list[str]:
    return [c.substitute for c in candidates]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "text", "target", "expected"),
    [
        ("mythes", MYTHES, "bright.a", ["shiny", "luminous"]),
        ("mythes", MYTHES, "bright.n", ["lustre"]),
        ("mythes", MYTHES, "cup.n", ["mug", "beaker", "coffee cup"]),
        ("mythes", MYTHES, "cup.v", []),
        ("moby", MOBY, "bright.a", ["clever", "shiny", "sunny"]),
        ("moby", MOBY, "bright.v", ["clever", "shiny", "sunny"]),
        ("roget", ROGET, "bright.a",
         ["shiny", "luminous", "sunny", "clear", "glowing", "clever", "quick"]),
        ("roget", ROGET, "glow.n", ["light", "sunshine"]),
        ("roget", ROGET, "glow.a", []),
        ("tsv", TSV, "bright.a", ["shiny", "clever"]),
        ("tsv", TSV, "bright.n", ["clever", "lustre"]),
        ("tsv", TSV, "unknown.n", []),
    ],
)  # fmt: skip
def test_substitutes(
    tmp_path: Path, kind: str, text: str, target: str, expected: list[str]
) -> None:
    opened = source(tmp_path, kind, text).open(Resources())
    found = opened.candidates(item(target))
    assert texts(found) == expected
    assert [c.origins[0].rank for c in found] == list(range(len(expected)))
    assert {c.origins[0].source for c in found} <= {"thesaurus-file"}


def test_groups_and_scores(tmp_path: Path) -> None:
    roget = source(tmp_path, "roget", ROGET).open(Resources()).candidates(item("bright.a"))
    groups = {c.substitute: c.origins[0].group for c in roget}
    assert (groups["shiny"], groups["sunny"]) == ("Light", "Light (category)")
    tsv = source(tmp_path, "tsv", TSV).open(Resources()).candidates(item("bright.a"))
    assert [c.origins[0].score for c in tsv] == [0.5, 0.25]


def test_multiwords_can_be_left_out(tmp_path: Path) -> None:
    opened = source(tmp_path, "mythes", MYTHES, multiwords=False).open(Resources())
    assert texts(opened.candidates(item("cup.n"))) == ["mug", "beaker"]


def test_frequent_ones_first(tmp_path: Path) -> None:
    (tmp_path / "lemma.al").write_text("1 500 sunny a\n2 900 shiny a\n")
    resources = Resources(paths={"bnc-lemmas": tmp_path / "lemma.al"})
    made = source(tmp_path, "moby", MOBY, frequency="bnc-lemmas")
    assert texts(made.open(resources).candidates(item("bright.a"))) == ["shiny", "sunny", "clever"]
    assert len(made.inputs(resources)) == 2


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("mythes", "cup|1\n(noun)|mug\n", r":1: encoding 'cup|1'"),
        ("mythes", "UTF-8\ncup\n", r":2: 'cup'; expected 'word|number of senses'"),
        ("mythes", "UTF-8\ncup|2\n(noun)|mug\n", r":2: the file ends before the 2 senses"),
        ("mythes", "UTF-8\ncup|1\nnoun\n", r":3: 'noun'; expected '\(pos\)"),
        ("moby", "cup,mug\nalone\n", r":2: 'alone'; expected 'root,synonym"),
        ("roget", "adj. bright\n", r":1: 'adj. bright'; expected"),
        ("tsv", "cup\n", r":1: 'cup'; expected 'target"),
        ("tsv", "cup\tmug\tmuch\n", r":1: score 'much'; expected a number"),
        ("tsv", "cup\tmug\ncup\t\n", r":2: 'cup\\t'; expected"),
    ],
)
def test_faults_are_named(tmp_path: Path, kind: str, text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words.replace("|", r"\|")):
        source(tmp_path, kind, text).open(Resources())


def test_a_missing_thesaurus_and_a_wrong_format() -> None:
    with pytest.raises(MissingResourceError, match="add gone to"):
        ThesaurusFile("gone", "tsv").inputs(Resources())
    with pytest.raises(ConfigError, match=r"format: found \"roge\"; expected"):
        build_part(SOURCES, {"name": "thesaurus-file", "file": "x", "format": "roge"}, "c")


@pytest.mark.data
def test_the_thesauri_at_hand(data_dir: Path) -> None:
    """Numbers of entries as their sources state them."""
    moby = list(read_moby(data_dir / "thesaurus_moby" / "moby_words.txt.xz"))
    assert len(moby) == 30_259
    # The stated number counts 11 empty ones, as in 'word,,word'.
    assert sum(len(entry.substitutes) for entry in moby) == 2_520_225 - 11
    french = list(read_mythes(data_dir / "thesaurus_fr" / "thes_fr.dat"))
    assert len({entry.target for entry in french}) == 36_166
    assert len(french) == 36_255
    assert sum(not entry.pos and entry.group == "(?)" for entry in french) == 2_894


# --- union -----------------------------------------------------------------------------------


def union(tmp_path: Path, **options: object) -> Union:
    files = {"moby": MOBY, "tsv": TSV}
    for kind, text in files.items():
        (tmp_path / kind).write_text(text)
    tables = [
        {"name": "thesaurus-file", "file": str(tmp_path / kind), "format": kind, "label": kind}
        for kind in files
    ]
    made: Union = build_part(SOURCES, {"name": "union", "sources": tables, **options}, "c")
    return made


def origins(candidates: object) -> dict[str, list[tuple[str, int]]]:
    return {
        c.substitute: [(o.source, o.rank) for o in c.origins]
        for c in candidates  # type: ignore[attr-defined]
    }


def test_union_keeps_every_origin_with_its_rank(tmp_path: Path) -> None:
    made = union(tmp_path)
    found = made.open(Resources()).candidates(item("bright.a"))
    assert origins(found) == {
        "clever": [("moby", 0), ("tsv", 1)],
        "shiny": [("tsv", 0), ("moby", 1)],
        "sunny": [("moby", 2)],
    }
    assert texts(found) == ["clever", "shiny", "sunny"]
    assert made.inputs(Resources()) == [tmp_path / "moby", tmp_path / "tsv"]


def test_union_by_sources(tmp_path: Path) -> None:
    opened = union(tmp_path, order="sources").open(Resources())
    assert texts(opened.candidates(item("bright.n"))) == ["clever", "shiny", "sunny", "lustre"]


def test_a_union_prints_as_it_is_read(tmp_path: Path) -> None:
    made = union(tmp_path)
    table = describe_part(SOURCES, made)
    assert build_part(SOURCES, table, "again") == made


def test_a_union_of_unions_keeps_names_apart(tmp_path: Path) -> None:
    inner = {**describe_part(SOURCES, union(tmp_path)), "label": "both"}
    tables = [inner, {"name": "thesaurus-file", "file": str(tmp_path / "moby"), "format": "moby"}]
    outer = build_part(SOURCES, {"name": "union", "sources": tables}, "c")
    found = origins(outer.open(Resources()).candidates(item("bright.a")))
    assert found["clever"] == [("both/moby", 0), ("both/tsv", 1), ("thesaurus-file", 0)]


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ([], "sources is empty"),
        (["wordnet", "wordnet"], "wordnet stands twice; give each a label"),
        (["wordnett"], "did you mean wordnet"),
        ([{"name": "wordnet", "criterion": 1}], r"sources\[0\]\.criterion: unknown key"),
    ],
)
def test_mistakes_in_a_union_are_named(sources: list[object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_part(SOURCES, {"name": "union", "sources": sources}, "candidates")


def test_the_target_is_never_among_them() -> None:
    from dataclasses import dataclass

    from candidates.union import UnionCandidates

    @dataclass
    class Fixed:
        def candidates(self, item: Item) -> list[Candidate]:
            return [Candidate("Bright"), Candidate("shiny")]

    found = UnionCandidates({"fixed": Fixed()}, "turns").candidates(item("bright.a"))
    assert origins(found) == {"shiny": [("fixed", 1)]}
    assert issubclass(ConfigError, LexsubError)
