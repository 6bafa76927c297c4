"""The names under which config and command line find rankers and the models they train."""

from __future__ import annotations

from lexsub.parts.base import LearnsFromGold, ModelBuilder, Ranker, WantsFeatures
from lexsub.parts.contracts import follows
from lexsub.parts.registry import Registry

RANKERS: Registry[type[Ranker]] = Registry(
    "ranker",
    {
        "lexsub.rankers.baselines": "frequency oracle order random source-score",
        "lexsub.rankers.blend": "blend",
        "lexsub.rankers.bow.ranker": "bow",
        "lexsub.rankers.cmlc": "cmlc",
        "lexsub.rankers.contextual.causal_lm": "causal-lm",
        "lexsub.rankers.contextual.masked_lm": "masked-lm",
        "lexsub.rankers.contextual.sentence_encoder": "sentence-encoder",
        "lexsub.rankers.feature": "feature",
        "lexsub.rankers.function": "function",
        "lexsub.rankers.learned.ranker": "learned",
        "lexsub.rankers.lm.ranker": "lm ku",
        "lexsub.rankers.registers.ranker": "registers",
        "lexsub.rankers.simplicity": "simplicity",
    },
    check=follows(Ranker, "docs/how-to/ranker.md", WantsFeatures),
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind",
    {
        "lexsub.rankers.bow.training": "bow",
        "lexsub.rankers.cbow.model": "compact-cbow",
        "lexsub.rankers.cbow.training": "cbow",
        "lexsub.rankers.contextual.cutting": "encoder",
        "lexsub.rankers.contextual.tagging": "tagger",
        "lexsub.rankers.learned.training": "learned",
        "lexsub.rankers.lm.compact_model": "compact-lm",
        "lexsub.rankers.lm.training": "lm",
        "lexsub.rankers.registers.model": "registers",
    },
    check=follows(ModelBuilder, "docs/how-to/ranker.md", LearnsFromGold),
)
