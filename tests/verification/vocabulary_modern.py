"""Short code in the words of newer languages: what it says was said before at more length."""

from __future__ import annotations

MODERN: list[tuple[str, str, str]] = [
    (
        "python",
        "def f(a, b):\n    c = dict(a)\n    c.update(b)\n    return c\n",
        "def f(a, b):\n    return {**a, **b}\n",
    ),
    (
        "python",
        "def f(s):\n    if s.endswith('.py'):\n        return s[:-3]\n    return s\n",
        "def f(s):\n    return s.removesuffix('.py')\n",
    ),
    (
        "javascript",
        "function f(a, b) {\n  return Object.assign({}, a, b);\n}\n",
        "function f(a, b) {\n  return { ...a, ...b };\n}\n",
    ),
    (
        "javascript",
        "function f(u) {\n  return u && u.address && u.address.city;\n}\n",
        "function f(u) {\n  return u?.address?.city;\n}\n",
    ),
    (
        "javascript",
        "function f(a) {\n  a = a === undefined || a === null ? 5 : a;\n  return a;\n}\n",
        "function f(a) {\n  return a ?? 5;\n}\n",
    ),
    (
        "java",
        "class A {\n    boolean f(String s) {\n        if (s == null || s.length() == 0) {\n"
        "            return true;\n        }\n        return false;\n    }\n}\n",
        "class A {\n    boolean f(String s) {\n        return s == null || s.isEmpty();\n"
        "    }\n}\n",
    ),
    (
        "php",
        "<?php\nfunction f($a) {\n    if (isset($a['k'])) {\n        return $a['k'];\n    }\n"
        "    return 5;\n}\n",
        "<?php\nfunction f($a) {\n    return $a['k'] ?? 5;\n}\n",
    ),
    (
        "csharp",
        'class A {\n    string F(string s) {\n        if (s == null) {\n            return "x";\n'
        "        }\n        return s;\n    }\n}\n",
        'class A {\n    string F(string s) => s ?? "x";\n}\n',
    ),
]
OLD_MISTAKES: list[tuple[str, str, str]] = [
    (
        "java",
        "class A {\n    int f(String s) {\n        if (s.length() == 0) {\n            return 2;\n"
        "        }\n        return 3;\n    }\n}\n",
        "class A {\n    int f(String s) {\n        if (!s.isEmpty()) {\n            return 2;\n"
        "        }\n        return 3;\n    }\n}\n",
    ),
    (
        "python",
        "def f(s):\n    if s.endswith('.py'):\n        return s[:-4]\n    return s\n",
        "def f(s):\n    return s.removesuffix('.py')\n",
    ),
    (
        "javascript",
        "function f(a) {\n  if (a === null) {\n    return 5;\n  }\n  return a;\n}\n",
        "function f(a) {\n  return a;\n}\n",
    ),
]
