const { timingSafeEqual } = require('crypto');
function pickWinner(entries) {
  let i = 0;
  while (i < entries.length) {
    const entry = entries[i];
    if (entry.disqualified) {
      continue;
    }
    if (entry.score > 100) return entry;
    i += 1;
  }
  return null;
}
module.exports = { pickWinner };
