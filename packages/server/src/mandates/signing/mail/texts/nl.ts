import { longDay } from '../../../../dates/brussels-day.js';
import type { RequestMailTexts } from './request-mail-texts.js';

export const nl: RequestMailTexts = {
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
  renewal: {
    subject: ({ firmName, customerName }) =>
      `${firmName} vraagt u uw toestemming voor ${customerName} te vernieuwen`,
    ask: ({ firmName, customerName, enterpriseNumber }, accounts, lastDay) =>
      `${firmName}, uw boekhoudkantoor, krijgt met uw toestemming de uittreksels van ${
        accounts === 1 ? 'een rekening' : `${accounts} rekeningen`
      } van ${customerName} (ondernemingsnummer ${enterpriseNumber}). Die toestemming eindigt op ${longDay(lastDay, 'nl')}. Gelieve ze vóór die dag te vernieuwen.`,
    accountsPurpose: (accounts) =>
      `Zodra u ondertekend hebt, blijven de uittreksels van ${
        accounts === 1 ? 'deze rekening' : 'deze rekeningen'
      } digitaal (als CODA-bestanden) en zonder onderbreking bij uw boekhoudkantoor aankomen. Niemand kan hiermee betalingen doen.`,
    consent: (lastDay, days) =>
      `Toestemming tot ${longDay(lastDay, 'nl')}, vernieuwd voor ${days} dagen vanaf uw handtekening`,
    unexpected: (firmName, lastDay) =>
      `Verwachtte u dit bericht niet? Neem contact op met ${firmName}, of negeer het bericht: zonder uw handtekening eindigt de toestemming op ${longDay(lastDay, 'nl')}.`,
  },
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
};
