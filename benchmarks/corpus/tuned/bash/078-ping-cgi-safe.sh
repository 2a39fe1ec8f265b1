#!/bin/bash
set -u

declare -A field=()

decode() {
    local text=${1//+/ }
    printf '%b' "${text//%/\\x}"
}

read_query() {
    local pair
    local -a pairs
    IFS='&' read -r -a pairs <<< "${QUERY_STRING:-}"
    for pair in "${pairs[@]}"; do
        case ${pair%%=*} in
            host) field[host]=$(decode "${pair#*=}") ;;
            count) field[count]=$(decode "${pair#*=}") ;;
        esac
    done
}

read_query
printf 'Content-Type: text/plain\r\n\r\n'

host=${field[host]:-}
count=${field[count]:-3}
if [[ ! $count =~ ^[1-9]$ ]]; then
    echo "count must be between 1 and 9"
    exit 0
fi
if [[ ! $host =~ ^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$ ]]; then
    echo "host is missing or wrong"
    exit 0
fi

probe=(ping -c "$count" -w 10 -- "$host")
"${probe[@]}" 2>&1
