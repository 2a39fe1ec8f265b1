"""Running a proof: queue, lease, pipeline of steps, and those who watch."""
