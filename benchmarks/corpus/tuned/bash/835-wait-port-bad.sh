#!/bin/bash
# Waits until the database answers, ten tries.
host=${1:-localhost}
tries=0

while [ "$tries" -lt 10 ]; do
    if nc -z "$host" 5432; then
        echo "up"
        exit 0
    fi
    sleep 2
done
echo "gave up" >&2
exit 1
