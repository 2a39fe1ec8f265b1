#!/usr/bin/env bash
set -euo pipefail

hosts_file="${HOSTS_FILE:-/etc/fleet/hosts}"

read -rp "Service to inspect: " service
read -rp "Lines: " lines

if [[ ! $service =~ ^[a-z][a-z0-9-]*$ ]]; then
    echo "bad service name" >&2
    exit 1
fi
if [[ ! $lines =~ ^[0-9]+$ ]]; then
    echo "bad number" >&2
    exit 1
fi

while IFS= read -r host; do
    printf '== %s\n' "$host"
    ssh -n "$host" "journalctl -u $service -n $lines --no-pager" || echo "failed: $host" >&2
done < "$hosts_file"
