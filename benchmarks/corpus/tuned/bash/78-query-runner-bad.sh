#!/bin/bash
# Runs a saved report for the operator.
set -u

REPORT_DIR=/opt/reports

usage() {
    echo "usage: $0 <report> <filter>" >&2
    exit 64
}

main() {
    [ $# -eq 2 ] || usage
    local report="$1"
    local filter="$2"
    local cmd
    cmd="awk -F, -f $REPORT_DIR/${report}.awk -v want=${filter} $REPORT_DIR/data.csv"
    eval "$cmd" | sort | uniq -c
}

main "$@"
