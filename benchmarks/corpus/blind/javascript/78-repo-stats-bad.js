const { exec } = require('node:child_process');
const { promisify } = require('node:util');
const Router = require('@koa/router');

const run = promisify(exec);
const router = new Router({ prefix: '/stats' });

async function countLines(folder, pattern) {
  const command = ['git', '-C', folder, 'grep', '-c', '-e', pattern].join(' ');
  const { stdout } = await run(command, { timeout: 5000 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
}

router.get('/', async (ctx) => {
  const pattern = String(ctx.query.pattern ?? 'TODO');
  const hits = await countLines('/srv/handbook', pattern);
  ctx.body = hits.map(([file, count]) => ({ file, count: Number(count) }));
});

module.exports = router;
