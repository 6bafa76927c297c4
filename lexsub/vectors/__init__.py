"""Word vectors: one format on disk, one way to ask, whoever made them."""

from lexsub.vectors.folder import VectorsHeader, read_header
from lexsub.vectors.vectors import Near, Vectors, open_vectors

__all__ = ["Near", "Vectors", "VectorsHeader", "open_vectors", "read_header"]
