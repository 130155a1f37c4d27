import { runProcess } from '@adx/server/commands';

// Runs an `adx-server` command as a child process of the sandbox. If the sandbox is killed, the
// channel between the two closes, and this process ends too.

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
await runProcess();
