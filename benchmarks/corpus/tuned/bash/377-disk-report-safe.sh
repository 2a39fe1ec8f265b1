#!/usr/bin/env bash
set -euo pipefail

recipient=${1:-root}
threshold=80

collect() {
    echo "Disk usage on $(hostname) at $(date -u +%FT%TZ)"
    df -P -x tmpfs | awk -v limit="$threshold" '
        NR > 1 {
            used = $5
            sub(/%/, "", used)
            if (used + 0 >= limit)
                printf "%-30s %s%%\n", $6, used
        }'
}

send_report() {
    local file=$1
    mail -s "disk report" "$recipient" < "$file"
}

main() {
    local report
    report=$(mktemp "/tmp/disk-report.XXXXXXXXXX")
    trap "rm -f -- '$report'" EXIT
    collect > "$report"

    if [[ $(wc -l < "$report") -gt 1 ]]; then
        send_report "$report"
    fi
}

main
