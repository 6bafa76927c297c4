"""Experiments: typed configs, the runner, published tables."""
