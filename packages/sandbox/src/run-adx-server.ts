import { runProcess } from '@adx/server/commands';
import { serviceSettings } from './settings-file.js';

// Runs an `adx-server` command as a child process of the sandbox. If the sandbox is killed, the
// channel between the two closes, and this process ends too.

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
const { SANDBOX_DATA: dataDir, ...settings } = process.env;
if (dataDir !== undefined) {
  const { openFront } = await import('./scenarios/open-front.js');
  openFront(dataDir, serviceSettings.parse(settings));
}
await runProcess();
// Without waiting for a scenario that is not done: its caller is gone.
process.exit();
