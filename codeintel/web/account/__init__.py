"""The pages of an account: credits, limits, activity and personal data."""
