"""Numbers that are far too large, or none, in options, configs and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

import click
import pytest
from annotated_types import Ge, Gt, Le, Lt, MinLen
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.cli import main
from lexsub.errors import ConfigError, LexsubError
from lexsub.evaluation.measure import parse_measures
from lexsub.parts.limits import (
    LIMITS,
    Positive,
    beyond_limits,
    bounds_text,
    out_of_limits,
    whole_number,
)
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


def test_the_table_is_of_the_options_of_commands() -> None:
    named = {parameter.name for name, option in NUMBERS
             for parameter in LEAVES[name].params if option in parameter.opts}  # fmt: skip
    assert named == set(LIMITS), "lexsub/parts/limits.py has the limits of commands' options"
    assert all(least <= most for least, most in LIMITS.values())


def our_parts() -> Iterator[tuple[Registry[Any], str]]:
    from lexsub.candidates.distributional.measures import MEASURES as SIMILARITIES
    from lexsub.evaluation.measure import MEASURES
    from lexsub.parts.base import BOUNDARIES, BUILDERS, DETECTORS, FEATURES, RANKERS, SOURCES
    from lexsub.rankers.learned.learners import LEARNERS

    for registry in (SOURCES, DETECTORS, BUILDERS, RANKERS, BOUNDARIES, FEATURES, LEARNERS,
                     MEASURES, SIMILARITIES):  # fmt: skip
        for name in registry.catalogue:
            if is_dataclass(registry[name]):
                yield registry, name


def bounds(hint: Any) -> Iterator[tuple[object, Callable[[Any], Any]]]:
    """Yield each bound of a type, and what makes a value of the type from one that it is for."""
    if get_origin(hint) is Annotated:
        table = get_origin(hint.__origin__) is dict
        for mark in hint.__metadata__:
            yield mark, dict if table else lambda wrong: wrong
        yield from bounds(hint.__origin__)
    elif get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        for mark, made in bounds(get_args(hint)[0]):
            yield mark, lambda wrong, made=made: (made(wrong),)
    elif get_origin(hint) is dict:
        for mark, made in bounds(get_args(hint)[1]):
            yield mark, lambda wrong, made=made: {"a": made(wrong), "b": made(wrong)}
    elif type(None) in get_args(hint):
        yield from bounds(get_args(hint)[0])


BOUNDS = [
    pytest.param(registry, name, option, mark, made, id=f"{registry.kind}: {name} {option} {mark}")
    for registry, name in our_parts()
    for option, hint in get_type_hints(registry[name], include_extras=True).items()
    if get_origin(hint) is not ClassVar
    for mark, made in bounds(hint)
    if isinstance(mark, Ge | Gt | Le | Lt | MinLen)
]


def test_every_number_of_our_parts_has_bounds() -> None:
    """But for what may be anything; and a plugin's may be anything."""
    numbers = {(registry.kind, name, option) for registry, name in our_parts()
               for option, hint in get_type_hints(registry[name]).items()
               if re.search(r"\b(int|float)\b", str(hint)) and "bool" not in str(hint)
               and option not in ("criteria", "value", "votes", "weights")}  # fmt: skip
    bounded = {(registry.kind, name, option)
               for registry, name, option, *_ in (one.values for one in BOUNDS)}  # fmt: skip
    assert len(numbers) > 120
    assert not numbers - bounded, "declare bounds of these fields"


@pytest.mark.parametrize(("registry", "name", "option", "mark", "made"), BOUNDS)
@settings(max_examples=10)
@given(beyond=st.integers(1, 10**6))
def test_what_is_beyond_a_bound_is_refused_wherever_it_is_given(
    registry: Registry[Any], name: str, option: str, mark: Any, made: Callable[[Any], Any],
    beyond: int,
) -> None:  # fmt: skip
    from lexsub.parts.build import build_part

    wrong, words = {
        Ge: lambda: (mark.ge - beyond, f"expected at least {mark.ge}"),
        Gt: lambda: (mark.gt - beyond + 1, f"expected more than {mark.gt}"),
        Le: lambda: (mark.le + beyond, f"expected at most {mark.le}"),
        Lt: lambda: (mark.lt + beyond - 1, f"expected less than {mark.lt}"),
        MinLen: lambda: ((), f"expected at least {mark.min_length} entr"),
    }[type(mark)]()
    value = made(wrong)
    with pytest.raises(ConfigError) as caught:
        build_part(registry, {"name": name, option: value}, "x")
    assert any(
        re.match(rf"x\.{option}\b.*: found .*; {words}", one) for one in caught.value.problems
    )
    part = registry[name]
    others = {one.name: None for one in fields(part)
              if one.init and MISSING is one.default is one.default_factory}  # fmt: skip
    with pytest.raises(ValueError, match=rf"^{option}\b.* is .*; {words}"):
        part(**others | {option: value})


def test_bounds_of_a_part_from_elsewhere() -> None:
    from pydantic import Field

    from lexsub.parts.base import Part

    @dataclass(frozen=True)
    class Mine(Part):
        share: Annotated[float, Field(gt=0, le=1)] = 1.0
        steps: tuple[Positive, ...] | None = None

    Mine.__annotations__ = get_type_hints(Mine, globals(), locals(), include_extras=True)
    assert Mine(0.5, (1, 2)).steps == (1, 2)
    for wrong, words in (
        ({"share": 0}, "share is 0; expected more than 0"),
        ({"share": 1.5}, "share is 1.5; expected at most 1"),
        ({"share": float("nan")}, "share is nan; expected more than 0"),
        ({"steps": (1, 0)}, r"steps\[1\] is 0; expected at least 1"),
    ):
        with pytest.raises(ValueError, match=words):
            Mine(**wrong)  # type: ignore[arg-type]
    assert bounds_text(Mine.__annotations__["share"]) == "more than 0 and at most 1"
    assert bounds_text(tuple[Positive, ...]) == "each at least 1"


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
     "features = ['form']\nlearner = { name = 'histogram', trees = 1000000000 }"],
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
    within = not out_of_limits(value)
    assert within == (-(10**9) <= value <= 10**9)


def test_limits_are_looked_for_everywhere() -> None:
    table = {"a": [{"b": 10**10}, 5], "d": [1, float("nan")], "flag": True, "b": "text", "c": "\0"}
    found = [path for path, _, _ in beyond_limits(table)]
    assert found == ["a[0].b", "d[1]", "c"]


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
