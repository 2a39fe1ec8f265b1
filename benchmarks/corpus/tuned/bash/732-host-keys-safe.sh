#!/usr/bin/env bash
# Creates the TLS key and the signing request for one of our hosts.
set -euo pipefail

usage() {
  echo "usage: ${0##*/} HOSTNAME [FOLDER]" >&2
  exit 64
}

(($# >= 1)) || usage
host=$1
folder=${2:-/etc/pki/hosts}
[[ $host =~ ^[a-z0-9][a-z0-9.-]*$ ]] || usage

key=$folder/$host.key
request=$folder/$host.csr

umask 077
mkdir -p -- "$folder"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$key"
openssl req -new -key "$key" -subj "/CN=$host" -out "$request"

chmod 644 "$request"
chmod 600 "$key"

printf 'key:     %s\nrequest: %s\n' "$key" "$request"
