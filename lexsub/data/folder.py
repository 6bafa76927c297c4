"""Reading the files of a data set's folder, with their digests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lexsub.errors import MissingResourceError
from lexsub.formats.semeval_lines import parse_gold
from lexsub.golds import GoldItem
from lexsub.items import Item
from lexsub.storage.compression import unpack
from lexsub.storage.files import decode, read_bytes, sha256


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

    def first(self, names: tuple[str, ...], hint: str) -> str:
        """Return the first of several names that exists in the folder.

        Raises:
            MissingResourceError: none of them does; ``hint`` says how to get one.
        """
        for name in names:
            if (self.folder / name).is_file():
                return name
        raise MissingResourceError(f"{self.folder} holds no {' or '.join(names)}: {hint}")
