"""Experiment configs: everything wrong with a file is said at once, with place and fix."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from lexsub.errors import (
    ConfigError,
    FileProblemError,
    FormatError,
    MissingExtraError,
    MissingResourceError,
    UnknownNameError,
    look_for,
)
from lexsub.experiments.config.reading import (
    READY,
    find_config,
    make_experiment,
    offered_configs,
    read_experiment,
    ready_configs,
)

GOOD = """
name = "x"
data = "tutorial/test"
[[systems]]
name = "s"
candidates = "wordnet"
"""


def read(tmp_path: Path, text: str):
    path = tmp_path / "config.toml"
    path.write_text(text)
    return read_experiment(path)


def test_defaults_are_filled_in_and_read_back(tmp_path: Path) -> None:
    import tomli_w

    resolved = read(tmp_path, GOOD).resolved()
    assert resolved["systems"][0]["ranker"] == {"name": "order"}
    assert resolved["systems"][0]["oot"] == {"name": "top-n", "n": 10}
    assert resolved["systems"][0]["candidates"]["criteria"] == [1, 2, 3, 4]
    assert read(tmp_path, tomli_w.dumps(resolved)).resolved() == resolved


@pytest.mark.parametrize("name", ready_configs())
def test_every_ready_config_can_be_read_back_from_its_run(tmp_path: Path, name: str) -> None:
    import tomli_w

    resolved = read_experiment(find_config(name)).resolved()
    assert read(tmp_path, tomli_w.dumps(resolved)).resolved() == resolved


def test_no_part_has_an_option_that_would_hide_its_name() -> None:
    from lexsub.parts.base import BUILDERS

    for kind in BUILDERS:
        options = {field.name for field in dataclasses.fields(BUILDERS[kind])}
        assert not options & {"kind", "name"}, kind


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"models": {"m": {"kind": "lm", "corpus": "x.txt"}}},
            'models.m.corpus: found "x.txt"; expected a list, as ["x.txt"]',
        ),
        ({"systems": []}, "systems: found []; expected at least 1 entry"),
        ({"systems": [3]}, "systems[0]: found 3; expected a table"),
        (
            {"systems": [{"name": "a", "candidates": 3}]},
            "systems[0].candidates: found 3; expected text or a table",
        ),
        (
            {"systems": [{"name": "a", "candidates": {"name": "union", "sources": "wordnet"}}]},
            'systems[0].candidates.sources: found "wordnet"; expected a list, as ["wordnet"]',
        ),
        (
            {"notes": {"foo": ["x"]}},
            "notes.foo: found \"foo\"; expected 'all', 'best', 'oot', 'mw' or 'measures'",
        ),
        ({"workers": 0}, "workers: found 0; expected at least 1"),
        ({"seed": 1.5}, "seed: found 1.5; expected a whole number"),
        ({"data": None}, "data: found null; expected text"),
        (
            {"tables": [{"name": "t", "title": "x", "measures": "GAP", "by_pos": "yes"}]},
            'tables[0].by_pos: found "yes"; expected true or false',
        ),
        (
            {"tables": [{"name": "t", "title": "x", "measures": "GAP", "published": {"a": ["x"]}}]},
            'tables[0].published.a[0]: found "x"; expected a number',
        ),
        ({"resources": ["a"]}, 'resources: found ["a"]; expected a table'),
    ],
)
def test_what_was_expected_is_said_in_words_of_the_file(changes: dict[str, Any], said: str) -> None:
    system = {"name": "a", "candidates": "wordnet"}
    table = {"name": "x", "data": "tutorial/test", "systems": [system], **changes}
    with pytest.raises(ConfigError) as caught:
        make_experiment(table, Path())
    assert str(caught.value) == said


def test_every_ready_config_is_valid() -> None:
    for name, path in ready_configs().items():
        assert read_experiment(path).table.name == name


def test_records_of_research_are_ready_by_name_and_not_offered() -> None:
    ready, offered = ready_configs(), offered_configs()
    records = {path.stem for path in (READY / "records").glob("*.toml")}
    assert {"quickstart", "learned", "suggest"} <= set(offered)
    assert set(ready) == {*offered, *records}
    assert not records & set(offered)
    assert find_config("learned-neural").parent.name == "records"


def test_a_model_like_another_with_longer_lists(tmp_path: Path) -> None:
    models = """
[models.a]
kind = "bow"
corpus = ["x"]
minimum = 3
[models.b]
same_as = "a"
more.corpus = ["y", "z"]
"""
    made = read(tmp_path, GOOD + models).models
    assert dataclasses.replace(made["a"], corpus=("x", "y", "z")) == made["b"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (('data = "tutorial/test"', ""), ["data: missing; this key is required"]),
        (("tutorial/test", "tutorial"), ["data: data set 'tutorial' names no split"]),
        (("tutorial/test", "tutorail/test"), ["did you mean tutorial?"]),
        (("tutorial/test", "tutorial/tst"), ["did you mean test"]),
        (
            (
                'name = "x"',
                'name = "x"\ncomparisons = [{ name = "c", title = "", measures = "oot-Q", '
                'systems = ["x", "y"] }]',
            ),
            [
                "comparisons[0].measures: ",
                "did you mean oot-",
                "comparisons[0].systems[1]: no system",
                "'y'",
            ],
        ),
        (('name = "x"', 'nam = "x"'), ["name: missing", "nam: unknown key; did you mean name?"]),
        (
            ('"wordnet"', '"wordent"'),
            ["systems[0].candidates.name: unknown candidate source", "did you mean wordnet?"],
        ),
        (
            ('"wordnet"', '{ name = "wordnet", criterai = [1] }'),
            ["systems[0].candidates.criterai: unknown key; did you mean criteria?"],
        ),
        (
            ('"wordnet"', '{ name = "wordnet", criteria = ["1"] }'),
            ['systems[0].candidates.criteria[0]: found "1"; expected a whole number'],
        ),
        (('"wordnet"', "{ criteria = [1] }"), ["systems[0].candidates: names no candidate source"]),
        (('"wordnet"', "7"), ["systems[0].candidates"]),
        (('name = "x"', 'name = "x"\nseed = -1'), ["seed: found -1; expected at least 0"]),
        (('name = "x"', 'name = "x"\nworkers = 0'), ["workers: found 0"]),
        (('name = "x"', 'name = "x"\nnormalisation = "none"'), ["'lemma', 'tsar' or 'exact'"]),
        (('name = "x"', 'name = "../x"'), ["name: found"]),
        (('name = "s"', 'name = "s"\nranker = "ordre"'), ["did you mean order"]),
        (
            ('name = "s"', 'name = "s"\noot = { name = "top-n", n = 0 }'),
            ["systems[0].oot.n: found 0; expected at least 1"],
        ),
        (
            ('name = "s"', 'name = "s"\npublished = "mccarthy-navigli-2007/WordNot"'),
            ["systems[0].published: unknown system", "did you mean WordNet?"],
        ),
        (
            ("[[systems]]", "[models.lm]\nkind = 'nonsense'\n[[systems]]"),
            ["models.lm.kind: unknown model kind 'nonsense'"],
        ),
        (
            ("[[systems]]", "[models.lm]\nsame_as = 'lm'\n[[systems]]"),
            ["models.lm.same_as: no other model 'lm'"],
        ),
        (
            ("[[systems]]", "[models.lm]\nsame_as = ['a']\n[[systems]]"),
            ["models.lm.same_as: no other model ['a']"],
        ),
        (
            ("[[systems]]", "[models.lm]\nkind = ['a']\n[[systems]]"),
            ["models.lm.kind: ['a']; expected the name of a model kind"],
        ),
        (
            (
                "[[systems]]",
                "[models.lm]\nsame_as = 'ml'\n[models.mll]\nkind = 'bow'\ncorpus = ['c']\n"
                "[[systems]]",
            ),
            ["models.lm.same_as: no other model 'ml'; did you mean mll?"],
        ),
        (
            (
                "[[systems]]",
                "[models.a]\nkind = 'bow'\ncorpus = ['c']\n[models.b]\nsame_as = 'a'\n"
                "[models.c]\nsame_as = 'b'\n[[systems]]",
            ),
            ["models.c.same_as: 'b' is like another model itself; name that one"],
        ),
        (
            (
                "[[systems]]",
                "[models.a]\nkind = 'bow'\ncorpus = ['c']\n[models.b]\nsame_as = 'a'\n"
                "more.corpora = ['d']\n[[systems]]",
            ),
            ["models.b.more: 'corpora'; expected lists of 'a' that are made longer"],
        ),
        (
            (
                "[[systems]]",
                "[models.a]\nkind = 'bow'\ncorpus = ['c']\n[models.b]\nsame_as = 'a'\n"
                "more = 'd'\n[[systems]]",
            ),
            ["models.b.more: 'd'; expected lists of 'a'"],
        ),
        (
            ("[[systems]]", "[[systems]]\nname = 's'\ncandidates = 'wordnet'\n[[systems]]"),
            ["systems[1].name: 's' stands twice"],
        ),
        (
            ('"wordnet"', '{ same_as = "s" }'),
            ["systems[0].candidates.same_as: no other system 's'"],
        ),
        (
            ("[[systems]]", "[[systems]]\nname = 't'\ncandidates = { same_as = 'u' }\n[[systems]]"),
            ["systems[0].candidates.same_as: no other system 'u'"],
        ),
        (
            (
                "[[systems]]",
                "[[systems]]\nname = 't'\ncandidates = { same_as = 's', k = 1 }\n[[systems]]",
            ),
            ["systems[0].candidates.k: expected no other key"],
        ),
        (
            (
                "[[systems]]",
                "[[systems]]\nname = 't'\ncandidates = { same_as = 's' }\n[[systems]]\n"
                "name = 'v'\ncandidates = { same_as = 't' }\n[[systems]]",
            ),
            ["systems[1].candidates.same_as: 't' has its candidates from another system"],
        ),
    ],
)
def test_fault_names_key_and_fix(
    tmp_path: Path, change: tuple[str, str], expected: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, GOOD.replace(*change, 1))
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{tmp_path / 'config.toml'}: ") for line in lines)
    for text in expected:
        assert any(text in line for line in lines), lines


def test_all_faults_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("tutorial/test", "nothing/test").replace('"wordnet"', '"a"')
    text += 'ranker = "b"\nbest = "c"\nmw = "d"\n'
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert len(caught.value.problems) == 5


def test_faulty_tables_do_not_hide_the_faults_of_parts(tmp_path: Path) -> None:
    text = GOOD.replace('"wordnet"', '"wordent"').replace("tutorial/test", "tutorial/tst")
    text = 'seed = "one"\ntuning = 3\nbackend = "lokky"\n' + text
    text += (
        'rankr = "order"\n[[systems]]\nranker = "ordre"\n[[systems]]\nname = "t"\ncandidates = 1\n'
    )
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    said = [problem.split(": ", 1)[1] for problem in caught.value.problems]
    expected = [
        "seed: found", "tuning: found", "backend: unknown joblib backend 'lokky'; did you mean lok",
        "data: unknown split", "systems[0].rankr: unknown key", "systems[1].name: missing",
        "systems[1].candidates: missing", "systems[0].candidates.name: unknown",
        "systems[1].ranker.name: unknown",
    ]  # fmt: skip
    for start in expected:
        assert any(line.startswith(start) for line in said), (start, said)
    others = [line for line in said if not line.startswith(tuple(expected))]
    assert all(line.startswith("systems[2].candidates") for line in others), others


def test_all_faults_of_one_part_at_once(tmp_path: Path) -> None:
    options = 'criteria = [7], frequency = "bnc-lema", verb_relations = ["hypernym"]'
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, GOOD.replace('"wordnet"', f'{{ name = "wordnet", {options} }}'))
    said = [problem.split(": ", 1)[1] for problem in caught.value.problems]
    assert len(said) == 3
    assert all(line.startswith("systems[0].candidates: ") for line in said)
    for text in ("criteria is [7]", "did you mean bnc-lemmas", "did you mean hypernyms"):
        assert any(text in line for line in said), said


def test_one_faulty_system_is_no_empty_list_of_systems(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, GOOD.replace('name = "s"', 'name = "a b"'))
    assert len(caught.value.problems) == 1
    with pytest.raises(ConfigError, match="systems: found"):
        read(tmp_path, 'name = "x"\ndata = "tutorial/test"\nsystems = []\n')


def test_backend_of_the_command_is_checked_as_the_config_s(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean threading"):
        read(tmp_path, GOOD).with_run(2, "thread")
    assert read(tmp_path, GOOD).with_run(2, "threading").table.backend == "threading"


def test_not_toml_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"config\.toml:3: not valid TOML"):
        read(tmp_path, "name = 'x'\ndata = 'y'\nseed = = 1\n")


def test_missing_config_and_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(FileProblemError, match="no such file"):
        read_experiment(tmp_path / "none.toml")
    with pytest.raises(UnknownNameError, match="did you mean quickstart"):
        find_config("quickstrat")


def test_systems_share_a_candidate_source(tmp_path: Path) -> None:
    more = "[[systems]]\nname = 't'\ncandidates = { same_as = 's' }\nranker = 'random'\n[[systems]]"
    first, second = read(tmp_path, GOOD.replace("[[systems]]", more, 1)).systems
    assert (first.name, second.name) == ("t", "s")
    assert first.candidates == second.candidates


def test_a_model_like_another_is_as_if_written_out(tmp_path: Path) -> None:
    first = "[models.one]\nkind = 'bow'\ncorpus = ['a']\nwindow = 7\n"
    built = []
    for like in ("same_as = 'one'", "kind = 'bow'\nwindow = 7"):
        second = f"[models.two]\ncorpus = ['b']\n{like}\n"
        built.append(read(tmp_path, GOOD.replace("[[systems]]", f"{first}{second}[[systems]]")))
    likened, written = (experiment.models for experiment in built)
    assert likened == written
    assert likened["one"] != likened["two"]
    assert built[0].resolved() == built[1].resolved()


SYSTEM = '[[systems]]\nname = "{}"\ncandidates = "wordnet"\n'
TABLE = '[[tables]]\nname = "{}"\ntitle = "t"\nmeasures = "best-R"\n'
COMPARED = '[[comparisons]]\nname = "a"\ntitle = "t"\nsystems = ["s", "t"]\nmeasures = "best-R"\n'


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (SYSTEM.format("s.tuning"), "systems[1].name: 's.tuning' ends as a file"),
        (SYSTEM.format("t.ceiling"), "systems[1].name: 't.ceiling' ends as a file"),
        (SYSTEM.format("S"), "systems[1].name: 'S' stands twice"),
        (SYSTEM.format("x" * 300), "systems[1].name: found"),
        (TABLE.format("best"), "tables[0].name: 'best' is the name of a table of every run"),
        (TABLE.format("Measures"), "tables[0].name: 'Measures' is the name of a table"),
        (TABLE.format("a") * 2, "tables[1].name: 'a' is the name of tables[0]"),
        (TABLE.format("a") + COMPARED, "comparisons[0].name: 'a' is the name of tables[0]"),
        (COMPARED.replace('"t"]', '"s"]'), "comparisons[0].systems[1]: 's' stands twice"),
    ],
)
def test_names_that_would_be_the_same_file(change: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('name = "x"\ndata = "tutorial/test"\n' + SYSTEM.format("s") + change)
    with pytest.raises(ConfigError) as caught:
        read_experiment(path)
    assert any(problem in line for line in caught.value.problems), caught.value.problems


def test_texts_and_files_of_parts_are_found_beside_the_config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    (home / "texts").mkdir(parents=True)
    elsewhere.mkdir()
    for name in ("a.txt", "texts/b.txt", "thes.tsv", "named.txt"):
        (home / name).write_text("A bright boy.\n")
    (home / "config.toml").write_text(
        """
name = "c"
data = "tutorial/trial"
[resources]
"named.txt" = "thes.tsv"
[models.lm]
kind = "lm"
corpus = ["a.txt", "texts", "texts/*.txt", "named.txt", "nowhere.txt", "s3://bucket/x.txt"]
[models.registers]
kind = "registers"
texts = { one = ["a.txt"], two = ["texts"] }
[[systems]]
name = "s"
candidates = { name = "union", sources = [
    { name = "thesaurus-file", label = "a.txt", file = "thes.tsv", format = "tsv" }, "wordnet"] }
"""
    )
    monkeypatch.chdir(elsewhere)
    table = read_experiment(home / "config.toml").resolved()
    assert table["models"]["lm"]["corpus"] == [
        str(home / "a.txt"), str(home / "texts"), str(home / "texts/*.txt"), "named.txt",
        "nowhere.txt", "s3://bucket/x.txt",
    ]  # fmt: skip
    assert table["models"]["registers"]["texts"] == {
        "one": [str(home / "a.txt")], "two": [str(home / "texts")]
    }  # fmt: skip
    assert table["systems"][0]["candidates"]["sources"][0]["file"] == str(home / "thes.tsv")


@pytest.mark.parametrize("missed", ["forms", "learner", "boundary"])
def test_what_a_late_stage_imports_is_missed_before_a_model_is_trained(
    missed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsub.boundary.expected_best import ExpectedBest
    from lexsub.errors import MissingExtraError
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.languages.english.entry import English
    from lexsub.rankers.learned.learners.histogram import Histogram
    from lexsub.resources import Resources

    def lacks(self: object) -> None:
        raise MissingExtraError("somelib", "extra", "a late stage")

    kind, method = {"forms": (English, "prepare"), "learner": (Histogram, "check_extras"),
                    "boundary": (ExpectedBest, "check_extras")}[missed]  # fmt: skip
    monkeypatch.setattr(kind, method, lacks)
    (tmp_path / "text").write_text("a bright light\n")
    learned = {"forms": "", "learner": "", "boundary": ""} | {
        "learner": """
[models.learned]
kind = "learned"
data = ["tutorial/test"]
features = ["form"]
learner = "histogram"
"""
    }
    config = f"""
name = "x"
data = "tutorial/test"
tuning = "tutorial/trial"
[models.lm]
kind = "lm"
corpus = ["text"]
{learned[missed]}
[[systems]]
name = "s"
candidates = {{ name = "wordnet", frequency = "none" }}
ranker = "{"learned" if missed == "learner" else "lm" if missed == "forms" else "order"}"
oot = "{"expected-best" if missed == "boundary" else "top-n"}"
"""
    experiment = read(tmp_path, config)
    with pytest.raises(MissingExtraError, match="a late stage needs somelib"):
        run_experiment(experiment, tmp_path / "run", Resources(cache=tmp_path / "cache"))
    assert not list((tmp_path / "cache").rglob("model/*"))


WORKS_WITH = [
    ("candidates.distributional.build:ThesaurusBuilder", {"relations": ("r.tsv",)}, "duckdb"),
    ("candidates.distributional.build:ThesaurusBuilder",
     {"relations": ("r.tsv",), "tables": ("lin",)}, "numba"),
    ("candidates.distributional.build:ThesaurusBuilder", {"parse": ("text",)}, "spacy"),
    ("candidates.features.selection:SelectionFeatures", {"thesaurus": "t"}, "spacy"),
    ("candidates.features.selection:SlotFeatures", {}, "spacy"),
    ("candidates.vectors.build:VectorsBuilder", {"thesaurus": "t"}, "sklearn"),
    ("candidates.vectors.slots:SlotsBuilder", {"thesaurus": "t"}, "sklearn"),
    ("rankers.cbow.training:CbowBuilder", {"corpus": ("text",)}, "numba"),
    ("rankers.contextual.cutting:EncoderBuilder", {"weights": "w"}, "onnx"),
    ("rankers.contextual.tagging:TaggerBuilder", {"treebank": "t"}, "tokenizers"),
    ("rankers.contextual.encoder:SentenceEncoder", {"model": "m"}, "onnxruntime"),
    ("rankers.contextual.masked_lm:MaskedLm", {"model": "m"}, "torch"),
    ("rankers.contextual.causal_lm:CausalLm", {"model": "m"}, "transformers"),
    ("rankers.learned.features.context:ContextFeatures", {}, "onnxruntime"),
    ("rankers.learned.features.neural:EncoderFeatures", {"model": "m"}, "tokenizers"),
    ("rankers.learned.features.neural:MaskedFeatures", {"model": "m"}, "transformers"),
    ("rankers.learned.features.neural:CausalFeatures", {"model": "m"}, "torch"),
    ("rankers.learned.learners.lambdarank:LambdaRank", {}, "lightgbm"),
    ("rankers.learned.learners.histogram:Histogram", {}, "sklearn"),
    ("boundary.expected_f:ExpectedF", {}, "sklearn"),
    ("boundary.expected_best:ExpectedBest", {}, "sklearn"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "options", "module"), WORKS_WITH)
def test_every_part_misses_what_its_work_imports(
    place: str, options: dict[str, Any], module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: set[str] = set()

    def found(name: str) -> object:
        there.add(name)
        return None if name == module else object()

    for where in ("lexsub.errors", "lexsub.candidates.distributional.parsed"):
        monkeypatch.setattr(f"{where}.find_spec", found)
    home, _, name = place.partition(":")
    part = getattr(import_module(f"lexsub.{home}"), name)(**options)
    with pytest.raises(MissingExtraError, match="which is not installed: pip install"):
        part.check_extras()
    assert module in there
    module = "nothing"
    part.check_extras()


def test_a_parser_that_is_not_there_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    from lexsub.candidates.features.selection import SelectionFeatures

    monkeypatch.setattr("lexsub.errors.find_spec", lambda name: object())
    with pytest.raises(MissingResourceError, match="spaCy has no model 'no_such_parser_sm'"):
        SelectionFeatures("t", parser="no_such_parser_sm").check_extras()


@pytest.mark.parametrize("programs", [True, False])
def test_who_makes_kenlm_s_binaries_must_read_them(
    programs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsub.rankers.lm.training import LanguageModelBuilder

    for name in ("lmplz", "build_binary")[: 1 + programs]:
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr("lexsub.errors.find_spec", lambda name: None)
    builder = LanguageModelBuilder(("text",), lmplz=str(tmp_path / "lmplz"))
    if programs:
        with pytest.raises(MissingExtraError, match="asking a language model needs kenlm"):
            builder.check_extras()
    else:
        builder.check_extras()


def test_wordfreq_is_missed_with_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    from lexsub.candidates.wordnet import WordNetSource
    from lexsub.resources import Resources

    monkeypatch.setattr("lexsub.errors.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="frequency list 'wordfreq' needs wordfreq"):
        WordNetSource(frequency="wordfreq").inputs(Resources())


def test_what_reads_a_second_corpus_is_missed_before_the_first_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.resources import Resources

    def lacks() -> None:
        raise MissingExtraError("backports.zstd", "zstd", "reading .zst files")

    monkeypatch.setattr("lexsub.storage.compression._zstd", lacks)
    (tmp_path / "text").write_text("a bright light\n")
    (tmp_path / "more.txt.zst").write_bytes(b"")
    models = '[models]\nlm = { kind = "lm", corpus = ["text"] }\n'
    models += 'bow = { kind = "bow", corpus = ["more.txt.zst"] }\n'
    system = '[[systems]]\nname = "s"\ncandidates = { name = "wordnet", frequency = "none" }\n'
    experiment = read(tmp_path, f'name = "x"\ndata = "tutorial/test"\n{models}{system}')
    with pytest.raises(MissingExtraError, match=r"reading \.zst files needs backports\.zstd"):
        run_experiment(experiment, tmp_path / "run", Resources(cache=tmp_path / "cache"))
    assert not list((tmp_path / "cache").rglob("model/*"))


def test_libraries_are_looked_for_without_importing_them() -> None:
    # To import scikit-learn takes seconds, also in a run of which everything is kept.
    program = (
        "import sys; from lexsub.boundary.expected_best import ExpectedBest; "
        "from lexsub.boundary.expected_f import ExpectedF; "
        "from lexsub.rankers.learned.learners.histogram import Histogram; "
        "[part.check_extras() for part in (ExpectedF(), ExpectedBest(), Histogram())]; "
        "print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
    with pytest.raises(MissingExtraError, match="a boundary needs somelib"):
        look_for("no_such_module", "somelib", "extra", "a boundary")
