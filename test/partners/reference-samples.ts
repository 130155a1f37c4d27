import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type ClientOptions, createClient } from '@adx/client';
import { type OperationId, operations } from '@adx/contract';
import { specYaml } from '@adx/contract/spec';
import { samplesOf } from '../../codegen/src/emit/samples/samples.js';
import { readModel } from '../../docs/reference/read-model.js';
import { withSampleGroups } from '../../docs/site/texts/code-groups.js';
import { repository } from '../support/run-command.js';
import { type PartnerSandbox, runScenario, settingsOf } from './partner-sandbox.js';
import type { SampleLanguage, SampleProject } from './run-samples.js';

const samples = samplesOf(readModel(specYaml));

/** The first one creates the customer of the others, and the last one archives it. */
const operationIds = (Object.keys(operations) as OperationId[]).sort(
  (a, b) => placeOf(a) - placeOf(b),
);

function placeOf(operationId: OperationId): number {
  return Number(operationId === 'archiveCustomer') - Number(operationId === 'createCustomer');
}

type Samples = Readonly<Record<string, string>>;

/** Builds programs by their operations. Returns a function that runs one and returns its output. */
type Build = (sources: Samples) => Promise<(operationId: OperationId) => Promise<string>>;

/** Returns what each sample that fails prints, by its operation. */
export async function runReferenceSamples(
  language: SampleLanguage,
  sandbox: PartnerSandbox,
  project: SampleProject,
): Promise<Record<string, string>> {
  const { client, options, values } = await signIn(sandbox);
  const build = builderOf(language, project, options, client);
  const ids = await findIds(sandbox, client);
  const failed: Record<string, string> = {};
  // Together, because each start of a compiler takes a second.
  for (const group of [operationIds.slice(0, 1), operationIds.slice(1)]) {
    const sources = group.map((id) => [id, withValues(id, sampleOf(id, language), values, ids)]);
    const run = await build(Object.fromEntries(sources));
    for (const operationId of group) {
      try {
        const output = await run(operationId);
        const [, created] = /\bid['"]?: ?['"]([\da-f]{24})/.exec(output) ?? [];
        if (operationId === 'createCustomer' && created !== undefined) ids['customers'] = created;
      } catch (error) {
        failed[operationId] = String(error);
      }
    }
  }
  return failed;
}

/** Returns what a sample prints about an API key that is not valid. */
export async function runRefusedSample(
  language: SampleLanguage,
  { url }: PartnerSandbox,
  project: SampleProject,
): Promise<string> {
  const source = sampleOf('createCustomer', language).replace('https://adx.example.org', url);
  const run = await project.build(language, { refused: source });
  const { exitCode, stdout, stderr } = await run('refused', {});
  return exitCode === 0 ? 'The program succeeded.' : stdout + stderr;
}

/** Returns what the sample of the guide about repeating prints when it runs twice. */
export async function runRepeatedSample(
  language: SampleLanguage,
  sandbox: PartnerSandbox,
  project: SampleProject,
): Promise<string[]> {
  const { client, values } = await signIn(sandbox);
  await runScenario(sandbox, 'mandate', { status: 'expired' });
  const { records } = await client.mandates.search({ status: 'expired', limit: 1 });
  const [{ id, updatedOn } = { id: '', updatedOn: '' }] = records;
  const page = withSampleGroups(
    readFileSync(join(repository, 'docs/pages/guide/repeating.md'), 'utf8'),
    samples,
  );
  const [, shown = ''] = page.split(new RegExp(`^\`\`\`\\w+ \\[${language}\\]\n`, 'm'));
  const [printed = ''] = shown.split('```');
  const ofMandate = { ...values, '<MANDATE_ID>': id, '<UPDATED_ON>': updatedOn };
  const source = withValues('requestMandate', printed, ofMandate, { mandates: id });
  const run = await project.build(language, { repeated: source });
  const first = await run('repeated', {});
  const second = await run('repeated', {});
  return [first, second].map(({ stdout, stderr }) => stdout + stderr);
}

/** Returns a client, its options, and the values that take the place of those of the samples. */
async function signIn(sandbox: PartnerSandbox) {
  const { ADX_URL: baseUrl, ADX_API_KEY: apiKey } = await settingsOf(sandbox);
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
  return { client, options, values };
}

function sampleOf(operationId: OperationId, language: SampleLanguage): string {
  const found = samples.get(operationId)?.find(({ lang }) => lang === language);
  if (found === undefined) throw new Error(`${operationId} has no sample in ${language}`);
  return found.source;
}

function withValues(
  operationId: OperationId,
  sample: string,
  values: Readonly<Record<string, string>>,
  ids: Readonly<Record<string, string>>,
): string {
  const { path, pathParameters } = operations[operationId];
  const [, collection = ''] = path.split('/');
  const id = pathParameters.length > 0 ? ids[collection] : undefined;
  return Object.entries(values).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    id === undefined ? sample : sample.replace(/\b[\da-f]{24}\b/, id),
  );
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

function builderOf(
  language: SampleLanguage,
  project: SampleProject,
  options: ClientOptions,
  client: Client,
): Build {
  if (language === 'TypeScript') return inThisProcess(options, client);
  return async (sources) => {
    const run = await project.build(language, sources);
    return async (operationId) => {
      const { exitCode, stdout, stderr } = await run(operationId, {});
      if (exitCode !== 0) throw new Error(`${exitCode} ${stdout}${stderr}`);
      return stdout;
    };
  };
}

/** Runs programs in this process with one client: each sign-in costs the hash of a password. */
function inThisProcess(options: ClientOptions, client: Client): Build {
  const create = (given: ClientOptions) => {
    assert.deepStrictEqual(given, options);
    return client;
  };
  return async (sources) => async (operationId) => {
    const printed: unknown[] = [];
    const source = sources[operationId] ?? '';
    const program = new AsyncFunction(
      'createClient',
      'console',
      source.replace("import { createClient } from '@adx/client';\n", ''),
    );
    await program(create, { log: (value) => printed.push(value) });
    return JSON.stringify(printed);
  };
}
