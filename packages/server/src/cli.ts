import { runProcess } from './operator/program.js';

await runProcess();
