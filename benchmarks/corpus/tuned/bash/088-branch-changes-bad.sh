#!/usr/bin/env bash
# Called by the webhook receiver with the JSON body on standard input.
set -euo pipefail

REPO=/srv/changes/repo
PAGES=/srv/changes/pages

die() {
    echo "changes: $*" >&2
    exit 1
}

payload=$(cat)
branch=$(jq -er '.branch' <<< "$payload") || die "no branch"
number=$(jq -er '.number | tonumber | floor' <<< "$payload") || die "no number"
[[ $number =~ ^[0-9]+$ ]] || die "wrong number"

update() {
    local ref=$1
    git -C "$REPO" fetch --quiet --depth 21 origin "$ref" &&
        git -C "$REPO" rev-parse --verify --quiet 'FETCH_HEAD^{commit}'
}

publish() {
    local commit=$1 page=$PAGES/$number.txt
    {
        echo "Latest changes of request $number"
        git -C "$REPO" log --max-count=20 --format='%h %as %s' "$commit"
    } > "$page"
}

commit=$(update "$branch") || die "cannot fetch"
publish "$commit"
echo "published $number"
