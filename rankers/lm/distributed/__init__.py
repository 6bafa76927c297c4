"""Kneser-Ney for more text than memory holds: by blocks and ranges, on processes or a cluster.

Every step is a job that reads and writes files of the work folder, which all workers see, and
sends home a few numbers:

1. *tokenise*: a piece of the corpus becomes blocks of ids and a list of its words;
2. *number*: the words of all pieces get their ids, and a block its run of bigrams;
3. *run*: a block's n-grams of all higher orders, each a sorted run;
4. *merge*: a range of n-grams is drawn from all runs and added up;
5. *adjust*: a range gets its Kneser-Ney counts, from the runs of suffixes of the order above;
6. *interpolate*: a range gets its probabilities, from those of its suffixes, which the order below
   has put in the places where they are asked for;
7. *spell*: a range becomes the lines of an ARPA file.

Ranges are cut by the first two words, so that none takes more than a small part of the memory that
a worker may have.  All sums are of whole numbers, or of the followers of one context, which no
range parts: the model is the one that :mod:`lexsub.rankers.lm.kneser_ney` estimates in memory, to
the byte.
"""

from lexsub.rankers.lm.distributed.training import Training

__all__ = ["Training"]
