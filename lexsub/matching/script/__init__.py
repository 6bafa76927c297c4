"""Golds and answers as the official scorer of SemEval-2007 Task 10 reads them, to the byte.

Its patterns are ASCII and it knows bytes, so texts that come from files are decoded as Latin-1
before they get here.  What it counts and prints is in :mod:`lexsub.evaluation.official`.
"""
