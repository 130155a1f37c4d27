import type { FindingCode } from '../../../packages/server/src/uploads/documents/finding.js';

/** The findings of files that the operator delivers, which no partner sees. */
export type OperatorFinding =
  | 'unknownFormat'
  | 'specialFile'
  | 'otherProduct'
  | 'accountOfAnotherBank'
  | 'namesAnotherSender'
  | 'notMoved'
  | 'stillWritten'
  | 'held';

/** By finding of the service: what the sender of the file should do, in Markdown (D-52). */
export const findingGuide: Readonly<Record<Exclude<FindingCode, OperatorFinding>, string>> = {
  tooLarge: 'Split the file: statements that belong together may be in several files.',
  unknownGrant:
    'Put the file under the `prefix` of the upload credentials, exactly as the answer has it.',
  unprintableName: 'Rename the file to letters, digits, dots and hyphens, and upload it again.',
  inaccessible:
    'Upload the file again, without a storage class and without encryption of your own.',
  noIban: 'Ask the bank for a statement with the IBAN of the account.',
  unknownAccount:
    'Compare the IBAN with the bank accounts of your customers. Add the account to its customer, or upload the file as a user who may see the customer; then upload it again.',
  noCurrency: 'Ask the bank, or whoever made the file, for one with a currency such as `EUR`.',
  unknownEnterprise:
    'Compare the enterprise number with that of the customer. Create the customer, or upload the file as a user who may see it; then upload it again.',
  noLongerKept:
    'Keep the file yourself: the years for which the service keeps files of its date have ended.',
  sourceTooLong: 'Ask the payroll provider to correct `Source` to its name.',
  uploadGone:
    'Upload the file again, under a key that no other file has, and do not remove it: the service does.',
  alreadyListed:
    'Nothing: the document has arrived before, perhaps from the bank. It is listed once.',
  numberMissing:
    'Nothing for this file. [Missing statements](/guide/missing-statements.md) lists the gap until its statements arrive.',
  balanceDiffers:
    'Nothing for this file. Ask the bank if [Missing statements](/guide/missing-statements.md) still lists the break after some days.',
  numberRepeated:
    'Import the new file in place of the one with the same number: the bank has corrected it.',
  furtherFindings:
    'Correct the findings that are shown, and upload the file again; only the first 1,000 are kept.',
};
