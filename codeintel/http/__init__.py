"""HTTP: what every endpoint shares."""
