#!/bin/bash
# Prints the next ticket number; called by several workers at once.
COUNTER=/var/lib/tickets/counter

next_ticket() {
    local current
    current=$(cat "$COUNTER" 2>/dev/null || echo 0)
    current=$((current + 1))
    echo "$current" > "$COUNTER"
    echo "$current"
}

next_ticket
