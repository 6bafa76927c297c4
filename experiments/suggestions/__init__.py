"""The whole system on sentences of the user's own: ``lexsub suggest``."""
