// Cytoscape over the graph of a trust page.
import cytoscape from "cytoscape";
import { colour, darkness, make, nonce } from "./dom.js";

// Without an element of this ID, Cytoscape adds one that lacks the nonce.
const SHEET = "__________cytoscape_stylesheet";
const ZOOM = 1.3;
const HEIGHT = "34rem";
const MOST_IN_RINGS = 60;

/** Replace a frame with the explorer. The answer's `show` switches between the two. */
export function explore(frame, tools, graph) {
  allowStyles();
  const box = make("div", { class: "net-frame", role: "img", "aria-label": "Interactive network. The tables below list its nodes and links" });
  box.style.height = HEIGHT;
  frame.after(box);
  const picture = cytoscape({ container: box, elements: elements(graph), minZoom: 0.2, maxZoom: 4, style: look() });
  arrange(picture);
  darkness(() => picture.style(look()));
  picture.on("tap", "node[href != '']", ({ target }) => location.assign(target.data("href")));
  picture.on("mouseover mouseout", "node", ({ type, target }) => near(picture, target, type === "mouseover"));
  const buttons = [
    button("Zoom in", () => zoom(picture, ZOOM)),
    button("Zoom out", () => zoom(picture, 1 / ZOOM)),
    button("Show all", () => picture.fit(undefined, 24)),
  ];
  tools.append(...buttons);
  return {
    show(wanted) {
      frame.hidden = wanted;
      for (const each of [box, ...buttons]) each.hidden = !wanted;
      if (wanted) picture.resize().fit(undefined, 24);
    },
  };
}

function allowStyles() {
  if (document.getElementById(SHEET)) return;
  const sheet = document.createElement("style");
  sheet.id = SHEET;
  sheet.nonce = nonce();
  sheet.textContent = ".__________cytoscape_container { position: relative; }";
  document.head.prepend(sheet);
}

function button(text, act) {
  const made = make("button", { type: "button", class: "button button-quiet button-small" }, text);
  made.addEventListener("click", act);
  return made;
}

const elements = ({ nodes, edges }) => [
  ...nodes.map((node) => ({ group: "nodes", data: { ...node }, classes: node.place === "this package" ? "root" : "" })),
  ...edges.map((edge) => ({ group: "edges", data: { ...edge } })),
];

function arrange(picture) {
  const root = picture.nodes(".root");
  picture.layout({
    name: root.nonempty() && picture.nodes().length < MOST_IN_RINGS ? "concentric" : "cose",
    animate: false,
    padding: 24,
    concentric: (node) => (node.hasClass("root") ? 10 : 10 - (Number(node.data("place")) || 1)),
    levelWidth: () => 1,
    minNodeSpacing: 34,
  }).run();
}

const zoom = (picture, by) =>
  picture.zoom({ level: picture.zoom() * by, renderedPosition: { x: picture.width() / 2, y: picture.height() / 2 } });

function near(picture, node, wanted) {
  picture.elements().toggleClass("far", wanted);
  if (wanted) node.closedNeighborhood().removeClass("far");
}

function look() {
  const shapes = { package: ["ellipse", "accent"], maintainer: ["diamond", "caution"], repository: ["rectangle", "post"] };
  return [
    { selector: "node", style: { label: "data(label)", width: 14, height: 14, color: colour("ink"), "font-family": "system-ui, sans-serif", "font-size": 11, "text-valign": "bottom", "text-margin-y": 4, "text-outline-color": colour("ground-side"), "text-outline-width": 2, "text-max-width": 120, "text-wrap": "ellipsis" } },
    ...Object.entries(shapes).map(([kind, [shape, name]]) => ({ selector: `node[kind = "${kind}"]`, style: { shape, "background-color": colour(name) } })),
    { selector: "node.root", style: { width: 24, height: 24, "font-size": 14, "font-weight": "bold" } },
    { selector: "edge", style: { width: 1.25, "curve-style": "bezier", "target-arrow-shape": "triangle", "arrow-scale": 0.7, "line-color": colour("line-strong"), "target-arrow-color": colour("line-strong") } },
    { selector: 'edge[relation != "depends on"]', style: { "line-style": "dashed" } },
    { selector: ".far", style: { opacity: 0.2 } },
  ];
}
