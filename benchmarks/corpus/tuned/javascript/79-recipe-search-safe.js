'use strict';

const express = require('express');
const { findRecipes } = require('./recipes');

const router = express.Router();

function escapeHtml(text) {
  const map = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return String(text).replace(/[&<>"']/g, (c) => map[c]);
}

function page(title, rows) {
  return `<!doctype html><html lang="en"><head><title>Recipes</title></head>
<body><h1>${escapeHtml(title)}</h1><ul>${rows}</ul></body></html>`;
}

router.get('/recipes/search', async (req, res, next) => {
  try {
    const term = String(req.query.q || '').trim();
    const hits = await findRecipes(term);
    const rows = hits.map((r) => `<li>${escapeHtml(r.name)}</li>`).join('');
    const title = hits.length ? `${hits.length} recipes` : `Nothing found for ${term}`;
    res.type('html').send(page(title, rows));
  } catch (err) {
    next(err);
  }
});

module.exports = router;
