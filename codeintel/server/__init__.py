"""Run the service under gunicorn.

Other packages import only this module and `opening`.
"""

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C ended, as in shells. click would exit with 1."""
