#!/usr/bin/env node
import './check-node.mjs';
import { existsSync } from 'node:fs';

const cli = new URL('../dist/cli.js', import.meta.url);

if (existsSync(cli)) {
  await import(cli.href);
} else {
  process.stderr.write('error: adx-sandbox is not built yet: run `npm run build` first.\n');
  process.exitCode = 1;
}
