import { parseCodeTable } from './code-table.js';

/**
 * The purposes of a payment and their categories. Source of the codes and their meaning: ISO 20022,
 * external code sets, ExternalPurpose1Code and ExternalCategoryPurpose1Code, of which these are the
 * ones that SEPA payments use. The names are ours. Where both sets have a code, it means the same.
 */
export const purposeNames = parseCodeTable(`
ACCT | gestion de compte | rekeningbeheer | Kontoverwaltung | account management
ADVA | avance | voorschot | Vorschuss | advance payment
AGRT | secteur agricole | landbouwsector | Agrarsektor | agricultural payment
ALMY | pension alimentaire | alimentatie | Unterhalt | alimony
ANNI | rente | lijfrente | Rente | annuity
ANTS | anesthésie | anesthesiediensten | Anästhesieleistungen | anaesthesia services
AREN | comptes clients | debiteurenboeking | Debitorenbuchung | accounts receivable entry
BECH | allocations familiales | kinderbijslag | Kindergeld | child benefit
BENE | allocation de chômage ou d’invalidité | werkloosheids- of invaliditeitsuitkering | Arbeitslosen- oder Invaliditätsgeld | unemployment or disability benefit
BEXP | frais professionnels | beroepskosten | Geschäftsausgaben | business expenses
BONU | prime | premie | Bonuszahlung | bonus payment
CASH | gestion de trésorerie | cashmanagement | Cash-Management | cash management
CBFF | constitution de capital | kapitaalvorming | Kapitalbildung | capital building
CBLK | compensation de cartes en masse | kaartverrekening in bulk | Kartenabrechnung in Masse | card bulk clearing
CBTV | télédistribution | kabeltelevisie | Kabelfernsehen | cable television
CCRD | carte de crédit | kredietkaart | Kreditkarte | credit card
CDBL | décompte de carte de crédit | kredietkaartafrekening | Kreditkartenrechnung | credit card bill
CFEE | frais d’annulation | annuleringskosten | Stornogebühr | cancellation fee
CHAR | don | gift | Spende | charity payment
CLPR | remboursement de prêt auto | aflossing autolening | Autokredittilgung | car loan repayment
COLL | encaissement | inning | Einzug | collection
COMC | paiement commercial | handelsbetaling | Geschäftszahlung | commercial payment
COMM | commission | commissie | Provision | commission
COMT | transfert consommateur-tiers | consument aan derde | Verbraucher an Dritte | consumer third party payment
CONC | centralisation de trésorerie | cashconcentratie | Cash-Konzentration | cash concentration
CORT | règlement d’une transaction | afwikkeling van een transactie | Abwicklung eines Geschäfts | trade settlement
COST | frais | kosten | Kosten | costs
CPKC | parking | parking | Parkgebühr | parking charges
CSDB | distribution d’espèces | verdeling van contanten | Bargeldversorgung | cash disbursement
DBTC | encaissement par domiciliation | inning door domiciliëring | Lastschrifteinzug | collection by direct debit
DCRD | carte de débit | debetkaart | Debitkarte | debit card
DEPT | dépôt | deposito | Einlage | deposit
DIVD | dividende | dividend | Dividende | dividend
DIVI | dividende | dividend | Dividende | dividend
DMEQ | équipement médical durable | duurzaam medisch materiaal | medizinische Geräte | durable medical equipment
DNTS | soins dentaires | tandzorg | Zahnbehandlung | dental services
DVPM | livraison contre paiement | levering tegen betaling | Lieferung gegen Zahlung | deliver against payment
EDUC | études | onderwijs | Ausbildung | education
ELEC | électricité | elektriciteit | Strom | electricity
ENRG | énergie | energie | Energie | energy
EPAY | paiement en ligne | onlinebetaling | Onlinezahlung | e-payment
ESTX | droits de succession | successierechten | Erbschaftssteuer | estate tax
FCOL | encaissement de frais | inning van kosten | Gebühreneinzug | fee collection
FEES | honoraires et frais | vergoedingen en kosten | Gebühren | fees
FREX | opération de change | wisselverrichting | Devisengeschäft | foreign exchange
GASB | gaz | gas | Gas | gas bill
GDDS | achat et vente de biens | aankoop en verkoop van goederen | Warenhandel | purchase and sale of goods
GDSV | biens et services | goederen en diensten | Waren und Dienstleistungen | goods and services
GIFT | cadeau | geschenk | Geschenk | gift
GOVI | assurance publique | overheidsverzekering | staatliche Versicherung | government insurance
GOVT | paiement public | overheidsbetaling | Behördenzahlung | government payment
GP2P | paiement entre particuliers | betaling tussen particulieren | Zahlung zwischen Privatpersonen | person to person payment
GSCB | biens et services, programme d’avantages | goederen en diensten met cashback | Waren und Dienstleistungen mit Rückvergütung | goods and services with cash back
HEDG | couverture | indekking | Absicherung | hedging
HLRP | remboursement de prêt immobilier | aflossing woonkrediet | Immobilienkredittilgung | housing loan repayment
HLTC | soins à domicile | thuiszorg | häusliche Pflege | home health care
HLTI | assurance maladie | ziekteverzekering | Krankenversicherung | health insurance
HSPC | soins hospitaliers | ziekenhuiszorg | Krankenhauskosten | hospital care
ICCP | compensation irrévocable de carte de crédit | onherroepelijke kredietkaartbetaling | unwiderrufliche Kreditkartenzahlung | irrevocable credit card payment
IDCP | compensation irrévocable de carte de débit | onherroepelijke debetkaartbetaling | unwiderrufliche Debitkartenzahlung | irrevocable debit card payment
INPC | prime d’assurance auto | autoverzekeringspremie | Autoversicherungsprämie | car insurance premium
INSM | versement échelonné | afbetaling in schijven | Ratenzahlung | instalment
INSU | prime d’assurance | verzekeringspremie | Versicherungsprämie | insurance premium
INTC | paiement intragroupe | betaling binnen de groep | konzerninterne Zahlung | intra-company payment
INTE | intérêts | interesten | Zinsen | interest
INTX | impôt sur le revenu | inkomstenbelasting | Einkommensteuer | income tax
IVPT | paiement de facture | factuurbetaling | Rechnungszahlung | invoice payment
LBRI | assurance du travail | arbeidsverzekering | Arbeitsversicherung | labour insurance
LICF | droits de licence | licentiekosten | Lizenzgebühr | licence fee
LIFI | assurance vie | levensverzekering | Lebensversicherung | life insurance
LOAN | prêt | lening | Darlehen | loan
LOAR | remboursement de prêt | terugbetaling van lening | Darlehenstilgung | loan repayment
LTCF | soins de longue durée | langdurige zorg | Langzeitpflege | long-term care
MDCS | services médicaux | medische diensten | medizinische Leistungen | medical services
MP2B | paiement mobile à une entreprise | mobiele betaling aan een bedrijf | mobile Zahlung an Unternehmen | mobile payment to a business
MP2P | paiement mobile entre particuliers | mobiele betaling tussen particulieren | mobile Zahlung zwischen Privatpersonen | mobile payment between persons
NETT | compensation | netting | Netting | netting
NITX | impôt sur le revenu net | netto-inkomstenbelasting | Nettoeinkommensteuer | net income tax
NWCH | frais de réseau | netwerkkosten | Netzgebühr | network charge
NWCM | communication réseau | netwerkcommunicatie | Netzkommunikation | network communication
OFEE | frais d’ouverture | openingskosten | Eröffnungsgebühr | opening fee
OTHR | autre | andere | Sonstiges | other
OTLC | autre télécommunication | andere telecommunicatie | andere Telekommunikation | other telecom
PADD | prélèvement préautorisé | vooraf toegestane domiciliëring | vorab genehmigte Lastschrift | preauthorised debit
PAYR | salaires | loonbetaling | Lohnzahlung | payroll
PENS | pension | pensioen | Pension | pension payment
PHON | téléphone | telefoon | Telefon | telephone bill
POPE | point de vente | verkooppunt | Verkaufsstelle | point of purchase entry
PPTI | assurance habitation | eigendomsverzekering | Sachversicherung | property insurance
PRCP | paiement du prix | prijsbetaling | Preiszahlung | price payment
PRME | métaux précieux | edele metalen | Edelmetalle | precious metals
PTSP | conditions de paiement | betalingsvoorwaarden | Zahlungsbedingungen | payment terms
RCKE | représentation de chèque | heraanbieding van een cheque | Scheckwiedervorlage | re-presented cheque
RCPT | reçu | ontvangstbewijs | Quittung | receipt
REBT | ristourne | korting | Rabatt | rebate
REFU | remboursement | terugbetaling | Erstattung | refund
RENT | loyer | huur | Miete | rent
RLWY | chemins de fer | spoorwegen | Eisenbahn | railway
RRCT | remboursement d’un virement reçu | terugbetaling van een ontvangen overschrijving | Erstattung einer erhaltenen Überweisung | reimbursement of a received credit transfer
RVPM | réception contre paiement | ontvangst tegen betaling | Empfang gegen Zahlung | receive against payment
SALA | salaire | loon | Gehalt | salary
SAVG | épargne | spaarbetaling | Sparen | savings
SCVE | services | diensten | Dienstleistungen | services
SECU | titres | effecten | Wertpapiere | securities
SSBE | prestation de sécurité sociale | socialezekerheidsuitkering | Sozialleistung | social security benefit
STDY | études | studie | Studium | study
SUBS | abonnement | abonnement | Abonnement | subscription
SUPP | fournisseur | leverancier | Lieferant | supplier payment
SWEP | balayage de compte | sweeping | Sweeping | sweeping
TAXS | impôts | belastingen | Steuern | tax payment
TBIL | facture de télécommunication | telecomfactuur | Telekommunikationsrechnung | telecommunications bill
TCSC | cotisation communale | gemeentelijke dienst | Gemeindeabgabe | town council charges
TELI | ordre par téléphone | telefonische opdracht | Telefonauftrag | telephone initiated payment
TRAD | commerce | handel | Handel | trade services
TREA | trésorerie | treasury | Treasury | treasury payment
TRFD | fonds fiduciaire | trustfonds | Treuhandfonds | trust fund
TRPT | péage et transport | tol en vervoer | Maut und Verkehr | road pricing, transport
UBIL | services d’utilité publique | nutsvoorzieningen | Versorgungsrechnung | utilities
VATX | TVA | btw | MwSt. | VAT
WHLD | retenue à la source | bronheffing | Quellensteuer | withholding
WTER | eau | water | Wasser | water bill
`);
