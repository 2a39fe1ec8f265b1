#!/bin/bash
set -euo pipefail
source /etc/backup/env

target="/backup/shop-$(date +%Y%m%d).sql.gz"

dump() {
    mysqldump --single-transaction -h "$DB_HOST" -u "$DB_USER" -p"$DB_PASSWORD" shop | gzip -9 > "$target"
}

umask 077
dump
find /backup -name 'shop-*.sql.gz' -mtime +14 -delete
