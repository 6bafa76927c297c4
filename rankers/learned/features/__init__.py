"""Feature families of this room, a file each; see :mod:`lexsub.parts.checked`."""
