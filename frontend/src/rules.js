// The list of rules: the results follow what is typed. Without JavaScript the form's button searches.
const PAUSE = 200; // milliseconds without typing before a search

const root = document.querySelector("[data-rules]");
if (root) begin(root.querySelector("form"), root.querySelector("[data-rules-found]"));

function begin(form, found) {
  let timer = 0;
  let running = new AbortController();

  async function search() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const fields = [...new FormData(form)].filter(([, value]) => value.trim());
    const address = `${form.getAttribute("action")}?${new URLSearchParams(fields)}`;
    try {
      const answer = await fetch(address, { signal });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const shown = page.querySelector("[data-rules-found]");
      if (!shown) return;
      found.replaceChildren(...shown.children);
      history.replaceState(null, "", address);
    } catch (error) {
      if (error.name !== "AbortError") form.submit();
    }
  }

  form.elements.q.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  form.elements.language.addEventListener("change", search);
}
