import { parseCodeTable } from './code-table.js';

/**
 * The transaction categories, which tell the parts of one operation apart. Source of the codes and
 * their meaning: Febelfin, "Coded statement of account (CODA)", version 2.6, annex II; 052 stands
 * in it until version 2.5. The names are ours. Category 000, the net amount, has no name, because
 * it says nothing; 700 to 999 are specific to each bank.
 */
export const categoryNames = parseCodeTable(`
001 | intérêts reçus | ontvangen interesten | Habenzinsen | interest received
002 | intérêts payés | betaalde interesten | Sollzinsen | interest paid
003 | commission de crédit | kredietprovisie | Kreditprovision | credit commission
004 | frais de port | portkosten | Porto | postage
005 | location de boîte aux lettres | huur van een brievenbus | Postfachmiete | rent of a letterbox
006 | frais et commissions divers | diverse kosten en provisies | verschiedene Gebühren und Provisionen | various fees and commissions
007 | droit d’accès à une banque de données | toegangsrecht tot een databank | Zugangsrecht zu einer Datenbank | database access fee
008 | frais d’information | informatiekosten | Auskunftskosten | information charges
009 | frais de déplacement | verplaatsingskosten | Reisekosten | travelling expenses
010 | frais d’huissier | deurwaarderskosten | Gerichtsvollzieherkosten | bailiff fee
011 | TVA | btw | MwSt. | VAT
012 | commission de change | wisselprovisie | Devisenprovision | exchange commission
013 | commission de paiement | betalingsprovisie | Zahlungsprovision | payment commission
014 | commission d’encaissement | incassoprovisie | Inkassoprovision | collection commission
015 | frais du correspondant | kosten van de correspondent | Korrespondenzbankgebühren | correspondent charges
016 | intérêts négatifs | negatieve interesten | Negativzinsen | negative interest
017 | frais de recherche | opzoekingskosten | Nachforschungskosten | research costs
018 | frais de garantie locative | kosten van huurwaarborg | Kosten der Mietkaution | rental guarantee charges
019 | taxe sur la livraison matérielle | taks op materiële levering | Steuer auf physische Lieferung | tax on physical delivery
020 | frais de livraison matérielle | kosten van materiële levering | Kosten der physischen Lieferung | costs of physical delivery
021 | frais de chèque bancaire | kosten van een bankcheque | Kosten eines Bankschecks | costs of a bank cheque
022 | frais d’urgence | prioriteitskosten | Eilgebühr | priority costs
023 | commission d’exécution | uitvoeringsprovisie | Ausführungsgebühr | exercising fee
024 | prime d’accroissement | aangroeipremie | Zuwachsprämie | growth premium
025 | frais de change, comptabilisation individuelle | wisselkosten, individuele boeking | Devisenkosten, Einzelbuchung | exchange charges, individual entry
026 | commission de manipulation | behandelingsprovisie | Bearbeitungsprovision | handling commission
027 | frais d’impayés | kosten van onbetaalde stukken | Kosten für unbezahlte Wechsel | charges for unpaid bills
028 | prime de fidélité | getrouwheidspremie | Treueprämie | fidelity premium
029 | frais de protêt | protestkosten | Protestkosten | protest charges
030 | assurance de compte | rekeningverzekering | Kontoversicherung | account insurance
031 | frais de chèque étranger | kosten van een buitenlandse cheque | Kosten eines Auslandsschecks | charges for a foreign cheque
032 | émission de chèque circulaire | uitgifte van een circulaire cheque | Ausstellung eines Zirkularschecks | drawing up of a circular cheque
033 | frais d’effet étranger | kosten van een buitenlandse wissel | Kosten eines Auslandswechsels | charges for a foreign bill
034 | frais de réinvestissement | herbeleggingskosten | Wiederanlagekosten | reinvestment fee
035 | frais d’effet documentaire étranger | kosten van een buitenlandse documentaire wissel | Kosten eines ausländischen Dokumentenwechsels | charges for a foreign documentary bill
036 | frais de chèque refusé | kosten van een geweigerde cheque | Kosten eines zurückgewiesenen Schecks | costs of a refused cheque
037 | commission de dossier | behandelingsprovisie van het dossier | Aktenbearbeitungsprovision | commission for handling charges
039 | télécommunications | telecommunicatie | Telekommunikation | telecommunications
041 | frais de carte de crédit | kosten van kredietkaart | Kreditkartengebühr | credit card costs
042 | frais de carte de paiement | kosten van betaalkaart | Zahlungskartengebühr | payment card costs
043 | frais d’assurance | verzekeringskosten | Versicherungskosten | insurance costs
045 | frais de dossier | dossierkosten | Bearbeitungskosten | handling costs
047 | frais de prorogation d’effet | kosten van verlenging van een wissel | Kosten der Wechselprolongation | charges for the extension of a bill
049 | timbres fiscaux, droit de timbre | fiscale zegels, zegelrecht | Stempelsteuer | fiscal stamps, stamp duty
050 | capital de placement à terme | kapitaal van termijnbelegging | Kapital der Termineinlage | capital of a term investment
051 | précompte mobilier | roerende voorheffing | Quellensteuer | withholding tax
052 | retenue de l’État de résidence | woonstaatheffing | Steuer des Wohnsitzstaates | residence state tax
053 | impression de formulaires | drukken van formulieren | Druck von Formularen | printing of forms
055 | remboursement de capital | terugbetaling van kapitaal | Kapitaltilgung | repayment of capital
057 | subvention en intérêts | rentesubsidie | Zinszuschuss | interest subsidy
058 | prime en capital | kapitaalpremie | Kapitalprämie | capital premium
059 | intérêts de retard | nalatigheidsinteresten | Verzugszinsen | default interest
061 | tarification des opérations | tarifering van verrichtingen | Buchungsgebühren | transaction fees
063 | différence d’arrondi | afrondingsverschil | Rundungsdifferenz | rounding difference
065 | avis de paiement d’intérêts | bericht van rentebetaling | Zinszahlungsanzeige | interest payment advice
066 | avance à terme fixe, remboursement | vast voorschot, terugbetaling | Festvorschuss, Rückzahlung | fixed advance, reimbursement
067 | avance à terme fixe, prorogation | vast voorschot, verlenging | Festvorschuss, Verlängerung | fixed advance, extension
068 | contre-valeur d’une écriture | tegenwaarde van een boeking | Gegenwert einer Buchung | countervalue of an entry
069 | arbitrage à terme, à fournir par le client | termijnarbitrage, te leveren door de klant | Terminarbitrage, vom Kunden zu liefern | forward arbitrage, to be supplied by the customer
070 | arbitrage à terme, à fournir par la banque | termijnarbitrage, te leveren door de bank | Terminarbitrage, von der Bank zu liefern | forward arbitrage, to be supplied by the bank
071 | avance à terme fixe, mise à disposition | vast voorschot, terbeschikkingstelling | Festvorschuss, Bereitstellung | fixed advance, drawdown
072 | contre-valeur de commission à un tiers | tegenwaarde van provisie aan een derde | Gegenwert der Provision an Dritte | countervalue of a commission to a third party
073 | frais de retrait à l’étranger | kosten van geldopname in het buitenland | Kosten für Abhebung im Ausland | costs of a cash machine abroad
074 | frais d’envoi | verzendingskosten | Versandkosten | mailing costs
100 | montant brut | brutobedrag | Bruttobetrag | gross amount
200 | frais globaux de crédit documentaire | globale kosten van documentair krediet | Gesamtkosten des Akkreditivs | overall documentary credit charges
201 | commission de préavis | provisie van voorbericht | Voravisprovision | advice notice commission
202 | commission de notification | notificatieprovisie | Avisierungsprovision | advising commission
203 | commission de confirmation ou d’engagement | bevestigings- of verbintenisprovisie | Bestätigungs- oder Bereitstellungsprovision | confirmation or commitment fee
204 | commission de modification | wijzigingsprovisie | Änderungsprovision | amendment fee
205 | commission de paiement documentaire | documentaire betalingsprovisie | Provision für Dokumentenzahlung | documentary payment commission
206 | commission de caution, paiement sous réserve | borgprovisie, betaling onder voorbehoud | Avalprovision, Zahlung unter Vorbehalt | surety fee, payment under reserve
207 | commission de non-conformité | provisie van non-conformiteit | Provision wegen Abweichungen | non-conformity fee
208 | commission d’engagement, paiement différé | verbintenisprovisie, uitgestelde betaling | Bereitstellungsprovision, hinausgeschobene Zahlung | commitment fee, deferred payment
209 | commission de transfert | overdrachtsprovisie | Übertragungsprovision | transfer commission
210 | commission d’engagement | verbintenisprovisie | Bereitstellungsprovision | commitment fee
211 | commission d’ouverture de crédit | provisie van kredietopening | Krediteröffnungsprovision | credit arrangement fee
212 | frais d’entreposage | opslagkosten | Lagerkosten | warehousing fee
213 | frais de financement | financieringskosten | Finanzierungskosten | financing fee
214 | commission d’émission d’un bon de livraison | uitgifteprovisie van een leveringsbon | Ausstellungsprovision für Lieferschein | issue commission, delivery order
400 | commission d’acceptation | acceptprovisie | Akzeptprovision | acceptance fee
401 | frais de visa | visumkosten | Visakosten | visa charges
402 | frais de certification | certificeringskosten | Beglaubigungskosten | certification costs
403 | escompte minimum | minimumdisconto | Mindestdiskont | minimum discount
404 | commission d’escompte | discontoprovisie | Diskontprovision | discount commission
405 | commission d’aval | avalprovisie | Avalprovision | bill guarantee commission
406 | frais de recouvrement | invorderingskosten | Einzugskosten | collection charges
407 | frais article 45 | kosten artikel 45 | Kosten Artikel 45 | costs article 45
408 | commission de couverture | dekkingsprovisie | Deckungsprovision | cover commission
409 | frais de coffre | kluiskosten | Schließfachkosten | safe deposit charges
410 | frais de réclamation | kosten van klacht | Reklamationskosten | reclamation charges
411 | frais fixes d’encaissement | vaste incassokosten | feste Inkassokosten | fixed collection charge
412 | frais d’avis d’échéance | kosten van vervaldagbericht | Kosten der Fälligkeitsanzeige | advice of expiry charges
413 | frais d’acceptation | acceptkosten | Akzeptkosten | acceptance charges
414 | frais de régularisation | regularisatiekosten | Regularisierungskosten | regularisation charges
415 | commission de caution | borgstellingsprovisie | Bürgschaftsprovision | surety fee
416 | frais de dépôt de garantie | kosten van waarborgdeposito | Kosten der Sicherheitshinterlegung | charges for the deposit of security
418 | commission d’endossement | endossementsprovisie | Indossierungsprovision | endorsement commission
419 | commission de service bancaire | provisie van bankdienst | Bankdienstleistungsgebühr | bank service fee
420 | frais de rétention | retentiekosten | Einbehaltungskosten | retention charges
425 | courtage étranger | buitenlandse makelaarsprovisie | ausländische Maklerprovision | foreign broker’s commission
426 | courtage belge | Belgische makelaarsprovisie | belgische Maklerprovision | Belgian broker’s commission
427 | taxe boursière belge | Belgische beurstaks | belgische Börsensteuer | Belgian stock exchange tax
428 | intérêts courus | verlopen interesten | Stückzinsen | interest accrued
429 | taxe boursière étrangère | buitenlandse beurstaks | ausländische Börsensteuer | foreign stock exchange tax
430 | récupération d’impôt étranger | terugvordering van buitenlandse belasting | Rückforderung ausländischer Steuer | recovery of foreign tax
431 | délivrance d’un duplicata | aflevering van een afschrift | Ausstellung einer Kopie | delivery of a copy
435 | taxe sur la livraison de titres | taks op materiële effecten | Steuer auf effektive Stücke | tax on physical securities
436 | taxe supplémentaire | bijkomende taks | Zusatzsteuer | supplementary tax
437 | taxe sur la spéculation | speculatietaks | Spekulationssteuer | speculation tax
438 | taxe sur les comptes-titres | effectentaks | Wertpapierkontensteuer | securities account tax
`);
