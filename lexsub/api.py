"""The public API; ``import lexsub`` offers these names and the docs import nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders

if TYPE_CHECKING:
    from lexsub.candidates.distributional.measures import MEASURES as SIMILARITIES
    from lexsub.candidates.distributional.measures import Formula, Similarity
    from lexsub.cli import COMMANDS
    from lexsub.data.catalogue import DATASETS
    from lexsub.datasets import Dataset, Gold, GoldItem, Item, Lexelt
    from lexsub.errors import ConfigError, FormatError, LexsubError, UnknownNameError
    from lexsub.evaluation.bounds import ceiling, oracle
    from lexsub.evaluation.comparison import Comparison, compare
    from lexsub.evaluation.figures import Figure
    from lexsub.evaluation.measure import MEASURES, Measure, parse_measures
    from lexsub.evaluation.resampling import Interval
    from lexsub.evaluation.scores import Scores
    from lexsub.evaluation.scoring import evaluate
    from lexsub.evaluation.sheets import Sheet
    from lexsub.experiments.pipeline.runner import Result
    from lexsub.experiments.suggestions.answers import Suggestion, Suggestions
    from lexsub.experiments.suggestions.suggesting import Suggester
    from lexsub.formats.outputs.catalogue import OUTPUT_FORMATS, OutputFormat
    from lexsub.frequency import FREQUENCIES
    from lexsub.languages import LANGUAGES, Language
    from lexsub.marked_sentences import Marked, mark
    from lexsub.parts.base import (
        BOUNDARIES,
        DETECTORS,
        FEATURES,
        RANKERS,
        SOURCES,
        Boundary,
        BoundaryContext,
        CandidateSource,
        Extractor,
        Feature,
        FeatureFamily,
        ModelBuilder,
        MultiwordSource,
        Ranker,
        Scorer,
    )
    from lexsub.parts.base import BUILDERS as MODEL_KINDS
    from lexsub.parts.build import Labelled
    from lexsub.parts.checked import ByTarget
    from lexsub.rankers.function import RankingFunction
    from lexsub.rankers.learned.learners import LEARNERS, Learner
    from lexsub.rankings import Answer, Candidate, Origin, Ranked, Ranking, Submission
    from lexsub.wordnet import WordNet, open_wordnet

_HOMES = {
    name: (module, there or name)
    for module, names in {
        "lexsub.candidates.distributional.measures": "Formula SIMILARITIES=MEASURES Similarity",
        "lexsub.cli": "COMMANDS",
        "lexsub.data.catalogue": "DATASETS",
        "lexsub.datasets": "Dataset Gold GoldItem Item Lexelt",
        "lexsub.errors": "ConfigError FormatError LexsubError UnknownNameError",
        "lexsub.evaluation.bounds": "ceiling oracle",
        "lexsub.evaluation.comparison": "Comparison compare",
        "lexsub.evaluation.figures": "Figure",
        "lexsub.evaluation.measure": "MEASURES Measure parse_measures",
        "lexsub.evaluation.resampling": "Interval",
        "lexsub.evaluation.scores": "Scores",
        "lexsub.evaluation.scoring": "evaluate",
        "lexsub.evaluation.sheets": "Sheet",
        "lexsub.experiments.suggestions.answers": "Suggestion Suggestions",
        "lexsub.experiments.suggestions.suggesting": "Suggester",
        "lexsub.parts.build": "Labelled",
        "lexsub.parts.checked": "ByTarget",
        "lexsub.formats.outputs.catalogue": "OUTPUT_FORMATS OutputFormat",
        "lexsub.frequency": "FREQUENCIES",
        "lexsub.languages": "LANGUAGES Language",
        "lexsub.marked_sentences": "Marked mark",
        "lexsub.parts.base": "BOUNDARIES Boundary BoundaryContext CandidateSource DETECTORS "
        "FEATURES Extractor Feature FeatureFamily MODEL_KINDS=BUILDERS ModelBuilder "
        "MultiwordSource RANKERS Ranker SOURCES Scorer",
        "lexsub.rankers.learned.learners": "LEARNERS Learner",
        "lexsub.rankings": "Answer Candidate Origin Ranked Ranking Submission",
        "lexsub.wordnet": "WordNet open_wordnet",
    }.items()
    for name, _, there in (one.partition("=") for one in names.split())
}
"""Names to the modules they live in, and what they are called there."""


def __getattr__(name: str) -> Any:
    """Look a name up where it is defined (PEP 562): whoever scores files loads no ranker."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _HOMES[name]
    return getattr(import_module(module), there)


def load(name: str, data: Path | str | None = None, language: str | None = None) -> Dataset:
    """Read a data set split.

    Args:
        name: ``dataset/split``, as ``semeval2007/test`` or ``tutorial/test``, or a file of one's
            own.
        data: folder of data sets, searched before ``LEXSUB_DATA`` and the user's own.
        language: ISO 639-1 code of a file of your own (None for English).

    Raises:
        LexsubError: unknown name, missing files, or files that are not what they should be.
    """
    from lexsub.data.catalogue import load as load_split

    return load_split(name, data_folders(data), language)


def load_gold(reference: str, data: Path | str | None = None) -> Gold:
    """Read a gold by name or from a file.

    Args:
        reference: ``dataset/split``, or a gold file: SemEval lines, SWORDS JSON, CoInCo XML.
        data: folder of data sets, searched before ``LEXSUB_DATA`` and the user's own.

    Raises:
        LexsubError: neither a known name nor a readable file of these formats.
    """
    from lexsub.data.catalogue import load_gold as find_gold

    return find_gold(reference, data_folders(data))


def read_output(path: Path | str, format: str | None = None) -> list[Ranking]:  # noqa: A002
    """Read a system's output as rankings, which :func:`evaluate` takes.

    Args:
        path: the file.
        format: a name that ``lexsub convert --list`` prints; told by the content if None.

    Raises:
        LexsubError: the file cannot be read, or is not what its format says.
    """
    from lexsub.formats.outputs.catalogue import read_output as read

    return read(Path(path), format)[0]


def run(config: Path | str, out: Path | str, data: Path | str | None = None) -> Result:
    """Run an experiment and write its folder.

    Args:
        config: a TOML file (as text its name ends in .toml or holds a slash), or the name of a
            ready experiment, as ``quickstart``.
        out: the run's folder.
        data: folder of data sets, searched before ``LEXSUB_DATA`` and the user's own.

    Raises:
        LexsubError: a fault of the config, or an input that is missing or not as it should be.
    """
    from lexsub.experiments.config.reading import find_config, read_experiment
    from lexsub.experiments.pipeline.runner import run_experiment
    from lexsub.experiments.report import write_report

    resources = Resources(data=data_folders(data))
    path = config if isinstance(config, Path) else find_config(config)
    return run_experiment(read_experiment(path), Path(out), resources, page=write_report)


def rank(
    data: Dataset | str,
    ranker: RankingFunction | str | Mapping[str, Any],
    candidates: str | Mapping[str, Any] | Mapping[str, Sequence[str]] = "wordnet",
    *,
    folder: Path | str | None = None,
    workers: int = 1,
) -> list[Ranking]:
    """Rank the candidates of every item of a data set.

    Args:
        data: a data set, its name, or a file of your own.
        ranker: a function of your own, (sentence, (start, end) of the target, substitutes) to a
            number for each, the higher the better; ``my_file.py:my_function``; or a ranker's
            name or table, as in a config.
        candidates: a candidate source's name or table, or substitutes by item id.
        folder: folder of data sets, searched before ``LEXSUB_DATA`` and the user's own.
        workers: processes.

    Returns:
        The rankings in the order of the items, never cut; :func:`evaluate` takes them.

    Raises:
        LexsubError: there is no such part, the function fails, or its numbers are none.
    """
    from lexsub.experiments.pipeline.ranking import rank_data

    resources = Resources(data=data_folders(folder), workers=workers)
    dataset = load(data, folder) if isinstance(data, str) else data
    return rank_data(dataset, ranker, candidates, resources)


def open_suggester(
    config: Path | str = "",
    system: str = "",
    data: Path | str | None = None,
    *,
    model: Path | str = "",
    language: str = "en",
) -> Suggester:
    """Open a model, or a system of a config, that answers sentences of the user's own.

    Args:
        config: a config file or the name of a ready one, whose models are trained; ``""`` for
            a model, or, where there is none, for the best ready one that is trained.
        system: one of its systems; ``""`` for its first (of the ready ones, the best).
        data: folder of data sets, searched before ``LEXSUB_DATA`` and the user's own.
        model: a model's name (``lexsub model list``) or folder (as text it holds a slash); ``""``
            for the one chosen by ``lexsub model use``, or the one that comes with lexsub.
        language: ISO 639-1 code of the sentences, where neither config nor model is named: of
            another than English, the ready config ``suggest-CODE`` answers.

    Returns:
        Call it with a sentence, or its ``pipe`` with many.

    Raises:
        LexsubError: no such model, config or system, or models that are not trained.
    """
    from lexsub.experiments.suggestions.suggesting import open_suggester as open_system

    resources = Resources(data=data_folders(data), language=language)
    named = str(model.absolute() if isinstance(model, Path) else model)
    return open_system(str(config), system, resources, named)


__all__ = [
    "BOUNDARIES", "COMMANDS", "DATASETS", "DETECTORS", "FEATURES", "FREQUENCIES", "LANGUAGES",
    "LEARNERS", "MEASURES", "MODEL_KINDS", "OUTPUT_FORMATS", "RANKERS", "SIMILARITIES",
    "SOURCES", "Answer", "Boundary", "BoundaryContext", "ByTarget", "Candidate",
    "CandidateSource", "Comparison", "ConfigError", "Dataset", "Extractor", "Feature",
    "FeatureFamily", "Figure", "FormatError", "Formula", "Gold", "GoldItem", "Interval", "Item",
    "Labelled", "Language", "Learner", "Lexelt", "LexsubError", "Marked", "Measure",
    "ModelBuilder", "MultiwordSource", "Origin", "OutputFormat", "Ranked", "Ranker", "Ranking",
    "Resources", "Scorer", "Scores", "Sheet", "Similarity", "Submission", "Suggester",
    "Suggestion", "Suggestions", "UnknownNameError", "WordNet", "ceiling", "compare",
    "evaluate", "load", "load_gold", "mark", "open_suggester", "open_wordnet", "oracle",
    "parse_measures", "rank", "read_output", "run",
]  # fmt: skip
