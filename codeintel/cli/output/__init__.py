"""What commands print: findings, progress, results and exit statuses."""
