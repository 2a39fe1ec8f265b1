"""JSDoc for what lacks it."""
