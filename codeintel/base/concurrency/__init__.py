"""Running things beside each other: circuit breaker, fair queue, pace, bounded child process."""
