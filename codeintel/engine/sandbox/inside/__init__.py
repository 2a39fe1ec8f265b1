"""Run inside the sandbox, with only Python's standard library.

The folder is bound into the sandbox as the package `harness`. Its modules import each other
relatively and nothing else of this project. This code runs beside hostile code in the same process,
so it is not trusted, and its output is validated outside.
"""
