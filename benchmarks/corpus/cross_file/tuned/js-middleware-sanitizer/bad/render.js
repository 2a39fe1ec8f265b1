function writeLine(res, text) {
  res.send(`<p>${text}</p>`);
}

module.exports = { writeLine };
