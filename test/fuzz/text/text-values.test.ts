import type { OperationId } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { acceptedBody, operationsWithBody } from '../../support/fuzz-target.js';
import { oneIn } from '../../support/rounds.js';
import { useFuzzTarget } from '../../support/use-service.js';
import { type BodyField, textFields, withValue } from '../support/text-fields.js';

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
const endless = [' ', 'a', 'a.', 'a@', '@a', '0', '-', '0.', 'é', '"', '\\', '%', '_', 'aA1-'].map(
  (part) => part.repeat(Math.floor(30_000 / part.length)),
);

function firstOfEachExpression<T extends { readonly field: BodyField }>(of: readonly T[]): Set<T> {
  const expression = ({ field: { schema } }: T) => `${schema['pattern']} ${schema['format']}`;
  return new Set(new Map(of.toReversed().map((each) => [expression(each), each])).values());
}

/** The identity provider decides on these texts, with its own status. */
const isSecret = ({ path }: BodyField) => ['password', 'refreshToken'].includes(path.at(-1) ?? '');

function sendText(operationId: OperationId, { path }: BodyField, text: string) {
  const form = path[0] === 'username' ? { password: 'cGFzc3dvcmQ=' } : {};
  const other = path[0] === 'password' ? { username: `nobody${text.length}` } : {};
  const base = operationId === 'getToken' ? { ...form, ...other } : acceptedBody(operationId);
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
