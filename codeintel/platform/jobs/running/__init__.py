"""Running a job: take it, keep its lease, try it, settle it."""
