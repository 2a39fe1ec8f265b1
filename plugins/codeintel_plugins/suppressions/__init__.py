"""Comments that ask for findings not to be reported."""
