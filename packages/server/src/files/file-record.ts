import type {
  CodaCustomerGroup,
  CodaFile,
  CodbCustomerGroup,
  CodbFile,
  Product,
} from '@adx/contract';
import { omitAbsent } from '../api/every-field.js';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { listedKeys } from './document.js';

interface FileRecord {
  readonly customer_id: string;
  readonly name: string;
  readonly name_sort: string;
  readonly accounting_ref: string | null;
  readonly enterprise_number: string;
  readonly is_confidential: boolean;
  readonly id: string;
  readonly arrival: number;
  readonly year: number;
  readonly file_name: string;
  readonly statement_date: string;
  readonly statement_number: number;
  readonly processed_on: Date;
  /** False until the file is printed, and for a file that cannot be printed. */
  readonly has_pdf: boolean;
}

export interface CodaRecord extends FileRecord {
  readonly iban: string;
  readonly currency: string;
  readonly is_delivered: boolean;
}

export interface CodbRecord extends FileRecord {
  readonly payroll_provider: string;
  readonly account_period: number;
}

export interface UrlOptions {
  readonly url: (key: string, fileName: string) => string;
  readonly includePdf: boolean;
}

/** The customer of a group of files (§2.4), which is the same for both products. */
type GroupedCustomer = Omit<CodaCustomerGroup, 'ibans'> &
  Omit<CodbCustomerGroup, 'payrollProviders'>;

export function toGroupedCustomer(record: FileRecord): GroupedCustomer {
  return omitAbsent<GroupedCustomer>({
    id: record.customer_id,
    name: record.name,
    accountingRef: record.accounting_ref ?? undefined,
    enterpriseNumber: formatEnterpriseNumber(record.enterprise_number),
    isConfidential: record.is_confidential,
  });
}

export function toCodaFile(record: CodaRecord, options: UrlOptions): CodaFile {
  const { file, pdf } = urlsOf('CODA', record, options);
  return {
    id: record.id,
    fileName: record.file_name,
    statementDate: record.statement_date,
    statementNumber: record.statement_number,
    processedOn: record.processed_on.toISOString(),
    source: record.is_delivered ? 'bank' : 'upload',
    urls: { coda: file, ...pdf },
  };
}

export function toCodbFile(record: CodbRecord, options: UrlOptions): CodbFile {
  const { file, pdf } = urlsOf('CODB', record, options);
  return {
    id: record.id,
    fileName: record.file_name,
    statementDate: record.statement_date,
    statementNumber: record.statement_number,
    accountPeriod: record.account_period,
    processedOn: record.processed_on.toISOString(),
    urls: { codb: file, ...pdf },
  };
}

function urlsOf(product: Product, record: FileRecord, { url, includePdf }: UrlOptions) {
  const { id, customer_id: customerId, file_name: fileName, has_pdf: hasPdf } = record;
  const { objectKey, pdfKey } = listedKeys({ product, customerId, id });
  const pdf = () => url(pdfKey, fileName.replace(/(\.[^.]*)?$/, '.pdf'));
  return { file: url(objectKey, fileName), pdf: includePdf && hasPdf ? { pdf: pdf() } : {} };
}
