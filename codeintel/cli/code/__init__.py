"""Commands that analyse, transform and search."""
