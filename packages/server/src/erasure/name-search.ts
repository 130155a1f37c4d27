import { isUtf8 } from 'node:buffer';
import type { Knex } from 'knex';
import { nameColumns } from '../customers/customer-columns.js';

/**
 * The shortest name that is searched for, in letters and digits, because shorter ones are words of
 * other texts.
 */
const SHORTEST_NAME = 8;

type NameSearch = ReturnType<typeof createNameSearch>;

/**
 * Creates a search for customers in texts and files, whatever the case, the accents, the normal
 * form, the percent-encoding and the separators: only letters and digits are compared.
 */
export function createNameSearch(names: readonly string[]) {
  const byStart = new Map<string, string[]>();
  let longest = 0;
  for (const name of names.flatMap(spellings).map(lettersOf)) {
    if (name.length < SHORTEST_NAME) continue;
    const start = name.slice(0, SHORTEST_NAME);
    byStart.set(start, [...(byStart.get(start) ?? []), name]);
    longest = Math.max(longest, name.length);
  }

  function isInLetters(text: string): boolean {
    for (let from = 0; from + SHORTEST_NAME <= text.length; from += 1) {
      const group = byStart.get(text.slice(from, from + SHORTEST_NAME));
      if (group?.some((name) => text.startsWith(name, from))) return true;
    }
    return false;
  }

  return {
    /** True if there is nothing to search for. */
    isEmpty: longest === 0,

    /** Searches a text as it is, and decoded as often as it is percent-encoded. */
    isIn(text: string): boolean {
      if (isInLetters(lettersOf(text))) return true;
      const decoded = decodePercents(text);
      return decoded !== text && this.isIn(decoded);
    },

    /** Reads the bytes up to the first name. Only names in ASCII are found, such as numbers. */
    async isInBytes(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
      let rest = '';
      for await (const chunk of bytes) {
        const ascii = Buffer.from(chunk)
          .toString('latin1')
          .replaceAll(/[^A-Za-z0-9]/g, '');
        const text = rest + ascii.toUpperCase();
        if (isInLetters(text)) return true;
        rest = text.slice(-longest);
      }
      return false;
    },
  };
}

/** Latin letters that Unicode does not decompose, and how they are written without accents. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', Œ: 'OE', Þ: 'TH' },
  ...{ Đ: 'D', Ð: 'D', Ħ: 'H', Ł: 'L', Ø: 'O', Ŧ: 'T' },
};

/**
 * Returns the letters and digits of a text in upper case, without accents and the points of Hebrew
 * and Syriac. Marks that are part of a letter, as in Indian scripts, stay. A Chinese or Japanese
 * character counts twice, because it stands for a syllable or a word.
 */
function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{M}\p{N}]|\p{Lm}|\p{Script=Inherited}|(?=\p{M})\p{Script=Hebrew}/gu, '')
    .replaceAll(/(?=\p{M})\p{Script=Syriac}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .replaceAll(/[ÆŒÞĐÐĦŁØŦ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, '$&$&');
}

/** Returns a name, and as it is written where there are no umlauts. */
function spellings(name: string): string[] {
  const withoutUmlauts = name.normalize('NFD').replaceAll(/([aou])\u0308/gi, '$1e');
  return [name, withoutUmlauts];
}

/** Decodes percent-encoded UTF-8, or Latin 1 if it is no UTF-8. */
function decodePercents(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const bytes = Buffer.from(encoded.replaceAll('%', ''), 'hex');
    return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  });
}

/** Searches of texts about uploads, and of their contents. */
export interface UploadSearch {
  /** Finds numbers and names. */
  readonly texts: NameSearch;
  /** Finds numbers only. */
  readonly contents: NameSearch;
}

/**
 * Creates the searches for a customer, or for all customers of a firm: for its enterprise number,
 * IBANs and Belgian account numbers, as statements may have them, and for names, contacts, signers
 * and e-mail addresses, former ones included.
 */
export async function searchFor(
  knex: Knex,
  owner: { readonly firm_id: string; readonly id?: string },
): Promise<UploadSearch> {
  const { firm_id } = owner;
  const owned = knex('customers').where(owner).select('id');
  const enterpriseNumbers: string[] = await owned.clone().clearSelect().pluck('enterprise_number');
  const accounts = knex('bank_accounts').where({ firm_id });
  const ibans: string[] = await accounts.whereIn('customer_id', owned).pluck('iban');
  const isOwned = 'firm_id = :firm_id and customer_id in (:owned)';
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select name
       from (select unnest(array[${nameColumns.join(', ')}]) as name
               from customers where firm_id = :firm_id and id in (:owned)
              union select name from former_names where ${isOwned}
              union select unnest(array[signer_name, sent_to])
                      from signature_requests where ${isOwned}
              union select address from outgoing_mails where ${isOwned} and kind <> 'evidence') names
      where name is not null`,
    { firm_id, owned },
  );
  const numbers = [
    ...enterpriseNumbers,
    ...ibans,
    ...ibans.flatMap((iban) => (iban.startsWith('BE') ? iban.slice(4) : [])),
  ];
  const names = rows.map(({ name }) => name);
  return {
    texts: createNameSearch([...numbers, ...names]),
    contents: createNameSearch(numbers),
  };
}
