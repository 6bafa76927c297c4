"""Data sets and golds by name or by file: the catalogue, and what reads a data set's folder."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from lexsub.data import own_files
from lexsub.data.sources import SOURCES
from lexsub.datasets import Dataset, Gold, GoldItem, Item
from lexsub.errors import FileProblemError, LexsubError, MissingResourceError, UnknownNameError
from lexsub.formats.semeval_lines import parse_gold
from lexsub.parts.registry import Registry
from lexsub.printable import is_address
from lexsub.storage.addresses import exists, is_file
from lexsub.storage.compression import unpack
from lexsub.storage.files import STDIN, decode, read_bytes, sha256
from lexsub.storage.user_folders import data_folders


@dataclass
class FileReader:
    """Reads files of one folder and remembers their digests."""

    folder: Path
    files: dict[Path, str] = field(default_factory=dict)

    def raw(self, relative: str) -> bytes:
        """Return a file's bytes and note its sha256."""
        path = self.folder / relative
        data = read_bytes(path)
        self.files[path] = sha256(data)
        return data

    def text(self, relative: str) -> str:
        """Return a file's text and note its sha256."""
        return decode(self.raw(relative), self.folder / relative)

    def xml(self, relative: str) -> tuple[Item, ...]:
        """Read sentences in SemEval XML."""
        # Imported here, because naming a data set in a config does not need it.
        from lexsub.formats.semeval_xml import parse_semeval_xml

        return parse_semeval_xml(self.raw(relative), self.folder / relative)

    def gold(self, relative: str) -> dict[str, GoldItem]:
        """Read a gold file."""
        return parse_gold(self.text(relative), self.folder / relative)

    def unpacked(self, relative: str) -> bytes:
        """Return a file's bytes, decompressed where it is compressed; the digest is the file's."""
        return unpack(self.raw(relative), self.folder / relative)

    def dataset(
        self, name: str, items: Iterable[Item], gold: Mapping[str, GoldItem], **more: Any
    ) -> Dataset:
        """Return a split of what was read; ``more`` is what else its gold has."""
        made = Gold(name, gold, **more)
        return Dataset(name, tuple(items), made, self.files, made.language)

    def first(self, names: tuple[str, ...], hint: str) -> str:
        """Return the first of several names that exists in the folder.

        Raises:
            MissingResourceError: none of them does; ``hint`` says how to get one.
        """
        for name in names:
            if (self.folder / name).is_file():
                return name
        raise MissingResourceError(f"{self.folder} holds no {' or '.join(names)}: {hint}")


_log = logging.getLogger("lexsub")


class DatasetReader(Protocol):
    """Knows the files of one data set and reads its splits.

    One of another language than English has an attribute ``language`` (ISO 639-1) as well.
    """

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

DATASETS: Registry[DatasetReader] = Registry("data set")


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
        LexsubError: no data set's split, and no file that is there.
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
    return getattr(DATASETS[name], "language", "en") if name in DATASETS else "en"


def is_gold_file(name: str, folder: Path = Path()) -> bool:
    """Return True if a name that is no data set's means a file that is there: a gold's."""
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
    """Warn where the user named a folder of data sets and the set comes from another."""
    named = folders[0] if folders and folders[0] not in data_folders() else None
    if named is not None and folder not in (named, BUNDLED):
        _log.warning("lexsub: %s holds no data set %s; taking it from %s", named, dataset, place)


def tuning_for(name: str) -> str:
    """Return a split to learn from for data of a name: another one of its data set.

    That is trial or dev where there is one; "" of a file, or a data set of one split.
    """
    dataset, _, split = name.partition("/")
    if own_files.is_own_file(name) or dataset not in DATASETS:
        return ""
    others = [f"{dataset}/{other}" for other in DATASETS[dataset].splits if other != split]
    first = [other for other in others if other.endswith(("/trial", "/dev"))]
    return next(iter([*first, *others]), "")


def load(name: str, folders: Sequence[Path], language: str | None = None) -> Dataset:
    """Read a data set split by name.

    Args:
        name: ``dataset/split``, as ``semeval2007/test``, a file of your own
            (:mod:`lexsub.formats.own_data`), or a gold's file, whose items have no sentences.
        folders: where to look, in order; see :func:`lexsub.storage.user_folders.data_folders`.
        language: ISO 639-1 code; None for the data set's own (of a file: English).

    Raises:
        LexsubError: unknown name, missing files, files that are not what they should be, or a
            data set of another language.
    """
    if own_files.is_own_file(name):
        return own_files.read_own_file(Path(name), folders, language or "en")
    if is_gold_file(name):
        return own_files.read_gold_alone(Path(name), language or "en", folders)
    wanted = SplitName.parse(name)
    data = DATASETS[wanted.dataset].read(locate(wanted.dataset, folders), wanted.split)
    if language not in (None, data.language):
        raise LexsubError(
            f"data set {name} is in language {data.language!r}, and {language!r} is asked for"
        )
    return data


def load_gold(reference: str, folders: Sequence[Path], language: str | None = None) -> Gold:
    """Return the gold that a name or a file stands for.

    A file is a gold in SemEval's lines, a SWORDS data set (JSON), CoInCo's XML or one of lexical
    simplification (TSAR-2022, LexMTurk, BenchLS), told apart by their first line; gzip, bzip2 and
    xz are unpacked.  Multiword golds, subsets and mappings come only with a data set's name.

    Args:
        reference: ``dataset/split``, a file of your own, or a gold's file (``-``: standard input).
        folders: where data sets are searched; see :func:`lexsub.storage.user_folders.data_folders`.
        language: ISO 639-1 code; None for the data set's own (of a file: English).

    Raises:
        LexsubError: neither a known name nor a readable file of these formats.
    """
    if own_files.is_own_file(reference):
        return load(reference, folders, language).gold
    path = Path(reference)
    dataset = reference.partition("/")[0]
    if path != STDIN and not is_file(path) and (dataset in DATASETS or not exists(path)):
        if dataset not in DATASETS and (path.suffix or path.is_absolute()):
            raise FileProblemError(path, "no such file")
        try:
            return load(reference, folders, language).gold
        except UnknownNameError as error:
            if dataset in DATASETS:
                raise
            raise FileProblemError(path, f"no such file, and {error}") from error
    data = read_bytes(path)
    content = unpack(data, path)
    if content.lstrip().startswith(b"{"):
        # Imported here, because the checks of its shape take a third of a second to build.
        from lexsub.formats.swords import parse_swords

        items = parse_swords(content, path)[1]
    elif content.lstrip().startswith(b"<"):
        from lexsub.formats.coinco import parse_coinco

        items = {target.item.id: target.gold for target in parse_coinco(content, path)}
    elif own_files.text_of_simplification(content, path) is not None:
        return own_files.read_simplification(data, path, folders, language or "en").gold
    else:
        items = parse_gold(decode(content, path), path)
    return Gold(path.name, items, sha256(data), language=language or "en")
