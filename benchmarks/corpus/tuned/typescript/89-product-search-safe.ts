import express, { NextFunction, Request, Response } from "express";
import { Pool } from "pg";

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const app = express();

const CATEGORIES = new Set(["garden", "kitchen", "lighting"]);

function buildFilter(query: Request["query"], values: unknown[]): string {
  const parts: string[] = ["discontinued = false"];
  if (typeof query.category === "string" && CATEGORIES.has(query.category)) {
    values.push(query.category);
    parts.push(`category = $${values.length}`);
  }
  if (typeof query.name === "string") {
    values.push(`%${query.name}%`);
    parts.push(`name ILIKE $${values.length}`);
  }
  return parts.join(" AND ");
}

app.get("/products", async (req: Request, res: Response, next: NextFunction) => {
  const values: unknown[] = [];
  const filter = buildFilter(req.query, values);
  try {
    const sql = `SELECT id, name, price FROM products WHERE ${filter} ORDER BY name LIMIT 50`;
    const { rows } = await pool.query(sql, values);
    res.json(rows);
  } catch (err) {
    next(err);
  }
});

app.listen(Number(process.env.PORT ?? 3000));
