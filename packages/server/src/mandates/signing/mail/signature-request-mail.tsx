import { longDate } from '../../../dates/brussels-day.js';
import { type Message, plainName } from '../../../mail/message.js';
import type { MailedRequest, MandateSummary } from '../request-details.js';
import { textsIn } from '../texts/all-texts.js';
import { Button, Lines, renderMail, Section } from './mail-page.js';
import {
  askOf,
  type Line,
  notAnswered,
  questionsOf,
  requestSections,
  subjectOf,
  textOf,
  textOfSection,
  unexpectedOf,
} from './request-text.js';

/**
 * Creates the mail of a signature request, in the language of the contact (D-13). Its text has the
 * link on a separate line.
 */
export function signatureRequestMail(
  request: MailedRequest,
  link: string,
): Omit<Message, 'id' | 'attachments'> {
  const { firmName, firmEmail, contactName, contactEmail, language } = request;
  const named = withPlainNames(request);
  const texts = textsIn[language].mail;
  const opening = [
    [texts.greeting(named.contactName)],
    [askOf(named, texts)],
    ...notAnswered(named, texts),
  ];
  const sections = requestSections(named.mandates, texts);
  const deadline = texts.deadline(longDate(named.expiresOn, language));
  const closing = [
    [unexpectedOf(named.firmName, named.mandates, texts)],
    ...questionsOf(named, texts),
  ];
  const toLines = (lines: readonly Line[]) => <Lines lines={lines} />;
  return {
    to: { name: contactName, address: contactEmail },
    ...(firmEmail !== null && { replyTo: { name: firmName, address: firmEmail } }),
    ...renderMail({
      language,
      subject: subjectOf(named, texts),
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
 * Ensures that a name adds neither lines nor links to the mail. Callers choose the names (D-36).
 */
function withPlainNames(request: MailedRequest): MailedRequest {
  return {
    ...request,
    firmName: plainName(request.firmName),
    customerName: plainName(request.customerName),
    contactName: plainName(request.contactName),
    mandates: request.mandates.map(mandateWithPlainNames),
  };
}

function mandateWithPlainNames(mandate: MandateSummary): MandateSummary {
  if (mandate.product === 'CODB') {
    return { ...mandate, payrollProviderName: plainName(mandate.payrollProviderName) };
  }
  const { bankName } = mandate;
  return bankName === undefined ? mandate : { ...mandate, bankName: plainName(bankName) };
}
