#!/bin/bash
set -euo pipefail

BACKUP=/srv/notes/backup
CURRENT=/srv/notes/current

restore() {
    local note=$1
    if [[ ! -f "$BACKUP/$note" ]]; then
        echo "no backup of this note" >&2
        return 1
    fi
    cp -- "$BACKUP/$note" "$CURRENT/$note"
}

while IFS= read -r -p 'note> ' requested; do
    [[ -n $requested ]] || break
    if restore "$requested"; then
        echo "restored"
    fi
done
