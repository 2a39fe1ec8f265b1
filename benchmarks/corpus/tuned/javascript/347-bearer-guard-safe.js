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
  const { header } = jwt.decode(token, { complete: true });
  const key = await publicKeyFor(header.kid);
  return jwt.verify(token, key, { algorithms: ['RS256'], issuer: ISSUER });
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
