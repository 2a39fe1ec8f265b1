"""Global search: pages, workspaces, runs, guides, rules and packages by a few words."""
