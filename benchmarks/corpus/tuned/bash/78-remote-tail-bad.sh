#!/usr/bin/env bash
set -euo pipefail

hosts_file="${HOSTS_FILE:-/etc/fleet/hosts}"

read -rp "Service to inspect: " service
read -rp "Lines: " lines

while IFS= read -r host; do
    printf '== %s\n' "$host"
    ssh -n "$host" "journalctl -u $service -n $lines --no-pager" || echo "failed: $host" >&2
done < "$hosts_file"
