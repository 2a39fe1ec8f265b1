"""Workspaces that editors push: stored by content, in revisions, edited online and pulled back."""
