import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'vitepress';
import type { Assembled } from './assemble.js';
import { withPolicy } from './content-policy.js';
import { siteConfig } from './site-config.js';

const docs = dirname(import.meta.dirname);
/** VitePress finds its packages only from a folder below the repository. */
const workspace = join(docs, '../node_modules/.cache');

/**
 * Renders pages with VitePress: returns the files of the site, by path.
 *
 * @param base the path of the site on its host, which begins and ends with a slash
 */
export async function renderPages(
  pages: readonly Assembled[],
  base: string,
): Promise<Map<string, string>> {
  await mkdir(workspace, { recursive: true });
  const folder = await mkdtemp(join(workspace, 'site-'));
  try {
    for (const { path, markdown } of pages) await write(join(folder, `${path}.md`), markdown);
    await cp(join(docs, 'plots'), join(folder, 'plots'), { recursive: true });
    const config = `export default ${JSON.stringify(siteConfig(base))};\n`;
    await write(join(folder, '.vitepress/config.mjs'), config);
    await cp(join(docs, 'theme'), join(folder, '.vitepress/theme'), { recursive: true });
    const output = join(folder, 'output');
    await build(folder, { base, outDir: output });
    return await readFiles(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a folder: returns the text of each file, by path. The theme has no fonts, so that all files are texts. */
async function readFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'utf8');
    const isPage = path.endsWith('.html');
    files.set(relative(folder, path), isPage ? withPolicy(text, "'self'") : text);
  }
  return files;
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
