import type { MandateStatus } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { descriptionOfTag } from './spec-texts.js';

/** The advice for each status of a mandate, to software or its user, in Markdown (D-24). */
const actions: Readonly<Record<MandateStatus, string>> = {
  created:
    'Wait: the message to the contact is on its way, or waits because a limit of messages is reached.',
  waitingForSigner:
    'Wait: the contact is reminded three times. If the address is wrong, correct it with *Update customer*, and the request goes to the new one.',
  expired: 'Call the contact, then *Request mandate*.',
  rejectedBySigner: 'Ask the contact why. If it was a mistake, *Request mandate*.',
  waitingForBank: 'Wait for the bank. Ask support if it takes longer than usual.',
  confirmedByBank: 'Wait for the first file.',
  rejectedByBank:
    'Ask support for the reason, such as a closed account or a signer who may not sign for it. Then ask for a new mandate: *Disable bank account*, and *Add bank account* with the right IBAN. *Request mandate* does not apply.',
  unsupportedBank:
    'Nothing will come. [Upload](/guide/uploads.md) the CODA files that the customer gets from its bank.',
  finished:
    'Nothing: files arrive. Through a light connector, follow `renewal` [below](#renewals).',
  renewalRequired: '*Request mandate*: no statements come until the contact signs.',
  error:
    'Correct the e-mail address of the contact with *Update customer*, then *Request mandate*.',
  waitingForPayrollProvider: 'Wait for the provider. Ask support if a payroll run brings no files.',
  rejectedByPayrollProvider:
    'Ask support for the reason, such as a customer that the provider does not know. Then ask for a new mandate: *Remove payroll provider*, and *Add payroll provider* with the right code. *Request mandate* does not apply.',
  unsupportedPayrollProvider:
    'Nothing will come. [Upload](/guide/uploads.md) the CODB files, once the operator has enabled this for the firm.',
};

/**
 * Returns the description of mandates in the spec, whose table of statuses has a column more: what
 * to do. The product stands below its status, so that the table is not too wide.
 *
 * @throws if the table of the spec has a status of which nothing is known
 */
export function statusTable(): string {
  return descriptionOfTag(spec['tags'], 'Mandates').replaceAll(
    /^\| (.+?) +\| (.+?) +\| (.+) \|$/gm,
    (_row, first: string, product: string, reason: string) => {
      if (first === 'Status') return `| Status | ${reason} | What to do |`;
      if (/^-+$/.test(first)) return '| --- | --- | --- |';
      const status = first.replaceAll('`', '');
      if (!isStatus(status)) throw new Error(`docs/site/texts/mandate-guide.ts lacks ${status}`);
      const only = product === 'both' ? '' : `<br>${product}`;
      return `| ${first}${only} | ${reason} | ${actions[status]} |`;
    },
  );
}

function isStatus(status: string): status is MandateStatus {
  return Object.hasOwn(actions, status);
}
