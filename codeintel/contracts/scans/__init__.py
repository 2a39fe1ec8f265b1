"""The records of repository scans, which the service, its client and the command line exchange."""
