#!/usr/bin/env bash
# Scan a repository in any CI system, such as a shell step of Jenkins.
#
#   BASE=origin/main bash templates/scan.sh [PATH...]
#
# BASE is the commit to compare with; without it, all findings count. If codeintel is not installed,
# pip installs PACKAGE, such as git+https://git.example.org/OWNER/codeintel. The reports are written
# to the folder REPORTS. The exit status is that of the scan: 1 for findings, 3 if some checks could not run.
set -euo pipefail

reports=${REPORTS:-codeintel-reports}
mkdir -p "$reports"
arguments=("$@")
if [ -n "${BASE:-}" ]; then arguments+=(--base "$BASE"); fi

if ! command -v codeintel >/dev/null; then
    if [ -z "${PACKAGE:-}" ]; then
        echo "codeintel is not installed. Set PACKAGE to the address of its repository," \
            "such as git+https://git.example.org/OWNER/codeintel." >&2
        exit 2
    fi
    python3 -P -m pip install --quiet "$PACKAGE" # -P: without modules of the scanned repository
fi

status=0
codeintel scan ${arguments[@]+"${arguments[@]}"} --local \
    --output text \
    --output junit="$reports/junit.xml" \
    --output sarif="$reports/scan.sarif" \
    --output html="$reports/scan.html" || status=$?
exit "$status"
