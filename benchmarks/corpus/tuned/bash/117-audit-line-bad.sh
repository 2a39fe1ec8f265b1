#!/bin/bash
AUDIT=/var/log/door-audit.log

read -r badge
read -r comment
printf '%s badge=%s comment=%b\n' "$(date -Is)" "$badge" "$comment" >> "$AUDIT"
