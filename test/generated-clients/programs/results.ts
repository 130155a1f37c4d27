/** Groups of files, as `listCodaFiles` returns them. */
type Groups = readonly {
  readonly ibans: readonly { readonly files: readonly { readonly urls: { coda?: string } }[] }[];
}[];

/** The results of the calls of a program. */
interface Results {
  /** The name of the customer that was created. */
  readonly created: string;
  /** The status and the error code of the same call again. */
  readonly again: readonly [status: number | undefined, code: string | undefined];
  /** The status, the error code and the fields of the same call with an unknown field. */
  readonly unknown: readonly [
    status: number | undefined,
    code: string | undefined,
    fields: readonly string[] | undefined,
  ];
  /** The files to list. */
  readonly groups: Groups;
}

/** Downloads the first file, and prints its text with the other results as JSON. */
export async function printResults({ groups, ...results }: Results): Promise<void> {
  const files = groups.flatMap(({ ibans }) => ibans.flatMap((iban) => iban.files));
  const file = await fetch(files[0]?.urls.coda ?? '');
  process.stdout.write(JSON.stringify({ ...results, downloaded: await file.text() }));
}

/** Returns the error that a call throws, or undefined if it throws none. */
export function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}
