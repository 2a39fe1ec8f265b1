// The side navigation begins at the current entry, which may be below its upper end.

export function startContents() {
  const contents = document.querySelector(".reference-contents");
  const current = contents?.querySelector("[aria-current]");
  if (!current || contents.scrollHeight <= contents.clientHeight) return;
  const below = current.getBoundingClientRect().bottom - contents.getBoundingClientRect().bottom;
  if (below > 0) contents.scrollTop += below + contents.clientHeight / 2;
}
