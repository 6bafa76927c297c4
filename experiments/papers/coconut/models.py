"""The n-gram models of the paper, trained on a corpus of one's own and kept in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from lexsub.experiments.pipeline.keys import Keys
from lexsub.experiments.pipeline.store import Store
from lexsub.parts.build import build_part
from lexsub.rankers.lm.model import LanguageModel, open_model
from lexsub.rankers.registry import BUILDERS
from lexsub.resources import Resources

LABELS = {"additive": "additive", "kneser-ney": "KN", "one-count": "one-count"}


def trained_models(
    corpus: Sequence[str], orders: Sequence[int], smoothings: Sequence[str], resources: Resources
) -> Iterator[tuple[str, LanguageModel]]:
    """Yield (name, model) for each smoothing and order, trained unless the cache has it.

    The paper has orders 2 to 4 with additive smoothing by 0.1.

    Raises:
        LexsubError: no text, too much text for the memory allowed, an option out of range.
    """
    store = Store(resources.cache)
    keys = Keys(store)
    for smoothing in smoothings:
        for order in orders:
            table = {
                "name": "lm", "corpus": list(corpus), "order": order, "smoothing": smoothing,
                "engine": "embedded",
            }  # fmt: skip
            builder = build_part(BUILDERS, table, "coconut run")
            key = keys.model(builder, resources)
            build = partial(builder.build, resources)
            stage = store.stage("model", key.ingredients, build, key.inputs)
            yield f"{order}-gram {LABELS[smoothing]}", open_model(stage.folder)
