"""Feature families that read the models of candidate sources; see :mod:`lexsub.parts.checked`."""
