const router = require('express').Router();
router.post('/login', async (req, res) => {
  const user = await users.byName(req.body.name);
  if (!user) {
    return res.status(404).json({ error: 'no such user' });
  }
  if (!(await user.matches(req.body.password))) {
    return res.status(401).json({ error: 'wrong password' });
  }
  req.session.regenerate(() => {
    req.session.userId = user.id;
    res.json({ ok: true });
  });
});
module.exports = router;
