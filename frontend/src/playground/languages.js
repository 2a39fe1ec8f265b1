// Languages of the editor, each fetched when code in it is shown.

const SQL = "athena bigquery clickhouse databricks db2 doris drill druid duckdb hive mariadb materialize mysql oracle postgres presto redshift risingwave snowflake sparksql sql sqlite starrocks teradata trino tsql";
const LOADERS = {
  python: async () => (await import("@codemirror/lang-python")).python(),
  javascript: async () => (await import("@codemirror/lang-javascript")).javascript({ jsx: true }),
  typescript: async () => (await import("@codemirror/lang-javascript")).javascript({ typescript: true, jsx: true }),
  go: async () => (await import("@codemirror/lang-go")).go(),
  rust: async () => (await import("@codemirror/lang-rust")).rust(),
  java: async () => (await import("@codemirror/lang-java")).java(),
  c: async () => (await import("@codemirror/lang-cpp")).cpp(),
  cpp: async () => (await import("@codemirror/lang-cpp")).cpp(),
  json: async () => (await import("@codemirror/lang-json")).json(),
  html: async () => (await import("@codemirror/lang-html")).html(),
  vue: async () => (await import("@codemirror/lang-html")).html(),
  svelte: async () => (await import("@codemirror/lang-html")).html(),
  css: async () => (await import("@codemirror/lang-css")).css(),
  yaml: async () => (await import("@codemirror/lang-yaml")).yaml(),
  php: async () => (await import("@codemirror/lang-php")).php(),
  markdown: async () => (await import("@codemirror/lang-markdown")).markdown(),
  xml: async () => (await import("@codemirror/lang-xml")).xml(),
  bash: mode(() => import("@codemirror/legacy-modes/mode/shell"), "shell"),
  clojure: mode(() => import("@codemirror/legacy-modes/mode/clojure"), "clojure"),
  cmake: mode(() => import("@codemirror/legacy-modes/mode/cmake"), "cmake"),
  csharp: mode(() => import("@codemirror/legacy-modes/mode/clike"), "csharp"),
  dart: mode(() => import("@codemirror/legacy-modes/mode/clike"), "dart"),
  diff: mode(() => import("@codemirror/legacy-modes/mode/diff"), "diff"),
  dockerfile: mode(() => import("@codemirror/legacy-modes/mode/dockerfile"), "dockerFile"),
  elm: mode(() => import("@codemirror/legacy-modes/mode/elm"), "elm"),
  erlang: mode(() => import("@codemirror/legacy-modes/mode/erlang"), "erlang"),
  fortran: mode(() => import("@codemirror/legacy-modes/mode/fortran"), "fortran"),
  fsharp: mode(() => import("@codemirror/legacy-modes/mode/mllike"), "fSharp"),
  groovy: mode(() => import("@codemirror/legacy-modes/mode/groovy"), "groovy"),
  haskell: mode(() => import("@codemirror/legacy-modes/mode/haskell"), "haskell"),
  ini: mode(() => import("@codemirror/legacy-modes/mode/properties"), "properties"),
  julia: mode(() => import("@codemirror/legacy-modes/mode/julia"), "julia"),
  kotlin: mode(() => import("@codemirror/legacy-modes/mode/clike"), "kotlin"),
  latex: mode(() => import("@codemirror/legacy-modes/mode/stex"), "stex"),
  less: mode(() => import("@codemirror/legacy-modes/mode/css"), "less"),
  lua: mode(() => import("@codemirror/legacy-modes/mode/lua"), "lua"),
  objc: mode(() => import("@codemirror/legacy-modes/mode/clike"), "objectiveC"),
  ocaml: mode(() => import("@codemirror/legacy-modes/mode/mllike"), "oCaml"),
  pascal: mode(() => import("@codemirror/legacy-modes/mode/pascal"), "pascal"),
  perl: mode(() => import("@codemirror/legacy-modes/mode/perl"), "perl"),
  powershell: mode(() => import("@codemirror/legacy-modes/mode/powershell"), "powerShell"),
  properties: mode(() => import("@codemirror/legacy-modes/mode/properties"), "properties"),
  protobuf: mode(() => import("@codemirror/legacy-modes/mode/protobuf"), "protobuf"),
  r: mode(() => import("@codemirror/legacy-modes/mode/r"), "r"),
  ruby: mode(() => import("@codemirror/legacy-modes/mode/ruby"), "ruby"),
  scala: mode(() => import("@codemirror/legacy-modes/mode/clike"), "scala"),
  scss: mode(() => import("@codemirror/legacy-modes/mode/css"), "sCSS"),
  swift: mode(() => import("@codemirror/legacy-modes/mode/swift"), "swift"),
  toml: mode(() => import("@codemirror/legacy-modes/mode/toml"), "toml"),
  verilog: mode(() => import("@codemirror/legacy-modes/mode/verilog"), "verilog"),
  vhdl: mode(() => import("@codemirror/legacy-modes/mode/vhdl"), "vhdl"),
};
for (const name of SQL.split(" ")) LOADERS[name] = async () => (await import("@codemirror/lang-sql")).sql();

/** How to load a language that is colored line by line. @param load imports the file that has it. */
function mode(load, name) {
  return async () => {
    const [{ StreamLanguage }, modes] = await Promise.all([import("@codemirror/language"), load()]);
    return StreamLanguage.define(modes[name]);
  };
}

/** The editor's extension for a canonical language; none for one that it does not know. */
export async function support(language) {
  try {
    return (await LOADERS[language]?.()) ?? [];
  } catch {
    return []; // missing colors are not worth an error
  }
}
