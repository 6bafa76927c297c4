"""Delexicalised learning to rank: features that say nothing of which word it is.

A model learns from the targets of one data set how a good substitute looks, and ranks the
candidates of others (Szarvas, Biemann and Gurevych, 2013, "Supervised all-words lexical
substitution using delexicalized features").
"""
