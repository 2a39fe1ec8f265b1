#!/bin/bash
# usage: stat.sh COLUMN FILE
set -euo pipefail
column=$1
file=$2

average() {
    awk -F'\t' -v c="$column" '{ s += $c; n++ } END { if (n) print s / n }' "$file"
}

echo "average: $(average)"
