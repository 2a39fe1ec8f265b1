const Router = require('@koa/router');
const { verifyTicket } = require('./sso');

const ORIGIN = 'https://desk.example.com';
const router = new Router({ prefix: '/signin' });

function destination(value) {
  const next = Array.isArray(value) ? value[0] : value;
  return next || `${ORIGIN}/home`;
}

router.get('/done', async (ctx) => {
  const ticket = String(ctx.query.ticket || '');
  const user = await verifyTicket(ticket, { audience: ORIGIN });

  if (!user) {
    ctx.status = 401;
    ctx.body = { error: 'The sign-in did not succeed.' };
    return;
  }

  await ctx.regenerateSession();
  ctx.session.userId = user.id;
  const target = destination(ctx.query.next);
  ctx.redirect(target);
});

router.get('/failed', (ctx) => {
  ctx.status = 401;
  ctx.body = { error: 'The sign-in was cancelled.' };
});

module.exports = router;
