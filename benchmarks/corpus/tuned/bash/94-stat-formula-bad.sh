#!/bin/bash
# usage: stat.sh COLUMN FILE
set -euo pipefail
column=$1
file=$2

average() {
    awk -F'\t' "{ s += \$$column; n++ } END { print s / n }" "$file"
}

echo "average: $(average)"
