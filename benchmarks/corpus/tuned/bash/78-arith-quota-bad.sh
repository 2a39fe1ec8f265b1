#!/bin/bash
# CGI: tells how much of the quota is left
echo "Content-Type: text/plain"
echo
used=$(echo "$QUERY_STRING" | sed -n 's/^used=//p')
limit=500
if [[ $used -gt $limit ]]; then
    echo "over quota"
else
    echo "left: $((limit - used))"
fi
