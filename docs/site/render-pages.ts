import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Search } from '../search/build-search.js';
import type { Assembled } from './assemble.js';
import { withPolicy } from './content-policy.js';
import { siteConfig } from './site-config.js';

const docs = dirname(import.meta.dirname);
/** VitePress finds its packages only from a folder below the repository. */
const workspace = join(docs, '../node_modules/.cache');
const vitepress = join(
  dirname(createRequire(import.meta.url).resolve('vitepress/package.json')),
  'bin/vitepress.js',
);

/**
 * Renders pages with VitePress: returns the files of the site, by path.
 *
 * @param base the path of the site on its host, which begins and ends with a slash
 */
export async function renderPages(
  pages: readonly Assembled[],
  base: string,
  search: Search,
): Promise<Map<string, string>> {
  await mkdir(workspace, { recursive: true });
  const folder = await mkdtemp(join(workspace, 'site-'));
  try {
    for (const { path, markdown } of pages) await write(join(folder, `${path}.md`), markdown);
    await cp(join(docs, 'plots'), join(folder, 'plots'), { recursive: true });
    await write(join(folder, '.vitepress/config.mjs'), configFile(base, search));
    await cp(join(docs, 'theme'), join(folder, '.vitepress/theme'), { recursive: true });
    const output = join(folder, 'output');
    await build(folder, base, output);
    return await readFiles(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the text of the file with the configuration. */
function configFile(base: string, search: Search): string {
  const { markdown, ...config } = siteConfig(base, search);
  return `import { changeMarkdown, endDecision } from './theme/markdown.js';
const markdown = ${JSON.stringify(markdown)};
export default {
  ...${JSON.stringify(config)},
  markdown: { ...markdown, config: changeMarkdown },
  transformPageData: endDecision,
};
`;
}

/**
 * Runs VitePress in its own process, because the loader of this one, which reads TypeScript, would
 * slow it down.
 */
async function build(folder: string, base: string, output: string): Promise<void> {
  const options = ['--base', base, '--outDir', output];
  const child = spawn(process.execPath, [vitepress, 'build', folder, ...options], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`VitePress failed with code ${code}.`);
}

/**
 * Reads a folder: returns the text of each file, by path. The theme has no fonts, so that all files
 * are texts.
 */
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
