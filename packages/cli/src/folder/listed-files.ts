import type { Client, CodaFile, CodbFile, ListCodaFilesRequest } from '@adx/client';

export const products = ['coda', 'codb', 'all'] as const;
export type ProductChoice = (typeof products)[number];

interface Listed {
  readonly id: string;
  readonly fileName: string;
  readonly enterpriseNumber: string;
  readonly accountingRef: string | undefined;
  readonly year: number;
  /** The IBAN or the payroll provider. */
  readonly group: string;
}

/** A file of the service, as it lists it. */
export type ListedFile =
  | (Listed & { readonly product: 'CODA'; readonly listed: CodaFile })
  | (Listed & { readonly product: 'CODB'; readonly listed: CodbFile });

/** The filters that both lists have. */
type Filters = Pick<ListCodaFilesRequest, 'includePdf' | 'redownload' | 'enterpriseNumber'>;

/**
 * Lists the files that are not acknowledged with this key and user; with `redownload` all of them.
 */
export async function listFiles(
  client: Client,
  choice: ProductChoice,
  filters: Filters,
): Promise<ListedFile[]> {
  return [
    ...(choice === 'codb' ? [] : await listCoda(client, filters)),
    ...(choice === 'coda' ? [] : await listCodb(client, filters)),
  ];
}

async function listCoda(client: Client, filters: Filters): Promise<ListedFile[]> {
  const customers = await client.codaFiles.list(filters);
  return customers.flatMap(({ enterpriseNumber, accountingRef, ibans }) =>
    ibans.flatMap(({ iban, year, files }) =>
      files.map((listed) => ({
        id: listed.id,
        fileName: listed.fileName,
        product: 'CODA',
        listed,
        enterpriseNumber,
        accountingRef,
        year,
        group: iban,
      })),
    ),
  );
}

async function listCodb(client: Client, filters: Filters): Promise<ListedFile[]> {
  const customers = await client.codbFiles.list(filters);
  return customers.flatMap(({ enterpriseNumber, accountingRef, payrollProviders }) =>
    payrollProviders.flatMap(({ payrollProvider, year, files }) =>
      files.map((listed) => ({
        id: listed.id,
        fileName: listed.fileName,
        product: 'CODB',
        listed,
        enterpriseNumber,
        accountingRef,
        year,
        group: payrollProvider,
      })),
    ),
  );
}
