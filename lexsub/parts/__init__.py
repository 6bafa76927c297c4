"""Parts, whatever a config names: found by name, checked, built from their tables, described."""
