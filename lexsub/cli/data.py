"""``lexsub data``: list data sets, get them, say where they are and what they hold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from lexsub.cli.common import DATA, FILE, FOLDER, JSON, LANGUAGE, NO_FILE, option, print_json, tell
from lexsub.data.catalogue import DATASETS, load, locate
from lexsub.data.own_files import is_own_file
from lexsub.data.sources import SOURCES, RemoteFile, Source, find_source
from lexsub.datasets import PARTS_OF_SPEECH
from lexsub.errors import DownloadError, LexsubError, MissingResourceError, UnknownNameError
from lexsub.formats.own_data import SUFFIXES
from lexsub.printable import printable
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders, user_cache, user_data


@click.group()
def command() -> None:
    """List data sets, get them, say where they are and what they hold."""


@command.command("list")
@DATA
@JSON
def list_sets(data: Path | None, as_json: bool) -> None:
    """List all data sets known by name, and where they were found."""
    folders = data_folders(data)
    rows = [_summary(name, folders) for name in sorted({*DATASETS, *SOURCES})]
    if as_json:
        print_json(rows)
        return
    widths = [max(len(row["name"]) for row in rows), max(len(_splits(row)) for row in rows)]
    for row in rows:
        missing = f"lexsub data get {row['name']}" if row["name"] in SOURCES else "not found"
        name, splits = row["name"].ljust(widths[0]), _splits(row).ljust(widths[1])
        print(f"{name}  {splits}  {row['folder'] or missing}")


@command.command()
@click.argument("name")
@DATA
@JSON
def where(name: str, data: Path | None, as_json: bool) -> None:
    """Print the folder of a data set."""
    _print_folder(_find(name, data_folders(data)), as_json)


@command.command()
@click.argument("name")
@DATA
@JSON
def info(name: str, data: Path | None, as_json: bool) -> None:
    """Tell a data set's splits, licence, addresses and, where it is found, its counts."""
    folders = data_folders(data)
    summary = _summary(name, folders)
    if summary["folder"] and name in DATASETS:
        for split in summary["splits"]:
            try:
                loaded = load(f"{name}/{split}", folders)
            except MissingResourceError as error:  # some splits come in files of their own
                counts: dict[str, Any] = {"missing": str(error)}
            else:
                counts = {
                    "items": len(loaded.items),
                    "gold": len(loaded.gold.items),
                    "multiwords": len(loaded.gold.multiwords),
                    "gold_sha256": loaded.gold.sha256,
                }
            summary["splits"][split] = {"about": summary["splits"][split], **counts}
    if as_json:
        print_json(summary)
        return
    print(f"{name}: {summary['folder'] or summary['missing']}")
    for split, about in summary["splits"].items():
        if isinstance(about, str):
            print(f"  {name}/{split}: {about}")
        elif "missing" in about:
            print(f"  {name}/{split}: {about['about']}; {about['missing']}")
        else:
            print(
                f"  {name}/{split}: {about['about']}; {about['items']} items, {about['gold']} "
                f"with gold, {about['multiwords']} with a multiword gold"
            )
    if summary["licence"]:
        print(f"  licence: {summary['licence']}")
    for file in summary["files"]:
        print(f"  {file['url']}")
        size = f"{file['size']} bytes" if file["size"] else "size unknown"
        print(f"    sha256 {file['sha256']}, {size}")


@command.command()
@click.argument("file", type=FILE)
@DATA
@LANGUAGE
@JSON
def check(file: Path, data: Path | None, language: str | None, as_json: bool) -> None:
    """Say what is understood of a FILE of your own (.jsonl, .csv or .tsv).

    A row is an item; columns: sentence (the target in *stars*, or its start and end, or the
    word as target), pos (n, v, a, r), lemma, id, substitutes (clever 3; intelligent 2).
    """
    if not is_own_file(str(file)):
        raise LexsubError(f"{file}: expected a name that ends in {', '.join(SUFFIXES)}")
    found = load(str(file), data_folders(data), language)
    golds = list(found.gold.items.values())
    answers = [answer for gold in golds for answer in gold.weights]
    summary = {
        "file": str(file),
        "items": len(found.items),
        "targets": len({str(item.lexelt) for item in found.items}),
        **{pos: sum(item.pos == pos for item in found.items) for pos in PARTS_OF_SPEECH},
        "gold": len(golds),
        "substitutes": len(answers),
        "multiwords": sum(" " in answer for answer in answers),
        "mode": sum(gold.mode is not None for gold in golds),
    }
    first: list[dict[str, Any]] = [
        {
            "id": item.id,
            "lexelt": str(item.lexelt),
            "target": item.target,
            "gold": dict(gold.weights) if (gold := found.gold.items.get(item.id)) else {},
        }
        for item in found.items[:3]
    ]
    if as_json:
        print_json({**summary, "first": first})
        return
    poses = ", ".join(f"{summary[pos]} {name}s" for pos, name in PARTS_OF_SPEECH.items())
    print(f"{file}: {summary['items']} items of {summary['targets']} targets ({poses})")
    print(
        f"gold of {summary['gold']} items, {summary['mode']} with a mode: "
        f"{summary['substitutes']} substitutes, {summary['multiwords']} of several words"
    )
    for row in first:
        given = "; ".join(f"{answer} {count:g}" for answer, count in row["gold"].items())
        line = f"{row['id']} {row['lexelt']} [{row['target']}]: {given or 'no gold'}"
        print(f"  {printable(line)}")
    if len(found.items) > len(first):
        print(f"  and {len(found.items) - len(first)} more")


@command.command()
@click.argument("name")
@option(
    "--from",
    "A file (or folder of files) got by other means, instead of a download.",
    into="given",
    type=FOLDER,
)
@option(
    "--to",
    "Folder of data sets to put it into [default: the user's own].",
    into="folder",
    type=NO_FILE,
)
@option(
    "--base-url TEXT",
    "Fetch BASE/FILENAME from a mirror instead of the official address (LEXSUB_MIRROR).",
    envvar="LEXSUB_MIRROR",
)
@option("--sha256 TEXT", "Digest to expect instead of the pinned one (one-file sets only).")
@option("--force", "Get it again even if it is there.")
@click.option("--attempts", default=4, type=click.IntRange(1, 100))
@option(
    "--timeout",
    "Seconds without a byte before an attempt is given up.",
    30.0,
    type=click.FloatRange(0.1, 3600),
)
@JSON
def get(
    name: str,
    given: Path | None,
    folder: Path | None,
    base_url: str | None,
    sha256: str | None,
    force: bool,
    attempts: int,
    timeout: float,
    as_json: bool,
) -> None:
    """Fetch a data set into the user's data folder and print where it is.

    The file is checked against a pinned sha256 and unpacked whole or not at all. A broken
    download goes on where it stopped. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are respected.
    """
    from lexsub.data.download import Patience, download
    from lexsub.data.install import install, install_local, is_installed

    say = partial(click.echo, err=True)
    source = _source(name, base_url, sha256)
    folder = folder or user_data()
    if is_installed(source, folder) and not force:
        say(f"{name} is there already (--force gets it again)")
        _print_folder(folder / name, as_json)
        return
    say(f"{name}: {source.licence}")
    if given is not None:
        _print_folder(install_local(source, folder, given), as_json)
        return
    patience = Patience(attempts=attempts, stall=timeout, connect=min(timeout, 10))

    def fetch(file: RemoteFile, place: Path) -> None:
        say(f"fetching {file.url}")
        download(file, place, patience=patience, note=say)

    try:
        place = install(source, folder, user_cache() / "downloads", fetch)
    except DownloadError as error:
        file_name = error.url.rsplit("/", 1)[-1]
        raise DownloadError(
            error.url,
            f"{error.problem}; or get the file by other means and run "
            f"'lexsub data get {name} --from {file_name}'",
        ) from error
    _print_folder(place, as_json)


def _source(name: str, base_url: str | None, sha256: str | None) -> Source:
    """Return the source of a data set with the user's overrides."""
    if name not in SOURCES and name in DATASETS:
        raise LexsubError(
            f"data set {name} has no address to fetch it from: it comes with lexsub, or must be "
            f"put into a data folder by hand (see 'lexsub data info {name}')"
        )
    source = find_source(name)
    files = source.files
    if base_url:
        files = tuple(file.at(base_url) for file in files)
    if sha256:
        if len(files) != 1:
            raise LexsubError(f"--sha256: {name} consists of {len(files)} files; expected one")
        if len(sha256) != 64 or not set(sha256.lower()) <= set("0123456789abcdef"):
            raise LexsubError(f"--sha256: {sha256!r} is no SHA-256; expected 64 hex digits")
        files = (replace(files[0], sha256=sha256.lower(), size=None),)
    return replace(source, files=files)


def _find(name: str, folders: tuple[Path, ...]) -> Path:
    if name in DATASETS:
        return locate(name, folders)
    if name not in SOURCES:
        raise UnknownNameError("data set", name, {*DATASETS, *SOURCES})
    return Resources(data=folders).find(name, f"run 'lexsub data get {name}'")


def _summary(name: str, folders: tuple[Path, ...]) -> dict[str, Any]:
    """Return name, folder (or None), splits, licence and files of a data set."""
    try:
        folder: str | None = str(_find(name, folders))
        missing = None
    except MissingResourceError as error:
        folder, missing = None, f"not on this machine: {error}"
    source = SOURCES.get(name)
    return {
        "name": name,
        "folder": folder,
        "missing": missing,
        "splits": dict(DATASETS[name].splits) if name in DATASETS else {},
        "licence": source.licence if source else None,
        "files": [
            {"url": file.url, "sha256": file.sha256, "size": file.size}
            for file in (source.files if source else ())
        ],
    }


def _splits(row: dict[str, Any]) -> str:
    return " ".join(row["splits"]) or "(files only)"


def _print_folder(folder: Path, as_json: bool) -> None:
    tell({"folder": folder}, folder, as_json)
