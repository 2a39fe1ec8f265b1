"use strict";
// Filters the findings. Without scripts, the page shows all of them.
const form = document.querySelector("form");
const articles = [...document.querySelectorAll("article")];
const texts = articles.map((each) => `${each.closest("section").dataset.path}\n${each.textContent}`.toLowerCase());
const output = document.querySelector("output");

function filter() {
  const data = new FormData(form);
  const severities = new Set(data.getAll("severity"));
  const states = new Set(data.getAll("state"));
  const words = String(data.get("words")).toLowerCase().split(/\s+/u).filter(Boolean);
  let shown = 0;
  articles.forEach((each, at) => {
    const fits = severities.has(each.dataset.severity) && states.has(each.dataset.state)
      && words.every((word) => texts[at].includes(word));
    each.hidden = !fits;
    shown += fits ? 1 : 0;
  });
  for (const section of document.querySelectorAll("section[data-path]")) {
    section.hidden = !section.querySelector("article:not([hidden])");
  }
  output.textContent = `${shown} of ${articles.length} findings shown`;
}

if (form) {
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
}
