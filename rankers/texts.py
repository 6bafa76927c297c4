"""The text that models are trained on, by the names that configs use for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexsub.corpus import Corpus, CorpusReport
from lexsub.resources import Resources
from lexsub.wordnet import inputs

GLOSSES = "wordnet-glosses"
"""Name of the text that comes with WordNet: 1.4 million words of definitions and examples."""


class GlossCorpus(Corpus):
    """The glosses in WordNet's data files, one a line."""

    def lines(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Yield what stands behind the bar of each line."""
        for line in super().lines(report):
            _, _, gloss = line.partition(" | ")
            if gloss.strip():
                yield gloss.strip()


def text_of(corpus: Sequence[str], resources: Resources) -> Corpus:
    """Return a corpus.

    Args:
        corpus: files, globs and folders, names from the config's ``[resources]``, or
            ``wordnet-glosses`` alone.
        resources: where names are looked up.

    Raises:
        MissingResourceError: the glosses are wanted and WordNet is not installed.
    """
    if tuple(corpus) == (GLOSSES,):
        return GlossCorpus(tuple(p for p in inputs(resources) if p.name.startswith("data.")))
    return Corpus(tuple(resources.paths.get(name, name) for name in corpus))
