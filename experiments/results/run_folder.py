"""The folder of a run: replaced as a whole, and read when it is finished.

All that goes into the folder is made before any of it is written.  While files are replaced, a
file ``UNFINISHED`` stands beside them; if a call is killed then, old and new files are mixed, and
whoever reads the folder refuses it.  Files of an earlier run that this one does not write are
removed: the manifest lists what a run has written.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeGuard

from lexsub.errors import ConfigError, FormatError, LexsubError, well_formed
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.reading import make_experiment, read_table
from lexsub.experiments.results.scoring import SystemScores, figures_of, measure_names
from lexsub.printable import is_address
from lexsub.rankings import TASKS
from lexsub.storage.addresses import check_writable, exists, put_folder, remove, resolved
from lexsub.storage.files import LAST, parse_json, read_text, sweep, write_text
from lexsub.storage.user_folders import data_folders

MARK = "UNFINISHED"

_TEXT = """\
lexsub is replacing the files of this run's folder, or was stopped while it did: old and new ones
may be mixed. Run it again. It writes or removes:

"""


@contextmanager
def renewing(folder: Path, names: Iterable[str]) -> Iterator[None]:
    """Mark a run's folder as unfinished until the block ends without an error.

    Args:
        folder: the run's.
        names: all files that are written or removed, so that the next run knows them.

    Raises:
        FileProblemError: the disk refuses.
    """
    write_text(folder / MARK, _TEXT + "".join(f"{name}\n" for name in sorted(names)))
    for inside in (folder, *(path for path in folder.iterdir() if path.is_dir())):
        sweep(inside)
    # The report describes all the other files: an old one must not stand beside new ones.
    (folder / "report.html").unlink(missing_ok=True)
    yield
    (folder / MARK).unlink(missing_ok=True)


@contextmanager
def folder_to_fill(folder: Path) -> Iterator[Path]:
    """Give out the folder to write a run's files into; they are put to an address in the end.

    There, too, ``UNFINISHED`` stands beside the files while they are replaced, the manifest comes
    last, and files of an earlier run are removed.

    Args:
        folder: of the run, here or an address.

    Raises:
        FileProblemError: nothing can be written at the address; said before the block begins.
    """
    if not is_address(folder):
        yield folder
        return
    check_writable(folder)
    with tempfile.TemporaryDirectory(prefix="lexsub-") as home:
        made = Path(home) / folder.name
        made.mkdir()
        yield made
        before = written_before(folder)
        names = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
        write_text(folder / MARK, _TEXT + "".join(f"{one}\n" for one in sorted(before | names)))
        put_folder(made, folder, LAST)
        for name in before - names:
            if ".." not in Path(name).parts and not Path(name).is_absolute():
                remove(folder / name)
        remove(folder / MARK)


def rankings_file(run: Path, system: str, *, tuning: bool = False) -> Path:
    """Return where a run keeps a system's rankings of its data, or of the tuning split."""
    return run / "rankings" / f"{system}{'.tuning' if tuning else ''}.jsonl"


def refuse_unfinished(folder: Path) -> None:
    """Make sure that a run's folder is one run's.

    Raises:
        FormatError: it says that it is not finished.
    """
    if exists(folder / MARK):
        why = "it is under way, or was stopped while its files were written"
        problem = f"this run is not finished (it holds {MARK}): {why}; run it again"
        raise FormatError(folder, None, problem)


def written_before(folder: Path) -> frozenset[str]:
    """Return the files that earlier runs wrote: their manifest lists them, or their mark."""
    names: list[object] = []
    with suppress(LexsubError, ValueError, KeyError, TypeError, RecursionError):
        names += json.loads(read_text(folder / "manifest.json"))["files"]
    with suppress(LexsubError):
        names += read_text(folder / MARK).partition("\n\n")[2].splitlines()
    return frozenset(name for name in names if isinstance(name, str))


def remove_stale(folder: Path, names: Iterable[str]) -> None:
    """Remove files of an earlier run; nothing outside the folder, whatever a manifest says."""
    home = resolved(folder)
    for name in names:
        path = resolved(folder / name)
        if path.is_relative_to(home) and path.is_file():
            path.unlink()


def finished_experiment(run: Path) -> Experiment:
    """Return the experiment of a run, from its resolved config.

    Plugins that it names are not imported: looking at another person's run does not run their
    code.  Those that the call itself names (``--plugin``) are there already.

    Raises:
        FileProblemError: there is no such file: the folder is no run's.
        FormatError: it is not TOML, or the run is not finished.
        ConfigError: it holds what is no config, or parts of plugins that are not loaded.
    """
    refuse_unfinished(run)
    path = run / "config.toml"
    table = read_table(path)
    try:
        return make_experiment(table, run, with_plugins=False)
    except ConfigError as error:
        problems = [f"{path}: {problem}" for problem in error.problems]
        if table.get("plugins"):
            named = " ".join(f"--plugin {plugin}" for plugin in table["plugins"])
            problems.append(
                f"{path}: the run was made with plugins, and reading a run imports none unless "
                f"asked to: {named}"
            )
        raise ConfigError(*problems) from error


def finished_manifest(run: Path) -> dict[str, Any]:
    """Return the manifest of a run.

    Raises:
        FileProblemError: there is none.
        FormatError: it is not a manifest.
    """
    refuse_unfinished(run)
    return _object(run / "manifest.json", "a manifest")


def folders_of(runs: Sequence[Path], given: Path | None) -> tuple[Path, ...]:
    """Return the folders searched for data sets of finished runs: those given, then the runs' own.

    Behind them stand the usual ones (:func:`lexsub.storage.user_folders.data_folders`).
    """
    known: list[Path] = []
    for run in runs:
        with suppress(LexsubError):  # Whoever reads the run says what is wrong with it.
            named = finished_manifest(run).get("data")
            known += [Path(one) for one in named] if _are_texts(named) else []
    usual = data_folders(given)
    own = [folder for folder in known if folder.is_dir() and folder not in usual]
    first = 0 if given is None else 1
    return (*usual[:first], *dict.fromkeys(own), *usual[first:])


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def finished_models(run: Path) -> dict[str, Path]:
    """Return the folders of a run's models by name; see :func:`finished_manifest`."""
    models = finished_manifest(run).get("models", {})
    with well_formed(run / "manifest.json", "is not a manifest", "; run it again"):
        return {name: Path(folder) for name, folder in models.items()}


def finished_scores(
    run: Path,
) -> tuple[dict[str, Any], Sequence[SystemScores], Sequence[SystemScores]]:
    """Return the document of a run's figures, and in it the systems' and the ceilings'.

    Raises:
        FileProblemError: there is none.
        FormatError: it holds something else.
    """
    refuse_unfinished(run)
    path = run / "scores.json"
    document = _object(path, "a run's scores")
    with well_formed(path, "is not a run's scores", "; run it again"):
        parts = [[_scores(entry) for entry in document[key]] for key in ("systems", "ceilings")]
        _ = document["data"], document["gold_sha256"], document["normalisation"]
    return document, parts[0], parts[1]


def _scores(entry: Mapping[str, Any]) -> SystemScores:
    figures = figures_of(entry["figures"])
    tasks = [task for task in TASKS if measure_names(task)[0] in figures]
    return SystemScores(entry["system"], tuple(tasks), figures)


def _object(path: Path, what: str) -> dict[str, Any]:
    with well_formed(path, f"is not {what}", "; run it again"):
        document = parse_json(read_text(path))
    if not isinstance(document, dict):
        raise FormatError(path, None, f"is not {what}; run it again")
    return document
