"""Everything a report is made of, read from the folders of finished runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from lexsub.data.catalogue import load
from lexsub.datasets import Dataset
from lexsub.errors import LexsubError, well_formed
from lexsub.evaluation.comparison import Comparison
from lexsub.experiments.config.experiment import Experiment, System
from lexsub.experiments.results import run_folder
from lexsub.experiments.results.scoring import Details, SystemScores, read_details
from lexsub.formats.jsonl import read_rankings
from lexsub.formats.semeval_lines import read_submission
from lexsub.rankings import Ranking, Submission, Task
from lexsub.storage.addresses import resolved
from lexsub.storage.files import file_sha256
from lexsub.tables import Table
from lexsub.tables.value import letter

T = TypeVar("T")


def _titled(experiment: Experiment, entry: Mapping[str, Any]) -> tuple[str, Comparison]:
    """Return a comparison that stands in a run's scores, below the title that its config gives."""
    titles = {one.name: one.title for one in experiment.table.comparisons}
    name = str(entry["name"])
    return titles.get(name, name), Comparison.of_json(entry)


def _read_all(
    entries: Iterable[Any], what: str, read: Callable[[Any], T], path: Path
) -> tuple[T, ...]:
    """Read entries of a run's scores, each called so in messages.

    Raises:
        FormatError: an entry is none.
    """
    with well_formed(path, f"holds a {what} that is none", "; run it again"):
        return tuple(map(read, entries))


@dataclass(frozen=True, slots=True)
class RunSystem:
    """One system of a run.

    Attributes:
        letter: stands for it where there is no room for the name: A, B, … Z, AA …
        name: its name, with the run's before it where two runs have one of that name.
        part: its parts.
        scores: its figures.
        ceiling: those of a perfect ranker over its candidates.
        rankings: its rankings by item id; empty where the run did not write them (it looks at
            the gold).
        tuning: its rankings of the tuning split by item id.
        answers: its submissions by task; empty likewise.
        details: origins and score parts by item id, where the run has written them.
    """

    letter: str
    name: str
    part: System
    scores: SystemScores
    ceiling: SystemScores
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    tuning: Mapping[str, Ranking] = field(default_factory=dict)
    answers: Mapping[Task, Submission] = field(default_factory=dict)
    details: Mapping[str, Details] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run.

    Attributes:
        folder: where its files are.
        experiment: its config.
        manifest: what it says of versions, inputs and stages.
        systems: its systems, in the config's order.
        comparisons: the comparisons its config asks for, each behind its title.
        tables: the further tables its config asks for.
        tests: of all pairs of its systems; None where it has none.
    """

    folder: Path
    experiment: Experiment
    manifest: Mapping[str, Any]
    systems: tuple[RunSystem, ...]
    comparisons: tuple[tuple[str, Comparison], ...] = ()
    tables: tuple[Table, ...] = ()
    tests: Comparison | None = None

    @property
    def title(self) -> str:
        """The experiment's title, or else its name."""
        return self.experiment.table.title or self.experiment.table.name

    def config(self) -> str:
        """Return the resolved config as TOML, less what cannot change a result."""
        table = self.experiment.resolved()
        return tomli_w.dumps({k: v for k, v in table.items() if k not in ("workers", "backend")})


@dataclass(frozen=True, slots=True)
class ReportedRuns:
    """Runs on the same data, under the same normalisation.

    Attributes:
        data: sentences and gold.
        normalisation: how answers are compared with the gold.
        runs: the runs.
        data_folders: where data sets are looked for.
    """

    data: Dataset
    normalisation: str
    runs: tuple[Run, ...]
    data_folders: tuple[Path, ...] = ()

    @property
    def systems(self) -> tuple[RunSystem, ...]:
        """The systems of all runs."""
        return tuple(system for run in self.runs for system in run.systems)

    @property
    def answering(self) -> tuple[RunSystem, ...]:
        """The systems whose rankings and answers are there."""
        return tuple(system for system in self.systems if system.rankings)

    @property
    def generating(self) -> tuple[RunSystem, ...]:
        """Those of them whose candidates are known, more than another program's answers."""
        return tuple(system for system in self.answering if system.part.has_candidates)

    def answers(self) -> dict[str, Any]:
        """Return what the answering systems answer, as evaluation takes it."""
        return {
            system.name: {"ranking": list(system.rankings.values()), **system.answers}
            for system in self.answering
        }


def read_runs(
    folders: Sequence[Path], data_folders: Sequence[Path], data: Dataset | None = None
) -> ReportedRuns:
    """Read finished runs.

    Args:
        folders: their folders.
        data_folders: where the data set is looked for.
        data: the data set, where it has been read already.

    Raises:
        FileProblemError: a folder is no run's.
        FormatError: a file of it is damaged.
        LexsubError: the runs are of different data or normalisations, or the data have changed.
    """
    experiments = [run_folder.finished_experiment(folder) for folder in folders]
    documents = [run_folder.finished_scores(folder) for folder in folders]
    first, *others = [document for document, _, _ in documents]
    for folder, other in zip(folders[1:], others, strict=True):
        if any(other[key] != first[key] for key in SCORED):
            raise LexsubError(
                f"{folders[0]} scores {_about(first)}, {folder} {_about(other)}; "
                "expected runs on the same data, under the same normalisation"
            )
    policy, table = str(first["normalisation"]), experiments[0].table
    data = (data or load(table.data, data_folders, table.language)).under(policy)
    if data.gold.sha256 != first["gold_sha256"]:
        raise LexsubError(
            f"{folders[0]} was scored against another gold of {data.name} "
            f"({first['gold_sha256'][:8]}) than the one found now "
            f"({data.gold.sha256[:8]}); run it again"
        )
    files: Read = {}
    names = Counter(system.name for one in experiments for system in one.systems)
    letters = map(letter, count())
    runs = []
    for folder, experiment, scored, prefix in zip(
        folders, experiments, documents, _short(folders), strict=True
    ):
        document, *figures = scored
        expected = [system.name for system in experiment.systems]
        if any([one.name.removesuffix(".ceiling") for one in of] != expected for of in figures):
            raise LexsubError(
                f"{folder}: scores.json and config.toml name different systems; run it again"
            )
        systems = []
        for part, scores, ceiling in zip(experiment.systems, *figures, strict=True):
            name = f"{prefix}/{part.name}" if names[part.name] > 1 else part.name
            system = RunSystem(next(letters), name, part, scores, ceiling)
            systems.append(_with_files(system, folder, files))
        path, titled = folder / "scores.json", partial(_titled, experiment)
        tests = [document["tests"]] if "tests" in document else []
        runs.append(
            Run(
                folder,
                experiment,
                run_folder.finished_manifest(folder),
                tuple(systems),
                _read_all(document.get("comparisons", ()), "comparison", titled, path),
                _read_all(document.get("tables", ()), "table", Table.of_json, path),
                *_read_all(tests, "test", Comparison.of_json, path),
            )
        )
    return ReportedRuns(data, policy, tuple(runs), tuple(data_folders))


SCORED = ("data", "gold_sha256", "normalisation")
"""What the runs of one report have in common."""


def _about(document: Mapping[str, Any]) -> str:
    data, gold, normalisation = (str(document[key]) for key in SCORED)
    return f"{data} (gold {gold[:8]}, {normalisation})"


def _short(folders: Sequence[Path]) -> list[str]:
    """Return names of folders: their last parts, or where two are alike the whole paths."""
    if len({resolved(folder) for folder in folders}) < len(folders):
        raise LexsubError("a run is given twice; expected different ones")
    last = [resolved(folder).name for folder in folders]
    return last if len(set(last)) == len(last) else [str(folder) for folder in folders]


Read = dict[tuple[str, object], Any]
"""What was read by the digest of a file and its reader: of two with the same content the first.

Systems that differ only in their boundaries have the same rankings, and most of what a report
reads is rankings.
"""


def _once(path: Path, reader: Callable[[Path], T], known: Read) -> T:
    key = (file_sha256(path), reader)
    if key not in known:
        known[key] = reader(path)
    found: T = known[key]
    return found


def _by_id(path: Path) -> dict[str, Ranking]:
    return {ranking.id: ranking for ranking in read_rankings(path)}


def _with_files(system: RunSystem, folder: Path, files: Read) -> RunSystem:
    """Return a system with what its files in a run's folder hold."""
    name = system.part.name
    rankings = run_folder.rankings_file(folder, name)
    if system.part.needs_gold and not rankings.exists():
        return system
    tuning = run_folder.rankings_file(folder, name, tuning=True)
    details = folder / "details" / f"{name}.jsonl"
    return replace(
        system,
        rankings=_once(rankings, _by_id, files),
        tuning=_once(tuning, _by_id, files) if tuning.exists() else {},
        answers={
            task: read_submission(folder / f"{name}.{task}", task) for task in system.scores.tasks
        },
        details=_once(details, read_details, files) if details.exists() else {},
    )
