"""Tools for operators: backups, doctor, retention, and the personal data of accounts."""
