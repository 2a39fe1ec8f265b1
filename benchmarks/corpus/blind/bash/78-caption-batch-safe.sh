#!/usr/bin/env bash
set -euo pipefail

if [[ $# -lt 2 ]]; then
    echo "usage: $0 caption image..." >&2
    exit 2
fi

caption=$1
shift

for image in "$@"; do
    [[ -f $image ]] || continue
    sh -c 'exiftool -q "-Description=$2" "./$1"' caption "$image" "$caption"
    printf 'captioned %s\n' "$image"
done
