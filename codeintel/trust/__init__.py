"""The trust network: evidence about packages, and scores with their evidence."""
