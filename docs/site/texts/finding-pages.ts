import {
  type FindingCode,
  uploadFindings,
} from '../../../packages/server/src/uploads/documents/finding.js';
import {
  codaFindings,
  codbFindings,
  type FindingKind,
} from '../../../packages/statements/src/index.js';

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
  noCurrency: 'Ask the bank, or the maker of the file, for one with a currency such as `EUR`.',
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

/** The catalogues of findings, by the name in `<!-- findings: name -->`. */
const catalogues: Readonly<Record<string, Readonly<Record<string, FindingKind>>>> = {
  CODA: codaFindings,
  CODB: codbFindings,
  service: uploadFindings,
};

const advice: Readonly<Record<string, string>> = findingGuide;

/**
 * Returns the findings of a catalogue with one severity in Markdown: a heading for each code, so
 * that the search finds it, with its text and, for those of the service, what to do. Findings of
 * files of the operator are left out.
 *
 * @param value the catalogue and the severity: `CODA error`
 *
 * @throws if there is no such catalogue
 */
export function findingList(value: string): string {
  const [name = '', severity] = value.split(' ');
  const catalogue = catalogues[name];
  if (catalogue === undefined) throw new Error(`There is no catalogue of findings ${name}`);
  return Object.entries(catalogue)
    .filter(([code, kind]) => kind.severity === severity && (name !== 'service' || code in advice))
    .map(([code, { text }]) => {
      const action = name === 'service' ? ` ${advice[code]}` : '';
      return `### ${code} {#${code}}\n\n${text}.${action}`;
    })
    .join('\n\n');
}
