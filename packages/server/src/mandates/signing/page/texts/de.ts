import { longDay } from '../../../../dates/brussels-day.js';
import { de as mail } from '../../mail/texts/de.js';
import { maximumNameLength } from '../signing-form.js';
import type { SigningPageTexts } from './signing-page-texts.js';

export const de: SigningPageTexts = {
  language: 'Deutsch',
  languages: 'Sprache',
  mail,
  facts: {
    firm: 'Buchhaltungsbüro',
    enterprise: 'Unternehmen',
    enterpriseNumber: 'Unternehmensnummer',
    answerBefore: 'Zu beantworten vor dem',
    signedBy: 'Unterzeichnet von',
    signedOn: 'Unterzeichnet am',
    declinedOn: 'Abgelehnt am',
    linkSentTo: 'Link gesendet an',
    ipAddress: 'IP-Adresse',
    browser: 'Browser',
    fingerprint: 'Fingerabdruck (SHA-256)',
  },
  lead: (firmName) =>
    `${firmName}, Ihr Buchhaltungsbüro, bittet um Ihre Unterschrift. Lesen Sie zuerst, was Sie unterzeichnen.`,
  meaning: ({ firmName, customerName }, mandates) => ({
    title: 'Was Ihre Unterschrift bedeutet',
    paragraphs: [
      `Sie erteilen ${mandates === 1 ? 'dieses Mandat' : 'diese Mandate'} im Namen von ${customerName}.`,
      `Sie können ${mandates === 1 ? 'es' : 'sie'} später beenden: Wenden Sie sich dazu an ${firmName}.`,
      'Mit Ihrer Antwort bewahren wir als Nachweis den Namen auf, den Sie eingeben, dazu Datum und Uhrzeit, Ihre IP-Adresse und die Art Ihres Browsers.',
    ],
  }),
  answer: {
    title: 'Ihre Unterschrift',
    name: 'Ihr Vor- und Nachname',
    consent: (customerName, mandates) =>
      `Ich darf für ${customerName} unterzeichnen und stimme ${
        mandates === 1
          ? 'diesem Mandat'
          : `diesen ${mandates} Mandaten mit Ausnahme der oben angekreuzten`
      } zu.`,
    exclude: 'Dieses nicht unterzeichnen',
    sign: 'Unterzeichnen',
  },
  refusal: {
    title: 'Ich möchte nicht unterzeichnen',
    meaning: (firmName) =>
      `Wenn Sie ablehnen, werden aufgrund dieser Anfrage keine Dateien übermittelt, und Ihr Buchhaltungsbüro sieht, dass Sie abgelehnt haben. Mit diesem Link können Sie dann nicht mehr unterzeichnen; falls Sie Ihre Meinung ändern, kann ${firmName} Ihnen eine neue Anfrage senden.`,
    renewal: (firmName, lastDay) =>
      `Wenn Sie ablehnen, endet die Zustimmung am ${longDay(lastDay, 'de')}, danach werden keine Dateien mehr übermittelt, und Ihr Buchhaltungsbüro sieht, dass Sie abgelehnt haben. Mit diesem Link können Sie dann nicht mehr unterzeichnen; falls Sie Ihre Meinung ändern, kann ${firmName} Ihnen eine neue Anfrage senden.`,
    decline: 'Ablehnen',
  },
  errorTitle: (title) => `Fehler: ${title}`,
  notRecorded: 'Ihre Antwort ist noch nicht erfasst',
  problems: {
    nameMissing: 'Geben Sie Ihren Vor- und Nachnamen ein.',
    nameTooLong: `Ihr Name darf höchstens ${maximumNameLength} Zeichen lang sein.`,
    nameUnreadable:
      'Ihr Name enthält Zeichen, die nicht erfasst werden können. Geben Sie ihn erneut ein.',
    consentMissing: 'Kreuzen Sie das Kästchen an, um Ihre Zustimmung zu bestätigen.',
    allExcluded:
      'Sie haben alle Mandate ausgenommen. Wenn Sie keines unterzeichnen möchten, lehnen Sie unten ab.',
    refusalUnconfirmed:
      'Kreuzen Sie das Kästchen an, um zu bestätigen, dass Sie nicht unterzeichnen möchten.',
    pageChanged:
      'Diese Seite hat sich geändert, seit Sie sie geöffnet haben. Lesen Sie sie noch einmal, bevor Sie antworten.',
    answerUnclear: 'Wählen Sie, ob Sie unterzeichnen oder ablehnen.',
  },
  outcomes: {
    signed: () => ({
      title: 'Unterzeichnet',
      paragraphs: [
        'Ihre Unterschrift ist erfasst. Sie brauchen nichts weiter zu tun und können diese Seite schließen.',
      ],
    }),
    partlySigned: (firmName) => ({
      title: 'Teilweise unterzeichnet',
      paragraphs: [
        'Ihre Unterschrift ist erfasst. Die Mandate, die Sie ausgenommen haben, sind abgelehnt.',
        `Ihr Buchhaltungsbüro sieht, welche Sie unterzeichnet haben. Falls Sie Ihre Meinung zu den übrigen ändern, bitten Sie ${firmName}, Ihnen eine neue Anfrage zu senden.`,
      ],
    }),
    declined: (firmName) => ({
      title: 'Abgelehnt',
      paragraphs: [
        'Ihre Antwort ist erfasst: Es wurde nichts unterzeichnet.',
        `Sie ändern Ihre Meinung? Bitten Sie ${firmName}, Ihnen eine neue Anfrage zu senden.`,
      ],
    }),
    expired: (firmName) => ({
      title: 'Die Frist zum Unterzeichnen ist abgelaufen',
      paragraphs: [
        `Mit diesem Link können Sie nicht mehr unterzeichnen. Bitten Sie ${firmName}, Ihnen eine neue Anfrage zu senden.`,
      ],
    }),
    withdrawn: (firmName) => ({
      title: 'Hier gibt es nichts mehr zu unterzeichnen',
      paragraphs: [
        'Diese Anfrage wurde zurückgezogen oder durch eine andere ersetzt.',
        `Sehen Sie nach, ob Sie eine neuere Nachricht erhalten haben, oder wenden Sie sich an ${firmName}.`,
      ],
    }),
    firmDisabled: (firmName) => ({
      title: 'Sie können zurzeit nicht unterzeichnen',
      paragraphs: [
        `Der Zugang von ${firmName} zu diesem Dienst ist gesperrt. Es wurde nichts unterzeichnet oder abgelehnt.`,
        `Öffnen Sie diesen Link später erneut, oder wenden Sie sich an ${firmName}.`,
      ],
    }),
  },
  evidence: {
    title: { signed: 'Unterzeichnete Mandate', declined: 'Abgelehnte Mandate' },
    shown: { signed: 'Was unterzeichnet wurde', declined: 'Was abgelehnt wurde' },
    meaningOfFingerprint:
      'Der Fingerabdruck ist aus der Aufzeichnung dieser Antwort berechnet, die wir aufbewahren. Ändert sich ein einziges Zeichen der Aufzeichnung, ist ihr Fingerabdruck ein anderer.',
  },
  notices: {
    notFound: {
      title: 'Diese Seite gibt es nicht',
      paragraphs: [
        'Prüfen Sie, ob Sie den vollständigen Link aus der Nachricht geöffnet haben. Wenn er nicht funktioniert, wenden Sie sich an das Buchhaltungsbüro, das um Ihre Unterschrift bittet.',
      ],
    },
    foreignAnswer: {
      title: 'Ihre Antwort wurde nicht angenommen',
      paragraphs: [
        'Sie kam nicht von dieser Seite. Öffnen Sie den Link aus der Nachricht erneut, um zu antworten.',
      ],
    },
    unreadableAnswer: {
      title: 'Ihre Antwort konnte nicht gelesen werden',
      paragraphs: [
        'Es wurde nichts erfasst. Öffnen Sie den Link aus der Nachricht erneut und antworten Sie auf der Seite.',
      ],
    },
    tooManyAttempts: {
      title: 'Zu viele Versuche',
      paragraphs: ['Versuchen Sie es in einigen Minuten erneut mit dem Link aus der Nachricht.'],
    },
    unavailable: {
      title: 'Die Seite ist derzeit nicht verfügbar',
      paragraphs: [
        'Versuchen Sie es in einigen Minuten erneut mit dem Link aus der Nachricht. Wenn Sie gerade geantwortet haben, zeigt die Seite dann, ob Ihre Antwort erfasst ist.',
      ],
    },
  },
};
