"""The embedded estimator against lmplz: recorded ARPA files of our own text, and live."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexsub.errors import LexsubError
from lexsub.rankers.lm import distributed, distributed_jobs
from lexsub.rankers.lm.header import Window
from lexsub.rankers.lm.kenlm import find_tools
from lexsub.rankers.lm.kneser_ney import thresholds_for
from lexsub.rankers.lm.model import open_model
from lexsub.rankers.lm.training import LanguageModelBuilder
from lexsub.resources import Resources

HERE = Path(__file__).parent
ENDS = ("<unk>", "</s>")
"""No context ends with them."""
VILLAGE = str(HERE / "village.txt")

# Options of the builder, and the file that lmplz wrote for the same tokens:
#   lmplz --discount_fallback -o ORDER [--prune …] [--limit_vocab_file the 20 most frequent]
RECORDED = {
    "order2.arpa": {"order": 2},
    "order3.arpa": {"order": 3},
    "order6.arpa": {"order": 6},
    "pruned.arpa": {"order": 4, "prune": (0, 0, 1, 1)},
    "limited.arpa": {"order": 3, "vocabulary": 20},
    "limited-pruned.arpa": {"order": 4, "prune": (0, 1, 1, 2), "vocabulary": 20},
}


def read_arpa(path: Path) -> dict[str, tuple[float, float]]:
    grams = {}
    for line in path.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            grams[fields[1]] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
    return grams


@pytest.mark.parametrize("name", RECORDED)
def test_agrees_with_lmplz_gram_by_gram(name: str, tmp_path: Path) -> None:
    builder = LanguageModelBuilder((VILLAGE,), engine="embedded", binary=False, **RECORDED[name])
    builder.build(Resources(), tmp_path)
    ours, theirs = read_arpa(tmp_path / "model.arpa"), read_arpa(HERE / "recorded" / name)
    assert ours.keys() == theirs.keys()
    for gram, values in theirs.items():
        assert ours[gram] == pytest.approx(values, abs=1e-5), gram


@pytest.mark.parametrize("options", RECORDED.values(), ids=list(RECORDED))
def test_both_engines_give_the_same_model(options: dict[str, object], tmp_path: Path) -> None:
    if find_tools().lmplz is None:
        pytest.skip("NOT TESTED: lmplz, not on PATH (docs/how-to/language-model.md)")
    pytest.importorskip("kenlm")
    models = []
    for engine in ("embedded", "lmplz"):
        folder = tmp_path / engine
        folder.mkdir()
        LanguageModelBuilder((VILLAGE,), engine=engine, **options).build(Resources(), folder)
        models.append(open_model(folder))
    text = (HERE / "held_out.txt").read_text().splitlines()
    windows = [
        Window(" ".join(models[0].header.tokenise(line)), bos=True, eos=True) for line in text
    ]
    lengths = np.array([len(w.text.split()) + 1 for w in windows])
    difference = np.abs(models[0].log10(windows) - models[1].log10(windows)) / lengths
    assert difference.max() < 1e-4


SENTENCES = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=7), min_size=1, max_size=12
)


class Noted:
    """What a :class:`Speller` is given to write: all digits of it, not the seven of the file."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.grams: dict[tuple[str, ...], tuple[float, float]] = {}

    def write(self, file: object, ids: Any, prob: Any, backoff: Any) -> None:
        rows = zip(np.stack(ids, 1).tolist(), prob.tolist(), strict=True)
        backoffs = [0.0] * len(prob) if backoff is None else backoff.tolist()
        for (gram, value), weight in zip(rows, backoffs, strict=True):
            self.grams[tuple(self.words[word] for word in gram)] = value, weight


@given(SENTENCES, st.integers(2, 4), st.sampled_from([(), (0, 0, 1), (0, 1)]))
@settings(max_examples=50)
def test_probabilities_sum_to_one_after_every_context(
    tmp_path_factory: pytest.TempPathFactory,
    sentences: list[list[str]],
    order: int,
    prune: tuple[int, ...],
) -> None:
    folder = tmp_path_factory.mktemp("sums")
    (folder / "text.txt").write_text("".join(" ".join(line) + "\n" for line in sentences))
    noted: list[Noted] = []

    def speller(words: Sequence[str]) -> Noted:
        noted.append(Noted(words))
        return noted[-1]

    with pytest.MonkeyPatch.context() as patch:
        for module in (distributed, distributed_jobs):
            patch.setattr(module, "Speller", speller)
        distributed_jobs._speller.cache_clear()
        builder = LanguageModelBuilder(
            (str(folder / "text.txt"),), order, prune=prune[:order], engine="embedded", binary=False
        )
        builder.build(Resources(cache=folder / "cache"), folder)
    grams = {gram: values for one in noted for gram, values in one.grams.items()}

    def log_prob(context: tuple[str, ...], word: str) -> float:
        if (*context, word) in grams:
            return grams[*context, word][0]
        return grams.get(context, (0.0, 0.0))[1] + log_prob(context[1:], word)

    predicted = [gram[0] for gram in grams if len(gram) == 1 and gram[0] != "<s>"]
    for context in [gram for gram in grams if len(gram) < order and gram[-1] not in ENDS]:
        total = math.fsum(10 ** log_prob(context, word) for word in predicted)
        assert total == pytest.approx(1.0, abs=1e-9), context


def test_without_fallback_a_tiny_text_is_refused(tmp_path: Path) -> None:
    builder = LanguageModelBuilder((VILLAGE,), order=6, engine="embedded", fallback=False)
    with pytest.raises(LexsubError, match=r"too small or too regular.*fallback"):
        builder.build(Resources(), tmp_path)


@pytest.mark.parametrize("prune", [(1,), (0, 2, 1), (0, 0, 0, 0)])
def test_impossible_pruning_is_refused(prune: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="begin with 0 and never fall"):
        thresholds_for(prune, 3)


def test_more_tokens_than_memory_allows_name_the_way_out(tmp_path: Path) -> None:
    builder = LanguageModelBuilder((VILLAGE,), smoothing="additive", memory=1e-6)
    with pytest.raises(LexsubError, match="smoothing kneser-ney, which works by blocks"):
        builder.build(Resources(), tmp_path)
    assert not list(tmp_path.iterdir())
