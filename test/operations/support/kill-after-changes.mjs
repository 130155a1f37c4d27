// Runs a program, and kills it after a number of changes in a folder: `program folder changes`. A
// process of its own sees each change at once, which one that also answers the program's calls does
// not.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';

const [program = '', folder = '', changes] = process.argv.slice(2);
let seen = 0;
const watcher = watch(folder, () => {
  seen += 1;
  if (seen === Number(changes)) child.kill('SIGKILL');
});
const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] });
child.once('exit', (code, signal) => {
  watcher.close();
  process.stdout.write(signal ?? `${code}`);
});
