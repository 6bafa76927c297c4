"""Plausible utterances ("coconuts"; Karlgren): can a model tell a real sentence from fakes?"""
