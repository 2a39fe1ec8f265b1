"""TypeScript to JavaScript: takes types away, and nothing else."""
