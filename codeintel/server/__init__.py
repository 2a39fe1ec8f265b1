"""Running the service under gunicorn."""
