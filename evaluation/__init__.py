"""Measures say how good the answers are."""
