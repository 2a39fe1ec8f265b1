// The interactive network around a package: a second picture, next to the one that the server
// draws. It is built from the page's tables (`table.nodes`, `table.edges`). The library is fetched
// when the user opens the picture.
import { announce, make } from "./dom.js";
import { readGraph } from "./graph.js";

for (const frame of document.querySelectorAll(".net-frame")) offer(frame);

function offer(frame) {
  const scope = frame.closest("section") ?? document;
  const nodes = scope.querySelector("table.nodes");
  if (!nodes) return;
  const button = make("button", { type: "button", class: "button button-quiet button-small", "aria-pressed": "false" }, "Explore");
  const tools = make("p", { class: "buttons" }, button);
  frame.before(tools);
  let view;
  button.addEventListener("click", async () => {
    const wanted = button.getAttribute("aria-pressed") === "false";
    button.disabled = true;
    if (wanted) view ??= await opened(frame, tools, readGraph(nodes, scope.querySelector("table.edges")));
    button.disabled = false;
    button.focus();
    if (wanted && !view) return;
    button.setAttribute("aria-pressed", String(wanted));
    view?.show(wanted);
  });
}

async function opened(frame, tools, graph) {
  try {
    const { explore } = await import("./explorer.js");
    return explore(frame, tools, graph);
  } catch {
    announce("The picture could not be loaded: try again.");
    return null;
  }
}
