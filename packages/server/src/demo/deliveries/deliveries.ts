import type { Knex } from 'knex';
import { addDays, brusselsDay } from '../../dates/brussels-day.js';
import { createUploadGrants } from '../../files/upload-grants.js';
import { createFirmStore, type Firm } from '../../identity/firms.js';
import { createMandateDirectory, type ListedMandate } from '../../mandates/mandate-directory.js';
import type { Storage } from '../../storage/open-storage.js';
import { bankingDayFrom } from '../statements/banking-days.js';
import { codaFiles, codbFiles, type DemoFile, statementDays } from './delivered-files.js';
import { readDeliveredSoFar } from './delivered-so-far.js';
import { type FileSource, sourceOf } from './file-source.js';
import { createUploader } from './uploader.js';

export interface DeliveryParts {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly now: () => Date;
  /** How far back the statements of a new demo go. */
  readonly days?: number;
}

/** Banks and payroll providers of the demo, as far as they send files. */
export interface Deliveries {
  /** Uploads what is new for every mandate that is active. */
  deliverAll(): Promise<void>;
  /**
   * Uploads what is new for one mandate.
   *
   * @returns false where there is nothing, or its firm may not upload it
   */
  deliver(mandate: ListedMandate): Promise<boolean>;
  /** Lets a banking day pass. */
  passDay(): void;
  /** Ends what is under way. */
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
  const { origin: endpoint } = new URL(storage.presign({ key: 'any', fileName: 'any' }, now()));
  const grants = createUploadGrants({ ...storage, findFirm: (id) => firms.get(id), now });
  const uploader = createUploader({ grants, endpoint, now });
  const delivered = await readDeliveredSoFar(knex);
  let today = lastDay([...delivered.values()], addDays(brusselsDay(now()), -1));
  let isClosed = false;

  function filesOf(source: FileSource, firm: Firm): DemoFile[] {
    const after = delivered.get(`${firm.tenant}/${source.folder}`) ?? '';
    const stretch = { after, upTo: today };
    if (source.product === 'CODB') return codbFiles(source.employer, source.heading, stretch);
    const firstDay = addDays(brusselsDay(firm.createdOn), -days);
    return codaFiles(source.account, { ...stretch, firstDay });
  }

  async function deliver(mandate: ListedMandate): Promise<boolean> {
    const source = sourceOf(mandate);
    if (source === undefined) return false;
    const firm = await firms.get(source.firmId);
    if (source.product === 'CODB' && !firm.codbUpload) return false;
    const files = filesOf(source, firm);
    for (const { name, bytes } of files) {
      await uploader.put(firm.id, source.product, `${source.folder}/${name}`, bytes);
      delivered.set(`${firm.tenant}/${source.folder}`, name.replace(/\..*$/, ''));
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
      uploader.close();
    },
  };
}

/** The latest of some days; names of months are not among them. */
function lastDay(names: readonly string[], least: string): string {
  return names
    .filter((name) => name.length === least.length)
    .reduce((last, name) => (name > last ? name : last), least);
}
