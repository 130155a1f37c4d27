import type {
  Client,
  CodaCustomerGroup,
  CodaFile,
  CodbCustomerGroup,
  CodbFile,
  ListCodaFilesRequest,
  Product,
} from '@adx/client';

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
> = {
  CODA: async ({ codaFiles }, filters) =>
    (await codaFiles.list(filters)).flatMap((customer) =>
      customer.ibans.flatMap(({ iban, year, files }) =>
        files.map((listed) => ({ ...placed(customer, iban, year, listed), product: 'CODA' })),
      ),
    ),
  CODB: async ({ codbFiles }, filters) =>
    (await codbFiles.list(filters)).flatMap((customer) =>
      customer.payrollProviders.flatMap(({ payrollProvider, year, files }) =>
        files.map((listed) => ({
          ...placed(customer, payrollProvider, year, listed),
          product: 'CODB',
        })),
      ),
    ),
};

function placed<File extends CodaFile | CodbFile>(
  { enterpriseNumber, accountingRef }: CodaCustomerGroup | CodbCustomerGroup,
  group: string,
  year: number,
  listed: File,
) {
  const { id, fileName } = listed;
  return { id, fileName, enterpriseNumber, accountingRef, year, group, listed };
}

/** The members of the client that upload and acknowledge files. */
export const resources = {
  CODA: 'codaFiles',
  CODB: 'codbFiles',
} as const satisfies Readonly<Record<Product, keyof Client>>;
