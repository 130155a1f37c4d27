import { createProcessContext } from './operator/process-context.js';
import { runProgram } from './operator/run-program.js';

process.exitCode = await runProgram(process.argv.slice(2), createProcessContext());
