import { runProcess } from '@adx/server/commands';

// Runs an `adx-server` command as a child process of the sandbox, and the service with the
// scenarios before it (D-53). If the sandbox is killed, the channel between the two closes, and
// this process ends too.

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
const { SANDBOX_DATA: dataDir, ...settings } = process.env;
if (dataDir === undefined) await runProcess();
else {
  const { serveWithScenarios } = await import('./scenarios/serve-with-scenarios.js');
  await serveWithScenarios(dataDir, settings);
}
// It does not wait for a scenario that is not done: its caller is gone.
process.exit();
