import { describe, expect, test } from 'vitest';
import { changed, codesOf, line, payrollFile, read, social } from './payroll-file.js';

describe('CODB: reading', () => {
  test('a booking is read completely', () => {
    const file = payrollFile();
    const { documents, findings, unknown, omittedFindings } = read(file);
    expect({ findings, unknown, omittedFindings }).toEqual({
      findings: [],
      unknown: [],
      omittedFindings: 0,
    });
    expect(documents).toEqual([
      {
        source: 'Groep S – Sociaal Secretariaat',
        version: '1.2',
        sequenceNumber: 7,
        generationDate: '2024-02-02',
        enterpriseNumber: '0403019261',
        enterpriseName: 'Söhne <NV>',
        accountPeriod: '202401',
        lines: [
          {
            socialPeriod: '202401',
            department: 'Atelier',
            account: '61800',
            label: 'Rémunérations brutes & primes',
            debit: 1_234_560n,
            credit: 0n,
          },
          {
            socialPeriod: '202401',
            department: 'Atelier',
            account: '4530',
            label: 'Rémunérations brutes & primes',
            debit: 0n,
            credit: 1_234_560n,
          },
        ],
        bytes: new TextEncoder().encode(file),
      },
    ]);
  });

  test('each Accounting of a line is a payroll line of the same month and department', () => {
    const amount = (debit: string, credit: string) =>
      `<Amount><Debit>${debit}</Debit><Credit>${credit}</Credit></Amount>`;
    const second = `<Accounting><Account>4540</Account><Label>RSZ</Label>${amount('10.00', '0.00')}</Accounting>`;
    const third = second
      .replace('4540', '4541')
      .replace(amount('10.00', '0.00'), amount('0.00', '10.00'));
    const file = changed('</Accounting>', `</Accounting>${second}${third}`);
    const { documents, findings } = read(file);
    expect(findings).toEqual([]);
    const lines = documents?.[0]?.lines ?? [];
    expect(lines.map(({ account, debit, credit }) => [account, debit, credit])).toEqual([
      ['61800', 1_234_560n, 0n],
      ['4540', 10_000n, 0n],
      ['4541', 0n, 10_000n],
      ['4530', 0n, 1_234_560n],
    ]);
    expect(new Set(lines.map((each) => `${each.socialPeriod} ${each.department}`)).size).toBe(1);
    // An error in one of them names it.
    const wrong = read(file.replace('<Debit>10.00', '<Debit>10,00'));
    expect(wrong.findings).toMatchObject([{ code: 'amount', field: 'Debit', found: '10,00' }]);
    const missing = read(file.replace('<Account>4541</Account>', ''));
    expect(missing.findings).toMatchObject([
      { field: 'Social/Transactions/TransactionLine[1]/Accounting[3]/Account' },
    ]);
  });

  test.each([
    ['0', 0],
    ['1234567890123', 1_234_567_890_123],
    ['9007199254740991', 9_007_199_254_740_991],
    ['00000000000000000007', 7],
    ['+8805214', 8_805_214],
  ])('SeqNumber %s', (written, number) => {
    expect(read(changed('>7<', `>${written}<`)).documents?.[0]?.sequenceNumber).toBe(number);
  });

  test.each(['9007199254740992', '99999999999999999999', '-1', '7.0', '+', '++7', '+-7'])(
    'no SeqNumber: %s',
    (text) => {
      expect(codesOf(read(changed('>7<', `>${text}<`)))).toEqual(['sequenceNumber']);
    },
  );

  test.each([
    ['another root', payrollFile().replaceAll('SocialDocument', 'Payroll')],
    ['a default namespace', changed('<SocialDocument ', '<SocialDocument xmlns="urn:soda" ')],
    [
      'a prefix',
      payrollFile()
        .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1s:')
        .replace('xmlns:xsi', 'xmlns:s="urn:soda" xmlns:xsi'),
    ],
    ['comments and CDATA', changed('>61800<', '><!-- x -->61<![CDATA[80]]>0<')],
    ['character references', changed('>61800<', '>&#54;&#x31;800<')],
    ['CRLF', payrollFile().replaceAll('\n', '\r\n')],
    ['no declaration', changed(/^<\?xml.*\n/, '')],
    ['version 0.1', changed('>1.2<', '>0.1<')],
    ['processing instructions', changed('<Version', '<?print now?><Version')],
  ])('%s does not change the result', (_, file) => {
    const { documents, findings } = read(file);
    expect(findings).toEqual([]);
    expect(documents?.[0]?.lines[0]).toMatchObject({ account: '61800', debit: 1_234_560n });
  });

  test('without GenDate, the date is the last day of the account period', () => {
    const reading = read(
      changed(/<GenDate>.*<\/GenDate>/, '').replace('AccountPeriod>202401', 'AccountPeriod>202402'),
    );
    expect(reading.documents?.[0]?.generationDate).toBe('2024-02-29');
  });

  test('numbers may begin anew in each account period', () => {
    const december = social(1).replace('<AccountPeriod>202401', '<AccountPeriod>202312');
    const { documents, findings } = read(payrollFile(december, social(1)));
    expect(findings).toEqual([]);
    expect(documents?.map(({ accountPeriod }) => accountPeriod)).toEqual(['202312', '202401']);
  });

  test('a line may have no department', () => {
    const { documents, findings } = read(changed(/<Department>.*<\/Department>/, ''));
    expect(findings).toEqual([]);
    expect(documents?.[0]?.lines[0]?.department).toBeUndefined();
  });

  test('amounts are exact, unlike floating point', () => {
    const lines = [
      ...Array.from({ length: 10 }, () => line('61800', '0.10', '0.00')),
      line('4530', '0.00', '1.00'),
      line('61800', '999999999999.99', '0.00'),
      line('4530', '0.00', '999999999999.99'),
    ];
    const file = changed(
      /<Transactions>[\s\S]*<\/Transactions>/,
      `<Transactions>${lines.join('')}</Transactions>`,
    );
    expect(codesOf(read(file))).toEqual([]);
  });

  test('unknown content is kept, with one warning per kind', () => {
    const note = '<Note lang="fr">à <b>voir</b></Note></TransactionLine>';
    const { documents, unknown, findings } = read(
      payrollFile().replaceAll('</TransactionLine>', note),
    );
    expect(documents).toHaveLength(1);
    const path = 'Social/Transactions/TransactionLine';
    expect(unknown).toEqual(
      [1, 2].flatMap((index) => [
        { path: `${path}[${index}]/Note`, text: 'à' },
        { path: `${path}[${index}]/Note/@lang`, text: 'fr' },
        { path: `${path}[${index}]/Note/b`, text: 'voir' },
      ]),
    );
    expect(findings.map(({ code, record }) => ({ code, record }))).toEqual([
      { code: 'unknownElement', record: 19 },
    ]);
  });

  test('further findings are counted, not listed', () => {
    const lines = Array.from({ length: 250 }, () => line('61800', 'x', '0.00')).join('');
    const { findings, omittedFindings, documents } = read(
      changed('<Transactions>', `<Transactions>${lines}`),
    );
    expect([findings.length, omittedFindings, documents]).toEqual([100, 150, undefined]);
  });

  test('a file with an error in one booking is refused as a whole', () => {
    const { documents } = read(payrollFile(social(1), social(2, 'BE0477472702')));
    expect(documents).toBeUndefined();
  });
});
