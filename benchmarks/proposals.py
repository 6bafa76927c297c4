"""What a neural language model itself proposes in a target's place, as a file of rankings.

    python benchmarks/proposals.py semeval2007/test --causal FILE.gguf -o causal.jsonl
    python benchmarks/proposals.py semeval2007/test --masked FOLDER -o masked.jsonl

The file serves as candidates, ``{ name = "lemmas", source = { name = "given", file = … } }``, so
that ``lexsub run`` shows their ceiling and ``benchmarks/ceilings.py`` their number.  A causal model
sees the words before the target alone, a masked one the sentence as it is and then with a mask in
the target's place.  Only whole words of one token are proposed; the score is ln P.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexsub.data.catalogue import load
from lexsub.datasets import Item
from lexsub.formats.jsonl import write_rankings
from lexsub.rankers.contextual.causal_lm import open_causal
from lexsub.rankers.contextual.masked_lm import open_masked
from lexsub.rankers.filling import original
from lexsub.rankings import Ranked, Ranking
from lexsub.resources import Resources
from lexsub.storage.user_folders import data_folders

WINDOW = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--causal")
    parser.add_argument("--masked")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=150)
    options = parser.parse_args()
    resources = Resources(data=data_folders(None))
    asked, words = (
        of_causal(resources, options.causal) if options.causal
        else of_masked(resources, options.masked)
    )  # fmt: skip
    begin = time.process_time()
    data = load(options.data, resources.data)
    rankings = [proposed(item, asked(item), words, options.first) for item in data.items]
    write_rankings(options.out, rankings)
    print(f"{len(rankings)} items in {time.process_time() - begin:.0f} s of processor time")


def proposed(item: Item, logs: NDArray[np.float64], words: dict[int, str], first: int) -> Ranking:
    """Return the most probable words, each once."""

    def each() -> Iterator[Ranked]:
        seen = {item.target.lower()}
        for token in np.argsort(-logs, kind="stable").tolist():
            word = words.get(token, "").lower()
            if word and word not in seen:
                seen.add(word)
                yield Ranked(word, round(float(logs[token]), 4))

    return Ranking(
        item.id,
        str(item.lexelt),
        tuple(entry for _, entry in zip(range(first), each(), strict=False)),
    )


def of_causal(
    resources: Resources, model: str
) -> tuple[Callable[[Item], NDArray[np.float64]], dict[int, str]]:
    opened = open_causal(resources, model, "cpu", "bfloat16", 1)
    tokenizer = opened._tokenizer
    vocabulary = {token: text for text, token in tokenizer.get_vocab().items()}
    words = {t: text[1:] for t, text in vocabulary.items() if text[0] in "Ġ▁" and plain(text[1:])}

    def ask(item: Item) -> NDArray[np.float64]:
        tokens = opened.tokens(original(item).around(WINDOW, 0)).before
        with opened._torch.inference_mode():
            logits = opened._logits([[opened._start, *tokens]], opened._new_state())[0, -1]
            found: NDArray[np.float64] = logits.double().log_softmax(-1).numpy()
        return found

    return ask, words


def of_masked(
    resources: Resources, model: str
) -> tuple[Callable[[Item], NDArray[np.float64]], dict[int, str]]:
    opened = open_masked(resources, model, "cpu", 1)
    vocabulary = {token: text for text, token in opened._tokenizer.get_vocab().items()}
    words = {token: text for token, text in vocabulary.items() if plain(text)}

    def ask(item: Item) -> NDArray[np.float64]:
        place = original(item).around(WINDOW)
        tokens, start = opened.slot(place, [opened.mask], twice=True)
        return opened.log_probabilities([tokens], [[start]])[0][0]

    return ask, words


def plain(text: str) -> bool:
    return len(text) > 1 and text.isalpha() and text.isascii()


if __name__ == "__main__":
    main()
