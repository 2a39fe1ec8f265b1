// Questions: for a path, or whether to do something.

export class Ask {
  constructor(part) {
    this.part = part;
    this.dialog = part("ask");
    part("ask-no").addEventListener("click", () => this.dialog.close(""));
  }

  /** Ask for a path. The answer is empty if the user cancels. @param wrong returns the problem of a
   * path. */
  path({ title, text = "", value, yes, wrong }) {
    return this.#asked({ title, text, yes, value, wrong });
  }

  /** Whether to do it. */
  async sure({ title, text, yes }) {
    return Boolean(await this.#asked({ title, text, yes }));
  }

  #asked({ title, text, yes, value, wrong }) {
    const [field, told, form] = ["ask-path", "ask-wrong", "ask-form"].map(this.part);
    const wantsPath = value !== undefined;
    this.part("ask-title").textContent = title;
    this.part("ask-text").textContent = text;
    this.part("ask-text").hidden = !text;
    this.part("ask-yes").textContent = yes;
    this.part("ask-field").hidden = !wantsPath;
    told.hidden = true;
    field.value = value ?? "";
    field.removeAttribute("aria-invalid");
    form.onsubmit = (event) => {
      const problem = wantsPath ? wrong(field.value.trim()) : "";
      if (!problem) return;
      event.preventDefault();
      told.textContent = problem;
      told.hidden = false;
      field.setAttribute("aria-invalid", "true");
      field.focus();
    };
    this.dialog.returnValue = "";
    this.dialog.showModal();
    if (wantsPath) field.setSelectionRange(value.lastIndexOf("/") + 1, value.length);
    return new Promise((done) => {
      this.dialog.addEventListener("close", () => {
        const isYes = this.dialog.returnValue === "yes";
        done(isYes ? (wantsPath ? field.value.trim() : "yes") : "");
      }, { once: true });
    });
  }
}
