"""Karlgren's coconuts and the Enron table of Jabbari et al. (2006)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from experiments.coconut.making import Recipe, gather, make_coconuts
from experiments.coconut.models import trained_models
from experiments.coconut.results import judge
from experiments.coconut.scorers import Context, NgramScorer
from experiments.registers.documents import read_documents
from experiments.registers.trial import run_trial
from experiments.reproduce.bench import Bench, Made, Maker, Values, check_library
from lexsub.corpus.tagged import TaggedSentence, read_tagged, spacy_tagger
from lexsub.errors import LexsubError, MissingResourceError

# The paper trained on Reuters news, which is not to be had: web, encyclopaedia and business.
TEXTS = ("usgov_web_writing", "wikipedia_wikisplit", "earnings_calls")
PLAIN = "corpus/brown_corpus.txt.xz"
TAGGER = "spacy-model"


def _brown(bench: Bench) -> tuple[Iterator[TaggedSentence], str]:
    """Return the tagged sentences, and whose tags they are."""
    tagged = bench.resources.paths.get("brown") or _nltk_brown()
    if tagged is not None:
        return read_tagged([tagged], "brown"), "Tags are those of the Brown corpus."
    model = str(bench.resources.paths.get(TAGGER, "en_core_web_sm"))
    plain = bench.place("brown-text", PLAIN)
    note = f"Brown's text with the tags of spaCy's {model}: no tagged copy was at hand."
    return read_tagged([plain], "text", tagger=spacy_tagger(model)), note


def _nltk_brown() -> Path | None:
    """Return the folder of NLTK's Brown corpus, unpacked, or None."""
    try:
        nltk: Any = import_module("nltk")
    except ImportError:
        return None
    for folder in nltk.data.path:
        if (Path(folder) / "corpora" / "brown").is_dir():
            return Path(folder) / "corpora" / "brown"
    return None


def _texts(bench: Bench) -> list[str]:
    given = bench.resources.paths.get("coconut-text")
    if given is not None:
        return [str(given)]
    return [str(bench.place("coconut-text", f"corpus/{name}.txt.xz")) for name in TEXTS]


def _coconuts(bench: Bench) -> Made:
    sentences, whose = _brown(bench)
    material = gather(sentences, Recipe())
    rows: dict[str, Values] = {}
    models = [*trained_models(_texts(bench), (2, 3, 4), ("additive", "kneser-ney"),
                              bench.resources)]  # fmt: skip
    contexts: tuple[Context, ...] = ("window", "full")
    for number in (46, 1000):
        coconuts = [
            coconut
            for kind in ("word", "sentence")
            for coconut in make_coconuts(material, Recipe(kind, number))
        ]
        for name, model in models:
            cells = {
                (figures.kind, context): figures.mean
                for context in contexts
                for figures in judge(name, NgramScorer(model, context), coconuts)
            }
            order = [(kind, context) for kind in ("word", "sentence") for context in contexts]
            label = name.removesuffix(" additive") if number == 46 else f"{name}, {number}"
            rows[label] = tuple(cells[key] for key in order)  # type: ignore[index]
    notes = (
        f"{whose} Models of open web, encyclopaedic and business text; the paper's of Reuters "
        "news. 46 coconuts of each kind unless 1000 are named; plain rows are additive smoothing.",
        "Guessing gives 4.5 ± .34 with 46 and 4.5 ± .07 with 1000 coconuts: figures within two "
        "standard errors of it say nothing, which holds for the paper's sentence coconuts.",
        "The real sentence of a word coconut holds the word by itself and so tends to be longer "
        "than the fakes, which whole-sentence probabilities punish (lexsub coconut make --fakes "
        "tokens draws fakes of the same length).",
    )
    return Made(rows, notes)


def _check_coconuts(bench: Bench) -> None:
    check_library("kenlm", "kenlm", "lm", "asking a language model")
    _texts(bench)
    if bench.resources.paths.get("brown") or _nltk_brown():
        return
    bench.place("brown-text", PLAIN)
    model = str(bench.resources.paths.get(TAGGER, "en_core_web_sm"))
    try:
        spacy_tagger(model)
    except LexsubError as error:
        raise MissingResourceError(
            f"a tagged Brown corpus: NLTK's data (corpora/brown), --resource brown=DIR, or its "
            f"text and a tagger (--resource {TAGGER}=MODEL; {error})"
        ) from error


def _mail(bench: Bench) -> Made:
    path = bench.place("enron", "enron_bow/enron_bow.jsonl.xz")
    table = run_trial(read_documents(path, ("business", "personal")), split="folds").table
    rows: dict[str, Values] = {
        row.label.capitalize(): (row.recall, row.precision, row.f, row.accuracy)
        for row in table.rows
    }
    rows["AVERAGE"] = (
        table.mean_recall, table.mean_precision, table.mean_f, table.overall_accuracy,
    )  # fmt: skip
    notes = (
        "Not the paper's annotation, which is not to be had: Berkeley's labels on 852 messages, as "
        "counts of common words without names; ten folds. The method runs; the figures do not "
        "compare.",
        "A class's accuracy is its recall. The averages are unweighted means of the rows (of F: "
        "of the Fs), but that of accuracy is over all documents, as in the paper.",
    )
    return Made(rows, notes)


def _check_mail(bench: Bench) -> None:
    check_library("sklearn", "scikit-learn", "registers", "classifying registers")
    bench.place("enron", "enron_bow/enron_bow.jsonl.xz")


MAKERS = {
    "karlgren/table1": Maker(_check_coconuts, _coconuts),
    "jabbari2006/table": Maker(_check_mail, _mail),
}
