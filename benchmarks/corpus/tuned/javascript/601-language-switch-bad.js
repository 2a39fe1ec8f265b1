'use strict';

const Koa = require('koa');

const app = new Koa();
const LANGUAGES = ['en', 'fr', 'nl'];

function pickLanguage(wanted) {
  return LANGUAGES.includes(wanted) ? wanted : LANGUAGES[0];
}

app.use(async (ctx, next) => {
  if (ctx.path !== '/language') {
    await next();
    return;
  }
  const language = pickLanguage(ctx.query.set);
  ctx.cookies.set('lang', language, { httpOnly: true, secure: true, sameSite: 'lax' });
  const [back = '/'] = [].concat(ctx.query.back || '/');
  ctx.status = 303;
  ctx.redirect(back);
});

app.use((ctx) => {
  ctx.body = { language: pickLanguage(ctx.cookies.get('lang')) };
});

app.listen(3020, '127.0.0.1');
