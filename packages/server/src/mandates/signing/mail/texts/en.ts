import { longDay } from '../../../../dates/brussels-day.js';
import type { RequestMailTexts } from './request-mail-texts.js';

export const en: RequestMailTexts = {
  subject: ({ firmName, customerName }) =>
    `${firmName} asks for your signature for ${customerName}`,
  greeting: (contactName) => `Hello ${contactName},`,
  ask: ({ firmName, customerName, enterpriseNumber }, mandates) =>
    `${firmName}, your accounting firm, asks you to sign ${
      mandates === 1 ? 'a mandate' : `${mandates} mandates`
    } for ${customerName} (enterprise number ${enterpriseNumber}).`,
  reminder: {
    subject: (subject) => `Reminder: ${subject}`,
    notAnswered: (date) =>
      `We asked you this on ${date} and have not received your answer yet. Declining is an answer too: you then get no more reminders.`,
  },
  accountsHeading: 'Bank statements',
  accountsPurpose: (accounts) =>
    `Once you have signed, the bank sends the statements of ${
      accounts === 1 ? 'this account' : 'these accounts'
    } to your accounting firm digitally (as CODA files). You no longer have to send them yourself. This does not allow anyone to make payments.`,
  consent: (days) => `Consent, to be renewed every ${days} days`,
  renewal: {
    subject: ({ firmName, customerName }) =>
      `${firmName} asks you to renew your consent for ${customerName}`,
    ask: ({ firmName, customerName, enterpriseNumber }, accounts, lastDay) =>
      `${firmName}, your accounting firm, receives the statements of ${
        accounts === 1 ? 'an account' : `${accounts} accounts`
      } of ${customerName} (enterprise number ${enterpriseNumber}) with your consent. It ends on ${longDay(lastDay, 'en')}. Please renew it before then.`,
    accountsPurpose: (accounts) =>
      `Once you have signed, the statements of ${
        accounts === 1 ? 'this account' : 'these accounts'
      } continue to reach your accounting firm digitally (as CODA files), without interruption. This does not allow anyone to make payments.`,
    consent: (lastDay, days) =>
      `Consent until ${longDay(lastDay, 'en')}, renewed for ${days} days from your signature`,
    unexpected: (firmName, lastDay) =>
      `Were you not expecting this message? Contact ${firmName}, or ignore it: without your signature, the consent ends on ${longDay(lastDay, 'en')}.`,
  },
  payrollHeading: 'Payroll',
  payrollPurpose: (providers) =>
    `Once you have signed, ${
      providers === 1 ? 'this social secretariat sends' : 'these social secretariats send'
    } the payroll bookings to your accounting firm digitally (as CODB files). You no longer have to send them yourself.`,
  sign: 'Read and sign',
  orOpen: 'If the button does not work, open this address in your browser:',
  deadline: (date) => `Please answer before ${date}: the link expires on that day.`,
  personal: 'This link is for you alone: do not forward it. You can also decline.',
  unexpected: (firmName) =>
    `Were you not expecting this message? Contact ${firmName}, or ignore it: without your signature, nothing happens.`,
  questions: (firmName) => `Questions? Ask ${firmName}:`,
};
