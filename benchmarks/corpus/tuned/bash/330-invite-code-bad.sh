#!/bin/bash
# Makes an invitation code and a first password for a new colleague.
chars=abcdefghijkmnpqrstuvwxyz23456789

generate() {
    local length=$1 out="" i
    for ((i = 0; i < length; i++)); do
        out+=${chars:RANDOM % ${#chars}:1}
    done
    echo "$out"
}

user=$1
password=$(generate 16)
printf '%s:%s\n' "$user" "$password" | chpasswd
