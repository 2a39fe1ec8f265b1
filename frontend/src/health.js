// Live health: `<section data-health="/api/v1/health" data-state="healthy">` with elements
// `[data-health-of=status]`, `uptime`, `version`, `database` and `redis` in it.

const EVERY_MS = 15_000;
const CHECKS = { ok: "up", error: "down", not_configured: "not configured" };

export function startHealth(root = document) {
  for (const element of root.querySelectorAll("[data-health]")) follow(element);
}

function follow(element) {
  const ask = async () => {
    if (!document.hidden) show(element, await report(element.dataset.health));
    setTimeout(ask, EVERY_MS);
  };
  setTimeout(ask, EVERY_MS); // the page itself has just told it
}

async function report(address) {
  try {
    const answer = await fetch(address, { cache: "no-store", credentials: "omit" });
    return (await answer.json()).data ?? null;
  } catch {
    return null;
  }
}

function show(element, found) {
  const status = found?.status ?? "unreachable";
  element.dataset.state = status;
  for (const [name, text] of Object.entries(told(status, found))) {
    const part = element.querySelector(`[data-health-of=${name}]`);
    if (part && part.textContent !== text) part.textContent = text; // what changes is read out
  }
}

function told(status, found) {
  const heading = { status };
  if (!found) return heading;
  const checks = Object.entries(found.checks).map(([name, value]) => [name, CHECKS[value] ?? value]);
  return { ...heading, version: found.version, uptime: lasting(found.uptime), ...Object.fromEntries(checks) };
}

/** `3 days`, `5 hours`: rounded down, as the service itself says it. */
export function lasting(seconds) {
  const found = [["day", 86_400], ["hour", 3_600], ["minute", 60]].find(([, length]) => seconds >= length);
  if (!found) return "less than a minute";
  const [unit, length] = found;
  const count = Math.floor(seconds / length);
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
}
