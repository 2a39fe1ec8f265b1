"""Running the service under gunicorn."""

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C ended, as shells have it; click's own would be 1."""
