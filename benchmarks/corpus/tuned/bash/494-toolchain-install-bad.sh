#!/usr/bin/env bash
set -euo pipefail

VERSION=3.14.2
MIRROR=https://downloads.toolchain.example/releases
PREFIX=${PREFIX:-/opt/toolchain}

log() {
    printf '%s\n' "toolchain: $*" >&2
}

fetch() {
    local name=$1 target=$2
    curl --fail --silent --show-error --location --proto '=https' \
        --output "$target" "$MIRROR/$VERSION/$name"
}

already_there() {
    [[ -f $PREFIX/VERSION ]] && [[ $(< "$PREFIX/VERSION") == "$VERSION" ]]
}

main() {
    if already_there; then
        log "version $VERSION is installed"
        return
    fi

    local work
    work=$(mktemp -d)
    trap "rm -rf -- '$work'" EXIT

    log "fetching $VERSION"
    fetch "toolchain-installer.run" "$work/installer.run"
    sh "$work/installer.run" --prefix "$PREFIX" --quiet
    printf '%s' "$VERSION" > "$PREFIX/VERSION"
    log "done"
}

main "$@"
