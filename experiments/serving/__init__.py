"""Substitutes over HTTP: a page to try them on, and the same for programs (``lexsub serve``)."""
