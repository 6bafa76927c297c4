"""``lexsub model``: models built, shown, handed on, and chosen."""

from __future__ import annotations

import re
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexsub.cli import common as cli
from lexsub.errors import LexsubError
from lexsub.printable import printable, spelled
from lexsub.progress import under_way
from lexsub.resources import Resources
from lexsub.storage.addresses import size
from lexsub.tables import Table
from lexsub.tables.terminal import show

if TYPE_CHECKING:
    from lexsub.models import Model

BY_RUN = "the run of its recipe"
"""Said of a figure of the run that made a model, where folds rank the lemmas that it learned from,
each without having seen them.  Other figures say themselves how they were measured."""


def _model_name(context: click.Context, parameter: click.Parameter, value: str) -> str:
    from lexsub.models import NAME

    if value and not re.fullmatch(NAME, value):
        raise click.BadParameter(f"{value!r}; expected a name as mine-2", context, parameter)
    return value


@click.group()
def command() -> None:
    """Build models, show them, hand them on, and choose the one that answers.

    A model is a folder with a system and all that it reads: candidates, language model, vectors,
    word lists, a learned ranker. lexsub suggest asks one.
    """


@command.command()
@click.argument("recipe")
@cli.DATA
@cli.out_option("Folder of the model.  [default: models/NAME]")
@cli.option(
    "--system NAME", "The system to make it of.  [default: the only one, or the only learned one]"
)
@cli.option("--run DIR", "Folder of the run that makes it.  [default: runs/NAME]", type=cli.FOLDER)
@cli.RESOURCES
@cli.WORKERS
@cli.VERBOSE
@cli.JSON
@cli.quiet_option("Print nothing but the model's folder.")
def build(
    recipe: str,
    data: Path | None,
    out: Path | None,
    run: Path | None,
    places: dict[str, Path],
    verbose: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Make a model of RECIPE: a config, which is run first, or the folder of a finished run.

    Finished stages are kept, so that a build that was interrupted goes on where it stopped. The
    same inputs give the same bytes.
    """
    from lexsub.experiments.packing.building import build_model
    from lexsub.experiments.results.run_folder import folders_of

    runs = [one for one in (run, Path(recipe)) if one is not None and one.is_dir()]
    folder = out or Path("models") / Path(recipe).stem
    echo = partial(click.echo, err=True)
    with nullcontext(echo) if verbose else under_way(folder.name) as report:
        model = build_model(
            recipe,
            folder,
            Resources(data=folders_of(runs, data), paths=places),
            run=run,
            report=None if quiet else report,
            **options,
        )
    if quiet and not as_json:
        click.echo(model.folder)
        return
    _show(model, as_json)
    if not as_json:
        click.echo(f'Try it: lexsub suggest --model {_shell(folder)} "A *bright* boy."')


@command.command()
@click.argument("reference", metavar="NAME|DIR")
@cli.JSON
def info(reference: str, as_json: bool) -> None:
    """Show what a model says of itself: its card."""
    from lexsub.models import find_model, open_model

    _show(open_model(find_model(reference)), as_json)


@command.command("list")
@cli.JSON
def list_models(as_json: bool) -> None:
    """List the models that have a name, the one that answers by default marked by a star."""
    from lexsub.models import known_models, open_model, preferred_model

    default = preferred_model()
    found: list[dict[str, Any]] = []
    for name, folder in known_models().items():
        try:
            model = open_model(folder)
            about, size = model.card.about.partition(". ")[0] or model.config["title"], _size(model)
        except LexsubError as error:
            about, size = str(error), 0
        chosen = name == default
        found.append(
            {"name": name, "folder": folder, "default": chosen, "bytes": size, "about": about}
        )
    if as_json:
        cli.print_json(found)
        return
    rows = [
        (one["name"] + " *" * one["default"], f"{one['bytes'] / 1e6:.0f} MB", one["about"])
        for one in found
    ]
    if rows:
        show([Table("Models", ("name", "unpacked", "what it is"), rows)], 80)
    else:
        click.echo(
            "no model has a name; make one with lexsub model build, take one in with "
            "lexsub model import"
        )
    if default and default not in known_models():
        click.echo(f"chosen: {default}")


@command.command()
@click.argument("reference", metavar="NAME|DIR")
@cli.out_option("The archive.  [default: NAME.zip]", "FILE")
@cli.JSON
def export(reference: str, out: Path | None, as_json: bool) -> None:
    """Write a model as one archive, to hand it on."""
    from lexsub.experiments.packing.archives import export_model
    from lexsub.models import find_model, open_model

    model = open_model(find_model(reference))
    path = out or Path(f"{model.name}.zip")
    export_model(model, path)
    length, place = size(path), spelled(path)
    cli.tell({"file": place, "bytes": length}, f"{place}: {length / 1e6:.1f} MB", as_json)


@command.command("import")
@click.argument("archive", type=cli.FILE)
@cli.option("--name", "What to call it.  [default: what it calls itself]", "", callback=_model_name)
@cli.JSON
def import_archive(archive: Path, name: str, as_json: bool) -> None:
    """Take a model from ARCHIVE into your own, if it is whole and names no code.

    One that is there already stays; another of its name is removed first (model remove).
    """
    from lexsub.experiments.packing.archives import import_model

    model = import_model(archive, name)
    cli.tell(_record(model), f"{model.folder.name}: {model.folder}", as_json)


@command.command()
@click.argument("name", metavar="NAME")
@cli.JSON
def remove(name: str, as_json: bool) -> None:
    """Remove a model of your own, as one that import took in.

    Where it was the one chosen by lexsub model use, the one that comes with lexsub answers again.
    """
    from lexsub.models import choose_model, chosen_model, preferred_model, remove_model

    folder = remove_model(name)
    text = f"{name}: removed ({spelled(folder)})"
    if chosen_model() == name:
        choose_model("")
        text += f"; {preferred_model() or 'no model'} answers from now on"
    cli.tell({"name": name, "folder": folder}, text, as_json)


@command.command()
@click.argument("reference", metavar="NAME|DIR|FILE|default")
@cli.JSON
def use(reference: str, as_json: bool) -> None:
    """Choose the model that answers where none is named.

    FILE, an archive, is imported first; "default" goes back to the model that comes with lexsub.
    """
    from lexsub.experiments.packing.archives import import_model
    from lexsub.models import choose_model, find_model, known_models, open_model, preferred_model

    if reference == "default":
        choose_model("")
        name = preferred_model()
        cli.tell({"name": name or None}, f"{name or 'no model'} answers from now on", as_json)
        return
    if Path(reference).is_file():
        reference = import_model(Path(reference)).folder.name
    model = open_model(find_model(reference))
    named = reference in known_models()
    choose_model(reference if named else str(model.folder))
    text = f"{model.name} answers from now on ({model.folder})"
    cli.tell({"name": model.name, "folder": model.folder}, text, as_json)


def _record(model: Model) -> dict[str, Any]:
    return {
        "name": model.name,
        "folder": model.folder,
        "bytes": _size(model),
        "digest": model.digest,
        "card": model.card.model_dump(mode="json"),
    }


def _size(model: Model) -> int:
    return sum(path.stat().st_size for path in model.folder.rglob("*") if path.is_file())


def _shell(path: Path) -> str:
    text = str(path)
    return text if "/" in text else f"./{text}"


def _show(model: Model, as_json: bool) -> None:
    if as_json:
        cli.print_json(_record(model))
        return
    card = model.card
    trained = card.trained.values()
    learned = (f"{', '.join(one['data'])} ({one['targets']} targets)" for one in trained)
    facts = {
        "what it is": card.about or model.config["title"],
        "language": card.language,
        "licence": card.licence or "not said",
        "size": f"{_size(model) / 1e6:.1f} MB",
        "made by": f"{card.made_by}: {card.command}",
        "learned from": "; ".join(learned) or "nothing",
        "digest": model.digest,
        "folder": str(model.folder),
    }
    click.echo(printable(model.name))
    for key, text in facts.items():
        click.echo(cli.folded(printable(text), f"  {key:<12}  ", 16))
    tables = []
    if card.figures:
        rows = [
            (one.data, one.measure, f"{one.value:.2f}", one.note or BY_RUN) for one in card.figures
        ]
        tables.append(Table("What it reaches", ("data", "measure", "value", ""), rows))
    if card.sources:
        made_of = [(one.name, one.licence, one.note) for one in card.sources]
        tables.append(Table("What it was made from", ("source", "licence", ""), made_of))
    if tables:
        click.echo()
        show(tables, 80)
    click.echo(f"{len(card.inputs)} inputs with their digests: --json prints them")
