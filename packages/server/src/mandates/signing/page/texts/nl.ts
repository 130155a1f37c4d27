import { longDay } from '../../../../dates/brussels-day.js';
import { nl as mail } from '../../mail/texts/nl.js';
import { maximumNameLength } from '../signing-form.js';
import type { SigningPageTexts } from './signing-page-texts.js';

export const nl: SigningPageTexts = {
  language: 'Nederlands',
  languages: 'Taal',
  mail,
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
