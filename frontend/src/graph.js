// The network of a trust page, as its tables tell it.

const KIND_OF_TARGET = { "is maintained by": "maintainer", "is hosted at": "repository" };
const text = (cell) => (cell.querySelector("a") ?? cell.querySelector("code") ?? cell).textContent.trim();

/** Nodes and edges. A node's id is its kind and name: what leads where tells the kinds apart. */
export function readGraph(nodeTable, edgeTable) {
  const nodes = rows(nodeTable).map(([name, kind, steps]) => ({
    id: `${text(kind)} ${text(name)}`,
    label: text(name),
    kind: text(kind),
    href: name.querySelector("a")?.getAttribute("href") ?? "",
    place: lastText(steps),
  }));
  const edges = (edgeTable ? rows(edgeTable) : []).map(([from, relation, to]) => ({
    source: `package ${text(from)}`,
    target: `${KIND_OF_TARGET[text(relation)] ?? "package"} ${text(to)}`,
    relation: text(relation),
  }));
  const root = nodes.find(({ place }) => place === "this package");
  const leading = root ? nodes.filter(({ place }) => place === "depends on it") : [];
  edges.push(...leading.map(({ id }) => ({ source: id, target: root.id, relation: "depends on" })));
  const ids = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) };
}

const rows = (table) => [...table.tBodies[0].rows].map((row) => [...row.cells]);

/** Return the text of a cell without the label that it shows on narrow screens. */
function lastText(cell) {
  return [...cell.childNodes].filter((node) => !node.classList?.contains("cell-of"))
    .map((node) => node.textContent).join("").trim();
}
