import type { Knex } from 'knex';

/** The shortest name that is searched for, in letters and digits, because shorter ones are words of other texts. */
const SHORTEST_NAME = 8;

export type NameSearch = ReturnType<typeof createNameSearch>;

/**
 * Creates a search for customers in texts and files, whatever the case, the encoding and the separators:
 * only letters and digits of ASCII are compared.
 */
export function createNameSearch(names: readonly string[]) {
  const byLength = new Map<number, Set<string>>();
  for (const name of names.map(normalise)) {
    byLength.set(name.length, (byLength.get(name.length) ?? new Set()).add(name));
  }
  const longest = Math.max(0, ...byLength.keys());

  const isInNormalised = (text: string): boolean =>
    [...byLength].some(([length, group]) => {
      for (let from = 0; from + length <= text.length; from += 1) {
        if (group.has(text.slice(from, from + length))) return true;
      }
      return false;
    });

  return {
    /** True if there is nothing to search for. */
    isEmpty: longest === 0,

    isIn: (text: string): boolean => isInNormalised(normalise(text)),

    /** Reads the bytes up to the first name. */
    async isInBytes(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
      let rest = '';
      for await (const chunk of bytes) {
        const text = rest + normalise(Buffer.from(chunk).toString('latin1'));
        if (isInNormalised(text)) return true;
        rest = text.slice(-longest);
      }
      return false;
    },
  };
}

function normalise(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}

/** The numbers that identify customers, and their names. */
interface CustomerNames {
  /** Enterprise numbers, IBANs, and Belgian account numbers, as statements may have them. */
  readonly numbers: readonly string[];
  readonly names: readonly string[];
}

/** Returns what identifies a customer, or all customers of a firm. */
export async function namesOf(
  knex: Knex,
  owner: { readonly id: string } | { readonly firm_id: string },
): Promise<CustomerNames> {
  const rows = await knex('customers').where(owner).select({
    enterpriseNumber: 'enterprise_number',
    name: 'name',
    contact: 'contact_name',
    email: 'contact_email',
  });
  const ibans: string[] = await knex('bank_accounts')
    .whereIn('customer_id', knex('customers').where(owner).select('id'))
    .pluck('iban');
  return {
    numbers: [
      ...rows.map(({ enterpriseNumber }) => enterpriseNumber),
      ...ibans,
      ...ibans.flatMap((iban) => (iban.startsWith('BE') ? iban.slice(4) : [])),
    ],
    names: rows
      .flatMap(({ name, contact, email }) => [name, contact, email])
      .filter((name) => normalise(name).length >= SHORTEST_NAME),
  };
}
