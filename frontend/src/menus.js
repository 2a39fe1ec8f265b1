// Menus, `<details data-menu>`: closed by Escape, and by going elsewhere.

export function startMenus(root = document) {
  for (const menu of root.querySelectorAll("details[data-menu]")) {
    menu.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
    menu.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
    });
    document.addEventListener("click", ({ target }) => {
      if (!menu.contains(target)) menu.open = false;
    });
  }
}
