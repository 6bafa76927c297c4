"""Word vectors: one format on disk, one way to ask, whoever made them."""
