import { type CodbReading, readCodb } from '../../src/codb/read-codb.js';

export const line = (account: string, debit: string, credit: string): string => `
      <TransactionLine>
        <SocialPeriod>202401</SocialPeriod>
        <Department>Atelier</Department>
        <Accounting>
          <Account>${account}</Account>
          <Label>Rémunérations brutes &amp; primes</Label>
          <Amount><Debit>${debit}</Debit><Credit>${credit}</Credit></Amount>
        </Accounting>
      </TransactionLine>`;

export const social = (number = 7, entNum = 'BE0403019261'): string => `<Social>
    <SeqNumber>${number}</SeqNumber>
    <GenDate>2024-02-02</GenDate>
    <Enterprise><EntNum>${entNum}</EntNum><EntLabel>Söhne &lt;NV&gt;</EntLabel></Enterprise>
    <AccountPeriod>202401</AccountPeriod>
    <Transactions>${line('61800', '1234.56', '0.00')}${line('4530', '0.00', '1234.56')}
    </Transactions>
  </Social>`;

/** A file without findings: one booking with two lines. */
export const payrollFile = (...socials: string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<SocialDocument xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="codb.xsd">
  <Source>Groep S – Sociaal Secretariaat</Source>
  <Version>1.2</Version>
  ${(socials.length > 0 ? socials : [social()]).join('\n  ')}
</SocialDocument>
`;

export function read(text: string): CodbReading {
  return readCodb(new TextEncoder().encode(text));
}

export function codesOf({ findings }: CodbReading): string[] {
  return findings.map(({ code }) => code);
}

/** Returns the file with one text replaced. Fails if the file does not contain it. */
export function changed(from: string | RegExp, to: string, file = payrollFile()): string {
  const text = file.replace(from, to);
  if (text === file) throw new Error(`The file does not contain ${from}`);
  return text;
}
