"""Words predicted from the words around them, each position with a weight of its own (CBOW)."""
