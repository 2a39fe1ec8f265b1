"""Pages and style sheets: what may be changed in them, and what must not."""

from __future__ import annotations

PAGE = """<!DOCTYPE html>
<html>
<head><title>Prices</title><script src="app.js"></script></head>
<body onload="start()">
<!-- the list -->
<div class="list"><b>Two</b> apples <a href="/pay?id=5">pay</a></div>
<img src="a.png" width="40">
<script>show(5);</script>
</body>
</html>
"""
STYLE = """/* buttons */
@import url("base.css");
.a, .b { color: #FFF; margin: 0 4px; }
.c:hover { background: url(x.png); width: 50%; }
@media (max-width: 600px) { .a { display: none; } }
"""
XML = '<?xml version="1.0"?>\n<a x="1"><b>two</b><c/></a>\n'
MARKDOWN = "# Title\n\nSee [the docs](https://a.example/x) and `run 5`.\n"
ALIKE = [
    ("html", PAGE, PAGE.replace("<b>Two</b>", "<strong>Two</strong>")),
    (
        "html",
        PAGE,
        PAGE.replace('width="40"', 'width="40" alt="An apple" loading="lazy"').replace(
            'alt="An apple" ', 'alt="" '
        ),
    ),
    ("html", PAGE, PAGE.replace("<!-- the list -->", "<!-- What can be bought. -->")),
    (
        "html",
        PAGE,
        PAGE.replace('<div class="list">', '<section class="list">').replace(
            "</div>", "</section>"
        ),
    ),
    ("html", PAGE, PAGE.replace("apples <a", "apples\n  <a")),
    ("css", STYLE, STYLE.replace("#FFF", "white").replace("/* buttons */", "/* Buttons. */")),
    ("css", STYLE, STYLE.replace(".a, .b {", ".a,\n.b {").replace("0 4px", "0px 4px")),
    (
        "css",
        ".a { margin-top: 2px; margin-left: 4px; color: red }\n",
        ":root { --main: red; }\n.a { margin: 2px 0 0 4px; color: var(--main); }\n",
    ),
    ("css", ".a { color: red }\n.b { color: red }\n", ".a,\n.b {\n  color: red;\n}\n"),
    ("xml", XML, XML.replace("><b>", ">\n  <b>")),
    ("markdown", MARKDOWN, MARKDOWN.replace("# Title\n", "Title\n=====\n").replace("=====", "---")),
]
UNLIKE = [
    *(
        ("html", PAGE, PAGE.replace(old, new))
        for old, new in (
            ("Two", "Three"),
            (" apples", ""),
            ("/pay?id=5", "/pay?id=6"),
            ("/pay?id=5", "https://evil.example"),
            ("show(5)", "show(6)"),
            ("show(5);", "show(5); steal();"),
            ("start()", "stop()"),
            ('width="40"', 'width="50"'),
            ('width="40"', 'width="40" onclick="f()"'),
            ("</body>", "<script>f()</script></body>"),
            ("</body>", "<script src='//x.example/a.js'></script></body>"),
            ("</body>", "<iframe src='x'></iframe></body>"),
            ("</body>", "<style>a{}</style></body>"),
            ("</body>", "<img src='//x.example/p.png'></body>"),
            ("app.js", "other.js"),
            ('<script src="app.js"></script>', ""),
            ("<b>Two</b>", "<del>Two</del>"),
        )
    ),
    *(
        ("css", STYLE, STYLE.replace(old, new))
        for old, new in (
            ("#FFF", "#EEE"),
            ("4px", "5px"),
            ("4px", "4em"),
            ("50%", "60%"),
            ("x.png", "y.png"),
            ("base.css", "https://x.example/a.css"),
            (".c:hover", ".c"),
            ("600px", "800px"),
            ("display: none", "display: block"),
            (".a, .b", ".a"),
            ("width: 50%", "height: 50%"),
            ("color: #FFF; ", ""),
            ("width: 50%;", "width: 50%; background: url(https://x.example/p);"),
        )
    ),
    *(
        ("xml", XML, XML.replace(old, new))
        for old, new in (('"1"><', '"2"><'), ("two", "three"), ("<c/>", ""), ("<c/>", "<c y='1'/>"))
    ),
    *(
        ("markdown", MARKDOWN, MARKDOWN.replace(old, new))
        for old, new in (
            ("Title", "Titles"),
            ("a.example", "b.example"),
            ("run 5", "run 6"),
            ("See", "<script>f()</script> See"),
        )
    ),
]
