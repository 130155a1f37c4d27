/** The operator commands, without the service: each command loads what it needs. */
export { captureProgram, runProcess } from './operator/program.js';
