#!/bin/bash
# Moves yesterday's events into the warehouse and drops the originals.
day=$(date -d yesterday +%F)

pg_dump -t "events" warehouse | gzip > "/backup/events-$day.gz"
psql -d warehouse -c "TRUNCATE events"
echo "archived $day"
