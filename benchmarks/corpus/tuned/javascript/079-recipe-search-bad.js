'use strict';

const express = require('express');
const recipes = require('./data/recipes');

const router = express.Router();

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(value) {
  return String(value).replace(/[&<>"']/g, (char) => ENTITIES[char]);
}

function listItems(found) {
  return found
    .map((recipe) => `<li><a href="/recipes/${Number(recipe.id)}">${escapeHtml(recipe.title)}</a></li>`)
    .join('\n');
}

function page(heading, content) {
  return [
    '<!doctype html>',
    '<html lang="en"><head><title>Recipes</title></head><body>',
    `<h1>${heading}</h1>`,
    `<ul>${content}</ul>`,
    '</body></html>',
  ].join('\n');
}

router.get('/search', async (req, res, next) => {
  try {
    const term = String(req.query.q || '').trim();
    const found = await recipes.search(term, { limit: 25 });
    const heading = found.length ? `Results for ${term}` : `Nothing found for ${term}`;
    res.type('html').send(page(heading, listItems(found)));
  } catch (err) {
    next(err);
  }
});

module.exports = router;
