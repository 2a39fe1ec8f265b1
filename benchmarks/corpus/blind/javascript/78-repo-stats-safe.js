const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const Router = require('@koa/router');

const run = promisify(execFile);
const router = new Router({ prefix: '/stats' });

async function countLines(folder, pattern) {
  const args = ['-C', folder, 'grep', '-c', '-e', pattern];
  const { stdout } = await run('git', args, { timeout: 5000 });
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
