"""A whole router in JavaScript, and a good model's rewrite of it."""

from __future__ import annotations

_ROUTES = r"""var express = require('express');
var router = express.Router();
var cache = {};

function validate(user) {
  var errors = [];
  if (!user.name || user.name.length == 0) {
    errors.push('name is required');
  }
  if (user.age == undefined || user.age < 18) {
    errors.push('age must be at least ' + 18);
  }
  return errors;
}

function getUser(id, cb) {
  if (cache[id]) {
    cb(null, cache[id]);
  } else {
    db.find(id, function (err, user) {
      if (err) {
        cb(err);
      } else {
        cache[id] = user;
        cb(null, user);
      }
    });
  }
}

router.post('/users', function (req, res) {
  var errors = validate(req.body);
  if (errors.length > 0) {
    res.status(400).json({ errors: errors });
    return;
  }
  var total = 0;
  for (var i = 0; i < req.body.items.length; i++) {
    total = total + req.body.items[i].price * req.body.items[i].qty;
  }
  res.json({ ok: true, total: total });
});

module.exports = { router: router, validate: validate, getUser: getUser };
"""

_ROUTES_REFACTORED = r"""const express = require('express');

const router = express.Router();
const cache = {};
const MINIMUM_AGE = 18;

/** What is wrong with a user. */
function validate(user) {
  const errors = [];
  if (!user.name) {
    errors.push('name is required');
  }
  if (user.age === undefined || user.age < MINIMUM_AGE) {
    errors.push(`age must be at least ${MINIMUM_AGE}`);
  }
  return errors;
}

function getUser(id, cb) {
  if (cache[id]) {
    cb(null, cache[id]);
    return;
  }
  db.find(id, (err, user) => {
    if (err) {
      cb(err);
      return;
    }
    cache[id] = user;
    cb(null, user);
  });
}

router.post('/users', (req, res) => {
  const errors = validate(req.body);
  if (errors.length > 0) {
    res.status(400).json({ errors });
    return;
  }
  const total = req.body.items.reduce((sum, item) => sum + item.price * item.qty, 0);
  res.json({ ok: true, total });
});

module.exports = { router, validate, getUser };
"""
ROUTER = ("javascript", _ROUTES, _ROUTES_REFACTORED)
