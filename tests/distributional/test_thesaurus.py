"""From relation files to neighbours: building, the files on disk, asking, the whole table."""

from __future__ import annotations

import json
import lzma
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lexsub.candidates.distributional import table
from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.candidates.distributional.measures import parse_measure
from lexsub.candidates.distributional.model import ThesaurusModel, read_header
from lexsub.candidates.distributional.relations import CORE, selected
from lexsub.candidates.distributional.table import build_table, table_folder
from lexsub.candidates.distributional.thesaurus import Distributional, Thesaurus
from lexsub.datasets import Item, Lexelt
from lexsub.errors import ConfigError, FormatError, LexsubError, MissingResourceError
from lexsub.experiments.config.reading import read_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.resources import Resources

ROOT = Path(__file__).resolve().parents[2]

# t{a3,b1}, n{a1,b1,c2}, m{a2,c2} as nouns, and a few more words to be filtered or tied.
TOY = """\
n\tt\tdobj-of\ta\t3
n\tt\tdobj-of\tb\t1
n\tn\tdobj-of\ta\t1
n\tn\tdobj-of\tb\t1
n\tn\tdobj-of\tc\t1
n\tm\tdobj-of\ta\t2
n\tm\tdobj-of\tc\t2
n\tn\tdobj-of\tc\t1
n\trare\tdobj-of\ta\t1
n\tt\tprep-of\ta\t9
v\teat\tdobj\tcrumb\t4
v\tchew\tdobj\tcrumb\t4
v\tlift\tdobj\tstone\t4
"""


@pytest.fixture
def resources(tmp_path: Path) -> Resources:
    return Resources(cache=tmp_path / "cache")


def build(
    folder: Path, resources: Resources, text: str = TOY, name: str = "toy.tsv", **options: object
) -> Path:
    source = folder / name
    data = text.encode()
    source.write_bytes(lzma.compress(data) if name.endswith(".xz") else data)
    made = folder / "thesaurus"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    settings: dict[str, object] = {"word_tokens": 4, **options}
    ThesaurusBuilder(relations=(str(source),), **settings).build(resources, made)  # type: ignore[arg-type]
    return made


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_counts_are_added_filtered_and_ordered(tmp_path: Path, resources: Resources) -> None:
    model = ThesaurusModel(build(tmp_path, resources))
    space = model.space("n")
    # Equal totals by name; "rare" has too few tokens and "prep-of" is not a core relation.
    assert list(space.words) == ["m", "n", "t"]
    assert list(space.contexts) == ["dobj-of\ta", "dobj-of\tb", "dobj-of\tc"]
    assert [space.tokens(i) for i in range(3)] == [4, 4, 4]
    counts = space.counts
    dense = np.zeros((3, 3), int)
    for word in range(3):
        row = slice(counts.starts[word], counts.starts[word + 1])
        dense[word, counts.contexts[row]] = counts.counts[row]
    assert dense.tolist() == [[2, 0, 2], [1, 1, 2], [3, 1, 0]]
    assert [space.words.find(w) for w in ("m", "n", "t", "rare", "")] == [0, 1, 2, None, None]
    header = model.header.spaces["n"]
    assert (header.words, header.contexts, header.nonzeros, header.tokens) == (3, 3, 7, 12)
    assert header.relations == ("dobj-of",)
    assert model.header.sources[0]["rows"] == 13


def test_neighbours_of_the_worked_example(tmp_path: Path, resources: Resources) -> None:
    folder = build(tmp_path, resources)
    lin = Thesaurus(folder, parse_measure("lin"))
    for _ in range(2):  # the first question scans, the second uses the index
        assert [(n.word, round(n.value, 4)) for n in lin.neighbours("t", "n", 5)] == [("n", 0.5)]
    skew = Thesaurus(folder, parse_measure("alpha-skew"))
    found = [(n.word, round(n.value, 4), n.tokens) for n in skew.neighbours("t", "n", 5)]
    assert found == [("n", 0.8091, 4), ("m", 1.4517, 4)]
    assert skew.neighbours("unheard", "n", 5) == []
    assert [n.word for n in skew.neighbours("eat", "v", 5)] == ["chew"]
    with pytest.raises(LexsubError, match=r"no words of part of speech 'a' .*it has: n, v"):
        skew.neighbours("t", "a", 5)


def test_explanation(tmp_path: Path, resources: Resources) -> None:
    thesaurus = Thesaurus(build(tmp_path, resources), parse_measure("cosine"))
    found = thesaurus.explain("t", "n", "n")
    assert found is not None
    assert found.value == pytest.approx(0.5164, abs=5e-5)
    assert (found.rank, found.sizes) == (2, (2, 3))
    assert [(s.relation, s.other, s.counts) for s in found.shared] == [
        ("dobj-of", "a", (3, 1)),
        ("dobj-of", "b", (1, 1)),
    ]
    assert found.shared[0].weights == (0.75, 0.25)
    assert sum(s.part for s in found.shared) == pytest.approx(0.75 * 0.25 + 0.25 * 0.25)
    apart = thesaurus.explain("eat", "lift", "v")
    assert apart is not None
    assert (apart.value, apart.rank, apart.shared) == (None, None, ())
    assert thesaurus.explain("eat", "unheard", "v") is None


def test_the_bytes_depend_on_the_counts_alone(tmp_path: Path, resources: Resources) -> None:
    once = everything(build(tmp_path, resources, tables=("lin",), top=2))
    lines = TOY.splitlines(keepends=True)
    shuffled = "".join(reversed(lines))
    again = everything(
        build(tmp_path, resources, shuffled, name="b.tsv.xz", tables=("lin",), top=2)
    )
    arrays = [name for name in once if name.endswith(".npy")]
    assert len(arrays) > 10
    assert all(once[name] == again[name] for name in arrays)
    assert json.loads(once["header.json"])["spaces"] == json.loads(again["header.json"])["spaces"]
    assert not list((tmp_path / "cache" / "thesaurus").iterdir())


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_the_table_is_the_single_words_whatever_the_workers(
    tmp_path: Path, resources: Resources, backend: str
) -> None:
    rng = np.random.default_rng(1)
    rows = "".join(
        f"n\tw{w}\tamod\tc{c}\t{count}\n"
        for w in range(60)
        for c, count in enumerate(rng.poisson(0.5, 40))
        if count
    )
    folder = build(tmp_path, resources, rows, word_tokens=1)
    thesaurus = Thesaurus(folder, parse_measure("l1"))
    words = list(thesaurus.model.space("n").words)
    singles = [thesaurus.neighbours(word, "n", 9) for word in words]
    one = everything(build_table(folder, "l1", 9, block=7))
    shutil.rmtree(folder / "tables")
    table = build_table(folder, "l1", 9, workers=2, backend=backend, block=11)
    assert everything(table) == one
    assert [thesaurus.neighbours(word, "n", 9) for word in words] == singles
    # A table with too few neighbours is not used.
    assert len(thesaurus.neighbours(words[0], "n", 20)) == 20


@pytest.mark.parametrize("measure", ["lin", "lin(marginals=relation)", "l1", "cosine", "jaccard"])
@pytest.mark.parametrize("cells", [1, 50, 150])
def test_a_table_in_bands(
    tmp_path: Path, resources: Resources, monkeypatch: pytest.MonkeyPatch,
    measure: str, cells: int,
) -> None:  # fmt: skip
    """As little memory as for one word, or for a few, gives the bytes of all at once."""
    rng = np.random.default_rng(1)
    number = 40 if cells > 1 else 20  # each is compared with each on its own
    rows = "".join(
        f"n\tw{w}\t{relation}\tc{c}\t{count}\n"
        for w in range(number)
        for relation in ("amod", "dobj-of")
        for c, count in enumerate(rng.poisson(0.3, 20))  # small counts: many ties
        if count
    )
    folder = build(tmp_path, resources, rows, word_tokens=1)
    whole = everything(build_table(folder, measure, 9))
    shutil.rmtree(folder / "tables")
    monkeypatch.setattr(table, "BYTES_A_CELL", 1500 * 1_000_000 // cells)
    prepare, bands = table._prepare, []

    def count_bands(*arguments: Any) -> None:
        prepare(*arguments)
        bands.append(arguments[-1])

    monkeypatch.setattr(table, "_prepare", count_bands)
    assert everything(build_table(folder, measure, 9, block=1)) == whole
    assert len(bands) > 2 if cells > 1 else len(bands) == number
    assert [band.first for band in bands[1:]] == [band.stop for band in bands[:-1]]


def test_a_stopped_table_goes_on_where_it_was(
    tmp_path: Path, resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsub.candidates.distributional import table as module

    rows = "".join(f"n\tw{w}\tamod\tc{w % 5}\t{w + 1}\n" for w in range(40))
    folder = build(tmp_path, resources, rows, word_tokens=1)
    whole = everything(build_table(folder, "cosine", 5, block=8))
    shutil.rmtree(folder / "tables")
    compute, done = module._compute, []

    def stop_after_two(*arguments: object) -> None:
        if len(done) == 2:
            raise KeyboardInterrupt
        compute(*arguments)  # type: ignore[arg-type]
        done.append(arguments[-1].first)  # type: ignore[attr-defined]

    monkeypatch.setattr(module, "_compute", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        build_table(folder, "cosine", 5, block=8)
    assert not table_folder(folder, "cosine").exists()
    first = list(done)

    def count(*arguments: object) -> None:
        compute(*arguments)  # type: ignore[arg-type]
        done.append(arguments[-1].first)  # type: ignore[attr-defined]

    monkeypatch.setattr(module, "_compute", count)
    assert everything(build_table(folder, "cosine", 5, block=8)) == whole
    assert sorted(done) == [0, 8, 16, 24, 32]
    assert done[:2] == first


KILLED = """
import os, signal, sys
from pathlib import Path
from lexsub.candidates.distributional import table
from lexsub.experiments.config.reading import read_experiment
from lexsub.experiments.pipeline.runner import run_experiment
from lexsub.resources import Resources

compute, finished = table._compute, []

def die_after_three(*arguments):
    if len(finished) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    compute(*arguments)
    finished.append(arguments)

table._compute = die_after_three
folder = Path(sys.argv[1])
resources = Resources(cache=folder / "cache")
run_experiment(read_experiment(folder / "x.toml"), folder / "run", resources)
"""

CONFIG = """
name = "killed"
data = "tutorial/test"
[models.thesaurus]
kind = "thesaurus"
relations = ["r.tsv"]
inventory = "all"
word_tokens = 1
tables = ["lin", "cosine"]
[resources]
"r.tsv" = "r.tsv"
[[systems]]
name = "toy"
candidates = { name = "distributional", thesaurus = "thesaurus" }
"""


def test_the_tables_of_a_configs_model_survive_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsub.candidates.distributional import table as module

    rows = [f"{p}\tw{w}\tx\tc{w % 5}\t{w + 1}\n" for p in "nvar" for w in range(12)]
    (tmp_path / "r.tsv").write_text("".join(rows))
    (tmp_path / "x.toml").write_text(CONFIG)
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    compute, made = module._compute, []

    def count(*arguments: object) -> None:
        compute(*arguments)  # type: ignore[arg-type]
        made.append(arguments[1:3] + arguments[-3:-2])

    monkeypatch.setattr(module, "_compute", count)
    models = []
    for cache in ("cache", "afresh"):
        resources = Resources(cache=tmp_path / cache)
        run_experiment(read_experiment(tmp_path / "x.toml"), tmp_path / "run", resources)
        (model,) = (tmp_path / cache / "stages" / "model").iterdir()
        models.append({name: data for name, data in everything(model).items()
                       if name != "stage.json"})  # fmt: skip
    # Of the eight blocks (two measures, four parts of speech) three were there already.
    assert len(made) == 5 + 8
    assert models[0] == models[1]
    assert not list((tmp_path / "cache" / "thesaurus").iterdir())


# --- selection of relations ------------------------------------------------------------------


def test_inventories() -> None:
    assert selected("core", "n", "amod")
    assert not selected("core", "n", "prep-of")
    assert selected("all", "n", "prep-of")
    chosen = {"n": ("prep-*", "amod")}
    assert selected(chosen, "n", "prep-of")
    assert not selected(chosen, "v", "prep-of")
    assert set(CORE) == set("nvar")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inventory": "most"}, "expected core or all"),
        ({"inventory": {"x": ("amod",)}}, "unknown part of speech x"),
        ({"word_tokens": 0}, "word_tokens is 0"),
        ({"tables": ("cosin",)}, "did you mean cosine"),
        ({"relations": ()}, "no source is given"),
        ({"top": 0}, "top is 0; expected at least 1"),
    ],
)
def test_mistakes_in_a_builder_are_named(options: dict[str, object], words: str) -> None:
    settings: dict[str, object] = {"relations": ("x.tsv",), **options}
    with pytest.raises((ConfigError, ValueError), match=words):
        ThesaurusBuilder(**settings)  # type: ignore[arg-type]


# --- faults of files -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("n\tcup\tamod\tred", r"4 columns; expected 5"),
        ("n\tcup\tamod\tred\t1\t2", r"6 columns; expected 5"),
        ("x\tcup\tamod\tred\t1", "part of speech 'x'; expected n, v, a or r"),
        ("n\t\tamod\tred\t1", "word is ''"),
        ("n\tcup\tamod\tred\tmany", "count 'many'"),
        ("n\tcup\tamod\tred\t0", "count '0'"),
        ("n\tcup\tamod\tred\t-2", "count '-2'"),
        ("n\tcup\tamod\tred\t1.5", "count '1.5'"),
        ("n\tcup\tamod\tred\t99999999999999999999", "count 9{20} is too large"),
    ],
)
def test_a_bad_relation_line_is_named(
    tmp_path: Path, resources: Resources, line: str, words: str
) -> None:
    with pytest.raises(FormatError, match=rf"toy\.tsv:4: {words}"):
        build(tmp_path, resources, "n\ta\tamod\tb\t4\n\nn\tc\tamod\tb\t4\n" + line + "\n")


def test_quotes_and_odd_words_are_words(tmp_path: Path, resources: Resources) -> None:
    text = 'n\t"cup\tamod\t\'red\t4\nn\tNULL\tamod\t#x\t5\nn\tété\tamod\t"\t6\n'
    model = ThesaurusModel(build(tmp_path, resources, text))
    assert list(model.space("n").words) == ["été", "NULL", '"cup']
    assert set(model.space("n").contexts) == {"amod\t'red", "amod\t#x", 'amod\t"'}


@pytest.mark.parametrize(
    "odd", [b"n\tcaf\xe9\tamod\tb\t4\n", b"n\tcaf\tamod\tb\t4\r\n", b"\n\nn\tcaf\tamod\tb\t4"]
)
def test_damaged_or_foreign_text_is_read_all_the_same(
    tmp_path: Path, resources: Resources, odd: bytes
) -> None:
    source = tmp_path / "odd.tsv"
    source.write_bytes(b"n\ta\tamod\tb\t5\n" + odd)
    folder = tmp_path / "made"
    folder.mkdir()
    ThesaurusBuilder(relations=(str(source),), word_tokens=1).build(resources, folder)
    model = ThesaurusModel(folder)
    word = "caf\ufffd" if b"\xe9" in odd else "caf"
    assert list(model.space("n").words) == ["a", word]
    assert list(model.space("n").contexts) == ["amod\tb"]
    assert model.header.sources[0]["bad_bytes"] == (1 if b"\xe9" in odd else 0)


def test_too_few_tokens_is_an_error(tmp_path: Path, resources: Resources) -> None:
    with pytest.raises(LexsubError, match="no word has 1000 context tokens"):
        build(tmp_path, resources, word_tokens=1000)


def test_damaged_models_are_named(tmp_path: Path, resources: Resources) -> None:
    with pytest.raises(MissingResourceError, match="no thesaurus here"):
        ThesaurusModel(tmp_path)
    folder = build(tmp_path, resources)
    (folder / "digests.json").unlink()
    header = folder / "header.json"
    whole = header.read_text()
    header.write_text(whole.replace('"version": 1', '"version": 7'))
    with pytest.raises(FormatError, match="version 7; expected 'lexsub-thesaurus', version 1"):
        read_header(folder)
    header.write_text(whole.replace('"words": 3', '"words": "three"'))
    with pytest.raises(FormatError, match=r"spaces\.n\.words"):
        read_header(folder)
    header.write_text("{")
    with pytest.raises(FormatError, match="is not JSON"):
        read_header(folder)
    header.write_text(whole)
    counts = folder / "n" / "counts.npy"
    counts.write_bytes(counts.read_bytes()[:-3])
    with pytest.raises(FormatError, match=r"counts\.npy: is missing or damaged"):
        _ = ThesaurusModel(folder).space("n").counts
    np.save(counts, np.ones(2, np.uint32))
    with pytest.raises(FormatError, match="holds 2 numbers; expected 7"):
        _ = ThesaurusModel(folder).space("n").counts
    np.save(counts, np.ones(7))
    with pytest.raises(FormatError, match="holds float64; expected uint32 or uint64"):
        _ = ThesaurusModel(folder).space("n").counts


# --- the candidate source --------------------------------------------------------------------


def test_source(tmp_path: Path, resources: Resources) -> None:
    folder = build(tmp_path, resources)
    known = Resources(cache=resources.cache, models={"toy": folder})
    source = Distributional("toy", "alpha-skew", k=1)
    assert list(source.inputs(known)) == [folder]
    opened = source.open(known)
    (candidate,) = opened.candidates(Item("1", Lexelt("t", "n", "n"), "a t here", 2, 3))
    assert candidate.substitute == "n"
    (origin,) = candidate.origins
    assert (origin.source, origin.rank, origin.group) == ("distributional", 0, "alpha-skew")
    assert origin.score == pytest.approx(0.8091, abs=5e-5)
    corrected = Item("2", Lexelt("t", "v", "n"), "a t here", 2, 3)
    assert opened.candidates(corrected) == (candidate,)
    assert opened.candidates(Item("3", Lexelt("zzz", "n", "n"), "zzz", 0, 3)) == ()
    assert Distributional(str(folder)).inputs(resources) == [folder]
    with pytest.raises(
        MissingResourceError, match=r"'toy' of kind thesaurus is neither .*\[models\.toy\]"
    ):
        source.open(resources)
    with pytest.raises(ValueError, match="k is 0"):
        Distributional("toy", k=0)


def test_words_stand_by_the_tokens_that_the_cut_of_pairs_leaves(tmp_path: Path) -> None:
    source, made = tmp_path / "relations.tsv", tmp_path / "made"
    rows = [("wide", f"c{n}", 1) for n in range(9)] + [("wide", "a", 2), ("deep", "a", 3)]
    source.write_text("".join(f"n\t{word}\tdobj-of\t{c}\t{n}\n" for word, c, n in rows))
    made.mkdir()
    builder = ThesaurusBuilder(
        relations=(str(source),), inventory="all", word_tokens=1, context_tokens=1, pair_tokens=2
    )
    builder.build(Resources(cache=tmp_path / "cache"), made)
    space = ThesaurusModel(made).space("n")
    assert [(word, space.tokens(i)) for i, word in enumerate(space.words)] == [
        ("deep", 3), ("wide", 2),
    ]  # fmt: skip
