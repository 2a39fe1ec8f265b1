#!/bin/bash
# CGI guest book
escape() {
    sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
}
NAME=$(echo "$QUERY_STRING" | sed -n 's/^.*name=\([^&]*\).*$/\1/p' | sed 's/%20/ /g' | escape)

echo "Content-type: text/html"
echo ""
cat <<HTML
<html><body>
<h1>Welcome, $NAME</h1>
<p>Today is $(date +%F)</p>
</body></html>
HTML
