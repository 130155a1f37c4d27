import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, brusselsDay } from '../../dates/brussels-day.js';
import { createFirmStore, type Firm } from '../../identity/firms.js';
import { createConsents } from '../../mandates/consents.js';
import { createMandateDirectory, type ListedMandate } from '../../mandates/mandate-directory.js';
import { ingestFile } from '../../uploads/deliveries/ingest-folder.js';
import type { UploadParts } from '../../uploads/process-documents.js';
import { bankingDayFrom } from '../statements/banking-days.js';
import { codaFiles, codbFiles, type DemoFile, statementDays } from './delivered-files.js';
import { readDeliveredSoFar } from './delivered-so-far.js';
import { type FileSource, sourceOf } from './file-source.js';

export interface DeliveryParts extends Omit<UploadParts, 'consents'> {
  /** How far back the statements of a new demo go, in days. */
  readonly days?: number;
}

/** The banks and payroll providers of the demo, whose files the operator ingests. */
export interface Deliveries {
  /** Delivers the new files of every active mandate. */
  deliverAll(): Promise<void>;
  /**
   * Delivers the new files of one mandate.
   *
   * @returns false where there are none
   */
  deliver(mandate: ListedMandate): Promise<boolean>;
  /** Lets a banking day pass. */
  passDay(): void;
  /** Delivers nothing more after the file that is being read. */
  close(): void;
}

/** How far the demo may be ahead of the calendar, in days: one left running does not fill its disk. */
const LONGEST_LEAD = 180;

/** Deliveries go on where those of an earlier start ended. */
export async function createDeliveries({
  knex,
  storage,
  now,
  days = statementDays,
}: DeliveryParts): Promise<Deliveries> {
  const firms = createFirmStore(knex);
  const directory = createMandateDirectory(knex);
  const parts = { knex, storage, now, consents: createConsents(now) };
  const delivered = await readDeliveredSoFar(knex);
  let today = lastDay([...delivered.values()], addDays(brusselsDay(now()), -1));
  let isClosed = false;

  function filesOf(source: FileSource, firm: Firm): DemoFile[] {
    const after = delivered.get(source.name) ?? '';
    const stretch = { after, upTo: today };
    if (source.product === 'CODB') return codbFiles(source.employer, source.heading, stretch);
    const firstDay = addDays(brusselsDay(firm.createdOn), -days);
    return codaFiles(source.account, { ...stretch, firstDay });
  }

  async function deliver(mandate: ListedMandate): Promise<boolean> {
    const source = sourceOf(mandate);
    if (source === undefined) return false;
    const files = filesOf(source, await firms.get(source.firmId));
    const folder = await mkdtemp(join(tmpdir(), 'adx-demo-deliveries-'));
    try {
      for (const { name, bytes } of files) {
        if (isClosed) return false;
        const fileName = `${source.name}_${name}`;
        await writeFile(join(folder, fileName), bytes);
        await ingestFile(parts, folder, fileName);
        delivered.set(source.name, name.replace(/\..*$/, ''));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return files.length > 0;
  }

  return {
    deliver,

    async deliverAll() {
      const active = await directory.list({ statuses: ['finished'], closed: false });
      for (const mandate of active) {
        if (isClosed) return;
        await deliver(mandate);
      }
    },

    passDay() {
      const next = bankingDayFrom(addDays(today, 1));
      if (next <= addDays(brusselsDay(now()), LONGEST_LEAD)) today = next;
    },

    close() {
      isClosed = true;
    },
  };
}

/** The latest of some days; names of months are not among them. */
function lastDay(names: readonly string[], least: string): string {
  return names
    .filter((name) => name.length === least.length)
    .reduce((last, name) => (name > last ? name : last), least);
}
