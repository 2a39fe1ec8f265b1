// The editor of a workspace, which replaces the read-only page.
import { start } from "./workspace/start.js";

const root = document.querySelector("[data-editor]");
if (root) start(root);
