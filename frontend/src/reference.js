// The API reference: the chosen language of the examples, and the form that sends a request.
import { startContents } from "./reference/contents.js";
import { startLanguages } from "./reference/languages.js";
import { startMoved } from "./reference/moved.js";
import { Trial } from "./reference/trial.js";

startMoved();
startContents();
startLanguages();
const section = document.querySelector("[data-try]");
if (section) new Trial(section);
