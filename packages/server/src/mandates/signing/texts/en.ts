import { longDay } from '../../../dates/brussels-day.js';
import type { Parties } from '../request-details.js';
import { maximumNameLength } from '../signing-form.js';

/** The facts of an answer, for its mail. */
interface Answer extends Parties {
  /** The name of the signer; empty for a refusal. */
  readonly signerName: string;
  /** The time of the answer in words. */
  readonly time: string;
  /** The number of mandates that were signed, or refused. */
  readonly mandates: number;
  /** The number of mandates that the signer excluded. */
  readonly excluded: number;
}

/** The texts of the signing page and its mails. Those of all languages have the same fields. */
export type SigningTexts = typeof en;

/** A reason why there is no signature request to show. */
export type Notice = keyof SigningTexts['notices'];

export const en = {
  language: 'English',
  languages: 'Language',
  mail: {
    subject: ({ firmName, customerName }: Parties) =>
      `${firmName} asks for your signature for ${customerName}`,
    greeting: (contactName: string) => `Hello ${contactName},`,
    ask: ({ firmName, customerName, enterpriseNumber }: Parties, mandates: number) =>
      `${firmName}, your accounting firm, asks you to sign ${
        mandates === 1 ? 'a mandate' : `${mandates} mandates`
      } for ${customerName} (enterprise number ${enterpriseNumber}).`,
    reminder: {
      subject: (subject: string) => `Reminder: ${subject}`,
      notAnswered: (date: string) =>
        `We asked you this on ${date} and have not received your answer yet. Declining is an answer too: you then get no more reminders.`,
    },
    accountsHeading: 'Bank statements',
    accountsPurpose: (accounts: number) =>
      `Once you have signed, the bank sends the statements of ${
        accounts === 1 ? 'this account' : 'these accounts'
      } to your accounting firm digitally (as CODA files). You no longer have to send them yourself. This does not allow anyone to make payments.`,
    consent: (days: number) => `Consent, to be renewed every ${days} days`,
    /** The texts of a request to renew consents instead; `lastDay` is theirs, `YYYY-MM-DD`. */
    renewal: (lastDay: string) => ({
      subject: ({ firmName, customerName }: Parties) =>
        `${firmName} asks you to renew your consent for ${customerName}`,
      ask: ({ firmName, customerName, enterpriseNumber }: Parties, accounts: number) =>
        `${firmName}, your accounting firm, receives the statements of ${
          accounts === 1 ? 'an account' : `${accounts} accounts`
        } of ${customerName} (enterprise number ${enterpriseNumber}) with your consent. It ends on ${longDay(lastDay, 'en')}. Please renew it before then.`,
      accountsPurpose: (accounts: number) =>
        `Once you have signed, the statements of ${
          accounts === 1 ? 'this account' : 'these accounts'
        } continue to reach your accounting firm digitally (as CODA files), without interruption. This does not allow anyone to make payments.`,
      consent: (days: number) =>
        `Consent until ${longDay(lastDay, 'en')}, renewed for ${days} days from your signature`,
      unexpected: (firmName: string) =>
        `Were you not expecting this message? Contact ${firmName}, or ignore it: without your signature, the consent ends on ${longDay(lastDay, 'en')}.`,
    }),
    payrollHeading: 'Payroll',
    payrollPurpose: (providers: number) =>
      `Once you have signed, ${
        providers === 1 ? 'this social secretariat sends' : 'these social secretariats send'
      } the payroll bookings to your accounting firm digitally (as CODB files). You no longer have to send them yourself.`,
    sign: 'Read and sign',
    orOpen: 'If the button does not work, open this address in your browser:',
    deadline: (date: string) => `Please answer before ${date}: the link expires on that day.`,
    personal: 'This link is for you alone: do not forward it. You can also decline.',
    unexpected: (firmName: string) =>
      `Were you not expecting this message? Contact ${firmName}, or ignore it: without your signature, nothing happens.`,
    questions: (firmName: string) => `Questions? Ask ${firmName}:`,
  },
  evidenceMail: {
    signed: {
      subject: (customerName: string) => `Signed mandates for ${customerName}`,
      text: ({
        signerName,
        mandates,
        excluded,
        customerName,
        enterpriseNumber,
        firmName,
        time,
      }: Answer) =>
        `${signerName} signed ${
          mandates === 1 ? 'a mandate' : `${mandates} mandates`
        } for ${customerName} (enterprise number ${enterpriseNumber}) at the request of ${firmName}, on ${time}.${excluded === 0 ? '' : ` ${excluded === 1 ? 'One other mandate was' : `${excluded} other mandates were`} declined.`}`,
      attached:
        'The attached PDF shows the text that was signed, the signer and the time. The other file is the record that we keep. Keep this message as evidence.',
      notYou: (firmName: string) => `If you did not sign this, contact ${firmName} immediately.`,
    },
    declined: {
      subject: (customerName: string) => `Declined mandates for ${customerName}`,
      text: ({ mandates, customerName, enterpriseNumber, firmName, time }: Answer) =>
        `The request of ${firmName} to sign ${
          mandates === 1 ? 'a mandate' : `${mandates} mandates`
        } for ${customerName} (enterprise number ${enterpriseNumber}) was declined on ${time}. Nothing was signed.`,
      attached:
        'The attached PDF shows the text that was declined and the time. The other file is the record that we keep. Keep this message as evidence.',
      notYou: (firmName: string) => `If you did not decline this, contact ${firmName} immediately.`,
    },
    fingerprint: 'Fingerprint (SHA-256) of the record, which shows whether it has been changed:',
  },
  facts: {
    firm: 'Accounting firm',
    enterprise: 'Enterprise',
    enterpriseNumber: 'Enterprise number',
    answerBefore: 'Answer before',
    signedBy: 'Signed by',
    signedOn: 'Signed on',
    declinedOn: 'Declined on',
    linkSentTo: 'Link sent to',
    ipAddress: 'IP address',
    browser: 'Browser',
    fingerprint: 'Fingerprint (SHA-256)',
  },
  lead: (firmName: string) =>
    `${firmName}, your accounting firm, asks for your signature. Please read what you are signing first.`,
  meaning: ({ firmName, customerName }: Parties, mandates: number) => ({
    title: 'What your signature means',
    paragraphs: [
      `You give ${mandates === 1 ? 'this mandate' : 'these mandates'} on behalf of ${customerName}.`,
      `You can end ${mandates === 1 ? 'it' : 'them'} later by contacting ${firmName}.`,
      'With your answer we keep, as evidence, the name you enter, the date and time, your IP address and the type of your browser.',
    ],
  }),
  answer: {
    title: 'Your signature',
    name: 'Your first and last name',
    consent: (customerName: string, mandates: number) =>
      `I am authorised to sign for ${customerName} and agree to ${
        mandates === 1
          ? 'this mandate'
          : `these ${mandates} mandates, except those that I have ticked above`
      }.`,
    exclude: 'Do not sign this one',
    sign: 'Sign',
  },
  refusal: {
    title: 'I do not want to sign',
    meaning: (firmName: string) =>
      `If you decline, no files are sent on the basis of this request, and your accounting firm sees that you declined. You can then no longer sign with this link; if you change your mind, ${firmName} can send you a new request.`,
    renewal: (firmName: string, lastDay: string) =>
      `If you decline, the consent ends on ${longDay(lastDay, 'en')}, no files are sent after that day, and your accounting firm sees that you declined. You can then no longer sign with this link; if you change your mind, ${firmName} can send you a new request.`,
    decline: 'Decline',
  },
  errorTitle: (title: string) => `Error: ${title}`,
  notRecorded: 'Your answer is not recorded yet',
  problems: {
    nameMissing: 'Enter your first and last name.',
    nameTooLong: `Your name can have at most ${maximumNameLength} characters.`,
    nameUnreadable: 'Your name contains characters that cannot be recorded. Type it again.',
    consentMissing: 'Tick the box to confirm that you agree.',
    allExcluded: 'You have excluded all mandates. To sign none of them, decline below.',
    refusalUnconfirmed: 'Tick the box to confirm that you do not want to sign.',
    pageChanged: 'The page has changed since you opened it. Read it again before you answer.',
    answerUnclear: 'Choose whether you sign or decline.',
  },
  outcomes: {
    signed: () => ({
      title: 'Signed',
      paragraphs: [
        'Your signature is recorded. There is nothing more to do; you can close this page.',
      ],
    }),
    partlySigned: (firmName: string) => ({
      title: 'Partly signed',
      paragraphs: [
        'Your signature is recorded. The mandates that you excluded are declined.',
        `Your accounting firm sees which ones you signed. If you change your mind about the others, ask ${firmName} to send you a new request.`,
      ],
    }),
    declined: (firmName: string) => ({
      title: 'Declined',
      paragraphs: [
        'Your answer is recorded: nothing was signed.',
        `Changed your mind? Ask ${firmName} to send you a new request.`,
      ],
    }),
    expired: (firmName: string) => ({
      title: 'The time to sign has passed',
      paragraphs: [
        `You can no longer sign with this link. Ask ${firmName} to send you a new request.`,
      ],
    }),
    withdrawn: (firmName: string) => ({
      title: 'There is nothing left to sign here',
      paragraphs: [
        'This request was withdrawn or replaced by another one.',
        `Check whether you have received a more recent message, or contact ${firmName}.`,
      ],
    }),
    firmDisabled: (firmName: string) => ({
      title: 'You cannot sign at the moment',
      paragraphs: [
        `The access of ${firmName} to this service is suspended. Nothing was signed or declined.`,
        `Open this link again later, or contact ${firmName}.`,
      ],
    }),
  },
  evidence: {
    title: { signed: 'Signed mandates', declined: 'Declined mandates' },
    shown: { signed: 'What was signed', declined: 'What was declined' },
    meaningOfFingerprint:
      'The fingerprint was computed from the record of this answer that we keep. If a single character of the record changed, its fingerprint would be different.',
  },
  notices: {
    notFound: {
      title: 'This page does not exist',
      paragraphs: [
        'Check that you opened the whole link from the message. If it does not work, contact the accounting firm that asks for your signature.',
      ],
    },
    foreignAnswer: {
      title: 'Your answer was not accepted',
      paragraphs: [
        'It did not come from this page. Open the link in the message again and answer there.',
      ],
    },
    unreadableAnswer: {
      title: 'Your answer could not be read',
      paragraphs: [
        'Nothing was recorded. Open the link in the message again and answer on the page.',
      ],
    },
    tooManyAttempts: {
      title: 'Too many attempts',
      paragraphs: ['Try again in a few minutes, with the link in the message.'],
    },
    unavailable: {
      title: 'The page is not available right now',
      paragraphs: [
        'Try again in a few minutes, with the link in the message. If you have just answered, the page then shows whether your answer was recorded.',
      ],
    },
  },
};
