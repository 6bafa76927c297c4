"""``lexsub doctor``: what is on this machine, and how to get what is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from lexsub.cli.common import JSON, folded, option, print_json, resource_options
from lexsub.resources import Resources

if TYPE_CHECKING:
    from rich.text import Text

    from lexsub.experiments.doctor import Finding


@click.command()
@resource_options
@option("--missing", "List only what is not here.")
@option("--all", "List all that any part can use, and every model of the cache.", into="whole")
@JSON
def command(resources: Resources, missing: bool, whole: bool, as_json: bool) -> None:
    """Say what is ready, and what is one command away; with --all, everything else as well.

    With --all or --missing, what is not here stands with what it would enable and how to get it.
    Nothing is fetched.
    """
    from lexsub.experiments.doctor import examine

    findings = examine(resources)
    if missing:
        findings = [finding for finding in findings if finding.place is None]
    if as_json:
        print_json([asdict(finding) for finding in findings])
    elif whole or missing:
        _show(findings)
    else:
        _summarise(findings)


def _summarise(findings: Sequence[Finding]) -> None:
    """Print what is ready by kind, then the commands that get more."""
    ready: dict[str, list[str]] = {}
    commands: dict[str, list[str]] = {}
    others = 0
    for finding in findings:
        if finding.place is not None:
            whole = finding.name
            if finding.kind in ("wordnet", "cache"):
                whole = f"{finding.place}, {finding.detail}"
            ready.setdefault(finding.kind, []).append(whole)
        elif command := _command(finding):
            commands.setdefault(command, []).append(finding.name)
        else:
            others += finding.kind != "experiment"
    for kind, names in ready.items():
        shown = list(dict.fromkeys(names))
        if kind == "model":
            shown = [f"{names.count(name)} of {name}" for name in shown]
        head = "ready to run: " if kind == "experiment" else f"{kind}: "
        print(folded(", ".join(shown), head, 2))
    if commands:
        print("\none command away:")
        width = max(map(len, commands))
        for command, names in commands.items():
            print(f"  {command.ljust(width)}  {', '.join(dict.fromkeys(names))}")
    if others:
        print(f"\n{others} more that you can bring: lexsub doctor --all")


def _command(finding: Finding) -> str:
    """Return the command that gets a thing as it stands, "" where there is more to it."""
    quoted = re.match(r"run '(lexsub [^']*)'", finding.get)
    command = quoted[1] if quoted else finding.get
    alone = finding.kind != "experiment" and command.startswith(("lexsub ", "pip "))
    return command if alone and "…" not in command else ""


def _show(findings: Sequence[Finding]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for kind in dict.fromkeys(finding.kind for finding in findings):
        console.print(Text(kind, style="bold"))
        for finding in findings:
            if finding.kind == kind:
                console.print(*_lines(finding), sep="\n")
    absent = sum(finding.place is None for finding in findings)
    console.print(f"{len(findings) - absent} found, {absent} missing")


def _lines(finding: Finding) -> list[Text]:
    from rich.text import Text

    here = finding.place is not None
    # The word says the same as its colour, for those who see no colours.
    head = Text.assemble("  ", ("found  " if here else "missing", "green" if here else "yellow"))
    head.append(f"  {finding.name}")
    if here:
        head.append(f"  {finding.place}")
    lines = [head]
    if finding.detail:
        lines.append(Text(f"           {finding.detail}", style="dim"))
    if not here:
        lines += [Text(f"           for {finding.enables}"), Text(f"           get {finding.get}")]
    return lines
