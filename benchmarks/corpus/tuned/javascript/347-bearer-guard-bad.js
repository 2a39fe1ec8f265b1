'use strict';

const jwt = require('jsonwebtoken');
const { publicKeyFor } = require('./keys');

const ISSUER = 'https://login.example.org';

function bearer(req) {
  const header = req.get('authorization') || '';
  const [scheme, token] = header.split(' ');
  return scheme === 'Bearer' ? token : null;
}

async function readClaims(token) {
  const { header, payload } = jwt.decode(token, { complete: true });
  await publicKeyFor(header.kid);
  if (payload.iss !== ISSUER || payload.exp * 1000 < Date.now()) {
    throw new Error('token is out of date');
  }
  return payload;
}

function requireScope(scope) {
  return async (req, res, next) => {
    const token = bearer(req);
    if (!token) {
      res.status(401).json({ error: 'no token' });
      return;
    }
    try {
      req.claims = await readClaims(token);
    } catch {
      res.status(401).json({ error: 'token not accepted' });
      return;
    }
    const granted = String(req.claims.scope || '').split(' ');
    if (!granted.includes(scope)) {
      res.status(403).json({ error: 'not allowed' });
      return;
    }
    next();
  };
}

module.exports = { requireScope };
