import type { Severity } from '../finding.js';
import type { FindingLanguage } from '../finding-language.js';

/** The words of reports for people. */
interface ReportWords {
  readonly accepted: string;
  readonly refused: string;
  readonly nothingReadable: string;
  readonly statement: string;
  readonly payroll: string;
  readonly severities: Readonly<Record<Severity, string>>;
  readonly inLine: string;
  readonly position: string;
  readonly colon: string;
  readonly omitted: (count: number) => string;
  readonly oldBalance: string;
  readonly newBalance: string;
  readonly total: string;
}

export const reportWords: Readonly<Record<FindingLanguage, ReportWords>> = {
  en: {
    accepted: 'accepted',
    refused: 'refused',
    nothingReadable: 'nothing readable',
    statement: 'statement',
    payroll: 'payroll',
    severities: { error: 'error', warning: 'warning' },
    inLine: 'in line',
    position: 'position',
    colon: ': ',
    omitted: (count) => `and ${count} more`,
    oldBalance: 'old balance',
    newBalance: 'new balance',
    total: 'total',
  },
  fr: {
    accepted: 'accepté',
    refused: 'rejeté',
    nothingReadable: 'rien de lisible',
    statement: 'extrait',
    payroll: 'journal de paie',
    severities: { error: 'erreur', warning: 'avertissement' },
    inLine: 'à la ligne',
    position: 'position',
    colon: '\u00A0: ',
    omitted: (count) => `et ${count} autres`,
    oldBalance: 'solde précédent',
    newBalance: 'nouveau solde',
    total: 'total',
  },
  nl: {
    accepted: 'aanvaard',
    refused: 'geweigerd',
    nothingReadable: 'niets leesbaars',
    statement: 'afschrift',
    payroll: 'loonjournaal',
    severities: { error: 'fout', warning: 'waarschuwing' },
    inLine: 'in regel',
    position: 'positie',
    colon: ': ',
    omitted: (count) => `en nog ${count}`,
    oldBalance: 'vorig saldo',
    newBalance: 'nieuw saldo',
    total: 'totaal',
  },
  de: {
    accepted: 'angenommen',
    refused: 'abgelehnt',
    nothingReadable: 'nichts Lesbares',
    statement: 'Kontoauszug',
    payroll: 'Lohnjournal',
    severities: { error: 'Fehler', warning: 'Warnung' },
    inLine: 'in Zeile',
    position: 'Stelle',
    colon: ': ',
    omitted: (count) => `und ${count} weitere`,
    oldBalance: 'alter Saldo',
    newBalance: 'neuer Saldo',
    total: 'Summe',
  },
};
