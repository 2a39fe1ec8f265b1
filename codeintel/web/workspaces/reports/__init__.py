"""The pages of a workspace's reports."""
