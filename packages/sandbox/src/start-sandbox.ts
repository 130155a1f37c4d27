import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptSecret, makeDataFolder } from './data-folder.js';
import { findFreePort } from './free-port.js';
import { openElapsedTime } from './kept-state.js';
import { createOperator } from './operator.js';
import { createDatabases, startPostgres } from './postgres/start-postgres.js';
import { removeSettings, type Settings, saveSettings } from './settings-file.js';
import { startAdxServer } from './start-adx-server.js';
import type { StartOptions } from './start-options.js';
import { startStorage } from './storage/storage-server.js';

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The settings of the caller that are passed on to the service. */
const passedOn =
  /^(SMTP_URL$|SMTP_ALLOW_PLAINTEXT$|MAIL_FROM$|MAIL_ATTEMPTS$|CORS_ORIGIN$|RATE_LIMIT_|CONCURRENT_CALLS$|LOG_LEVEL$|HELD_DELIVERY_DAYS$|REJECTED_UPLOAD_DAYS$|MAILS_PER_|UNSIGNED_LINK|OTEL_)/;

/** The firms of the demo request signatures all day long (D-36). */
const mailBudgets = {
  MAILS_PER_CUSTOMER_PER_DAY: '1000000',
  MAILS_PER_FIRM_PER_DAY: '1000000',
  MAILS_PER_ADDRESS_PER_DAY: '1000000',
};

/** @throws Error in one sentence if another sandbox uses the data folder, or a port is taken */
export async function startSandbox(options: Omit<StartOptions, 'empty' | 'shell'>) {
  const dataDir = await makeDataFolder(options.data);
  if (options.port !== 0 && options.port === options.storagePort) {
    throw new Error(
      `--port and --storage-port are both ${options.port}: choose another for one of them`,
    );
  }
  const port = await findFreePort(options.port, '--port', options.host);
  const storagePort = await findFreePort(options.storagePort, '--storage-port', options.host);
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const step of closing.splice(0).reverse()) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    const postgres = await startPostgres({ dataDir });
    closing.push(() => postgres.stop());
    await createDatabases(postgres.url('postgres'), ['adx', 'adx_storage']);
    const secret = await keptSecret(dataDir, 'sandbox-secret');
    const storage = await startStorage({
      databaseUrl: postgres.url('adx_storage'),
      secret,
      port: storagePort,
      host: options.host,
      elapsedSince: openElapsedTime(dataDir).since,
    });
    closing.push(() => storage.close());
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      ...mailBudgets,
      ...passedOnSettings(),
      ...storage.settings,
      DATABASE_URL: postgres.url('adx'),
      LINK_SECRET: await keptSecret(dataDir, 'link-secret'),
      SIGNING_KEY_SECRET: await keptSecret(dataDir, 'signing-key-secret'),
      PUBLIC_URL: url,
      HOST: options.host,
      DEPLOYMENT: 'test',
      PORT: String(port),
      ...docsSettings(),
      ...(process.env['SMTP_URL'] ? {} : { MAIL_FOLDER: join(dataDir, 'mail') }),
    };
    const logFile = join(dataDir, 'service.log');
    const operator = createOperator(settings);
    await operator.run(['migrate']);
    const start = async (command: string, until: RegExp, more: Settings = {}) => {
      const child = await startAdxServer(command, { ...settings, ...more }, logFile, until);
      closing.push(() => child.stop());
      return child;
    };
    const service = await start('serve', /listens on /, { SANDBOX_DATA: dataDir });
    await saveSettings(dataDir, settings);
    closing.push(() => removeSettings(dataDir));
    return {
      url,
      operator,
      settings,
      logFile,
      /** Rejects when the service ends, also after `close`. */
      failed: service.failed,
      startWorker: () => start('worker', /is running/),
      close,
    };
  } catch (error) {
    // A failure to stop the parts would hide the reason.
    await close().catch(() => {});
    throw error;
  }
}

function passedOnSettings(): Settings {
  const given = Object.entries(process.env);
  return Object.fromEntries(
    given.flatMap(([name, value]) => (passedOn.test(name) && value ? [[name, value]] : [])),
  );
}

/** Returns where the documentation is: next to the program, in the package of the sandbox. */
function docsSettings(): Settings {
  const folder = fileURLToPath(new URL('docs', import.meta.url));
  return existsSync(folder) ? { DOCS_DIR: folder } : {};
}
