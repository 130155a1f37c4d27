import { parseCodeTable } from './code-table.js';

/**
 * The transaction families (two digits) and operations (family and operation, four digits). Source
 * of the codes and their meaning: Febelfin, "Coded statement of account (CODA)", version 2.6, annex
 * II. The names are ours: short, and understood without that of the family. Operations 40-48 and
 * 90-98 are specific to each bank and have no names.
 */
export const operationNames = parseCodeTable(`
01 | Virement SEPA | SEPA-overschrijving | SEPA-Überweisung | SEPA credit transfer
0101 | Ordre de virement | Overschrijvingsopdracht | Überweisungsauftrag | Transfer order
0102 | Virement à l’initiative de la banque | Overschrijving op initiatief van de bank | Überweisung auf Veranlassung der Bank | Transfer initiated by the bank
0103 | Ordre permanent | Doorlopende opdracht | Dauerauftrag | Standing order
0105 | Paiement de salaires | Betaling van lonen | Lohnzahlung | Payment of wages
0107 | Virement collectif | Verzamelopdracht | Sammelüberweisung | Collective transfer
0113 | Virement de votre compte | Overschrijving van uw rekening | Überweisung von Ihrem Konto | Transfer from your account
0117 | Centralisation financière | Financiële centralisatie | Cash-Pooling | Cash pooling
0139 | Émission de chèque circulaire | Uitgifte van een circulaire cheque | Ausstellung eines Zirkularschecks | Issue of a circular cheque
0150 | Virement en votre faveur | Overschrijving in uw voordeel | Überweisung zu Ihren Gunsten | Transfer in your favour
0151 | Virement en votre faveur à l’initiative de la banque | Overschrijving in uw voordeel op initiatief van de bank | Überweisung zu Ihren Gunsten auf Veranlassung der Bank | Transfer in your favour, initiated by the bank
0152 | Paiement en votre faveur | Betaling in uw voordeel | Zahlung zu Ihren Gunsten | Payment in your favour
0154 | Virement non exécutable | Onuitvoerbare overschrijving | Nicht ausführbare Überweisung | Transfer that could not be executed
0160 | Chèque circulaire non présenté | Niet aangeboden circulaire cheque | Nicht vorgelegter Zirkularscheck | Circular cheque not presented
0162 | Assignation postale impayée | Onbetaalde postassignatie | Unbezahlte Postanweisung | Unpaid postal order
0164 | Virement sur votre compte | Overschrijving naar uw rekening | Überweisung auf Ihr Konto | Transfer to your account
0166 | Centralisation financière | Financiële centralisatie | Cash-Pooling | Cash pooling
02 | Virement instantané | Instantoverschrijving | Echtzeitüberweisung | Instant credit transfer
0201 | Virement instantané | Instantoverschrijving | Echtzeitüberweisung | Instant transfer
0202 | Virement instantané à l’initiative de la banque | Instantoverschrijving op initiatief van de bank | Echtzeitüberweisung auf Veranlassung der Bank | Instant transfer initiated by the bank
0203 | Ordre permanent instantané | Doorlopende instantopdracht | Dauerauftrag in Echtzeit | Instant standing order
0205 | Paiement instantané de salaires | Instantbetaling van lonen | Lohnzahlung in Echtzeit | Instant payment of wages
0207 | Virement collectif instantané | Instantverzamelopdracht | Sammelüberweisung in Echtzeit | Instant collective transfer
0213 | Virement instantané de votre compte | Instantoverschrijving van uw rekening | Echtzeitüberweisung von Ihrem Konto | Instant transfer from your account
0217 | Centralisation financière instantanée | Financiële instantcentralisatie | Cash-Pooling in Echtzeit | Instant cash pooling
0250 | Virement instantané en votre faveur | Instantoverschrijving in uw voordeel | Echtzeitüberweisung zu Ihren Gunsten | Instant transfer in your favour
0251 | Virement instantané en votre faveur à l’initiative de la banque | Instantoverschrijving in uw voordeel op initiatief van de bank | Echtzeitüberweisung zu Ihren Gunsten auf Veranlassung der Bank | Instant transfer in your favour, initiated by the bank
0252 | Paiement instantané en votre faveur | Instantbetaling in uw voordeel | Echtzeitzahlung zu Ihren Gunsten | Instant payment in your favour
0254 | Virement instantané non exécutable | Onuitvoerbare instantoverschrijving | Nicht ausführbare Echtzeitüberweisung | Instant transfer that could not be executed
0264 | Virement instantané sur votre compte | Instantoverschrijving naar uw rekening | Echtzeitüberweisung auf Ihr Konto | Instant transfer to your account
0266 | Centralisation financière instantanée | Financiële instantcentralisatie | Cash-Pooling in Echtzeit | Instant cash pooling
03 | Chèque | Cheque | Scheck | Cheque
0301 | Paiement de votre chèque | Betaling van uw cheque | Einlösung Ihres Schecks | Payment of your cheque
0305 | Paiement d’un bon | Betaling van een bon | Einlösung eines Gutscheins | Payment of a voucher
0309 | Bon impayé | Onbetaalde bon | Unbezahlter Gutschein | Unpaid voucher
0311 | Chèque de grand magasin | Warenhuischeque | Warenhausscheck | Department store cheque
0315 | Achat d’un chèque bancaire | Aankoop van een bankcheque | Kauf eines Bankschecks | Purchase of a bank cheque
0317 | Chèque certifié | Gecertificeerde cheque | Bestätigter Scheck | Certified cheque
0338 | Chèque provisoirement impayé | Voorlopig onbetaalde cheque | Vorläufig unbezahlter Scheck | Cheque provisionally unpaid
0352 | Remise de chèques ou de bons, sauf bonne fin | Afgifte van cheques of bons, onder gewoon voorbehoud | Einreichung von Schecks oder Gutscheinen, Eingang vorbehalten | Cheques or vouchers, credited under usual reserve
0358 | Remise de chèques ou de bons, après encaissement | Afgifte van cheques of bons, na incasso | Einreichung von Schecks oder Gutscheinen, nach Einzug | Cheques or vouchers, credited after collection
0360 | Extourne d’un bon | Terugboeking van een bon | Rückbuchung eines Gutscheins | Reversal of a voucher
0362 | Extourne d’un chèque | Terugboeking van een cheque | Rückbuchung eines Schecks | Reversal of a cheque
0363 | Second crédit d’un chèque impayé | Tweede creditering van een onbetaalde cheque | Zweite Gutschrift eines unbezahlten Schecks | Second credit of an unpaid cheque
0366 | Remise de chèque par votre succursale, sauf bonne fin | Afgifte van een cheque door uw bijkantoor, onder gewoon voorbehoud | Scheckeinreichung durch Ihre Filiale, Eingang vorbehalten | Cheque of your branch, credited under usual reserve
04 | Carte | Kaart | Karte | Card
0401 | Chargement d’une carte GSM | Opladen van een gsm-kaart | Aufladen einer Handykarte | Top-up of a mobile phone card
0402 | Paiement par carte dans la zone euro | Betaling met kaart in de eurozone | Kartenzahlung in der Eurozone | Card payment in the euro area
0403 | Décompte de cartes de crédit | Afrekening van kredietkaarten | Kreditkartenabrechnung | Credit card settlement
0404 | Retrait à un distributeur | Geldopname aan een automaat | Abhebung am Geldautomaten | Withdrawal from a cash machine
0405 | Chargement Proton | Opladen Proton | Aufladen von Proton | Proton top-up
0406 | Paiement par carte carburant | Betaling met tankkaart | Zahlung mit Tankkarte | Payment by fuel card
0407 | Paiement par GSM | Betaling met gsm | Zahlung per Handy | Payment by mobile phone
0408 | Paiement par carte hors zone euro | Betaling met kaart buiten de eurozone | Kartenzahlung außerhalb der Eurozone | Card payment outside the euro area
0409 | Chargement d’une carte prépayée | Opladen van een prepaidkaart | Aufladen einer Prepaidkarte | Top-up of a prepaid card
0410 | Correction d’une carte prépayée | Correctie van een prepaidkaart | Berichtigung einer Prepaidkarte | Correction of a prepaid card
0450 | Encaissement par terminal | Ontvangst via terminal | Zahlungseingang über Terminal | Payment received at a terminal
0451 | Déchargement Proton | Afladen Proton | Entladen von Proton | Proton unloading
0452 | Chargement de cartes GSM | Opladen van gsm-kaarten | Aufladen von Handykarten | Top-up of mobile phone cards
0453 | Versement à un automate | Storting aan een automaat | Einzahlung am Automaten | Deposit at a cash machine
0454 | Déchargement d’une carte prépayée | Afladen van een prepaidkaart | Entladen einer Prepaidkarte | Unloading of a prepaid card
0455 | Recettes de paiements par GSM | Ontvangsten van betalingen met gsm | Einnahmen aus Handyzahlungen | Receipts of payments by mobile phone
0456 | Correction d’une carte prépayée | Correctie van een prepaidkaart | Berichtigung einer Prepaidkarte | Correction of a prepaid card
0468 | Encaissement Proton | Ontvangst Proton | Zahlungseingang Proton | Proton payments received
05 | Domiciliation | Domiciliëring | Lastschrift | Direct debit
0501 | Paiement par domiciliation | Betaling door domiciliëring | Zahlung per Lastschrift | Payment by direct debit
0503 | Domiciliation impayée | Onbetaalde domiciliëring | Unbezahlte Lastschrift | Unpaid direct debit
0505 | Remboursement d’une domiciliation | Terugbetaling van een domiciliëring | Erstattung einer Lastschrift | Refund of a direct debit
0550 | Domiciliation, crédit après encaissement | Domiciliëring, credit na incasso | Lastschrift, Gutschrift nach Einzug | Direct debit, credited after collection
0552 | Domiciliation, crédit sauf bonne fin | Domiciliëring, credit onder gewoon voorbehoud | Lastschrift, Gutschrift unter Vorbehalt | Direct debit, credited under usual reserve
0554 | Remboursement d’une domiciliation | Terugbetaling van een domiciliëring | Erstattung einer Lastschrift | Refund of a direct debit
0556 | Remboursement non exécutable | Onuitvoerbare terugbetaling | Nicht ausführbare Erstattung | Refund that could not be executed
0558 | Extourne d’une domiciliation | Terugboeking van een domiciliëring | Rückbuchung einer Lastschrift | Reversal of a direct debit
07 | Effet de commerce | Handelspapier | Handelswechsel | Commercial bill
0701 | Paiement d’un effet | Betaling van een wissel | Zahlung eines Wechsels | Payment of a bill
0705 | Effet réclamé | Teruggevraagde wissel | Zurückgeforderter Wechsel | Bill claimed back
0706 | Report d’échéance | Uitstel van vervaldag | Prolongation | Extension of maturity
0707 | Effet impayé | Onbetaalde wissel | Unbezahlter Wechsel | Unpaid bill
0708 | Paiement anticipé | Vervroegde betaling | Vorzeitige Zahlung | Payment in advance
0709 | Agio sur effet fournisseur | Agio op leverancierswissel | Agio auf Lieferantenwechsel | Agio on a supplier’s bill
0739 | Retour d’un effet irrégulier | Terugzending van een onregelmatige wissel | Rückgabe eines fehlerhaften Wechsels | Return of an irregular bill
0750 | Remise d’effets, après encaissement | Afgifte van wissels, na incasso | Wechseleinreichung, nach Einzug | Bills, credited after collection
0752 | Remise d’effets, sauf bonne fin | Afgifte van wissels, onder gewoon voorbehoud | Wechseleinreichung, Eingang vorbehalten | Bills, credited under usual reserve
0754 | Remise d’effets à l’escompte | Afgifte van wissels ter disconto | Wechseleinreichung zum Diskont | Bills for discount
0756 | Effet fournisseur avec garantie | Leverancierswissel met waarborg | Lieferantenwechsel mit Garantie | Supplier’s bill with guarantee
0758 | Effet fournisseur sans garantie | Leverancierswissel zonder waarborg | Lieferantenwechsel ohne Garantie | Supplier’s bill without guarantee
09 | Opération au guichet | Loketverrichting | Schaltergeschäft | Counter transaction
0901 | Retrait d’espèces | Geldopname | Barauszahlung | Cash withdrawal
0905 | Achat de billets étrangers | Aankoop van buitenlandse biljetten | Kauf von Sorten | Purchase of foreign bank notes
0907 | Achat d’or ou de pièces | Aankoop van goud of munten | Kauf von Gold oder Münzen | Purchase of gold or coins
0909 | Achat de bons d’essence | Aankoop van benzinebons | Kauf von Benzingutscheinen | Purchase of petrol coupons
0913 | Retrait d’espèces par votre succursale ou vos agents | Geldopname door uw bijkantoor of agenten | Barauszahlung an Ihre Filiale oder Vertreter | Cash withdrawal by your branch or agents
0917 | Achat de timbres fiscaux | Aankoop van fiscale zegels | Kauf von Steuermarken | Purchase of fiscal stamps
0919 | Différence de versement | Verschil bij storting | Einzahlungsdifferenz | Difference in a deposit
0925 | Achat de chèques de voyage | Aankoop van reischeques | Kauf von Reiseschecks | Purchase of traveller’s cheques
0950 | Versement d’espèces | Storting van contanten | Bareinzahlung | Cash deposit
0952 | Versement au coffre de nuit | Storting nachtkluis | Einzahlung Nachttresor | Night safe deposit
0958 | Versement par votre succursale ou vos agents | Storting door uw bijkantoor of agenten | Einzahlung durch Ihre Filiale oder Vertreter | Deposit by your branch or agents
0960 | Vente de billets étrangers | Verkoop van buitenlandse biljetten | Verkauf von Sorten | Sale of foreign bank notes
0962 | Vente d’or ou de pièces, sauf bonne fin | Verkoop van goud of munten, onder gewoon voorbehoud | Verkauf von Gold oder Münzen, Eingang vorbehalten | Sale of gold or coins, under usual reserve
0968 | Différence de versement | Verschil bij storting | Einzahlungsdifferenz | Difference in a deposit
0970 | Vente de chèques de voyage | Verkoop van reischeques | Verkauf von Reiseschecks | Sale of traveller’s cheques
11 | Titres | Effecten | Wertpapiere | Securities
1101 | Achat de titres | Aankoop van effecten | Kauf von Wertpapieren | Purchase of securities
1102 | Adjudication | Toewijzing | Zuteilung | Tender
1103 | Souscription de titres | Inschrijving op effecten | Zeichnung von Wertpapieren | Subscription to securities
1104 | Émission | Uitgifte | Emission | Issue
1105 | Souscription, paiement partiel | Inschrijving, gedeeltelijke betaling | Zeichnung, Teilzahlung | Subscription, partial payment
1106 | Plan d’options sur actions, exercice | Aandelenoptieplan, uitoefening | Aktienoptionsplan, Ausübung | Share option plan, exercise
1109 | Règlement de titres | Afrekening van effecten | Wertpapierabrechnung | Settlement of securities
1111 | Coupons ou titres payables | Betaalbare coupons of effecten | Fällige Kupons oder Wertpapiere | Payable coupons or securities
1113 | Rachat de votre émission | Inkoop van uw uitgifte | Rückkauf Ihrer Emission | Repurchase of your issue
1115 | Intérêts intérimaires sur souscription | Tussentijdse interesten op inschrijving | Zwischenzinsen auf Zeichnung | Interim interest on subscription
1117 | Frais de gestion de titres | Beheerskosten van effecten | Wertpapierverwaltungsgebühr | Management fee for securities
1119 | Frais de régularisation de titres | Regularisatiekosten van effecten | Kosten der Wertpapierregularisierung | Regularisation costs of securities
1150 | Vente de titres | Verkoop van effecten | Verkauf von Wertpapieren | Sale of securities
1151 | Adjudication | Toewijzing | Zuteilung | Tender
1152 | Encaissement de coupons, sauf bonne fin | Incasso van coupons, onder gewoon voorbehoud | Kuponeinlösung, Eingang vorbehalten | Coupons, credited under usual reserve
1158 | Titres remboursables, sauf bonne fin | Terugbetaalbare effecten, onder gewoon voorbehoud | Rückzahlbare Wertpapiere, Eingang vorbehalten | Repayable securities, credited under usual reserve
1162 | Intérêts intérimaires sur souscription | Tussentijdse interesten op inschrijving | Zwischenzinsen auf Zeichnung | Interim interest on subscription
1164 | Votre émission | Uw uitgifte | Ihre Emission | Your issue
1166 | Rétrocession de commission d’émission | Retrocessie van uitgifteprovisie | Rückvergütung der Emissionsprovision | Retrocession of issue commission
1168 | Indemnité pour coupon manquant | Vergoeding voor ontbrekende coupon | Entschädigung für fehlenden Kupon | Compensation for a missing coupon
1170 | Règlement de titres | Afrekening van effecten | Wertpapierabrechnung | Settlement of securities
13 | Crédit | Krediet | Kredit | Credit
1301 | Crédit à court terme | Krediet op korte termijn | Kurzfristiger Kredit | Short-term loan
1302 | Crédit à long terme | Krediet op lange termijn | Langfristiger Kredit | Long-term loan
1305 | Règlement d’une avance à terme fixe | Afrekening van een vast voorschot | Abrechnung eines Festvorschusses | Settlement of a fixed advance
1307 | Remboursement de crédit à tempérament | Terugbetaling van afbetalingskrediet | Tilgung eines Ratenkredits | Repayment of an instalment loan
1311 | Remboursement de prêt hypothécaire | Terugbetaling van hypothecaire lening | Tilgung eines Hypothekendarlehens | Repayment of a mortgage loan
1313 | Règlement d’acceptations bancaires | Afrekening van bankaccepten | Abrechnung von Bankakzepten | Settlement of bank acceptances
1315 | Remboursement de location-financement | Terugbetaling van huurkoop | Tilgung eines Mietkaufs | Repayment of hire purchase
1319 | Crédit documentaire à l’importation | Documentair importkrediet | Import-Dokumentenakkreditiv | Documentary import credit
1321 | Autre forme de crédit | Andere kredietvorm | Andere Kreditform | Other form of credit
1350 | Décompte de crédit à tempérament | Afrekening van afbetalingskrediet | Abrechnung eines Ratenkredits | Settlement of an instalment loan
1354 | Avance à terme fixe, capital et intérêts | Vast voorschot, kapitaal en interesten | Festvorschuss, Kapital und Zinsen | Fixed advance, capital and interest
1355 | Avance à terme fixe, intérêts seuls | Vast voorschot, enkel interesten | Festvorschuss, nur Zinsen | Fixed advance, interest only
1356 | Subvention | Subsidie | Zuschuss | Subsidy
1360 | Décompte de prêt hypothécaire | Afrekening van hypothecaire lening | Abrechnung eines Hypothekendarlehens | Settlement of a mortgage loan
1362 | Prêt à terme | Lening op termijn | Darlehen auf Zeit | Term loan
1368 | Crédit documentaire à l’exportation | Documentair exportkrediet | Export-Dokumentenakkreditiv | Documentary export credit
1370 | Décompte d’escompte d’acceptation bancaire | Afrekening van disconto van bankaccept | Abrechnung des Diskonts eines Bankakzepts | Settlement of a discounted bank acceptance
30 | Opération diverse | Diverse verrichting | Verschiedenes | Miscellaneous transaction
3001 | Achat de devises au comptant | Contante aankoop van deviezen | Devisenkauf per Kasse | Spot purchase of foreign exchange
3003 | Achat de devises à terme | Termijnaankoop van deviezen | Devisenkauf per Termin | Forward purchase of foreign exchange
3005 | Placement à terme, capital ou intérêts | Termijnbelegging, kapitaal of interesten | Termingeld, Kapital oder Zinsen | Term investment, capital or interest
3033 | Correction de valeur | Valutacorrectie | Berichtigung der Wertstellung | Value date correction
3039 | Opération non définie | Niet-gedefinieerde verrichting | Nicht definiertes Geschäft | Undefined transaction
3050 | Vente de devises au comptant | Contante verkoop van deviezen | Devisenverkauf per Kasse | Spot sale of foreign exchange
3052 | Vente de devises à terme | Termijnverkoop van deviezen | Devisenverkauf per Termin | Forward sale of foreign exchange
3054 | Placement à terme, capital ou intérêts | Termijnbelegging, kapitaal of interesten | Termingeld, Kapital oder Zinsen | Term investment, capital or interest
3055 | Placement à terme, intérêts | Termijnbelegging, interesten | Termingeld, Zinsen | Term investment, interest
3083 | Correction de valeur | Valutacorrectie | Berichtigung der Wertstellung | Value date correction
3089 | Opération non définie | Niet-gedefinieerde verrichting | Nicht definiertes Geschäft | Undefined transaction
35 | Décompte de clôture | Afsluiting | Rechnungsabschluss | Closing
3501 | Clôture de compte | Afsluiting van de rekening | Kontoabschluss | Account closing
3550 | Clôture de compte | Afsluiting van de rekening | Kontoabschluss | Account closing
41 | Virement international | Internationale overschrijving | Auslandsüberweisung | International transfer
4101 | Virement international | Internationale overschrijving | Auslandsüberweisung | International transfer
4103 | Ordre permanent international | Internationale doorlopende opdracht | Auslandsdauerauftrag | International standing order
4105 | Paiement international de salaires | Internationale betaling van lonen | Lohnzahlung ins Ausland | International payment of wages
4107 | Virement international collectif | Internationale verzamelopdracht | Auslandssammelüberweisung | International collective transfer
4113 | Virement international de votre compte | Internationale overschrijving van uw rekening | Auslandsüberweisung von Ihrem Konto | International transfer from your account
4117 | Centralisation financière internationale | Internationale financiële centralisatie | Internationales Cash-Pooling | International cash pooling
4138 | Frais de virement international reçu | Kosten van ontvangen internationale overschrijving | Kosten einer Auslandsüberweisung zu Ihren Gunsten | Costs of an incoming international transfer
4150 | Virement international en votre faveur | Internationale overschrijving in uw voordeel | Auslandsüberweisung zu Ihren Gunsten | International transfer in your favour
4164 | Virement international sur votre compte | Internationale overschrijving naar uw rekening | Auslandsüberweisung auf Ihr Konto | International transfer to your account
4166 | Centralisation financière internationale | Internationale financiële centralisatie | Internationales Cash-Pooling | International cash pooling
43 | Chèque étranger | Buitenlandse cheque | Auslandsscheck | Foreign cheque
4301 | Paiement d’un chèque étranger | Betaling van een buitenlandse cheque | Einlösung eines Auslandsschecks | Payment of a foreign cheque
4307 | Chèque étranger impayé | Onbetaalde buitenlandse cheque | Unbezahlter Auslandsscheck | Unpaid foreign cheque
4315 | Achat d’un chèque bancaire international | Aankoop van een internationale bankcheque | Kauf eines internationalen Bankschecks | Purchase of an international bank cheque
4352 | Remise de chèque étranger, sauf bonne fin | Afgifte van een buitenlandse cheque, onder gewoon voorbehoud | Einreichung eines Auslandsschecks, Eingang vorbehalten | Foreign cheque, credited under usual reserve
4358 | Remise de chèque étranger, après encaissement | Afgifte van een buitenlandse cheque, na incasso | Einreichung eines Auslandsschecks, nach Einzug | Foreign cheque, credited after collection
4362 | Extourne d’un chèque étranger | Terugboeking van een buitenlandse cheque | Rückbuchung eines Auslandsschecks | Reversal of a foreign cheque
47 | Effet étranger | Buitenlands handelspapier | Auslandswechsel | Foreign bill
4701 | Paiement d’un effet étranger | Betaling van een buitenlandse wissel | Zahlung eines Auslandswechsels | Payment of a foreign bill
4705 | Effet étranger réclamé | Teruggevraagde buitenlandse wissel | Zurückgeforderter Auslandswechsel | Foreign bill claimed back
4706 | Report d’échéance d’un effet étranger | Uitstel van vervaldag van een buitenlandse wissel | Prolongation eines Auslandswechsels | Extension of a foreign bill
4707 | Effet étranger impayé | Onbetaalde buitenlandse wissel | Unbezahlter Auslandswechsel | Unpaid foreign bill
4711 | Paiement de documents à l’étranger | Betaling van documenten in het buitenland | Zahlung von Dokumenten im Ausland | Payment of documents abroad
4713 | Escompte d’effets fournisseur étrangers | Disconto van buitenlandse leverancierswissels | Diskont ausländischer Lieferantenwechsel | Discount of foreign supplier’s bills
4714 | Warrant échu | Vervallen warrant | Fälliger Lagerpfandschein | Warrant fallen due
4750 | Remise d’effet étranger, après encaissement | Afgifte van een buitenlandse wissel, na incasso | Einreichung eines Auslandswechsels, nach Einzug | Foreign bill, credited after collection
4752 | Remise d’effet étranger, sauf bonne fin | Afgifte van een buitenlandse wissel, onder gewoon voorbehoud | Einreichung eines Auslandswechsels, Eingang vorbehalten | Foreign bill, credited under usual reserve
4754 | Escompte à l’étranger | Disconto in het buitenland | Diskont im Ausland | Discount abroad
4756 | Effet fournisseur étranger avec garantie | Buitenlandse leverancierswissel met waarborg | Ausländischer Lieferantenwechsel mit Garantie | Foreign supplier’s bill with guarantee
4758 | Effet fournisseur étranger sans garantie | Buitenlandse leverancierswissel zonder waarborg | Ausländischer Lieferantenwechsel ohne Garantie | Foreign supplier’s bill without guarantee
4760 | Remise de documents à l’étranger, sauf bonne fin | Afgifte van documenten in het buitenland, onder gewoon voorbehoud | Dokumenteneinreichung im Ausland, Eingang vorbehalten | Documents abroad, credited under usual reserve
4762 | Remise de documents à l’étranger, après encaissement | Afgifte van documenten in het buitenland, na incasso | Dokumenteneinreichung im Ausland, nach Einzug | Documents abroad, credited after collection
4764 | Warrant | Warrant | Lagerpfandschein | Warrant
80 | Frais et commissions | Kosten en provisies | Gebühren und Provisionen | Fees and commissions
8002 | Frais de supports électroniques | Kosten van elektronische uitvoer | Kosten für elektronische Auszüge | Costs of electronic output
8004 | Frais de crédit documentaire de caisse | Kosten van documentair kaskrediet | Kosten für dokumentären Kassenkredit | Costs of a documentary cash credit
8006 | Sinistre sur effets et chèques | Schade op wissels en cheques | Schaden an Wechseln und Schecks | Damage to bills and cheques
8007 | Frais d’assurance | Verzekeringskosten | Versicherungskosten | Insurance costs
8008 | Indemnité pour compte d’épargne | Vergoeding voor spaarrekening | Vergütung für Sparkonten | Compensation for savings accounts
8009 | Frais de port | Portkosten | Porto | Postage
8010 | Achat d’une carte à puce | Aankoop van een chipkaart | Kauf einer Chipkarte | Purchase of a smart card
8011 | Garde du courrier | Bewaring van briefwisseling | Aufbewahrung der Post | Safe custody of correspondence
8012 | Frais d’ouverture d’une garantie bancaire | Openingskosten van een bankwaarborg | Kosten der Eröffnung einer Bankgarantie | Costs of opening a bank guarantee
8013 | Location de coffre | Huur van een kluis | Schließfachmiete | Rent of a safe
8014 | Frais de dossier de crédit à tempérament | Dossierkosten van afbetalingskrediet | Bearbeitungsgebühr für Ratenkredit | Handling costs of an instalment loan
8015 | Coffre de nuit | Nachtkluis | Nachttresor | Night safe
8016 | Attestation bancaire pour réviseur ou comptable | Bankattest voor revisor of accountant | Bankbestätigung für Prüfer oder Buchhalter | Bank confirmation for auditor or accountant
8017 | Droits de garde | Bewaarloon | Depotgebühr | Safe custody fee
8018 | Renseignements commerciaux | Handelsinlichtingen | Handelsauskünfte | Trade information
8019 | Droits de garde particuliers | Bijzonder bewaarloon | Besondere Depotgebühr | Special safe custody fee
8020 | Établissement d’une attestation | Opmaak van een attest | Ausstellung einer Bescheinigung | Drawing up of a certificate
8021 | Frais d’enveloppes de paie | Kosten van loonzakjes | Kosten für Lohntüten | Pay packet charges
8022 | Gestion et garde | Beheer en bewaring | Verwaltung und Verwahrung | Management and custody
8023 | Frais de recherche | Opzoekingskosten | Nachforschungskosten | Research costs
8024 | Participation au système de restitution d’intérêts | Deelname aan het systeem van rentevergoeding | Teilnahme am Zinserstattungssystem | Participation in the interest refund system
8025 | Location de boîte de domiciliation | Huur van een domiciliëringsbus | Miete für Lastschriftfach | Rent of a direct debit box
8026 | Prime d’assurance voyage | Premie reisverzekering | Reiseversicherungsprämie | Travel insurance premium
8027 | Abonnement | Abonnement | Abonnement | Subscription fee
8029 | Frais d’information | Informatiekosten | Auskunftskosten | Information charges
8031 | Frais d’huissier | Deurwaarderskosten | Gerichtsvollzieherkosten | Bailiff fee
8033 | Frais et commissions divers | Diverse kosten en provisies | Verschiedene Gebühren und Provisionen | Miscellaneous fees and commissions
8035 | Frais | Kosten | Kosten | Costs
8037 | Droit d’accès à une banque de données | Toegangsrecht tot een databank | Zugangsrecht zu einer Datenbank | Database access fee
8039 | Commission de caution | Borgstellingsprovisie | Avalprovision | Surety fee
8041 | Frais de recherche | Opzoekingskosten | Nachforschungskosten | Research costs
8043 | Impression de formulaires | Drukken van formulieren | Druck von Formularen | Printing of forms
8045 | Frais de crédit documentaire | Kosten van documentair krediet | Akkreditivgebühren | Documentary credit charges
8047 | Tarification des opérations | Tarifering van verrichtingen | Buchungsgebühren | Transaction fees
`);

/** The operations that are the same in each family, by their two digits. */
export const commonOperationNames = parseCodeTable(`
37 | frais | kosten | Kosten | costs
49 | annulation ou correction | annulering of correctie | Stornierung oder Berichtigung | cancellation or correction
87 | remboursement de frais | terugbetaling van kosten | Erstattung von Kosten | refund of costs
99 | annulation ou correction | annulering of correctie | Stornierung oder Berichtigung | cancellation or correction
`);
