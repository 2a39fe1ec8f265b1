"""JSON schemas for readers: as rows of a table, samples of a body and curl commands."""
