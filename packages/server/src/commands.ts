/** The operator commands, without the service: each command loads what it needs. */
export { captureProgram } from './operator/program.js';
export { runProcess } from './operator/run-process.js';
