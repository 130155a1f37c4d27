/**
 * The firms of the demo. Every name is made up, and no number belongs to anyone: the enterprise
 * numbers lie below those in use (0100.000.000 to 0199.999.999), the account numbers start with
 * four zeros at real Belgian banks, one is the example IBAN of the Netherlands, and the phone
 * numbers start with a zero after their area code.
 */

export type RequestOutcome =
  | 'created'
  | 'waiting'
  /** No answer, so that the contact was reminded. */
  | 'reminded'
  | 'expired'
  | 'declined'
  | 'signed'
  /** Signed without the last mandate. */
  | 'partlySigned'
  | 'undelivered';

/** The outcome of a mandate: `-` if it was not signed, `renewing` for a consent that ends soon. */
export type MandateOutcome =
  | 'waiting'
  | 'confirmed'
  | 'refused'
  | 'active'
  | 'renewing'
  | 'ended'
  | '-';

export type DemoCustomer = ReturnType<typeof readLine>;

export const demoAdministrator = 'els.maes@kantoor-maes.example';

/** Banks with a light connector: BIC and id of the connector. */
export const demoConnectors = [
  ['TRIOBEBB', 1],
  ['ARSPBE22', 2],
] as const;

/*
 * enterprise number | name | reference | street | place | language | contact, function | IBANs |
 * payroll providers | `confidential` or `assigned` | outcomes of the signature request and the
 * mandates (`-` for a mandate that cannot be signed)
 */
const customersOfMaes = `
0161.864.987 | Bakkerij De Zilveren Halm | K-0001 | Veldstraat 12, bus 3 | 9000 Gent | nl | Jan Vermeulen, Zaakvoerder | BE68068000010434 BE28734000010820 | sdworx | assigned | signed active confirmed active
0174.892.879 | Garage Kanaalzicht | K-0002 | Oude Vaartkaai 48 | 2800 Mechelen | nl | Peter Goossens, Zaakvoerder | BE60363000012770 | liantis |  | waiting
0146.152.274 | Schrijnwerkerij Eikenrode | K-0003 | Industrieweg 7 | 3980 Tessenderlo | nl | Wim Aerts, Bestuurder | BE17735000013021 | acerta | assigned | signed active waiting
0113.794.757 | Bloemen Vlierbes | K-0004 | Marktplein 3 | 8500 Kortrijk | nl | Sofie Lambrecht, Zaakvoerster | BE16973000013774 |  |  | signed active
0163.437.872 | Dakwerken Regenboogvliet | K-0005 | Steenweg op Aalst 211 | 9300 Aalst | nl | Koen De Wachter, Zaakvoerder | BE59001000014426 | groups |  | expired
0185.561.790 | Tandartsenpraktijk Glimlinde | K-0006 | Lindelaan 19 | 3000 Leuven | nl | Annelies Smets, Tandarts | BE89734000017385 |  | confidential | signed waiting
0143.044.019 | Brouwerij 't Koperen Hert | K-0007 | Brouwerijstraat 1 | 9700 Oudenaarde | nl | Bart Cornelis, Bestuurder | BE48737000017827 BE32523000021802 | sdworx | assigned | signed active active active
0133.191.787 | Transport Noorderpeel | K-0008 | Havenlaan 86 | 2030 Antwerpen | nl | Dirk Hermans, Gedelegeerd bestuurder | BE67409000023787 BE04103000025431 | securex sdworx |  | signed active refused active waiting
0198.906.022 | Kapsalon Krulleke | K-0009 | Kerkstraat 27 | 2060 Antwerpen | nl | Fatima El Idrissi, Zaakvoerster | BE36979000027081 |  |  | signed ended
0157.005.881 | Advocatenkantoor Witteveer | K-0010 | Grote Markt 10, bus 2 | 8000 Brugge | nl | Hilde Rogiers, Vennoot | BE34731000030990 | acerta | confidential | declined
0158.472.165 | Fietsen Kasseiwind | K-0011 | Gentsesteenweg 154 | 9230 Wetteren | nl | Stijn Baert, Zaakvoerder | BE29891000034564 | liantis |  | created
0184.664.046 | Slagerij Zonnehoef | K-0012 | Dorpsstraat 8 | 3700 Tongeren | nl | Marc Vrancken, Zaakvoerder |  |  |  | 
0193.659.015 | Apotheek Vijzelpoort | K-0013 | Stationsstraat 60 | 9100 Sint-Niklaas | nl | Leen Van Acker, Apotheker | BE72068000037716 | groups | assigned | signed active refused
0131.834.084 | Webatelier Pixelkroon | K-0014 | Diestsevest 33, bus 401 | 3000 Leuven | nl | Yannick Thijs, Zaakvoerder | BE27523000038673 |  |  | reminded
0189.761.296 | Tuinaanleg Mosgroen & Zoon | K-0015 | Heideweg 5 | 2275 Lille | nl | Jef Mertens, Vennoot | BE29363000041264 BE88979000042441 | partena |  | signed confirmed ended active
0159.301.714 | Drukkerij Loodletter | K-0016 | Nijverheidslaan 22 | 8800 Roeselare | nl | Carine Declercq, Bestuurder | BE16738000044074 | attentia |  | undelivered
0195.315.636 | Restaurant Het Stille Anker | K-0017 | Visserskaai 14 | 8400 Oostende | nl | Thomas Vanhecke, Zaakvoerder | BE68001000044334 | besox | assigned | signed active active
0109.640.880 | Kinderopvang Zandkasteeltje | K-0018 | Wijngaardstraat 41 | 1500 Halle | nl | Ilse Nechelput, Coördinator | BE78734000046586 | easypay |  | undelivered
0190.775.541 | Elektro Vonkelaar | K-0019 | Molenstraat 90 | 2400 Mol | nl | Ruben Dierckx, Zaakvoerder | BE87850000048494 | liantis |  | partlySigned waiting -
0144.553.853 | Zorggroep Avondlinde | K-0020 | Parklaan 2 | 9800 Deinze | nl | Greet Haegeman, Directeur | BE55068000050244 BE12409000053392 | sdworx acerta |  | waiting
0165.592.262 | Imprimerie du Vieux Pressoir | K-0021 | Rue des Tanneurs 18 | 5000 Namur | fr | Benoît Lejeune, Gérant | BE40190000056163 | ucm |  | signed active active
0133.965.116 | Boulangerie L'Épi Câlin | K-0022 | Place du Marché 6 | 1300 Wavre | fr | Amélie Dewez, Gérante | BE63360000058408 | partena | assigned | declined
0194.205.282 | Cabinet d'architectes Ligne Claire-Voie | K-0023 | Avenue Louise 301, boîte 12 | 1050 Bruxelles | fr | Sébastien Noirhomme, Associé | BE95068000061358 BE17523000062521 | groups | confidential | signed active renewing active
0152.459.749 | Ferme des Trois Tilleuls | K-0024 | Chemin du Ruisseau 2 | 1450 Chastre | fr | Hélène Warnant, Exploitante | BE50103000062918 | ***other*** |  | signed active -
0131.108.366 | Librairie La Page Cornée | K-0025 | Rue de la Régence 44 | 4000 Liège | fr | Olivier Crahay, Gérant | BE24001000064138 |  |  | signed refused
0129.597.344 | Menuiserie Boisjoli | K-0026 | Rue du Parc 77 | 7000 Mons | fr | Thierry Descamps, Administrateur | BE46191000065236 | ucm |  | expired
0156.458.030 | Traiteur Cœur de Sauge | K-0027 | Chaussée de Waterloo 512 | 1180 Bruxelles | fr | Nadia Benali, Gérante | BE83377000065715 | securex |  | reminded
0125.377.943 | Pharmacie du Beffroi d'Argent | K-0028 | Grand-Place 9 | 7500 Tournai | fr | Isabelle Hennart, Pharmacienne | BE18732000069365 | partena |  | created
0144.679.458 | Schreinerei Sägebock | K-0029 | Gewerbestraße 4 | 4700 Eupen | de | Karl-Heinz Radermeker, Geschäftsführer | BE12731000069992 NL91ABNA0417164300 | groups |  | signed active - active
0130.178.354 | Gasthof Zur Alten Tränke | K-0030 | Hauptstraße 31 | 4780 Sankt Vith | de | Monika Schröder, Geschäftsführerin | BE21103000071103 |  |  | signed confirmed
`;

const customersOfLambot = `
0160.966.550 | Toitures Ardoisine | 2001 | Rue de l'Industrie 15 | 6000 Charleroi | fr | Vincent Lecocq, Gérant | BE68001000073434 | ucm |  | signed active active
0113.867.013 | Garage du Pont Bleu | 2008 | Quai de Meuse 102 | 4500 Huy | fr | Philippe Gérardy, Gérant | BE48363000076327 BE41190000079910 |  |  | signed waiting confirmed
0160.983.673 | Chocolaterie Fève d'Or Brun | 2015 | Rue du Bailli 29 | 1050 Bruxelles | fr | Charlotte Delvigne, Administratrice | BE91068000082576 | partena |  | waiting
0144.127.350 | Cabinet dentaire Sourirelles | 2022 | Avenue des Combattants 8 | 1340 Ottignies-Louvain-la-Neuve | fr | Julien Marchal, Dentiste | BE13523000083739 |  | confidential | signed renewing
0110.024.130 | Transports Haute-Lesse | 2029 | Zoning de Recogne 3 | 6800 Libramont-Chevigny | fr | Marie-Claire Poncin, Administratrice déléguée | BE35103000084237 | groups securex |  | signed active active refused
0194.517.662 | Fromagerie du Plateau Gris | 2036 | Route de Botrange 21 | 4950 Waimes | fr | Pascal Thunus, Exploitant | BE79732000085533 |  |  | declined
0177.760.319 | Salon Ciseaux d'Été | 2043 | Rue Neuve 55 | 5500 Dinant | fr | Aurore Collignon, Gérante | BE70979000089325 | ucm |  | signed ended active
0151.814.601 | Bäckerei Morgenkruste | 2050 | Klosterstraße 12 | 4700 Eupen | de | Ursula Kessel, Inhaberin | BE08731000091113 | groups |  | expired
0139.487.087 | Autohaus Venngrund | 2057 | Malmedyer Straße 140 | 4780 Sankt Vith | de | Dieter Hilgers, Geschäftsführer | BE74363000093707 |  |  | signed active
0151.670.782 | Bloemisterij Dauwdruppel | 2064 | Tiensestraat 66 | 3400 Landen | nl | Kristien Ruelens, Zaakvoerster | BE06738000097022 | acerta |  | undelivered
`;

type Access = 'administrator' | 'user' | 'portalOnly';

/** @param isLimited - true for a user who sees only the customers marked `assigned` */
function user(username: string, access: Access, isLimited = false) {
  return { username, access, isLimited };
}

/** Two firms: one with a user of every access level, and one whose data the first never sees. */
export const demoFirms = [
  {
    name: 'Kantoor Maes',
    email: 'info@kantoor-maes.example',
    phone: '+32 9 000 00 01',
    uploadsCodb: true,
    users: [
      user(demoAdministrator, 'administrator'),
      user('tom.janssens@kantoor-maes.example', 'user'),
      user('nora.peeters@kantoor-maes.example', 'user', true),
      user('luc.wauters@kantoor-maes.example', 'portalOnly'),
    ],
    customers: readTable(customersOfMaes),
  },
  {
    name: 'Fiduciaire Lambot',
    email: 'info@fiduciaire-lambot.example',
    phone: '+32 4 000 00 02',
    uploadsCodb: false,
    users: [user('claire.lambot@fiduciaire-lambot.example', 'administrator')],
    customers: readTable(customersOfLambot),
  },
];

export const demoCustomers = demoFirms.flatMap((firm) => firm.customers);

function readTable(table: string): DemoCustomer[] {
  return table.trim().split('\n').map(readLine);
}

function readLine(line: string) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [enterpriseNumber = '', name = '', accountingRef = '', street = '', place = ''] = cells;
  const [language = '', person = '', ibans = '', providers = '', mark = '', outcomes = ''] =
    cells.slice(5);
  const [contactName = '', contactFunction = ''] = person.split(', ');
  const [zipCode = '', ...municipality] = place.split(' ');
  const [requestOutcome = 'waiting', ...mandateOutcomes] = words(outcomes);
  const countries: Record<string, string> = { nl: 'België', fr: 'Belgique', de: 'Belgien' };
  return {
    enterpriseNumber,
    name,
    accountingRef,
    address: {
      street,
      zipCode,
      municipality: municipality.join(' '),
      country: countries[language] ?? '',
    },
    contact: {
      name: contactName,
      function: contactFunction,
      email: `${slug(contactName)}@${slug(name)}.example`,
      language: language as 'nl' | 'fr' | 'de',
    },
    ibans: words(ibans),
    payrollProviders: words(providers),
    isConfidential: mark === 'confidential',
    isAssigned: mark === 'assigned',
    /** The outcome of the signature request when the demo starts. */
    requestOutcome: requestOutcome as RequestOutcome,
    /** The outcomes of the mandates once they are signed: accounts first, then providers. */
    mandateOutcomes: mandateOutcomes as MandateOutcome[],
  };
}

function words(cell: string): string[] {
  return cell.split(' ').filter((word) => word !== '');
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replace(/[\u0300-\u036f']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
