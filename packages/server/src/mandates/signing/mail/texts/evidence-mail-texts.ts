import type { Language } from '@adx/contract';
import type { Parties } from './request-mail-texts.js';

/** The facts of a signature. */
interface Signature extends Parties {
  readonly signerName: string;
  /** In words. */
  readonly time: string;
  /** The number of mandates that were signed. */
  readonly mandates: number;
  /** The number of mandates that the signer excluded. */
  readonly excluded: number;
}

/** The texts of the mail with the evidence of a signature in one language. */
export interface EvidenceMailTexts {
  readonly subject: (customerName: string) => string;
  readonly signed: (signature: Signature) => string;
  /**
   * The text about a refusal instead, for the contact and the firm; `notYou` for the contact only.
   */
  readonly refusal: {
    readonly subject: (customerName: string) => string;
    readonly declined: (refusal: Omit<Signature, 'signerName' | 'excluded'>) => string;
    readonly attached: string;
    readonly notYou: (firmName: string) => string;
  };
  /** The content of the attachments. */
  readonly attached: string;
  /** The introduction of the hash. */
  readonly fingerprint: string;
  /** For the signer only. */
  readonly notYou: (firmName: string) => string;
}

/** The texts in each language. */
export const evidenceTextsIn: Readonly<Record<Language, EvidenceMailTexts>> = {
  fr: {
    subject: (customerName) => `Mandats signés pour ${customerName}`,
    signed: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
      `${signerName} a signé ${
        mandates === 1 ? 'un mandat' : `${mandates} mandats`
      } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}), à la demande de ${firmName}, le ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'Un autre mandat a été refusé' : `${excluded} autres mandats ont été refusés`}.`}`,
    refusal: {
      subject: (customerName) => `Mandats refusés pour ${customerName}`,
      declined: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `La demande de ${firmName} de signer ${
          mandates === 1 ? 'un mandat' : `${mandates} mandats`
        } pour ${customerName} (numéro d’entreprise ${enterpriseNumber}) a été refusée le ${time}. Rien n’a été signé.`,
      attached:
        'Le PDF ci-joint montre le texte refusé et l’heure. L’autre fichier est l’enregistrement que nous conservons. Gardez ce message comme preuve.',
      notYou: (firmName) =>
        `Vous n’avez pas refusé\u00a0? Adressez-vous tout de suite à ${firmName}.`,
    },
    attached:
      'Le PDF ci-joint montre le texte signé, le signataire et l’heure. L’autre fichier est l’enregistrement que nous conservons. Gardez ce message comme preuve.',
    fingerprint:
      'Empreinte (SHA-256) de l’enregistrement, qui permet de vérifier qu’il n’a pas changé\u00a0:',
    notYou: (firmName) => `Vous n’avez pas signé\u00a0? Adressez-vous tout de suite à ${firmName}.`,
  },
  nl: {
    subject: (customerName) => `Ondertekende mandaten voor ${customerName}`,
    signed: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
      `${signerName} heeft ${
        mandates === 1 ? 'een mandaat' : `${mandates} mandaten`
      } ondertekend voor ${customerName} (ondernemingsnummer ${enterpriseNumber}), op vraag van ${firmName}, op ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'Een ander mandaat werd' : `${excluded} andere mandaten werden`} geweigerd.`}`,
    refusal: {
      subject: (customerName) => `Geweigerde mandaten voor ${customerName}`,
      declined: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `Het verzoek van ${firmName} om ${
          mandates === 1 ? 'een mandaat' : `${mandates} mandaten`
        } te ondertekenen voor ${customerName} (ondernemingsnummer ${enterpriseNumber}) werd geweigerd op ${time}. Er is niets ondertekend.`,
      attached:
        'De pdf in bijlage toont de geweigerde tekst en het tijdstip. Het andere bestand is de registratie die we bewaren. Bewaar dit bericht als bewijs.',
      notYou: (firmName) => `Hebt u niet geweigerd? Neem dan meteen contact op met ${firmName}.`,
    },
    attached:
      'De pdf in bijlage toont de ondertekende tekst, de ondertekenaar en het tijdstip. Het andere bestand is de registratie die we bewaren. Bewaar dit bericht als bewijs.',
    fingerprint:
      'Vingerafdruk (SHA-256) van de registratie, waarmee u kunt nagaan dat ze niet gewijzigd is:',
    notYou: (firmName) => `Hebt u niet ondertekend? Neem dan meteen contact op met ${firmName}.`,
  },
  de: {
    subject: (customerName) => `Unterzeichnete Mandate für ${customerName}`,
    signed: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
      `${signerName} hat auf Anfrage von ${firmName} ${
        mandates === 1 ? 'ein Mandat' : `${mandates} Mandate`
      } für ${customerName} (Unternehmensnummer ${enterpriseNumber}) unterzeichnet, am ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'Ein weiteres Mandat wurde' : `${excluded} weitere Mandate wurden`} abgelehnt.`}`,
    refusal: {
      subject: (customerName) => `Abgelehnte Mandate für ${customerName}`,
      declined: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `Die Anfrage von ${firmName}, ${
          mandates === 1 ? 'ein Mandat' : `${mandates} Mandate`
        } für ${customerName} (Unternehmensnummer ${enterpriseNumber}) zu unterzeichnen, wurde am ${time} abgelehnt. Es wurde nichts unterzeichnet.`,
      attached:
        'Das beigefügte PDF zeigt den abgelehnten Text und den Zeitpunkt. Die andere Datei ist die Aufzeichnung, die wir aufbewahren. Bewahren Sie diese Nachricht als Nachweis auf.',
      notYou: (firmName) => `Sie haben nicht abgelehnt? Wenden Sie sich sofort an ${firmName}.`,
    },
    attached:
      'Das beigefügte PDF zeigt den unterzeichneten Text, den Unterzeichner und den Zeitpunkt. Die andere Datei ist die Aufzeichnung, die wir aufbewahren. Bewahren Sie diese Nachricht als Nachweis auf.',
    fingerprint:
      'Fingerabdruck (SHA-256) der Aufzeichnung, mit dem sich prüfen lässt, dass sie nicht geändert wurde:',
    notYou: (firmName) => `Sie haben nicht unterzeichnet? Wenden Sie sich sofort an ${firmName}.`,
  },
  en: {
    subject: (customerName) => `Signed mandates for ${customerName}`,
    signed: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
      `${signerName} signed ${
        mandates === 1 ? 'a mandate' : `${mandates} mandates`
      } for ${customerName} (enterprise number ${enterpriseNumber}) at the request of ${firmName}, on ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'One other mandate was' : `${excluded} other mandates were`} declined.`}`,
    refusal: {
      subject: (customerName) => `Declined mandates for ${customerName}`,
      declined: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `The request of ${firmName} to sign ${
          mandates === 1 ? 'a mandate' : `${mandates} mandates`
        } for ${customerName} (enterprise number ${enterpriseNumber}) was declined on ${time}. Nothing was signed.`,
      attached:
        'The attached PDF shows the text that was declined and the time. The other file is the record that we keep. Keep this message as evidence.',
      notYou: (firmName) => `If you did not decline this, contact ${firmName} immediately.`,
    },
    attached:
      'The attached PDF shows the text that was signed, the signer and the time. The other file is the record that we keep. Keep this message as evidence.',
    fingerprint: 'Fingerprint (SHA-256) of the record, which shows whether it has been changed:',
    notYou: (firmName) => `If you did not sign this, contact ${firmName} immediately.`,
  },
};
