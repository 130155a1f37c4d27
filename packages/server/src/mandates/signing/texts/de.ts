import { longDay } from '../../../dates/brussels-day.js';
import { maximumNameLength } from '../signing-form.js';
import type { SigningTexts } from './en.js';

export const de: SigningTexts = {
  language: 'Deutsch',
  languages: 'Sprache',
  mail: {
    subject: ({ firmName, customerName }) =>
      `${firmName} bittet um Ihre Unterschrift für ${customerName}`,
    greeting: (contactName) => `Guten Tag ${contactName},`,
    ask: ({ firmName, customerName, enterpriseNumber }, mandates) =>
      `${firmName}, Ihr Buchhaltungsbüro, bittet Sie, ${
        mandates === 1 ? 'ein Mandat' : `${mandates} Mandate`
      } für ${customerName} (Unternehmensnummer ${enterpriseNumber}) zu unterzeichnen.`,
    reminder: {
      subject: (subject) => `Erinnerung: ${subject}`,
      notAnswered: (date) =>
        `Wir haben Sie am ${date} darum gebeten und noch keine Antwort erhalten. Auch eine Ablehnung ist eine Antwort: Sie erhalten dann keine Erinnerungen mehr.`,
    },
    accountsHeading: 'Kontoauszüge',
    accountsPurpose: (accounts) =>
      `Sobald Sie unterzeichnet haben, übermittelt die Bank Ihrem Buchhaltungsbüro die Auszüge ${
        accounts === 1 ? 'dieses Kontos' : 'dieser Konten'
      } digital (als CODA-Dateien). Sie brauchen sie nicht mehr selbst weiterzuleiten. Zahlungen kann damit niemand ausführen.`,
    consent: (days) => `Zustimmung, alle ${days} Tage zu erneuern`,
    renewal: (lastDay) => ({
      subject: ({ firmName, customerName }) =>
        `${firmName} bittet Sie, Ihre Zustimmung für ${customerName} zu erneuern`,
      ask: ({ firmName, customerName, enterpriseNumber }, accounts) =>
        `${firmName}, Ihr Buchhaltungsbüro, erhält mit Ihrer Zustimmung die Auszüge ${
          accounts === 1 ? 'eines Kontos' : `von ${accounts} Konten`
        } von ${customerName} (Unternehmensnummer ${enterpriseNumber}). Diese Zustimmung endet am ${longDay(lastDay, 'de')}. Bitte erneuern Sie sie vorher.`,
      accountsPurpose: (accounts) =>
        `Sobald Sie unterzeichnet haben, erhält Ihr Buchhaltungsbüro die Auszüge ${
          accounts === 1 ? 'dieses Kontos' : 'dieser Konten'
        } weiterhin digital (als CODA-Dateien) und ohne Unterbrechung. Zahlungen kann damit niemand ausführen.`,
      consent: (days) =>
        `Zustimmung bis ${longDay(lastDay, 'de')}, für ${days} Tage ab Ihrer Unterschrift erneuert`,
      unexpected: (firmName) =>
        `Sie haben diese Nachricht nicht erwartet? Wenden Sie sich an ${firmName} oder ignorieren Sie sie: Ohne Ihre Unterschrift endet die Zustimmung am ${longDay(lastDay, 'de')}.`,
    }),
    payrollHeading: 'Löhne',
    payrollPurpose: (providers) =>
      `Sobald Sie unterzeichnet haben, ${
        providers === 1
          ? 'übermittelt dieses Sozialsekretariat'
          : 'übermitteln diese Sozialsekretariate'
      } Ihrem Buchhaltungsbüro die Lohnbuchungen digital (als CODB-Dateien). Sie brauchen sie nicht mehr selbst weiterzuleiten.`,
    sign: 'Lesen und unterzeichnen',
    orOpen: 'Die Schaltfläche funktioniert nicht? Öffnen Sie diese Adresse in Ihrem Browser:',
    deadline: (date) => `Bitte antworten Sie vor dem ${date}: An diesem Tag läuft der Link ab.`,
    personal:
      'Dieser Link ist nur für Sie bestimmt, leiten Sie ihn nicht weiter. Sie können auch ablehnen.',
    unexpected: (firmName) =>
      `Sie haben diese Nachricht nicht erwartet? Wenden Sie sich an ${firmName} oder ignorieren Sie sie: Ohne Ihre Unterschrift geschieht nichts.`,
    questions: (firmName) => `Fragen? Wenden Sie sich an ${firmName}:`,
  },
  evidenceMail: {
    signed: {
      subject: (customerName) => `Unterzeichnete Mandate für ${customerName}`,
      text: ({ signerName, mandates, excluded, customerName, enterpriseNumber, firmName, time }) =>
        `${signerName} hat auf Anfrage von ${firmName} ${
          mandates === 1 ? 'ein Mandat' : `${mandates} Mandate`
        } für ${customerName} (Unternehmensnummer ${enterpriseNumber}) unterzeichnet, am ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'Ein weiteres Mandat wurde' : `${excluded} weitere Mandate wurden`} abgelehnt.`}`,
      attached:
        'Das beigefügte PDF zeigt den unterzeichneten Text, den Unterzeichner und den Zeitpunkt. Die andere Datei ist die Aufzeichnung, die wir aufbewahren. Bewahren Sie diese Nachricht als Nachweis auf.',
      notYou: (firmName) => `Sie haben nicht unterzeichnet? Wenden Sie sich sofort an ${firmName}.`,
    },
    declined: {
      subject: (customerName) => `Abgelehnte Mandate für ${customerName}`,
      text: ({ mandates, customerName, enterpriseNumber, firmName, time }) =>
        `Die Anfrage von ${firmName}, ${
          mandates === 1 ? 'ein Mandat' : `${mandates} Mandate`
        } für ${customerName} (Unternehmensnummer ${enterpriseNumber}) zu unterzeichnen, wurde am ${time} abgelehnt. Es wurde nichts unterzeichnet.`,
      attached:
        'Das beigefügte PDF zeigt den abgelehnten Text und den Zeitpunkt. Die andere Datei ist die Aufzeichnung, die wir aufbewahren. Bewahren Sie diese Nachricht als Nachweis auf.',
      notYou: (firmName) => `Sie haben nicht abgelehnt? Wenden Sie sich sofort an ${firmName}.`,
    },
    fingerprint:
      'Fingerabdruck (SHA-256) der Aufzeichnung, mit dem sich prüfen lässt, dass sie nicht geändert wurde:',
  },
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
