"""What operators run: backups, doctor, retention, and the personal data of accounts."""
