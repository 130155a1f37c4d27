import { createProcessContext } from './operator/operator-context.js';
import { runProgram } from './operator/program.js';

process.exitCode = await runProgram(process.argv.slice(2), createProcessContext());
