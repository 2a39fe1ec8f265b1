// The language of the examples stays the same on all pages of the reference, in this browser.
const NAME = "codeintel-example-language";

export function startLanguages() {
  const field = document.querySelector("[data-languages]");
  if (!field) return;
  const choices = [...field.querySelectorAll("input[type=radio]")];
  try {
    const chosen = choices.find((each) => each.value === localStorage.getItem(NAME));
    if (chosen) chosen.checked = true;
  } catch {
    return; // no storage: the choice lasts for this page
  }
  field.addEventListener("change", ({ target }) => {
    try {
      localStorage.setItem(NAME, target.value);
    } catch {
      // a full storage
    }
  });
}
