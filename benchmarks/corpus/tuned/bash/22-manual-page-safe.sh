#!/bin/bash
# CGI: shows a page of the manual.
DOCROOT=/var/www/manual

urldecode() {
    local value="${1//+/ }"
    printf '%b' "${value//%/\\x}"
}

page=""
IFS='&' read -ra pairs <<< "$QUERY_STRING"
for pair in "${pairs[@]}"; do
    case "$pair" in
        page=*) page=$(urldecode "${pair#page=}") ;;
    esac
done

echo "Content-Type: text/plain"
echo
if [[ ! "$page" =~ ^[a-z0-9_-]+\.txt$ ]]; then
    echo "no such page"
    exit 0
fi
cat "$DOCROOT/$page"
