import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorFailure } from '../operator-failure.js';

const form = z.strictObject({
  apiKey: z.string(),
  passwords: z.record(z.string(), z.string()),
});

/** The secrets of the demo: an API key and the password of each user. */
export type DemoCredentials = Readonly<z.infer<typeof form>>;

/** Where the credentials of a data folder are kept. */
export function demoCredentialsPath(dataDir: string): string {
  return join(dataDir, 'demo-credentials.json');
}

/**
 * The credentials that an earlier start kept, if any.
 *
 * The database holds only hashes, and the demo prints a working key and login at every start, so
 * they are kept beside it. They are random for each data folder instead of the same for everyone:
 * a demo that can be reached after all is not open to those who know this project. The file is for
 * the owner's eyes, and `--demo` listens on the loopback address only.
 */
export async function readDemoCredentials(dataDir: string): Promise<DemoCredentials | undefined> {
  const path = demoCredentialsPath(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return form.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorFailure(
      `${path} does not hold demo credentials: delete it, and new ones are made.`,
      { cause },
    );
  }
}

/** Keeps the credentials; the file is replaced whole, readable by its owner only. */
export async function writeDemoCredentials(
  dataDir: string,
  credentials: DemoCredentials,
): Promise<void> {
  const path = demoCredentialsPath(dataDir);
  const written = `${path}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(written, path);
}
