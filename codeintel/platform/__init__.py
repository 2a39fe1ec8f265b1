"""Below every service: settings, database, plugins, metrics, limits, workers and jobs."""
