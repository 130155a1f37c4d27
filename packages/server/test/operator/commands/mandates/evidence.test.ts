import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { readPdf } from '../../../../../statements/test/pdf/read-pdf.js';
import { createMandateStore } from '../../../../src/mandates/mandate-store.js';
import type { TestAnswer } from '../../../mandates/answer-as-shown.js';
import { changeEvidence } from '../../../mandates/change-evidence.js';
import { asAuthor } from '../../../support/as-author.js';
import { failure, operatorForFile } from '../../operator-for-file.js';
import { answerLatest, createCustomerWithMandates } from './mandates-of-a-customer.js';

const { knex, run, json, newFolder } = await operatorForFile();

/**
 * Creates a customer with a CODA and a CODB mandate, whose request is answered, and a folder that
 * does not exist yet.
 */
async function answered(...answers: Partial<TestAnswer>[]) {
  const { customer, principal } = await createCustomerWithMandates(knex, [newIban()]);
  const [id = '', codb = ''] = await knex('mandates')
    .where({ customer_id: customer.id })
    .orderBy('id')
    .pluck<string[]>('id');
  const { id: requestId } = await knex('signature_requests')
    .where({ customer_id: customer.id })
    .first<{ id: string }>('id');
  for (const each of answers) await answerLatest(knex, customer.id, each, answeredOn);
  const out = join(newFolder(), 'out');
  const command = ['mandate', 'evidence', id, '--out', out];
  return { customerId: customer.id, principal, id, codb, requestId, out, command };
}

const answeredOn = new Date('2026-11-02T09:00:00Z');

const sha256Of = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

const storedHash = async (request_id: string) =>
  (await knex('signature_evidence').where({ request_id }).first()).sha256.toString('hex');

test('D-37 operator: mandate evidence writes what was signed, and its hash fits', async () => {
  const { codb, requestId, out, command } = await answered({});
  const { exitCode, stdout, stderr } = await run(...command);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const sha256 = await storedHash(requestId);
  const [pdf = '', file = ''] = ['pdf', 'json'].map((end) =>
    join(out, `evidence-${requestId}.${end}`),
  );
  expect(stdout.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    `signature request: ${requestId}`,
    'answer: signed by An Peeters on 2026-11-02T09:00:00Z',
    `sha256: ${sha256}`,
    'check: the text fits the hash',
    `files: ${pdf}, ${file}`,
    '',
  ]);
  const text = await readFile(file);
  expect(sha256Of(text)).toBe(sha256);
  const shown = readPdf(await readFile(pdf)).flat();
  expect(shown.map((each) => each.text)).toEqual(
    expect.arrayContaining(['Ondertekende mandaten', 'An Peeters', sha256]),
  );
  for (const path of [pdf, file]) expect((await stat(path)).mode & 0o777).toBe(0o600);
  // The CODB mandate was signed with it.
  expect(await json('mandate', 'evidence', codb, '--out', out)).toEqual([
    { requestId, sha256, files: [pdf, file], evidence: JSON.parse(text.toString()) },
  ]);
});

test.each([
  ['of the signer', 'An Peeters', 'An Peters'],
  ['of the last line', '}\n', '}\n\n'],
  ['that JSON ignores', '"format": ', '"format":  '],
])('D-37 operator: a changed character %s is noticed, and no PDF is written', async (...given) => {
  const [, from, to] = given;
  const { requestId, out, command } = await answered({});
  const content = knex.raw('replace(content, ?, ?)', [from, to]);
  await changeEvidence(knex, (evidence) => evidence.update({ content }));
  const { exitCode, stdout, stderr } = await run(...command);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('the text does not fit the hash');
  expect(stdout).toContain(await storedHash(requestId));
  const actual = sha256Of(await readFile(join(out, `changed-evidence-${requestId}.json`)));
  expect(stderr).toBe(
    `error: The evidence of signature request ${requestId} was changed: the text does not fit the hash. The SHA-256 of the text is ${actual}. Compare it with the messages that the signer and the firm received.\n`,
  );
  expect(await readdir(out)).toEqual([`changed-evidence-${requestId}.json`]);
  const printed = await run(...command, '--json');
  expect(printed.exitCode).toBe(1);
  expect(JSON.parse(printed.stdout)).toMatchObject([{ requestId, fault: 'otherHash' }]);
});

test('D-37 operator: evidence that was written before it was changed stays as it was', async () => {
  const { requestId, out, command } = await answered({});
  expect((await run(...command)).exitCode).toBe(0);
  const path = join(out, `evidence-${requestId}.json`);
  const before = await readFile(path);
  const content = knex.raw("replace(content, 'An Peeters', 'Bo Maes')");
  await changeEvidence(knex, (evidence) => evidence.update({ content }));
  expect((await run(...command)).exitCode).toBe(1);
  expect(await readFile(path)).toEqual(before);
});

test('D-37 operator: files that others could read are readable for their owner only', async () => {
  const { requestId, out, command } = await answered({});
  await mkdir(out);
  const path = join(out, `evidence-${requestId}.json`);
  await writeFile(path, '', { mode: 0o644 });
  expect((await run(...command)).exitCode).toBe(0);
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
  const { requestId, out, command } = await answered({});
  const content = knex.raw(changed);
  const sha256 = knex.raw(`sha256(convert_to(${changed}, 'UTF8'))`);
  await changeEvidence(knex, (evidence) => evidence.update({ content, sha256 }));
  const { exitCode, stdout, stderr } = await run(...command);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^check +the text is not the evidence of this signature request$/m);
  expect(stderr).toContain(
    `error: The evidence of signature request ${requestId} was changed: the text is not the evidence of this signature request.`,
  );
  expect(await readdir(out)).toEqual([`changed-evidence-${requestId}.json`]);
});

test('D-37 operator: a mandate without evidence fails with one sentence', async () => {
  const { customerId, id, command } = await answered();
  expect(await run(...command)).toEqual(
    failure(`Mandate ${id} was neither signed nor declined, so there is no evidence.`),
  );
  await answerLatest(knex, customerId);
  await changeEvidence(knex, (evidence) => evidence.delete());
  expect(await run(...command)).toEqual(
    failure(`Mandate ${id} was answered, but its evidence is missing from the database.`),
  );
});

test('D-37 operator: the evidence of a refusal says so, and names of signers are escaped', async () => {
  const refused = await answered({ answer: 'declined', signerName: null });
  const { stdout } = await run(...refused.command);
  expect(stdout).toMatch(/^answer +declined on 2026-11-02T09:00:00Z$/m);
  const escaped = await answered({ signerName: 'An \u202eseteeP\u001b[31m' });
  expect((await run(...escaped.command)).stdout).toContain(
    'signed by An \\u202eseteeP\\u001b[31m on',
  );
});

test('D-37 operator: a mandate that was declined and later signed has the evidence of both', async () => {
  const { customerId, principal, id, codb, requestId, command } = await answered({
    ...{ answer: 'declined', signerName: null },
  });
  await createMandateStore(knex).request(asAuthor(principal), id);
  const { signature_request_id } = await knex('mandates').where({ id }).first();
  await answerLatest(knex, customerId);
  const shownIn = (...ids: string[]) => ({ mandates: ids.map((each) => ({ id: each })) });
  expect(await json(...command)).toMatchObject([
    { requestId, evidence: { answer: 'declined', shown: shownIn(id, codb) } },
    { requestId: signature_request_id, evidence: { answer: 'signed', shown: shownIn(id) } },
  ]);
  expect(await json('mandate', 'evidence', codb, ...command.slice(3))).toHaveLength(1);
});

test('D-37 operator: mandate show has the mails with evidence, sent or failed', async () => {
  const { customerId, id, requestId } = await answered();
  await knex('firms').update({ email: 'info@maes.example' });
  await answerLatest(knex, customerId);
  const mail = (recipient: string) =>
    knex('outgoing_mails').where({ id: `${requestId}.evidence.${recipient}` });
  await mail('signer').update({ sent_on: new Date('2026-11-02T09:00:05Z') });
  await mail('firm').update({ failures: 2, last_failure: 'The mail server took too long' });
  const { stdout } = await run('mandate', 'show', id);
  expect(stdout).toMatch(
    /^ {2}evidence to signer +an@gouden-korst\.example: sent on 2026-11-02T09:00:05\.000Z$/m,
  );
  expect(stdout).toMatch(
    /^ {2}evidence to firm +info@maes\.example: not sent, failures 2, the last: The mail server took too long$/m,
  );
});

test('D-33 operator: mandate evidence says in one sentence why it cannot write', async () => {
  const { id, out, command } = await answered({});
  const expectRefusal = async (folder: string, reason: string) =>
    expect(await run('mandate', 'evidence', id, '--out', folder)).toEqual(
      failure(
        `The evidence cannot be written to the folder ${folder}: ${reason}. Name another folder with --out.`,
      ),
    );
  await writeFile(out, 'a file');
  await expectRefusal(out, 'something with this name is there already (EEXIST)');
  await expectRefusal(join(out, 'below'), 'a part of the path is not a folder (ENOTDIR)');
  await rm(out);
  await run(...command);
  const [first = ''] = await readdir(out);
  await rm(join(out, first));
  await mkdir(join(out, first));
  await expectRefusal(out, 'there is a folder in the place of the file (EISDIR)');
  expect((await readdir(out)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  await expectRefusal(join(out, 'x'.repeat(300)), 'the path is too long (ENAMETOOLONG)');
});
