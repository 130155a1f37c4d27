import { expect } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { readDocuments } from '../../../src/uploads/documents/read-documents.js';
import { processDocuments } from '../../../src/uploads/process-documents.js';
import { readUpload } from '../../../src/uploads/reading/read-upload.js';
import { recordFile } from '../../../src/uploads/record-outcomes.js';
import { scanUploads } from '../../../src/uploads/scan-uploads.js';
import { findUpload } from '../../../src/uploads/upload-store.js';
import { keysOf, textOf } from '../../storage/open-test-storage.js';
import { listedFiles } from '../../support/files.js';
import { seededRandom } from '../../support/seeded-random.js';
import { failAt } from '../killed/fail-at-call.js';
import {
  changed,
  codaFile,
  codbFile,
  enterpriseNumber,
  type SampleStatement,
} from '../sample-files.js';
import { type FileRow, setUpUploads, type Uploads } from '../set-up-uploads.js';

type File = readonly ['CODA' | 'CODB', Uint8Array];

/**
 * Reads random files twice: at once in one transaction, and in random steps by one or two
 * processes, which are killed at random calls. Asserts that both ways list the same files in the
 * same order, with the same findings and outcomes, and that nothing is left in the bucket.
 *
 * @returns the numbers of readings that left a file unfinished, and of kills
 */
export async function checkSteps(seed: number, count: number) {
  const random = seededRandom(seed);
  const pick = (limit: number) => Math.floor(random() * limit);
  const ibans = [newIban(), newIban()];
  const numbers = [enterpriseNumber(), enterpriseNumber()];
  const files = Array.from({ length: count }, () => randomFile(pick, ibans, numbers));
  const [atOnce, inSteps] = [await setUpUploads(), await setUpUploads()];
  for (const work of [atOnce, inSteps]) {
    await work.create({ ibans }, { enterprise_number: numbers[0] ?? '' });
  }
  let steps = 0;
  let kills = 0;
  for (const [index, [product, bytes]] of files.entries()) {
    const name = `${index}.${product}`;
    await atOnce.upload(product, name, bytes);
    await readAtOnce(atOnce, bytes);
    await inSteps.upload(product, name, bytes);
    for (let state: unknown; state !== 'settled'; ) {
      const killed = failAt(inSteps, 1 + pick(60), pick(2) > 0 ? 'before' : 'after');
      const readers = pick(4) === 0 ? [inSteps, killed] : [killed];
      const durations = readers.map(() => [0, 0, 0, undefined][pick(4)]);
      const states = await Promise.all(
        readers.map((each, i) => readOnce(each, durations[i]).catch(() => 'killed')),
      );
      state = states.includes('settled') ? 'settled' : states[0];
      steps += states.filter((each) => each === 'unfinished').length;
      kills += killed.hasFailed() ? 1 : 0;
    }
    expect(await stateOf(inSteps), `seed ${seed}, file ${index}`).toEqual(await stateOf(atOnce));
  }
  // A killed process may have left objects that have an outcome.
  await scanUploads(inSteps, new Date(Date.now() + 61_000));
  for (const { id } of await inSteps.uploads()) await readOnce(inSteps, 0, id);
  expect(await keysOf(inSteps.storage, 'codaUploads'), `seed ${seed}`).toEqual([]);
  expect(await keysOf(inSteps.storage, 'codbUploads'), `seed ${seed}`).toEqual([]);
  return { steps, kills };
}

/**
 * Reads the newest upload, or the one with this id, for one step or, without a duration, to its
 * end.
 */
async function readOnce(work: Uploads, durationMs: number | undefined, id?: string) {
  await scanUploads(work, work.now());
  const newest = (await work.uploads()).at(-1)?.id ?? '';
  const upload = await findUpload(work.knex, id ?? newest);
  return upload === undefined ? expect.fail() : readUpload(work, upload, durationMs);
}

/** Records a whole upload in one transaction, as deliveries are recorded. */
async function readAtOnce(work: Uploads, bytes: Uint8Array): Promise<void> {
  await scanUploads(work, work.now());
  const id = (await work.uploads()).at(-1)?.id ?? '';
  const upload = (await findUpload(work.knex, id)) ?? expect.fail();
  const file = await readDocuments(upload.product, bytes);
  const access = { kind: 'grant', principal: work.principal } as const;
  await processDocuments(work, file.documents, access, {
    async record(trx, outcomes) {
      const options = { uploadId: id, access, now: work.now() };
      await recordFile(trx, work, file, outcomes, options);
    },
  });
}

const ofChain: ReadonlySet<string> = new Set(['numberMissing', 'balanceDiffers', 'numberRepeated']);

/** Returns what a user and the operator see of all files so far. */
async function stateOf(work: Uploads) {
  // Each product of a customer has its own arrivals.
  const files: FileRow[] = await listedFiles(work.knex).orderBy([
    'customer_id',
    'product',
    'arrival',
  ]);
  const uploads = await work.uploads();
  return {
    files: await Promise.all(
      files.map(async ({ file_name, statement_number, content_hash, object_key }) => ({
        ...{ file_name, statement_number, hash: content_hash.toString('hex') },
        text: await textOf(work.storage, 'files', object_key),
      })),
    ),
    uploads: uploads.map(({ status, findings }) => ({
      status,
      // The gaps of a chain depend on what has been listed by then; in the end it is the same
      // (D-30).
      findings: findings.filter(({ code }) => !ofChain.has(code)),
    })),
    missing: await work
      .knex('missing_statements')
      .where({ closed_on: null })
      .orderBy(['iban', 'kind', 'from_number', 'after_date', 'after_number'])
      .select('iban', 'kind', 'from_number', 'to_number')
      .select('after_date', 'after_number', 'before_date', 'before_number'),
  };
}

/**
 * Returns a file with up to 170 documents: good, repeated, corrected, refused and unreadable ones.
 */
function randomFile(
  pick: (limit: number) => number,
  ibans: readonly string[],
  numbers: readonly string[],
): File {
  const length = 1 + pick(170);
  if (pick(4) === 0) {
    // The second enterprise is unknown.
    const bookings = Array.from({ length }, (_, number) => ({
      ...{ enterpriseNumber: numbers[pick(9) === 0 ? 1 : 0] ?? '', number },
      label: `Wages ${pick(2)}`,
    }));
    const bytes = codbFile(...bookings);
    return ['CODB', pick(5) === 0 ? bytes.subarray(0, -20) : bytes];
  }
  const unknown = newIban();
  const statements = Array.from(
    { length },
    (): SampleStatement => ({
      iban: [...ibans, ...ibans, ...ibans, unknown][pick(7)] ?? '',
      number: 1 + pick(60),
      communication: `Invoice ${pick(2)}`,
      duplicate: pick(10) === 0,
    }),
  );
  const bytes = codaFile(...statements);
  const damages = pick(3);
  return [
    'CODA',
    Array.from({ length: damages }).reduce<Uint8Array>(
      // The balance no longer adds up.
      (file) => changed(file, '000000000012500', '000000000012501'),
      pick(6) === 0 ? Buffer.concat([bytes, Buffer.from('\r\nno record\r\n')]) : bytes,
    ),
  ];
}
