import type { Language } from '@adx/contract';
import { render } from 'preact-render-to-string';
import { plainName } from '../../../mail/message.js';
import type { MailedRequest, MandateSummary } from '../request-details.js';
import { MailPage } from './mail-page.js';
import { requestText, subjectOf } from './request-text.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { fr } from './texts/fr.js';
import { nl } from './texts/nl.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';

/** The texts in each language. */
export const textsIn: Readonly<Record<Language, RequestMailTexts>> = { fr, nl, de, en };

/** Creates the mail of a signature request, in the language of the contact (D-13). */
export function signatureRequestMail(
  request: MailedRequest,
  link: string,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const named = withPlainNames(request);
  const texts = textsIn[request.language];
  return {
    subject: subjectOf(named, texts),
    text: requestText(named, texts, link),
    html: `<!DOCTYPE html>${render(<MailPage request={named} texts={texts} link={link} />)}`,
  };
}

/**
 * Ensures that a name adds neither lines nor hyperlinks to the mail. Callers choose the names
 * (D-36).
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
