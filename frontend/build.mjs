// Bundles src/ into the folder named on the command line. Names carry a digest of what is in the
// files, so that they can be kept for ever; manifest.json tells the name of each entry.
import * as esbuild from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ICONS, ICON_PACKAGE } from "./icons.mjs";

const ENTRIES = ["charts", "code", "network", "playground", "reference", "report", "rules", "run", "site", "workspace"];
const LINE = "-".repeat(78);
const out = process.argv[2];

const { metafile } = await esbuild.build({
  entryPoints: ENTRIES.map((name) => `src/${name}.js`),
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  outdir: out,
  entryNames: "[name]-[hash]",
  chunkNames: "chunks/[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".css": "file" }, // linked by the script that needs it: see src/charts.js
});

const manifest = {};
for (const [file, { entryPoint, bytes }] of Object.entries(metafile.outputs)) {
  console.log(String(bytes).padStart(8), file);
  const entry = ENTRIES.find((name) => entryPoint === `src/${name}.js`);
  if (entry !== undefined) manifest[`${entry}.js`] = basename(file);
}

// One file with all icons: pages show them with `<use>`.
const symbols = ICONS.map((name) => {
  const file = join("node_modules", ICON_PACKAGE, "build/svg", `${name}-16.svg`);
  const [, drawing] = readFileSync(file, "utf8").match(/^<svg [^>]*viewBox="0 0 16 16"[^>]*>(.*)<\/svg>\s*$/s);
  return `<symbol id="${name}" viewBox="0 0 16 16">${drawing}</symbol>`;
});
const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
const digest = createHash("sha256").update(sprite).digest("hex").slice(0, 8).toUpperCase();
manifest["icons.svg"] = `icons-${digest}.svg`;
writeFileSync(join(out, manifest["icons.svg"]), sprite);
writeFileSync(join(out, "manifest.json"), JSON.stringify(manifest));

// The licence texts of all that went in.
const inputs = [...Object.keys(metafile.inputs), `node_modules/${ICON_PACKAGE}/`];
const packages = inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]);
const texts = [...new Set(packages.filter(Boolean))].sort().map((name) => {
  const folder = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const text = file ? readFileSync(join(folder, file), "utf8") : "(no licence text)";
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
});
writeFileSync(join(out, "LICENSES.txt"), texts.join(`\n${LINE}\n\n`));
