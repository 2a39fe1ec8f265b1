function pickWinner(entries) {
  let i = 0;
  while (i < entries.length) {
    const entry = entries[i];
    i += 1;
    if (entry.disqualified) {
      continue;
    }
    if (entry.score > 100) return entry;
  }
  return null;
}
module.exports = { pickWinner };
