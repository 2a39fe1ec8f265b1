"""The plugins that ship with codeintel: they use nothing that other people's plugins could not.

`entry_points.txt` lists them, as any distribution lists its own.
"""
