"""Short, incomplete pieces of code by language."""

from __future__ import annotations

SAMPLES = {
    "python": "def total(self, items=None):\n    return sum(x.price for x in items or [])\n",
    "javascript": "const byId = {};\nitems.forEach((item) => {\n  byId[item.id] = item;\n});\n",
    "typescript": "export function first<T>(items: T[]): T | undefined {\n  return items[0];\n}\n",
    "java": "public int size() {\n    return items.isEmpty() ? 0 : items.size();\n}\n"
    "private final List<String> items = new ArrayList<>();\n",
    "go": "func (s *Store) Get(id string) (int, error) {\n\tif v, ok := s.m[id]; ok {\n"
    "\t\treturn v, nil\n\t}\n\treturn 0, errMissing\n}\n",
    "php": "function total(array $items) {\n    $sum = 0;\n    foreach ($items as $item) {\n"
    "        $sum += $item->price;\n    }\n    return $sum;\n}\n",
    "ruby": "def total\n  items.map(&:price).sum unless items.empty?\nend\n",
    "c": "static int count(const char *s)\n{\n    int n = 0;\n    while (*s++)\n        n++;\n"
    '    printf("%d\\n", n);\n    return n;\n}\n',
    "cpp": "std::vector<int> twice(const std::vector<int>& in) {\n    std::vector<int> out;\n"
    "    for (auto x : in) out.push_back(2 * x);\n    return out;\n}\n",
    "csharp": "public string Name { get; set; }\n\npublic async Task<int> CountAsync()\n{\n"
    "    return await _items.Where(i => i.IsOpen).CountAsync();\n}\n",
    "rust": "pub fn first(words: &[String]) -> Option<&str> {\n"
    "    words.first().map(|w| w.as_str())\n}\n",
    "sql": "SELECT name, COUNT(*) FROM users\nWHERE active = 1\nGROUP BY name\nORDER BY 2 DESC;\n",
    "bash": 'for f in *.txt; do\n  if [ -s "$f" ]; then\n    wc -l "$f"\n  fi\ndone\n',
    "html": '<ul class="menu">\n  <li><a href="/">Home</a></li>\n  <li>Else</li>\n</ul>\n',
    "css": ".menu li {\n  color: red;\n  margin: 0 auto;\n}\n",
    "json": '{"name": "tea", "tags": ["hot", "green"], "price": 4.5}\n',
    "yaml": "name: tea\ntags:\n  - hot\n  - green\nprice: 4.5\n",
    "toml": '[tea]\nname = "green"\nprice = 4.5\n\n[tea.shop]\nopen = true\n',
    "kotlin": "data class Tea(val name: String, val price: Double?)\n\n"
    "fun List<Tea>.cheap() = filter { it.price ?: 0.0 < 5 }\n",
    "swift": "func find(_ name: String) -> Tea? {\n"
    "    guard let tea = teas[name] else { return nil }\n    return tea\n}\n",
    "scala": "case class Tea(name: String)\n\nobject Teas {\n"
    "  def all: List[Tea] = List(Tea(null)).filter(_.name != null)\n}\n",
    "lua": "local function add(a, b)\n  if a == nil then\n    return b\n  end\n"
    "  return a + b\nend\n",
    "perl": "my %count;\nwhile (my $line = <STDIN>) {\n    chomp $line;\n    $count{$line}++;\n}\n",
    "r": "squares <- function(x) {\n  sapply(x, function(y) y^2)\n}\nmean(squares(c(1, 2, 3)))\n",
    "dockerfile": 'FROM alpine:3\nRUN apk add --no-cache curl\nCOPY . /app\nCMD ["/app/run"]\n',
    "markdown": "# Tea\n\nIt is [good](https://example.org).\n\n- hot\n- **green**\n",
    "xml": '<?xml version="1.0"?>\n<teas>\n  <tea price="4.5">green</tea>\n</teas>\n',
    "powershell": "$files = Get-ChildItem -Path . -Filter *.txt\n"
    "foreach ($file in $files) {\n    Write-Host $file.Name\n}\n",
    "elixir": "defmodule Tea do\n  def price(%{name: name}), do: String.length(name)\nend\n",
    "make": "all: tea.o\n\ntea.o: tea.c\n\t$(CC) -c $< -o $@\n\n.PHONY: all\n",
}

NO_CODE = {
    "prose": "It was raining when we came to the station, and nobody was there to meet us.\n"
    "We waited for an hour. Then an old man with a lantern walked along the platform.\n"
    "He asked whether we wanted to go to the village, and if so, he would show us the way.\n",
    "prose in German": "Es regnete, als wir ankamen, und niemand war da, um uns abzuholen.\n"
    "Wir warteten eine Stunde. Dann kam ein alter Mann mit einer Laterne den Weg entlang.\n",
    "a list of words": "milk\nbread\neggs\nsugar\nbutter\ntea\n" * 3,
    "numbers": "\n".join(str(number * 7919 % 10_007) for number in range(200)),
    "base64": "TG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQsIGNvbnNlY3RldHVyIGFkaXBpc2NpbmcgZWxpdA\n" * 20,
    "keywords at random": "for if class in while def end then let not and begin import of select "
    "return is with the new this case do function " * 12,
    "blanks": " \n\t\n" * 100,
    "a log": "\n".join(
        f"2024-05-01 12:00:{n:02},123 INFO request finished in {n * 3} ms" for n in range(50)
    ),
    "a table": "\n".join(f"{n:5}  name{n:<6}  {n * 3.7:8.2f}   ok" for n in range(50)),
}

HOSTILE = (
    *("a=>", "a=>\n", "/*\n", "%w(", "%w(\n", "<!--", "->", "a<", "<<A\n", "q{", "a>b~\n", "@a "),
    *("(", "[", "{", "- ", "a:\n ", "$(", "a|b|", "a?b:", "'", '"', '"\\', "`", "\x00", "é", "a,"),
    *("def a(", "(a)(a: def a(", "$a->", "public static ", "class A<", "=begin\n", "* ", "# a,"),
    *("SELECT (", "key: ", "<a b=", "a ", "_", "\t", "\r", "if a then ", "a.b.", "a::", "|a, "),
)
"""What is repeated to take parsers and patterns long."""
