// Addresses of the former page with everything, such as `/docs#operation-analyze`: the overview has an
// entry with the same id for each, which links to the new page.
const MOVED = /^#(?:operation|error|event|object)-/;

export function startMoved() {
  if (location.pathname !== "/docs") return;
  const follow = () => {
    const entry = MOVED.test(location.hash) && document.getElementById(location.hash.slice(1));
    const link = entry && entry.querySelector("a[href]");
    if (link) location.replace(link.href);
  };
  addEventListener("hashchange", follow);
  follow();
}
