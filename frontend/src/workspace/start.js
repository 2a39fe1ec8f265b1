// Build the environment.
import { Environment } from "./environment.js";
import { Service } from "./service.js";
import { showTrouble } from "./trouble.js";

export async function start(root) {
  const settings = JSON.parse(root.dataset.editor);
  const reading = document.querySelector("[data-reading]");
  const part = (name) => root.querySelector(`[data-${name}]`);
  const show = (isShown) => {
    root.hidden = !isShown;
    if (reading) reading.hidden = isShown;
  };
  show(true);
  const service = new Service(settings);
  let newest;
  try {
    newest = await service.revision();
  } catch (error) {
    if (reading) reading.hidden = false; // what only reads is still there
    part("said").textContent = "The editor could not be loaded.";
    return showTrouble(part("trouble"), error, settings, () => start(root));
  }
  part("trouble").hidden = true;
  return new Environment(root, part, service, newest).begin();
}
