"""Measurements that were made once and written down, for the page with all results."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from lexsub.tables.writers import aligned


class Recorded(BaseModel):
    """``[[measurements]]``: figures with all that is needed to make them again."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    """Heads it."""
    commands: tuple[str, ...] = Field(min_length=1)
    """What printed the figures; DIR is the folder of data sets."""
    date: date
    """When."""
    needs: str
    """What goes in, in words; "" for nothing."""
    machine: str = ""
    """On what, where speed matters."""
    columns: tuple[str, ...] = ()
    """Headers of the figures' table, that of its rows first."""
    rows: tuple[tuple[str, ...], ...] = ()
    """Its rows, as printed."""
    notes: tuple[str, ...] = ()
    """Paragraphs below it."""


def read_recorded() -> tuple[Recorded, ...]:
    """Return the recorded measurements in the order of their file."""
    with (Path(__file__).parent / "recorded.toml").open("rb") as file:
        return tuple(Recorded(**entry) for entry in tomllib.load(file)["measurements"])


def as_section(recorded: Recorded) -> str:
    """Return a measurement as a section of Markdown."""
    commands = "; ".join(f"`{command}`" for command in recorded.commands)
    about = f"Recorded on {recorded.date}: {commands}"
    about += f"; from {recorded.needs}." if recorded.needs else "."
    about += f" {recorded.machine}" if recorded.machine else ""
    table = (aligned(recorded.columns, recorded.rows, 1),) if recorded.rows else ()
    return "\n\n".join([f"### {recorded.title}", about, *table, *recorded.notes]) + "\n"
