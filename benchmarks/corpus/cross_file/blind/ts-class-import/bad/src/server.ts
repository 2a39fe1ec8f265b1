import Koa from 'koa';
import { Fetcher } from './fetcher';

const app = new Koa();
const fetcher = new Fetcher();

app.use(async (ctx) => {
  const target = ctx.query.url as string;
  ctx.type = 'text/plain';
  ctx.body = await fetcher.load(target);
});

app.listen(3000);
