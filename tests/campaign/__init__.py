"""Damaged input, thousands of times over: ``python -m tests.campaign``.

Every subject is something whole that is read: a model folder, a file.  It is damaged in one place
(cut, flipped, zeroed, exchanged, grown, removed), read in a process of its own with limits of
memory and time, and what came of it is counted.  The same seed damages the same places.
"""
