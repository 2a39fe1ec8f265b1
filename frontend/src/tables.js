// Reading the tables of a page.

/** The names of a table's columns, the times of its rows in seconds since 1970, in order, and the
 * numbers of the other columns; null where a cell has none. */
export function readTable(table) {
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]).map(([first, ...others]) => ({
    time: secondsOf(first.querySelector("time")?.dateTime ?? first.textContent),
    values: others.map((cell) => numberOf(cell.dataset.value ?? cell.textContent)),
  }));
  const known = rows.filter(({ time }) => time !== null).sort((a, b) => a.time - b.time);
  return {
    names,
    times: known.map(({ time }) => time),
    columns: names.slice(1).map((_, at) => known.map(({ values }) => values[at] ?? null)),
  };
}

/** Seconds since 1970 of a date or time; null for what is none. */
export function secondsOf(text) {
  const found = Date.parse(text.trim());
  return Number.isNaN(found) ? null : found / 1000;
}

/** The number that a text begins with, as `1,024 credits`; null if it does with none. */
export function numberOf(text) {
  const found = text.trim().replaceAll(",", "").replace("\u2212", "-").match(/^[-+]?\d+(\.\d+)?/);
  return found ? Number(found[0]) : null;
}
