"""The names under which config and command line find rankers and the models they train."""

from __future__ import annotations

from lexsub.contracts import follows
from lexsub.protocols import LearnsFromGold, ModelBuilder, Ranker, WantsFeatures
from lexsub.registry import Registry

RANKERS: Registry[type[Ranker]] = Registry(
    "ranker",
    {
        "rankers.bow.ranker": "bow",
        "rankers.cmlc": "cmlc",
        "rankers.contextual.masked_lm": "masked-lm",
        "rankers.contextual.sentence_encoder": "sentence-encoder",
        "rankers.frequency": "frequency",
        "rankers.function": "function",
        "rankers.learned.ranker": "learned",
        "rankers.lm.ranker": "lm ku",
        "rankers.oracle": "oracle",
        "rankers.order": "order",
        "rankers.random_order": "random",
        "rankers.registers.ranker": "registers",
    },
    check=follows(Ranker, "docs/how-to/ranker.md", WantsFeatures),
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind",
    {
        "rankers.bow.training": "bow",
        "rankers.cbow.training": "cbow",
        "rankers.learned.training": "learned",
        "rankers.lm.training": "lm",
        "rankers.registers.model": "registers",
    },
    check=follows(ModelBuilder, "docs/how-to/ranker.md", LearnsFromGold),
)
