"""Independent building blocks: errors, versions, timestamps, wording and logs."""
