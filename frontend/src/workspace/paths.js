// Paths of a workspace: as a tree, and found by a few letters.
import { plain } from "../hidden.js";

const IN_ORDER = new Intl.Collator("en", { numeric: true });

export const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path) => path.slice(0, path.lastIndexOf("/") + 1);

/** The folders that a path is in, the outermost first, each with a slash at the end. */
export function foldersOf(path) {
  const names = path.split("/").slice(1, -1);
  return names.map((_, at) => `/${names.slice(0, at + 1).join("/")}/`);
}

/** The children of folders by the folder's path, folders first: `{path, name, isFolder}`. */
export function treeOf(paths) {
  const tree = new Map([["/", []]]);
  for (const path of paths) {
    for (const folder of foldersOf(path)) {
      if (tree.has(folder)) continue;
      tree.set(folder, []);
      tree.get(folderOf(folder.slice(0, -1))).push({ path: folder, name: nameOf(folder.slice(0, -1)), isFolder: true });
    }
    tree.get(folderOf(path)).push({ path, name: nameOf(path), isFolder: false });
  }
  for (const children of tree.values()) {
    children.sort((a, b) => b.isFolder - a.isFolder || IN_ORDER.compare(a.name, b.name));
  }
  return tree;
}

/** The paths that have the letters in this order, the best first. */
export function ranked(paths, letters, most = 50) {
  const wanted = letters.toLowerCase().replaceAll(/\s/g, "");
  const found = [];
  for (const path of paths) {
    const score = scoreOf(path.toLowerCase(), wanted);
    if (score !== null) found.push({ path, score });
  }
  found.sort((a, b) => b.score - a.score || a.path.length - b.path.length || IN_ORDER.compare(a.path, b.path));
  return found.slice(0, most).map(({ path }) => path);
}

function scoreOf(path, wanted) {
  const name = path.lastIndexOf("/") + 1;
  const together = path.lastIndexOf(wanted);
  if (wanted && together >= 0) return (together >= name ? 2000 : 1000) + (together === name ? 500 : 0);
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = path.indexOf(letter, at + 1);
    if (next < 0) return null;
    score += next === at + 1 ? 5 : "/._-".includes(path[next - 1]) ? 3 : 0;
    if (next >= name) score += 2;
    at = next;
  }
  return score;
}

/** Why a new file cannot be called so; empty if it can, as far as a page can tell. */
export function pathProblem(path, taken) {
  if (!path.startsWith("/")) return "A path begins with a slash.";
  if (path.split("/").slice(1).some((name) => !name || name === "." || name === "..")) return "Each part of a path needs a name.";
  const folded = path.toLowerCase();
  const other = taken.find((each) => {
    const known = each.toLowerCase();
    return known === folded || known.startsWith(`${folded}/`) || folded.startsWith(`${known}/`);
  });
  return other ? `${plain(other)} is there already.` : "";
}
