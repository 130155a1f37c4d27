import { runProcess } from './operator/run-process.js';

await runProcess();
