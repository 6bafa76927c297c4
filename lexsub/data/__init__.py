"""Data sets by name: where they are, how to get them, what they hold."""
