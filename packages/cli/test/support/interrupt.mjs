// Loaded before `adx` (`--import`). Kills the process before the operation ADX_KILL_AT: `rename:2`
// is the second renaming, `acknowledgements:1` the first call of that name, `PUT:2` the second
// upload, and `any:40` the fortieth operation of all. ADX_KILL_WITH is the signal, SIGKILL by
// default. Moves the clock of the process by hours at every operation if ADX_JUMP is set. Prints
// each operation if ADX_TRACE is set.
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { ADX_KILL_AT: killAt, ADX_KILL_WITH: signal = 'SIGKILL' } = process.env;
const realNow = Date.now.bind(Date);
let offset = 0;
const counts = new Map();

if (process.env.ADX_JUMP !== undefined) Date.now = () => realNow() + offset;

/** Returns a promise if a signal was sent that the process survives. It resolves on arrival. */
function interrupt(name) {
  if (process.env.ADX_TRACE !== undefined) process.stderr.write(`${name}\n`);
  offset = (Math.random() - 0.5) * 48 * 3_600_000;
  for (const each of [name, 'any']) {
    const count = (counts.get(each) ?? 0) + 1;
    counts.set(each, count);
    if (killAt === `${each}:${count}`) {
      const arrived = signal === 'SIGKILL' ? undefined : once(process, signal);
      process.kill(process.pid, signal);
      return arrived;
    }
  }
}

function interrupting(owner, name) {
  const original = owner[name];
  owner[name] = function (...parameters) {
    interrupt(name);
    return original.apply(this, parameters);
  };
}

const file = await fs.open(process.execPath, 'r');
const FileHandle = Object.getPrototypeOf(file);
await file.close();
for (const name of ['writeFile', 'appendFile', 'sync', 'datasync']) {
  interrupting(FileHandle, name);
}
for (const name of ['open', 'mkdir', 'rename', 'rm', 'lstat', 'readdir', 'truncate'])
  interrupting(fs, name);
syncBuiltinESMExports();
const realFetch = globalThis.fetch;
globalThis.fetch = async (url, init) => {
  await interrupt(init.method === 'PUT' ? 'PUT' : new URL(url).pathname.split('/').at(-1));
  return realFetch(url, init);
};
