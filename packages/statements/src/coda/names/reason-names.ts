import { parseCodeTable } from './code-table.js';

/**
 * The reasons of rejects, returns, refunds and reversals. Source of the codes and their meaning:
 * ISO 20022, external code sets, ExternalReturnReason1Code, ExternalStatusReason1Code and
 * ExternalReversalReason1Code, of which these are the ones that the SEPA rulebooks use. The names
 * are ours.
 */
export const reasonNames = parseCodeTable(`
AC01 | numéro de compte incorrect | onjuist rekeningnummer | falsche Kontonummer | incorrect account number
AC02 | numéro de compte du débiteur non valable | ongeldig rekeningnummer van de debiteur | ungültige Kontonummer des Zahlers | invalid debtor account number
AC03 | numéro de compte du créancier non valable | ongeldig rekeningnummer van de crediteur | ungültige Kontonummer des Empfängers | invalid creditor account number
AC04 | compte clôturé | rekening afgesloten | Konto aufgelöst | account closed
AC06 | compte bloqué | rekening geblokkeerd | Konto gesperrt | account blocked
AC13 | compte de consommateur | rekening van een consument | Konto eines Verbrauchers | account of a consumer
AC14 | type de compte du créancier incorrect | verkeerde soort rekening van de crediteur | falsche Kontoart des Empfängers | invalid creditor account type
AG01 | opération interdite sur ce compte | verrichting niet toegestaan op deze rekening | Geschäft auf diesem Konto nicht zulässig | transaction forbidden on this account
AG02 | code d’opération incorrect | onjuiste verrichtingscode | falscher Geschäftscode | incorrect operation code
AG03 | opération non prise en charge | verrichting niet ondersteund | Geschäft nicht unterstützt | transaction not supported
AGNT | banque incorrecte | onjuiste bank | falsche Bank | incorrect agent
AM01 | montant nul | bedrag is nul | Betrag null | zero amount
AM02 | montant non autorisé | bedrag niet toegestaan | Betrag nicht zulässig | amount not allowed
AM03 | devise non autorisée | munt niet toegestaan | Währung nicht zulässig | currency not allowed
AM04 | provision insuffisante | ontoereikend saldo | Deckung nicht ausreichend | insufficient funds
AM05 | double encaissement | dubbele inning | doppelter Einzug | duplication
AM06 | montant trop faible | bedrag te laag | Betrag zu niedrig | amount too low
AM07 | montant bloqué | bedrag geblokkeerd | Betrag gesperrt | amount blocked
AM09 | montant erroné | verkeerd bedrag | falscher Betrag | wrong amount
AM10 | somme de contrôle incorrecte | onjuist controletotaal | falsche Kontrollsumme | invalid control sum
ARDT | déjà renvoyé | reeds teruggestuurd | bereits zurückgegeben | already returned
BE01 | titulaire ne correspond pas au compte | titularis stemt niet overeen met de rekening | Inhaber stimmt nicht mit Konto überein | holder does not match the account
BE04 | adresse du créancier manquante | adres van de crediteur ontbreekt | Adresse des Empfängers fehlt | missing creditor address
BE05 | identifiant du créancier incorrect | onjuiste identificatie van de schuldeiser | falsche Gläubiger-ID | incorrect creditor identifier
BE06 | client inconnu | onbekende klant | unbekannter Kunde | unknown customer
BE07 | adresse du débiteur manquante | adres van de debiteur ontbreekt | Adresse des Zahlers fehlt | missing debtor address
CNOR | banque du créancier non enregistrée | bank van de crediteur niet geregistreerd | Bank des Empfängers nicht registriert | creditor bank not registered
CURR | devise incorrecte | onjuiste munt | falsche Währung | incorrect currency
CUST | demandé par le client | op verzoek van de klant | auf Wunsch des Kunden | requested by the customer
DNOR | banque du débiteur non enregistrée | bank van de debiteur niet geregistreerd | Bank des Zahlers nicht registriert | debtor bank not registered
DT01 | date non valable | ongeldige datum | ungültiges Datum | invalid date
DUPL | paiement en double | dubbele betaling | doppelte Zahlung | duplicate payment
ED05 | règlement échoué | afwikkeling mislukt | Abwicklung fehlgeschlagen | settlement failed
ERIN | informations de paiement étendues non acceptées | uitgebreide betaalinformatie niet ondersteund | erweiterte Zahlungsinformationen nicht unterstützt | extended remittance information not supported
FF01 | format de fichier non valable | ongeldig bestandsformaat | ungültiges Dateiformat | invalid file format
FF05 | instrument local non valable | ongeldig lokaal instrument | ungültiges lokales Instrument | invalid local instrument
FOCR | suite à une demande d’annulation | na een annuleringsverzoek | nach Rückrufersuchen | following a cancellation request
FR01 | fraude | fraude | Betrug | fraud
FRAD | origine frauduleuse | frauduleuze oorsprong | betrügerischer Ursprung | fraudulent origin
LEGL | décision légale | wettelijke beslissing | rechtliche Entscheidung | legal decision
MD01 | pas de mandat valable | geen geldig mandaat | kein gültiges Mandat | no valid mandate
MD02 | données du mandat manquantes ou incorrectes | mandaatgegevens ontbreken of zijn onjuist | Mandatsdaten fehlen oder sind falsch | mandate data missing or incorrect
MD05 | encaissement non dû | inning niet verschuldigd | Einzug nicht fällig | collection not due
MD06 | remboursement demandé par le débiteur | terugbetaling gevraagd door de debiteur | Erstattung vom Zahler verlangt | refund requested by the debtor
MD07 | débiteur décédé | debiteur overleden | Zahler verstorben | debtor deceased
MS02 | refus du débiteur, sans motif | weigering door de debiteur, zonder reden | Ablehnung durch den Zahler, ohne Angabe | refused by the debtor, no reason given
MS03 | refus de la banque, sans motif | weigering door de bank, zonder reden | Ablehnung durch die Bank, ohne Angabe | refused by the bank, no reason given
NARR | voir la communication | zie de mededeling | siehe Mitteilung | see the communication
NOAS | pas de réponse du client | geen antwoord van de klant | keine Antwort des Kunden | no answer from the customer
NOOR | pas d’opération d’origine | geen oorspronkelijke verrichting | kein Ursprungsgeschäft | no original transaction
PY01 | banque inconnue | onbekende bank | unbekannte Bank | unknown bank
RC01 | BIC incorrect | onjuiste BIC | falscher BIC | incorrect BIC
RC04 | banque du créancier incorrecte | onjuiste bank van de crediteur | falsche Bank des Empfängers | invalid creditor bank
RC07 | BIC du créancier incorrect | onjuiste BIC van de crediteur | falscher BIC des Empfängers | invalid creditor BIC
RF01 | référence non unique | referentie niet uniek | Referenz nicht eindeutig | reference not unique
RR01 | identification du débiteur manquante | identificatie van de debiteur ontbreekt | Identifikation des Zahlers fehlt | missing debtor identification
RR02 | nom ou adresse du débiteur manquant | naam of adres van de debiteur ontbreekt | Name oder Adresse des Zahlers fehlt | missing debtor name or address
RR03 | nom ou adresse du créancier manquant | naam of adres van de crediteur ontbreekt | Name oder Adresse des Empfängers fehlt | missing creditor name or address
RR04 | motif réglementaire | reglementaire reden | regulatorischer Grund | regulatory reason
RUTA | paiement impossible à imputer | betaling kon niet worden toegewezen | Zahlung nicht zuordenbar | payment could not be applied
SL01 | service spécifique de la banque du débiteur | specifieke dienst van de bank van de debiteur | besondere Dienstleistung der Bank des Zahlers | specific service of the debtor bank
SL11 | créancier absent de la liste blanche du débiteur | schuldeiser niet op de witte lijst van de debiteur | Gläubiger nicht auf der Positivliste des Zahlers | creditor not on the debtor’s white list
SL12 | créancier sur la liste noire du débiteur | schuldeiser op de zwarte lijst van de debiteur | Gläubiger auf der Sperrliste des Zahlers | creditor on the debtor’s black list
SL13 | nombre maximal d’encaissements dépassé | maximumaantal inningen overschreden | Höchstzahl der Einzüge überschritten | maximum number of collections exceeded
SL14 | montant maximal d’encaissement dépassé | maximumbedrag van inning overschreden | Höchstbetrag des Einzugs überschritten | maximum amount of collections exceeded
SVNR | service non rendu | dienst niet verleend | Leistung nicht erbracht | service not rendered
TECH | problème technique | technisch probleem | technisches Problem | technical problem
TM01 | reçu après l’heure limite | ontvangen na het uiterste tijdstip | nach Annahmeschluss eingegangen | received after the cut-off time
UPAY | paiement indu | onverschuldigde betaling | nicht geschuldete Zahlung | undue payment
`);
