"""Running text as a stream: plain or compressed, files, globs or folders, one line at a time.

Language models and thesauri are made from the same corpora, so both read them here.
"""
