"""Words predicted from the words around them, each place with its own say (CBOW)."""
