import { json, Router } from "express";

interface Line {
  price: number;
  quantity: number;
  weight: number;
}

const lines: Line[] = [
  { price: 12.5, quantity: 4, weight: 0.3 },
  { price: 7, quantity: 10, weight: 1.1 },
];

type Op = (a: number, b: number) => number;
const OPS = new Map<string, Op>([
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
]);

function compile(formula: string): (line: Line) => number {
  const parts = /^(price|quantity|weight) ([-+*]) (price|quantity|weight)$/.exec(formula);
  const op = parts && OPS.get(parts[2]);
  if (!parts || !op) {
    throw new SyntaxError("expected: field operator field");
  }
  const [left, right] = [parts[1] as keyof Line, parts[3] as keyof Line];
  return (line) => op(line[left], line[right]);
}

export const sheets = Router();
sheets.use(json({ limit: "4kb" }));

sheets.post("/columns/preview", (req, res) => {
  const formula = String(req.body.formula ?? "price * quantity").slice(0, 200);
  try {
    const column = lines.map(compile(formula));
    res.json({ column });
  } catch {
    res.status(422).json({ error: "the formula could not be worked out" });
  }
});
