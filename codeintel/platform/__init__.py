"""What every service builds on: settings, database, plugins, metrics, limits, workers and jobs."""
