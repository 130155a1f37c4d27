import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, ok, problem, skipped } from '@adx/command/check';
import { ConfigError, type Configs } from '../../config.js';
import type { OperatorContext } from '../operator-context.js';

/**
 * Checks all that `serve` and `worker` need (D-61). With wrong settings, nothing else can be
 * checked.
 */
export async function runChecks(context: OperatorContext): Promise<Check[]> {
  const settings = readSettings(context);
  if (Array.isArray(settings)) {
    const others = ['database', 'clock', 'migrations', 'storage', 'mail', 'identity provider'];
    return [
      ...settings.map((finding) =>
        problem('settings', finding, 'See "Settings" in "Running in production".', 2),
      ),
      ...[...others, 'documentation'].map((name) => skipped(name)),
    ];
  }
  const { service, worker } = settings;
  // They are loaded here, because the libraries for storage and mail are slow to load.
  const [{ checkDatabase }, { checkReplica }, { checkStorage }, { checkMail }, { checkProvider }] =
    await Promise.all([
      import('./check-database.js'),
      import('./check-replica.js'),
      import('./check-storage.js'),
      import('./check-mail.js'),
      import('./check-provider.js'),
    ]);
  const { databaseUrl, databaseReadUrl } = service;
  const [address, database, replica, storage, mail, provider] = await Promise.all([
    checkAddress(service),
    checkDatabase(databaseUrl, service.signingKeySecret),
    databaseReadUrl === undefined ? [] : checkReplica(databaseUrl, databaseReadUrl),
    checkStorage(service.storage),
    checkMail(worker.jobs.mail),
    checkProvider(service.identityProvider),
  ]);
  return [
    address,
    ...[...database, ...replica, ...storage],
    ...[mail, provider, checkDocumentation(service.docsDir)],
  ];
}

/** Codes of a TLS handshake that is answered in plain text. */
const plainAnswers = /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$/;

/** Asks the port whether it speaks TLS. The service and its proxy need not run yet. */
async function checkAddress({ publicUrl, host, port }: Configs['service']): Promise<Check> {
  const signal = AbortSignal.timeout(5_000);
  const error: unknown = await fetch(`${publicUrl}/healthz`, { signal, redirect: 'manual' }).catch(
    (reason: unknown) => reason,
  );
  if (plainAnswers.test(String(Object(Object(error).cause).code))) {
    const advice =
      'Let the proxy in front of the service speak TLS on this port, or begin PUBLIC_URL with http:.';
    return problem('settings', `the port of ${publicUrl} speaks http, and no TLS`, advice, 2);
  }
  return ok('settings', `${publicUrl}, listening on ${host}:${port}`);
}

function readSettings({
  readConfig,
}: OperatorContext): Pick<Configs, 'service' | 'worker'> | string[] {
  const findings = new Set<string>();
  const read = <Kind extends keyof Configs>(kind: Kind): Configs[Kind] | undefined => {
    try {
      return readConfig(kind);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const finding of error.findings) findings.add(finding);
      return undefined;
    }
  };
  const [service, worker] = [read('service'), read('worker')];
  return service && worker ? { service, worker } : [...findings];
}

function checkDocumentation(folder: string): Check {
  if (existsSync(join(folder, 'index.html'))) return ok('documentation', folder);
  const found = `there is none in ${folder}`;
  return problem('documentation', found, 'Build it with `npm run docs`, or correct DOCS_DIR.');
}
