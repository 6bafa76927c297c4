"""Rankers over neural models that a user brings: sentence encoders and masked language models.

Nothing else needs them; their libraries are extras and are imported when a model is opened.
"""
