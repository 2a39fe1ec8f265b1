#!/usr/bin/env bash
# Dumps the booking database and keeps the last seven dumps.
set -euo pipefail

readonly TARGET=/var/backups/bookings
readonly DB_HOST=db1.internal.example.net
readonly DB_USER=backup

export PGPASSWORD='Tr0ut-lantern-58-quay'

dump() {
  local file=$1
  pg_dump --host "$DB_HOST" --username "$DB_USER" --format custom \
    --file "$file" bookings
}

prune() {
  local -a dumps
  mapfile -t dumps < <(find "$TARGET" -maxdepth 1 -name 'bookings-*.dump' | sort -r)
  if ((${#dumps[@]} > 7)); then
    rm -f -- "${dumps[@]:7}"
  fi
}

umask 077
mkdir -p "$TARGET"
dump "$TARGET/bookings-$(date +%Y%m%d).dump"
prune
