"""The text that models are trained on, by the names that configs use for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from annotated_types import MinLen

from lexsub.corpus.reader import Corpus, CorpusReport
from lexsub.parts.limits import Bounded
from lexsub.resources import Resources
from lexsub.wordnet import open_wordnet
from lexsub.wordnet.opening import gloss_files

GLOSSES = "wordnet-glosses"
"""Name of the text that comes with WordNet: 1.4 million words of definitions and examples."""


@dataclass(frozen=True)
class GlossCorpus(Corpus):
    """The glosses of WordNet, one a line.

    Attributes:
        resources: where WordNet is.
    """

    resources: Resources = field(default_factory=Resources)

    def lines(self, report: CorpusReport | None = None) -> Iterator[str]:
        """Yield the glosses, in the order of WordNet's files.

        Raises:
            MissingResourceError: the WordNet that is named came without them.
        """
        glosses = [gloss for gloss in open_wordnet(self.resources).glosses if gloss]
        if report is not None:
            report.lines += len(glosses)
        yield from glosses


@dataclass(frozen=True)
class FromText(Bounded):
    """Options of what is trained on running text.

    Attributes:
        corpus: files, globs and folders of text, names from the config's ``[resources]``, or
            ``wordnet-glosses``.
    """

    corpus: Annotated[tuple[str, ...], MinLen(1)]

    def text(self, resources: Resources) -> Corpus:
        """Return the corpus, names from ``[resources]`` replaced by their places.

        Raises:
            MissingResourceError: the glosses are wanted and WordNet is not where it was named.
        """
        if tuple(self.corpus) == (GLOSSES,):
            return GlossCorpus(tuple(gloss_files(resources)), resources=resources)
        return Corpus(tuple(resources.paths.get(name, name) for name in self.corpus))
