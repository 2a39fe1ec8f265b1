// Plots of tables: `<figure data-chart="line">` or `"bars"` with a `<table>` in it. The first column
// is time (`<time datetime>`), each other one a series; a cell's number is its text, or its
// `data-value`. Where the figure has a picture for each series (`svg`), in their order, plots take
// their places; else one plot of all comes first. The table stays: plots are pictures of it.
import uPlot from "uplot";
import styles from "uplot/dist/uPlot.min.css";
import { colour, darkness, make } from "./dom.js";
import { readTable } from "./tables.js";

const HEIGHT = 200;
const LINES = ["accent", "post", "caution", "danger"];
const DASHES = [[], [8, 4], [2, 4], [10, 4, 2, 4]];

async function start() {
  const figures = [...document.querySelectorAll("figure[data-chart]")];
  if (!figures.length) return;
  await linked(new URL(styles, import.meta.url).href);
  figures.forEach(plotted);
}

function linked(href) {
  return new Promise((done) => {
    const link = make("link", { rel: "stylesheet", href });
    link.addEventListener("load", done);
    link.addEventListener("error", done);
    document.head.append(link);
  });
}

function plotted(figure) {
  const { names, times, columns } = readTable(figure.querySelector("table"));
  if (times.length < 2) return;
  const all = columns.map((values, at) => ({ name: names[at + 1], values }));
  const pictures = [...figure.querySelectorAll("svg")];
  const kind = figure.dataset.chart;
  if (pictures.length === all.length) {
    pictures.forEach((picture, at) => picture.replaceWith(plot(kind, times, [all[at]])));
  } else {
    (figure.querySelector("figcaption") ?? figure.firstElementChild).before(plot(kind, times, all));
  }
}

/** A box with a plot that is as wide as it, and what is under the pointer in words. */
function plot(kind, times, columns) {
  const canvas = make("div");
  const told = make("p", { class: "hint" });
  const box = make("div", { class: "chart", "aria-hidden": "true" }, canvas, told);
  // A bar of no height would still have its outline.
  const data = [times, ...columns.map(({ values }) => (kind === "bars" ? values.map((each) => each || null) : values))];
  let drawn;
  const draw = () => {
    drawn?.destroy();
    drawn = new uPlot(options(kind, columns, canvas.clientWidth, (at) => tell(told, times, columns, at)), data, canvas);
  };
  new ResizeObserver(() => {
    if (!canvas.clientWidth) return;
    if (drawn) drawn.setSize({ width: canvas.clientWidth, height: HEIGHT });
    else draw();
  }).observe(canvas);
  darkness(() => drawn && draw());
  tell(told, times, columns, null);
  return box;
}

function tell(element, times, columns, at) {
  // One series is what the heading says; the space keeps the line's height.
  if (at === null) element.textContent = columns.length > 1 ? columns.map(({ name }) => name).join(", ") : "\u00a0";
  else {
    const day = new Date(times[at] * 1000).toLocaleDateString("en-US", { day: "numeric", month: "long", timeZone: "UTC" });
    element.textContent = `${day}: ${columns.map(({ name, values }) => `${(values[at] ?? 0).toLocaleString("en")} ${name.toLowerCase()}`).join(", ")}`;
  }
}

function options(kind, columns, width, onPoint) {
  const line = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("ink-soft"), grid: line, ticks: line, font: "12px system-ui, sans-serif" };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    cursor: { drag: { x: false, y: false }, y: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: { x: kind === "bars" ? { range: wholeBars } : {}, y: { range: (_, least, most) => [Math.min(0, least), Math.max(1, most * 1.1)] } },
    axes: [
      { ...axis, grid: { show: false }, values: "{MMM} {D}" },
      { ...axis, size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000], values: (_, ticks) => ticks.map((at) => at.toLocaleString("en")) },
    ],
    series: [{}, ...columns.map(({ name }, at) => series(kind, name, at))],
  };
}

/** Room for half a bar at both ends. */
const wholeBars = ({ data }, least, most) => {
  const half = (most - least) / Math.max(1, data[0].length - 1) / 2;
  return [least - half, most + half];
};

function series(kind, label, at) {
  const stroke = colour(LINES[at % LINES.length]);
  const own = { label, stroke, width: 2, dash: DASHES[at % DASHES.length], points: { show: false } };
  return kind === "bars" ? { ...own, width: 1, dash: [], fill: stroke, paths: uPlot.paths.bars({ size: [0.6, 40] }) } : own;
}

start();
