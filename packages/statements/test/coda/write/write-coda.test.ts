import { expect, test } from 'vitest';
import {
  CodaWriteError,
  type MovementDraft,
  type StatementDraft,
  type WriteCodaOptions,
  writeCoda,
} from '../../../src/index.js';
import { text } from '../coda-file.js';
import { sample, transfer, transferCode } from '../sample-statement.js';

const moved = (movement: Partial<MovementDraft>): StatementDraft => ({
  ...sample,
  movements: [{ ...transfer, ...movement }],
});

interface Refused {
  readonly title: string;
  readonly message: string;
  readonly statement: StatementDraft;
  readonly options?: WriteCodaOptions;
}

const refused: readonly Refused[] = [
  {
    title: 'a text that is too long',
    message: 'bankReference has more',
    statement: moved({ bankReference: 'x'.repeat(22) }),
  },
  {
    title: 'a line feed in a text',
    message: 'control character',
    statement: moved({ purpose: 'a\nb' }),
  },
  {
    title: 'an amount of 16 digits',
    message: 'does not fit',
    statement: moved({ amount: 10n ** 15n }),
  },
  {
    title: 'a date that is none',
    message: 'not a date',
    statement: moved({ valueDate: '2026-02-29' }),
  },
  {
    title: 'a date of another century',
    message: 'not a date',
    statement: moved({ valueDate: '1999-12-31' }),
  },
  {
    title: 'a detail as movement',
    message: 'for details',
    statement: moved({ transactionCode: transferCode(5) }),
  },
  {
    title: 'details below a simple movement',
    message: 'not allowed below',
    statement: moved({ details: [transfer] }),
  },
  {
    title: 'a communication that is too long',
    message: 'more than 149',
    statement: moved({ communication: { kind: 'free', text: 'x'.repeat(150) } }),
  },
  {
    title: 'a field of a communication that is too long',
    message: '101 reference does not fit',
    statement: moved({
      communication: { kind: 'structured', type: '101', reference: '0'.repeat(13) },
    }),
  },
  {
    title: 'an IBAN with wrong check digits',
    message: 'check digits',
    statement: withNumber('BE71096123456768'),
  },
  {
    title: 'a foreign IBAN as a Belgian one',
    message: 'check digits',
    statement: withNumber('NL91ABNA0417164300'),
  },
  {
    title: 'movements without new balance',
    message: 'leave out',
    statement: { ...sample, newBalance: undefined },
  },
  {
    title: 'a character the encoding lacks',
    message: 'no character €',
    statement: moved({ purpose: '€' }),
    options: { encoding: 'cp850' },
  },
  {
    title: 'a separate application with a balance',
    message: 'separate application',
    statement: { ...sample, header: { ...sample.header, separateApplication: '00001' } },
  },
];

function withNumber(number: string): StatementDraft {
  return { ...sample, account: { ...sample.account, number } };
}

test.each(refused)('CODA writer: $title is refused', ({ message, statement, options }) => {
  expect(() => writeCoda([statement], options)).toThrow(CodaWriteError);
  expect(() => writeCoda([statement], options)).toThrow(message);
});

test('CODA writer: a file without statements is refused', () => {
  expect(() => writeCoda([])).toThrow(CodaWriteError);
});

test('CODA record 2.1: each total and the last record of its group have the level', () => {
  const detail = (type: number, details: MovementDraft[] = []): MovementDraft => ({
    amount: 1000n,
    transactionCode: transferCode(type),
    details,
  });
  const nested = moved({
    transactionCode: transferCode(2),
    details: [detail(7, [detail(9), detail(9)]), detail(7, [detail(9)])],
  });
  const levels = text(writeCoda([nested], { lineEnd: '\n' }))
    .split('\n')
    .filter((line) => line.startsWith('21'))
    .map((line) => line[124]);
  expect(levels).toEqual(['1', '2', '0', '2', '2', '1']);
});
