import { counterparties, type DemoCounterparty, type DemoLanguage } from './counterparties.js';
import { amount, seededRandom, whole } from './random.js';

/** A business as its payroll provider knows it. */
export interface Employer {
  /** Ten digits. */
  readonly enterpriseNumber: string;
  /** The code of the payroll provider. */
  readonly provider: string;
  readonly language: DemoLanguage;
}

/** What somebody earned in a month, in thousandths; net is what is left of gross. */
export interface Payslip {
  readonly person: DemoCounterparty;
  /** 0 or 1: where the person works. */
  readonly department: number;
  readonly gross: bigint;
  readonly bonus: bigint;
  /** Withheld for social security. */
  readonly socialSecurity: bigint;
  readonly withheldTax: bigint;
  readonly net: bigint;
  /** What the employer owes for social security, above gross. */
  readonly employerShare: bigint;
}

/** The payslips of a month, `YYYYMM`: people stay, what they earn moves a little. */
export function payslipsOf(employer: Employer, period: string): Payslip[] {
  const { enterpriseNumber, provider, language } = employer;
  const seed = `${enterpriseNumber} ${provider}`;
  const people = seededRandom(`${seed} people`);
  const month = seededRandom(`${seed} ${period}`);
  const { persons } = counterparties[language];
  const first = whole(people, 0, persons.length - 1);
  return Array.from({ length: whole(people, 2, 6) }, (_, index) => {
    const salary = amount(people, 2_200, 4_100);
    const gross = salary + amount(month, 0, 180);
    const bonus = period.endsWith('12') ? inCents((salary * 85n) / 100n) : 0n;
    const socialSecurity = share(gross + bonus, 1307n);
    const withheldTax = share(gross + bonus - socialSecurity, BigInt(whole(people, 1400, 2600)));
    return {
      person: persons[(first + index) % persons.length] ?? persons[0],
      department: index % 3 === 2 ? 1 : 0,
      ...{ gross, bonus, socialSecurity, withheldTax },
      net: gross + bonus - socialSecurity - withheldTax,
      employerShare: share(gross + bonus, 2507n),
    };
  });
}

/** So many hundredths of a percent of an amount. */
function share(of: bigint, hundredths: bigint): bigint {
  return inCents((of * hundredths) / 10_000n);
}

function inCents(thousandths: bigint): bigint {
  return (thousandths / 10n) * 10n;
}
