"""What the folder of a finished run says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeGuard

from lexsub.errors import ConfigError, FormatError, LexsubError
from lexsub.experiments.config.experiment import Experiment
from lexsub.experiments.config.making import make_experiment
from lexsub.experiments.config.reading import read_table
from lexsub.experiments.results.renewal import refuse_unfinished
from lexsub.experiments.results.scoring import SystemScores, figures_of, measure_names
from lexsub.rankings import TASKS
from lexsub.storage.files import parse_json, read_text
from lexsub.storage.user_folders import data_folders


def finished_experiment(run: Path) -> Experiment:
    """Return the experiment of a run, from its resolved config.

    Plugins that it names are not imported: whoever looks at somebody's run does not run their
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
        raise ConfigError(problems) from error


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
    try:
        models = finished_manifest(run).get("models", {})
        return {name: Path(folder) for name, folder in models.items()}
    except (AttributeError, TypeError) as error:
        path = run / "manifest.json"
        raise FormatError(path, None, f"is not a manifest ({error}); run it again") from error


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
    try:
        parts = [[_scores(entry) for entry in document[key]] for key in ("systems", "ceilings")]
        _ = document["data"], document["gold_sha256"], document["normalisation"]
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(path, None, f"is not a run's scores ({error}); run it again") from error
    return document, parts[0], parts[1]


def _scores(entry: Mapping[str, Any]) -> SystemScores:
    figures = figures_of(entry["figures"])
    tasks = [task for task in TASKS if measure_names(task)[0] in figures]
    return SystemScores(entry["system"], tuple(tasks), figures)


def _object(path: Path, what: str) -> dict[str, Any]:
    try:
        document = parse_json(read_text(path))
    except ValueError as error:
        raise FormatError(path, None, f"is not {what} ({error}); run it again") from error
    if not isinstance(document, dict):
        raise FormatError(path, None, f"is not {what}; run it again")
    return document
