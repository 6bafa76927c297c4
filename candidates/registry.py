"""The names under which config and command line find candidate sources."""

from __future__ import annotations

from lexsub.parts.base import CandidateSource, ModelBuilder, MultiwordSource
from lexsub.parts.contracts import follows
from lexsub.parts.registry import Registry

PROTOCOLS = "lexsub/parts/base.py"

SOURCES: Registry[type[CandidateSource]] = Registry(
    "candidate source",
    {
        "lexsub.candidates.distributional.source": "distributional",
        "lexsub.candidates.given": "given",
        "lexsub.candidates.gold_pool": "gold-pool",
        "lexsub.candidates.lemmas": "lemmas",
        "lexsub.candidates.of_model": "model",
        "lexsub.candidates.shortlist": "shortlist",
        "lexsub.candidates.thesaurus_file": "thesaurus-file",
        "lexsub.candidates.union": "union",
        "lexsub.candidates.vectors.source": "vectors",
        "lexsub.candidates.wordnet": "wordnet",
        "lexsub.experiments.suggestions.source": "suggested",
    },
    check=follows(CandidateSource, PROTOCOLS),
)
DETECTORS: Registry[type[MultiwordSource]] = Registry(
    "multiword detector",
    {"lexsub.candidates.wordnet_multiwords": "wordnet"},
    check=follows(MultiwordSource, PROTOCOLS),
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind",
    {
        "lexsub.candidates.distributional.build": "thesaurus",
        "lexsub.candidates.vectors.build": "vectors",
        "lexsub.candidates.vectors.slots": "slots",
    },
    check=follows(ModelBuilder, PROTOCOLS),
)
