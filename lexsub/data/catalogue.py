"""The catalogue: data sets by name, each in a file of its own."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from lexsub.data.own_files import is_own_file, read_gold_alone, read_own_file
from lexsub.data.sources import SOURCES
from lexsub.datasets import Dataset
from lexsub.errors import FileProblemError, LexsubError, MissingResourceError, UnknownNameError
from lexsub.parts.registry import Registry
from lexsub.printable import is_address
from lexsub.storage.addresses import is_file
from lexsub.storage.user_folders import data_folders

_log = logging.getLogger("lexsub")


@runtime_checkable
class NamesLanguage(Protocol):
    """A reader that says the language of its sentences before it has read them."""

    @property
    def language(self) -> str:
        """ISO 639-1 code."""
        ...


class DatasetReader(Protocol):
    """Knows the files of one data set and reads its splits."""

    @property
    def splits(self) -> Mapping[str, str]:
        """Split name to a one-line description."""
        ...

    @property
    def marker(self) -> str:
        """A file, relative to the data set's folder, by which the folder is recognised."""
        ...

    def read(self, folder: Path, split: str) -> Dataset:
        """Read one split from the data set's folder."""
        ...


BUNDLED = Path(__file__).parent
"""Where the data sets lie that come with the package; always searched, last."""

DATASETS: Registry[DatasetReader] = Registry(
    "data set",
    {
        "lexsub.data.coinco": "coinco",
        "lexsub.data.germeval2015": "germeval2015",
        "lexsub.data.semdis2014": "semdis2014",
        "lexsub.data.semeval2007": "semeval2007 tutorial",
        "lexsub.data.swords": "swords",
        "lexsub.data.tsar2022": "tsar2022",
        "lexsub.data.twsi2": "twsi2",
    },
)


@dataclass(frozen=True, slots=True)
class SplitName:
    """A data set's name and its split, as in ``semeval2007/test``."""

    dataset: str
    split: str

    @classmethod
    def parse(cls, name: str) -> SplitName:
        """Read ``dataset/split``.

        Raises:
            LexsubError: the split is missing.
            UnknownNameError: no such data set, or no such split of it.
        """
        dataset, _, split = name.partition("/")
        reader = DATASETS[dataset]
        if not split:
            raise LexsubError(
                f"data set {name!r} names no split; expected one of "
                + ", ".join(f"{dataset}/{known}" for known in reader.splits)
            )
        if split not in reader.splits:
            raise UnknownNameError(f"split of {dataset}", split, reader.splits)
        return cls(dataset, split)


def check_name(name: str) -> None:
    """Make sure that a name can be one of data, reading nothing.

    Raises:
        LexsubError: no data set's split, and no file of one's own that is there.
    """
    path = Path(name)
    is_file_name = path.suffix or path.is_absolute() or is_address(name)
    is_set = name.partition("/")[0] in DATASETS or not is_file_name
    if is_set and not is_gold_file(name):
        SplitName.parse(name)
    elif not is_file(path):
        raise FileProblemError(name, "no such file")


def language_named(name: str) -> str:
    """Return the language of the data set of that name, reading nothing; else English."""
    name = name.partition("/")[0]
    if name in DATASETS and isinstance(reader := DATASETS[name], NamesLanguage):
        return reader.language
    return "en"


def is_gold_file(name: str, folder: Path = Path()) -> bool:
    """Say whether a name that is no data set's means a file that is there: a gold's."""
    path = Path(name) if is_address(name) else folder / name
    return name.partition("/")[0] not in DATASETS and is_file(path)


def locate(dataset: str, folders: Sequence[Path]) -> Path:
    """Return the folder of a data set: ``folder/dataset``, or a folder that is it.

    A data set that comes with the package is found without any folder.

    Raises:
        MissingResourceError: it is in none of the folders; says how to get it.
    """
    marker = DATASETS[dataset].marker
    for folder in (*folders, BUNDLED):
        for place in (folder / dataset, folder):
            if (place / marker).is_file():
                _note_elsewhere(dataset, folders, folder, place)
                return place
        if (folder / dataset).is_dir():
            # The set of another folder would give figures of data that the user did not name.
            raise MissingResourceError(
                f"{folder / dataset} is no folder of {dataset}: it holds no {marker}; put its "
                "files there, or give the folder another name"
            )
    searched = ", ".join(str(folder) for folder in folders)
    way = (
        f"run 'lexsub data get {dataset}', or give its folder"
        if dataset in SOURCES
        else "it has no address to fetch it from, so get its files by hand and give their folder"
    )
    raise MissingResourceError(
        f"data set {dataset} is in none of {searched} (looked for {dataset}/{marker}): {way} "
        "with --data or LEXSUB_DATA"
    )


def _note_elsewhere(dataset: str, folders: Sequence[Path], folder: Path, place: Path) -> None:
    """Say so where somebody named a folder of data sets and the set comes from another."""
    named = folders[0] if folders and folders[0] not in data_folders() else None
    if named is not None and folder not in (named, BUNDLED):
        _log.warning("lexsub: %s holds no data set %s; taking it from %s", named, dataset, place)


def tuning_for(name: str) -> str:
    """Return a split to learn from for data of a name: another one of its data set.

    That is trial or dev where there is one; "" of a file, or a data set of one split.
    """
    dataset, _, split = name.partition("/")
    if is_own_file(name) or dataset not in DATASETS:
        return ""
    others = [f"{dataset}/{other}" for other in DATASETS[dataset].splits if other != split]
    first = [other for other in others if other.endswith(("/trial", "/dev"))]
    return next(iter([*first, *others]), "")


def load(name: str, folders: Sequence[Path], language: str | None = None) -> Dataset:
    """Read a data set split by name.

    Args:
        name: ``dataset/split``, as ``semeval2007/test``, a file of one's own
            (:mod:`lexsub.formats.own_data`), or a gold's file, whose items have no sentences.
        folders: where to look, in order; see :func:`lexsub.storage.user_folders.data_folders`.
        language: ISO 639-1 code; None for the data set's own (of a file: English).

    Raises:
        LexsubError: unknown name, missing files, files that are not what they should be, or a
            data set of another language.
    """
    if is_own_file(name):
        return read_own_file(Path(name), folders, language or "en")
    if is_gold_file(name):
        return read_gold_alone(Path(name), language or "en", folders)
    wanted = SplitName.parse(name)
    data = DATASETS[wanted.dataset].read(locate(wanted.dataset, folders), wanted.split)
    if language not in (None, data.language):
        raise LexsubError(
            f"data set {name} is in language {data.language!r}, and {language!r} is asked for"
        )
    return data
