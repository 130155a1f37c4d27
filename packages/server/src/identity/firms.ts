import type { Knex } from 'knex';
import { lockFirm } from '../db/firms.js';
import { inTransaction } from '../db/transaction.js';
import { newObjectId } from '../identifiers/object-id.js';

export interface Firm {
  readonly id: string;
  readonly name: string;
  /** The start of its upload prefixes, `uploads/<tenant>` (D-19). It never changes. */
  readonly tenant: string;
  /** True if the firm may upload CODB files (§4.21). */
  readonly codbUpload: boolean;
  /** The contacts of its customers see how to reach the firm (D-36). Null if unknown. */
  readonly email: string | null;
  readonly phone: string | null;
  readonly createdOn: Date;
  /** Null unless the operator disabled the firm (D-60). */
  readonly disabledOn: Date | null;
}

export type FirmChanges = Partial<Pick<Firm, 'name' | 'codbUpload' | 'email' | 'phone'>>;
type NewFirm = FirmChanges & Pick<Firm, 'name' | 'codbUpload'>;

const columns = [
  ...['id', 'name', 'tenant', 'codb_upload as codbUpload', 'email', 'phone'],
  ...['created_on as createdOn', 'disabled_on as disabledOn'],
];

export type FirmStore = ReturnType<typeof createFirmStore>;

/** Creates the store of firms; nothing else writes `firms`. */
export function createFirmStore(knex: Knex, now: () => Date = () => new Date()) {
  const table = (database = knex) => database('firms');

  async function find(id: string, database = knex): Promise<Firm | undefined> {
    return table(database).where({ id }).first<Firm | undefined>(columns);
  }

  /** @throws Error if there is no such firm */
  async function get(id: string, database = knex): Promise<Firm> {
    const firm = await find(id, database);
    if (firm === undefined) throw new Error(`There is no firm ${id}`);
    return firm;
  }

  return {
    find: (id: string) => find(id),
    get: (id: string) => get(id),

    create({ name, codbUpload: codb_upload, email, phone }: NewFirm): Promise<Firm | 'nameTaken'> {
      const id = newObjectId();
      const tenant = tenantSlug(name, id);
      return unlessTaken(knex, async (trx) => {
        const created_on = now();
        await table(trx).insert({ id, name, tenant, codb_upload, email, phone, created_on });
        return get(id, trx);
      });
    },

    async list(): Promise<Firm[]> {
      return table().orderBy(['name', 'id']).select<Firm[]>(columns);
    },

    async findByName(name: string): Promise<Firm | undefined> {
      const isSame = 'lower(name collate "und-x-icu") = lower(? collate "und-x-icu")';
      return table().whereRaw(isSame, [name]).first<Firm | undefined>(columns);
    },

    /** Changes the given fields. Returns undefined if there is no such firm. */
    update(id: string, changes: FirmChanges): Promise<Firm | 'nameTaken' | undefined> {
      const { codbUpload, email, phone } = changes;
      return unlessTaken(knex, async (trx) => {
        const [firm] = await table(trx)
          .where({ id })
          .update({
            name: knex.raw('coalesce(?, name)', [changes.name ?? null]),
            codb_upload: knex.raw('coalesce(?, codb_upload)', [codbUpload ?? null]),
            ...(email !== undefined && { email }),
            ...(phone !== undefined && { phone }),
          })
          .returning<Firm[]>(columns);
        return firm;
      });
    },

    /** Disables or enables a firm. Returns undefined if it is so already, or if there is none. */
    setDisabledOn(id: string, disabledOn: Date | null): Promise<Firm | undefined> {
      return inTransaction(knex, async (trx) => {
        await lockFirm(trx, id);
        const [firm] = await table(trx)
          .where({ id })
          .whereRaw('(disabled_on is null) = ?', [disabledOn !== null])
          .update({ disabled_on: disabledOn })
          .returning<Firm[]>(columns);
        return firm;
      });
    },
  };
}

/** Returns `nameTaken` if another firm has the name. A transaction of the caller goes on. */
async function unlessTaken<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result | 'nameTaken'> {
  try {
    return await inTransaction(knex, work);
  } catch (error) {
    const isTaken =
      error instanceof Error && 'constraint' in error && error.constraint === 'firms_name_key';
    if (!isTaken) throw error;
    return 'nameTaken';
  }
}

const MAX_NAME_LENGTH = 40;

/**
 * Returns a name in `[a-z0-9-]` and the end of the id, such as `kantoor-maes-4f7a6c`.
 *
 * A tenant contains no slash, so no tenant's folder is inside another's. Upload credentials cover
 * `uploads/<tenant>-<grant>/` and give no access to another firm (D-19, D-31).
 */
export function tenantSlug(name: string, firmId: string): string {
  const readable = slugOf(name).slice(0, MAX_NAME_LENGTH).replace(/-$/, '');
  return `${readable || 'firm'}-${firmId.slice(-6)}`;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[œæß]/g, (letter) => ligatures[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Letters of Belgium's languages that Unicode normalisation does not decompose. */
const ligatures: Record<string, string> = { œ: 'oe', æ: 'ae', ß: 'ss' };
