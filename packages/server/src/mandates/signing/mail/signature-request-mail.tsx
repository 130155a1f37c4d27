import { longDate } from '../../../dates/brussels-day.js';
import { type Message, plainName } from '../../../mail/message.js';
import type { MailedRequest } from '../request-details.js';
import { Button, Lines, renderMail, Section } from './mail-page.js';
import {
  type Line,
  mailTexts,
  questionsOf,
  requestSections,
  textOf,
  textOfSection,
} from './request-text.js';

/** Creates the mail of a signature request, in the language of the contact (D-13). */
export function signatureRequestMail(
  request: MailedRequest,
  link: string,
): Omit<Message, 'id' | 'attachments'> {
  const { firmName, firmEmail, contactName, contactEmail, language } = request;
  const named = withPlainNames(request);
  const { askedOn, mandates } = named;
  const texts = mailTexts(language, mandates);
  const subject = texts.subject(named);
  const opening = [
    [texts.greeting(named.contactName)],
    [texts.ask(named, mandates.length)],
    ...(askedOn === undefined ? [] : [[texts.reminder.notAnswered(longDate(askedOn, language))]]),
  ];
  const sections = requestSections(mandates, language);
  const deadline = texts.deadline(longDate(named.expiresOn, language));
  const closing = [[texts.unexpected(named.firmName)], ...questionsOf(named, texts)];
  const toLines = (lines: readonly Line[]) => <Lines lines={lines} />;
  return {
    to: { name: contactName, address: contactEmail },
    ...(firmEmail !== null && { replyTo: { name: firmName, address: firmEmail } }),
    ...renderMail({
      language,
      subject: askedOn === undefined ? subject : texts.reminder.subject(subject),
      text: [
        ...opening.map(textOf),
        ...sections.flatMap(textOfSection),
        `${texts.sign}\n${link}`,
        ...[[deadline], [texts.personal], ...closing].map(textOf),
      ],
      html: (
        <>
          {opening.map(toLines)}
          {sections.map((section) => (
            <Section {...section} />
          ))}
          <Button link={link} text={texts.sign} />
          <Lines look="strong" lines={[deadline]} />
          {closing.map(toLines)}
          <Lines look="small" lines={[texts.personal]} />
          <Lines look="small" lines={[texts.orOpen, { text: link, url: link }]} />
        </>
      ),
    }),
  };
}

/**
 * Ensures that a name adds neither lines nor hyperlinks to the mail: callers choose names (D-36).
 */
function withPlainNames(request: MailedRequest): MailedRequest {
  return {
    ...request,
    firmName: plainName(request.firmName),
    customerName: plainName(request.customerName),
    contactName: plainName(request.contactName),
    mandates: request.mandates.map((mandate) =>
      'iban' in mandate
        ? { ...mandate, ...(mandate.bankName && { bankName: plainName(mandate.bankName) }) }
        : { ...mandate, payrollProviderName: plainName(mandate.payrollProviderName) },
    ),
  };
}
