import { longTime } from '../../../dates/brussels-day.js';
import { type Message, plainName } from '../../../mail/message.js';
import type { CheckedEvidence } from '../evidence.js';
import type { OutgoingMail } from '../outgoing-mails.js';
import { contactOf } from '../shown-request.js';
import { textsIn } from '../texts/all-texts.js';
import { Lines, renderMail } from './mail-page.js';
import { questionsOf, textOf } from './request-text.js';

/** The signer or the firm, to whom the mail goes. */
interface Recipient {
  readonly kind: OutgoingMail['kind'];
  readonly name: string;
  readonly address: string;
}

/**
 * Creates the mail with the evidence of an answer, in the language of the page (D-37). Callers and
 * signers choose the names in it, which therefore contain no hyperlinks (D-36).
 */
export function evidenceMail(
  { answer, answeredOn, excluded, sha256, signer, shown }: CheckedEvidence,
  { kind, name, address }: Recipient,
): Omit<Message, 'id' | 'attachments'> {
  const { firm, customer, language } = shown;
  const { evidenceMail: texts, mail: requestTexts } = textsIn[language];
  const about = texts[answer];
  const contact = { ...contactOf(shown), firmName: plainName(firm.name) };
  const facts = {
    customerName: plainName(customer.name),
    enterpriseNumber: customer.enterpriseNumber,
    firmName: contact.firmName,
    signerName: plainName(signer.name ?? ''),
    time: longTime(new Date(answeredOn), language),
    mandates: shown.mandates.length - excluded.length,
    excluded: excluded.length,
  };
  const isSigner = kind === 'confirmation';
  const paragraphs = [
    [requestTexts.greeting(plainName(name))],
    [about.text(facts)],
    [about.attached],
    [texts.fingerprint, sha256],
    ...(isSigner ? [[about.notYou(facts.firmName)], ...questionsOf(contact, requestTexts)] : []),
  ];
  return {
    to: { name, address },
    ...(isSigner && firm.email !== null && { replyTo: { name: firm.name, address: firm.email } }),
    ...renderMail({
      language,
      subject: about.subject(facts.customerName),
      text: paragraphs.map(textOf),
      html: paragraphs.map((lines) => <Lines lines={lines} />),
    }),
  };
}
