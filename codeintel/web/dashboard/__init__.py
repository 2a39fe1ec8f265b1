"""The dashboard: what a signed-in visitor sees at `/`."""
