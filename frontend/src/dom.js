// Making elements. Nothing here takes HTML, so nothing that a service or a person wrote becomes any.

/** The nonce of this page, which the styles that libraries add must carry. */
export const nonce = () => document.querySelector("script[nonce]")?.nonce ?? "";

/** An element with attributes, a text or children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((each) => each != null));
  return element;
}

/** Return the pieces of a text. Text in backticks becomes code. */
export const coded = (text) =>
  text.split(/`([^`]+)`/).map((piece, at) => (at % 2 ? make("code", {}, piece) : piece));

/** The elements of a text: paragraphs that blank lines divide, and lists of the lines that begin with
 * a hyphen. */
export function prose(text) {
  const parts = [];
  for (const block of text.trim().split(/\n\s*\n/)) {
    let list = null;
    let paragraph = null;
    for (const line of block.split("\n")) {
      if (line.startsWith("- ")) {
        if (!list) parts.push((list = make("ul")));
        paragraph = null;
        list.append(make("li", {}, ...coded(line.slice(2).trim())));
      } else {
        if (!paragraph) parts.push((paragraph = make("p")));
        else paragraph.append(make("br"));
        list = null;
        paragraph.append(...coded(line));
      }
    }
  }
  return parts;
}

/** Whether the page is shown in dark colors; `listen` is called when the device changes them. */
export function darkness(listen) {
  const query = matchMedia("(prefers-color-scheme: dark)");
  if (listen) query.addEventListener("change", () => listen(isDark(query)));
  return isDark(query);
}

function isDark(query) {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === "dark" || (colorScheme !== "light" && query.matches);
}

/** A color of the site's styles as `rgb()`, for what draws by itself. */
export function colour(name) {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

let region;

/** Say something to those who do not see the page. */
export function announce(text) {
  region ??= document.body.appendChild(make("p", { role: "status", class: "unseen" }));
  region.textContent = "";
  setTimeout(() => (region.textContent = text), 50); // a text that stays the same is not read again
}
