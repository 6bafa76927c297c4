"""Models made from experiments, and handed on: ``lexsub model``."""
