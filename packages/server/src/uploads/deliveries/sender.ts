import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import type { Document } from '../../files/document.js';
import { parseBic } from '../../identifiers/bic.js';
import { finding, type UploadFinding } from '../documents/finding.js';
import { type ParsedFile, readDocuments, unreadableFile } from '../documents/read-documents.js';

/** The bank or payroll provider that delivers a file, with what it may deliver (D-66). */
export type Sender = Bank | PayrollProvider;

interface Bank {
  readonly kind: 'bank';
  readonly code: string;
  /** All its BICs: some banks have several. */
  readonly bics: ReadonlySet<string>;
  /** The BICs of all other banks. */
  readonly otherBics: ReadonlySet<string>;
  /** The national bank codes of the accounts that it keeps. */
  readonly bankCodes: ReadonlySet<string>;
}

interface PayrollProvider {
  readonly kind: 'payrollProvider';
  readonly code: string;
  readonly providers: readonly NamedProvider[];
}

interface NamedProvider {
  readonly code: string;
  readonly names: readonly string[];
}

const senders: Readonly<Record<Product, Sender['kind']>> = {
  CODA: 'bank',
  CODB: 'payrollProvider',
};

/** Returns the bank with a BIC, or the payroll provider with a code, as people write them. */
export async function findSender(knex: Knex, text: string): Promise<Sender | undefined> {
  const written = text.replaceAll(/\s/g, '');
  return (
    (await findProvider(knex, written.toLowerCase())) ??
    (await findBank(knex, parseBic(written.toUpperCase())))
  );
}

async function findProvider(knex: Knex, code: string): Promise<PayrollProvider | undefined> {
  const providers = await findProviders(knex);
  const isKnown = providers.some((provider) => provider.code === code);
  return isKnown ? { kind: 'payrollProvider', code, providers } : undefined;
}

export async function findProviders(knex: Knex): Promise<NamedProvider[]> {
  const rows = await knex('payroll_providers').where({ supported: true }).orderBy('code');
  return rows.map(({ code, name_fr, name_nl }) => ({ code, names: [name_fr, name_nl] }));
}

/** Finds a bank with all that the list of bank codes has under its BIC or its name. */
async function findBank(knex: Knex, code: string | undefined): Promise<Bank | undefined> {
  type Row = { bic: string | null; isSender: boolean; codes: string[] };
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select b.bic, b.bic is not distinct from :code
                or b.name in (select name from banks where bic = :code) as "isSender",
            array(select c.code from bank_codes c where c.bank_id = b.id) as codes
       from banks b`,
    { code: code ?? '' },
  );
  const own = rows.filter(({ isSender }) => isSender);
  const bics = new Set(own.flatMap(({ bic }) => bic ?? []));
  if (code === undefined || !bics.has(code)) return undefined;
  return {
    ...{ kind: 'bank', code, bics },
    otherBics: new Set(rows.flatMap(({ bic }) => (bic === null || bics.has(bic) ? [] : bic))),
    bankCodes: new Set(own.flatMap(({ codes }) => codes)),
  };
}

export async function readDelivery(
  sender: Sender,
  product: Product,
  bytes: Uint8Array,
): Promise<ParsedFile> {
  if (sender.kind !== senders[product]) return unreadableFile('otherProduct', product);
  const file = await readDocuments(product, bytes);
  const refusals = file.documents.map((document) => refusalOf(sender, document));
  return {
    ...file,
    documents: file.documents.filter((_, index) => refusals[index] === undefined),
    findings: [...file.findings, ...refusals.flatMap((refusal) => refusal ?? [])],
  };
}

export function refusalOf(sender: Sender, document: Document): UploadFinding | undefined {
  const { subject, label, record } = document;
  if (sender.kind === 'bank') {
    if (!('iban' in subject) || !keeps(sender, subject.iban)) {
      return finding('accountOfAnotherBank', label, record);
    }
    return isBicOf(sender, subject.bic)
      ? undefined
      : finding('namesAnotherSender', subject.bic, record);
  }
  if ('iban' in subject) return finding('otherProduct', label, record);
  const named = providersNamed(subject.source, sender.providers);
  const isOfSender = named.length === 0 || named.includes(sender.code);
  return isOfSender ? undefined : finding('namesAnotherSender', subject.source, record);
}

/** Returns true for an account of the bank. Only the bank codes of Belgian accounts are known. */
function keeps({ bankCodes }: Bank, iban: string): boolean {
  return iban.startsWith('BE') && bankCodes.has(iban.slice(4, 7));
}

/** Returns true also for a branch that is not another bank of the list, and for no BIC. */
function isBicOf({ bics, otherBics }: Bank, written: string): boolean {
  const compact = written.replaceAll(/\s/g, '').toUpperCase();
  const bic = parseBic(compact) ?? compact;
  if (bic === '' || bics.has(bic)) return true;
  return !otherBics.has(bic) && [...bics].some((own) => own.slice(0, 8) === bic.slice(0, 8));
}

/**
 * Returns the codes of the providers that the source of a payroll file may mean. Providers spell
 * their names differently (`SD Worx`, `SD WORX vzw`).
 */
function providersNamed(source: string, providers: readonly NamedProvider[]): string[] {
  const written = normalize(source);
  const isNamed = ({ code, names }: NamedProvider) =>
    written.includes(code) ||
    (written.length > 3 && names.some((name) => normalize(name).startsWith(written)));
  return providers.filter(isNamed).map(({ code }) => code);
}

function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
