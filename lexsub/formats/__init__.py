"""Readers and writers of the field's file formats.

Every reader takes a path, reports file, line and what was expected
(:class:`lexsub.errors.FormatError`), and returns the plain values of the model.
"""
