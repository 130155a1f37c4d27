import { longDay } from '../../../../dates/brussels-day.js';
import type { RequestMailTexts } from './request-mail-texts.js';

export const de: RequestMailTexts = {
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
  renewal: {
    subject: ({ firmName, customerName }) =>
      `${firmName} bittet Sie, Ihre Zustimmung für ${customerName} zu erneuern`,
    ask: ({ firmName, customerName, enterpriseNumber }, accounts, lastDay) =>
      `${firmName}, Ihr Buchhaltungsbüro, erhält mit Ihrer Zustimmung die Auszüge ${
        accounts === 1 ? 'eines Kontos' : `von ${accounts} Konten`
      } von ${customerName} (Unternehmensnummer ${enterpriseNumber}). Diese Zustimmung endet am ${longDay(lastDay, 'de')}. Bitte erneuern Sie sie vorher.`,
    accountsPurpose: (accounts) =>
      `Sobald Sie unterzeichnet haben, erhält Ihr Buchhaltungsbüro die Auszüge ${
        accounts === 1 ? 'dieses Kontos' : 'dieser Konten'
      } weiterhin digital (als CODA-Dateien) und ohne Unterbrechung. Zahlungen kann damit niemand ausführen.`,
    consent: (lastDay, days) =>
      `Zustimmung bis ${longDay(lastDay, 'de')}, für ${days} Tage ab Ihrer Unterschrift erneuert`,
    unexpected: (firmName, lastDay) =>
      `Sie haben diese Nachricht nicht erwartet? Wenden Sie sich an ${firmName} oder ignorieren Sie sie: Ohne Ihre Unterschrift endet die Zustimmung am ${longDay(lastDay, 'de')}.`,
  },
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
};
