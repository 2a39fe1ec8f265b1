const express = require('express');
const { profileOf } = require('./profiles');

const app = express();

app.get('/profile', (req, res) => {
  const profile = profileOf(req.query.about);
  res.render('profile', { about: profile });
});
