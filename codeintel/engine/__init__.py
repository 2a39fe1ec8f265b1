"""Understanding code, without a service around it."""
