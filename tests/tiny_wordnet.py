"""A WordNet of nine synsets, made up for the tests, in the format of the database files."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

HEADER = "  1 This tiny database was made up for tests.  \n  2 WordNet 9.9 Copyright 2026  \n"

TINY = {
    "data.noun": HEADER
    + """\
00000100 05 n 02 animal 0 beast 1 002 ~ 00000200 n 0000 ~ 00000300 n 0000 | a thing that moves
00000200 05 n 02 dog 0 domestic_dog 0 001 @ 00000100 n 0000 | a barking thing; "one dog"; "two dogs"
00000300 05 n 01 goose 2 001 @ 00000100 n 0000 | a large bird
00000400 15 n 01 March 0 000 | a month
""",
    "data.verb": HEADER
    + """\
00000100 32 v 02 bark 0 bay 1 001 + 00000200 n 0101 02 + 02 00 + 08 02 | make the sound of a dog
""",
    "data.adj": HEADER
    + """\
00000100 00 a 01 bright 0 002 & 00000200 a 0000 ! 00000300 a 0101 | giving much light
00000200 00 s 02 shiny 0 agleam(p) 0 001 & 00000100 a 0000 | bright with light; "a shiny coin"
00000300 00 a 01 dim 0 001 ! 00000100 a 0101 | giving little light
""",
    "data.adv": HEADER
    + """\
00000100 02 r 01 brightly 0 001 \\ 00000100 a 0101 | in a bright manner
""",
    "index.noun": HEADER
    + """\
animal n 1 1 ~ 1 0 00000100
beast n 1 1 ~ 1 0 00000100
dog n 1 1 @ 1 1 00000200
domestic_dog n 1 1 @ 1 0 00000200
goose n 1 1 @ 1 0 00000300
march n 1 0 1 0 00000400
""",
    "index.verb": HEADER + "bark v 1 1 + 1 0 00000100\nbay v 1 1 + 1 0 00000100\n",
    "index.adj": HEADER
    + """\
agleam a 1 1 & 1 0 00000200
bright a 2 2 & ! 2 1 00000200 00000100
dim a 1 1 ! 1 0 00000300
shiny a 1 1 & 1 1 00000200
""",
    "index.adv": HEADER + "brightly r 1 1 \\ 1 0 00000100\n",
    "noun.exc": "geese goose\n",
    "verb.exc": "",
    "adj.exc": "",
    "adv.exc": "",
    "lexnames": "".join(f"{number:02d}\ttiny.{number}\t1\n" for number in range(45)),
    "cntlist.rev": "dog%1:05:00:: 1 42\nshiny%5:00:00:bright:00 1 3\n",
    "index.sense": "dog%1:05:00:: 00000200 1 7\ngoose%1:05:02:: 00000300 1 0\n",
}


def write_tiny(
    folder: Path, *, without: tuple[str, ...] = (), ends: str = "\n", **changed: str
) -> Path:
    """Write the files into a folder; ``data_noun="…"`` stands in for ``data.noun``."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = TINY | {name.replace("_", "."): text for name, text in changed.items()}
    for name, text in texts.items():
        if name not in without:
            (folder / name).write_bytes(text.replace("\n", ends).encode())
    return folder


def zip_tiny(path: Path, inside: str = "wordnet") -> Path:
    """Write the files into a zip, as NLTK keeps them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in TINY.items():
            archive.writestr(f"{inside}/{name}", text)
    return path


def tar_tiny(path: Path, *folders: str) -> Path:
    """Write the files into a tar.gz, once per folder; in each the version is the folder's end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for folder in folders:
            for name, text in TINY.items():
                content = text.replace("9.9", folder.rpartition("-")[2]).encode()
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return path
