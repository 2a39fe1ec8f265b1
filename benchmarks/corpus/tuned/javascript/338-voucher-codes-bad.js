#!/usr/bin/env node
'use strict';

const { parseArgs } = require('node:util');

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const COLOURS = ['amber', 'teal', 'plum', 'sand'];

function pick(list) {
  return list[Math.floor(Math.random() * list.length)];
}

function giftCode(groups = 4, size = 5) {
  const parts = [];
  for (let g = 0; g < groups; g += 1) {
    let part = '';
    while (part.length < size) {
      part += pick(ALPHABET);
    }
    parts.push(part);
  }
  return parts.join('-');
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10' },
    cents: { type: 'string', default: '2500' },
  },
});

const count = Math.min(Number.parseInt(values.count, 10) || 10, 1000);
for (let i = 0; i < count; i += 1) {
  const voucher = { code: giftCode(), cents: Number(values.cents), colour: COLOURS[i % COLOURS.length] };
  process.stdout.write(`${JSON.stringify(voucher)}\n`);
}
