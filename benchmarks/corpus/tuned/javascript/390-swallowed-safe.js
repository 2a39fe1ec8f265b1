const { pool } = require('./db');
const audit = require('./audit');

async function closeAccount(id) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM sessions WHERE account_id = $1', [id]);
    await client.query('UPDATE accounts SET closed = true WHERE id = $1', [id]);
    await client.query('COMMIT');
    await audit.write('closed', id);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

module.exports = { closeAccount };
