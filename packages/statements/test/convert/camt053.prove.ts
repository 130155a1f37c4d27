import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../../test/support/run-command.js';
import { givenText } from '../../src/coda/given-text.js';
import { writtenText } from '../../src/convert/communication-text.js';
import { partsOf } from '../../src/convert/entry-parts.js';
import { type Statement, writeCamt053 } from '../../src/index.js';
import { businessStatement } from '../pdf/business-statement.js';
import { code, day, free, movements, sampleStatement } from '../pdf/sample-statement.js';

/** A payment with its charges, which are on the other side. */
const charged = {
  ...{ ...day, amount: 799_200n, transactionCode: code(3, '41', '50') },
  communication: free('INVOICE 6318'),
  counterparty: { account: 'PL61109010140000071219812874', currency: 'EUR', name: 'EXAMPLE' },
  details: [800_200n, -1_000n].map((amount) => ({
    ...{ ...day, amount, transactionCode: code(8, '41', '50'), communication: free('') },
  })),
};

let folder: string;
let samples: readonly Statement[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adx-camt-'));
  const charges = await sampleStatement({ movements: [charged] });
  samples = [await sampleStatement({ movements }), await businessStatement(40), charges];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An amount in thousandths as these programs have them, in cents. */
const cents = (thousandths: bigint) => Math.round(Number(thousandths) / 10);

function balancesOf({ oldBalance, newBalance }: Statement): number[] {
  return [cents(oldBalance.amount), cents((newBalance ?? oldBalance).amount)];
}

/** The name of the counterparty of each entry that has no parts. */
function namesOf({ movements: all }: Statement): string[] {
  return all.map(({ details, counterparty }) =>
    details.length === 0 ? givenText(counterparty.name) : '',
  );
}

/** The texts that payers wrote, with single spaces. */
function textsOf({ movements: all }: Statement): string[][] {
  return all.map((movement) =>
    partsOf(movement).flatMap((part) =>
      part.sources.map(({ communication }) =>
        writtenText(communication).replace(/\s+/g, ' ').trim(),
      ),
    ),
  );
}

const reader = `
import { readFileSync } from 'node:fs';
import { CashManagementEndOfDayReport } from 'iso20022.js';
const [statement] = CashManagementEndOfDayReport.fromXML(readFileSync('02.xml', 'utf8')).statements;
const signed = ({ amount, creditDebitIndicator: side }) =>
  Math.round(side === 'debit' ? -amount : amount);
console.log(JSON.stringify({
  balances: statement.balances.map(signed),
  amounts: statement.entries.map(signed),
  texts: statement.entries.map(({ transactions }) => JSON.stringify(transactions)),
}));
`;

test('D-70 iso20022.js reads version 02 with the same balances, amounts and texts', async () => {
  const options = ['--no-save', '--no-audit', '--no-fund'];
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'read.js'), reader);
  await runCommand('npm', ['install', ...options, 'iso20022.js@0.0.15'], { cwd: folder });
  for (const statement of samples) {
    await writeFile(join(folder, '02.xml'), writeCamt053([statement], { version: '02' }));
    const read = JSON.parse(await runCommand('node', ['read.js'], { cwd: folder }));
    expect(read.balances).toEqual(balancesOf(statement));
    expect(read.amounts).toEqual(statement.movements.map(({ amount }) => cents(amount)));
    for (const [index, texts] of textsOf(statement).entries()) {
      for (const text of texts) expect(read.texts[index]).toContain(text);
    }
    for (const [index, name] of namesOf(statement).entries()) {
      expect(read.texts[index]).toContain(name);
    }
  }
});

test('D-70 aqbanking reads version 04 with the same balances, amounts and texts', async () => {
  const profile = ['--importer=xml', '--profile=camt_053_001_04'];
  for (const [index, statement] of samples.entries()) {
    await writeFile(join(folder, '04.xml'), writeCamt053([statement], { version: '04' }));
    const context = `${index}.ctx`;
    const files = ['--infile=04.xml', `--ctxfile=${context}`];
    const settings = { cwd: folder, env: { HOME: folder } };
    await runCommand('aqbanking-cli', ['-n', 'import', ...profile, ...files], settings);
    const read = await readFile(join(folder, context), 'utf8');
    const valuesOf = (name: string) =>
      [...read.matchAll(new RegExp(`char ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
        decodeURIComponent(value),
      );
    const amounts = valuesOf('value').map((value) => {
      const [, cent = '', parts = ''] = /^(-?\d+)\/(\d+):EUR$/.exec(value) ?? [];
      return Math.round((Number(cent) * 100) / Number(parts));
    });
    const expected = statement.movements.map(({ amount }) => cents(amount));
    expect(amounts).toEqual([...balancesOf(statement), ...expected]);
    const purposes = valuesOf('purpose');
    const names = namesOf(statement);
    for (const [entry, [text = '']] of textsOf(statement).entries()) {
      // It reads no transactions, and so no texts of those that are parts of an entry.
      if (statement.movements[entry]?.details.length !== 0) continue;
      const purpose = purposes[entry]?.replace(/\s/g, '');
      for (const each of [text, names[entry] ?? '']) {
        expect(purpose).toContain(each.replace(/\s/g, ''));
      }
    }
  }
});
