import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A Chromium, with the variables that lead it to its libraries and fonts (L-05). */
export interface UnpackedChromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** Unpacks, once per version, also libraries and a font that a machine without desktop may lack. */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const manifest = await readFile(join(dirname(entry), '../../package.json'), 'utf8');
  const folder = join(cache, `adx-chromium-${JSON.parse(manifest).version}`);
  if (!existsSync(folder)) await unpackInto(folder, entry);
  const libraries = [join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH']];
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: libraries.filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

/** Makes the folder appear when it is complete, for which the package takes any file in it. */
async function unpackInto(folder: string, entry: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'unpacking-'));
  try {
    // This is a process of its own: the package reads TMPDIR, and changes the environment.
    await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import chromium from ${JSON.stringify(pathToFileURL(entry).href)};
         await chromium.executablePath();`,
      ],
      { env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' } },
    );
    await writeFile(join(fresh, 'fonts.conf'), fontConfiguration(folder));
    await chmod(join(fresh, 'chromium'), 0o755);
    await chmod(fresh, 0o755);
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another process was first: a folder with files cannot be replaced by renaming.
    if (!existsSync(folder)) throw error;
  }
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}
