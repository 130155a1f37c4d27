import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type StatementDraft, writeCoda, writeCodb } from '@adx/statements';
import { onTestFinished } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { startAdxServer } from '../../operator/adx-server.js';
import { listedFiles } from '../../support/files.js';
import { processSettings } from '../../support/process-settings.js';
import { enterpriseNumber, statementDraft } from '../sample-files.js';
import { setUpUploads } from '../set-up-uploads.js';

/**
 * The number of the smallest statements that the worker has to read. Reading all of them would take
 * minutes, but no more memory.
 */
const manyStatements = 10_000;

/** The number of movements of a statement that is almost too long to be printed. */
const manyMovements = 40_000;

type Work = Awaited<ReturnType<typeof setUpUploads>>;

/**
 * Starts a worker process that reads four uploads of almost this size at once, one of each firm,
 * and prints the longest statements meanwhile. The uploads are long statements, the smallest
 * possible statements, a statement that is repeated again and again, and payroll bookings.
 *
 * @returns the largest resident memory of the process so far, in MiB
 */
export async function peakOfReading(mebibytes: number): Promise<number> {
  const work = await setUpUploads();
  const size = mebibytes * 2 ** 20;
  const ibans = [newIban(), newIban(), newIban()] as const;
  const number = enterpriseNumber();
  await uploadOfFirm(
    work,
    ibans[0],
    codaOf(size, (index) => statement(ibans[0], index, manyMovements)),
  );
  await uploadOfFirm(
    work,
    ibans[1],
    codaOf(size, (index) => statement(ibans[1], index, 0)),
  );
  await uploadOfFirm(
    work,
    ibans[2],
    codaOf(size, () => statement(ibans[2], 0, 20)),
  );
  await uploadOfFirm(work, { enterprise_number: number }, codbOf(size, number));
  const areRead = async () => {
    const uploads = await work.knex('uploads').select('status', 'checkpoint');
    const read = uploads.filter(
      ({ status, checkpoint }) => status !== 'received' || checkpoint >= manyStatements,
    );
    return read.length === 4;
  };
  const arePrinted = async () => {
    const left = await listedFiles(work.knex).where({ iban: ibans[0], pdf_status: 'missing' });
    return left.length === 0;
  };
  return peakUntil(work, areRead, arePrinted);
}

/**
 * Starts a worker process that prints eight of the longest statements, two of each firm.
 *
 * @returns as {@link peakOfReading}
 */
export async function peakOfPrinting(): Promise<number> {
  const work = await setUpUploads();
  for (let firm = 0; firm < 4; firm += 1) {
    const iban = newIban();
    await uploadOfFirm(
      work,
      iban,
      writeCoda([0, 1].map((index) => statement(iban, index, manyMovements))),
    );
  }
  return peakUntil(work, async () => {
    const printed = await listedFiles(work.knex).where({ pdf_status: 'present' });
    return printed.length === 8;
  });
}

/** Uploads a file for a firm whose customer has this IBAN, or this enterprise number. */
async function uploadOfFirm(
  work: Work,
  of: string | { readonly enterprise_number: string },
  bytes: Uint8Array,
): Promise<void> {
  const principal = await newPrincipal(work.knex);
  const isIban = typeof of === 'string';
  const id = await createLinkedCustomer(work.knex, principal, { ibans: isIban ? [of] : [] });
  if (!isIban) await work.knex('customers').where({ id }).update(of);
  const product = isIban ? 'CODA' : 'CODB';
  await work.knex('firms').where({ id: principal.firmId }).update({ codb_upload: true });
  const prefix = await work.grant(product, principal);
  await work.upload(product, `${prefix}/file`, bytes);
}

/** Starts a worker, and returns its largest resident memory when all of this is done, in MiB. */
async function peakUntil(work: Work, ...parts: (() => Promise<boolean>)[]): Promise<number> {
  const settings = { ...(await processSettings(work.url)), ...work.storage.settings };
  const worker = startAdxServer(['worker'], settings);
  onTestFinished(() => void worker.kill('SIGKILL'));
  worker.stdout?.resume();
  worker.stderr?.resume();
  for (const isDone of parts) await eventually(isDone);
  const peak = await peakOf(worker.pid ?? 0);
  const closed = once(worker, 'close');
  worker.kill('SIGTERM');
  await closed;
  return peak;
}

/** Returns the peak resident memory of a process on Linux, in MiB. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

function codaOf(size: number, draft: (index: number) => StatementDraft): Uint8Array {
  const parts: Buffer[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const bytes = Buffer.from(writeCoda([draft(index)]));
    // Another statement follows.
    bytes.write('1', bytes.length - 3);
    length += bytes.length;
    if (length > size) return Buffer.concat(parts);
    parts.push(bytes);
  }
}

function statement(iban: string, index: number, movements: number): StatementDraft {
  // None is older than the ten years for which statements are kept.
  const year = new Date().getFullYear() + (Math.floor(index / 999) % 50);
  const date = `${year}-02-03`;
  return {
    ...statementDraft({ iban, date, number: 1 + (index % 999), oldBalance: 0n }),
    movements: Array.from({ length: movements }, () => ({
      ...{ amount: 12_500n, valueDate: date, entryDate: date },
      transactionCode: { type: 0, family: '01', operation: '01', category: '000' },
      communication: { kind: 'free', text: 'Invoice 2026/31' },
    })),
  };
}

function codbOf(size: number, enterpriseNumber: string): Uint8Array {
  const label = 'Wages '.repeat(30);
  const line = { socialPeriod: '202602', department: undefined, account: '61800', label };
  const booking = (sequenceNumber: number) => ({
    ...{ source: 'SD Worx', version: '1.2' as const, sequenceNumber, enterpriseNumber },
    ...{ generationDate: '2026-02-28', enterpriseName: 'ACME NV', accountPeriod: '202602' },
    lines: Array.from({ length: 1_000 }, (_, index) => ({
      ...line,
      debit: index % 2 === 0 ? 1_000n : 0n,
      credit: index % 2 === 0 ? 0n : 1_000n,
    })),
  });
  const bytesPerBooking =
    writeCodb([booking(1), booking(2)]).length - writeCodb([booking(1)]).length;
  const bookings = Math.floor(size / bytesPerBooking) - 1;
  return writeCodb(Array.from({ length: bookings }, (_, index) => booking(index + 1)));
}
