#!/usr/bin/env bash
# Worker: builds a preview for every branch name that the webhook puts in the queue.
set -euo pipefail

queue=${1:?usage: preview-worker QUEUE_FIFO}
checkout=${PREVIEW_CHECKOUT:-/srv/preview/site}
public=${PREVIEW_PUBLIC:-/srv/preview/public}

log() {
  printf '%(%FT%TZ)T %s\n' -1 "$*" >&2
}

build() {
  local branch=$1
  git -C "$checkout" fetch --quiet --depth 1 origin "$branch" &&
    git -C "$checkout" checkout --quiet --force --detach FETCH_HEAD &&
    make --silent -C "$checkout" site &&
    rsync --archive --delete "$checkout/build/" "$public/$(branch_folder "$branch")/"
}

branch_folder() {
  printf '%s' "$1" | sha256sum | cut -c1-12
}

while IFS= read -r branch; do
  [[ -n $branch ]] || continue
  if build "$branch"; then
    log "built $(printf '%q' "$branch")"
  else
    log "build of $(printf '%q' "$branch") failed"
  fi
done <"$queue"
