import { Pool } from 'pg';

const pool = new Pool();

export class UserRepository {
  async findAll(order: string) {
    const result = await pool.query(`SELECT * FROM users ORDER BY ${order}`);
    return result.rows;
  }
}
