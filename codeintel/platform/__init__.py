"""What every service needs below it: settings, database, plugins, metrics, limits, workers, jobs."""
