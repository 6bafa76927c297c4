"""Other people's system outputs, read as rankings and written from them.

One module a family of formats; :mod:`lexsub.formats.outputs.catalogue` lists them by name.
"""
