import { createProcessContext, runProgram } from '@adx/server/commands';

// Runs an `adx-server` command as a process of the sandbox, which ends with it: also where the sandbox
// is killed, when all that is left is the end of the channel between the two.

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
process.exitCode = await runProgram(process.argv.slice(2), createProcessContext());
