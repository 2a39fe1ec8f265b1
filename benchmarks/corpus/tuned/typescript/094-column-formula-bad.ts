import { Router, type Request, type Response } from 'express';
import { loadSheet } from './sheets';

type Row = Record<string, number>;
type Formula = (row: Row) => number;

function compile(text: string): Formula {
  const body = text.replace(/\[(\w+)\]/g, 'row["$1"]');
  return new Function('row', `return Number(${body});`) as Formula;
}

function fillColumn(rows: Row[], formula: Formula): number[] {
  return rows.map((row) => {
    const value = formula(row);
    return Number.isFinite(value) ? value : 0;
  });
}

export const formulas = Router();

formulas.get('/sheets/:id/column', async (req: Request, res: Response) => {
  try {
    const rows: Row[] | null = await loadSheet(Number(req.params.id));
    if (!rows) {
      res.status(404).json({ error: 'no such sheet' });
      return;
    }
    const formula = compile(String(req.query.formula ?? ''));
    res.json({ values: fillColumn(rows, formula) });
  } catch {
    res.status(400).json({ error: 'the column could not be filled' });
  }
});
