import { isUtf8 } from 'node:buffer';
import type { Knex } from 'knex';
import { nameColumns } from '../customers/customer-columns.js';

/** The shortest name that is searched for, in letters and digits: shorter ones are common words. */
const SHORTEST_NAME = 8;

type NameSearch = ReturnType<typeof createNameSearch>;

/**
 * Searches for names whatever the case, accents, normal form, percent-encoding and separators: only
 * letters and digits are compared.
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
    isEmpty: longest === 0,

    /** Searches a text as it is, and decoded as often as it is percent-encoded. */
    isIn(text: string): boolean {
      if (isInLetters(lettersOf(text))) return true;
      const decoded = decodePercents(text);
      return decoded !== text && this.isIn(decoded);
    },

    /** Returns true if the bytes have a name in ASCII, such as a number; others are not found. */
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
 * Returns letters and digits in upper case, without accents and the points of Hebrew and Syriac.
 * Marks that are part of a letter, as in Indian scripts, stay. A Chinese or Japanese character
 * counts twice, as a syllable or a word.
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

function spellings(name: string): string[] {
  const withoutUmlauts = name.normalize('NFD').replaceAll(/([aou])\u0308/gi, '$1e');
  return [name, withoutUmlauts];
}

function decodePercents(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const bytes = Buffer.from(encoded.replaceAll('%', ''), 'hex');
    return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  });
}

/** Searches in what is stored about uploads, and in their contents. */
export interface UploadSearch {
  readonly texts: NameSearch;
  /** The search of contents, which finds numbers only. */
  readonly contents: NameSearch;
}

/**
 * Creates the searches for a customer, or for all customers of a firm, also by former names, and by
 * Belgian account numbers as old statements have them.
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
