"""Vectors from counted contexts, and their nearest words as candidates."""
