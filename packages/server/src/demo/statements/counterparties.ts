import { madeUpIban } from './check-digits.js';

/** Languages that the customers of the demo speak. */
export type DemoLanguage = 'nl' | 'fr' | 'de';

/** Somebody with an account who is on no register: every name is made up. */
export interface DemoCounterparty {
  readonly name: string;
  readonly account: string;
  readonly bic: string;
  readonly street: string;
  readonly locality: string;
}

/** Whom a business in the demo pays, and who pays it. */
export interface Counterparties {
  readonly clients: readonly [DemoCounterparty, ...DemoCounterparty[]];
  readonly persons: readonly [DemoCounterparty, ...DemoCounterparty[]];
  readonly suppliers: readonly [DemoCounterparty, ...DemoCounterparty[]];
  /** Energy, telephone and insurance: they collect by themselves. */
  readonly creditors: readonly [DemoCounterparty, DemoCounterparty, DemoCounterparty];
  readonly taxOffice: DemoCounterparty;
}

const banks = [
  ['001', 'GEBABEBB'],
  ['068', 'GKCCBEBB'],
  ['103', 'NICABEBB'],
  ['363', 'BBRUBEBB'],
  ['409', 'KREDBEBB'],
  ['523', 'TRIOBEBB'],
  ['734', 'KREDBEBB'],
  ['973', 'ARSPBE22'],
] as const;

let accounts = 0;

/** The next account that nobody has: a bank, and a number below 100. */
function counterparty(name: string, street: string, locality: string): DemoCounterparty {
  const [code, bic] = banks[accounts % banks.length] ?? banks[0];
  const account = madeUpIban(code, Math.floor(accounts / banks.length) + 1);
  accounts += 1;
  const number = 1 + ((accounts * 7) % 90);
  return { name, account, bic, street: `${street} ${number}`, locality };
}

/** The same street and place for a list of names. */
const at =
  (street: string, locality: string) =>
  (first: string, ...others: string[]): [DemoCounterparty, ...DemoCounterparty[]] => [
    counterparty(first, street, locality),
    ...others.map((name) => counterparty(name, street, locality)),
  ];

/** The counterparties of each language. */
export const counterparties: Readonly<Record<DemoLanguage, Counterparties>> = {
  nl: {
    clients: at('Klaverstraat', '9991 Vlierdonk')(
      'Immo Torenzicht',
      'Hotel De Blauwe Reiger',
      'Basisschool Klavertjesveld',
      'Studio Wolkenloos',
      'Bouwwerken Hardsteenhoek',
      'Camping Duinpanne',
    ),
    persons: at('Rietveldlaan', '9992 Lindeveer')(
      ...(['Lotte Zomerdael', 'Bram Wolvenhout', 'Emma Kersenrode', 'Wout Avermoere'] as const),
      ...['Fien Rietbosch', 'Arne Lindeveer', 'Nele Sterrebeemd', 'Kobe Zilverschoon'],
      ...['Marthe Duivenhof', 'Jasper Korenbeek'],
    ),
    suppliers: at('Nijverheidskaai', '9993 Molendam')(
      'Groothandel Meelbrug',
      'Verpakkingen Duinroos',
      'Drankencentrale Hopdal',
      'Technieken Staalvink',
      'Kantoorwinkel De Inktpot',
      'Schoonmaak Zeepbel',
    ),
    creditors: [
      counterparty('Energie Windmolenhoek', 'Molenberg', '9994 Windhoek'),
      counterparty('Telecom Klaverlijn', 'Antennelaan', '9994 Windhoek'),
      counterparty('Verzekeringen De Schildpad', 'Wallenstraat', '9995 Burchtem'),
    ],
    taxOffice: counterparty('Inning btw', 'Rekenplein', '9996 Tellingen'),
  },
  fr: {
    clients: at('Rue du Trèfle', '9981 Sureaumont')(
      'Immo Belle-Tourelle',
      'Hôtel du Héron Bleu',
      "École du Pré d'Alouettes",
      'Studio Sans-Nuage',
      'Bâtiments Pierredure',
      'Camping Dunes-Fleuries',
    ),
    persons: at('Avenue des Roseaux', '9982 Tilleul-le-Gué')(
      ...(['Zoé Valdorge', 'Hugo Boisloup', 'Manon Cerisaie', 'Louis Hautpré'] as const),
      ...['Clara Belétoile', 'Nathan Moulinclos', 'Alice Grandchêne', 'Simon Clairval'],
      ...['Juliette Pigeonnier', 'Maxime Ruisseaublé'],
    ),
    suppliers: at('Quai des Industries', '9983 Moulinval')(
      'Grossiste Farinelle',
      'Emballages Rose des Dunes',
      "Boissons Val d'Orgemont",
      'Techniques Acierclair',
      "Fournitures L'Encrier Bleu",
      'Nettoyage Bulle de Savon',
    ),
    creditors: [
      counterparty('Énergie Moulin-à-Vent', 'Rue de la Colline', '9984 Ventmont'),
      counterparty('Télécom Quatre-Trèfles', "Avenue de l'Antenne", '9984 Ventmont'),
      counterparty('Assurances La Tortue Sage', 'Rue des Remparts', '9985 Bourg-Muré'),
    ],
    taxOffice: counterparty('Perception TVA', 'Place du Calcul', '9986 Compteville'),
  },
  de: {
    clients: at('Kleeweg', '9971 Holunderbach')(
      'Immobilien Turmblick',
      'Hotel Zum Blauen Reiher',
      'Schule Lerchenwiese',
      'Studio Wolkenlos',
      'Bau Hartsteineck',
      'Camping Dünengras',
    ),
    persons: at('Schilfallee', '9972 Lindenfurt')(
      ...(['Lena Sommertal', 'Jonas Wolfsholz', 'Mia Kirschrode', 'Finn Hochwies'] as const),
      ...['Clara Sternhag', 'Emil Lindenfurt', 'Greta Silberdistel', 'Paul Kornbach'],
    ),
    suppliers: at('Gewerbekai', '9973 Mühlendamm')(
      'Großhandel Mehlbrücke',
      'Verpackungen Dünenrose',
      'Getränke Hopfental',
      'Technik Stahlfink',
      'Bürobedarf Tintenfass',
      'Reinigung Seifenblase',
    ),
    creditors: [
      counterparty('Energie Windmühleneck', 'Mühlberg', '9974 Windeck'),
      counterparty('Telekom Kleeblattlinie', 'Antennenallee', '9974 Windeck'),
      counterparty('Versicherung Zur Schildkröte', 'Wallstraße', '9975 Burgheim'),
    ],
    taxOffice: counterparty('Einnahme Mehrwertsteuer', 'Rechenplatz', '9976 Zählingen'),
  },
};
