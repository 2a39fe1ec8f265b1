// The editor of a workspace, in place of the page that only reads it.
import { start } from "./workspace/start.js";

const root = document.querySelector("[data-editor]");
if (root) start(root);
