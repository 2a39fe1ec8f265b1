"""Types of values in JavaScript, as far as the code tells."""
