"""The pages of workspaces: list, editor, history and diff."""
