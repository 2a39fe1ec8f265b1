"""A good model's rewrites of ordinary code, which must not be reported as errors."""

from __future__ import annotations

from vocabulary_python_branches import BRANCHES
from vocabulary_python_functions import FUNCTIONS
from vocabulary_python_loops import LOOPS

OTHERS: list[tuple[str, str, str]] = [
    (
        "javascript",
        "function total(items) {\n  var t = 0;\n  for (var i = 0; i < items.length; i++) {\n"
        "    if (items[i].paid == true) {\n      t = t + items[i].price * items[i].count;\n    }\n"
        "  }\n  return t;\n}\nmodule.exports = total;\n",
        "function total(items) {\n  return items\n    .filter((item) => item.paid)\n"
        "    .reduce((sum, item) => sum + item.price * item.count, 0);\n}\n"
        "module.exports = total;\n",
    ),
    (
        "javascript",
        "export function check(user) {\n  if (user !== null) {\n    if (user.age >= 18) {\n"
        "      return true;\n    } else {\n      return false;\n    }\n  } else {\n"
        "    return false;\n  }\n}\n",
        "export function check(user) {\n  if (user === null) {\n    return false;\n  }\n"
        "  return user.age >= 18;\n}\n",
    ),
    (
        "javascript",
        "export function load(id, done) {\n  if (!id) {\n    throw new Error('no id');\n  }\n"
        "  var url = '/items/' + id + '?full=' + 5;\n  return get(url).then(function (r) {\n"
        "    return r.items;\n  });\n}\n",
        "export function load(id, done) {\n  if (!id) {\n    throw new Error('no id');\n  }\n"
        "  const url = `/items/${id}?full=${5}`;\n  return get(url).then((r) => r.items);\n}\n",
    ),
    (
        "javascript",
        "export async function a(id) {\n"
        "  return get(id).then(function (x) { return put(x); });\n}\n",
        "export async function a(id) {\n  const x = await get(id);\n  return put(x);\n}\n",
    ),
    (
        "javascript",
        "export function has(xs, x) {\n  for (let i = 0; i < xs.length; i++) {\n"
        "    if (xs[i] === x) { return true; }\n  }\n  return false;\n}\n",
        "export function has(xs, x) {\n  return xs.includes(x);\n}\n",
    ),
    (
        "typescript",
        "export class Cart {\n  private items: Item[] = [];\n  total(): number {\n    let t = 0;\n"
        "    this.items.forEach((item) => {\n      t += item.price * item.count;\n    });\n"
        "    if (t > 1000) {\n      t = t * 0.9;\n    }\n    return t;\n  }\n}\n",
        "const DISCOUNT_FROM = 1000;\nconst DISCOUNT = 0.9;\n\nexport class Cart {\n"
        "  private items: Item[] = [];\n\n  /** The sum of all items. */\n  total(): number {\n"
        "    const sum = this.items.reduce((t, item) => t + item.price * item.count, 0);\n"
        "    return sum > DISCOUNT_FROM ? sum * DISCOUNT : sum;\n  }\n}\n",
    ),
    (
        "java",
        "class Users {\n    List<String> names(List<User> users) {\n"
        "        List<String> result = new ArrayList<String>();\n"
        "        for (int i = 0; i < users.size(); i++) {\n"
        "            if (users.get(i).age() > 18) {\n"
        "                result.add(users.get(i).name());\n            }\n        }\n"
        "        return result;\n    }\n}\n",
        "class Users {\n    List<String> names(List<User> users) {\n"
        "        List<String> result = new ArrayList<>();\n        for (User user : users) {\n"
        "            if (user.age() > 18) {\n                result.add(user.name());\n"
        "            }\n        }\n        return result;\n    }\n}\n",
    ),
    (
        "java",
        "class A {\n    boolean isAdult(User user) {\n        if (user != null) {\n"
        "            if (user.age >= 18) {\n                return true;\n            }\n"
        "        }\n        return false;\n    }\n}\n",
        "class A {\n    boolean isAdult(User user) {\n"
        "        return user != null && user.age >= 18;\n    }\n}\n",
    ),
    (
        "go",
        "package a\n\nfunc Find(xs []int, x int) int {\n\tfor i := 0; i < len(xs); i++ {\n"
        "\t\tif xs[i] == x {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn -1\n}\n",
        "package a\n\n// Find looks for x.\nfunc Find(xs []int, x int) int {\n"
        "\tfor i, each := range xs {\n\t\tif each == x {\n\t\t\treturn i\n\t\t}\n\t}\n"
        "\treturn -1\n}\n",
    ),
    (
        "go",
        "package a\n\nfunc F(x int) (int, error) {\n\tif x > 0 {\n"
        "\t\treturn x * 3, nil\n\t} else {\n"
        '\t\treturn 0, errors.New("negative")\n\t}\n}\n',
        "package a\n\nfunc F(x int) (int, error) {\n\tif x <= 0 {\n"
        '\t\treturn 0, errors.New("negative")\n\t}\n\treturn x * 3, nil\n}\n',
    ),
    (
        "rust",
        "pub fn sum(xs: &[i32]) -> i32 {\n    let mut t = 0;\n    for i in 0..xs.len() {\n"
        "        if xs[i] > 5 {\n            t = t + xs[i];\n        }\n    }\n    return t;\n}\n",
        "/// The sum of what is more than five.\npub fn sum(xs: &[i32]) -> i32 {\n"
        "    xs.iter().filter(|&&x| x > 5).sum()\n}\n",
    ),
    (
        "ruby",
        "def names(users)\n  result = []\n  users.each do |u|\n    if u.age > 18\n"
        "      result << u.name\n    end\n  end\n  return result\nend\n",
        "def names(users)\n  users.select { |u| u.age > 18 }.map(&:name)\nend\n",
    ),
    (
        "php",
        "<?php\nfunction total($items) {\n    $t = 0;\n    foreach ($items as $item) {\n"
        "        $t = $t + $item->price * 3;\n    }\n    return $t;\n}\n",
        "<?php\nfunction total(array $items): int {\n    $total = 0;\n"
        "    foreach ($items as $item) {\n        $total += $item->price * 3;\n    }\n"
        "    return $total;\n}\n",
    ),
    (
        "csharp",
        "class A {\n    public int Count(List<int> xs) {\n        int n = 0;\n"
        "        foreach (var x in xs) {\n            if (x > 7) {\n                n++;\n"
        "            }\n        }\n        return n;\n    }\n}\n",
        "using System.Linq;\nclass A {\n    public int Count(List<int> xs) => "
        "xs.Count(x => x > 7);\n}\n",
    ),
    (
        "c",
        "int max(int a, int b) {\n    if (a > b) {\n        return a;\n    } else {\n"
        "        return b;\n    }\n}\n",
        "/* The larger one. */\nint max(int a, int b)\n{\n    return a > b ? a : b;\n}\n",
    ),
    (
        "kotlin",
        "fun names(users: List<User>): List<String> {\n    val out = mutableListOf<String>()\n"
        "    for (u in users) {\n        if (u.age > 18) {\n"
        "            out.add(u.name)\n        }\n"
        "    }\n    return out\n}\n",
        "fun names(users: List<User>): List<String> =\n"
        "    users.filter { it.age > 18 }.map { it.name }\n",
    ),
]
REFACTORED = [*(("python", *each) for each in (*BRANCHES, *FUNCTIONS, *LOOPS)), *OTHERS]
