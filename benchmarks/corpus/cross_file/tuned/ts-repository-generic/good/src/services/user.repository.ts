import { Pool } from 'pg';

const pool = new Pool();
const COLUMNS = ['name', 'created'];

export class UserRepository {
  async findAll(order: string) {
    if (!COLUMNS.includes(order)) {
      throw new Error('unknown column');
    }
    const result = await pool.query(`SELECT * FROM users ORDER BY ${order}`);
    return result.rows;
  }
}
