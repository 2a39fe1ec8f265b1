"""The files of a repository: which of them to scan, and their texts in the work tree, the index or
a commit.
"""
