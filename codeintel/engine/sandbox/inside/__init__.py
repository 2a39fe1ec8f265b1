"""What runs inside of the sandbox: Python's standard library is all that there is.

The folder is bound into the sandbox as the package `harness`, so its modules import each other
relatively, and nothing else of this project. What is loaded here runs beside hostile code, in the
same process: it is not trusted, and what it says is checked outside.
"""
