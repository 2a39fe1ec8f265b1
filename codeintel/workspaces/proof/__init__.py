"""The proof loop: analyze a revision, and report the findings."""
