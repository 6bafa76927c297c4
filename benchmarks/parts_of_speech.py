"""How often the part of speech and the lemma of a target are guessed as the data set has them.

    python benchmarks/parts_of_speech.py [DATA …] [--model DIR | --tagger TAGGER ENCODER]
        [--treebank FILE] [--items N] [--errors N] [--run RUN]

DATA are splits (semeval2007/test semeval2007/trial swords/dev coinco/dev); their folder is
LEXSUB_DATA.  Side by side: the rules; the tagger of a model (the English one, where none is given)
or of two folders; with --treebank NLTK's PerceptronTagger trained on that, its tag taken where
WordNet has it for the form.  Targets that WordNet has in one part of speech alone ask nobody.
--items takes so many of each split, drawn by seed; --errors prints some of the tagger's.
With --run, the folder of `lexsub run english` (or of another model's like it), what guessing costs:
best and oot of its rankings, and with targets that are guessed otherwise ranked anew.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import lexsub
from lexsub.data.catalogue import load
from lexsub.languages.english.guessing import guess_lexelt
from lexsub.marked_sentences import Marked
from lexsub.models import find_model, open_model
from lexsub.rankers.contextual.tagging import TAGS, sentences
from lexsub.resources import Resources
from lexsub.tagger import Tagger, open_tagger, tagger_of
from lexsub.wordnet import open_wordnet

SPLITS = ["semeval2007/test", "semeval2007/trial", "swords/dev", "coinco/dev"]
Tags = Callable[[str, int, int], Mapping[str, float]]
TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


class Perceptron:
    """NLTK's tagger on the treebank's sentences; its one tag has all the probability."""

    def __init__(self, treebank: Path) -> None:
        from nltk.tag.perceptron import PerceptronTagger

        self.tagger = PerceptronTagger(load=False)
        names = {"NAME": "NNP", "OTHER": "X"}
        train = [
            [(text[one.start : one.end], names.get(one.tag, one.tag)) for one in words]
            for text, words in sentences(treebank)
        ]
        self.tagger.train(train)

    def __call__(self, text: str, start: int, end: int) -> Mapping[str, float]:
        spans = [match.span() for match in TOKEN.finditer(text)]
        tags = self.tagger.tag([text[a:b] for a, b in spans])
        found = next((tag for (a, b), (_, tag) in zip(spans, tags, strict=True)
                      if a <= start < b), "NN")  # fmt: skip
        return {tag: 0.0 if tag == found else -10.0 for tag in TAGS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=SPLITS)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--tagger", type=Path, nargs=2, metavar=("TAGGER", "ENCODER"))
    parser.add_argument("--treebank", type=Path)
    parser.add_argument("--items", type=int, default=0)
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--run", type=Path)
    options = parser.parse_args()
    ways: dict[str, Tags | None] = {"rules": None}
    if tagger := _tagger(options):
        ways["tagger"] = tagger
    if options.treebank:
        ways["perceptron"] = Perceptron(options.treebank)
    if options.run:
        _end_to_end(options.run, str(options.model or "english"), ways)
        return
    print(f"{'percent right':18}{'targets':>8}" + "".join(f"{w:>12}{'lemma':>8}" for w in ways))
    for split in options.data:
        items = list(load(split, Resources().data).items)
        if options.items and options.items < len(items):
            items = random.Random(0).sample(items, options.items)
        cells, errors = "", []
        for name, tags in ways.items():
            right, both, wrong = _counted(items, tags)
            cells += f"{100 * right / len(items):12.1f}{100 * both / len(items):8.1f}"
            errors = wrong if name == "tagger" else errors
        print(f"{split:18}{len(items):8}{cells}", flush=True)
        for text in random.Random(0).sample(errors, min(options.errors, len(errors))):
            print("   ", text)


def _tagger(options: argparse.Namespace) -> Tagger | None:
    if options.tagger:
        return open_tagger(*options.tagger)
    model = open_model(options.model or find_model("english"))
    return tagger_of(model.resources(Resources()))


def _end_to_end(run: Path, model: str, ways: dict[str, Tags | None]) -> None:
    """Print the figures of a run's rankings, and of those with parts of speech as guessed."""
    manifest = json.loads((run / "scores.json").read_text())
    data = load(manifest["data"], Resources().data)
    wordnet = open_wordnet(Resources())
    (rankings,) = (run / "rankings").glob("*.jsonl")
    ranked = {one.id: one for one in lexsub.read_output(rankings)}
    answers = {"as in the gold": ranked}
    for name, tags in ways.items():
        other = []
        for one in data.items:
            lexelt = guess_lexelt(Marked(one.text, one.start, one.end), wordnet, tags)
            if (lexelt.lemma, lexelt.pos) != (one.lemma, one.pos):
                other.append(replace(one, lexelt=lexelt))
        anew = lexsub.rank(
            replace(data, items=tuple(other)),
            {"name": "learned", "model": model},
            {"name": "model", "model": model},
        )
        answers[f"{name}: {len(other)} otherwise"] = ranked | {one.id: one for one in anew}
    systems = {
        name: {
            task: {key: [entry.substitute for entry in one.ranked[:n]] for key, one in of.items()}
            for task, n in (("best", 1), ("oot", 10))
        }
        for name, of in answers.items()
    }
    print(lexsub.evaluate(data.gold, systems, "best oot"))


def _counted(items: list[Any], tags: Tags | None) -> tuple[int, int, list[str]]:
    """Return how many parts of speech are right, how many with the lemma, and what is wrong."""
    wordnet = open_wordnet(Resources())
    right = both = 0
    wrong = []
    for item in items:
        found = guess_lexelt(Marked(item.text, item.start, item.end), wordnet, tags)
        right += found.pos == item.pos
        both += (found.pos, found.lemma) == (item.pos, item.lemma)
        if found.pos != item.pos:
            left, behind = item.text[: item.start][-50:], item.text[item.end :][:40]
            wrong.append(
                f"{item.pos} {found.pos}  {left}*{item.target}*{behind}".replace("\n", " ")
            )
    return right, both, wrong


if __name__ == "__main__":
    main()
