#!/bin/bash
# CGI guest book
NAME=$(echo "$QUERY_STRING" | sed -n 's/^.*name=\([^&]*\).*$/\1/p' | sed 's/%20/ /g; s/%3C/</g; s/%3E/>/g')

echo "Content-type: text/html"
echo ""
cat <<HTML
<html><body>
<h1>Welcome, $NAME</h1>
<p>Today is $(date +%F)</p>
</body></html>
HTML
echo "<!-- $NAME -->"
