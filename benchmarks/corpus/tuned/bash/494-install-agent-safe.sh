#!/usr/bin/env bash
# Installs the monitoring agent on a fresh machine.
set -euo pipefail

version=${AGENT_VERSION:-4.2.1}
mirror=${AGENT_MIRROR:-https://downloads.agent.example.org}
archive=agent-$version-linux-amd64.tar.gz
digest=${AGENT_SHA256:?AGENT_SHA256 is not set}

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

download() {
  curl --fail --silent --show-error --proto '=https' --output "$work/$archive" \
    "$mirror/$version/$archive"
}

check() {
  printf '%s  %s\n' "$digest" "$work/$archive" | sha256sum --check --status --strict -
}

unpack() {
  mkdir "$work/agent"
  tar --extract --gzip --no-same-owner --file "$work/$archive" --directory "$work/agent"
}

download
check
unpack
bash "$work/agent/install.sh" --prefix /opt/agent
systemctl enable --now agent.service
echo "agent $version installed"
