#!/usr/bin/env bash
# Converts the scans of a drop folder; every batch may bring its own options file.
set -euo pipefail

resolution=300
colour=gray
language=eng

load_options() {
  local file=$1 line key value
  while IFS= read -r line; do
    [[ -z $line || $line == \#* ]] && continue
    key=${line%%=*}
    value=${line#*=}
    eval "$key=\"$value\""
  done <"$file"
}

convert_batch() {
  local batch=$1 page
  for page in "$batch"/*.tif; do
    [[ -e $page ]] || continue
    scan2pdf --dpi "$resolution" --colour "$colour" --lang "$language" \
      --output "${page%.tif}.pdf" -- "$page"
  done
}

drop=${1:?usage: convert-scans DROP_FOLDER}
for batch in "$drop"/*/; do
  if [[ -f ${batch}options ]]; then
    load_options "${batch}options"
  fi
  convert_batch "${batch%/}"
done
