"""A gold by name or by file, whatever its format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexsub.data.catalogue import DATASETS, load
from lexsub.data.own_files import (
    is_own_file,
    read_simplification,
    text_of_simplification,
)
from lexsub.errors import FileProblemError, UnknownNameError
from lexsub.formats.semeval_lines import parse_gold
from lexsub.golds import Gold
from lexsub.storage.addresses import exists, is_file
from lexsub.storage.compression import unpack
from lexsub.storage.files import STDIN, decode, read_bytes, sha256


def load_gold(reference: str, folders: Sequence[Path], language: str | None = None) -> Gold:
    """Return the gold that a name or a file stands for.

    A file is a gold in SemEval's lines, a SWORDS data set (JSON), CoInCo's XML or one of lexical
    simplification (TSAR-2022, LexMTurk, BenchLS), told apart by their first line; gzip, bzip2 and
    xz are unpacked.  Multiword golds, subsets and mappings come only with a data set's name.

    Args:
        reference: ``dataset/split``, a file of one's own, or a gold's file (``-``: standard input).
        folders: where data sets are searched; see :func:`lexsub.storage.user_folders.data_folders`.
        language: ISO 639-1 code; None for the data set's own (of a file: English).

    Raises:
        LexsubError: neither a known name nor a readable file of these formats.
    """
    if is_own_file(reference):
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
    elif text_of_simplification(content, path) is not None:
        return read_simplification(data, path, folders, language or "en").gold
    else:
        items = parse_gold(decode(content, path), path)
    return Gold(path.name, items, sha256(data), language=language or "en")
