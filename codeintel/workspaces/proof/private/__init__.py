"""Private registries and names, which the service never asks public ones for."""
