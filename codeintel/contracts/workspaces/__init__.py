"""A folder that is pushed, as the client and the service both see it."""
