import { Controller, Get, Header, Query } from "@nestjs/common";

interface Recipe {
  title: string;
  minutes: number;
}

const RECIPES: Recipe[] = [
  { title: "Barley soup", minutes: 50 },
  { title: "Leek tart", minutes: 70 },
  { title: "Plum cake", minutes: 65 },
];

function page(heading: string, items: string): string {
  return `<!doctype html><html><body><h1>${heading}</h1><ul>${items}</ul></body></html>`;
}

@Controller("recipes")
export class RecipeController {
  @Get("search")
  @Header("Content-Type", "text/html; charset=utf-8")
  search(@Query("q") q: unknown): string {
    const term = String(q ?? "").trim();
    const hits = RECIPES.filter((r) => r.title.toLowerCase().includes(term.toLowerCase()));
    const items = hits.map((r) => `<li>${r.title} (${r.minutes} min)</li>`).join("");
    return page(`${hits.length} results for ${term}`, items);
  }
}
