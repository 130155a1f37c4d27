import type { DemoLanguage } from './counterparties.js';

/** What stands in statements and payroll files, in the language of the customer. */
export interface StatementTexts {
  readonly account: string;
  readonly invoice: string;
  readonly order: string;
  readonly wages: string;
  readonly fee: string;
  readonly costs: string;
  readonly vat: string;
  readonly toSavings: string;
  readonly fromOwner: string;
  readonly collection: string;
  readonly news: readonly string[];
  readonly departments: readonly [string, string];
  readonly gross: string;
  readonly bonus: string;
  readonly employerShare: string;
  readonly socialSecurity: string;
  readonly withheldTax: string;
  readonly netWages: string;
}

export const statementTexts: Readonly<Record<DemoLanguage, StatementTexts>> = {
  nl: {
    account: 'Zichtrekening onderneming',
    invoice: 'Factuur',
    order: 'Bestelling',
    wages: 'Lonen',
    fee: 'Beheerskosten',
    costs: 'Kosten',
    vat: 'BTW',
    toSavings: 'Naar spaarrekening',
    fromOwner: 'Inbreng zaakvoerder',
    collection: 'Domiciliëring',
    news: [
      'Onze kantoren zijn gesloten op wettelijke feestdagen.',
      'De tarievenlijst vindt u in uw kantoor.',
    ],
    departments: ['Atelier', 'Administratie'],
    gross: 'Brutolonen',
    bonus: 'Eindejaarspremie',
    employerShare: 'Patronale bijdragen',
    socialSecurity: 'RSZ',
    withheldTax: 'Bedrijfsvoorheffing',
    netWages: 'Nettolonen',
  },
  fr: {
    account: 'Compte à vue entreprise',
    invoice: 'Facture',
    order: 'Commande',
    wages: 'Salaires',
    fee: 'Frais de gestion',
    costs: 'Frais',
    vat: 'TVA',
    toSavings: "Vers le compte d'épargne",
    fromOwner: 'Apport du gérant',
    collection: 'Domiciliation',
    news: [
      'Nos agences sont fermées les jours fériés légaux.',
      'La liste des tarifs est disponible en agence.',
    ],
    departments: ['Atelier', 'Administration'],
    gross: 'Rémunérations brutes',
    bonus: "Prime de fin d'année",
    employerShare: 'Cotisations patronales',
    socialSecurity: 'ONSS',
    withheldTax: 'Précompte professionnel',
    netWages: 'Rémunérations nettes',
  },
  de: {
    account: 'Geschäftskonto',
    invoice: 'Rechnung',
    order: 'Bestellung',
    wages: 'Löhne',
    fee: 'Kontoführung',
    costs: 'Kosten',
    vat: 'MwSt.',
    toSavings: 'Auf das Sparkonto',
    fromOwner: 'Einlage des Inhabers',
    collection: 'Lastschrift',
    news: [
      'Unsere Filialen sind an gesetzlichen Feiertagen geschlossen.',
      'Die Preisliste liegt in Ihrer Filiale aus.',
    ],
    departments: ['Werkstatt', 'Verwaltung'],
    gross: 'Bruttolöhne',
    bonus: 'Jahresendprämie',
    employerShare: 'Arbeitgeberbeiträge',
    socialSecurity: 'LSS',
    withheldTax: 'Berufssteuervorabzug',
    netWages: 'Nettolöhne',
  },
};
