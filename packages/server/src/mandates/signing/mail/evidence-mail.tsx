import { render } from 'preact-render-to-string';
import { longTime } from '../../../dates/brussels-day.js';
import { type Message, plainName } from '../../../mail/message.js';
import type { CheckedEvidence } from '../evidence.js';
import type { OutgoingMail } from '../outgoing-mails.js';
import { contactOf } from '../shown-request.js';
import { MailFrame, Questions, styles } from './mail-page.js';
import { questionsText, WIDTH, wrapText } from './request-text.js';
import { textsIn } from './signature-request-mail.js';
import { evidenceTextsIn } from './texts/evidence-mail-texts.js';

/** The signer or the firm, with the address to which the mail goes. */
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
  evidence: CheckedEvidence,
  { kind, name, address }: Recipient,
): Pick<Message, 'to' | 'replyTo' | 'subject' | 'text' | 'html' | 'language'> {
  const { answer, excluded = [], sha256, signer, shown } = evidence;
  const { firm, customer, language } = shown;
  const texts = evidenceTextsIn[language];
  const requestTexts = textsIn[language];
  const contact = { ...contactOf(shown), firmName: plainName(firm.name) };
  const customerName = plainName(customer.name);
  const about = answer === 'signed' ? texts : texts.refusal;
  const subject = about.subject(customerName);
  const facts = {
    customerName,
    enterpriseNumber: customer.enterpriseNumber,
    firmName: contact.firmName,
    time: longTime(new Date(evidence.answeredOn), language),
  };
  const isSigner = kind === 'confirmation';
  const paragraphs: readonly (readonly string[])[] = [
    [requestTexts.greeting(plainName(name))],
    [
      answer === 'declined'
        ? texts.refusal.declined({ ...facts, mandates: shown.mandates.length })
        : texts.signed({
            ...facts,
            signerName: plainName(signer.name ?? ''),
            mandates: shown.mandates.length - excluded.length,
            excluded: excluded.length,
          }),
    ],
    [about.attached],
    [texts.fingerprint, sha256],
    ...(isSigner ? [[about.notYou(contact.firmName)]] : []),
  ];
  const blocks = [
    ...paragraphs.map((lines) => lines.map((line) => wrapText(line, WIDTH)).join('\n')),
    ...(isSigner ? questionsText(contact, requestTexts) : []),
  ];
  const page = (
    <MailFrame language={language} title={subject}>
      {paragraphs.map(([first, ...others]) => (
        <p class="ink" style={styles.paragraph}>
          {first}
          {others.map((line) => (
            <>
              <br />
              {line}
            </>
          ))}
        </p>
      ))}
      {isSigner && <Questions firm={contact} texts={requestTexts} />}
    </MailFrame>
  );
  return {
    to: { name, address },
    ...(isSigner && firm.email !== null && { replyTo: { name: firm.name, address: firm.email } }),
    subject,
    language,
    text: `${blocks.join('\n\n')}\n`,
    html: `<!DOCTYPE html>${render(page)}`,
  };
}
