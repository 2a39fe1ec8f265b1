"""The base of every service: settings, database, plugins, metrics, limits, workers and jobs."""
