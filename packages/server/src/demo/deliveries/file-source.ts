import type { ListedMandate } from '../../mandates/mandate-directory.js';
import type { DemoAccount } from '../statements/account-book.js';
import { employerOf } from '../statements/business.js';
import type { Employer } from '../statements/employer.js';
import type { PayrollHeading } from '../statements/payroll-month.js';

/** Where files of a firm come from: an account at its bank, or an employer's payroll provider. */
export type FileSource = {
  readonly firmId: string;
  /** Of its files, below the folder of the firm. */
  readonly folder: string;
} & (
  | { readonly product: 'CODA'; readonly account: DemoAccount }
  | { readonly product: 'CODB'; readonly employer: Employer; readonly heading: PayrollHeading }
);

/** The folder of everything that the demo uploads, below that of a firm. */
export const demoFolder = 'demo';

/** What sends the files of a mandate; nothing where its bank is not known. */
export function sourceOf(mandate: ListedMandate): FileSource | undefined {
  const { product, firmId, customerName: name } = mandate;
  const enterpriseNumber = mandate.enterpriseNumber.replaceAll('.', '');
  if (product === 'CODB') {
    const { payrollProviderCode: code } = mandate;
    const employer = employerOf(enterpriseNumber, code);
    const source =
      employer.language === 'fr' ? mandate.payrollProviderNameFr : mandate.payrollProviderNameNl;
    const folder = `${demoFolder}/${enterpriseNumber}-${code}`;
    return { product, firmId, folder, employer, heading: { source, name } };
  }
  const { iban, bic } = mandate;
  if (bic === undefined) return undefined;
  const account = { iban, bic: bic.replaceAll(' ', ''), holder: name, enterpriseNumber };
  return { product, firmId, folder: `${demoFolder}/${iban}`, account };
}
