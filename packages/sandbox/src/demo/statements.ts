import { hash } from 'node:crypto';
import { type MovementDraft, type StatementDraft, writeCoda, writeCodb } from '@adx/statements';
import type { DemoCustomer } from './firms.js';

/** The first day of every account: it has its opening balance, and no statement yet. */
const firstDay = '2026-01-01';

/**
 * The kinds of movements: occurrences per 100 banking days, smallest and largest amount in euros,
 * family and operation of the transaction code, and made-up counterparty and text in each language.
 * The amounts keep the balance of an account above zero.
 */
const templates = `
70 | 240 2900 | 01 50 | Bouwbedrijf Steenvoorde: Factuur | Entreprise Vallonnet: Facture | Bauhof Hertogenwald: Rechnung
45 | 60 950 | 01 50 | Familie Winderickx: Factuur | Famille Delcroixelle: Facture | Familie Kronenburg: Rechnung
80 | 180 1400 | 04 50 | Kaartbetalingen: Ontvangsten van de dag | Paiements par carte: Recettes du jour | Kartenzahlungen: Tageseinnahmen
50 | -1900 -120 | 01 01 | Groothandel De Korenmolen: Bestelling | Grossiste du Haut-Pré: Commande | Großhandel Talmühle: Bestellung
30 | -95 -25 | 04 02 | Tankstation Ringweg: Kaartbetaling | Station du Rond-Point: Paiement par carte | Tankstelle Umgehung: Kartenzahlung
5 | -190 -45 | 05 01 | Telecom Noordzee: Domiciliëring | Télécom Ardennaise: Domiciliation | Telekom Ostkanton: Lastschrift
5 | -1250 -800 | 01 03 | Immo Kasteelplein: Huur | Immo Place Verte: Loyer | Immo Rathausplatz: Miete
2 | -14 -6 | 35 37 | Bank: Beheerskosten | Banque: Frais de gestion | Bank: Kontoführung`
  .trim()
  .split('\n')
  .map((line) => {
    const [frequency = '', euros = '', code = '', nl = '', fr = '', de = ''] = line.split(' | ');
    const [least = 0, most = 0] = euros.split(' ').map(Number);
    const [family = '', operation = ''] = code.split(' ');
    return { frequency: Number(frequency), least, most, family, operation, nl, fr, de };
  });

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

/** Writes the statements after a day and up to another; undefined if there are none. */
export function codaFile(
  customer: DemoCustomer,
  iban: string,
  bic: string,
  { after, upTo }: { readonly after: string; readonly upTo: string },
): Uint8Array | undefined {
  const holder = customer.name.slice(0, 26);
  const statements: StatementDraft[] = [];
  let balance = BigInt(8_000 + pick(iban, 'opening', 20_000)) * 1000n;
  let number = 0;
  let previousDay = firstDay;
  for (const day of bankingDays(firstDay, upTo)) {
    number = day.slice(0, 4) === previousDay.slice(0, 4) ? number + 1 : 1;
    const movements = movementsOf(customer, iban, day);
    if (day > after) {
      statements.push({
        header: { creationDate: day, bic, addressee: holder },
        account: { structure: 2, number: iban, currency: 'EUR', holder },
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
  return templates.flatMap((each, index) => {
    const { frequency, least, most, family, operation } = each;
    const seed = `${day} ${index}`;
    if (pick(iban, `${seed} occurs`, 100) >= frequency) return [];
    const cents = least * 100 + pick(iban, `${seed} amount`, (most - least) * 100);
    const invoice = pick(iban, `${seed} number`, 899) + 1;
    const [name = '', text = ''] = each[customer.contact.language].split(': ');
    return {
      amount: BigInt(cents) * 10n,
      valueDate: day,
      entryDate: day,
      transactionCode: { type: 0, family, operation, category: '000' },
      counterparty: { name, currency: 'EUR' },
      communication: { kind: 'free', text: `${text} ${day.slice(0, 4)}/${invoice}` },
    };
  });
}

export interface PayrollPlace {
  readonly enterpriseNumber: string;
  readonly customerName: string;
  /** The name of the payroll provider. */
  readonly source: string;
  /** `YYYYMM`. */
  readonly period: string;
}

type PayrollLine = readonly [account: string, label: string, debit: bigint, credit: bigint];

export function payrollFile(place: PayrollPlace, lines: readonly PayrollLine[]): Uint8Array {
  const { enterpriseNumber, customerName, source, period } = place;
  const [year, month] = [Number(period.slice(0, 4)), Number(period.slice(4))];
  return writeCodb([
    {
      source,
      version: '1.2',
      enterpriseNumber: enterpriseNumber.replaceAll('.', ''),
      enterpriseName: customerName,
      sequenceNumber: (year - 2020) * 12 + month,
      generationDate: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10),
      accountPeriod: period,
      lines: lines.map(([account, label, debit, credit]) => ({
        ...{ socialPeriod: period, department: undefined, account, label, debit, credit },
      })),
    },
  ]);
}

/** @param period - `YYYYMM` */
export function codbFile(customer: DemoCustomer, source: string, period: string): Uint8Array {
  const { enterpriseNumber, name: customerName, contact } = customer;
  const wages = 4_000 + pick(enterpriseNumber.replaceAll('.', ''), period, 30_000);
  const gross = BigInt(wages) * 1000n;
  const employer = (gross * 27n) / 100n;
  const socialSecurity = (gross * 13n) / 100n;
  const tax = (gross * 22n) / 100n;
  const lines = [
    ['620200', gross, 0n],
    ['621000', employer, 0n],
    ['453000', 0n, tax],
    ['454000', 0n, socialSecurity + employer],
    ['455000', 0n, gross - tax - socialSecurity],
  ] as const;
  const labels = payrollLabels[contact.language].split(', ');
  return payrollFile(
    { enterpriseNumber, customerName, source, period },
    lines.map(([account, debit, credit], i) => [account, labels[i] ?? '', debit, credit]),
  );
}

const payrollLabels = {
  nl: 'Brutolonen, Patronale bijdragen, Bedrijfsvoorheffing, RSZ, Nettolonen',
  fr: 'Salaires bruts, Cotisations patronales, Précompte professionnel, ONSS, Salaires nets',
  de: 'Bruttolöhne, Arbeitgeberbeiträge, Berufssteuervorabzug, LSS, Nettolöhne',
};

/** Returns a number below a limit, always the same for the same texts: files are reproducible. */
function pick(source: string, purpose: string, limit: number): number {
  return Number.parseInt(hash('sha256', `${source}\0${purpose}`).slice(0, 8), 16) % limit;
}
