"""Options of commands that are made from the fields of a dataclass."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Literal

import click
import pytest
from click.testing import CliRunner

from lexsub.candidates.distributional.build import ThesaurusBuilder
from lexsub.candidates.vectors.build import VectorsBuilder
from lexsub.cli.lm import command as lm
from lexsub.cli.papers import coconut
from lexsub.cli.parts import options_of
from lexsub.cli.thesaurus import command as thesaurus
from lexsub.cli.vectors import command as vectors
from lexsub.experiments.papers.coconut.generation import Recipe
from lexsub.rankers.lm.training import LanguageModelBuilder
from tests.conftest import ROOT


@dataclass(frozen=True)
class Bread:
    """Something to bake.

    Attributes:
        weight: of one loaf, in grams, as :class:`fractions.Fraction` has it
            and *nobody* else.
        crust: ``thin`` or ``thick``.
        salted: salt it.
        seeds: what lies on it.
        times: minutes in the oven.
        flour: rye flour is heavy.

    More prose.
    """

    weight: int = 750
    crust: Literal["thin", "thick"] = "thin"
    salted: bool = True
    seeds: tuple[str, ...] = ()
    times: tuple[int, ...] = ()
    flour: str = ""


@click.command(cls=options_of(f"{__name__}:Bread", salted={"names": ["--salted/--plain"]}))
@click.option("--out")
@click.option("--last")
def bake(**given: Any) -> None:
    """Bake."""
    click.echo(repr(given))


def run(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(bake, arguments)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = eval(result.output)
    return found


def test_fields_become_options() -> None:
    assert run() == {"out": None, "last": None, **dataclasses.asdict(Bread())}
    given = run("--weight", "5", "--crust", "thick", "--plain", "--seeds", "a", "--seeds", "b",
                "--times", "20,5", "--flour", "rye")  # fmt: skip
    assert given["times"] == (20, 5)
    assert given["seeds"] == ("a", "b")
    assert (given["weight"], given["crust"], given["salted"]) == (5, "thick", False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--weight", "much"], "'much' is not a valid integer"),
        (["--crust", "none"], "'none' is not one of 'thin', 'thick'"),
        (["--times", "1;2"], "'1;2'; expected counts such as 0,0,1"),
    ],
)
def test_wrong_values_are_named(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(bake, arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_help_is_the_docstring_s() -> None:
    shown = " ".join(CliRunner().invoke(bake, ["--help"]).output.split())
    for text in (
        "Of one loaf, in grams, as fractions.Fraction has it and nobody else. [default: 750]",
        "[thin|thick] thin or thick. [default: thin]",
        "--salted / --plain Salt it. [default: salted]",
        "--seeds TEXT What lies on it. --times N[,N…] Minutes in the oven. --flour TEXT Rye flour",
    ):
        assert text in shown
    assert "More prose" not in shown
    assert shown.index("--out") < shown.index("--weight") < shown.index("--last")


@pytest.mark.parametrize(
    ("group", "name", "kind", "elsewhere"),
    [
        (thesaurus, "build", ThesaurusBuilder, set()),
        (lm, "train", LanguageModelBuilder, set()),
        (vectors, "build", VectorsBuilder, {"file", "format", "limit"}),
        (coconut, "make", Recipe, set()),
    ],
)
def test_a_command_offers_every_field_of_what_it_builds(
    group: click.Group, name: str, kind: type[Any], elsewhere: set[str]
) -> None:
    command = group.commands[name]
    parameters = {one.name: one for one in command.get_params(click.Context(command))}
    fields = {field.name: field.default for field in dataclasses.fields(kind)}
    assert fields.keys() - parameters.keys() == elsewhere
    changed = {
        key for key, default in fields.items()
        if key in parameters and not parameters[key].required
        and parameters[key].default not in (default, None)
    }  # fmt: skip
    assert changed <= {"prune", "kind"}  # "0" for (), and both kinds


def test_the_other_commands_start_without_the_part() -> None:
    code = (
        "import sys; from lexsub.cli import root;"
        "root.main(['thesaurus', 'neighbours', '--help'], standalone_mode=False);"
        "print('lexsub.candidates.distributional.build' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert result.stdout.endswith("\nFalse\n"), result.stderr
