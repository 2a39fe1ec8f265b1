// The command palette: Ctrl+K opens a dialog with a combobox over the results of the global search.
// Without a session, Ctrl+K moves the focus to the search field instead.
import { make } from "./dom.js";

const WAIT_MS = 120;
const SVG = "http://www.w3.org/2000/svg";
const WHY = { 401: "Your session has ended. Sign in again.", 429: "Too many searches. Wait a moment." };
const HINT = "Use the arrow keys to choose, Enter to open, Esc to close.";

export function startPalette() {
  const form = document.querySelector("[data-find]");
  if (!form) return;
  const field = form.elements.q;
  form.querySelector("[data-find-key]").hidden = false;
  const palette = form.dataset.find && new Palette(form.dataset.find, form.action);
  const open = () => {
    if (palette) palette.open(field.value);
    else if (field.offsetParent) field.focus();
    else location.assign(form.action);
  };
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  if (!palette) return;
  form.addEventListener("submit", (event) => {
    if (field.value.trim()) return;
    event.preventDefault();
    open();
  });
}

class Palette {
  #options = [];
  #active = -1;
  #timer = 0;
  #request = null;

  constructor(address, page) {
    Object.assign(this, { address, page });
    this.input = make("input", { type: "text", role: "combobox", "aria-label": "Search everything", "aria-expanded": "false", "aria-controls": "palette-list", "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 200, placeholder: "Search pages, workspaces, runs, rules and packages" });
    this.list = make("div", { id: "palette-list", class: "palette-list", role: "listbox", "aria-label": "Results" });
    this.told = make("p", { class: "palette-group", role: "status" });
    this.dialog = make("dialog", { class: "palette", "aria-label": "Search everything" }, this.input, this.told, this.list, make("p", { class: "palette-hint" }, HINT));
    this.input.addEventListener("input", () => this.#later());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("mousemove", ({ target }) => this.#choose(this.#options.indexOf(target.closest("[role=option]"))));
    this.list.addEventListener("click", ({ target }) => this.#go(target.closest("[role=option]")));
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  open(text) {
    if (this.dialog.open) return;
    this.input.value = text;
    this.dialog.showModal();
    this.input.focus();
    this.input.select();
    this.#ask();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), WAIT_MS);
  }

  async #ask() {
    this.#request?.abort();
    const request = (this.#request = new AbortController());
    try {
      const answer = await fetch(`${this.address}?q=${encodeURIComponent(this.input.value)}`, { signal: request.signal });
      if (!answer.ok) return this.#fail(answer.status);
      const { groups } = await answer.json();
      this.#show(groups);
    } catch (error) {
      if (error.name !== "AbortError") this.#fail(0);
    }
  }

  #fail(status) {
    this.#show([]);
    this.told.textContent = WHY[status] ?? "The search failed. Press Enter to open the search page.";
  }

  #show(groups) {
    this.#options = [];
    const shown = groups.map(({ title, hits }, at) => {
      const heading = make("div", { class: "palette-group", id: `palette-group-${at}`, role: "presentation" }, title);
      return make("div", { role: "group", "aria-labelledby": heading.id }, heading, ...hits.map((hit) => this.#option(hit)));
    });
    const count = this.#options.length;
    this.list.replaceChildren(...shown);
    this.list.hidden = !count;
    this.input.setAttribute("aria-expanded", String(Boolean(count)));
    this.#choose(count ? 0 : -1);
    this.told.textContent = count ? `${count} result${count === 1 ? "" : "s"}` : "No results";
  }

  #option({ title, address, icon, note }) {
    const option = make("div", { class: "palette-hit", role: "option", id: `palette-${this.#options.length}`, "aria-selected": "false", "data-address": address }, drawn(icon), make("b", {}, title), note ? make("small", {}, note) : null);
    this.#options.push(option);
    return option;
  }

  #choose(at) {
    if (at < 0 && this.#options.length) return;
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    this.#active = at;
    const option = this.#options[at];
    if (!option) return this.input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  #key(event) {
    const count = this.#options.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count) this.#choose((this.#active + step + count) % count);
    else if (event.key === "Enter" && this.#options[this.#active]) this.#go(this.#options[this.#active]);
    else if (event.key === "Enter") location.assign(`${this.page}?q=${encodeURIComponent(this.input.value)}`);
    else return;
    event.preventDefault();
  }

  #go(option) {
    if (option) location.assign(option.dataset.address);
  }
}

/** The icon of a name, from the file that all pages use; null where it was not built. */
export function drawn(name) {
  const sprite = document.documentElement.dataset.icons;
  if (!sprite || !name) return null;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = svg.appendChild(document.createElementNS(SVG, "use"));
  use.setAttribute("href", `${sprite}#${name}`);
  return svg;
}
