"""The bag-of-words model: which content words are seen around a candidate."""
