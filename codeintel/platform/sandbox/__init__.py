"""Starts sandboxes and listens to them, without holding up the other greenlets of a process.

What runs in a sandbox, and what is made of its words, is in :mod:`codeintel.engine.sandbox`.
"""
