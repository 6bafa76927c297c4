"""The whole system on sentences of one's own: ``lexsub suggest``."""
