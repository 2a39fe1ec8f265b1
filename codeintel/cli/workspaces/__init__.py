"""Commands that push and pull workspaces and show their reports."""
