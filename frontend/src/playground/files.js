// Opening a file, by a button or by dropping it.

/** @param take `take(name, text)`; @param refuse `refuse(text)` */
export function openFiles({ button, input, area, most, take, refuse }) {
  button.hidden = false;
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files[0]) open(input.files[0]);
    input.value = ""; // the same file may be opened again
  });
  area.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    area.classList.add("pg-dropping");
  });
  area.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!area.contains(relatedTarget)) area.classList.remove("pg-dropping");
  });
  area.addEventListener("drop", (event) => {
    area.classList.remove("pg-dropping");
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation(); // the editor would insert it
    open(file);
  }, { capture: true });

  async function open(file) {
    // No character has more than four bytes.
    if (file.size > 4 * most) return refuse(`${file.name} is too long. The limit is ${most.toLocaleString("en")} characters.`);
    const text = await decoded(file);
    if (text === null) return refuse(`${file.name} is not UTF-8 text.`);
    take(file.name, text);
  }
}

async function decoded(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
