import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { listen, serviceUnder } from '../../browser/serve-folder.js';

/** Starts the storage of the sandbox behind a proxy that counts requests. */
export async function startCountedStorage() {
  const storage = await startSandboxPart('storage', '--port', '0');
  // The proxy passes on the header `Host`, which is signed.
  const forward = serviceUnder('', new URL(storage.settings['S3_ENDPOINT'] ?? '').origin);
  let count = 0;
  const proxy = await listen((request, response) => {
    count += 1;
    return forward(request, response);
  });
  return {
    settings: { ...storage.settings, S3_ENDPOINT: proxy.origin },
    /** The settings of the storage, whose requests do not count. */
    directSettings: storage.settings,
    count: () => count,
    async stop(): Promise<void> {
      await proxy.close();
      await storage.stop();
    },
  };
}
