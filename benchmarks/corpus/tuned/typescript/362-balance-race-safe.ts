import { Pool } from 'pg';

export class Wallet {
  constructor(private readonly pool: Pool) {}

  async withdraw(id: number, amount: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'UPDATE wallet SET balance = balance - $1 WHERE id = $2 AND balance >= $1',
      [amount, id],
    );
    return rowCount === 1;
  }
}
