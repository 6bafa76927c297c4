"""The names under which config and command line find candidate sources."""

from __future__ import annotations

from lexsub.contracts import follows
from lexsub.protocols import CandidateSource, ModelBuilder, MultiwordSource
from lexsub.registry import Registry

PROTOCOLS = "lexsub/protocols.py"

SOURCES: Registry[type[CandidateSource]] = Registry(
    "candidate source",
    {
        "candidates.distributional.source": "distributional",
        "candidates.gold_pool": "gold-pool",
        "candidates.shortlist": "shortlist",
        "candidates.thesaurus_file": "thesaurus-file",
        "candidates.union": "union",
        "candidates.vectors.source": "vectors",
        "candidates.wordnet": "wordnet",
    },
    check=follows(CandidateSource, PROTOCOLS),
)
DETECTORS: Registry[type[MultiwordSource]] = Registry(
    "multiword detector",
    {"candidates.wordnet_multiwords": "wordnet"},
    check=follows(MultiwordSource, PROTOCOLS),
)
BUILDERS: Registry[type[ModelBuilder]] = Registry(
    "model kind",
    {
        "candidates.distributional.build": "thesaurus",
        "candidates.vectors.build": "vectors",
        "candidates.vectors.slots": "slots",
    },
    check=follows(ModelBuilder, PROTOCOLS),
)
