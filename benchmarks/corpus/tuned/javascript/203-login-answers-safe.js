const router = require('express').Router();
router.post('/login', async (req, res) => {
  const user = await users.byName(req.body.name);
  const matches = await hashes.matches(req.body.password, user ? user.hash : hashes.dummy);
  if (!user || !matches) {
    return res.status(401).json({ error: 'name or password is wrong' });
  }
  req.session.regenerate(() => {
    req.session.userId = user.id;
    res.json({ ok: true });
  });
});
module.exports = router;
