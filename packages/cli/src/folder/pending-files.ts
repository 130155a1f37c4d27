import type { Client, CodaFile, CodbFile } from '@adx/client';

export const products = ['coda', 'codb', 'all'] as const;
export type ProductChoice = (typeof products)[number];

interface Pending {
  readonly id: string;
  readonly fileName: string;
  readonly enterpriseNumber: string;
  readonly accountingRef: string | undefined;
  readonly year: number;
  /** The IBAN or the payroll provider. */
  readonly group: string;
}

/** A file that is not acknowledged. */
export type PendingFile =
  | (Pending & { readonly product: 'CODA'; readonly listed: CodaFile })
  | (Pending & { readonly product: 'CODB'; readonly listed: CodbFile });

/** Lists the files that are not acknowledged with this key and user. */
export async function listPending(
  client: Client,
  choice: ProductChoice,
  includePdf: boolean,
): Promise<PendingFile[]> {
  return [
    ...(choice === 'codb' ? [] : await listCoda(client, includePdf)),
    ...(choice === 'coda' ? [] : await listCodb(client, includePdf)),
  ];
}

async function listCoda(client: Client, includePdf: boolean): Promise<PendingFile[]> {
  const customers = await client.codaFiles.list({ includePdf });
  return customers.flatMap(({ enterpriseNumber, accountingRef, ibans }) =>
    ibans.flatMap(({ iban, year, files }) =>
      files.map((listed) => ({
        ...{ id: listed.id, fileName: listed.fileName, product: 'CODA', listed },
        ...{ enterpriseNumber, accountingRef, year, group: iban },
      })),
    ),
  );
}

async function listCodb(client: Client, includePdf: boolean): Promise<PendingFile[]> {
  const customers = await client.codbFiles.list({ includePdf });
  return customers.flatMap(({ enterpriseNumber, accountingRef, payrollProviders }) =>
    payrollProviders.flatMap(({ payrollProvider, year, files }) =>
      files.map((listed) => ({
        ...{ id: listed.id, fileName: listed.fileName, product: 'CODB', listed },
        ...{ enterpriseNumber, accountingRef, year, group: payrollProvider },
      })),
    ),
  );
}

/** Returns true if the service offers a PDF. */
export function hasPdf({ listed }: PendingFile): boolean {
  return listed.urls.pdf !== undefined;
}
