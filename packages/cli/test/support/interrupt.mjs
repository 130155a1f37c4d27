// Loaded before `adx` (`--import`). Kills the process before the file operation with the number ADX_KILL_AT, and
// moves the clock of the process by hours at every file operation if ADX_JUMP is set.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const killAt = Number(process.env.ADX_KILL_AT ?? Number.POSITIVE_INFINITY);
const realNow = Date.now.bind(Date);
let offset = 0;
let count = 0;

if (process.env.ADX_JUMP !== undefined) Date.now = () => realNow() + offset;

function interrupt() {
  count += 1;
  offset = (Math.random() - 0.5) * 48 * 3_600_000;
  if (count === killAt) process.kill(process.pid, 'SIGKILL');
}

function interrupting(owner, name) {
  const original = owner[name];
  owner[name] = function (...parameters) {
    interrupt();
    return original.apply(this, parameters);
  };
}

const file = await fs.open(process.execPath, 'r');
const FileHandle = Object.getPrototypeOf(file);
await file.close();
for (const name of ['writeFile', 'appendFile', 'sync', 'datasync', 'truncate']) {
  interrupting(FileHandle, name);
}
for (const name of ['open', 'mkdir', 'rename', 'rm', 'lstat', 'readdir']) interrupting(fs, name);
syncBuiltinESMExports();
const realFetch = globalThis.fetch;
globalThis.fetch = (...parameters) => {
  interrupt();
  return realFetch(...parameters);
};
