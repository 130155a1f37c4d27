import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@adx/client';
import { type ListedMandate, type Operator, reasonOf } from '../operator.js';
import { type DemoCustomer, demoCustomers } from './firms.js';
import { bankingDays, codaFile, codbFile, daysBefore, monthsBefore } from './statements.js';

/** Pause between two days of statements, in ms. */
const dayMs = 60_000;
/** The number of banking days up to yesterday whose statements arrive one by one in a new demo. */
const daysToCome = 10;

/** Delivers the first files of mandates: two weeks of statements, or last month's payroll. */
export async function deliverFirstFiles(
  operator: Operator,
  mandates: readonly ListedMandate[],
  upTo: string,
): Promise<void> {
  const after: Readonly<Record<Product, string>> = {
    CODA: daysBefore(upTo, 14),
    CODB: daysBefore(upTo, Number(upTo.slice(-2))),
  };
  await deliver(operator, mandates, (mandate) =>
    filesOf(mandate, { after: after[mandate.product], upTo }),
  );
}

/**
 * Delivers statements to the finished mandates: one banking day per minute until yesterday is
 * reached, then each day after it has ended. No file has a date in the future.
 */
export async function deliverDays(
  options: {
    readonly operator: Operator;
    readonly isHeld: (mandateId: string) => boolean;
    readonly inTurn: (deliver: () => Promise<void>) => Promise<void>;
    readonly report: (event: string) => void;
    readonly signal: AbortSignal;
  },
  deliveredUpTo: string,
  save: (deliveredUpTo: string) => Promise<void>,
): Promise<void> {
  const { operator, isHeld, inTurn, report, signal } = options;
  let after = deliveredUpTo;
  while (!signal.aborted) {
    await sleep(dayMs, undefined, { signal }).catch(() => {});
    const [day] = bankingDays(after, yesterday());
    if (signal.aborted || day === undefined) continue;
    try {
      await inTurn(async () => {
        const finished = ['mandate', 'list', '--status', 'finished'];
        const all = await operator.run<ListedMandate[]>(finished);
        const mandates = all.filter(({ id }) => !isHeld(id));
        const days = { after, upTo: day };
        await deliver(operator, mandates, (mandate) => filesOf(mandate, days));
        after = day;
        await save(day);
      });
      report(`The statements of ${day} have arrived`);
    } catch (error) {
      if (!signal.aborted) report(`A delivery failed: ${reasonOf(error)}`);
    }
  }
}

export function firstDeliveredUpTo(): string {
  // Enough calendar days to contain as many banking days.
  const days = bankingDays(daysBefore(yesterday(), 3 * daysToCome), yesterday());
  return days.at(-daysToCome - 1) ?? yesterday();
}

export interface DeliveredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Returns who delivers for a mandate, as `ingest --from` takes it. */
export function senderOf(mandate: ListedMandate): string | undefined {
  return 'iban' in mandate ? mandate.bic : mandate.payrollProviderCode;
}

function filesOf(
  mandate: ListedMandate,
  days: { readonly after: string; readonly upTo: string },
): DeliveredFile[] {
  const customer = customerOf(mandate);
  switch (mandate.product) {
    case 'CODA': {
      const bic = (mandate.bic ?? 'GKCC BE BB').replaceAll(' ', '');
      const bytes = codaFile(customer, mandate.iban, bic, days);
      return bytes === undefined ? [] : [{ name: `${mandate.iban}.cod`, bytes }];
    }
    case 'CODB':
      return monthsBefore(days.upTo, 3)
        .filter((period) => period >= days.after.slice(0, 7).replace('-', ''))
        .map((period) => ({
          name: `${mandate.id}-${period}.xml`,
          bytes: codbFile(customer, mandate.payrollProviderNameNl, period),
        }));
  }
}

/** Returns a mandate's customer. One that a visitor created gets the texts of the first demo's. */
function customerOf({ enterpriseNumber, customerName: name }: ListedMandate): DemoCustomer {
  const known = demoCustomers.find((each) => each.enterpriseNumber === enterpriseNumber);
  const [first] = demoCustomers;
  if (first === undefined) throw new Error('The demo has no customers');
  return known ?? { ...first, name, enterpriseNumber };
}

/** Delivers as in production: the operator ingests a folder of each sender. */
async function deliver(
  operator: Operator,
  mandates: readonly ListedMandate[],
  toFiles: (mandate: ListedMandate) => readonly DeliveredFile[],
): Promise<void> {
  for (const sender of new Set(mandates.flatMap((mandate) => senderOf(mandate) ?? []))) {
    const files = mandates.filter((each) => senderOf(each) === sender).flatMap(toFiles);
    if (files.length === 0) continue;
    await withFolder(files, (folder) => operator.run(['ingest', folder, '--from', sender]));
  }
}

export async function withFolder<Result>(
  files: readonly DeliveredFile[],
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-delivery-'));
  try {
    for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the last day that has ended in UTC, `YYYY-MM-DD`. */
export function yesterday(): string {
  return daysBefore(new Date().toISOString().slice(0, 10), 1);
}
