#!/usr/bin/env bash
# CGI script behind the help desk's "is this site up?" form.
set -euo pipefail

urldecode() {
  local text=${1//+/ }
  printf '%b' "${text//%/\\x}"
}

field() {
  local name=$1 pair
  local -a pairs
  IFS='&' read -r -a pairs <<<"${QUERY_STRING:-}"
  for pair in "${pairs[@]}"; do
    if [[ ${pair%%=*} == "$name" ]]; then
      urldecode "${pair#*=}"
      return
    fi
  done
}

printf 'Content-Type: text/plain\r\n\r\n'

site=$(field site)
if [[ -z $site ]]; then
  echo "no site given"
  exit 0
fi

lookup="getent ahosts $site | cut -d' ' -f1 | sort -u"
addresses=$(bash -c "$lookup" || true)
if [[ -n $addresses ]]; then
  printf 'known addresses:\n%s\n' "$addresses"
else
  echo "no address found"
fi
