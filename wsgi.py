"""The WSGI entry point for `gunicorn -c python:codeintel.server.gunicorn wsgi:app`."""

from codeintel import create_app

app = create_app()
