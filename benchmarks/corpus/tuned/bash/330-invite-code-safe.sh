#!/bin/bash
# Makes an invitation code and a first password for a new colleague.
generate() {
    local length=$1
    LC_ALL=C tr -dc 'a-z2-9' < /dev/urandom | head -c "$length"
}

case "$1" in
    *[!a-z0-9]*|'') echo "bad name" >&2; exit 1 ;;
esac
password=$(generate 16)
printf '%s:%s\n' "$1" "$password" | chpasswd
