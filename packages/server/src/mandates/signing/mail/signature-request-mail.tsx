import type { Language } from '@adx/contract';
import { render } from 'preact-render-to-string';
import { singleLine } from '../../../mail/message.js';
import type { AskedMandate, MailedRequest } from '../request-details.js';
import { MailPage } from './mail-page.js';
import { requestText } from './request-text.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { fr } from './texts/fr.js';
import { nl } from './texts/nl.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';

const textsIn: Readonly<Record<Language, RequestMailTexts>> = { fr, nl, de, en };

/** A mail without its addresses. */
interface RequestMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The mail that asks a contact to sign, in the contact's language (D-13): who asks, for what, until
 * when, and what to do when it was not expected.
 */
export function signatureRequestMail(request: MailedRequest, link: string): RequestMail {
  const named = withNamesOnOneLine(request);
  const texts = textsIn[request.language];
  return {
    subject: texts.subject(named),
    text: requestText(named, texts, link),
    html: `<!DOCTYPE html>${render(<MailPage request={named} texts={texts} link={link} />)}`,
  };
}

/** Whoever chose a name must not write lines of their own with it. */
function withNamesOnOneLine(request: MailedRequest): MailedRequest {
  return {
    ...request,
    firmName: singleLine(request.firmName),
    customerName: singleLine(request.customerName),
    contactName: singleLine(request.contactName),
    mandates: request.mandates.map(mandateWithNamesOnOneLine),
  };
}

function mandateWithNamesOnOneLine(mandate: AskedMandate): AskedMandate {
  if (mandate.product === 'CODB') {
    return { ...mandate, payrollProviderName: singleLine(mandate.payrollProviderName) };
  }
  const { bankName } = mandate;
  return bankName === undefined ? mandate : { ...mandate, bankName: singleLine(bankName) };
}
