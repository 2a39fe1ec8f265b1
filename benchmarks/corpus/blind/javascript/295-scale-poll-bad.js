const fs = require('node:fs');
const https = require('node:https');

const agent = new https.Agent({
  keepAlive: true,
  rejectUnauthorized: false,
});

const SCALES = fs.readFileSync('/etc/weighbridge/scales.txt', 'utf8').trim().split('\n');

function readScale(host) {
  return new Promise((resolve, reject) => {
    const req = https.get({ host, path: '/weight', agent, timeout: 2000 }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => (text += chunk));
      res.on('end', () => resolve({ host, kilograms: Number(text) }));
    });
    req.on('timeout', () => req.destroy(new Error('scale is silent')));
    req.on('error', reject);
  });
}

Promise.allSettled(SCALES.map(readScale)).then((results) => {
  const weights = results.filter((r) => r.status === 'fulfilled').map((r) => r.value);
  console.table(weights);
});
