const escapeHtml = require('escape-html');

const normalize = (text) => escapeHtml(String(text).trim());

module.exports = { normalize };
