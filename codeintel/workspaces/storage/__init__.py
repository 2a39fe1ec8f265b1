"""The tables of workspaces, contents of files, and archives."""
