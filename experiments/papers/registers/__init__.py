"""Registers: which kind of text a document is, after Guthrie and Walker (1994)."""
