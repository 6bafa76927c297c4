"""How each kind of stage is made: one module a kind, named as the kind.

Figures alone are made in :mod:`lexsub.experiments.results.scoring`.  A module here, with all that
it imports, is part of the key of its stages: it imports what it needs and no more.  Parts are
opened by workers, each for a contiguous block of items, so that nothing that was opened (a
database, a memory map) has to travel; results come back in item order.
"""
