"""Experiments: typed configs, the runner, published tables."""

from lexsub.rooms import must_be_inside

must_be_inside(__name__)
