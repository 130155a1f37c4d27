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
