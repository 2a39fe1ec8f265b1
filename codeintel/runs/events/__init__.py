"""The events of runs: log, publishing, sharing between processes, streams that resume."""
