"""What an answer is worth against a gold: the one rule that everything asks.

A *policy* says when two substitutes are the same: ``official`` reads as the official scorer
does, ``clean`` applies one rule to gold and answers, ``lemma`` compares lower-case lemmas as
SWORDS does, ``tsar`` and ``exact`` compare letter by letter.  :func:`gold_under` reads a gold
under a policy, which is the gold's own unless another is named; of each item it then says what a
substitute is worth, whether the item is scored, and what its mode is.  Scores, oracles,
boundaries, training labels, explanations and reports all ask here.
"""
