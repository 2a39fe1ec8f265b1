const mysql = require('mysql');

const connection = mysql.createConnection({ host: 'localhost', database: 'shop' });

function findByEmail(email) {
  return new Promise((resolve, reject) => {
    connection.query('SELECT * FROM users WHERE email = ?', [email], (error, rows) => {
      if (error) reject(error);
      else resolve(rows);
    });
  });
}

module.exports = { findByEmail };
