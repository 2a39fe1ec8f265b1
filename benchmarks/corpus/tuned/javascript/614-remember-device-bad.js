const { randomBytes, createHash } = require('crypto');

const NAME = 'device';
const DAYS = 90;

const cookieOptions = () => ({
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  maxAge: DAYS * 24 * 3600 * 1000,
});

const digest = (value) => createHash('sha256').update(value).digest('base64url');

function rememberDevice(devices) {
  return async function remember(req, res, next) {
    if (!req.user) {
      return next();
    }
    try {
      const known = req.cookies[NAME];
      if (typeof known === 'string' && (await devices.has(req.user.id, digest(known)))) {
        req.trustedDevice = true;
        return next();
      }
      if (req.secondFactorPassed) {
        const value = randomBytes(32).toString('base64url');
        await devices.add(req.user.id, digest(value), DAYS);
        res.cookie(NAME, value, cookieOptions());
      }
      return next();
    } catch (err) {
      return next(err);
    }
  };
}

module.exports = { rememberDevice };
