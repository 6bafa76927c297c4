"""Word vectors: one format on disk, one way to ask, whoever made them."""

from lexsub.vectors.folder import Header, read_header
from lexsub.vectors.vectors import Near, Vectors, open_vectors

__all__ = ["Header", "Near", "Vectors", "open_vectors", "read_header"]
