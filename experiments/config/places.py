"""Where the resources that a config names are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lexsub.experiments.config.experiment import Experiment
from lexsub.printable import is_address
from lexsub.resources import Resources
from lexsub.storage.addresses import resolved


class NamedPlaces(dict[str, Path]):
    """Places of resources by name; knows which were asked for, so that a slip shows."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        super().__init__(places)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Path:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a place, or the default where the name is not known."""
        self.asked.add(name)
        return super().get(name, default)


def named_resources(experiment: Experiment, resources: Resources) -> NamedPlaces:
    """Return the places the config names, and over them those the call names."""
    folders = (experiment.folder, *resources.data)
    places = {name: place_of(path, folders) for name, path in experiment.table.resources.items()}
    return NamedPlaces(places | dict(resources.paths))


def place_of(path: str, folders: Sequence[Path]) -> Path:
    """Return where a resource of the config is: in one of the folders, or beside a data folder.

    An address stays what it is.

    One that is nowhere is left to the part that wants it, which says what it is for.
    """
    if is_address(path):
        return Path(path)
    config, *data = folders
    for base in (config, *data, *(resolved(folder).parent for folder in data)):
        if (base / path).exists():
            return base / path
    return config / path
