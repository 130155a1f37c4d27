import type { ListedMandate } from '../../mandates/mandate-directory.js';
import type { DemoAccount } from '../statements/account-book.js';
import { employerOf } from '../statements/business.js';
import type { Employer } from '../statements/employer.js';
import type { PayrollHeading } from '../statements/payroll-month.js';

/** The origin of files: an account at a bank, or an employer at its payroll provider. */
export type FileSource = {
  readonly firmId: string;
  /** The beginning of the names of its files. */
  readonly name: string;
} & (
  | { readonly product: 'CODA'; readonly account: DemoAccount }
  | { readonly product: 'CODB'; readonly employer: Employer; readonly heading: PayrollHeading }
);

/** The beginning of the names of all files that the demo delivers. */
export const demoMark = 'demo_';

/** What sends the files of a mandate; nothing where its bank is not known. */
export function sourceOf(mandate: ListedMandate): FileSource | undefined {
  const { product, firmId, customerName: name } = mandate;
  const enterpriseNumber = mandate.enterpriseNumber.replaceAll('.', '');
  if (product === 'CODB') {
    const { payrollProviderCode: code } = mandate;
    const employer = employerOf(enterpriseNumber, code);
    const source =
      employer.language === 'fr' ? mandate.payrollProviderNameFr : mandate.payrollProviderNameNl;
    const origin = `${demoMark}${enterpriseNumber}-${code}`;
    return { product, firmId, name: origin, employer, heading: { source, name } };
  }
  const { iban, bic } = mandate;
  if (bic === undefined) return undefined;
  const account = { iban, bic: bic.replaceAll(' ', ''), holder: name, enterpriseNumber };
  return { product, firmId, name: `${demoMark}${iban}`, account };
}
