"""The text that models are trained on, by the names that configs use for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True)
class FromText:
    """Options of what is trained on running text.

    Attributes:
        corpus: files, globs and folders of text, names from the config's ``[resources]``, or
            ``wordnet-glosses``.
    """

    corpus: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.corpus:
            raise ValueError("corpus is empty; expected files, globs or folders of text")

    def text(self, resources: Resources) -> Corpus:
        """Return the corpus, names from ``[resources]`` replaced by their places.

        Raises:
            MissingResourceError: the glosses are wanted and WordNet is not installed.
        """
        if tuple(self.corpus) == (GLOSSES,):
            return GlossCorpus(tuple(p for p in inputs(resources) if p.name.startswith("data.")))
        return Corpus(tuple(resources.paths.get(name, name) for name in self.corpus))
