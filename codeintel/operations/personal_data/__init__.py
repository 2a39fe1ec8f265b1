"""Export and permanently delete the stored data of an account."""
