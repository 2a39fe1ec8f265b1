// Live health: `<section class="health health-healthy" data-health="/api/v1/health">` with elements
// `[data-health-status]` and `[data-health-uptime]`, `-version`, `-database`, `-redis` in it.

const EVERY_MS = 15_000;
const STATUS = {
  healthy: "Everything works",
  degraded: "Works, with Redis out of reach",
  unhealthy: "Does not work",
  unreachable: "Cannot be reached from here",
};
const CHECKS = { ok: "answers", error: "does not answer", not_configured: "not in use" };

export function startHealth(root = document) {
  for (const element of root.querySelectorAll("[data-health]")) follow(element);
}

function follow(element) {
  element.querySelector("[data-health-status]")?.setAttribute("role", "status");
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
  for (const name of Object.keys(STATUS)) element.classList.toggle(`health-${name}`, name === status);
  for (const [name, text] of Object.entries(told(status, found))) {
    const part = element.querySelector(`[data-health-${name}]`);
    if (part && part.textContent !== text) part.textContent = text; // what changes is read out
  }
}

function told(status, found) {
  const heading = { status: STATUS[status] ?? status };
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
