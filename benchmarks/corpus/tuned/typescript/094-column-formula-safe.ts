import { Router, type Request, type Response } from 'express';
import { loadSheet } from './sheets';

type Row = Record<string, number>;
type Formula = (row: Row) => number;

const OPERATORS: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

function compile(text: string): Formula {
  const parts = /^\[(\w{1,40})\] ?([-+*/]) ?\[(\w{1,40})\]$/.exec(text);
  if (!parts) {
    throw new SyntaxError('a formula looks like [price] * [count]');
  }
  const [, left, sign, right] = parts;
  return (row) => OPERATORS[sign](Number(row[left]), Number(row[right]));
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
