import { demoAdministrator } from '../../packages/sandbox/src/demo/firms.js';
import { readSettings } from '../../packages/sandbox/src/settings-file.js';
import { createFirmsOfDemo } from '../../packages/sandbox/test/firms-of-demo.js';
import { installSandbox } from '../../packages/sandbox/test/installed-sandbox.js';
import { newDataFolder } from '../../packages/sandbox/test/postgres-folder.js';

export interface PartnerUser {
  readonly username: string;
  readonly password: string;
}

/** A sandbox with what a partner is given: API keys, and users of two firms. */
export interface PartnerSandbox {
  /** The URL without `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** An administrator of a firm that may upload payroll files. */
  readonly administrator: PartnerUser;
  readonly portalUser: PartnerUser;
  /** An administrator of another firm, which may not. */
  readonly otherAdministrator: PartnerUser;
  /** Issues an API key for a partner that has acknowledged no files yet. */
  issueKey(scopes?: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a sandbox with the firms and users of the demo, but without customers. */
export async function startPartnerSandbox(): Promise<PartnerSandbox> {
  const installed = await installSandbox();
  let removeData = async () => {};
  const dataDir = await newDataFolder((remove) => {
    removeData = remove;
  });
  let stop = async (): Promise<unknown> => undefined;
  const close = async () => {
    await stop();
    installed.remove();
    await removeData();
  };
  try {
    const parameters = ['start', '--empty', '--data', dataDir, '--port', '0', '--storage-port'];
    const isReady = /"event":"ready".*\n/;
    const sandbox = await installed.start([...parameters, '0'], isReady, {}, (end) => {
      stop = end;
    });
    const [, url] = /"event":"ready","url":"([^"]+)"/.exec(sandbox.printed()) ?? [];
    const settings = await readSettings(dataDir);
    if (url === undefined || settings === undefined) throw new Error(sandbox.printed());
    const { operator, demo } = await createFirmsOfDemo(dataDir, settings);
    const { apiKey, passwords } = demo;
    const userOf = (username: string) => ({ username, password: passwords[username] ?? '' });
    return {
      ...{ url, apiKey, close },
      administrator: userOf(demoAdministrator),
      portalUser: userOf('luc.wauters@kantoor-maes.example'),
      otherAdministrator: userOf('claire.lambot@fiduciaire-lambot.example'),
      async issueKey(scopes = 'all') {
        const options = ['--partner', 'Partner', '--scopes', scopes];
        return (await operator.run<{ key: string }>(['api-key', 'issue', ...options])).key;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function runScenario({ url }: PartnerSandbox, name: string, body: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/sandbox/${name}`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Returns settings with a new API key, so that each page sees all files anew. */
export async function settingsOf({ url, administrator, issueKey }: PartnerSandbox) {
  return {
    ADX_URL: `${url}/v1`,
    ADX_API_KEY: await issueKey(),
    ADX_USERNAME: administrator.username,
    ADX_PASSWORD: administrator.password,
  };
}
