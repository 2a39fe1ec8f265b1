#!/bin/bash
limit=90

check() {
    local mount="$1" used
    used=$(df --output=pcent "$mount" | tail -1 | tr -dc '0-9')
    if [ "$used" -gt "$limit" ]; then
        echo "$mount is ${used}% full" | mail -s "disk alarm" ops@example.org
    fi
}

for mount in / /home /var; do
    check "$mount"
done
