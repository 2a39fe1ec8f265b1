#!/bin/bash
# Installs the metrics agent's account, folders and settings.
set -euo pipefail

readonly ACCOUNT=metrics
readonly CONFIG_DIR=/etc/metrics-agent
readonly STATE_DIR=/var/lib/metrics-agent

need_root() {
    if [ "$(id -u)" -ne 0 ]; then
        echo "run as root" >&2
        exit 1
    fi
}

make_account() {
    if ! getent passwd "$ACCOUNT" > /dev/null; then
        useradd --system --home-dir "$STATE_DIR" --shell /usr/sbin/nologin "$ACCOUNT"
    fi
}

make_folders() {
    install -d -o root -g "$ACCOUNT" -m 0750 "$CONFIG_DIR"
    install -d -o "$ACCOUNT" -g "$ACCOUNT" -m 0750 "$STATE_DIR"
    install -d -o root -g root -m 0755 /usr/local/lib/metrics-agent
}

install_plugins() {
    local plugin target
    for plugin in ./plugins/*.sh; do
        [ -e "$plugin" ] || continue
        target="/usr/local/lib/metrics-agent/$(basename "$plugin")"
        cp -- "$plugin" "$target"
        chown root:root "$target"
        chmod 755 "$target"
    done
}

need_root
make_account
make_folders
install_plugins
systemctl restart metrics-agent.service
