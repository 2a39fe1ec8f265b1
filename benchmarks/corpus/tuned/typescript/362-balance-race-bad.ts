import { Pool } from 'pg';

export class Wallet {
  constructor(private readonly pool: Pool) {}

  async withdraw(id: number, amount: number): Promise<boolean> {
    const { rows } = await this.pool.query('SELECT balance FROM wallet WHERE id = $1', [id]);
    const balance = Number(rows[0].balance);
    if (balance < amount) {
      return false;
    }
    await this.pool.query('UPDATE wallet SET balance = $1 WHERE id = $2', [balance - amount, id]);
    return true;
  }
}
