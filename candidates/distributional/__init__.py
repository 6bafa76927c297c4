"""Distributional thesauri: count contexts, weigh them, find the words that share them.

``contexts`` (relations, windows, parses) → ``counts`` (merged on disk) → ``model`` (a
memory-mapped folder) → ``thesaurus`` (neighbours of one word, or the whole table).
"""
