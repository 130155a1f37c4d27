import type { CallOptions } from '../call.js';
import { acknowledgementsOf } from './acknowledgements.js';
import type { Download, DownloadOptions, ListedFile } from './download.js';

/**
 * The filters of a list of files, and the options of a call, which apply to each call of the loop.
 */
export type PendingOptions<Filters> = CallOptions & Omit<Filters, 'redownload'>;

/** A file of a list, with the instant by which pending files are ordered. */
export interface DatedFile extends ListedFile {
  readonly processedOn: string;
}

/** The fields of a group, without the list of its members. */
type Heading<Group> = {
  readonly [Field in keyof Group as Group[Field] extends readonly object[]
    ? never
    : Field]: Group[Field];
};
type MemberOf<Group> = Extract<Group[keyof Group], readonly object[]>[number];

/** A file that is not acknowledged, with the fields of its groups. */
export type PendingFile<File extends DatedFile, Customer> = Grouped<File, Customer> &
  Receiving<File>;

type Grouped<File, Customer> = Readonly<File> &
  Heading<MemberOf<Customer>> & { readonly customer: Heading<Customer> };

/** The methods of a pending file: a program stores the content, and then acknowledges it. */
export interface Receiving<File extends DatedFile> {
  /** Downloads the content, or the PDF with `{ kind: 'pdf' }`. */
  bytes(options?: DownloadOptions<File>): Promise<Uint8Array>;

  /**
   * Downloads the content into a file. When it resolves, the file survives a power failure: it was
   * written under a temporary name in the same folder, synced and renamed, and the folder was
   * synced. If the file exists with the same content, it stays as it is. If it exists with another
   * content, that stays too, and this file gets its `id` in its name. Needs the file system of
   * Node, Deno or Bun.
   *
   * @returns The path of the file.
   * @throws {Error} With the codes of Node: `ENOENT` if there is no such folder, `EEXIST` if
   *   another content has the name with the `id` too.
   */
  save(path: string, options?: DownloadOptions<File>): Promise<string>;

  /**
   * Notes that the file is safely stored. Notes are sent in groups, after a second at the latest
   * and when the loop ends or is left. The service has all of them when the loop has ended without
   * an error. If sending fails, the loop throws the error, and the files come again.
   *
   * @throws {Error} If the loop has ended.
   */
  acknowledge(): void;
}

/** The operations that a loop over pending files uses. */
interface FileOperations<File extends DatedFile, Customer> {
  list(filters: object, options: CallOptions): Promise<Customer[]>;
  acknowledgeMany(body: { fileIds: string[] }, options: CallOptions): Promise<unknown>;
  download(file: File, options: DownloadOptions<File>): Promise<Download>;
}

/** The time for which a list is used, in ms. Its URLs are valid for 30 minutes. */
const freshness = 20 * 60_000;

/**
 * Yields the files that are not acknowledged, oldest first, and acknowledges those that are noted
 * (D-50).
 */
export async function* pendingFiles<File extends DatedFile, Customer extends object>(
  files: FileOperations<File, Customer>,
  given: PendingOptions<object> = {},
): AsyncGenerator<PendingFile<File, Customer>, void> {
  if (Object(given) !== given) throw new TypeError('pending takes an object with filters');
  const { signal, timeoutMs, maxRetries, ...filters } = given;
  const ofCalls = { timeoutMs, maxRetries };
  const options = { signal, ...ofCalls };
  // The signal does not cancel them, because these files are stored already.
  const acknowledgements = acknowledgementsOf((fileIds) =>
    files.acknowledgeMany({ fileIds }, ofCalls),
  );
  const yielded = new Set<string>();

  function received(file: File): Receiving<File> {
    const bytes = async (own: DownloadOptions<File> = {}) => {
      // `download` refuses what is no object.
      const wanted = Object(own) === own ? { ...options, ...own } : own;
      return (await files.download(file, wanted)).bytes();
    };
    return {
      bytes,
      async save(path, own) {
        const { saveFile } = await import('#save-file');
        return saveFile(path, file.id, () => bytes(own));
      },
      acknowledge: () => acknowledgements.note(file.id),
    };
  }

  try {
    for (let isRead = false; !isRead; ) {
      isRead = true;
      const listedAt = performance.now();
      for (const file of oldestFirst<File, Customer>(await files.list(filters, options))) {
        if (yielded.has(file.id)) continue;
        isRead = performance.now() - listedAt < freshness;
        if (!isRead) break;
        yielded.add(file.id);
        yield { ...file, ...received(file) };
        acknowledgements.check();
        signal?.throwIfAborted();
      }
    }
  } finally {
    await acknowledgements.end();
  }
}

/** Returns the files of all groups, each with the fields of its groups. */
function oldestFirst<File extends DatedFile, Customer extends object>(
  customers: readonly Customer[],
): Grouped<File, Customer>[] {
  const files = customers.flatMap((each) => {
    const [customer, groups] = split(each);
    return groups.flatMap((group) => {
      const [fields, members] = split(group);
      return members.map((file) => ({ ...file, ...fields, customer }));
    });
  });
  const order = ({ processedOn, id }: DatedFile) => `${processedOn} ${id}`;
  return (files as (Grouped<File, Customer> & DatedFile)[]).sort((one, other) =>
    order(one) < order(other) ? -1 : 1,
  );
}

/** Returns the fields of a group, and its members. */
function split(group: object): [heading: object, members: object[]] {
  const fields = Object.entries(group);
  return [
    Object.fromEntries(fields.filter(([, value]) => !Array.isArray(value))),
    fields.flatMap(([, value]) => (Array.isArray(value) ? value : [])),
  ];
}
