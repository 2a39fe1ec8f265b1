#!/bin/bash
set -euo pipefail

target="/backup/shop-$(date +%Y%m%d).sql.gz"

dump() {
    mysqldump --defaults-extra-file=/etc/backup/my.cnf --single-transaction shop | gzip -9 > "$target"
}

umask 077
dump
find /backup -name 'shop-*.sql.gz' -mtime +14 -delete
