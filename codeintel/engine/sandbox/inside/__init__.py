"""Run inside the sandbox, with only Python's standard library.

The folder is bound into the sandbox as the package `harness`. Its modules only import each other,
relatively. This code shares its process with hostile code, so it is not trusted, and its output is
validated outside.
"""
