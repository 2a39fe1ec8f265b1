"""The guides as pages of the service: the Markdown files of the repository, rendered."""
