import type { Client, CodaFile, CodbFile, ListCodaFilesRequest, Product } from '@adx/client';

/** The products by their names on the command line. */
export const products = { coda: 'CODA', codb: 'CODB' } as const satisfies Readonly<
  Record<Lowercase<Product>, Product>
>;
export const productNames = Object.keys(products) as readonly ProductName[];
export type ProductName = keyof typeof products;
export type ProductChoice = ProductName | 'all';

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
  const files: ListedFile[] = [];
  for (const name of choice === 'all' ? productNames : [choice]) {
    files.push(...(await lists[products[name]](client, filters)));
  }
  return files;
}

const lists: Readonly<
  Record<Product, (client: Client, filters: Filters) => Promise<ListedFile[]>>
> = { CODA: listCoda, CODB: listCodb };

/** The members of the client that upload and acknowledge files. */
export const resources = {
  CODA: 'codaFiles',
  CODB: 'codbFiles',
} as const satisfies Readonly<Record<Product, keyof Client>>;

async function listCoda(client: Client, filters: Filters): Promise<ListedFile[]> {
  const customers = await client.codaFiles.list(filters);
  return customers.flatMap(({ ibans, enterpriseNumber, accountingRef }) =>
    ibans.flatMap(({ iban: group, year, files }) =>
      files.map((listed) => {
        const { id, fileName } = listed;
        return {
          id,
          fileName,
          product: 'CODA',
          listed,
          enterpriseNumber,
          accountingRef,
          year,
          group,
        };
      }),
    ),
  );
}

async function listCodb(client: Client, filters: Filters): Promise<ListedFile[]> {
  const customers = await client.codbFiles.list(filters);
  return customers.flatMap(({ payrollProviders, enterpriseNumber, accountingRef }) =>
    payrollProviders.flatMap(({ payrollProvider: group, year, files }) =>
      files.map((listed) => {
        const { id, fileName } = listed;
        return {
          id,
          fileName,
          product: 'CODB',
          listed,
          enterpriseNumber,
          accountingRef,
          year,
          group,
        };
      }),
    ),
  );
}
