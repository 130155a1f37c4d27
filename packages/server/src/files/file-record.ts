import type { CodaFile, CodbFile } from '@adx/contract';
import { omitAbsent } from '../api/every-field.js';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';

/** A file with its customer, as a list reads it. */
interface AnyRecord {
  readonly customer_id: string;
  readonly name: string;
  readonly name_sort: string;
  readonly accounting_ref: string | null;
  readonly enterprise_number: string;
  readonly is_confidential: boolean;
  readonly id: string;
  readonly year: number;
  readonly file_name: string;
  readonly statement_date: string;
  readonly statement_number: number;
  readonly processed_on: Date;
  readonly object_key: string;
  readonly pdf_key: string;
}

export interface CodaRecord extends AnyRecord {
  readonly iban: string;
  readonly currency: string;
}

export interface CodbRecord extends AnyRecord {
  readonly payroll_provider: string;
  readonly account_period: number;
}

/** Makes the download URL of an object; the file is saved under the name. */
export type DownloadUrl = (key: string, fileName: string) => string;

/** The fields of a customer with which a group of files begins (§2.4). */
export interface GroupedCustomer {
  readonly id: string;
  readonly name: string;
  readonly accountingRef?: string;
  readonly enterpriseNumber: string;
  readonly isConfidential: boolean;
}

export function toGroupedCustomer(record: AnyRecord): GroupedCustomer {
  return omitAbsent<GroupedCustomer>({
    id: record.customer_id,
    name: record.name,
    accountingRef: record.accounting_ref ?? undefined,
    enterpriseNumber: formatEnterpriseNumber(record.enterprise_number),
    isConfidential: record.is_confidential,
  });
}

/** A CODA file as the interface shows it (§2.5, D-09). */
export function toCodaFile(record: CodaRecord, url: DownloadUrl, includePdf: boolean): CodaFile {
  return {
    id: record.id,
    fileName: record.file_name,
    statementDate: record.statement_date,
    statementNumber: record.statement_number,
    processedOn: record.processed_on.toISOString(),
    urls: { coda: url(record.object_key, record.file_name), ...pdfUrl(record, url, includePdf) },
  };
}

/** A CODB file as the interface shows it (§2.4). */
export function toCodbFile(record: CodbRecord, url: DownloadUrl, includePdf: boolean): CodbFile {
  return {
    id: record.id,
    fileName: record.file_name,
    statementDate: record.statement_date,
    statementNumber: record.statement_number,
    accountPeriod: record.account_period,
    processedOn: record.processed_on.toISOString(),
    urls: { codb: url(record.object_key, record.file_name), ...pdfUrl(record, url, includePdf) },
  };
}

function pdfUrl({ pdf_key, file_name }: AnyRecord, url: DownloadUrl, includePdf: boolean) {
  return includePdf ? { pdf: url(pdf_key, file_name.replace(/(\.[^.]*)?$/, '.pdf')) } : {};
}
