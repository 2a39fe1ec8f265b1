"""Global search: pages, workspaces, runs, rules and packages by a few words."""
