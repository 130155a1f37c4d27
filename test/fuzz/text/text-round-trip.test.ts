import type { Client } from '@adx/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { newCustomer } from '../../support/new-customer.js';
import { oneIn } from '../../support/rounds.js';
import { useFuzzTarget } from '../../support/use-service.js';

const target = useFuzzTarget();
let client: Client;
beforeAll(async () => {
  client = await target.service.client(target.user);
});

const texts = {
  'an accent of its own': 'Cafe\u0301 de l’E\u0301glise',
  'an accent in one code point': 'Café de l’Église',
  'right to left': 'شركة المحاسبة',
  emoji: '👩‍🚀🇧🇪🏳️‍🌈',
  'beyond the first plane': '𠜎𠜱𝔘𝔫𝔦',
  'sharp s': 'Straße GROẞ',
  'dotted and dotless i': 'İstanbul ıI',
  'final sigma': 'ΟΔΥΣΣΕΥΣ οδυσσεύς',
  ligatures: 'ﬁnance ĳsbeer Œuvre',
  'a no-break space': 'a\u00a0b\u2003c',
  'invisible characters': 'a\u200b\u2060\ufeffb',
  noncharacters: 'a\ufffe\uffff',
  'a replacement character': 'a\ufffd',
  'spaces around it': '  naam  ',
  percent: '100% _korting_ \\%',
  quotes: `d'Hondt "& Zn" \`x\``,
  SQL: `'); drop table customers; --`,
  'SQL that waits': `' || pg_sleep(10) || '`,
  placeholders: '? ?? :name $1 {0} %s #{x}',
  HTML: '<script>alert(1)</script>&amp;',
  JSON: '{"a":1}\\u0000\\n',
  'a null word': 'null',
  'a name every object has': '__proto__',
  'a combining mark alone': '\u0301',
  'many marks': `Z${'\u0353'.repeat(150)}`,
};

describe.each(oneIn(3, Object.entries(texts)))('D-07 text: %s', (_, text) => {
  it('is returned unchanged', async () => {
    const address = {
      street: text,
      street2: text,
      zipCode: text.slice(0, 18).toWellFormed(),
      municipality: text.slice(0, 96).toWellFormed(),
      country: 'België',
    };
    address.zipCode = address.zipCode.replaceAll('\ufffd', 'x');
    const contact = { name: text, function: text, email: 'a@b.example', language: 'fr' } as const;
    const accountingRef = text.slice(0, 90).toWellFormed();
    const sent = newCustomer({ name: text, accountingRef, address, contact });
    const created = await client.customers.create(sent);
    expect(created).toMatchObject(sent);
    expect(await client.customers.get(created.id)).toEqual(created);

    const changed = await client.customers.update(created.id, { contact: { name: `${text}2` } });
    expect(changed.contact).toEqual({ ...contact, name: `${text}2` });
    await client.customers.archive(created.id);
  });

  it('is found alone, within other text, and in other cases', async () => {
    const { id } = await client.customers.create(newCustomer({ name: `Voor ${text} na` }));
    const other = await client.customers.create(newCustomer({ name: 'Zonder' }));
    const found = await client.customers.search({ search: text });
    expect(found.records.map((customer) => customer.id)).toEqual([id]);
    await client.customers.archive(id);
    await client.customers.archive(other.id);
  });

  it('is found exactly as an accounting reference', async () => {
    const accountingRef = text.slice(0, 90).toWellFormed();
    const { id } = await client.customers.create(newCustomer({ accountingRef }));
    const exact = await client.customers.search({ accountingRef });
    expect(exact.records.map((customer) => customer.id)).toEqual([id]);
    expect((await client.customers.search({ accountingRef: `${accountingRef}%` })).records).toEqual(
      [],
    );
    await client.customers.archive(id);
  });
});

describe('D-07 wildcards and regular expressions are plain text', () => {
  it.each(['%', '_', '%%', '.*', '^', '$', '\\', '[a-z]', '(', '*', '?', "'", '"', '--', '\u0301'])(
    'a search for %s finds nothing if no name contains it',
    async (search) => {
      const { id } = await client.customers.create(
        newCustomer({ name: 'Gewoon', accountingRef: '' }),
      );
      expect((await client.customers.search({ search })).records).toEqual([]);
      await client.customers.archive(id);
    },
  );

  it('an empty search finds all customers', async () => {
    const all = await client.customers.search({});
    expect(await client.customers.search({ search: '' })).toEqual(all);
  });
});
