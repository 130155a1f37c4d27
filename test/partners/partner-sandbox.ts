import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperator } from '../../packages/sandbox/src/operator.js';
import { readSettings } from '../../packages/sandbox/src/settings-file.js';
import { installSandbox } from '../../packages/sandbox/test/installed-sandbox.js';

/** A user of an accounting firm, as a partner gets it. */
export interface PartnerUser {
  readonly username: string;
  readonly password: string;
}

/** A sandbox with what a partner is given: API keys, and users of two firms. */
export interface PartnerSandbox {
  /** Without `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** With the scope `customers:read` only. */
  readonly limitedApiKey: string;
  /** An administrator of a firm that may upload payroll files. */
  readonly administrator: PartnerUser;
  readonly portalUser: PartnerUser;
  /** An administrator of another firm, which may not. */
  readonly otherAdministrator: PartnerUser;
  close(): Promise<void>;
}

/** Starts a sandbox without demo firms, whose mandates would move by themselves, and creates two firms as an operator does. */
export async function startPartnerSandbox(): Promise<PartnerSandbox> {
  const installed = await installSandbox();
  const dataDir = mkdtempSync(join(tmpdir(), 'adx-partners-'));
  let stop = async (): Promise<unknown> => undefined;
  const close = async () => {
    await stop();
    installed.remove();
    rmSync(dataDir, { recursive: true, maxRetries: 5 });
  };
  try {
    const parameters = ['start', '--empty', '--data', dataDir, '--port', '0', '--storage-port'];
    const sandbox = await installed.start(
      [...parameters, '0'],
      /"event":"ready".*\n/,
      {},
      (end) => {
        stop = end;
      },
    );
    const [, url] = /"event":"ready","url":"([^"]+)"/.exec(sandbox.printed()) ?? [];
    const settings = await readSettings(dataDir);
    if (url === undefined || settings === undefined) throw new Error(sandbox.printed());
    return { url, ...(await createFirms(settings)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createFirms(settings: Readonly<Record<string, string>>) {
  const { run } = createOperator(settings);
  const createFirm = (name: string, ...options: string[]) =>
    run<{ id: string }>([
      'firm',
      'create',
      '--name',
      name,
      '--email',
      'info@kantoor.example',
      '--phone',
      '+32 9 123 45 67',
      ...options,
    ]);
  const createUser = async (firm: string, username: string, access: string) => {
    const password = randomBytes(12).toString('base64url');
    const options = ['--firm', firm, '--username', username, '--access', access];
    await run(['user', 'create', ...options, '--password-stdin'], password);
    return { username, password };
  };
  const issueKey = async (partner: string, scopes: string) => {
    const options = ['--partner', partner, '--scopes', scopes];
    return (await run<{ key: string }>(['api-key', 'issue', ...options])).key;
  };
  const { id: firm } = await createFirm('Kantoor Maes', '--codb-upload');
  const { id: otherFirm } = await createFirm('Fiduciaire Lambot');
  return {
    apiKey: await issueKey('Partner', 'all'),
    limitedApiKey: await issueKey('Reader', 'customers:read'),
    administrator: await createUser(firm, 'els.maes@kantoor-maes.example', 'administrator'),
    portalUser: await createUser(firm, 'luc.wauters@kantoor-maes.example', 'portalOnly'),
    otherAdministrator: await createUser(
      otherFirm,
      'claire.lambot@fiduciaire-lambot.example',
      'administrator',
    ),
  };
}
