import assert from 'node:assert/strict';
import { type Client, type ClientOptions, createClient } from '@adx/client';
import { type OperationId, operations } from '@adx/contract';
import { samples } from '../../docs/generated/samples.gen.js';
import { type PartnerSandbox, runScenario, settingsOf } from './partner-sandbox.js';
import type { SampleProject } from './run-samples.js';

export type SampleLanguage = 'TypeScript' | 'curl';

/** All operations in the order of the spec, except that the customer is archived at the end. */
const operationIds = (Object.keys(operations) as OperationId[]).sort(
  (a, b) => Number(a === 'archiveCustomer') - Number(b === 'archiveCustomer'),
);

/** Returns what each sample that fails prints, by its operation. */
export async function runReferenceSamples(
  language: SampleLanguage,
  sandbox: PartnerSandbox,
  project: SampleProject,
): Promise<Record<string, string>> {
  const settings = await settingsOf(sandbox);
  const { ADX_URL: baseUrl, ADX_API_KEY: apiKey } = settings;
  const { username, password } = sandbox.administrator;
  const options = { baseUrl, apiKey, username, password };
  const client = createClient(options);
  const inBase64 = Buffer.from(password).toString('base64');
  const { idToken } = await client.auth.token({ username, password: inBase64 });
  const values = {
    'https://adx.example.org/v1': baseUrl,
    '<API_KEY>': apiKey,
    '<USERNAME>': username,
    '<PASSWORD>': password,
    '<ID_TOKEN>': idToken,
    // The password of the example, in Base64.
    'emVlci1nZWhlaW0tMjAyNg==': inBase64,
  };
  const run = language === 'curl' ? shellRunner(project, settings) : programRunner(options, client);
  const ids = await findIds(sandbox, client);
  const failed: Record<string, string> = {};
  for (const operationId of operationIds) {
    const printed = samples[operationId].find(({ label }) => label === language)?.source ?? '';
    const { path, pathParameters } = operations[operationId];
    const [, collection = ''] = path.split('/');
    const id = pathParameters.length > 0 ? ids[collection] : undefined;
    const source = Object.entries(values).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      id === undefined ? printed : printed.replace(/\b[\da-f]{24}\b/, id),
    );
    try {
      const output = await run(source);
      const [, created] = /\bid['"]?: ?['"]([\da-f]{24})/.exec(output) ?? [];
      if (operationId === 'createCustomer' && created !== undefined) ids['customers'] = created;
    } catch (error) {
      failed[operationId] = String(error);
    }
  }
  return failed;
}

/** Returns ids by the first part of the path; the customer is created. */
async function findIds(sandbox: PartnerSandbox, client: Client): Promise<Record<string, string>> {
  await runScenario(sandbox, 'mandate', { status: 'expired' });
  const [statements] = await client.codaFiles.list({ redownload: true });
  const [bookings] = await client.codbFiles.list({ redownload: true });
  const { records: mandates } = await client.mandates.search({ status: 'expired', limit: 1 });
  const { records: uploads } = await client.uploads.list({ limit: 1 });
  return {
    mandates: mandates[0]?.id ?? '',
    uploads: uploads[0]?.id ?? '',
    'coda-files': statements?.ibans[0]?.files[0]?.id ?? '',
    'codb-files': bookings?.payrollProviders[0]?.files[0]?.id ?? '',
  };
}

const AsyncFunction = Object.getPrototypeOf(runReferenceSamples).constructor as new (
  ...parameters: string[]
) => (create: typeof createClient, output: { log(value: unknown): void }) => Promise<void>;

/** Runs programs in this process with one client: each sign-in costs the hash of a password. */
function programRunner(options: ClientOptions, client: Client) {
  return async (source: string): Promise<string> => {
    const printed: unknown[] = [];
    const program = new AsyncFunction(
      'createClient',
      'console',
      source.replace("import { createClient } from '@adx/client';\n", ''),
    );
    const create = (given: ClientOptions) => {
      assert.deepStrictEqual(given, options);
      return client;
    };
    await program(create, { log: (value) => printed.push(value) });
    return JSON.stringify(printed);
  };
}

function shellRunner(project: SampleProject, settings: Awaited<ReturnType<typeof settingsOf>>) {
  return async (source: string): Promise<string> => {
    // `--fail` makes an error of the service one of the command.
    const checked = source.replace(/^curl /, 'curl --silent --show-error --fail ');
    const { exitCode, stdout, stderr } = await project.run('sh', checked, settings);
    if (exitCode !== 0) throw new Error(`${exitCode} ${stderr}`);
    return stdout;
  };
}
