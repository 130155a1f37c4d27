import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ibanOf } from '../../../../../../test/support/numbers.js';
import { readPdf } from '../../../../../statements/test/pdf/read-pdf.js';
import { createMandateStore } from '../../../../src/mandates/mandate-store.js';
import { createSigningLinks } from '../../../../src/mandates/signing/signing-links.js';
import { answerAsShown } from '../../../mandates/answer-as-shown.js';
import { changeEvidence } from '../../../mandates/change-evidence.js';
import { asAuthor } from '../../../support/as-author.js';
import { useCommands } from '../../adx-server.js';
import { createCustomerWithMandates } from './mandates-of-a-customer.js';

const commands = useCommands();
const numbers = ['0161.864.987', '0174.892.879'];

let customers = 0;
beforeEach(async () => {
  await commands.knex.raw('truncate firms cascade');
  customers = 0;
});

/**
 * Creates a customer with a CODA and a CODB mandate, and returns the ids of both and of the
 * request.
 */
async function createMandates() {
  const { knex } = commands;
  const { customer, principal } = await createCustomerWithMandates(knex, {
    enterpriseNumber: numbers[customers] ?? expect.fail('no more enterprise numbers'),
    ibans: [ibanOf(`735000014${customers}`)],
  });
  customers += 1;
  const mandates = await knex('mandates').where({ customer_id: customer.id }).orderBy('id');
  const request = await knex('signature_requests').where({ customer_id: customer.id }).first();
  return {
    ids: mandates.map(({ id }) => id as string),
    requestId: request.id as string,
    principal,
  };
}

async function answer(requestId: string, given: 'signed' | 'declined', name = 'An Peeters') {
  const links = createSigningLinks('', 'x'.repeat(32));
  const request = await commands.knex('signature_requests').where({ id: requestId }).first();
  const mail = { requestId, firmId: request.firm_id, delivery: 1 };
  const link = await links.create(commands.knex, mail);
  await answerAsShown(
    commands.knex,
    link.replace('/sign/', ''),
    {
      ...{ answer: given, signerName: given === 'signed' ? name : null },
      ...{ address: '203.0.113.7', userAgent: 'Mozilla/5.0' },
    },
    new Date('2026-11-02T09:00:00Z'),
  );
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-evidence-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'out');
}

/** Runs `mandate evidence` for a mandate or a signature request. */
const writeEvidence = (id: string, folder: string) =>
  commands.run(['mandate', 'evidence', id, '--out', folder]);

test('D-37 operator: mandate evidence writes what was signed, and its hash fits', async () => {
  const { ids, requestId } = await createMandates();
  await answer(requestId, 'signed');
  const out = await newFolder();
  const [id = ''] = ids;
  const { exitCode, stdout, stderr } = await writeEvidence(id, out);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { sha256 } = await commands.knex('signature_evidence').first();
  const [pdf, json] = ['pdf', 'json'].map((end) => join(out, `evidence-${requestId}.${end}`));
  expect(stdout.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    `signature request: ${requestId}`,
    'answer: signed by An Peeters on 2026-11-02T09:00:00Z',
    `sha256: ${sha256.toString('hex')}`,
    'check: the text fits the hash',
    `files: ${pdf}, ${json}`,
    '',
  ]);
  const text = await readFile(json ?? '');
  expect(createHash('sha256').update(text).digest()).toEqual(sha256);
  const shown = readPdf(await readFile(pdf ?? ''))
    .flat()
    .map((each) => each.text);
  expect(shown).toEqual(
    expect.arrayContaining(['Ondertekende mandaten', 'An Peeters', sha256.toString('hex')]),
  );
  for (const path of [pdf, json]) expect((await stat(path ?? '')).mode & 0o777).toBe(0o600);
  // The CODB mandate was signed with it.
  expect(await commands.json(['mandate', 'evidence', ids[1] ?? '', '--out', out])).toEqual([
    {
      ...{ requestId, sha256: sha256.toString('hex'), files: [pdf, json] },
      evidence: JSON.parse(text.toString()),
    },
  ]);
});

test.each([
  ['of the signer', 'An Peeters', 'An Peters'],
  ['of the last line', '}\n', '}\n\n'],
  ['that JSON ignores', '"format": ', '"format":  '],
])('D-37 operator: a changed character %s is noticed, and no PDF is written', async (...given) => {
  const [, from, to] = given;
  const { ids, requestId } = await createMandates();
  await answer(requestId, 'signed');
  const { sha256 } = await commands.knex('signature_evidence').first();
  const content = commands.knex.raw('replace(content, ?, ?)', [from, to]);
  await changeEvidence(commands.knex, (evidence) => evidence.update({ content }));
  const out = await newFolder();
  const [id = ''] = ids;
  const { exitCode, stdout, stderr } = await writeEvidence(id, out);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('the text does not fit the hash');
  expect(stdout).toContain(sha256.toString('hex'));
  const text = await readFile(join(out, `changed-evidence-${requestId}.json`));
  const actual = createHash('sha256').update(text).digest('hex');
  expect(stderr).toBe(
    `error: The evidence of signature request ${requestId} was changed: the text does not fit the hash. The SHA-256 of the text is ${actual}. Compare it with the messages that the signer and the firm received.\n`,
  );
  expect(await readdir(out)).toEqual([`changed-evidence-${requestId}.json`]);
  const printed = await commands.run(['mandate', 'evidence', id, '--out', out, '--json']);
  expect(printed.exitCode).toBe(1);
  expect(JSON.parse(printed.stdout)).toMatchObject([{ requestId, fault: 'otherHash' }]);
});

test('D-37 operator: evidence that was written before it was changed stays as it was', async () => {
  const { ids, requestId } = await createMandates();
  await answer(requestId, 'signed');
  const out = await newFolder();
  const write = () => commands.run(['mandate', 'evidence', ids[0] ?? '', '--out', out]);
  expect((await write()).exitCode).toBe(0);
  const path = join(out, `evidence-${requestId}.json`);
  const before = await readFile(path);
  const content = commands.knex.raw("replace(content, 'An Peeters', 'Bo Maes')");
  await changeEvidence(commands.knex, (evidence) => evidence.update({ content }));
  expect((await write()).exitCode).toBe(1);
  expect(await readFile(path)).toEqual(before);
});

test('D-37 operator: files that others could read are readable for their owner only', async () => {
  const { ids, requestId } = await createMandates();
  await answer(requestId, 'signed');
  const out = await newFolder();
  await mkdir(out);
  const path = join(out, `evidence-${requestId}.json`);
  await writeFile(path, '', { mode: 0o644 });
  const { exitCode } = await commands.run(['mandate', 'evidence', ids[0] ?? '', '--out', out]);
  expect(exitCode).toBe(0);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readdir(out)).sort()).toEqual([
    `evidence-${requestId}.json`,
    `evidence-${requestId}.pdf`,
  ]);
});

test.each([
  ['the evidence of another request', `replace(content, '"requestId": "', '"requestId": "0')`],
  ['no JSON', "'no evidence'"],
  ['JSON without evidence', "'null'"],
])('D-37 operator: %s is noticed, even if its hash fits', async (_, changed) => {
  const { ids, requestId } = await createMandates();
  await answer(requestId, 'signed');
  const { knex } = commands;
  await changeEvidence(knex, (evidence) =>
    evidence.update({
      content: knex.raw(changed),
      sha256: knex.raw(`sha256(convert_to(${changed}, 'UTF8'))`),
    }),
  );
  const out = await newFolder();
  const { exitCode, stdout, stderr } = await commands.run([
    ...['mandate', 'evidence', ids[0] ?? '', '--out', out],
  ]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^check +the text is not the evidence of this signature request$/m);
  expect(stderr).toContain(
    `error: The evidence of signature request ${requestId} was changed: the text is not the evidence of this signature request.`,
  );
  expect(await readdir(out)).toEqual([`changed-evidence-${requestId}.json`]);
});

test('D-37 operator: a mandate without evidence fails with one sentence', async () => {
  const { ids, requestId } = await createMandates();
  const [id = ''] = ids;
  const out = await newFolder();
  const run = (mandate: string) => commands.run(['mandate', 'evidence', mandate, '--out', out]);
  const failure = (sentence: string) => ({
    exitCode: 1,
    stdout: '',
    stderr: `error: ${sentence}\n`,
  });
  const nobody = '0'.repeat(24);
  expect(await run(nobody)).toEqual(failure(`There is no mandate with the id ${nobody}.`));
  expect(await run(id)).toEqual(
    failure(`Mandate ${id} was neither signed nor declined, so there is no evidence.`),
  );
  await answer(requestId, 'signed');
  await changeEvidence(commands.knex, (evidence) => evidence.delete());
  expect(await run(id)).toEqual(
    failure(`Mandate ${id} was answered, but its evidence is missing from the database.`),
  );
});

test('D-37 operator: the evidence of a refusal says so, and names of signers are escaped', async () => {
  const first = await createMandates();
  await answer(first.requestId, 'declined');
  const out = await newFolder();
  const refused = await commands.run(['mandate', 'evidence', first.ids[0] ?? '', '--out', out]);
  expect(refused.stdout).toMatch(/^answer +declined on 2026-11-02T09:00:00Z$/m);
  const second = await createMandates();
  await answer(second.requestId, 'signed', 'An \u202eseteeP\u001b[31m');
  const escaped = await commands.run(['mandate', 'evidence', second.ids[0] ?? '', '--out', out]);
  expect(escaped.stdout).toContain('signed by An \\u202eseteeP\\u001b[31m on');
});

test('D-37 operator: a mandate that was declined and later signed has the evidence of both', async () => {
  const { ids, requestId, principal } = await createMandates();
  await answer(requestId, 'declined');
  const [id = ''] = ids;
  await createMandateStore(commands.knex).request(asAuthor(principal), id);
  const { signature_request_id } = await commands.knex('mandates').where({ id }).first();
  await answer(signature_request_id, 'signed');
  const out = await newFolder();
  const both = await commands.json(['mandate', 'evidence', id, '--out', out]);
  expect(both).toMatchObject([
    { requestId, evidence: { answer: 'declined', shown: { mandates: ids.map((id) => ({ id })) } } },
    {
      requestId: signature_request_id,
      evidence: { answer: 'signed', shown: { mandates: [{ id }] } },
    },
  ]);
  const others = await commands.json(['mandate', 'evidence', ids[1] ?? '', '--out', out]);
  expect(others).toHaveLength(1);
});

test('D-37 operator: mandate show has the mails with evidence, sent or failed', async () => {
  const { ids, requestId } = await createMandates();
  await commands.knex('firms').update({ email: 'info@maes.example' });
  await answer(requestId, 'signed');
  const mail = (recipient: string) =>
    commands.knex('outgoing_mails').where({ id: `${requestId}.evidence.${recipient}` });
  await mail('signer').update({ sent_on: new Date('2026-11-02T09:00:05Z') });
  await mail('firm').update({ failures: 2, last_failure: 'The mail server took too long' });
  const { stdout } = await commands.run(['mandate', 'show', ids[0] ?? '']);
  expect(stdout).toMatch(
    /^ {2}evidence to signer +an@gouden-korst\.example: sent on 2026-11-02T09:00:05\.000Z$/m,
  );
  expect(stdout).toMatch(
    /^ {2}evidence to firm +info@maes\.example: not sent, failures 2, the last: The mail server took too long$/m,
  );
});

test('D-33 operator: mandate evidence says in one sentence why it cannot write', async () => {
  const { ids, requestId } = await createMandates();
  await answer(requestId, 'signed');
  const out = await newFolder();
  const write = async (folder: string) => {
    const command = ['mandate', 'evidence', ids[0] ?? '', '--out', folder];
    const { exitCode, stdout, stderr } = await commands.run(command);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const [, reason] =
      /^error: The evidence cannot be written to the folder .+: (.+)\. Name another folder with --out\.\n$/.exec(
        stderr,
      ) ?? expect.fail(stderr);
    return reason;
  };
  await writeFile(out, 'a file');
  expect(await write(out)).toBe('something with this name is there already (EEXIST)');
  expect(await write(join(out, 'below'))).toBe('a part of the path is not a folder (ENOTDIR)');
  await rm(out);
  await commands.run(['mandate', 'evidence', ids[0] ?? '', '--out', out]);
  const [first = ''] = await readdir(out);
  await rm(join(out, first));
  await mkdir(join(out, first));
  expect(await write(out)).toBe('there is a folder in the place of the file (EISDIR)');
  expect((await readdir(out)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(await write(join(out, 'x'.repeat(300)))).toBe('the path is too long (ENAMETOOLONG)');
});
