"""What several collectors read alike."""
