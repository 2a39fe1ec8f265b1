#!/bin/bash
set -euo pipefail
umask 077

source_file=/etc/shop/database.env
target_dir=/var/backups/shop
keep_days=14

load_settings() {
    local key value
    while IFS='=' read -r key value; do
        case $key in
            DB_HOST) db_host=$value ;;
            DB_USER) db_user=$value ;;
            DB_PASSWORD) db_password=$value ;;
        esac
    done < "$source_file"
}

dump() {
    local out=$1
    local options
    options=$(mktemp)
    printf '[client]\npassword="%s"\n' "$db_password" > "$options"
    mysqldump --defaults-extra-file="$options" --single-transaction \
        --host="$db_host" --user="$db_user" shop | gzip > "$out.part" || {
        rm -f -- "$options"
        return 1
    }
    rm -f -- "$options"
    mv -- "$out.part" "$out"
}

prune() {
    find "$target_dir" -maxdepth 1 -type f -name 'shop-*.sql.gz' -mtime "+$keep_days" -delete
}

load_settings
mkdir -p "$target_dir"
dump "$target_dir/shop-$(date -u +%Y%m%d-%H%M).sql.gz"
prune
