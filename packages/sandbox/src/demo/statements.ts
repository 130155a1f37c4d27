import { hash } from 'node:crypto';
import {
  type MovementDraft,
  type PayrollBooking,
  type StatementDraft,
  writeCoda,
  writeCodb,
} from '@adx/statements';
import type { DemoCustomer } from './firms.js';

/** The first day of every account: it has its opening balance, and no statement yet. */
const firstDay = '2026-01-01';

/** A kind of movement: its frequency, amount, counterparty and text. */
interface Template {
  /** Occurrences per 100 banking days. */
  readonly frequency: number;
  /** Smallest and largest amount in euros; negative for a debit. */
  readonly euros: readonly [number, number];
  /** Family and operation of the transaction code. */
  readonly code: readonly [string, string];
  readonly counterparty: string;
  readonly text: string;
}

type Language = DemoCustomer['contact']['language'];

const template = (
  frequency: number,
  euros: readonly [number, number],
  code: readonly [string, string],
  counterparty: string,
  text: string,
): Template => ({ frequency, euros, code, counterparty, text });

/** The counterparties are made up. The amounts keep the balance of an account above zero. */
const templates: Readonly<Record<Language, readonly Template[]>> = {
  nl: [
    template(70, [240, 2_900], ['01', '50'], 'Bouwbedrijf Steenvoorde', 'Factuur'),
    template(45, [60, 950], ['01', '50'], 'Familie Winderickx', 'Factuur'),
    template(80, [180, 1_400], ['04', '50'], 'Kaartbetalingen', 'Ontvangsten van de dag'),
    template(50, [-1_900, -120], ['01', '01'], 'Groothandel De Korenmolen', 'Bestelling'),
    template(30, [-95, -25], ['04', '02'], 'Tankstation Ringweg', 'Kaartbetaling'),
    template(5, [-190, -45], ['05', '01'], 'Telecom Noordzee', 'Domiciliëring'),
    template(5, [-1_250, -800], ['01', '03'], 'Immo Kasteelplein', 'Huur'),
    template(2, [-14, -6], ['35', '37'], 'Bank', 'Beheerskosten'),
  ],
  fr: [
    template(70, [240, 2_900], ['01', '50'], 'Entreprise Vallonnet', 'Facture'),
    template(45, [60, 950], ['01', '50'], 'Famille Delcroixelle', 'Facture'),
    template(80, [180, 1_400], ['04', '50'], 'Paiements par carte', 'Recettes du jour'),
    template(50, [-1_900, -120], ['01', '01'], 'Grossiste du Haut-Pré', 'Commande'),
    template(30, [-95, -25], ['04', '02'], 'Station du Rond-Point', 'Paiement par carte'),
    template(5, [-190, -45], ['05', '01'], 'Télécom Ardennaise', 'Domiciliation'),
    template(5, [-1_250, -800], ['01', '03'], 'Immo Place Verte', 'Loyer'),
    template(2, [-14, -6], ['35', '37'], 'Banque', 'Frais de gestion'),
  ],
  de: [
    template(70, [240, 2_900], ['01', '50'], 'Bauhof Hertogenwald', 'Rechnung'),
    template(45, [60, 950], ['01', '50'], 'Familie Kronenburg', 'Rechnung'),
    template(80, [180, 1_400], ['04', '50'], 'Kartenzahlungen', 'Tageseinnahmen'),
    template(50, [-1_900, -120], ['01', '01'], 'Großhandel Talmühle', 'Bestellung'),
    template(30, [-95, -25], ['04', '02'], 'Tankstelle Umgehung', 'Kartenzahlung'),
    template(5, [-190, -45], ['05', '01'], 'Telekom Ostkanton', 'Lastschrift'),
    template(5, [-1_250, -800], ['01', '03'], 'Immo Rathausplatz', 'Miete'),
    template(2, [-14, -6], ['35', '37'], 'Bank', 'Kontoführung'),
  ],
};

/** Returns the banking days (Monday to Friday) after a day and up to another, `YYYY-MM-DD`. */
export function bankingDays(after: string, upTo: string): string[] {
  const days: string[] = [];
  for (let day = daysBefore(after, -1); day <= upTo; day = daysBefore(day, -1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days.push(day);
  }
  return days;
}

/** Returns the day (`YYYY-MM-DD`) that is a number of days before another. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the months before the month of a day, `YYYYMM`, the earliest first. */
export function monthsBefore(day: string, count: number): string[] {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return Array.from(
    { length: count },
    (_, i) => new Date(Date.UTC(year, month - 1 - count + i, 1)),
  ).map((first) => first.toISOString().slice(0, 7).replace('-', ''));
}

/**
 * Writes the statements after a day and up to another as one CODA file; undefined if there are
 * none.
 */
export function codaFile(
  customer: DemoCustomer,
  iban: string,
  bic: string,
  { after, upTo }: { readonly after: string; readonly upTo: string },
): Uint8Array | undefined {
  const statements: StatementDraft[] = [];
  let balance = BigInt(8_000 + pick(iban, 'opening', 20_000)) * 1000n;
  let number = 0;
  let previousDay = firstDay;
  for (const day of bankingDays(firstDay, upTo)) {
    number = day.slice(0, 4) === previousDay.slice(0, 4) ? number + 1 : 1;
    const movements = movementsOf(customer, iban, day);
    if (day > after) {
      statements.push({
        header: { creationDate: day, bic, addressee: customer.name.slice(0, 26) },
        account: {
          structure: 2,
          number: iban,
          currency: 'EUR',
          holder: customer.name.slice(0, 26),
        },
        statementNumber: number,
        oldBalance: { amount: balance, date: previousDay },
        newBalance: { date: day },
        movements,
      });
    }
    balance += movements.reduce((sum, { amount }) => sum + amount, 0n);
    previousDay = day;
  }
  return statements.length === 0 ? undefined : writeCoda(statements);
}

function movementsOf(customer: DemoCustomer, iban: string, day: string): MovementDraft[] {
  return templates[customer.contact.language].flatMap((each, index) => {
    const { frequency, euros, code, counterparty, text } = each;
    const seed = `${day} ${index}`;
    if (pick(iban, `${seed} occurs`, 100) >= frequency) return [];
    const [least, most] = euros;
    const cents = least * 100 + pick(iban, `${seed} amount`, (most - least) * 100);
    const invoice = pick(iban, `${seed} number`, 899) + 1;
    return {
      amount: BigInt(cents) * 10n,
      valueDate: day,
      entryDate: day,
      transactionCode: { type: 0, family: code[0], operation: code[1], category: '000' },
      counterparty: { name: counterparty, currency: 'EUR' },
      communication: { kind: 'free', text: `${text} ${day.slice(0, 4)}/${invoice}` },
    };
  });
}

/** Writes the payroll of a month, `YYYYMM`, as a CODB file of a payroll provider. */
export function codbFile(customer: DemoCustomer, source: string, period: string): Uint8Array {
  const number = customer.enterpriseNumber.replaceAll('.', '');
  const gross = BigInt(4_000 + pick(number, period, 30_000)) * 1000n;
  const employer = (gross * 27n) / 100n;
  const socialSecurity = (gross * 13n) / 100n;
  const tax = (gross * 22n) / 100n;
  const labels = payrollLabels[customer.contact.language];
  const line = (account: string, label: string, debit: bigint, credit: bigint) => ({
    socialPeriod: period,
    department: undefined,
    account,
    label,
    debit,
    credit,
  });
  const [year, month] = [period.slice(0, 4), period.slice(4)];
  const booking: PayrollBooking = {
    source,
    version: '1.2',
    enterpriseNumber: number,
    enterpriseName: customer.name,
    sequenceNumber: (Number(year) - 2020) * 12 + Number(month),
    generationDate: new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10),
    accountPeriod: period,
    lines: [
      line('620200', labels[0], gross, 0n),
      line('621000', labels[1], employer, 0n),
      line('453000', labels[2], 0n, tax),
      line('454000', labels[3], 0n, socialSecurity + employer),
      line('455000', labels[4], 0n, gross - tax - socialSecurity),
    ],
  };
  return writeCodb([booking]);
}

const payrollLabels: Readonly<Record<Language, readonly [string, string, string, string, string]>> =
  {
    nl: ['Brutolonen', 'Patronale bijdragen', 'Bedrijfsvoorheffing', 'RSZ', 'Nettolonen'],
    fr: [
      'Salaires bruts',
      'Cotisations patronales',
      'Précompte professionnel',
      'ONSS',
      'Salaires nets',
    ],
    de: ['Bruttolöhne', 'Arbeitgeberbeiträge', 'Berufssteuervorabzug', 'LSS', 'Nettolöhne'],
  };

/** Returns a number below a limit, always the same for the same texts: files are reproducible. */
function pick(source: string, purpose: string, limit: number): number {
  return Number.parseInt(hash('sha256', `${source}\0${purpose}`).slice(0, 8), 16) % limit;
}
