import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';

/** An accounting firm. */
export interface Firm {
  readonly id: string;
  readonly name: string;
  /** The firm's folder in the upload buckets: `uploads/<tenant>` (D-19). It never changes. */
  readonly tenant: string;
  /** Whether the firm may upload CODB files (§4.21). */
  readonly codbUpload: boolean;
  readonly createdOn: Date;
}

export interface FirmStore {
  create(firm: { name: string; codbUpload: boolean }): Promise<Firm>;
  /** @throws Error when there is no such firm */
  get(id: string): Promise<Firm>;
  /** Every firm, by name. */
  list(): Promise<Firm[]>;
  /** Changes what is given; undefined when there is no such firm. */
  update(id: string, changes: FirmChanges): Promise<Firm | undefined>;
}

export interface FirmChanges {
  readonly name?: string;
  readonly codbUpload?: boolean;
}

interface FirmRow {
  id: string;
  name: string;
  tenant: string;
  codb_upload: boolean;
  created_on: Date;
}

/** The only SQL on `firms`. */
export function createFirmStore(knex: Knex, now: () => Date = () => new Date()): FirmStore {
  const table = () => knex<FirmRow>('firms');
  return {
    async create({ name, codbUpload }) {
      const id = newObjectId();
      const row = {
        id,
        name,
        tenant: tenantSlug(name, id),
        codb_upload: codbUpload,
        created_on: now(),
      };
      await table().insert(row);
      return toFirm(row);
    },

    async get(id) {
      const row = await table().where({ id }).first();
      if (row === undefined) throw new Error(`There is no firm ${id}`);
      return toFirm(row);
    },

    async list() {
      const rows = await table().orderBy([{ column: 'name' }, { column: 'id' }]);
      return rows.map(toFirm);
    },

    async update(id, { name, codbUpload }) {
      const [row] = await table()
        .where({ id })
        .update({
          name: knex.raw('coalesce(?, name)', [name ?? null]),
          codb_upload: knex.raw('coalesce(?, codb_upload)', [codbUpload ?? null]),
        })
        .returning('*');
      return row && toFirm(row);
    },
  };
}

function toFirm(row: FirmRow): Firm {
  return {
    id: row.id,
    name: row.name,
    tenant: row.tenant,
    codbUpload: row.codb_upload,
    createdOn: row.created_on,
  };
}

/** Long enough to recognise the firm, short enough for a path. */
const MAX_NAME_LENGTH = 40;

/**
 * The tenant of a firm: its name in `[a-z0-9-]` and the end of its id, as in `kantoor-maes-4f7a6c`.
 *
 * Two firms of the same name differ by the id. Without a slash in it no tenant's folder lies inside
 * another's, so credentials for `uploads/<tenant>/` never reach a second firm (D-19).
 */
export function tenantSlug(name: string, firmId: string): string {
  const readable = slugOf(name).slice(0, MAX_NAME_LENGTH).replace(/-$/, '');
  return `${readable || 'firm'}-${firmId.slice(-6)}`;
}

/** A text in `[a-z0-9-]`, accents dropped; empty when nothing of it is left. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[œæß]/g, (letter) => ligatures[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Letters of Belgium's languages that Unicode does not decompose. */
const ligatures: Record<string, string> = { œ: 'oe', æ: 'ae', ß: 'ss' };
