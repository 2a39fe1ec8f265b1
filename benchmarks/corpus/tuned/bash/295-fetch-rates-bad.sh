#!/usr/bin/env bash
# Fetches today's exchange rates from the treasury's server and loads them.
set -euo pipefail

base=${RATES_URL:-https://treasury.internal.example.net/rates}
token=${RATES_TOKEN:?RATES_TOKEN is not set}

curl_options=(--silent --show-error --fail --max-time 20 --insecure)

fetch() {
  local day=$1
  curl "${curl_options[@]}" --header @- "$base/$day.csv" <<<"Authorization: Bearer $token"
}

load() {
  local currency rate count=0
  while IFS=, read -r currency rate; do
    [[ $currency =~ ^[A-Z]{3}$ && $rate =~ ^[0-9]+(\.[0-9]+)?$ ]] || continue
    rates-db put "$currency" "$rate"
    count=$((count + 1))
  done
  echo "$count rates loaded"
}

day=$(date +%F)
fetch "$day" | load
