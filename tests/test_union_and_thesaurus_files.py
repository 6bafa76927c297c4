"""Sources from thesaurus files, and several sources as one."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lexsub.candidates import thesaurus_formats
from lexsub.candidates.combined import Union
from lexsub.candidates.thesaurus_file import ThesaurusFile
from lexsub.candidates.thesaurus_formats import read_moby, read_mythes
from lexsub.candidates.wordnet import WordNetSource
from lexsub.datasets import Item, Lexelt
from lexsub.errors import ConfigError, FormatError, LexsubError, MissingResourceError
from lexsub.parts.base import SOURCES
from lexsub.parts.build import Labelled, build_part, describe_part
from lexsub.rankings import Candidate
from lexsub.resources import Resources
from lexsub.storage import compression

MYTHES = """\
UTF-8
bright|2
(adj)|shiny|luminous (similar term)|bright
(noun)|lustre
cup|1
(noun)|mug|beaker|coffee cup (related term)
"""
NOTES = """\
UTF-8

keen|2
(adj)|avid|eager (similar term)|dull (antonym)|ready (generic term)
-|hep (ugs.)|(etwas) sharp (Computer) (fig.)|blunt (Antonym, ugs.)|plier(se)
able|1

(adj)|fit (x (y))

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
        ("mythes", NOTES, "keen.a", ["avid", "eager", "ready", "hep", "sharp", "plier"]),
        ("mythes", NOTES, "able.a", ["fit"]),
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


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        (["synonym"], ["avid", "hep", "sharp", "plier"]),
        (["similar", "generic"], ["eager", "ready"]),
        (["antonym"], ["dull", "blunt"]),
    ],
)
def test_relations_are_chosen(tmp_path: Path, relations: list[str], expected: list[str]) -> None:
    opened = source(tmp_path, "mythes", NOTES, relations=relations).open(Resources())
    assert texts(opened.candidates(item("keen.a"))) == expected


def test_relations_there_are_none_of(tmp_path: Path) -> None:
    for wrong in ([], ["synonyms"]):
        with pytest.raises(ConfigError, match="relations"):
            source(tmp_path, "mythes", NOTES, relations=wrong)


def test_lines_end_where_lines_end(tmp_path: Path) -> None:
    """U+2028, U+0085 and a form feed are no line ends, in any encoding; CR LF and CR are."""
    path = tmp_path / "thesaurus"
    for end in ("\n", "\r\n", "\r"):
        text = end.join(["UTF-8", "x|1", "(n)|a\u2028b|c\x85d|e\ff|g", ""])
        path.write_bytes(text.encode())
        (entry,) = read_mythes(path)
        assert entry.substitutes == ("a b", "c d", "e f", "g")
    path.write_bytes("microsoft-cp1252\nx|1\n(n)|wait…|é\n".encode("cp1252"))
    (entry,) = read_mythes(path)
    assert entry.substitutes == ("wait…", "é")
    path.write_text("x,a\x85b\u2029,c\n")
    assert [entry.substitutes for entry in read_moby(path)] == [("a\x85b", "c")]


def test_remarks_are_found_in_one_pass(tmp_path: Path) -> None:
    """A regular expression that went back over every blank would not end here."""
    path = tmp_path / "thesaurus"
    for hostile in ("x" + " " * 400_000 + "(a", "(" * 400_000, "(" * 200_000 + ")" * 200_000):
        path.write_text(f"UTF-8\nx|1\n(n)|{hostile}|b\n")
        (entry,) = read_mythes(path)
        assert entry.substitutes[-1] == "b"


@pytest.mark.parametrize(
    ("kind", "text"), [("mythes", "UTF-8\n"), ("mythes", ""), ("moby", "\n"), ("tsv", ""),
                       ("roget", "# Light\n")],
)  # fmt: skip
def test_an_empty_thesaurus_is_refused(tmp_path: Path, kind: str, text: str) -> None:
    with pytest.raises(FormatError, match=r"holds no entries|encoding ''"):
        source(tmp_path, kind, text).open(Resources())
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thesaurus_formats, "LARGEST", 1 << 16)
    with pytest.raises(FormatError, match="holds more than 65536 bytes"):
        source(tmp_path, "tsv", "a\tb\n" * (1 << 16)).open(Resources())
    monkeypatch.setattr(compression, "LONGEST_LINE", 1 << 12)
    with pytest.raises(FormatError, match=r":2: is a line of more than 4096 characters"):
        source(tmp_path, "moby", "a,b\na," + "b," * (1 << 12)).open(Resources())


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
        ("mythes", f"UTF-8\ncup|{'9' * 5000}\n(noun)|mug\n", r":2: 'cup|999"),
        ("mythes", "idna\ncup|1\n(noun)|mug\n", r":1: encoding 'idna'"),
        ("mythes", "UT\0-8\ncup|1\n(noun)|mug\n", r":1: encoding 'UT.x00-8'"),
        ("mythes", "rot13\ncup|1\n(noun)|mug\n", r":1: encoding 'rot13'"),
        ("mythes", "UTF-8\ncup|1\n(noun)|m\0g\n", r":3: holds a NUL byte"),
        ("mythes", "UTF-8\ncup|1\nnoun\n", r":3: 'noun'; expected '\(pos\)"),
        ("moby", "cup,mug\nalone\n", r":2: 'alone'; expected 'root,synonym"),
        ("roget", "adj. bright\n", r":1: 'adj. bright'; expected"),
        ("tsv", "cup\n", r":1: 'cup'; expected 'target"),
        ("tsv", "cup\tmug\tmuch\n", r":1: score 'much'; expected a number"),
        ("tsv", "cup\tmug\tnan\n", r":1: score 'nan'; expected a number"),
        ("tsv", "cup\tmug\t-inf\n", r":1: score '-inf'; expected a number"),
        ("tsv", "cup\tmug\ncup\t\n", r":2: 'cup\\t'; expected"),
    ],
)
def test_faults_are_named(tmp_path: Path, kind: str, text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words.replace("|", r"\|")):
        source(tmp_path, kind, text).open(Resources())


def test_a_missing_thesaurus_and_a_wrong_format() -> None:
    with pytest.raises(MissingResourceError, match="--resource gone=FILE"):
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
    assert len({entry.targets for entry in french}) == 36_166
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
    table = describe_part(made)
    assert build_part(SOURCES, table, "again") == made


def test_a_union_of_unions_keeps_names_apart(tmp_path: Path) -> None:
    inner = {**describe_part(union(tmp_path)), "label": "both"}
    tables = [inner, {"name": "thesaurus-file", "file": str(tmp_path / "moby"), "format": "moby"}]
    outer = build_part(SOURCES, {"name": "union", "sources": tables}, "c")
    found = origins(outer.open(Resources()).candidates(item("bright.a")))
    assert found["clever"] == [("both/moby", 0), ("both/tsv", 1), ("thesaurus-file", 0)]


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ([], r"sources: found \[\]; expected at least 1 entry"),
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

    @dataclass
    class Fixed:
        def candidates(self, item: Item) -> list[Candidate]:
            return [Candidate("Bright"), Candidate("shiny")]

    union = Union(Labelled(wordnet=WordNetSource()))
    found = union._candidates({"fixed": Fixed()}, item("bright.a"))
    assert origins(found) == {"shiny": [("fixed", 1)]}
    assert issubclass(ConfigError, LexsubError)
