"""The endpoints of workspaces and their proofs."""
