"""Numbers that are far too large, or none, in options, configs and files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.errors import LexsubError
from lexsub.evaluation.measure import parse_measures
from lexsub.parts.limits import LIMITS, beyond_limits, out_of_limits, whole_number
from lexsub.parts.registry import Registry
from tests.test_manners import LEAVES

CONFIG = """\
name = "x"
data = "tutorial/test"
{}
[[systems]]
name = "s"
candidates = {{ name = "wordnet", frequency = "none" }}
"""

NUMBERS = [
    (name, parameter.opts[0])
    for name, command in sorted(LEAVES.items())
    for parameter in command.params
    if parameter.type.name in ("integer", "float", "integer range", "float range")
]


@pytest.mark.parametrize(("name", "option"), NUMBERS)
@pytest.mark.parametrize("value", ["1000000000000", "-1000000000000", "nan", "1e400"])
def test_every_option_has_limits(name: str, option: str, value: str) -> None:
    command = LEAVES[name]
    parameter = next(one for one in command.params if option in one.opts)
    context = click.Context(command)
    with pytest.raises(click.BadParameter):
        parameter.process_value(context, [value] if parameter.multiple else value)


def test_every_number_is_in_the_table() -> None:
    """Those of options and of our own parts; a plugin's may be anything."""
    from dataclasses import fields
    from typing import get_type_hints

    from lexsub.evaluation.measure import MEASURES
    from lexsub.parts.base import BOUNDARIES, BUILDERS, DETECTORS, FEATURES, RANKERS, SOURCES
    from lexsub.rankers.learned.learners import LEARNERS

    registries: list[Registry[Any]] = [
        SOURCES, DETECTORS, BUILDERS, RANKERS, BOUNDARIES, FEATURES, LEARNERS, MEASURES,
    ]  # fmt: skip
    named = {next(p.name for p in LEAVES[name].params if option in p.opts)
             for name, option in NUMBERS}  # fmt: skip
    for registry in registries:
        for name in registry.catalogue:
            kind = registry[name]
            if isinstance(kind, type) and is_dataclass(kind):
                hints = get_type_hints(kind)
                named |= {one.name for one in fields(kind)
                          if one.init and re.search(r"\b(int|float)\b", str(hints[one.name]))
                          and "bool" not in str(hints[one.name])}  # fmt: skip
    assert len(named) > 80
    without = {name for name in named if name and name not in LIMITS}
    assert not without, f"give limits to {without} in lexsub/parts/limits.py"
    assert all(least <= most for least, most in LIMITS.values())


def test_what_is_below_nought_is_refused_wherever_it_is_given() -> None:
    from lexsub.parts.base import BUILDERS
    from lexsub.parts.build import build_part

    with pytest.raises(LexsubError, match=r"x.vocabulary: found -20; expected a number from 0"):
        build_part(BUILDERS, {"name": "lm", "corpus": ["t.txt"], "vocabulary": -20}, "x")
    assert out_of_limits("vocabulary", -1)
    assert not out_of_limits("value", -1)
    # In a table by other names that of the table counts.
    assert [path for path, _, _ in beyond_limits({"weights": {"swords/dev": -1.0}})] == []
    assert [path for path, _, _ in beyond_limits({"prune": {"a": -1}})] == ["prune.a"]


def test_defaults_are_within_limits() -> None:
    for name, option in NUMBERS:
        command = LEAVES[name]
        parameter = next(one for one in command.params if option in one.opts)
        context = click.Context(command)
        parameter.process_value(context, parameter.get_default(context))


@pytest.mark.parametrize(
    "line",
    [f"workers = {'9' * 5000}", "workers = 100000", "workers = 1e400", "seed = inf", "seed = nan",
     "seed = -1", "seed = 5000000000",
     f"[models.m]\nkind = 'lm'\ncorpus = ['x.txt']\nvocabulary = {'9' * 400}",
     "[models.m]\nkind = 'lm'\ncorpus = ['x.txt']\nmemory = inf",
     "[models.m]\nkind = 'learned'\ndata = ['tutorial/trial']\n"
     "learner = { name = 'histogram', trees = 1000000000 }"],
)  # fmt: skip
def test_numbers_of_configs(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.toml").write_text(CONFIG.format(line))
    with pytest.raises(SystemExit) as stopped:
        main(["run", "x.toml"])
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert "x.toml: " in err
    assert len(err.splitlines()) == 1, err
    assert len(err) < 500
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [("F@1..100000", "100000 cut-offs; expected at most 1000"),
     ("P@1000000000000", "expected a number from"), (f"P@{'9' * 5000}", "expected a number from"),
     (f"GAP F@1..{'9' * 5000}", "expected a number from"),
     ("semdis@10", "stands for several measures")],
)  # fmt: skip
def test_numbers_of_measures(text: str, problem: str) -> None:
    with pytest.raises(LexsubError, match=problem):
        parse_measures(text)
    assert len(parse_measures("F@1..1000")) == 1000


@given(st.one_of(st.integers(), st.floats()))
def test_limits_hold_for_any_number(value: float) -> None:
    """NaN compares with nothing, which is where hand-written bounds fail."""
    within = not out_of_limits("anything", value)
    assert within == (-(10**9) <= value <= 10**9)


def test_limits_are_looked_for_everywhere() -> None:
    table = {"a": [{"seed": -1}, 5], "trees": [1, 10**6], "flag": True, "b": "text", "c": "\0"}
    found = [path for path, _, _ in beyond_limits(table)]
    assert found == ["a[0].seed", "trees[1]", "c"]


@given(st.text(alphabet="0123456789٣²-+ ", max_size=25))
def test_counts_of_files(text: str) -> None:
    expected = int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
    assert whole_number(text) == expected
    assert whole_number(text.encode()) == expected


def _bnc(path: Path) -> object:
    from lexsub.frequency.lists import read_lemma_list

    return read_lemma_list(f"1 {'9' * 5000} bright a\n", path)


def _vectors(path: Path) -> object:
    from lexsub.vectors.files import convert

    path.write_text(f"{'9' * 5000} 2\nbright 1 2\n")
    return convert(path, path.parent / "v", "word2vec-text", 0)


def _head(path: Path) -> object:
    from lexsub.candidates.distributional.parsed import conllu_sentences
    from lexsub.corpus.reader import Corpus

    path.write_text(f"1\tcats\tcat\tNOUN\t_\t_\t{'9' * 5000}\tnsubj\t_\t_\n")
    return list(conllu_sentences(Corpus((path,))))


@pytest.mark.parametrize("read", [_bnc, _vectors, _head])
def test_counts_of_thousands_of_digits(read: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(LexsubError):
        read(tmp_path / "x")


@pytest.mark.parametrize(
    ("key", "value"),
    [("plugins", r'["a\u0000b.py"]'), ("data", r'"tutorial/\u0000"'), ("tuning", r'"\u0000/test"'),
     ("resources", r'{ "wordnet" = "a\u0000b" }')],
)  # fmt: skip
def test_nul_in_a_name(
    key: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEXSUB_CACHE", str(tmp_path / "cache"))
    text = CONFIG.replace('data = "tutorial/test"', "") if key == "data" else CONFIG
    Path("x.toml").write_text(text.format(f"{key} = {value}"))
    with pytest.raises(SystemExit) as stopped:
        main(["run", "x.toml"])
    err = capsys.readouterr().err
    assert stopped.value.code == 2, err
    assert err.startswith("lexsub: ")


def test_deep_json_is_an_error() -> None:
    from lexsub.storage.files import parse_json

    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json("[" * 100_000)
