// What every page may use.
import { startCopying } from "./copying.js";
import { startHealth } from "./health.js";
import { startMenus } from "./menus.js";
import { startPalette } from "./palette.js";
import { startTimes } from "./times.js";

startCopying();
startTimes();
startMenus();
startPalette();
startHealth();
