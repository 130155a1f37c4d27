import { createHash } from 'node:crypto';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The list of all files, as `sha256sum --check` reads it. */
const SUMS = 'SHA256SUMS';

/** The number of characters that are collected before they are written. */
const CHUNK = 65_536;

export type ExportFolder = Awaited<ReturnType<typeof createExportFolder>>;

/**
 * Creates a folder that only its owner may read. Files are written piece by piece, and never
 * replaced. An export without the list of files is not complete.
 *
 * @throws Error of the file system
 */
export async function createExportFolder(folder: string) {
  await mkdir(folder, { mode: 0o700 });
  const sums = await open(join(folder, `${SUMS}.part`), 'wx', 0o600);
  let count = 0;

  async function write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const absolute = join(folder, path);
    await mkdir(dirname(absolute), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await writeFile(absolute, hashed(), { flag: 'wx', mode: 0o600 });
    await sums.writeFile(`${hash.digest('hex')}  ${path}\n`);
    count += 1;
  }

  return {
    write,

    /** Writes JSON Lines, and returns their number. */
    async writeLines(
      path: string,
      records: Iterable<object> | AsyncIterable<object>,
    ): Promise<number> {
      let lines = 0;
      async function* chunks() {
        let text = '';
        for await (const record of records) {
          lines += 1;
          text += `${JSON.stringify(record)}\n`;
          if (text.length < CHUNK) continue;
          yield Buffer.from(text);
          text = '';
        }
        yield Buffer.from(text);
      }
      await write(path, chunks());
      return lines;
    },

    /** Names the list of files, and returns their number. */
    async complete(): Promise<number> {
      await sums.sync();
      await sums.close();
      await rename(join(folder, `${SUMS}.part`), join(folder, SUMS));
      return count;
    },

    close: () => sums.close(),
  };
}
