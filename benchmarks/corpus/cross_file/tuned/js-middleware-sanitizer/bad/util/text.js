const normalize = (text) => String(text).trim();

module.exports = { normalize };
