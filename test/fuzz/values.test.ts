import type { Client } from '@adx/client';
import { type OperationId, operations } from '@adx/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationIds, operationsWithBody } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { wellFormedBody } from '../support/well-formed.js';
import { type BodyField, textFields, withValue } from './support/text-fields.js';

const target = useFuzzTarget();

const fields = operationsWithBody.flatMap((operationId) =>
  textFields(operationId).map((field) => ({
    name: `${operationId} ${field.path.join('.')}`,
    operationId,
    field,
  })),
);

/** Characters that no text of the interface may contain. */
const forbidden = [
  ...['\u0000', '\u0007', '\n', '\r\n', '\u001b[2J', '\u007f', '\u0085'],
  ...'\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  '\ud800',
  '\udc00x',
];

/** U+0000 is the one that PostgreSQL cannot store. */
const oneOfEachKind = ['\u0000', '\n', '\u202e', '\udc00x'];

/** Texts of 30,000 characters, each a worst case for an expression. */
const endless = oneIn(3, [
  ...[' ', 'a', 'a.', 'a@', '@a', '0', '-', '0.', 'é', '"', '\\', '%', '_', 'aA1-'],
]).map((part) => part.repeat(Math.floor(30_000 / part.length)));

function firstOfEachExpression<T extends { readonly field: BodyField }>(of: readonly T[]): Set<T> {
  const expression = ({ field: { schema } }: T) => `${schema['pattern']} ${schema['format']}`;
  return new Set(new Map(of.toReversed().map((each) => [expression(each), each])).values());
}

/** The identity provider decides on these texts, with its own status. */
const isSecret = ({ path }: BodyField) => ['password', 'refreshToken'].includes(path.at(-1) ?? '');

function sendText(operationId: OperationId, { path }: BodyField, text: string) {
  const form = path[0] === 'username' ? { password: 'cGFzc3dvcmQ=' } : {};
  const other = path[0] === 'password' ? { username: `nobody${text.length}` } : {};
  const base = operationId === 'getToken' ? { ...form, ...other } : wellFormedBody(operationId);
  return target.send(operationId, { body: JSON.stringify(withValue(base, path, text)) });
}

describe('D-05 text that cannot be stored', () => {
  it('covers the fields of the spec', () => {
    expect(fields.length).toBeGreaterThan(40);
  });

  // `sortDirection` accepts any text of any length, and it is never stored.
  const bounded = fields.filter(
    ({ field: { schema } }) => schema['pattern'] ?? schema['format'] ?? schema['maxLength'],
  );
  const restricted = fields.filter(
    ({ field: { schema } }) => schema['pattern'] ?? schema['format'],
  );

  // One field for each expression gets all of them, and every other field one of each kind.
  const first = firstOfEachExpression(restricted);

  it.each(oneIn(4, restricted))(
    '$name refuses control characters, marks of direction and lone surrogates',
    async (each) => {
      const { operationId, field } = each;
      await target.storingNothing(async () => {
        for (const text of first.has(each) ? forbidden : oneOfEachKind) {
          const { status, body } = await sendText(operationId, field, `a${text}`);
          const shown = JSON.stringify(text);
          const expected =
            isSecret(field) && text.isWellFormed()
              ? [500, expect.stringMatching(/^(Authentication failed|Invalid refresh token)$/)]
              : [400, 'validationFailed'];
          expect([shown, status, body.error]).toEqual([shown, ...expected]);
        }
      });
    },
  );

  // One field for each expression, because the cost does not depend on the field.
  it.each([...firstOfEachExpression(bounded)])(
    '$name refuses very long text, and the next call succeeds',
    async ({ operationId, field }) => {
      await target.storingNothing(async () => {
        for (const text of endless) {
          for (const end of ['!', '\n']) {
            const { status, body } = await sendText(operationId, field, text + end);
            expect([status, body.error]).toEqual([400, 'validationFailed']);
          }
        }
        expect((await target.send('helloWorld')).status).toBe(200);
      });
    },
  );
});

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
  it('a search for one of them finds nothing if no name contains it', async () => {
    const { id } = await client.customers.create(
      newCustomer({ name: 'Gewoon', accountingRef: '' }),
    );
    const wildcards = `% _ %% .* ^ $ \\ [a-z] ( * ? ' " -- \u0301`.split(' ');
    for (const search of wildcards) {
      expect((await client.customers.search({ search })).records, search).toEqual([]);
    }
    await client.customers.archive(id);
  });

  it('an empty search finds all customers', async () => {
    const all = await client.customers.search({});
    expect(await client.customers.search({ search: '' })).toEqual(all);
  });
});

const refusedAlways = '-1 1.5 1e400 -1e400 5e-324 "5" "" null true [] [1] {}'.split(' ');

const cases = {
  limit: {
    refused: [...refusedAlways, '0', '-0', '-1e308'],
    accepted: ['1', '1.0', '5e0', '200', '201', '1e308', '9007199254740993', `1${'0'.repeat(21)}`],
  },
  offset: {
    refused: [...refusedAlways, '1e308', '9007199254740993', '18446744073709551616'],
    accepted: ['0', '-0', '0.0', '0e999', '1', '2147483648', '4294967296', '9007199254740991'],
  },
} as const;

const paginated = operationIds.filter((id) => operations[id].paginated);

describe.each(oneIn(4, paginated))('D-06 %s', (operationId: OperationId) => {
  describe.each(Object.entries(cases))('%s', (field, { refused, accepted }) => {
    it('is refused if it is not an integer in range', async () => {
      for (const value of refused) {
        const { status, body } = await target.send(operationId, { body: `{"${field}":${value}}` });
        expect([value, status, body.error]).toEqual([value, 400, 'validationFailed']);
        expect(body.details?.map(({ path }) => path)).toContain(field);
      }
    });

    it('is accepted in every notation of an integer', async () => {
      for (const value of accepted) {
        const { status, body } = await target.send(operationId, { body: `{"${field}":${value}}` });
        expect([value, status]).toEqual([value, 200]);
        if (field === 'offset' && Number(value) > 1_000) {
          expect(body).toMatchObject({ records: [] });
          expect(Number(body['recordsTotal'])).toBeGreaterThan(0);
        }
      }
    });
  });
});
