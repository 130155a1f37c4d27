/** The operator commands, without the service: each command loads what it needs. */
export { createProcessContext } from './operator/operator-context.js';
export { captureProgram, runProgram } from './operator/program.js';
