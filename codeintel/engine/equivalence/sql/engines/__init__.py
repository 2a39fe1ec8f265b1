"""Database engines that run queries on made-up rows."""
