import { expect } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { belgianBankCodes } from '../../../src/identifiers/belgian-bank-codes.js';
import { parseBic } from '../../../src/identifiers/bic.js';
import { seededRandom } from '../../support/seeded-random.js';
import { codaFile, codbFile, enterpriseNumber } from '../sample-files.js';
import { setUpUploads } from '../set-up-uploads.js';

/**
 * The banks, each with a bank code. Crelan has two BICs, and the last two share the first eight
 * characters of theirs.
 */
const banks = {
  ...{ GKCCBEBB: '096', BBRUBEBB: '300', NICABEBB: '103', AXABBE22: '700' },
  ...{ ABNABE2AIPC: '513', CMCIBEB1BTB: '588', CMCIBEB1CIC: '667' },
};
const providers = { sdworx: 'SD Worx', securex: 'Securex', groups: 'Groep S', liantis: 'Liantis' };

/**
 * Delivers files with random statements and bookings, each from a random sender.
 *
 * @returns how many documents were listed, held and refused
 */
export async function checkSenders(seed: number, deliveries: number) {
  const work = await setUpUploads();
  const random = seededRandom(seed);
  const oneOf = (values: readonly (string | undefined)[]): string =>
    values[Math.floor(random() * values.length)] ?? values[0] ?? '';
  const several = <Value>(create: () => Value) =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, create);
  const [bics, codes] = [Object.keys(banks), Object.keys(providers)];
  const ibans = ['NL91ABNA0417164300', 'LU300960000000000000'];
  for (const bankCode of Object.values(banks)) ibans.push(newIban(bankCode), newIban(bankCode));
  const numbers = [enterpriseNumber()];
  for (let i = 0; i < 8; i += 1) {
    numbers.push(enterpriseNumber());
    const links = {
      ibans: ibans.slice(2 * i, 2 * i + 2),
      providers: codes.slice(i % 3, 2 + (i % 3)),
    };
    const id = await work.create(links, { enterprise_number: numbers[i] ?? '' });
    if (i % 3 > 0) await work.setStatus(id, 'finished');
  }

  const tally = { listed: 0, held: 0, refused: 0 };
  for (let number = 1; number <= deliveries; number += 1) {
    const isCoda = random() < 0.7;
    const from = random() < (isCoda ? 0.8 : 0.2) ? oneOf(bics) : oneOf(codes);
    const own = ibans.filter((iban) => iban.slice(4, 7) === banks[from as 'GKCCBEBB']);
    const statements = several(() => ({
      iban: oneOf([...ibans, ...own, ...own, ...own, ...own]),
      bic: oneOf(['', from, from, from, ...bics]),
      number,
    }));
    // A file has each booking once.
    const source = oneOf(['Janssens', providers[from as 'sdworx'], ...Object.values(providers)]);
    const bookings = [...new Set(several(() => oneOf(numbers)))].map((enterpriseNumber) => ({
      ...{ enterpriseNumber, source, number },
    }));
    const bytes = isCoda ? codaFile(...statements) : codbFile(...bookings);
    const { listed, held, repeated } = await work.deliver(bytes, { from });
    const namesSender =
      from in providers && ['Janssens', providers[from as 'sdworx']].includes(source);
    const permitted = isCoda
      ? statements.filter(({ iban, bic }) => keeps(from, iban) && names(from, bic))
      : bookings.filter(() => namesSender);
    expect(listed + held + repeated, `seed ${seed}, delivery ${number}`).toBe(permitted.length);
    tally.listed += listed;
    tally.held += held;
    tally.refused += (isCoda ? statements : bookings).length - permitted.length;
  }

  const { rows } = await work.knex.raw(
    `with d as materialized (
             select upload_id, product, iban,
                    array(select code from customer_payroll_providers p
                           where p.customer_id = f.customer_id and p.firm_id = f.firm_id) as codes from files f
             union all
             select upload_id, product, iban,
                    array(select code from customer_payroll_providers p
                           where p.id = h.payroll_link_id and p.firm_id = h.firm_id) from held_deliveries h
              where product = 'CODA' or payroll_link_id is not null)
     select u.sender, u.source, d.* from d join uploads u on u.id = d.upload_id`,
  );
  for (const { sender, source, product, iban, codes } of rows) {
    expect(product).toBe(source === 'bank' ? 'CODA' : 'CODB');
    if (product === 'CODA') expect(keeps(sender, iban), `${sender} ${iban}`).toBe(true);
    else expect(codes).toContain(sender);
  }
  return tally;
}

/**
 * Returns true if the list of bank codes has the bank of the account under the name of the sender.
 */
function keeps(bic: string, iban: string): boolean {
  const ofAccount = belgianBankCodes.find(
    ([from, to]) => from <= iban.slice(4, 7) && iban.slice(4, 7) <= to,
  );
  return (
    iban.startsWith('BE') &&
    belgianBankCodes.some(([, , each, name]) => parseBic(each) === bic && name === ofAccount?.[3])
  );
}

/** Returns true if the BIC is empty, or of a bank with the name of the sender. */
function names(sender: string, bic: string): boolean {
  const namesOf = (each: string) =>
    belgianBankCodes.filter(([, , code]) => code === each).map(([, , , name]) => name);
  return bic === '' || namesOf(bic).some((name) => namesOf(sender).includes(name));
}
