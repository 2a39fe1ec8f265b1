#!/bin/bash
# Moves yesterday's events into the warehouse and drops the originals.
set -euo pipefail
day=$(date -d yesterday +%F)

pg_dump -t "events" warehouse | gzip > "/backup/events-$day.gz"
psql -d warehouse -c "TRUNCATE events"
echo "archived $day"
