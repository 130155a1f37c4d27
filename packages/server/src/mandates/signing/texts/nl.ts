import { longDay } from '../../../dates/brussels-day.js';
import { maximumNameLength } from '../signing-form.js';
import type { SigningTexts } from './en.js';

export const nl: SigningTexts = {
  language: 'Nederlands',
  languages: 'Taal',
  mail: {
    subject: ({ firmName, customerName }) =>
      `${firmName} vraagt uw handtekening voor ${customerName}`,
    greeting: (contactName) => `Beste ${contactName},`,
    ask: ({ firmName, customerName, enterpriseNumber }, mandates) =>
      `${firmName}, uw boekhoudkantoor, vraagt u om ${
        mandates === 1 ? 'een mandaat' : `${mandates} mandaten`
      } te ondertekenen voor ${customerName} (ondernemingsnummer ${enterpriseNumber}).`,
    reminder: {
      subject: (subject) => `Herinnering: ${subject}`,
      notAnswered: (date) =>
        `We vroegen u dit op ${date} en hebben uw antwoord nog niet ontvangen. Weigeren is ook een antwoord: u krijgt dan geen herinneringen meer.`,
    },
    accountsHeading: 'Rekeninguittreksels',
    accountsPurpose: (accounts) =>
      `Zodra u ondertekend hebt, bezorgt de bank de uittreksels van ${
        accounts === 1 ? 'deze rekening' : 'deze rekeningen'
      } digitaal (als CODA-bestanden) aan uw boekhoudkantoor. U hoeft ze niet meer zelf door te sturen. Niemand kan hiermee betalingen doen.`,
    consent: (days) => `Toestemming, om de ${days} dagen te vernieuwen`,
    renewal: (lastDay) => ({
      subject: ({ firmName, customerName }) =>
        `${firmName} vraagt u uw toestemming voor ${customerName} te vernieuwen`,
      ask: ({ firmName, customerName, enterpriseNumber }, accounts) =>
        `${firmName}, uw boekhoudkantoor, krijgt met uw toestemming de uittreksels van ${
          accounts === 1 ? 'een rekening' : `${accounts} rekeningen`
        } van ${customerName} (ondernemingsnummer ${enterpriseNumber}). Die toestemming eindigt op ${longDay(lastDay, 'nl')}. Gelieve ze vóór die dag te vernieuwen.`,
      accountsPurpose: (accounts) =>
        `Zodra u ondertekend hebt, blijven de uittreksels van ${
          accounts === 1 ? 'deze rekening' : 'deze rekeningen'
        } digitaal (als CODA-bestanden) en zonder onderbreking bij uw boekhoudkantoor aankomen. Niemand kan hiermee betalingen doen.`,
      consent: (days) =>
        `Toestemming tot ${longDay(lastDay, 'nl')}, vernieuwd voor ${days} dagen vanaf uw handtekening`,
      unexpected: (firmName) =>
        `Verwachtte u dit bericht niet? Neem contact op met ${firmName}, of negeer het bericht: zonder uw handtekening eindigt de toestemming op ${longDay(lastDay, 'nl')}.`,
    }),
    payrollHeading: 'Lonen',
    payrollPurpose: (providers) =>
      `Zodra u ondertekend hebt, ${
        providers === 1 ? 'bezorgt dit sociaal secretariaat' : 'bezorgen deze sociale secretariaten'
      } de loonboekingen digitaal (als CODB-bestanden) aan uw boekhoudkantoor. U hoeft ze niet meer zelf door te sturen.`,
    sign: 'Lezen en ondertekenen',
    orOpen: 'Werkt de knop niet? Open dan dit adres in uw browser:',
    deadline: (date) => `Gelieve te antwoorden vóór ${date}: op die dag vervalt de link.`,
    personal: 'Deze link is persoonlijk, stuur hem niet door. U kunt ook weigeren.',
    unexpected: (firmName) =>
      `Verwachtte u dit bericht niet? Neem contact op met ${firmName}, of negeer het bericht: zonder uw handtekening gebeurt er niets.`,
    questions: (firmName) => `Vragen? Neem contact op met ${firmName}:`,
  },
  evidenceMail: {
    signed: {
      subject: (customerName) => `Ondertekende mandaten voor ${customerName}`,
      text: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
        `${signerName} heeft ${
          mandates === 1 ? 'een mandaat' : `${mandates} mandaten`
        } ondertekend voor ${customerName} (ondernemingsnummer ${enterpriseNumber}), op vraag van ${firmName}, op ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'Een ander mandaat werd' : `${excluded} andere mandaten werden`} geweigerd.`}`,
      attached:
        'De pdf in bijlage toont de ondertekende tekst, de ondertekenaar en het tijdstip. Het andere bestand is de registratie die we bewaren. Bewaar dit bericht als bewijs.',
      notYou: (firmName) => `Hebt u niet ondertekend? Neem dan meteen contact op met ${firmName}.`,
    },
    declined: {
      subject: (customerName) => `Geweigerde mandaten voor ${customerName}`,
      text: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `Het verzoek van ${firmName} om ${
          mandates === 1 ? 'een mandaat' : `${mandates} mandaten`
        } te ondertekenen voor ${customerName} (ondernemingsnummer ${enterpriseNumber}) werd geweigerd op ${time}. Er is niets ondertekend.`,
      attached:
        'De pdf in bijlage toont de geweigerde tekst en het tijdstip. Het andere bestand is de registratie die we bewaren. Bewaar dit bericht als bewijs.',
      notYou: (firmName) => `Hebt u niet geweigerd? Neem dan meteen contact op met ${firmName}.`,
    },
    fingerprint:
      'Vingerafdruk (SHA-256) van de registratie, waarmee u kunt nagaan dat ze niet gewijzigd is:',
  },
  facts: {
    firm: 'Boekhoudkantoor',
    enterprise: 'Onderneming',
    enterpriseNumber: 'Ondernemingsnummer',
    answerBefore: 'Te beantwoorden vóór',
    signedBy: 'Ondertekend door',
    signedOn: 'Ondertekend op',
    declinedOn: 'Geweigerd op',
    linkSentTo: 'Link verzonden naar',
    ipAddress: 'IP-adres',
    browser: 'Browser',
    fingerprint: 'Vingerafdruk (SHA-256)',
  },
  lead: (firmName) =>
    `${firmName}, uw boekhoudkantoor, vraagt uw handtekening. Lees eerst wat u ondertekent.`,
  meaning: ({ firmName, customerName }, mandates) => ({
    title: 'Wat uw handtekening betekent',
    paragraphs: [
      `U geeft ${mandates === 1 ? 'dit mandaat' : 'deze mandaten'} namens ${customerName}.`,
      `U kunt ${mandates === 1 ? 'het' : 'ze'} later beëindigen: neem daarvoor contact op met ${firmName}.`,
      'Bij uw antwoord bewaren we als bewijs de naam die u invult, de datum en het uur, uw IP-adres en het type van uw browser.',
    ],
  }),
  answer: {
    title: 'Uw handtekening',
    name: 'Uw voor- en achternaam',
    consent: (customerName, mandates) =>
      `Ik mag ondertekenen voor ${customerName} en ga akkoord met ${
        mandates === 1
          ? 'dit mandaat'
          : `deze ${mandates} mandaten, behalve die welke ik hierboven heb aangevinkt`
      }.`,
    exclude: 'Dit mandaat niet ondertekenen',
    sign: 'Ondertekenen',
  },
  refusal: {
    title: 'Ik wil niet ondertekenen',
    meaning: (firmName) =>
      `Als u weigert, worden er op basis van dit verzoek geen bestanden bezorgd en ziet uw boekhoudkantoor dat u geweigerd hebt. U kunt dan niet meer ondertekenen met deze link; verandert u van gedachten, dan kan ${firmName} u een nieuw verzoek sturen.`,
    renewal: (firmName, lastDay) =>
      `Als u weigert, eindigt de toestemming op ${longDay(lastDay, 'nl')}, worden er na die dag geen bestanden meer bezorgd en ziet uw boekhoudkantoor dat u geweigerd hebt. U kunt dan niet meer ondertekenen met deze link; verandert u van gedachten, dan kan ${firmName} u een nieuw verzoek sturen.`,
    decline: 'Weigeren',
  },
  errorTitle: (title) => `Fout: ${title}`,
  notRecorded: 'Uw antwoord is nog niet geregistreerd',
  problems: {
    nameMissing: 'Vul uw voor- en achternaam in.',
    nameTooLong: `Uw naam mag hoogstens ${maximumNameLength} tekens lang zijn.`,
    nameUnreadable: 'Uw naam bevat tekens die niet bewaard kunnen worden. Typ hem opnieuw.',
    consentMissing: 'Vink het vakje aan om te bevestigen dat u akkoord gaat.',
    allExcluded:
      'U hebt alle mandaten uitgesloten. Wilt u er geen enkel ondertekenen, weiger dan hieronder.',
    refusalUnconfirmed: 'Vink het vakje aan om te bevestigen dat u niet wilt ondertekenen.',
    pageChanged:
      'De pagina is gewijzigd sinds u ze hebt geopend. Lees ze opnieuw voor u antwoordt.',
    answerUnclear: 'Kies of u ondertekent of weigert.',
  },
  outcomes: {
    signed: () => ({
      title: 'Ondertekend',
      paragraphs: [
        'Uw handtekening is geregistreerd. U hoeft niets meer te doen en kunt deze pagina sluiten.',
      ],
    }),
    partlySigned: (firmName) => ({
      title: 'Gedeeltelijk ondertekend',
      paragraphs: [
        'Uw handtekening is geregistreerd. De mandaten die u hebt uitgesloten, zijn geweigerd.',
        `Uw boekhoudkantoor ziet welke u hebt ondertekend. Verandert u van gedachten over de andere, vraag ${firmName} dan om u een nieuw verzoek te sturen.`,
      ],
    }),
    declined: (firmName) => ({
      title: 'Geweigerd',
      paragraphs: [
        'Uw antwoord is geregistreerd: er is niets ondertekend.',
        `Verandert u van gedachten? Vraag ${firmName} om u een nieuw verzoek te sturen.`,
      ],
    }),
    expired: (firmName) => ({
      title: 'De termijn om te ondertekenen is verstreken',
      paragraphs: [
        `U kunt met deze link niet meer ondertekenen. Vraag ${firmName} om u een nieuw verzoek te sturen.`,
      ],
    }),
    withdrawn: (firmName) => ({
      title: 'Hier valt niets meer te ondertekenen',
      paragraphs: [
        'Dit verzoek is ingetrokken of vervangen door een ander.',
        `Kijk of u een recenter bericht ontving, of neem contact op met ${firmName}.`,
      ],
    }),
    firmDisabled: (firmName) => ({
      title: 'U kunt op dit moment niet ondertekenen',
      paragraphs: [
        `De toegang van ${firmName} tot deze dienst is opgeschort. Er werd niets ondertekend of geweigerd.`,
        `Open deze link later opnieuw, of neem contact op met ${firmName}.`,
      ],
    }),
  },
  evidence: {
    title: { signed: 'Ondertekende mandaten', declined: 'Geweigerde mandaten' },
    shown: { signed: 'Wat ondertekend werd', declined: 'Wat geweigerd werd' },
    meaningOfFingerprint:
      'De vingerafdruk is berekend op de registratie van dit antwoord die we bewaren. Als één teken van de registratie verandert, is de vingerafdruk anders.',
  },
  notices: {
    notFound: {
      title: 'Deze pagina bestaat niet',
      paragraphs: [
        'Controleer of u de volledige link uit het bericht hebt geopend. Werkt hij niet, neem dan contact op met het boekhoudkantoor dat uw handtekening vraagt.',
      ],
    },
    foreignAnswer: {
      title: 'Uw antwoord is niet aanvaard',
      paragraphs: [
        'Het kwam niet van deze pagina. Open de link uit het bericht opnieuw om te antwoorden.',
      ],
    },
    unreadableAnswer: {
      title: 'Uw antwoord kon niet gelezen worden',
      paragraphs: [
        'Er is niets geregistreerd. Open de link uit het bericht opnieuw en antwoord op de pagina.',
      ],
    },
    tooManyAttempts: {
      title: 'Te veel pogingen',
      paragraphs: ['Probeer het over enkele minuten opnieuw met de link uit het bericht.'],
    },
    unavailable: {
      title: 'De pagina is nu niet beschikbaar',
      paragraphs: [
        'Probeer het over enkele minuten opnieuw met de link uit het bericht. Hebt u net geantwoord, dan toont de pagina of uw antwoord geregistreerd is.',
      ],
    },
  },
};
