// Links to examples: they put the code into the editor without loading the page again.

/** @param examples `{language, file, code}` by language; @param take is called with the chosen one. */
export function startExamples(root, examples, take) {
  for (const link of root.querySelectorAll("[data-example]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      take(examples[link.dataset.example]);
    });
  }
}
