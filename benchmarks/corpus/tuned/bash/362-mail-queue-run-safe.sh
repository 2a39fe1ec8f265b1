#!/bin/bash
set -u

queue=/var/spool/outbox
lock=/run/outbox/run.lock
limit=${OUTBOX_LIMIT:-50}

log() {
    logger -t outbox -- "$*"
}

deliver() {
    local message=$1
    if sendmail -t -i < "$message"; then
        mv -- "$message" "$queue/sent/"
    else
        log "not delivered: ${message##*/}"
    fi
}

exec 9>> "$lock"
if ! flock --nonblock 9; then
    log "another run is active"
    exit 0
fi

done_now=0
for message in "$queue"/new/*.eml; do
    [ -f "$message" ] || continue
    deliver "$message"
    done_now=$((done_now + 1))
    if [ "$done_now" -ge "$limit" ]; then
        break
    fi
done
log "handled $done_now messages"
